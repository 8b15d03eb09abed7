import { answerMapOf, type AnswerMap } from '#respondent/exam/answerMap.ts';
import { newUuid } from '#domain/base/uuid.ts';
import { deviceStorage, readDevice } from '#respondent/device.ts';
import { DraftFile } from '#respondent/exam/draft.ts';
import { answersPerCall, endOfLateExam, Saver, type SubmitResult } from '#respondent/exam/saver.ts';
import { deriveKey, deriveOldKeys } from '#respondent/api/encrypt.ts';
import type { Session } from '#respondent/api/session.ts';
import { call, CallRefused, Unreachable, type Exam } from '#respondent/api/api.ts';

/** An exam in progress: its forms, its saver, and two ways to end it. */
export interface ExamRun {
  exam: Exam;
  saver: Saver;
  /** Goes on with forms that follow a positive short form. Returns the exam with them; the device stores it. */
  extend: (sheets: Exam['sheets']) => ExamRun;
  /** The respondent leaves: unsent answers stay encrypted on the device. */
  stop: () => void;
  /** The respondent has submitted: the device keeps nothing. */
  finish: () => void;
}

/** The exam with every answer, encrypted on the device. A reload without a network reads it. */
interface Copy {
  exam: Exam;
  answerMap: AnswerMap;
}

/** The exam is over, but this device held answers. The server has them now. */
export class EndedLate extends Error {
  readonly result: SubmitResult;
  constructor(result: SubmitResult) {
    super(result.late ?? '');
    this.result = result;
  }
}

/**
 * Starts or continues an exam with the server's answers and the draft of this device, and sends unsent answers. Without a network
 * it continues from the device, if the exam was in progress here.
 */
export async function openExam(session: Session, cuserplanid: number): Promise<ExamRun> {
  const identity = session.identity;
  const device = readDevice();
  const key = await deriveKey(identity?.draftsecret || identity?.token || '', session.clientcode);
  const oldKeys = await deriveOldKeys(identity, session.clientcode);
  const copy = new DraftFile<Copy>(deviceStorage(), key, `exam.${cuserplanid}`, oldKeys);
  const { exam, answerMap } = await session.call('startExam', { cuserplanid, device }).then(
    (exam): Copy => ({ exam, answerMap: answerMapOf(exam.sheets) }),
    async (error: unknown) => {
      const isOver = error instanceof CallRefused && (error.code === 150003 || error.code === 150004);
      const stored = isOver || error instanceof Unreachable ? await copy.read() : undefined;
      if (stored && isOver)
        await sendLateDraft(session, new DraftFile(deviceStorage(), key, stored.exam.examcode, oldKeys), stored.exam);
      if (stored && !isOver) return stored;
      throw error;
    },
  );
  const { examcode } = exam;
  const draft = new DraftFile(deviceStorage(), key, examcode, oldKeys);
  const state: { saver?: Saver; exam: Exam } = { exam };
  const writeCopy = () => copy.write({ exam: state.exam, answerMap: state.saver?.state.answerMap ?? answerMap });
  const saver = new Saver(
    {
      save: (answers) => session.call('saveAnswer', { examcode, device, answers }),
      saveLeaving: (answers) =>
        void call('saveAnswer', { examcode, device, answers }, session.identity?.token, true).catch(() => undefined),
      submit: (submitkey, answers) => session.call('submitExam', { examcode, device, submitkey, answers }),
      writeDraft: (content) => {
        void writeCopy();
        return draft.write(content);
      },
      newKey: newUuid,
    },
    answerMap,
    await draft.read(),
  );
  state.saver = saver;
  session.setCurrentExam(cuserplanid);

  const onVisibilityChange = () => (document.visibilityState === 'hidden' ? saver.leave() : saver.retry());
  window.addEventListener('online', saver.retry);
  window.addEventListener('pagehide', saver.leave);
  document.addEventListener('visibilitychange', onVisibilityChange);
  const stop = () => {
    window.removeEventListener('online', saver.retry);
    window.removeEventListener('pagehide', saver.leave);
    document.removeEventListener('visibilitychange', onVisibilityChange);
    saver.close();
    copy.remove();
    session.setCurrentExam(undefined);
  };
  const run: ExamRun = {
    exam,
    saver,
    extend: (sheets) => {
      state.exam = { ...state.exam, sheets: [...state.exam.sheets, ...sheets] };
      void writeCopy();
      return { ...run, exam: state.exam };
    },
    stop,
    finish: () => (stop(), draft.remove()),
  };
  return run;
}

/** Sends answers that this device still holds for an exam that is over. The server keeps and judges them, then `EndedLate` is thrown. */
async function sendLateDraft(session: Session, draft: DraftFile, { examcode }: Exam): Promise<void> {
  const stored = await draft.read();
  const answers = [...(stored?.submission ?? []), ...(stored?.pending ?? [])];
  let end: SubmitResult | undefined;
  for (let from = 0; from < answers.length; from += answersPerCall) {
    try {
      await session.call('saveAnswer', { examcode, answers: answers.slice(from, from + answersPerCall) });
    } catch (error) {
      if (!(error instanceof CallRefused) || !error.kept) throw error;
      end = endOfLateExam(error);
    }
  }
  if (!end) return;
  draft.remove();
  throw new EndedLate(end);
}

/**
 * Submits the exam. Returns undefined when an answer is missing, and a result with `sheets` when forms follow; throws the server's
 * refusal.
 */
export async function submitExam({ saver, exam }: Pick<ExamRun, 'saver' | 'exam'>): Promise<SubmitResult | undefined> {
  const known = new Set(exam.sheets.map((sheet) => sheet.examformid));
  for (let isRetry = false; ; isRetry = true) {
    try {
      const result = await saver.submit();
      if (!result || result.done) return result;
      const sheets = result.sheets.filter((sheet) => !known.has(sheet.examformid));
      if (sheets.length > 0) return { ...result, sheets };
      // The page holds answers that did not arrive: a second try sends them. Only the respondent can give the other missing
      // answers.
      const isUnsent = result.missing.every(({ examformid, c }) => saver.state.answerMap[`${examformid}/${c}`]?.saved === false);
      if (isRetry || !isUnsent) return undefined;
    } catch (error) {
      if (!(error instanceof CallRefused)) throw error;
      if (error.code === 150004 || (error.kept && error.code === 150003)) return endOfLateExam(error);
      if (isRetry || error.code !== 150006) throw error;
    }
  }
}
