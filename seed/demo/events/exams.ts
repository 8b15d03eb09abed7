import { randomUUID } from 'node:crypto';
import { visibleItems } from '#domain/exam/questionFlow.ts';
import type { Answers, Scale } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { insertKioskCode } from '#features/assess/assess.contract.ts';
import { loginByKioskCode } from '#features/respond/entry/testLink.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { answersOf, categoriesOf } from '#seed/demo/content/answers.ts';
import type { Calls } from '#seed/demo/calls.ts';
import type { StaffLogin } from '#seed/demo/tenants/institutions.ts';
import type { Person } from '#seed/demo/tenants/persons.ts';
import type { Random } from '#seed/demo/content/random.ts';
import type { PersonaAnswers } from '#seed/demo/content/personas.ts';

/** One exam of a person in the demonstration. */
export interface ExamRun {
  clientcode: string;
  person: Person;
  /** time of the submission */
  time: Date;
  theta: number;
  random: Random;
  /** answers of a persona instead of random ones */
  answers?: PersonaAnswers | undefined;
  /** the person answers this share of the questions and does not submit */
  leaveAt?: number;
  /** staff give the person a code, and the person answers at a device of the institution */
  kiosk?: KioskCode;
}
/** What staff choose for a code, and the secret of the paired device. */
export interface KioskCode {
  by: StaffLogin;
  kiosk: string;
  cuserid: string;
  plancode: string;
  stagecode: string | null;
}

/** Returns the seconds for an exam: a median of 3.2 per question. A few persons answer much too fast. */
const secondsFor = (items: number, random: Random) =>
  random.occurs(0.008)
    ? Math.max(1, Math.floor(items * 0.5))
    : Math.max(items + 3, Math.round(items * 3.2 * Math.exp(0.35 * random.normal())));

/** Takes an exam as the respondent's app does: the person signs in, gives consent if needed, answers and submits. */
export async function takeExam(
  calls: Calls,
  { clientcode, person, time, theta, random, answers: personaSheet, leaveAt, kiosk }: ExamRun,
): Promise<void> {
  const before = (seconds: number) => new Date(time.getTime() - seconds * 1000);
  const session = kiosk
    ? await signInAtKiosk(calls, { clientcode, time: before(900), ...kiosk })
    : await calls.with('', before(900))(respond.loginRespondent, { clientcode, username: person.username, key: person.key });
  const callBefore = calls.with(session.token, before(860));
  if (session.needconsent)
    await callBefore(respond.submitConsent, {
      consentversion: session.consentversion,
      scopes: ['01', '02'],
      agreed: 1,
    });
  const task = (await callBefore(respond.getTasks, {})).find(
    ({ status, cuserplanid }) => status !== 2 && (!('cuserplanid' in session) || cuserplanid === session.cuserplanid),
  );
  if (!task) throw new Error(`nothing to answer for ${person.username}`);
  // A persona takes four seconds per question, unless its answers set the time.
  const seconds = personaSheet ? (personaSheet.seconds ?? task.itemcount * 4) : secondsFor(task.itemcount, random);
  const exam = await calls.with(session.token, before(seconds))(respond.startExam, { cuserplanid: task.cuserplanid });
  let clientseq = 0;
  const answersTo = (sheets: typeof exam.sheets) =>
    sheets.flatMap(({ examformid, formcode }) => {
      const scale = scaleOf(formcode) as Scale;
      const categories = personaSheet?.[formcode as 'PHQ9' | 'GAD7'] ?? categoriesOf(formcode, theta, random);
      const formAnswers = completeAnswers(scale, categories, { gender: person.gender });
      return Object.entries(formAnswers).map(([c, value]) => ({ examformid, c, value, clientseq: ++clientseq }));
    });
  const answers = answersTo(exam.sheets);
  if (leaveAt !== undefined) {
    await calls.with(session.token, time)(respond.saveAnswer, {
      examcode: exam.examcode,
      answers: answers.slice(0, Math.max(1, Math.floor(answers.length * leaveAt))),
    });
    return;
  }
  const submit = (sent: typeof answers) =>
    calls.with(session.token, time)(respond.submitExam, { examcode: exam.examcode, submitkey: randomUUID(), answers: sent });
  let result = await submit(answers);
  // A positive short form brings its longer form into the same sitting.
  while (!result.done && result.missing.length === 0) result = await submit(answersTo(result.sheets));
  if (!result.done) throw new Error(`${person.username} left ${result.missing.map(({ c }) => c).join(', ')} unanswered`);
}

async function signInAtKiosk(calls: Calls, run: KioskCode & { clientcode: string; time: Date }) {
  const { clientcode, time, by, kiosk, ...target } = run;
  const { code } = await (await calls.as(by, time))(insertKioskCode, target);
  return calls.with('', time)(loginByKioskCode, { clientcode, kiosk, code });
}

/** Returns the answers to all visible items. Scored items follow their categories; the item on impairment follows the total. */
function completeAnswers(scale: Scale, categories: readonly number[], person: { gender: string }): Record<string, string> {
  const answers = answersOf(scale, categories);
  const burden = Math.min(3, Math.floor(categories.reduce((sum, category) => sum + category, 0) / 7));
  for (const item of scale.items.slice(categories.length))
    answers[item.c] ??= scale.optionsets?.[item.o ?? '']?.[burden]?.[0] ?? '';
  const visibleCodes = new Set(visibleItems(scale, answers as Answers, person).map((item) => item.c));
  return Object.fromEntries(Object.entries(answers).filter(([c, value]) => visibleCodes.has(c) && value !== ''));
}
