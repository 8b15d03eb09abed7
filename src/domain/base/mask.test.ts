import { expect, test } from 'vitest';
import { maskIdno, maskName, maskPhone } from '#domain/base/mask.ts';

test('a masked name keeps only its first character', () => {
  expect(maskName('林小雨')).toBe('林**');
  expect(maskName('李明')).toBe('李*');
  expect(maskName('欧阳娜娜')).toBe('欧**');
});
test('a masked telephone number keeps its first three and last four digits', () => {
  expect(maskPhone('10000001234')).toBe('100****1234');
  expect(maskPhone('12345')).toBe('*****');
});
test('a masked ID number keeps its first and last four characters', () =>
  expect(maskIdno('330106201107120018')).toBe('3301**********0018'));
