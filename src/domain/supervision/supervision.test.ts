import { expect, test } from 'vitest';
import { findPersonalNumber, joinName } from '#domain/supervision/supervision.ts';

test('an answer with a mobile number, an ID number or a covered name is found out', () => {
  expect(findPersonalNumber('请联系家长 138-0013-8000')).toBe('手机号');
  expect(findPersonalNumber('家长电话+8613800138000')).toBe('手机号');
  expect(findPersonalNumber('证件 110101201003074514')).toBe('身份证号');
  expect(findPersonalNumber('11010120100307451x')).toBe('身份证号');
  expect(findPersonalNumber('初二张**同学已访谈')).toBe('带星号的姓名');
});

test('an answer with dates, figures and the telephone of an office is not refused', () => {
  expect(findPersonalNumber('已于2026年11月20日完成2项，余下1项11月25日前完成。办公电话 0571-88886666。')).toBeUndefined();
});

test('spaces and dots do not hide a name', () => {
  expect(joinName('林 小·雨已访谈')).toBe('林小雨已访谈');
});
