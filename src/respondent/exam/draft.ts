import type { WireAnswer } from '#respondent/exam/answerMap.ts';
import { encrypt, decrypt, type Encrypted } from '#respondent/api/encrypt.ts';

/** The data that survives closing the page: unconfirmed answers and, after a first try to submit, exactly the submitted answers. */
export interface Draft {
  submitkey: string;
  pending: WireAnswer[];
  submission?: WireAnswer[];
}

/** The methods of `Storage` that drafts use. Pass undefined where the browser refuses storage. */
export type DeviceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const prefix = 'draft.';
/** A draft is deleted after a day. */
export const draftLife = 24 * 60 * 60 * 1000;

const parseEncrypted = (text: string | null): Encrypted | undefined => {
  try {
    const value = JSON.parse(text ?? '') as Encrypted;
    return typeof value.at === 'number' && typeof value.iv === 'string' && typeof value.data === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Removes unreadable drafts and drafts older than a day. A clock set back does not extend that day. */
export function sweepDrafts(storage: DeviceStorage | undefined, now: number): void {
  if (!storage) return;
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '').filter((key) =>
    key.startsWith(prefix),
  );
  for (const key of keys) {
    const draft = parseEncrypted(storage.getItem(key));
    if (!draft || Math.abs(now - draft.at) > draftLife) storage.removeItem(key);
  }
}

/**
 * The draft of one exam on this device, or the exam itself for a reload without a network. Writes run one after the other. Of the
 * writes that wait, only the latest is done.
 */
export class DraftFile<T = Draft> {
  readonly #storage: DeviceStorage | undefined;
  readonly #key: CryptoKey | undefined;
  readonly #oldKeys: readonly CryptoKey[];
  readonly #place: string;
  #next: T | undefined;
  #writing: Promise<boolean> | undefined;
  #closed = false;

  /** @param oldKeys open a draft from before a rotation of the server's key */
  constructor(
    storage: DeviceStorage | undefined,
    key: CryptoKey | undefined,
    examcode: string,
    oldKeys: readonly CryptoKey[] = [],
  ) {
    this.#storage = storage;
    this.#key = key;
    this.#oldKeys = oldKeys;
    this.#place = prefix + examcode;
  }

  /** Resolves after the write: false when the device did not store it (full, private mode, no WebCrypto). */
  write(draft: T): Promise<boolean> {
    this.#next = draft;
    this.#writing ??= this.#work().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #work(): Promise<boolean> {
    let isWritten = false;
    while (this.#next && !this.#closed) {
      const draft = this.#next;
      this.#next = undefined;
      isWritten = await this.#put(draft);
    }
    return isWritten;
  }

  async #put(draft: T): Promise<boolean> {
    if (!this.#storage || !this.#key) return false;
    try {
      const encrypted = await encrypt(this.#key, this.#place, JSON.stringify(draft), Date.now());
      if (!this.#closed) this.#storage.setItem(this.#place, JSON.stringify(encrypted));
      return true;
    } catch {
      return false;
    }
  }

  /** Returns this person's draft for this exam, or undefined. */
  async read(): Promise<T | undefined> {
    if (!this.#storage || !this.#key) return undefined;
    const encrypted = parseEncrypted(this.#storage.getItem(this.#place));
    if (!encrypted) return undefined;
    // The server's key may have changed since the draft was written.
    for (const key of [this.#key, ...this.#oldKeys]) {
      const text = await decrypt(key, this.#place, encrypted);
      if (text !== undefined) return JSON.parse(text) as T;
    }
    return undefined;
  }

  /** Removes the draft after the submission. */
  remove(): void {
    this.#closed = true;
    this.#storage?.removeItem(this.#place);
  }
}
