import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** The parameters of time-based one-time codes (RFC 6238) in all authenticator apps: HMAC-SHA-1, six digits, half minutes. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** Generates a seed of 160 bits, the length that RFC 4226 recommends, in base32. */
export const newSeed = (): string => new Secret({ size: 20 }).base32;

const totp = (seed: string, more: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...parameters, ...more, secret: Secret.fromBase32(seed) });

/** Returns the code of a time. */
export const codeAt = (seed: string, time: Date): string => totp(seed).generate({ timestamp: time.getTime() });

/**
 * Returns the half minute of a code, counted from 1970. It accepts the current half minute, the one before and the one after,
 * because clocks of telephones differ. Undefined for any other code.
 * The caller must then refuse this half minute and all earlier ones.
 */
export function stepOf(seed: string, code: string, now: Date): number | undefined {
  const delta = totp(seed).validate({ token: code, window: 1, timestamp: now.getTime() });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / parameters.period) + delta;
}

/** Returns the text of the QR code that an authenticator app scans. */
export const enrolmentUri = (seed: string, loginname: string): string =>
  totp(seed, { issuer: 'AI智慧心理', label: loginname }).toString();

const RECOVERY_CODES = 10;
/** The symbols of Crockford's base32: no letter looks like a digit. */
const SYMBOLS = '0123456789abcdefghjkmnpqrstvwxyz';
/** Generates recovery codes of 50 bits: ten symbols in two groups. Five wrong codes lock the second factor (decision 0043). */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(10), (byte) => SYMBOLS[byte % SYMBOLS.length])
      .join('')
      .replace(/^.{5}/, '$&-'),
  );

/**
 * Returns a typed recovery code without spaces, hyphens and capitals; o, i and l become the digits they look like. Undefined when it
 * cannot be one. Codes from before decision 0043 have 32 hexadecimal digits and stay valid.
 */
export function normalizeRecoveryCode(typed: string): string | undefined {
  const plain = typed.toLowerCase().replace(/[\s-]/g, '');
  if (/^[0-9a-f]{32}$/.test(plain)) return plain;
  const read = plain.replace(/o/g, '0').replace(/[il]/g, '1');
  return /^[0-9a-hjkmnp-tv-z]{10}$/.test(read) ? read : undefined;
}
