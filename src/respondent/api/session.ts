import { newUuid, tabStorage } from '#respondent/device.ts';
import { call, isIdentityLost, type CallResponse, type CallRequest, type CallName } from '#respondent/api/api.ts';

export type Identity = CallResponse<'loginRespondent'>;

/** The data in the storage of the tab. Closing the tab signs out. */
interface StoredSession {
  clientcode: string;
  identity: Identity;
  /** the exam being answered, to continue it after a reload */
  cuserplanid?: number | undefined;
}

const place = 'respondent';
const scanPlace = 'respondent.scan';
const entryPlace = 'respondent.entry';

/** The respondent who answers in this tab. When the session ends, its calls wait until the person has identified again. */
export class Session {
  readonly clientcode: string;
  #stored: StoredSession | undefined;
  #scan: string | undefined;
  #reidentification: Promise<void> | undefined;
  /** asks the person to identify again and resolves when the same person has done so; the app sets it */
  reidentify: () => Promise<void> = () => Promise.reject(new Error('no page to ask on'));

  constructor(clientcode: string) {
    this.clientcode = clientcode;
    try {
      const stored = JSON.parse(tabStorage()?.getItem(place) ?? '') as StoredSession;
      if (stored.clientcode === clientcode) this.#stored = stored;
    } catch {
      // The storage of this tab holds no session.
    }
  }

  get identity(): Identity | undefined {
    return this.#stored?.identity;
  }
  get cuserplanid(): number | undefined {
    return this.#stored?.cuserplanid;
  }

  open(identity: Identity): void {
    this.#save({ ...this.#stored, clientcode: this.clientcode, identity });
  }
  /** Records the consent, so that a reload does not ask again. */
  recordConsent(): void {
    if (this.#stored) this.#save({ ...this.#stored, identity: { ...this.#stored.identity, needconsent: false } });
  }
  /** Records the consent of the guardian. */
  recordGuardian(): void {
    if (this.#stored) this.#save({ ...this.#stored, identity: { ...this.#stored.identity, needguardian: false } });
  }
  setCurrentExam(cuserplanid: number | undefined): void {
    if (this.#stored) this.#save({ ...this.#stored, cuserplanid });
  }
  /** The entry as this tab knows it, for a reload without a network. It holds no personal data. */
  get entry(): CallResponse<'getEntry'> | undefined {
    try {
      return this.#stored && (JSON.parse(tabStorage()?.getItem(entryPlace) ?? '') as CallResponse<'getEntry'>);
    } catch {
      return undefined;
    }
  }
  saveEntry(entry: CallResponse<'getEntry'>): void {
    try {
      tabStorage()?.setItem(entryPlace, JSON.stringify(entry));
    } catch {
      // A reload without a network will not find the entry.
    }
  }
  /** Identifies an anonymous respondent while this tab is open. After `close` the next scan counts as another person. */
  get scan(): string {
    try {
      this.#scan ??= tabStorage()?.getItem(scanPlace) ?? undefined;
      this.#scan ??= newUuid().replaceAll('-', '');
      tabStorage()?.setItem(scanPlace, this.#scan);
    } catch {
      // Then the id lives as long as the page.
    }
    return (this.#scan ??= newUuid().replaceAll('-', ''));
  }
  close(): void {
    this.#stored = undefined;
    this.#scan = undefined;
    try {
      tabStorage()?.removeItem(place);
      tabStorage()?.removeItem(scanPlace);
      tabStorage()?.removeItem(entryPlace);
    } catch {
      // The storage of this tab holds nothing.
    }
  }

  #save(stored: StoredSession): void {
    this.#stored = stored;
    try {
      tabStorage()?.setItem(place, JSON.stringify(stored));
    } catch {
      // After a reload the person has to identify again.
    }
  }

  /** Makes a call in the person's name. On 110000 it asks for the identity and repeats the call. */
  async call<N extends CallName>(name: N, request: CallRequest<N>): Promise<CallResponse<N>> {
    for (;;) {
      const token = this.#stored?.identity.token ?? '';
      try {
        return await call(name, request, token);
      } catch (error) {
        if (!isIdentityLost(error)) throw error;
        // Several calls may fail at once. The person is asked once, and not at all if another call already has a new token.
        if (token === (this.#stored?.identity.token ?? ''))
          await (this.#reidentification ??= this.reidentify().finally(() => (this.#reidentification = undefined)));
      }
    }
  }
}
