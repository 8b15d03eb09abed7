import { answerMapOf, type AnswerMap } from '#respondent/exam/answerMap.ts';
import { deviceStorage, newUuid } from '#respondent/device.ts';
import { DraftFile } from '#respondent/exam/draft.ts';
import { Saver, type SubmitResult } from '#respondent/exam/saver.ts';
import { deriveKey } from '#respondent/api/encrypt.ts';
import type { Session } from '#respondent/api/session.ts';
import { call, CallRefused, Unreachable, type Exam } from '#respondent/api/api.ts';

/** An exam being answered: the forms, what saves the answers, and how to stop. */
export interface ExamRun {
  exam: Exam;
  saver: Saver;
  /** Another person, or leaving: what is not sent stays sealed on the device. */
  stop: () => void;
  /** Handed in: nothing of it stays on the device. */
  finish: () => void;
}

/** The exam under way with every answer, sealed on the device: a reload finds it there while there is no network. */
interface Copy {
  exam: Exam;
  book: AnswerMap;
}

/**
 * Starts or continues an exam with the server's answers and what this device still holds; sends the rest whenever it can. Without a
 * network it continues from the device alone, if the exam was under way here.
 */
export async function openExam(session: Session, cuserplanid: number): Promise<ExamRun> {
  const identity = session.identity;
  const key = await deriveKey(identity?.draftsecret || identity?.token || '', session.clientcode);
  const copy = new DraftFile<Copy>(deviceStorage(), key, `exam.${cuserplanid}`);
  const { exam, book } = await session.call('startExam', { cuserplanid }).then(
    (started): Copy => ({ exam: started, book: answerMapOf(started.sheets) }),
    async (error: unknown) => {
      const here = error instanceof Unreachable ? await copy.read() : undefined;
      if (here) return here;
      throw error;
    },
  );
  const { examcode } = exam;
  const draft = new DraftFile(deviceStorage(), key, examcode);
  const state: { saver?: Saver } = {};
  const saver = new Saver(
    {
      save: (answers) => session.call('saveAnswer', { examcode, answers }),
      saveLeaving: (answers) =>
        void call('saveAnswer', { examcode, answers }, session.identity?.token, true).catch(() => undefined),
      submit: (submitkey, answers) => session.call('submitExam', { examcode, submitkey, answers }),
      keep: (content) => {
        void copy.write({ exam, book: state.saver?.state.book ?? book });
        return draft.write(content);
      },
      newKey: newUuid,
    },
    book,
    await draft.read(),
  );
  state.saver = saver;
  session.answering(cuserplanid);

  const shown = () => (document.visibilityState === 'hidden' ? saver.leave() : saver.retry());
  window.addEventListener('online', saver.retry);
  window.addEventListener('pagehide', saver.leave);
  document.addEventListener('visibilitychange', shown);
  const stop = () => {
    window.removeEventListener('online', saver.retry);
    window.removeEventListener('pagehide', saver.leave);
    document.removeEventListener('visibilitychange', shown);
    saver.close();
    copy.remove();
    session.answering(undefined);
  };
  return { exam, saver, stop, finish: () => (stop(), draft.remove()) };
}

/** Handed in earlier, and the answer to that never reached us: whether help should be shown is not known, so it is. */
const handedInBefore: SubmitResult = {
  missing: [],
  done: true,
  showreport: false,
  reportcode: null,
  support: { show: true, hotline: '', text: '' },
};

/** Hands in to the end. Undefined when something is still to be answered; throws what the server refused. */
export async function submitExam(saver: Saver): Promise<SubmitResult | undefined> {
  for (let again = false; ; again = true) {
    try {
      const result = await saver.submit();
      if (!result || result.done) return result;
      // Answers the page holds did not arrive; they travel with a second try. What nobody answered is for the person.
      const isHeld = result.missing.every(({ examformid, c }) => saver.state.book[`${examformid}/${c}`]?.saved === false);
      if (again || !isHeld) return undefined;
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      if (error.code === 150004) return handedInBefore;
      if (again || error.code !== 150006) throw error;
    }
  }
}
