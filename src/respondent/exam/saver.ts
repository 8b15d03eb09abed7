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

/** `late`: why the server does not count the exam, although it has the answers. */
export type SubmitResult = CallResponse<'submitExam'> & { late?: string };

const submitted = { missing: [], sheets: [], done: true, showreport: false, reportcode: null };

/** The end of an exam whose answers came late: after the window (150003), or after a submission (150004). */
export const endOfLateExam = ({ code, message, kept }: CallRefused): SubmitResult => ({
  ...submitted,
  // Without a support card from the server the page offers help, because the server's decision is unknown.
  support: kept?.support ?? { show: true, hotline: '', text: '' },
  ...(code === 150003 && { late: message }),
});

export interface SaverPorts {
  /** `saveAnswer`; throws `CallRefused` or `Unreachable` */
  save: (answers: WireAnswer[]) => Promise<unknown>;
  /** the same while the page closes: no code waits for the response */
  saveLeaving: (answers: WireAnswer[]) => void;
  submit: (submitkey: string, answers: WireAnswer[]) => Promise<SubmitResult>;
  /** writes the draft to the device; false when the device did not store it */
  writeDraft: (draft: Draft) => Promise<boolean>;
  /** makes a submit key */
  newKey: () => string;
}

export interface SaverState {
  answerMap: AnswerMap;
  /** saved: the server has every answer · saving · waiting: retries later · stopped: the server takes no more answers */
  status: 'saved' | 'saving' | 'waiting' | 'stopped';
  /** the device holds the unsent answers too */
  isOnDevice: boolean;
  /** the reason why the server takes no more answers */
  reason: string;
  /** the answers came late: the server has them, and the exam ends here */
  end?: SubmitResult;
  submission: 'no' | 'sending' | 'waiting';
}

/** The most answers that one call takes. */
export const answersPerCall = 200;
/** Says whether one answer is invalid in itself: the saver has to find it instead of giving up the whole batch. */
const isInvalidAnswer = (error: CallRefused) => error.code >= 120000 && error.code < 130000;

