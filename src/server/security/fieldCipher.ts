import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import { TextSealer } from '#server/sealing/textSealer.ts';
import { MasterKey, type Keyring } from '#server/security/keyring.ts';

/** A value under a key that names itself: `2.<key id>.<nonce, tag and text>`; the first key writes `1.<nonce, tag and text>`. */
const namedValue = /^2\.([\w-]{8})\./;

/**
 * Encrypts personal fields (telephone, ID number, notes) before they reach the database: AES-256-GCM with a key per institution.
 * Each value is bound to its column, so a value that was copied to another column or institution cannot be decrypted.
 * It writes with the current key of its ring and reads with every key (docs/decisions/0102).
 */
export class FieldCipher {
  #ring: Keyring;
  readonly #texts = new TextSealer();

  constructor(master: Buffer | Keyring) {
    if (Buffer.isBuffer(master)) {
      const key = MasterKey.of(master, false);
      this.#ring = { keys: [key], current: key };
    } else this.#ring = master;
    this.use(this.#ring);
  }

  /** Uses another ring from now on, also in everything that has this object. */
  use(ring: Keyring): void {
    this.#ring = ring;
    this.#texts.use(
      ring.current.get('text'),
      ring.keys.flatMap((key) => key.find('text') ?? []),
    );
  }

  get ring(): Keyring {
    return this.#ring;
  }

  /** Returns a cipher that writes with another key of the ring and reads as this one. */
  with(current: MasterKey): FieldCipher {
    return current === this.#ring.current ? this : new FieldCipher({ keys: this.#ring.keys, current });
  }

