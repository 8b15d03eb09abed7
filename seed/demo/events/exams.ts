import { randomUUID } from 'node:crypto';
import { visibleItems } from '#domain/exam/questionFlow.ts';
import type { Answers, Scale } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { answersOf, categoriesOf } from '#seed/demo/content/answers.ts';
import type { Calls } from '#seed/demo/calls.ts';
import type { Person } from '#seed/demo/tenants/persons.ts';
import type { Chance } from '#seed/demo/content/random.ts';
import type { Sheets } from '#seed/demo/content/personas.ts';

export interface Sitting {
  clientcode: string;
  person: Person;
  /** when it is handed in */
  at: Date;
  theta: number;
  chance: Chance;
  /** answers told by a story instead of by chance */
  sheets?: Sheets | undefined;
  /** answers this share of the questions and stays there */
  leaveAt?: number;
}

/** Seconds a sheet takes: 3.2 per question in the middle; a few race through it. */
const secondsFor = (items: number, chance: Chance) =>
  chance.hits(0.008)
    ? Math.max(1, Math.floor(items * 0.5))
    : Math.max(items + 3, Math.round(items * 3.2 * Math.exp(0.35 * chance.normal())));

/** A person signs in at the entry of their institution, agrees if they have not, answers and hands in, as a page would do it. */
export async function sit(calls: Calls, { clientcode, person, at, theta, chance, sheets, leaveAt }: Sitting): Promise<void> {
  const before = (seconds: number) => new Date(at.getTime() - seconds * 1000);
  const me = await calls.with('', before(900))(respond.loginRespondent, {
    clientcode,
    username: person.username,
    key: person.key,
  });
  const early = calls.with(me.token, before(860));
  if (me.needconsent)
    await early(respond.submitConsent, {
      consentversion: '1',
      scopes: ['01', '02'],
      agreed: 1,
      ...(me.needguardian ? { guardian: person.guardian } : {}),
    });
  const task = (await early(respond.getTasks, {})).find(({ status }) => status !== 2);
  if (!task) throw new Error(`nothing to answer for ${person.username}`);
  // Who plays a part in a story takes their time, unless racing is the story.
  const seconds = sheets ? (sheets.seconds ?? task.itemcount * 4) : secondsFor(task.itemcount, chance);
  const exam = await calls.with(me.token, before(seconds))(respond.startExam, { cuserplanid: task.cuserplanid });
  let clientseq = 0;
  const answers = exam.sheets.flatMap(({ examformid, formcode }) => {
    const scale = scaleOf(formcode) as Scale;
    const toldSheet = sheets?.[formcode as 'PHQ9' | 'GAD7'];
    const given = filledIn(scale, toldSheet ?? categoriesOf(formcode, theta, chance), { gender: person.gender });
    return Object.entries(given).map(([c, value]) => ({ examformid, c, value, clientseq: ++clientseq }));
  });
  if (leaveAt !== undefined) {
    await calls.with(me.token, at)(respond.saveAnswer, {
      examcode: exam.examcode,
      answers: answers.slice(0, Math.max(1, Math.floor(answers.length * leaveAt))),
    });
    return;
  }
  const result = await calls.with(me.token, at)(respond.submitExam, {
    examcode: exam.examcode,
    submitkey: randomUUID(),
    answers,
  });
  if (!result.done) throw new Error(`${person.username} left ${result.missing.map(({ c }) => c).join(', ')} unanswered`);
}

/** The answers of a whole form: scored items by their categories, how hard it makes life by how many symptoms there are. */
function filledIn(scale: Scale, categories: readonly number[], person: { gender: string }): Record<string, string> {
  const given = answersOf(scale, categories);
  const burden = Math.min(3, Math.floor(categories.reduce((sum, category) => sum + category, 0) / 7));
  for (const item of scale.items.slice(categories.length))
    given[item.c] ??= scale.optionsets?.[item.o ?? '']?.[burden]?.[0] ?? '';
  const askedCs = new Set(visibleItems(scale, given as Answers, person).map((item) => item.c));
  return Object.fromEntries(Object.entries(given).filter(([c, value]) => askedCs.has(c) && value !== ''));
}
