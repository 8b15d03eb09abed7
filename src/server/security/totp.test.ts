import fc from 'fast-check';
import { Secret } from 'otpauth';
import { expect, test } from 'vitest';
import { codeAt, enrolmentUri, newRecoveryCodes, newSeed, normalizeRecoveryCode, stepOf } from '#server/security/totp.ts';

/** The seed of RFC 6238, appendix B. */
const seed = Secret.fromUTF8('12345678901234567890').base32;

// The RFC prints eight digits; our codes are the last six of them.
test.each([
  [59, '94287082'],
  [1111111109, '07081804'],
  [1111111111, '14050471'],
  [1234567890, '89005924'],
  [2000000000, '69279037'],
  [20000000000, '65353130'],
])('RFC 6238, SHA-1: at second %i the code is the last six digits of %s', (second, printed) => {
  expect(codeAt(seed, new Date(second * 1000))).toBe(printed.slice(-6));
  expect(stepOf(seed, printed.slice(-6), new Date(second * 1000))).toBe(Math.floor(second / 30));
});

test('a code is accepted up to half a minute early or late', () => {
  const now = new Date('2026-03-02T08:00:15Z');
  const step = Math.floor(now.getTime() / 30_000);
  const stepOfNeighbour = (offset: number) => stepOf(seed, codeAt(seed, new Date(now.getTime() + offset * 30_000)), now);
  for (const offset of [-1, 0, 1]) expect(stepOfNeighbour(offset)).toBe(step + offset);
  for (const offset of [-3, -2, 2, 3]) expect(stepOfNeighbour(offset)).toBeUndefined();
});

test('a code has six digits and is valid for its half minute', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (second) => {
      const time = new Date(second * 1000);
      expect(codeAt(seed, time)).toMatch(/^\d{6}$/);
      // By chance the half minute before or after may have the same six digits.
      expect(Math.abs((stepOf(seed, codeAt(seed, time), time) ?? Infinity) - Math.floor(second / 30))).toBeLessThanOrEqual(1);
    }),
  );
});

test('a seed has 160 bits, ten recovery codes have 50 bits each in two short groups, and none repeats', () => {
  expect(Secret.fromBase32(newSeed()).bytes).toHaveLength(20);
  expect(newSeed()).not.toBe(newSeed());
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/);
});

test('a recovery code is accepted with blanks, capitals and letters that look like digits; a code of the app is not one', () => {
  const [code = ''] = newRecoveryCodes();
  expect(normalizeRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(code.replaceAll('-', ''));
  expect(normalizeRecoveryCode('O1lI0-abcde')).toBe('01110abcde');
  expect(normalizeRecoveryCode('123456')).toBeUndefined();
  expect(normalizeRecoveryCode('uuuuu-abcde')).toBeUndefined();
});

test('the enrolment QR code names the product and the account', () => {
  const uri = new URL(enrolmentUri(seed, 'chen@晨光'));
  expect(uri.protocol).toBe('otpauth:');
  expect(uri.searchParams.get('secret')).toBe(seed);
  expect(uri.searchParams.get('issuer')).toBe('AI智慧心理');
  expect(decodeURIComponent(uri.pathname)).toContain('chen@晨光');
});
