import { randomUUID } from 'node:crypto';
import type { Scale } from '#domain/scoring/scale.ts';
import { quotasOf } from '#domain/scoring/scales/library.ts';
import { insertMUserExamPlan } from '#features/plan/plan.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { signInPupil, type Pupil } from '#testing/school.ts';
import type { TestServer } from '#testing/server.ts';

const codesOf = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `q${from + index}`).join(',');

/** 校园适应自评 of 晨光中学: 20 questions of 0–3, two factors of ten, a total, and an alert on the last question. */
export const adaptation = (change: Partial<Scale> = {}): Scale => ({
  schema: 'asds/1',
  formcode: 'F000001',
  version: '1.0.0',
  formtype: '01',
  title: '校园适应自评',
  tier: 'S',
  recall: '最近两周',
  minutes: 5,
  optionsets: {
    often: [
      ['0', '从不', 0],
      ['1', '偶尔', 1],
      ['2', '经常', 2],
      ['3', '总是', 3],
    ],
  },
  items: Array.from({ length: 20 }, (_, index) => ({ c: `q${index + 1}`, t: `校园生活第 ${index + 1} 项`, o: 'often' })),
  scores: [
    { c: 'study', n: '学习压力', op: 'sum', of: codesOf(1, 10), min: 0, max: 30, better: 'low', domain: '03' },
    { c: 'peer', n: '同伴关系', op: 'sum', of: codesOf(11, 20), min: 0, max: 30, better: 'low', domain: '03' },
    { c: 'total', n: '总分', op: 'sum', of: codesOf(1, 20), min: 0, max: 60, primary: true, better: 'low', domain: '03' },
  ],
  bands: {
    total: [
      [0, 14, 0, '平稳'],
      [15, 29, 1, '轻度困扰'],
      [30, 44, 2, '需要关心'],
      [45, 60, 3, '需要尽快关心'],
    ],
  },
  alerts: [{ c: 'LIFE', when: { item: 'q20', gte: 2 }, level: 3, msg: '第20题选“经常”或“总是”，须当日了解情况' }],
  ...change,
});

/** Publishes a version of a form of 晨光中学 as bare rows. The first version makes the form. */
export async function publishVersion({ sqlAsOwner }: TestServer, scale: Scale): Promise<void> {
  const { formcode, version, title, items } = scale;
  await sqlAsOwner(
    `insert into form (formcode, musercode, formname, formtype, tier, itemcount, minutes, currentversion)
     values ($1, 'M_CHENGUANG', $2, '01', 'S', $3, 5, $4)
     on conflict (formcode) do update set currentversion = excluded.currentversion`,
    [formcode, title, items.length, version],
  );
  await sqlAsOwner('update formversion set status = 2 where formcode = $1 and status = 1', [formcode]);
  await sqlAsOwner(
    `insert into formversion (formcode, version, musercode, definition, definitionhash, publishtime)
     values ($1, $2, 'M_CHENGUANG', $3, '', '2025-10-01')`,
    [formcode, version, JSON.stringify(scale)],
  );
  for (const [ordernum, quota] of quotasOf(scale).entries())
    await sqlAsOwner(
      `insert into quota (quotacode, formcode, musercode, scorecode, quotaname, kind, domain, isprimary, minscore, maxscore, better,
         ordernum)
       values ($1, $2, 'M_CHENGUANG', $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (quotacode) do nothing`,
      [
        quota.quotacode,
        formcode,
        quota.scorecode,
        quota.quotaname,
        quota.kind,
        quota.domain,
        quota.isprimary,
        quota.minscore,
        quota.maxscore,
        quota.better,
        ordernum,
      ],
    );
}

/** Makes a version withdrawn, as its author does. */
export const withdrawVersion = ({ sqlAsOwner }: TestServer, formcode: string, version: string) =>
  sqlAsOwner(
    `update formversion set status = 3, withdrawreason = '因子题号有误', withdrawtime = '2025-10-08', withdrawby = 'U_CHEN'
     where formcode = $1 and version = $2`,
    [formcode, version],
  );

/** A plan of 晨光中学 with the form alone. */
export async function aPlanOf({ as }: TestServer, formcode: string, planname = '校园适应筛查'): Promise<string> {
  const { plancode } = await as('chen')(insertMUserExamPlan, {
    appid: '000000002',
    planname,
    forms: [{ formcode }],
    acknowledgement: '本校自编量表，由底线规则和红线条目提示',
  });
  return plancode;
}

/** A pupil begins the newest open task. */
export async function beginTask(server: TestServer, pupil: Pupil) {
  const call = await signInPupil(server, pupil);
  const open = (await call(respond.getTasks, {})).find(({ status }) => status < 2);
  const { examcode, sheets } = await call(respond.startExam, { cuserplanid: open?.cuserplanid as number });
  /** Answers every question with an option, the named ones with another, and submits after four minutes. */
  const submit = async (option: string, others: Readonly<Record<string, string>> = {}) => {
    server.clock.now = new Date(server.clock.now.getTime() + 240_000);
    // The same option everywhere is doubtful, so the first question of each sheet gets another one.
    const answers = sheets.flatMap(({ examformid, items }) =>
      items.map(({ c }, index) => ({ examformid, c, value: others[c] ?? (index === 0 ? '1' : option), clientseq: index + 1 })),
    );
    const { done } = await call(respond.submitExam, { examcode, submitkey: randomUUID(), answers });
    if (!done) throw new Error('not submitted');
    return examcode;
  };
  return { call, examcode, sheets, submit };
}
