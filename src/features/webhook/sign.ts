import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** Returns a new secret of the form of Standard Webhooks: `whsec_` and 32 random bytes in Base64. */
export const createSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/** A message as Standard Webhooks signs it. */
export interface SignedMessage {
  id: string;
  /** Unix seconds of the attempt */
  seconds: number;
  body: string;
}

/** Returns the value of `webhook-signature`: for each secret `v1,` and the HMAC-SHA-256 of `id.timestamp.body` in Base64. */
export const signMessage = (secrets: readonly string[], { id, seconds, body }: SignedMessage): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
    })
    .join(' ');
