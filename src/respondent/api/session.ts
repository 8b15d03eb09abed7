import { newUuid } from '#respondent/device.ts';
import { call, isIdentityLost, type CallResponse, type CallRequest, type CallName } from '#respondent/api/api.ts';

export type Identity = CallResponse<'loginRespondent'>;

/** What stays with the tab: closing it signs out. */
interface Held {
  clientcode: string;
  identity: Identity;
  /** the exam being answered, to continue it after a reload */
  cuserplanid?: number | undefined;
}

const place = 'respondent';
const scanPlace = 'respondent.scan';
const entryPlace = 'respondent.entry';
const tabStorage = (): Storage | undefined => {
  try {
    return window.sessionStorage;
  } catch {
    return undefined;
  }
};

/** Who is answering in this tab. Calls made through it survive the end of the session: they wait until the person identified again. */
export class Session {
  readonly clientcode: string;
  #held: Held | undefined;
  #scan: string | undefined;
  #again: Promise<void> | undefined;
  /** asks the person to identify again and resolves when the same person did; set by the app */
  reidentify: () => Promise<void> = () => Promise.reject(new Error('no page to ask on'));

  constructor(clientcode: string) {
    this.clientcode = clientcode;
    try {
      const heldHeld = JSON.parse(tabStorage()?.getItem(place) ?? '') as Held;
      if (heldHeld.clientcode === clientcode) this.#held = heldHeld;
    } catch {
      // nothing kept in this tab
    }
  }

  get identity(): Identity | undefined {
    return this.#held?.identity;
  }
  get cuserplanid(): number | undefined {
    return this.#held?.cuserplanid;
  }

  open(identity: Identity): void {
    this.#keep({ ...this.#held, clientcode: this.clientcode, identity });
  }
  /** Consent was given; a reload does not ask again. */
  consented(): void {
    if (this.#held) this.#keep({ ...this.#held, identity: { ...this.#held.identity, needconsent: false } });
  }
  answering(cuserplanid: number | undefined): void {
    if (this.#held) this.#keep({ ...this.#held, cuserplanid });
  }
  /** The entry as this tab knows it, for a reload without a network. Nothing in it is about a person. */
  get entry(): CallResponse<'getEntry'> | undefined {
    try {
      return this.#held && (JSON.parse(tabStorage()?.getItem(entryPlace) ?? '') as CallResponse<'getEntry'>);
    } catch {
      return undefined;
    }
  }
  keepEntry(entry: CallResponse<'getEntry'>): void {
    try {
      tabStorage()?.setItem(entryPlace, JSON.stringify(entry));
    } catch {
      // a reload without a network will not find it
    }
  }
  /** Stands for somebody without a name as long as this tab is open and they do not leave: who scans next is somebody else. */
  get scan(): string {
    try {
      this.#scan ??= tabStorage()?.getItem(scanPlace) ?? undefined;
      this.#scan ??= newUuid().replaceAll('-', '');
      tabStorage()?.setItem(scanPlace, this.#scan);
    } catch {
      // kept as long as the page is open
    }
    return (this.#scan ??= newUuid().replaceAll('-', ''));
  }
  close(): void {
    this.#held = undefined;
    this.#scan = undefined;
    try {
      tabStorage()?.removeItem(place);
      tabStorage()?.removeItem(scanPlace);
      tabStorage()?.removeItem(entryPlace);
    } catch {
      // nothing was kept
    }
  }

  #keep(heldHeld: Held): void {
    this.#held = heldHeld;
    try {
      tabStorage()?.setItem(place, JSON.stringify(heldHeld));
    } catch {
      // a reload will ask who it is again
    }
  }

  /** A call in the person's name; on 110000 it asks for the identity and is made again. */
  async call<N extends CallName>(name: N, request: CallRequest<N>): Promise<CallResponse<N>> {
    for (;;) {
      const token = this.#held?.identity.token ?? '';
      try {
        return await call(name, request, token);
      } catch (error) {
        if (!isIdentityLost(error)) throw error;
        // Several calls may notice at once; the person is asked once, and not at all if somebody was faster.
        if (token === (this.#held?.identity.token ?? ''))
          await (this.#again ??= this.reidentify().finally(() => (this.#again = undefined)));
      }
    }
  }
}
