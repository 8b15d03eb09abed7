import type { Task } from '#respondent/entry/TasksPage.tsx';
import type { ExamRun } from '#respondent/exam/examRun.ts';
import type { SubmitResult } from '#respondent/exam/saver.ts';
import type { Identity } from '#respondent/api/session.ts';
import type { CallResponse } from '#respondent/api/api.ts';

/** The pages of the respondent's app, with what each of them shows. */

/** The entry that the QR code opened. */
export type Entry = CallResponse<'getEntry'>;
/** A step on the way from the entry to the thanks. */
export type Step =
  | { page: 'loading' }
  | { page: 'failed'; reason: string; retry: () => void; isClosed?: boolean }
  | { page: 'identify' }
  /** a link that asks for month and day of birth */
  | { page: 'link' }
  /** the person left, or is another one: who sent the link, or has the device, goes on */
  | { page: 'ended'; way: '01' | '02'; isOther: boolean }
  | { page: 'confirm'; identity: Identity }
  | { page: 'consent'; identity: Identity }
  | { page: 'declined'; identity: Identity }
  | { page: 'guardian'; phone: string }
  | { page: 'withdrawn'; receipt: CallResponse<'withdrawConsent'> }
  | { page: 'tasks'; tasks: readonly Task[]; fault: string }
  | { page: 'exam'; run: ExamRun }
  /** 预约咨询; `back` leads to where the person was */
  | { page: 'consult'; back: () => void }
  /** 放松与学习; `back` leads to where the person was */
  | { page: 'relax'; back: () => void }
  | { page: 'thanks'; result: SubmitResult; more: boolean };
/** A page over the current step; the step goes on below it. */
export type Overlay =
  | { page: 'menu' | 'contact' }
  | { page: 'reidentify'; resolve: () => void }
  | { page: 'reports'; reports: CallResponse<'getOwnReports'> }
  | { page: 'report'; report: CallResponse<'getOwnReport'> };
