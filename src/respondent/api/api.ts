import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import type * as preview from '#features/respond/preview/preview.contract.ts';
import type * as consult from '#features/consult/person/person.contract.ts';
import type * as content from '#features/content/person.contract.ts';
import type * as testLink from '#features/respond/entry/testLink.contract.ts';
import type * as respond from '#features/respond/respond.contract.ts';

/**
 * Call names of the respondent's page. The contract is imported as types only: its schemas would triple the size of the page. A
 * test compares the names.
 */
export const calls = {
  getEntry: 'as.c.user.getEntry',
  getRegions: 'as.c.user.getDistrictList',
  loginRespondent: 'as.c.user.login',
  loginByLink: 'as.c.user.loginByLink',
  loginByKioskCode: 'as.c.user.loginByKioskCode',
  submitConsent: 'as.c.user.submitConsent',
  withdrawConsent: 'as.c.user.withdrawConsent',
  decideAsGuardian: 'as.c.user.decideAsGuardian',
  declineTasks: 'as.c.user.declineTasks',
  sendGuardianCode: 'as.c.user.sendGuardianCode',
  confirmGuardianCode: 'as.c.user.confirmGuardianCode',
  getTasks: 'as.c.exam.getTaskList',
  startExam: 'as.c.exam.startExam',
  saveAnswer: 'as.c.exam.saveAnswer',
  submitExam: 'as.c.exam.submitExam',
  askForContact: 'as.c.user.askForContact',
  getOwnReports: 'as.c.exam.getReportList',
  getOwnReport: 'as.c.exam.getReport',
  previewTask: 'as.m.assess.previewAssessTask',
  getFormPreview: 'as.c.exam.getFormPreview',
  getApplyForms: 'as.c.consult.getFormList',
  applyConsult: 'as.c.consult.applyConsult',
  getOwnConsults: 'as.c.consult.getConsultList',
  getFreeSlots: 'as.c.consult.getSlotList',
  bookSlot: 'as.c.consult.bookSlot',
  cancelOwnConsult: 'as.c.consult.cancelConsult',
  getPersonArticles: 'as.c.content.getArticleList',
  getPersonArticle: 'as.c.content.getArticle',
  getPersonMusic: 'as.c.content.getMusicList',
  getPersonCourses: 'as.c.content.getCourseList',
  getPersonCourse: 'as.c.content.getCourse',
  getPersonMedia: 'as.c.content.getMediaLink',
  savePersonProgress: 'as.c.content.saveLessonProgress',
  getPersonHotline: 'as.c.content.getHotline',
} as const;

export type CallName = keyof typeof calls;
type Contract = typeof respond & typeof preview & typeof testLink & typeof consult & typeof content;
type ActionOf<N extends CallName> = Contract[N] extends Action ? Contract[N] : never;
export type CallRequest<N extends CallName> = RequestOf<ActionOf<N>>;
export type CallResponse<N extends CallName> = ResponseOf<ActionOf<N>>;

/** An exam that a respondent has started, with its forms. */
export type Exam = CallResponse<'startExam'>;

/** What the server says when it keeps answers although it refuses the call: the number of answers and the support card. */
export interface Kept {
  saved: number;
  support: CallResponse<'submitExam'>['support'];
}

/** The server refused the call. The codes are those of `contract/problem.ts`. */
export class CallRefused extends Error {
  readonly code: number;
  readonly field: string | undefined;
  /** present when the answers of the call came late, but the server has them */
  readonly kept: Kept | undefined;
  constructor(code: number, message: string, field?: string, kept?: Kept) {
    super(message);
    this.code = code;
    this.field = field;
    this.kept = kept;
  }
}
/** The server did not answer: no network, a sign-in page of the local network, or a restart of the server. */
export class Unreachable extends Error {}

/** Says whether the same call may succeed later: unreachable, too many requests, busy, internal error. */
export const isTransient = (error: unknown): boolean =>
  error instanceof Unreachable ||
  (error instanceof CallRefused && (error.code >= 900000 || (error.code >= 190000 && error.code !== 190002)));

export const isIdentityLost = (error: unknown): boolean => error instanceof CallRefused && error.code === 110000;

const TIMEOUT_MS = 15_000;

/** The public lists of regions are the only call that the preview still sends. */
type Answered = Exclude<CallName, 'getRegions' | 'getFormPreview'>;
export type Answers = { readonly [N in Answered]: (request: CallRequest<N>) => CallResponse<N> };
let answers: Answers | undefined;
/** Answers every later call inside the page: the preview sends nothing about a person. */
export const answerCallsWith = (next: Answers): void => void (answers = next);

/**
 * Makes one call. Throws `CallRefused` or `Unreachable`. With `keepalive` the call survives the end of the page (at most 64 KB).
 */
export async function call<N extends CallName>(
  name: N,
  request: CallRequest<N>,
  token = '',
  keepalive = false,
): Promise<CallResponse<N>> {
  if (answers && name in answers) return answers[name as Answered](request as never) as CallResponse<N>;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  let answer: { errorCode?: number; errorMsg?: string; data?: unknown };
  try {
    const response = await fetch(`/api/${calls[name]}/1.0.0/action`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { token }) },
      body: JSON.stringify(request),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: controller.signal,
      keepalive,
    });
    answer = (await response.json()) as typeof answer;
  } catch {
    throw new Unreachable('网络不稳定，请稍后再试');
  } finally {
    clearTimeout(timer);
  }
  if (typeof answer?.errorCode !== 'number') throw new Unreachable('网络不稳定，请稍后再试');
  if (answer.errorCode === 0) return answer.data as CallResponse<N>;
  const data = answer.data as (Partial<Kept> & { field?: string }) | undefined;
  const kept = data?.saved !== undefined && data.support ? { saved: data.saved, support: data.support } : undefined;
  throw new CallRefused(answer.errorCode, answer.errorMsg || '操作没有成功，请稍后再试', data?.field, kept);
}

/** Returns the message that a failed call shows to the respondent. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : '操作没有成功，请稍后再试');
