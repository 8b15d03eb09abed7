import { createHash, randomInt } from 'node:crypto';
import { hashOnetime } from '#server/password.ts';

/** Without letters and digits that look alike when read from paper or over the telephone. */
const alphabet = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A password only the server has chosen: 12 characters, 69 bits. Told once, kept as a hash. */
export function makeOnetime(pepper: Buffer): { onetime: string; hash: string } {
  const onetime = Array.from({ length: 12 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
  return { onetime, hash: hashOnetime(createHash('md5').update(onetime).digest('hex').toUpperCase(), pepper) };
}

/** How long a one-time password can be used to sign in. */
export const onetimeHours = 24;
