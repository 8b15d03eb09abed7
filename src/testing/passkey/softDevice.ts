import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { RequestOf } from '#contract/action.ts';
import type { confirmPasskey } from '#features/account/passkey/passkey.contract.ts';
import type { stepUp } from '#features/session/session.contract.ts';

type Created = RequestOf<typeof confirmPasskey>['credential'];
type Signed = NonNullable<RequestOf<typeof stepUp>['passkey']>;

/** What a test changes about the answer of a device. */
export interface Answering {
  origin?: string;
  counter?: number;
  isVerified?: boolean;
  /** text that the browser signs instead of the challenge */
  challenge?: string;
}

/** The origin of the servers of tests: `publicUrl` of `testing/server.ts`, as browsers need it. */
const testOrigin = 'http://localhost:8080';
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

/** CBOR of byte and text strings, small numbers and maps, as far as authenticators use it (RFC 8949). */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, size: number) =>
    size < 24
      ? Buffer.from([(major << 5) | size])
      : size < 256
        ? Buffer.from([(major << 5) | 24, size])
        : Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, part]) => [cbor(key), cbor(part as number)])]);
}

/** A device in memory that makes and uses one passkey (ES256, attestation `none`). */
export class SoftDevice {
  private readonly id = randomBytes(16);
  private readonly key: KeyObject;
  private readonly publicKey: Buffer;
  private userHandle = '';
  private rpId = '';
  counter = 0;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.key = privateKey;
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.publicKey = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
  }

  /** Makes the passkey that the server asked for. */
  create(options: { challenge: string; rp: { id: string }; user: { id: string } }, answering: Answering = {}): Created {
    this.userHandle = options.user.id;
    this.rpId = options.rp.id;
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, this.publicKey]);
    const authData = this.authData(0x40, answering, credential);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return {
      id: this.id.toString('base64url'),
      clientDataJSON: this.clientData('webauthn.create', options.challenge, answering).toString('base64url'),
      attestationObject: cbor(attestation).toString('base64url'),
      transports: ['internal'],
    };
  }

  /** Signs the challenge of the server and counts the use. */
  sign(options: { challenge: string }, answering: Answering = {}): Signed {
    this.counter = answering.counter ?? this.counter + 1;
    const clientData = this.clientData('webauthn.get', options.challenge, answering);
    const authenticatorData = this.authData(0, answering, Buffer.alloc(0));
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.key);
    return {
      id: this.id.toString('base64url'),
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      ...(this.userHandle && { userHandle: this.userHandle }),
    };
  }

  private clientData(type: string, challenge: string, answering: Answering): Buffer {
    const { origin = testOrigin } = answering;
    return Buffer.from(JSON.stringify({ type, challenge: answering.challenge ?? challenge, origin, crossOrigin: false }));
  }

  private authData(flags: number, { isVerified = true }: Answering, more: Buffer): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(this.rpId), Buffer.from([flags | 1 | (isVerified ? 4 : 0)]), counter, more]);
  }
}
