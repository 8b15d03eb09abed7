import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/**
 * Time-based one-time codes (RFC 6238) as every authenticator app makes them: HMAC-SHA-1, six digits, half minutes.
 */
const shape = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** A new seed of 160 bits, the length RFC 4226 advises, in base32. */
export const newSeed = (): string => new Secret({ size: 20 }).base32;

const totp = (seed: string, more: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...shape, ...more, secret: Secret.fromBase32(seed) });

/** The code of a moment. */
export const codeAt = (seed: string, time: Date): string => totp(seed).generate({ timestamp: time.getTime() });

/**
 * The half minute a code belongs to, counted from 1970, if it is that of now, the one before or the one after: telephones are rarely
 * set to the second. Undefined for any other code. Whoever takes it must refuse this half minute and all before it afterwards.
 */
export function stepOf(seed: string, code: string, now: Date): number | undefined {
  const delta = totp(seed).validate({ token: code, window: 1, timestamp: now.getTime() });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / shape.period) + delta;
}

/** What the QR code of an authenticator app says. */
export const enrolmentUri = (seed: string, loginname: string): string =>
  totp(seed, { issuer: 'AI智慧心理', label: loginname }).toString();

const RECOVERY_CODES = 10;
/** Recovery codes of 128 bits, in groups one can read out. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => (randomBytes(16).toString('hex').match(/.{4}/g) as string[]).join('-'));

/** What of a typed recovery code counts; undefined when it cannot be one. */
export function normalizeRecoveryCode(typed: string): string | undefined {
  const plain = typed.toLowerCase().replace(/[\s-]/g, '');
  return /^[0-9a-f]{32}$/.test(plain) ? plain : undefined;
}
