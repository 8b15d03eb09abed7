import {
  markSaved,
  mergeAnswers,
  pendingOf,
  setAnswer,
  markRefused,
  markUnsaved,
  type AnswerValue,
  type AnswerMap,
  type WireAnswer,
} from '#respondent/exam/answerMap.ts';
import type { Draft } from '#respondent/exam/draft.ts';
import { isTransient, CallRefused, errorMessage, type CallResponse } from '#respondent/api/api.ts';

export type SubmitResult = CallResponse<'submitExam'>;

export interface SaverPorts {
  /** `saveAnswer`; throws `Refused` or `Unreachable` */
  save: (answers: WireAnswer[]) => Promise<unknown>;
  /** the same as the page goes away: nobody waits for it */
  saveLeaving: (answers: WireAnswer[]) => void;
  submit: (submitkey: string, answers: WireAnswer[]) => Promise<SubmitResult>;
  /** keeps a draft on the device; false when the device does not take it */
  keep: (draft: Draft) => Promise<boolean>;
  /** makes a submit key */
  newKey: () => string;
}

export interface SaverState {
  book: AnswerMap;
  /** saved: the server has everything · saving · waiting: will be tried again · stopped: the server takes no more answers */
  status: 'saved' | 'saving' | 'waiting' | 'stopped';
  /** what is not sent yet is on the device too */
  kept: boolean;
  /** why no more answers are taken */
  why: string;
  submission: 'no' | 'sending' | 'waiting';
}

const perCall = 200;
/** Wrong in itself, whatever the other answers are: the fault has to be found, not the whole batch given up. */
const faulty = (error: CallRefused) => error.code >= 120000 && error.code < 130000;

/**
 * Gets every answer to the server: one call at a time, what comes meanwhile goes with the next, and after a failure it tries again by
 * itself (1 s, doubling to 30 s, and at once when the network comes back). Everything not confirmed is on the device.
 */
export class Saver {
  state: SaverState;
  readonly #ports: SaverPorts;
  readonly #listeners = new Set<() => void>();
  #submitkey: string;
  #submission: WireAnswer[] | undefined;
  #busy: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wake: (() => void) | undefined;
  #failures = 0;
  #batch = perCall;
  #closed = false;

  constructor(ports: SaverPorts, server: AnswerMap, draft: Draft | undefined) {
    this.#ports = ports;
    this.#submitkey = draft?.submitkey ?? ports.newKey();
    this.#submission = draft?.submission;
    this.state = { book: mergeAnswers(server, draft?.pending ?? []), status: 'saved', kept: true, why: '', submission: 'no' };
    this.#keep();
    if (!this.#submission) this.#send();
  }

  /** A hand-in whose outcome is not known has to be finished with the very same answers. */
  get unfinished(): boolean {
    return this.#submission !== undefined;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  snapshot = (): SaverState => this.state;

  #set(change: Partial<SaverState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.#listeners) listener();
  }

  /** Takes an answer. `typing` waits for a pause before it is sent; it is on the device at once. */
  answer(examformid: number, c: string, value: AnswerValue, typing = false): void {
    const book = setAnswer(this.state.book, examformid, c, value);
    if (book === this.state.book || this.#submission) return;
    this.#set({ book });
    this.#keep();
    if (!typing) this.#send();
    else if (!this.#busy) this.#later(600);
  }

  /** Tries again now. */
  retry = (): void => {
    this.#failures = 0;
    this.#wake?.();
    if (!this.#busy) this.#send();
  };

  /** The page is being hidden or closed; it may never come back. */
  leave = (): void => {
    const pending = pendingOf(this.state.book);
    if (pending.length > 0 && !this.#closed) this.#ports.saveLeaving(pending.slice(0, perCall));
  };

  /** No more of this exam: another person, or handed in. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#wake?.();
  }

  #keep(): void {
    const draft: Draft = { submitkey: this.#submitkey, pending: pendingOf(this.state.book) };
    if (this.#submission) draft.submission = this.#submission;
    void this.#ports.keep(draft).then((isKept) => {
      if (isKept !== this.state.kept) this.#set({ kept: isKept });
    });
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), ms);
  }

  #pause(): Promise<void> {
    const ms = Math.min(30_000, 1000 * 2 ** this.#failures++) * (0.75 + Math.random() / 2);
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #send(): void {
    clearTimeout(this.#timer);
    if (this.#closed || this.#busy || this.state.status === 'stopped') return;
    if (this.#unsent().length > 0) this.#busy = this.#work();
  }

  #unsent(): WireAnswer[] {
    return this.#closed || this.#submission ? [] : pendingOf(this.state.book);
  }

  async #work(): Promise<void> {
    for (let all = this.#unsent(); all.length > 0; all = this.#unsent()) {
      const batch = all.slice(0, this.#batch);
      if (this.state.status !== 'waiting') this.#set({ status: 'saving' });
      try {
        await this.#ports.save(batch);
        this.#failures = 0;
        this.#batch = perCall;
        this.#set({ book: markSaved(this.state.book, batch) });
        this.#keep();
      } catch (error) {
        if (!(await this.#failed(error, batch))) {
          this.#busy = undefined;
          return;
        }
      }
    }
    // In one step with the last look at what is unsent: an answer that comes later starts anew.
    this.#busy = undefined;
    this.#set({ status: 'saved' });
  }

  /** Whether to go on sending. */
  async #failed(error: unknown, batch: WireAnswer[]): Promise<boolean> {
    if (isTransient(error)) {
      this.#set({ status: 'waiting' });
      // A hand-in carries what is unsent itself and does not wait for another try of this.
      if (!this.#submission) await this.#pause();
      return true;
    }
    if (error instanceof CallRefused && faulty(error)) {
      if (batch.length > 1) this.#batch = Math.ceil(batch.length / 2);
      else this.#set({ book: markRefused(this.state.book, batch, error.message) });
      return true;
    }
    this.#set({ status: 'stopped', why: errorMessage(error) });
    return false;
  }

  /**
   * Hands in, once: a second tap while it travels does nothing, a repeat after a lost answer carries the same key and the same
   * answers. Resolves with the server's word, or undefined when nothing was handed in by this call; throws what the server refused.
   */
  async submit(): Promise<SubmitResult | undefined> {
    if (this.state.submission !== 'no' || this.#closed) return undefined;
    this.#set({ submission: 'sending' });
    this.#submission ??= pendingOf(this.state.book);
    this.#keep();
    try {
      this.#wake?.();
      await this.#busy;
      for (;;) {
        try {
          return this.#settled(await this.#ports.submit(this.#submitkey, this.#submission));
        } catch (error) {
          if (!isTransient(error)) throw error;
          this.#set({ submission: 'waiting' });
          await this.#pause();
          if (this.#closed) return undefined;
        }
      }
    } catch (error) {
      // Refused: nothing was handed in. Other answers had gone in under this key: the next try is another hand-in.
      if (error instanceof CallRefused && error.code === 150006) this.#submitkey = this.#ports.newKey();
      this.#submission = undefined;
      this.#keep();
      throw error;
    } finally {
      this.#set({ submission: 'no' });
      if (!this.#submission) this.#send();
    }
  }

  #settled(result: SubmitResult): SubmitResult {
    this.#failures = 0;
    this.#set({ book: markSaved(this.state.book, this.#submission ?? []) });
    if (!result.done) {
      this.#submission = undefined;
      // What the server calls missing and the page holds never arrived: it is sent again as a new answer.
      for (const { examformid, c } of result.missing) this.#set({ book: markUnsaved(this.state.book, examformid, c) });
      this.#keep();
    }
    return result;
  }
}
