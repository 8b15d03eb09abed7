import { expect, test } from 'vitest';
import { matchPath } from '#ui/router/path.ts';

test('the named parts of a path are read out', () => {
  expect(matchPath('/task/administration/:taskcode/:tab?', '/task/administration/T1/roster')).toEqual({
    taskcode: 'T1',
    tab: 'roster',
  });
  expect(matchPath('/task/administration/:taskcode/:tab?', '/task/administration/T1')).toEqual({ taskcode: 'T1' });
  expect(matchPath('/evaluating/scale/:formcode', '/evaluating/scale/PHQ%2D9')).toEqual({ formcode: 'PHQ-9' });
});

test('an address is found as people type it: in capitals, with a slash at the end, with a broken escape', () => {
  expect(matchPath('/task/teamManagement', '/Task/teammanagement/')).toEqual({});
  expect(matchPath('/report/:reportcode', '/report/100%')).toEqual({ reportcode: '100%' });
});

test('a path with a part too few or too many is another page', () => {
  expect(matchPath('/report/:reportcode', '/report')).toBeUndefined();
  expect(matchPath('/report/:reportcode', '/report/1/2')).toBeUndefined();
  expect(matchPath('/task/new', '/task/team')).toBeUndefined();
  expect(matchPath('/', '/workbench')).toBeUndefined();
});

test('a star takes whatever follows', () => {
  expect(matchPath('/Service/opening/providers/*', '/Service/opening/providers/1100')).toEqual({});
  expect(matchPath('/Service/opening/providers/*', '/Service/opening/providers')).toEqual({});
  expect(matchPath('/Service/opening/providers/*', '/Service/opening/institutions/1100')).toBeUndefined();
});
