import { expect, test } from 'vitest';
import { matchPath } from '#ui/router/path.ts';

test('named parameters of a path are parsed', () => {
  expect(matchPath('/task/administration/:taskcode/:tab?', '/task/administration/T1/roster')).toEqual({
    taskcode: 'T1',
    tab: 'roster',
  });
  expect(matchPath('/task/administration/:taskcode/:tab?', '/task/administration/T1')).toEqual({ taskcode: 'T1' });
  expect(matchPath('/evaluating/scale/:formcode', '/evaluating/scale/PHQ%2D9')).toEqual({ formcode: 'PHQ-9' });
});

test('a path matches in capitals, with a trailing slash and with an invalid percent escape', () => {
  expect(matchPath('/task/teamManagement', '/Task/teammanagement/')).toEqual({});
  expect(matchPath('/report/:reportcode', '/report/100%')).toEqual({ reportcode: '100%' });
});

test('a path with a missing or extra segment does not match', () => {
  expect(matchPath('/report/:reportcode', '/report')).toBeUndefined();
  expect(matchPath('/report/:reportcode', '/report/1/2')).toBeUndefined();
  expect(matchPath('/task/new', '/task/team')).toBeUndefined();
  expect(matchPath('/', '/workbench')).toBeUndefined();
});

test('a star matches the rest of the path', () => {
  expect(matchPath('/Service/opening/providers/*', '/Service/opening/providers/1100')).toEqual({});
  expect(matchPath('/Service/opening/providers/*', '/Service/opening/providers')).toEqual({});
  expect(matchPath('/Service/opening/providers/*', '/Service/opening/institutions/1100')).toBeUndefined();
});
