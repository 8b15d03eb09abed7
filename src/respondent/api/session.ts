import { newUuid } from '#domain/base/uuid.ts';
import { deviceStorage, tabStorage } from '#respondent/device.ts';
import type { Place } from '#respondent/relax/places.ts';
import { call, isIdentityLost, type CallResponse, type CallRequest, type CallName } from '#respondent/api/api.ts';

/** The person as the server identified them; with a link or a code also its plan and its way (01 this device, 02 link, 03 kiosk). */
export type Identity = CallResponse<'loginRespondent'> & Partial<Pick<CallResponse<'loginByLink'>, 'cuserplanid' | 'way'>>;

/** The data in the storage of the tab. Closing the tab signs out. */
interface StoredSession {
  clientcode: string;
  identity: Identity;
  /** the exam being answered, to continue it after a reload */
  cuserplanid?: number | undefined;
  /** where the person is in 放松与学习, to continue there after a reload */
  relaxplaces?: readonly Place[] | undefined;
  /** what the person watched of lessons and the server does not know yet */
  notes?: readonly CallRequest<'savePersonProgress'>[] | undefined;
}

const place = 'respondent';
const scanPlace = 'respondent.scan';
const entryPlace = 'respondent.entry';
const linkPlace = 'respondent.link';
const kioskPlace = 'respondent.kiosk';

/** Stores a new secret of an entry, or returns the one stored before. */
function keepSecret(storage: Storage | undefined, name: string, clientcode: string, text: string | undefined) {
  try {
    if (text) storage?.setItem(name, `${clientcode} ${text}`);
    const [code, stored] = (storage?.getItem(name) ?? '').split(' ');
    return text ?? (code === clientcode ? stored : undefined);
  } catch {
    return text;
  }
}

/** The respondent who answers in this tab. When the session ends, its calls wait until the person has identified again. */
export class Session {
  readonly clientcode: string;
  /** the secret of a link that staff made for one person; the address held it after `#` */
  link: string | undefined;
  /** the secret of this device when staff paired it as a kiosk of this entry */
  kiosk: string | undefined;
  #stored: StoredSession | undefined;
  #scan: string | undefined;
  #reidentification: Promise<void> | undefined;
  /** asks the person to identify again and resolves when the same person has done so; the app sets it */
  reidentify: () => Promise<void> = () => Promise.reject(new Error('no page to ask on'));

  constructor(clientcode: string, secret: { kind: 'link' | 'kiosk'; text: string } | undefined) {
    this.clientcode = clientcode;
    this.link = keepSecret(tabStorage(), linkPlace, clientcode, secret?.kind === 'link' ? secret.text : undefined);
    this.kiosk = keepSecret(deviceStorage(), kioskPlace, clientcode, secret?.kind === 'kiosk' ? secret.text : undefined);
    // A link in the address is for its own person, not for the one who answered in this tab before.
    if (secret) this.close(secret.kind === 'link');
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
  /** Where the person is in 放松与学习; undefined elsewhere. It ends with the session. */
  get relaxPlaces(): readonly Place[] | undefined {
    return this.#stored?.relaxplaces;
  }
  setRelaxPlaces(relaxplaces: readonly Place[] | undefined): void {
    if (this.#stored) this.#save({ ...this.#stored, relaxplaces });
  }
  /** What the person watched of lessons and the server does not know yet. It ends with the session. */
  get notes(): readonly CallRequest<'savePersonProgress'>[] {
    return this.#stored?.notes ?? [];
  }
  setNotes(notes: readonly CallRequest<'savePersonProgress'>[]): void {
    if (this.#stored) this.#save({ ...this.#stored, notes });
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
  close(isLinkKept = false): void {
    this.#stored = undefined;
    this.#scan = undefined;
    if (!isLinkKept) this.link = undefined;
    try {
      if (!isLinkKept) tabStorage()?.removeItem(linkPlace);
      tabStorage()?.removeItem(place);
      tabStorage()?.removeItem(scanPlace);
      tabStorage()?.removeItem(entryPlace);
    } catch {
      // The storage of this tab holds nothing.
    }
  }

  /** This device is no kiosk any more. */
  unpair(): void {
    this.kiosk = undefined;
    deviceStorage()?.removeItem(kioskPlace);
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
