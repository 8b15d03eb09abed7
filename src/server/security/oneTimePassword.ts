import type { Pepper } from '#server/security/fieldCipher.ts';
import { randomInt } from 'node:crypto';
import { passwordHash } from '#contract/passwordHash.ts';
import { hashOneTimePassword } from '#server/security/password.ts';

/** All letters and digits except those that look alike on paper. */
const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Generates a one-time password, 12 characters or 69 bits, and the hash to store. The server shows it once and never stores it. */
export function generateOneTimePassword(pepper: Pepper): { onetime: string; hash: string } {
  const onetime = Array.from({ length: 12 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  return { onetime, hash: hashOneTimePassword(passwordHash(onetime), pepper) };
}
