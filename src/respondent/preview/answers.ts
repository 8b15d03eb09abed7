import { CallRefused, type Answers, type CallResponse } from '#respondent/api/api.ts';
import type { Entry } from '#respondent/steps.ts';

/** What the preview shows: the entry of the institution and the questionnaires of the plan. */
export interface PreviewFacts {
  entry: Entry;
  taskname: string;
  resultshow: boolean;
  plan: CallResponse<'previewTask'>;
}

const refuse = (): never => {
  throw new CallRefused(150003, '这是预览，这一步不会真的办理');
};

/**
 * Answers the calls of the respondent's page inside the page, as the server would answer a new respondent. It
 * scores nothing, and nothing leaves the page.
 */
export function previewAnswers({ entry, taskname, resultshow, plan }: PreviewFacts): Answers {
  let isSubmitted = false;
  return {
    previewTask: () => plan,
    getEntry: () => entry,
    loginRespondent: () => ({
      token: 'preview',
      maskedname: entry.loginmode === '04' ? '' : '示**',
      belongs: '示例班级',
      gender: '02',
      needconsent: true,
      consentversion: entry.consent.version,
      needguardian: false,
      guardianphone: '',
      reading: 'full',
      needsignature: false,
      large: false,
      you: entry.sector === 'edu' ? '你' : '您',
      draftsecret: '',
      olddraftsecrets: [],
    }),
    loginByLink: refuse,
    loginByKioskCode: refuse,
    submitConsent: () => ({}),
    declineTasks: () => ({ declined: 0 }),
    withdrawConsent: () => ({ time: '', duedate: '', deleted: [], kept: [] }),
    decideAsGuardian: refuse,
    sendGuardianCode: refuse,
    confirmGuardianCode: refuse,
    getApplyForms: refuse,
    applyConsult: refuse,
    getOwnConsults: refuse,
    getFreeSlots: refuse,
    bookSlot: refuse,
    cancelOwnConsult: refuse,
    getPersonArticles: () => ({ total: 0, rows: [] }),
    getPersonArticle: refuse,
    getPersonMusic: () => ({ total: 0, rows: [] }),
    getPersonCourses: () => ({ total: 0, rows: [] }),
    getPersonCourse: refuse,
    getPersonMedia: refuse,
    savePersonProgress: refuse,
    getPersonHotline: () => [],
    getTasks: () => [
      {
        cuserplanid: 1,
        taskname,
        planname: plan.planname,
        endtime: null,
        slot: null,
        minutes: plan.minutes,
        itemcount: plan.sheets.reduce((sum, { items }) => sum + items.length, 0),
        status: isSubmitted ? 2 : 0,
        answered: 0,
      },
    ],
    startExam: () => ({
      examcode: 'preview',
      taskname,
      sheets: plan.sheets,
      person: { gender: '02', age: null, grade: null },
      resultshow,
    }),
    saveAnswer: ({ answers }) => ({ saved: answers.length }),
    submitExam: () => {
      isSubmitted = true;
      const support = { show: false, hotline: entry.hotline, text: '' };
      return { missing: [], done: true, sheets: [], showreport: resultshow, reportcode: null, support };
    },
    askForContact: () => ({ text: '这是预览，不会通知任何人。' }),
    getOwnReports: () => [],
    getOwnReport: refuse,
  };
}
