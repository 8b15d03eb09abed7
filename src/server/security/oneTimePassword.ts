import { randomInt } from 'node:crypto';
import { passwordHash } from '#contract/passwordHash.ts';
import { hashOneTimePassword } from '#server/security/password.ts';

/** Without letters and digits that look alike when read from paper or over the telephone. */
const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Generates a one-time password, 12 characters or 69 bits, and the hash to store. The password is answered once and never stored. */
export function generateOneTimePassword(pepper: Buffer): { onetime: string; hash: string } {
  const onetime = Array.from({ length: 12 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  return { onetime, hash: hashOneTimePassword(passwordHash(onetime), pepper) };
}

/** How long a one-time password of a member of staff can be used to sign in. */
export const oneTimePasswordHours = 24;
