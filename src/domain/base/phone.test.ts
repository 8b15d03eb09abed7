import { expect, test } from 'vitest';
import { parsePhone, PHONE } from '#domain/base/phone.ts';

test('a mobile, a landline with area code and extension, and a service number are read in every usual spelling', () => {
  const spellings = {
    '13800000000': ['13800000000', '138 0000 0000', '+86 138-0000-0000', '１３８００００００００'],
    '010-12345678': ['010-12345678', '(010)12345678', '（010）1234 5678'.replace(' ', ''), '01012345678'],
    '0571-87654321-801': [
      '0571-87654321-801',
      '0571-87654321 转 801',
      '0571 87654321#801',
      '0571-87654321 ext. 801',
      '0571-87654321分机801',
    ],
    '400-810-1234': ['400-810-1234', '4008101234', '400 810 1234'],
  };
  for (const [phone, texts] of Object.entries(spellings))
    for (const text of texts) expect([text, parsePhone(text), PHONE.test(phone)]).toEqual([text, phone, true]);
});

test('a number without area code, too short, or two numbers in one are refused', () => {
  for (const text of ['12345678', '1380000000', '12345678901', '010-123456', '010-12345678 13800000000', '王老师', ''])
    expect([text, parsePhone(text)]).toEqual([text, undefined]);
});
