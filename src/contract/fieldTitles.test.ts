import { expect, test } from 'vitest';
import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';
import { findFaults, isRequired, titleOf } from '#contract/fieldTitles.ts';

const insertTeam = defineAction({
  name: 'as.m.assess.insertAssessTeam',
  title: '新增团体',
  allow: anyStaff,
  kind: 'write',
  request: z.strictObject({
    teamname: z.string().trim().min(1).max(10).describe('团体名称'),
    phonenumber: z
      .string()
      .regex(/^1\d{10}$/, '请输入 11 位手机号')
      .optional()
      .describe('联系电话'),
    count: z.number().int().min(1).describe('人数'),
    members: z.array(z.strictObject({ username: z.string().min(1).describe('姓名') })).optional(),
  }),
  response: z.object({}),
});

test('the messages of field errors contain the titles of the contract', () => {
  expect(findFaults(insertTeam, { teamname: ' ', phonenumber: '12', members: [{ username: '' }] })).toEqual({
    teamname: '团体名称不能为空',
    phonenumber: '请输入 11 位手机号',
    count: '人数不能为空',
    'members.0.username': '姓名不能为空',
  });
  expect(findFaults(insertTeam, { teamname: '初一（3）班', count: 41 })).toEqual({});
});

test('titles on wrappers are found, and an optional field is not required', () => {
  expect(titleOf(insertTeam.request, ['phonenumber'])).toBe('联系电话');
  expect(titleOf(insertTeam.request, ['members', 0, 'username'])).toBe('姓名');
  expect(isRequired(insertTeam.request, ['teamname'])).toBe(true);
  expect(isRequired(insertTeam.request, ['phonenumber'])).toBe(false);
});

test('a number outside its range is refused with the limit, and a number too long for a number stays a text and is refused', () => {
  const counted = (count: unknown) => findFaults(grantCounts, { count });
  const grantCounts = defineAction({
    name: 'as.m.exam.grantMUserAssessCount',
    title: '发放次数',
    allow: anyStaff,
    kind: 'write',
    request: z.strictObject({ count: z.coerce.number().int().min(1).max(1_000_000).describe('数量') }),
    response: z.object({}),
  });
  expect(counted(0)).toEqual({ count: '数量不能小于 1' });
  expect(counted(99_999_999_999)).toEqual({ count: '数量不能大于 1,000,000' });
  expect(counted('99999999999999999999')).toEqual({ count: '数量超出允许的范围' });
  expect(counted(1.5)).toEqual({ count: '数量应为整数' });
  expect(counted('-')).toEqual({ count: '数量不正确' });
  expect(counted(41)).toEqual({});
});
