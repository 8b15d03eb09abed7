import type { WireAnswer } from '#respondent/exam/answerMap.ts';
import { encrypt, decrypt, type Encrypted } from '#respondent/api/encrypt.ts';

/** What survives closing the page: answers not yet confirmed and, once the person handed in, exactly what was handed in. */
export interface Draft {
  submitkey: string;
  pending: WireAnswer[];
  submission?: WireAnswer[];
}

/** As much of `Storage` as is used; a browser that refuses storage passes undefined. */
export type DeviceStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const prefix = 'draft.';
/** A draft nobody came back for is deleted after a day. */
export const draftLife = 24 * 60 * 60 * 1000;

const parsed = (text: string | null): Encrypted | undefined => {
  try {
    const value = JSON.parse(text ?? '') as Encrypted;
    return typeof value.at === 'number' && typeof value.iv === 'string' && typeof value.data === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Removes drafts older than a day and those that cannot be read. A clock put back does not keep a draft longer than a day. */
export function sweepDrafts(storage: DeviceStorage | undefined, now: number): void {
  if (!storage) return;
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '').filter((key) => key.startsWith(prefix));
  for (const key of keys) {
    const draft = parsed(storage.getItem(key));
    if (!draft || Math.abs(now - draft.at) > draftLife) storage.removeItem(key);
  }
}

/**
 * The draft of one exam on this device, or the exam itself for a reload without a network. Writes are done one after the other,
 * and only the latest waiting one is done at all.
 */
export class DraftFile<T = Draft> {
  readonly #storage: DeviceStorage | undefined;
  readonly #key: CryptoKey | undefined;
  readonly #place: string;
  #next: T | undefined;
  #writing: Promise<boolean> | undefined;
  #closed = false;

  constructor(storage: DeviceStorage | undefined, key: CryptoKey | undefined, examcode: string) {
    this.#storage = storage;
    this.#key = key;
    this.#place = prefix + examcode;
  }

  /** Resolves once the draft is on the device: false when the device does not take it (full, private, no WebCrypto). */
  write(draft: T): Promise<boolean> {
    this.#next = draft;
    this.#writing ??= this.#work().finally(() => (this.#writing = undefined));
    return this.#writing;
  }

  async #work(): Promise<boolean> {
    let isKept = false;
    while (this.#next && !this.#closed) {
      const draft = this.#next;
      this.#next = undefined;
      isKept = await this.#put(draft);
    }
    return isKept;
  }

  async #put(draft: T): Promise<boolean> {
    if (!this.#storage || !this.#key) return false;
    try {
      const sealed = await encrypt(this.#key, this.#place, JSON.stringify(draft), Date.now());
      if (!this.#closed) this.#storage.setItem(this.#place, JSON.stringify(sealed));
      return true;
    } catch {
      return false;
    }
  }

  /** The draft that was kept, or undefined when there is none of this person for this exam. */
  async read(): Promise<T | undefined> {
    if (!this.#storage || !this.#key) return undefined;
    const sealed = parsed(this.#storage.getItem(this.#place));
    const text = sealed && (await decrypt(this.#key, this.#place, sealed));
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  /** After the hand-in nothing of it stays on the device. */
  remove(): void {
    this.#closed = true;
    this.#storage?.removeItem(this.#place);
  }
}
