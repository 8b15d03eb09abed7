import { expect, test } from 'vitest';
import { describeLicence } from '#features/form/form.labels.ts';

test.each([
  [null, '尚未登记授权', true],
  ['2027-06-30', '已获授权，至 2027-06-30', false],
  ['2026-12-31', '已获授权，至 2026-12-31', false],
  ['2026-12-30', '已获授权，至 2026-12-30，还有 30 天到期', true],
  ['2026-11-30', '已获授权，至 2026-11-30，今天到期', true],
  ['2026-11-29', '授权已于 2026-11-29 到期，不能开始新的测评', true],
])('on 2026-11-30 a licence until %s reads %s', (expiredate, text, isUrgent) => {
  expect(describeLicence(expiredate, '2026-11-30')).toEqual({ text, isUrgent });
});
