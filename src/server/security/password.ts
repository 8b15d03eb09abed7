import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { problems } from '#contract/problem.ts';
import type { Pepper } from '#server/security/fieldCipher.ts';

/** argon2id over the MD5 that the client sends, OWASP's second profile: 19 MiB, two passes (security.md finding 4). */
const settings = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };

let running = 0;
const waiting: (() => void)[] = [];
/** Runs at most four at once with fifty waiting, so that a flood of sign-ins does not block other requests. */
async function runQueued<T>(work: () => Promise<T>): Promise<T> {
  if (running >= 4) {
    if (waiting.length >= 50) throw problems.busy();
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running++;
  try {
    return await work();
  } finally {
    running--;
    waiting.shift()?.();
  }
}

const derive = (md5: string, nonce: Buffer, secret: Buffer) =>
  runQueued(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        argon2('argon2id', { ...settings, message: md5, nonce, secret }, (error, hash) =>
          error ? reject(error) : resolve(Buffer.from(hash)),
        );
      }),
  );

/** The second part of a hash: the version of the settings, and the key of the pepper unless it is the first one. */
const versionOf = ({ keyid }: Pepper) => (keyid === '' ? '1' : `1.${keyid}`);
const keyidOf = (version: string) => version.split('.')[1] ?? '';

/** Returns `argon2id$1$nonce$hash`. The number is the version of the settings, so that older hashes can be renewed. */
export async function hashPassword(md5: string, pepper: Pepper): Promise<string> {
  const nonce = randomBytes(16);
  const hash = await derive(md5, nonce, pepper.secret);
  return `argon2id$${versionOf(pepper)}$${nonce.toString('base64url')}$${hash.toString('base64url')}`;
}

const ONE_TIME_KIND = 'onetime';
const deriveOneTime = (md5: string, nonce: Buffer, pepper: Buffer) =>
  createHmac('sha256', pepper).update(ONE_TIME_KIND).update(nonce).update(md5).digest();
/**
 * Returns `onetime$1$nonce$hash`, for passwords that the server has generated. Only weak passwords need slow hashing.
 * 69 random bits need none, and one request can create thousands (docs/decisions/0014).
 */
export function hashOneTimePassword(md5: string, pepper: Pepper): string {
  const nonce = randomBytes(16);
  const hash = deriveOneTime(md5, nonce, pepper.secret).toString('base64url');
  return `${ONE_TIME_KIND}$${versionOf(pepper)}$${nonce.toString('base64url')}$${hash}`;
}

/** For unknown names: the same work as for a real account, so that the response time reveals nothing. */
const UNKNOWN_ACCOUNT_HASH = { nonce: randomBytes(16), hash: randomBytes(32) };

/** True when `md5` is the password of the hash `stored`. Without `stored` it does the same work and returns false. */
export async function verifyPassword(md5: string, stored: string | undefined, pepper: Pepper): Promise<boolean> {
  const [kind, version = '', nonce = '', hash = ''] = stored?.split('$') ?? [];
  const expected = stored ? Buffer.from(hash, 'base64url') : UNKNOWN_ACCOUNT_HASH.hash;
  const salt = stored ? Buffer.from(nonce, 'base64url') : UNKNOWN_ACCOUNT_HASH.nonce;
  // One-time passwords do the slow work too: the response time must not reveal which accounts still have one.
  const found = pepper.find(keyidOf(version));
  const secret = found ?? pepper.secret;
  const slow = await derive(md5, salt, secret);
  const actual = kind === ONE_TIME_KIND ? deriveOneTime(md5, salt, secret) : slow;
  return found !== undefined && expected.length === actual.length && timingSafeEqual(expected, actual) && stored !== undefined;
}

/** Returns the hash of a known password under the current key, of the same kind as the stored one. */
export const rehashPassword = async (md5: string, stored: string, pepper: Pepper): Promise<string> =>
  stored.startsWith(`${ONE_TIME_KIND}$`) ? hashOneTimePassword(md5, pepper) : hashPassword(md5, pepper);

/** Whether a password hash depends on the current key. An older one is made anew with the next sign-in. */
export const isCurrentHash = (stored: string, pepper: Pepper): boolean => keyidOf(stored.split('$')[1] ?? '') === pepper.keyid;
