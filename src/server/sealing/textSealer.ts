import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, type KeyObject } from 'node:crypto';

/** Marks a sealed text: `sealed.1.<key id>.<commitment>.<nonce, tag and text>.` The last dot ends it inside a longer text. */
const form = /sealed\.1\.([\w-]{8})\.([\w-]{43})\.([\w-]{59,})\./g;
const mark = 'sealed.1.';
/** Stands where a sealed text was altered, or where its key is lost. */
export const UNREADABLE = '［密文无法打开］';

/** A text that the next statement seals. Only the plugin of Kysely understands it; pg refuses it. */
export class ToSeal {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  /** pg calls it when no plugin has sealed the text. */
  toPostgres(): never {
    throw new Error('a text of case work reached the database without a seal');
  }
}

/** Returns a parameter of a raw statement that is sealed on its way. An empty text and null stay as they are. */
export const toSeal = <T extends string | null>(text: T): T | ToSeal => (text === null || text === '' ? text : new ToSeal(text));

/** Whether a text of a JSON value is a free text: by itself, its member and the members around it. */
type IsFree = (text: string, name: string, path: readonly string[]) => boolean;

/** A JSON value whose free texts the next statement seals. */
export class JsonToSeal {
  readonly value: unknown;
  readonly isFree: IsFree;
  constructor(value: unknown, isFree: IsFree) {
    this.value = value;
    this.isFree = isFree;
  }
  /** pg calls it when no plugin has sealed the texts. */
  toPostgres(): never {
    throw new Error('a text of case work reached the database without a seal');
  }
}

/** Returns a JSON parameter of a raw statement. The plugin seals the free texts inside it; by default all. */
export const sealedJson = (value: unknown, isFree: IsFree = () => true): JsonToSeal => new JsonToSeal(value, isFree);

/**
 * Seals free texts of case work with AES-256-GCM and opens them again. The key is one of the installation, so database functions can
 * copy a sealed text from table to table.
 *
 * The commitment is SHA-256 of a random salt and the text; the salt stands inside the sealed part. The chain of the case log
 * covers the commitment, so another key can seal the same text again without a change of the chain.
 */
export class TextSealer {
  #key: KeyObject | undefined;
  #keyid = '';
  /** The keys that open, by the name that stands in a sealed text. */
  #keys = new Map<string, KeyObject>();

  /** Seals with `current` from now on, and opens with each of `keys`. */
  use(current: KeyObject, keys: readonly KeyObject[]): void {
    this.#keys = new Map(keys.map((key) => [nameOf(key), key]));
    this.#key = current;
    this.#keyid = nameOf(current);
  }

  /** Names the key in each sealed text. It reveals nothing of the key. */
  get keyid(): string {
    return this.#keyid;
  }

  /** Returns the sealed text. An empty text stays empty, because SQL asks whether there is one. */
  seal(text: string): string {
    if (text === '') return '';
    const salt = randomBytes(16);
    return this.#sealSalted(commit(salt, text), Buffer.concat([salt, Buffer.from(text)]), randomBytes(12));
  }

  #sealSalted(commitment: string, salted: Buffer, nonce: Buffer): string {
    if (!this.#key) throw new Error('the sealer has no key');
    const head = `${mark}${this.#keyid}.${commitment}.`;
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(head));
    const body = Buffer.concat([cipher.update(salted), cipher.final()]);
    return `${head}${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}.`;
  }

  /** Returns a value with every text inside it sealed, whatever its shape. A text that is sealed already stays. */
  sealStrings(value: unknown): unknown {
    return mapStrings(value, (text) => (text.startsWith(mark) ? text : this.seal(text)));
  }

  /** Returns a value in which the texts under these members are sealed, at any depth. */
  sealMembers(value: unknown, members: readonly string[]): unknown {
    if (Array.isArray(value)) return value.map((item) => this.sealMembers(item, members));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        members.includes(name) ? this.sealStrings(item) : this.sealMembers(item, members),
      ]),
    );
  }

  /** Returns JSON whose free texts are sealed. */
  sealJson({ value, isFree }: JsonToSeal): string {
    const sealIn = (item: unknown, name: string, path: readonly string[]): unknown => {
      if (typeof item === 'string') return isFree(item, name, path) ? this.sealStrings(item) : item;
      if (Array.isArray(item)) return item.map((entry) => sealIn(entry, name, path));
      if (typeof item !== 'object' || item === null || item instanceof Date) return item;
      return Object.fromEntries(Object.entries(item).map(([key, entry]) => [key, sealIn(entry, key, [...path, key])]));
    };
    return JSON.stringify(sealIn(value, '', []));
  }

  /** Opens the sealed texts inside a text. A text that is not sealed comes back as it is. */
  open(text: string): string {
    if (!text.includes(mark)) return text;
    return text.replace(form, (_, keyid: string, commitment: string, sealed: string) => this.#openOne(keyid, commitment, sealed));
  }

  #openOne(keyid: string, commitment: string, sealed: string): string {
    return this.#openSalted(keyid, commitment, sealed)?.subarray(16).toString('utf8') ?? UNREADABLE;
  }

  #openSalted(keyid: string, commitment: string, sealed: string): Buffer | undefined {
    const key = this.#keys.get(keyid);
    if (!key) return undefined;
    try {
      const raw = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, raw.subarray(0, 12))
        .setAAD(Buffer.from(`${mark}${keyid}.${commitment}.`))
        .setAuthTag(raw.subarray(12, 28));
      return Buffer.concat([decipher.update(raw.subarray(28)), decipher.final()]);
    } catch {
      return undefined;
    }
  }

  /**
   * Returns a text whose seals are those of the current key. Salt and commitment stay. A seal that does not open stays as it is.
   * Equal seals have equal results, so that a copy of a row stays equal to its row: the nonce is of the commitment.
   */
  reseal(text: string): string {
    if (!text.includes(mark)) return text;
    return text.replace(form, (whole, keyid: string, commitment: string, sealed: string) => {
      if (keyid === this.#keyid) return whole;
      const salted = this.#openSalted(keyid, commitment, sealed);
      if (!salted || !this.#key) return whole;
      const nonce = createHmac('sha256', this.#key).update(`again ${commitment}`).digest().subarray(0, 12);
      return this.#sealSalted(commitment, salted, nonce);
    });
  }

  /** Returns a text with the commitment of each sealed text in its place, as the chain of the case log covers it. */
  toCommitments(text: string): string {
    return text.replace(form, 'sealed.$2');
  }

  /** Opens the sealed texts inside the source of a JSON value. */
  openInJson(json: string): string {
    return json.replace(form, (_, keyid: string, commitment: string, sealed: string) =>
      JSON.stringify(this.#openOne(keyid, commitment, sealed)).slice(1, -1),
    );
  }

  /** Parses JSON and opens the sealed texts inside it. */
  openJson(json: string): unknown {
    const value = JSON.parse(json) as unknown;
    return json.includes(mark) ? mapStrings(value, (text) => this.open(text)) : value;
  }
}

const nameOf = (key: KeyObject) => createHmac('sha256', key).update('keyid').digest('base64url').slice(0, 8);
const commit = (salt: Buffer, text: string) => createHash('sha256').update(salt).update(text).digest('base64url');

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapStrings(item, change)]));
}

/** True for a text in the form of a sealed one. A request must not contain it: a reader would see what it copies. */
export const looksSealed = (text: string): boolean => text.includes(mark);
