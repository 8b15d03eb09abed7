import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** Purposes whose subkeys stay when a key is removed: proofs that live for years outside of the database, the audit chain, and erasures. */
const LASTING = [
  'tag:report-verify',
  'tag:audit-row',
  'tag:audit-head',
  'tag:audit-origin',
  'tag:audit-receipt',
  'tag:erasure',
  'tag:keyid',
  'tag:keycheck',
] as const;

/** Before a key: it writes values in the forms that name their key. The first key of an installation writes the forms without a name. */
const NAMED = '2:';
/** Before the lasting subkeys of a key that was removed. */
const REMOVED = 'removed:';

/**
 * A master key, or what is left of one that was removed. All other keys derive from it, one for each purpose.
 * The first key of an installation wrote values that do not name their key, so only one key of a ring can be such a key.
 */
export class MasterKey {
  /** The line of the key file. */
  readonly line: string;
  readonly isNamed: boolean;
  /** True when only the lasting subkeys are left. */
  readonly isRemoved: boolean;
  readonly #derive: (purpose: string) => Buffer | undefined;
  /** Key objects: from bytes Node would make one at every call, which costs four times the decryption. */
  readonly #keys = new Map<string, KeyObject>();

  /** @throws RangeError when the line holds no key. */
  constructor(line: string) {
    this.line = line;
    this.isRemoved = line.startsWith(REMOVED);
    if (this.isRemoved) {
      const left = parseRemoved(line.slice(REMOVED.length));
      this.isNamed = left.get('') !== undefined;
      this.#derive = (purpose) => left.get(purpose);
      return;
    }
    this.isNamed = line.startsWith(NAMED);
    const bytes = Buffer.from(this.isNamed ? line.slice(NAMED.length) : line, 'base64');
    if (bytes.length !== 32) throw new RangeError('the master key has 32 bytes');
    this.#derive = (purpose) => Buffer.from(hkdfSync('sha256', bytes, 'xinli', purpose, 32));
  }

  /** A key of these bytes. */
  static of(bytes: Buffer, isNamed: boolean): MasterKey {
    return new MasterKey(`${isNamed ? NAMED : ''}${bytes.toString('base64')}`);
  }

  /** Returns the subkey of a purpose; undefined when the key was removed and the purpose does not last. */
  find(purpose: string): KeyObject | undefined {
    let key = this.#keys.get(purpose);
    if (!key) {
      const bytes = this.#derive(purpose);
      if (bytes) this.#keys.set(purpose, (key = createSecretKey(bytes)));
    }
    return key;
  }

  /** Returns the subkey of a purpose. */
  get(purpose: string): KeyObject {
    const key = this.find(purpose);
    if (!key) throw new Error(`the key ${this.id} was removed and has no subkey for ${purpose}`);
    return key;
  }

  /** Names the key in values. It reveals nothing of the key. */
  get id(): string {
    return (this.#id ??= createHmac('sha256', this.get('tag:keyid')).update('keyid').digest('base64url').slice(0, 8));
  }
  #id: string | undefined;

  /** A value that only this key gives. The database names the current key by it. */
  get checkValue(): string {
    return createHmac('sha256', this.get('tag:keycheck')).update('xinli').digest('base64url');
  }

  /**
   * Returns what is left of the key after its removal: subkeys that prove, and none that opens anything. `more` are further purposes.
   */
  remove(more: readonly string[]): MasterKey {
    if (this.isRemoved) return this;
    const purposes = [...LASTING, ...more];
    const left = Object.fromEntries(purposes.map((purpose) => [purpose, this.get(purpose).export().toString('base64')]));
    return new MasterKey(REMOVED + Buffer.from(JSON.stringify({ ...left, ...(this.isNamed && { '': '' }) })).toString('base64'));
  }
}

function parseRemoved(text: string): Map<string, Buffer> {
  try {
    const left = JSON.parse(Buffer.from(text, 'base64').toString()) as Record<string, string>;
    return new Map(Object.entries(left).map(([purpose, key]) => [purpose, Buffer.from(key, 'base64')]));
  } catch {
    throw new RangeError('the key file has a line that holds no key');
  }
}

/** The keys of an installation in the order of their making, and the one that writes. */
export interface Keyring {
  /** oldest first */
  readonly keys: readonly MasterKey[];
  readonly current: MasterKey;
}

/**
 * Reads the text of a key file: one key a line, the newest first. The database names the current key by its check value; without a
 * name it is the newest one. Returns undefined when the file lacks the named key.
 * @throws RangeError when a line holds no key.
 */
export function parseKeyring(text: string, currentValue?: string | null): Keyring | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '').map((line) => new MasterKey(line));
  if (keys.length === 0 || keys.filter(({ isNamed }) => !isNamed).length > 1) throw new RangeError('the key file holds no key');
  keys.reverse();
  const usable = keys.filter(({ isRemoved }) => !isRemoved);
  const current = currentValue ? usable.find(({ checkValue }) => checkValue === currentValue) : usable.at(-1);
  return current && { keys, current };
}

/** The text of the key file of a ring. */
export const formatKeyring = (keys: readonly MasterKey[]): string =>
  [...keys]
    .reverse()
    .map(({ line }) => `${line}\n`)
    .join('');