/**
 * Sends every answer to the server, one call at a time. Answers given meanwhile go with the next call. After a failure it retries
 * after 1 s, doubling to 30 s, and at once when the network returns. The device holds every unconfirmed answer.
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
  #batch = answersPerCall;
  #closed = false;

  constructor(ports: SaverPorts, server: AnswerMap, draft: Draft | undefined) {
    this.#ports = ports;
    this.#submitkey = draft?.submitkey ?? ports.newKey();
    this.#submission = draft?.submission;
    this.state = {
      answerMap: mergeAnswers(server, draft?.pending ?? []),
      status: 'saved',
      isOnDevice: true,
      reason: '',
      submission: 'no',
    };
    this.#writeDraft();
    if (!this.#submission) this.#send();
  }

  /** Says whether a submission has no known outcome. It has to be repeated with exactly the same answers. */
  get unfinished(): boolean {
    return this.#submission !== undefined;
  }

  /** Says whether the server has every answer and no submission has an unknown outcome. */
  get isSaved(): boolean {
    return !this.unfinished && pendingOf(this.state.answerMap).length === 0;
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

  /** Stores an answer on the device at once and sends it; with `typing` it waits for a pause before sending. */
  answer(examformid: number, c: string, value: AnswerValue, typing = false): void {
    const answerMap = setAnswer(this.state.answerMap, examformid, c, value);
    if (answerMap === this.state.answerMap || this.#submission) return;
    this.#set({ answerMap });
    this.#writeDraft();
    if (!typing) this.#send();
    else if (!this.#busy) this.#sendAfter(600);
  }

  /** Retries now. */
  retry = (): void => {
    this.#failures = 0;
    this.#wake?.();
    if (!this.#busy) this.#send();
  };

  /** Sends unsent answers while the page is hidden or closes; the page may not come back. */
  leave = (): void => {
    const pending = pendingOf(this.state.answerMap);
    if (pending.length > 0 && !this.#closed) this.#ports.saveLeaving(pending.slice(0, answersPerCall));
  };

  /** Ends the saving of this exam: another person, or a submission. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#wake?.();
  }

  #writeDraft(): void {
    const draft: Draft = { submitkey: this.#submitkey, pending: pendingOf(this.state.answerMap) };
    if (this.#submission) draft.submission = this.#submission;
    void this.#ports.writeDraft(draft).then((isOnDevice) => {
      if (isOnDevice !== this.state.isOnDevice) this.#set({ isOnDevice });
    });
  }

  #sendAfter(ms: number): void {
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
    if (this.#unsent().length > 0) this.#busy = this.#sendAll();
  }

  #unsent(): WireAnswer[] {
    return this.#closed || this.#submission ? [] : pendingOf(this.state.answerMap);
  }

  async #sendAll(): Promise<void> {
    for (let all = this.#unsent(); all.length > 0; all = this.#unsent()) {
      const batch = all.slice(0, this.#batch);
      if (this.state.status !== 'waiting') this.#set({ status: 'saving' });
      try {
        await this.#ports.save(batch);
        this.#failures = 0;
        this.#batch = answersPerCall;
        this.#set({ answerMap: markSaved(this.state.answerMap, batch) });
        this.#writeDraft();
      } catch (error) {
        if (!(await this.#handleFailure(error, batch))) {
          this.#busy = undefined;
          return;
        }
      }
    }
    // No `await` between the last check for unsent answers and here: a later answer starts a new loop.
    this.#busy = undefined;
    this.#set({ status: this.state.end ? 'stopped' : 'saved' });
  }

  /** Returns whether to go on sending. */
  async #handleFailure(error: unknown, batch: WireAnswer[]): Promise<boolean> {
    if (isTransient(error)) {
      this.#set({ status: 'waiting' });
      // A submission carries the unsent answers itself: do not wait for another try here.
      if (!this.#submission) await this.#pause();
      return true;
    }
    if (error instanceof CallRefused && error.kept) {
      // The answers came late, but the server has them: the rest follows, and then the exam ends.
      this.#set({ answerMap: markSaved(this.state.answerMap, batch), end: endOfLateExam(error), reason: error.message });
      this.#writeDraft();
      return true;
    }
    if (error instanceof CallRefused && isInvalidAnswer(error)) {
      if (batch.length > 1) this.#batch = Math.ceil(batch.length / 2);
      else this.#set({ answerMap: markRefused(this.state.answerMap, batch, error.message) });
      return true;
    }
    this.#set({ status: 'stopped', reason: errorMessage(error) });
    return false;
  }

  /**
   * Submits once: a second call while one is in progress does nothing. After a lost response it repeats the same key and answers.
   * Resolves with the server's result, or undefined when this call submitted nothing; throws the server's refusal.
   */
  async submit(): Promise<SubmitResult | undefined> {
    if (this.state.submission !== 'no' || this.#closed) return undefined;
    this.#set({ submission: 'sending' });
    this.#submission ??= pendingOf(this.state.answerMap);
    this.#writeDraft();
    try {
      this.#wake?.();
      await this.#busy;
      for (;;) {
        try {
          return this.#applyResult(await this.#ports.submit(this.#submitkey, this.#submission));
        } catch (error) {
          if (!isTransient(error)) throw error;
          this.#set({ submission: 'waiting' });
          await this.#pause();
          if (this.#closed) return undefined;
        }
      }
    } catch (error) {
      // The server refused, so nothing was submitted. On 150006 this key was used with other answers: the next try needs a new key.
      if (error instanceof CallRefused && error.code === 150006) this.#submitkey = this.#ports.newKey();
      this.#submission = undefined;
      this.#writeDraft();
      throw error;
    } finally {
      this.#set({ submission: 'no' });
      if (!this.#submission) this.#send();
    }
  }

  #applyResult(result: SubmitResult): SubmitResult {
    this.#failures = 0;
    this.#set({ answerMap: markSaved(this.state.answerMap, this.#submission ?? []) });
    if (!result.done) {
      this.#submission = undefined;
      // An answer that the page has and the server reports missing never arrived: send it again as a new answer.
      for (const { examformid, c } of result.missing) this.#set({ answerMap: markUnsaved(this.state.answerMap, examformid, c) });
      this.#writeDraft();
    }
    return result;
  }
}
