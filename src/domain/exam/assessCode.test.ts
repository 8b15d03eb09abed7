import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assessCodeFromBytes, parseAssessCode, formatAssessCode } from '#domain/exam/assessCode.ts';

test('the parser accepts an assessment code in any spelling', () => {
  expect(parseAssessCode(' k7q2-m9xa ')).toBe('K7Q2M9XA');
  expect(parseAssessCode('oil0 il0o')).toBe('01101100');
  expect(parseAssessCode('Ｋ７Ｑ２Ｍ９ＸＡ')).toBe('K7Q2M9XA');
  for (const wrong of ['', 'K7Q2M9X', 'K7Q2M9XAA', 'U7Q2M9XA', 'K7Q2M9X!']) expect(parseAssessCode(wrong)).toBeUndefined();
});

test('every generated code is parsed from its printed form in either case', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (bytes) => {
      const code = assessCodeFromBytes(bytes);
      expect(parseAssessCode(formatAssessCode(code).toLowerCase())).toBe(code);
    }),
  );
});
