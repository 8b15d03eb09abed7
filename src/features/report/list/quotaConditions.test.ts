import { expect, test } from 'vitest';
import { joinConditions, splitConditions } from '#features/report/list/quotaConditions.ts';

test('levels of one indicator become one condition, and a condition gives its levels back', () => {
  const joined = joinConditions(['PHQ9.total:3', 'GAD7.total:1', 'PHQ9.total:2']);
  expect(joined).toEqual(['PHQ9.total:2,3', 'GAD7.total:1']);
  expect(splitConditions(joined)).toEqual(['PHQ9.total:2', 'PHQ9.total:3', 'GAD7.total:1']);
});
