import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TextSealer } from '#server/sealing/textSealer.ts';

/**
 * Encrypts personal fields (telephone, ID number, notes) before they reach the database: AES-256-GCM with a key per institution.
 * Each value is bound to its column, so a value that was copied to another column or institution cannot be decrypted.
 */
export class FieldCipher {
  readonly #master: Buffer;
  /** Key objects: from bytes Node would make one at every call, which costs four times the decryption. */
  readonly #keys = new Map<string, KeyObject>();

  constructor(master: Buffer) {
    if (master.length !== 32) throw new RangeError('the master key has 32 bytes');
    this.#master = master;
  }

  #key(purpose: string) {
    let key = this.#keys.get(purpose);
    if (!key)
      this.#keys.set(purpose, (key = createSecretKey(Buffer.from(hkdfSync('sha256', this.#master, 'xinli', purpose, 32)))));
    return key;
  }

  /** Returns the encrypted text. `context` is `table.column`. */
  encrypt(musercode: string, context: string, text: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key(`field:${musercode}`), nonce).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `1.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
  }

  /** Returns the decrypted text. Throws when the value was altered or belongs to another column or institution. */
  decrypt(musercode: string, context: string, sealed: string): string {
    const raw = Buffer.from(sealed.slice(2), 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', this.#key(`field:${musercode}`), raw.subarray(0, 12)).setAAD(
      Buffer.from(context),
    );
    decipher.setAuthTag(raw.subarray(12, 28));
    return Buffer.concat([decipher.update(raw.subarray(28)), decipher.final()]).toString('utf8');
  }

  /** Returns a blind index: equal values of one institution and field have equal hashes. It reveals no other fact. */
  blindIndex(musercode: string, context: string, text: string): string {
    return createHmac('sha256', this.#key(`blind:${musercode}`))
      .update(`${context}\0${text}`)
      .digest('base64url')
      .slice(0, 22);
  }

  /** Returns a keyed hash for values that are no field of an institution: sign-in names in the throttle, file links. */
  hmac(purpose: string, text: string): string {
    return createHmac('sha256', this.#key(`tag:${purpose}`))
      .update(text)
      .digest('base64url');
  }

  /** A value that only this key gives. The database keeps it, so that a start with another key is refused (`masterKey.ts`). */
  get checkValue(): string {
    return this.hmac('keycheck', 'xinli');
  }

  /** Seals the free texts of case work (docs/decisions/0103). */
  get texts(): TextSealer {
    return (this.#texts ??= new TextSealer(this.#key('text')));
  }
  #texts: TextSealer | undefined;

  /** The secret input of argon2id. Without the key file a stolen table of hashes is useless. */
  get pepper(): Buffer {
    return this.#key('pepper').export();
  }
}

/** The file of the key in a data folder. */
export const keyFileOf = (dataDir: string): string => join(dataDir, 'keys', 'master.key');

/** Reads the key of a data folder; undefined when there is none. Throws RangeError when the file holds no key. */
export async function readFieldCipher(dataDir: string): Promise<FieldCipher | undefined> {
  try {
    return new FieldCipher(Buffer.from((await readFile(keyFileOf(dataDir), 'utf8')).trim(), 'base64'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the key of a data folder with mode 0400. Without the key all encrypted fields are lost. */
export async function createFieldCipher(dataDir: string): Promise<FieldCipher> {
  const key = randomBytes(32);
  await mkdir(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
  await writeFile(keyFileOf(dataDir), key.toString('base64'), { mode: 0o400, flag: 'wx' });
  return new FieldCipher(key);
}
