import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { pageRequest } from '#contract/page.ts';
import { paramsFrom, requestFrom } from '#ui/router/filtersInAddress.ts';

const request = pageRequest.extend({
  username: z.string().trim().max(20).optional(),
  status: z.union([z.literal(0), z.literal(1)]).optional(),
  grades: z.array(z.string()).optional(),
  levels: z.array(z.number()).optional(),
  overdue: z.boolean().optional(),
});
const read = (address: string) => requestFrom(request, new URLSearchParams(address));

test('address parameters are converted to the types of the request', () => {
  expect(read('username=王&status=1&grades=初一&grades=初二&levels=3&levels=4&overdue=true&page=2')).toEqual({
    username: '王',
    status: 1,
    grades: ['初一', '初二'],
    levels: [3, 4],
    overdue: true,
    page: '2',
  });
});

test('a list with one value stays a list', () => {
  expect(read('grades=初一&levels=4')).toEqual({ grades: ['初一'], levels: [4] });
});

test('a text field keeps leading zeros', () => {
  expect(read('username=007')).toEqual({ username: '007' });
});

test('unknown and invalid address parameters are dropped, so that a damaged link still opens the list', () => {
  expect(read('status=7&pageSize=9999&nonsense=1&username=&orderby=')).toEqual({});
});

test('any address gives a request that the action accepts', () => {
  const name = fc.constantFrom('username', 'status', 'grades', 'levels', 'overdue', 'page', 'pageSize', 'isasc', 'other');
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.string({ maxLength: 30 }))), (pairs) => {
      expect(request.safeParse(requestFrom(request, new URLSearchParams(pairs))).success).toBe(true);
    }),
  );
});

test('filters written to the address bar are read back unchanged', () => {
  const filters = { username: '李', status: 0, grades: ['初一', '高三'], overdue: false };
  expect(requestFrom(request, paramsFrom(filters))).toEqual(filters);
});

test('cleared filters leave the address bar', () => {
  expect(paramsFrom({ username: '', status: null, grades: [], overdue: undefined }).toString()).toBe('');
});
