import { argon2, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { problems } from '#contract/problem.ts';

/** argon2id over the wire's MD5, OWASP's second profile: 19 MiB, two passes (security.md finding 4). */
const settings = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 };

let running = 0;
const waiting: (() => void)[] = [];
/** Four at once and fifty waiting: a flood of sign-ins must not starve everything else. */
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

/** `argon2id$1$nonce$hash`; the number says which settings, so that older ones can be recognised and renewed. */
export async function hashPassword(md5: string, pepper: Buffer): Promise<string> {
  const nonce = randomBytes(16);
  return `argon2id$1$${nonce.toString('base64url')}$${(await derive(md5, nonce, pepper)).toString('base64url')}`;
}

const ONE_TIME_KIND = 'onetime';
const deriveOneTime = (md5: string, nonce: Buffer, pepper: Buffer) =>
  createHmac('sha256', pepper).update(ONE_TIME_KIND).update(nonce).update(md5).digest();
/**
 * `onetime$1$nonce$hash`, for passwords the server has drawn itself. Slow hashing makes up for what people choose badly; 69 random
 * bits need none, and thousands can be made in one request (docs/decisions/0014).
 */
export function hashOneTimePassword(md5: string, pepper: Buffer): string {
  const nonce = randomBytes(16);
  return `${ONE_TIME_KIND}$1$${nonce.toString('base64url')}$${deriveOneTime(md5, nonce, pepper).toString('base64url')}`;
}

/** For names nobody has: the same work as for a real account, so that the time of an answer tells nothing. */
const UNKNOWN_ACCOUNT_HASH = { nonce: randomBytes(16), hash: randomBytes(32) };

/** Whether `md5` is the password behind `stored`; without a stored one the same work is done and the answer is no. */
export async function verifyPassword(md5: string, stored: string | undefined, pepper: Buffer): Promise<boolean> {
  const [kind, , nonce = '', hash = ''] = stored?.split('$') ?? [];
  const expected = stored ? Buffer.from(hash, 'base64url') : UNKNOWN_ACCOUNT_HASH.hash;
  const salt = stored ? Buffer.from(nonce, 'base64url') : UNKNOWN_ACCOUNT_HASH.nonce;
  // The slow work is done for one-time passwords, too: the time of an answer must not tell who still has one.
  const slow = await derive(md5, salt, pepper);
  const actual = kind === ONE_TIME_KIND ? deriveOneTime(md5, salt, pepper) : slow;
  return expected.length === actual.length && timingSafeEqual(expected, actual) && stored !== undefined;
}
