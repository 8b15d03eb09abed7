import { expect, test } from 'vitest';
import { passwordHash } from '#contract/passwordHash.ts';
import { formatFault, PASSWORD_RULE, strength } from '#console/shell/account/newPassword.tsx';
import { visibleCount } from '#console/shell/menu/TopMenu.tsx';

test.each(['20261234', 'Shanshui1982', 'abc', '!@#$%^&*'])('%s is a valid password', (password) => {
  expect(PASSWORD_RULE.test(password)).toBe(true);
});

test.each(['', 'abc0', 'Shan shui', 'abc!1', '12！', '密码'])('“%s” is 密码格式不正确', (password) => {
  expect(PASSWORD_RULE.test(password)).toBe(false);
});

test.each([
  ['Shanshui2026', '与字母一起使用时，数字只能是 1–9，不能有 0'],
  ['abc!1', '符号不能与字母或数字一起使用'],
  ['Shan shui', '只能使用字母、数字和 !@#$%^&*，不能有空格和其他字符'],
  ['Shanshui1982', undefined],
  ['', undefined],
])('while “%s” is typed, the part of the rule it breaks is said', (password, words) => {
  expect(formatFault(password)).toBe(words);
});

test('short and repetitive passwords are rated as weak', () => {
  expect(['', '11111111', 'abc1', '19820305', 'Shanshui1982'].map(strength)).toEqual([0, 1, 1, 2, 3]);
});

test('a password is sent as its MD5 hash in capitals', () => {
  expect(passwordHash('123456')).toBe('E10ADC3949BA59ABBE56E057F20F883E');
  expect(passwordHash('山水')).toMatch(/^[0-9A-F]{32}$/);
});

test.each([
  [1440, 5],
  [1024, 4],
  [2560, 10],
])('a body %i px wide shows %i entries of the top menu', (width, count) => {
  expect(visibleCount(width)).toBe(count);
});