  /** The keys that may have made a value that is looked up, the current one first. Removed keys answer for few purposes. */
  #keysFor(purpose: string): { key: KeyObject; prefix: string }[] {
    const { keys, current } = this.#ring;
    const newestFirst = [...keys].reverse().sort((a, b) => Number(b === current) - Number(a === current));
    return newestFirst.flatMap((master) => {
      const key = master.find(purpose);
      return key ? [{ key, prefix: prefixOf(master) }] : [];
    });
  }

  /** Returns the encrypted text. `context` is `table.column`. */
  encrypt(musercode: string, context: string, text: string): string {
    return this.#encrypt(musercode, context, text, randomBytes(12));
  }

  #encrypt(musercode: string, context: string, text: string, nonce: Buffer): string {
    const { current } = this.#ring;
    const cipher = createCipheriv('aes-256-gcm', current.get(`field:${musercode}`), nonce).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    const form = current.isNamed ? `2.${current.id}.` : '1.';
    return form + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
  }

  /** Returns the decrypted text. Throws when the value was altered or belongs to another column or institution. */
  decrypt(musercode: string, context: string, sealed: string): string {
    const [form = sealed.slice(0, 2), keyid] = namedValue.exec(sealed) ?? [];
    const master = this.#ring.keys.find((key) => (keyid === undefined ? !key.isNamed : key.isNamed && key.id === keyid));
    if (!master) throw new Error('the key of an encrypted value is missing');
    const raw = Buffer.from(sealed.slice(form.length), 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', master.get(`field:${musercode}`), raw.subarray(0, 12)).setAAD(
      Buffer.from(context),
    );
    decipher.setAuthTag(raw.subarray(12, 28));
    return Buffer.concat([decipher.update(raw.subarray(28)), decipher.final()]).toString('utf8');
  }

  /**
   * Returns a stored value encrypted with the current key; the same one when it is. Equal stored values have equal results, so that a
   * copy of a row stays equal to its row. The nonce is of the old value, which no other text has.
   */
  reencrypt(musercode: string, context: string, sealed: string): string {
    if (this.isCurrent(sealed)) return sealed;
    const nonce = createHmac('sha256', this.#ring.current.get(`field:${musercode}`))
      .update(`again\0${context}\0${sealed}`)
      .digest();
    return this.#encrypt(musercode, context, this.decrypt(musercode, context, sealed), nonce.subarray(0, 12));
  }

  /** Whether a stored value (encrypted, or a hash with the name of its key) was made with the current key. */
  isCurrent(stored: string): boolean {
    const { current } = this.#ring;
    const [, keyid] = namedValue.exec(stored) ?? namedHash.exec(stored) ?? [];
    return keyid === undefined ? !current.isNamed : keyid === current.id;
  }

  /**
   * Returns a blind index for a column: equal values of one institution and field have equal hashes. It reveals no other fact.
   * `blindIndexes` finds rows.
   */
  blindIndex(musercode: string, context: string, text: string): string {
    return this.blindIndexes(musercode, context, text)[0] as string;
  }

  /**
   * Returns what a column may hold for a value, the current blind index first. Rows from before a rotation have an older one, or an older
   * one that later keys have wrapped.
   */
  blindIndexes(musercode: string, context: string, text: string): string[] {
    const purpose = `blind:${musercode}`;
    const direct = this.#keysFor(purpose).map(({ key, prefix }) => prefix + blind(key, context, text));
    const byAge = this.#ring.keys.filter((master) => master.find(purpose));
    const wrapped = byAge.flatMap((oldest, at) => {
      let value = prefixOf(oldest) + blind(oldest.get(purpose), context, text);
      return byAge.slice(at + 1).map((next) => (value = prefixOf(next) + blind(next.get(purpose), context, wrappedText(value))));
    });
    return [...direct, ...wrapped];
  }

  /** Returns the blind index of a column whose value is stored nowhere: the older index, wrapped by the current key. */
  wrapIndex(musercode: string, context: string, index: string): string {
    const { current } = this.#ring;
    return prefixOf(current) + blind(current.get(`blind:${musercode}`), context, wrappedText(index));
  }

  /** Returns a keyed hash for values that are no field of an institution and live shorter than a key, such as keys of the throttle. */
  hmac(purpose: string, text: string): string {
    return hash(this.#ring.current.get(`tag:${purpose}`), text);
  }

  /** Returns the hashes of all keys, the current one first. A proof that leaves the server may be older than the current key. */
  hmacs(purpose: string, text: string): string[] {
    return this.#keysFor(`tag:${purpose}`).map(({ key }) => hash(key, text));
  }

  /** Returns which key made a tag: its place in the ring, oldest first; undefined when none did. */
  ageOf(purpose: string, text: string, tag: string): number | undefined {
    const age = this.#ring.keys.findIndex((master) => {
      const key = master.find(`tag:${purpose}`);
      return key !== undefined && hash(key, text) === tag;
    });
    return age < 0 ? undefined : age;
  }

  /** Returns the hash of a secret that the database keeps. `storedHashes` finds it. */
  storedHash(purpose: string, text: string): string {
    return this.storedHashes(purpose, text)[0] as string;
  }

  /** Returns what the database may hold for a secret, the current hash first. */
  storedHashes(purpose: string, text: string): string[] {
    return this.#keysFor(`tag:${purpose}`).map(({ key, prefix }) => prefix + hash(key, text));
  }

  /** A value that only this key gives. The database keeps it, so that a start with another key is refused (`masterKey.ts`). */
  get checkValue(): string {
    return this.#ring.current.checkValue;
  }

  /** Seals the free texts of case work (docs/decisions/0103). */
  get texts(): TextSealer {
    return this.#texts;
  }

  /** The secret input of argon2id. Without the key file a stolen table of hashes is useless. */
  get pepper(): Pepper {
    const peppers = this.#ring.keys.flatMap((master) => {
      const key = master.find('pepper');
      return key ? [{ keyid: master.isNamed ? master.id : '', secret: key.export() }] : [];
    });
    const { current } = this.#ring;
    const currentId = current.isNamed ? current.id : '';
    return {
      keyid: currentId,
      secret: current.get('pepper').export(),
      find: (keyid) => peppers.find((pepper) => pepper.keyid === keyid)?.secret,
    };
  }
}

/** The secret inputs of password hashes. A hash names its key; the first key has no name. */
export interface Pepper {
  readonly keyid: string;
  readonly secret: Buffer;
  find(keyid: string): Buffer | undefined;
}

/** A hash under a key that names itself: `<key id>.<hash>`. */
const namedHash = /^([\w-]{8})\.[\w-]+$/;
const prefixOf = (master: MasterKey) => (master.isNamed ? `${master.id}.` : '');
const hash = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest('base64url');
const wrappedText = (index: string) => `wrapped\0${index}`;
const blind = (key: KeyObject, context: string, text: string) => hash(key, `${context}\0${text}`).slice(0, 22);

/** Whether a tag is one of the expected ones. The time that it takes tells nothing about them. */
export const isTagOf = (tag: string, expected: readonly string[]): boolean =>
  expected.some((one) => {
    const [actual, other] = [Buffer.from(tag), Buffer.from(one)];
    return actual.length === other.length && timingSafeEqual(actual, other);
  });
