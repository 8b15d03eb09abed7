import { expect, test } from 'vitest';
import { addHours } from '#domain/base/calendar.ts';
import { CallError } from '#testing/server.ts';
import * as muser from '#features/muser/muser.contract.ts';
import * as user from '#features/org/user/user.contract.ts';
import { escalateOverdue } from '#features/warning/alerts/escalate.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { updateAbsence } from '#features/warning/handover/handover.contract.ts';
import { handleEndingContracts } from '#features/warning/handover/contractEnd.ts';
import { reconcile } from '#features/warning/reconcile/reconcile.ts';
import * as special from '#features/warning/special/special.contract.ts';
import { crisisSchool } from '#testing/crisisCase.ts';
import { takeExam } from '#testing/exam.ts';
import { aStudent } from '#testing/factories.ts';
import { aSafetyPlan } from '#testing/safetyPlan.ts';

/** Pseudo-random numbers from a seed (mulberry32), so that a failed walk can be repeated. */
function randomOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  return { next, pick };
}

const SUBJECTS = ['close', 'exclude', 'transfer', 'lost', 'death', 'exempt', 'conclusion'] as const;

/** Two pupils, and every action that staff may try on their cases. Refused actions are part of the walk. */
async function walkers(seed: number) {
  const school = await crisisSchool('2026-11-16 09:00');
  const { as, clock, services, pupil, version, sqlAsOwner } = school;
  const { next, pick } = randomOf(seed);
  const pupils = [pupil, await aStudent(school, { username: '周明', studentno: '20230302' })];
  const findCodes = async () =>
    (await sqlAsOwner<{ warningcode: string }>('select warningcode from warning order by warningcode')).map(
      (row) => row.warningcode,
    );
  const who = () => pick(['chen', 'lu', 'chen', 'duty'] as const);
  const openDuty = async (warningcode: string) =>
    (
      await sqlAsOwner<{ dutyid: number }>(
        'select dutyid::int as dutyid from warningduty where warningcode = $1 and donetime is null order by duetime',
        [warningcode],
      )
    )[0]?.dutyid ?? 0;
  const onCase: Record<string, (warningcode: string) => Promise<unknown>> = {
    accept: (code) => school.accept(code, who()),
    assign: (warningcode) => as(who())(handling.assignWarning, { warningcode, owneruserid: pick(['U_CHEN', 'U_LU', 'U_DUTY']) }),
    talk: (code) => school.talk(code, who()),
    unreachable: (warningcode) =>
      as('chen')(handling.verifyWarning, {
        warningcode,
        contactresult: '03',
        channel: pick(['01', '02'] as const),
        content: '未联系到本人',
      }),
    interview: (code) =>
      school.interview(code, pick([0, 1, 2, 3, 4]), {
        ideation: pick([0, 0, 1, 3, 4]),
        attempthistory: pick([0, 0, 1]),
        lowreason: '结合家长与班主任观察，本人近两周稳定，判断为较低风险',
        safetyplan: aSafetyPlan({ reviewdate: '2026-12-31' }),
      }),
    guardian: (code) => school.tellGuardian(code),
    exempt: (warningcode) =>
      as('chen')(handling.exemptGuardian, {
        warningcode,
        ground: pick([1, 2, 3] as const),
        reason: '母亲醉酒后有殴打史，告知会加重危险',
        alternate: '姑姑 林芳，当面',
      }),
    intervene: (warningcode) => as(who())(handling.startIntervene, { warningcode }),
    observe: (warningcode) => as(who())(handling.observe, { warningcode }),
    refer: (warningcode) =>
      as('chen')(handling.insertReferral, { warningcode, tohospital: '云栖市第七医院', reason: '进一步评估' }),
    level: (warningcode) =>
      as('chen')(handling.updateWarningLevel, { warningcode, level: pick([1, 2, 3, 4]), reason: '根据近期观察调整' }),
    close: (warningcode) =>
      as(who())(handling.closeWarning, {
        warningcode,
        closereason: pick(['01', '02', '03', '04', '05'] as const),
        closenote: '已核对全部记录，经讨论同意结案',
        policerecord: '城东派出所 2026-1121',
      }),
    exclude: (warningcode) =>
      as('chen')(handling.verifyWarning, {
        warningcode,
        contactresult: '02',
        falsealarm: 1,
        content: '核实为误答，本人解释清楚',
      }),
    reopen: (warningcode) => as(who())(handling.reopenWarning, { warningcode, reason: '班主任反映情绪再次低落' }),
    confirm: (code) => school.confirm(code, pick(SUBJECTS), pick(['lu', 'duty'] as const)),
    transfer: async (warningcode) =>
      as('chen')(special.transferWarning, {
        warningcode,
        version: await version(warningcode),
        receiver: '东山中学',
        person: '乔然',
        phone: '0571-88880001',
        content: '学生转学',
      }),
    receive: async (warningcode) =>
      as('chen')(special.receiveWarning, { warningcode, version: await version(warningcode), content: '乔然电话确认收到' }),
    discharge: async (warningcode) =>
      as('chen')(special.dischargeWarning, {
        warningcode,
        version: await version(warningcode),
        hospital: '云栖市第七医院',
        afterattempt: pick([0, 1] as const),
        content: '病情稳定出院',
      }),
    duty: async (warningcode) =>
      as('chen')(special.finishDuty, {
        warningcode,
        version: await version(warningcode),
        dutyid: await openDuty(warningcode),
        unit: '云栖市教育局',
        receipt: '值班室',
        companion: '林建国',
        content: '已报告并核实',
      }),
    death: async (warningcode) =>
      as('chen')(special.reportDeath, { warningcode, version: await version(warningcode), source: '派出所电话告知，家属确认' }),
    correct: async (warningcode) =>
      as('chen')(special.correctDeath, { warningcode, version: await version(warningcode), reason: '核实为同名误报' }),
    note: (warningcode) => as('chen')(handling.insertWarningLog, { warningcode, content: '与班主任沟通课堂表现' }),
  };
  const others: Record<string, () => Promise<unknown>> = {
    report: () =>
      as(who())(handling.insertWarning, {
        cuserid: pick(pupils).cuserid,
        level: pick([1, 2, 3, 4]),
        content: '同学反映她近来常常独自哭泣',
        signs: pick([[], [], ['farewell'], ['abuse']] as const).slice(),
      }),
    exam: async () => {
      const person = pick(pupils);
      // A sign-in that was refused leaves its authorization behind.
      await sqlAsOwner('update cuserplan set status = 3, frozen = 0 where cuserid = $1 and status = 1', [person.cuserid]);
      await takeExam(school, person, {
        PHQ9: pick(['0 0 0 0 0 0 0 0 0 0', '2 2 2 2 2 2 0 0 0 0', '1 1 0 0 0 0 0 0 2 0']),
      });
    },
    absence: () =>
      as('ma')(updateAbsence, {
        userid: 'U_LU',
        absentuntil: pick([null, '2027-01-10 08:00']),
        handovers: [],
      }),
    escalate: () => escalateOverdue(services, clock.now),
  };
  const done: Record<string, number> = {};
  /** Tries an action; counts it unless the product refuses it. */
  const attempt = async (name: string, work: () => Promise<unknown>) => {
    try {
      await work();
      done[name] = (done[name] ?? 0) + 1;
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    }
  };
  const step = async () => {
    clock.now = addHours(clock.now, pick([0, 0.2, 1, 5, 30]));
    const codes = await findCodes();
    if (codes.length === 0 || next() < 0.12) {
      const name = pick(Object.keys(others));
      return attempt(name, others[name]!);
    }
    // Most people follow the usual order; the rest is random.
    const name =
      next() < 0.3
        ? pick(['accept', 'talk', 'interview', 'guardian', 'confirm', 'level', 'observe', 'receive', 'correct'])
        : pick(Object.keys(onCase).filter((key) => key !== 'death' || next() < 0.1));
    const code = pick(codes);
    return attempt(name, () => onCase[name]!(code));
  };
  const compare = async () => {
    const { reports, failed } = await reconcile(services, 'nightly', clock.now);
    expect(failed).toEqual([]);
    return reports['M_CHENGUANG']?.difflist;
  };
  return { ...school, step, compare, done };
}

const succeeded = new Set<string>();

test.each([11, 12, 13, 14])(
  'walk %i: whatever staff try, in any order, the log agrees with the case after each step',
  async (seed) => {
    const { step, compare, done, as, services, clock, sqlAsOwner } = await walkers(seed);
    for (let count = 1; count <= 120; count += 1) {
      await step();
      if (count % 5 === 0) expect(await compare(), `after step ${count}`).toEqual([]);
    }
    const owned = await sqlAsOwner<{ warningcode: string }>(
      "select warningcode from warning where owneruserid = 'U_CHEN' and state not in ('07', '08')",
    );
    const handovers = owned.map(({ warningcode }) => ({ warningcode, owneruserid: 'U_DUTY' }));
    await as('ma')(user.enableUser, { userid: 'U_CHEN', enabled: 0, handovers });
    expect(await compare()).toEqual([]);
    await as('fang')(muser.enableMuser, { musercode: 'M_CHENGUANG', enabled: 0, reason: '合同到期' });
    await handleEndingContracts(services.pools, addHours(clock.now, 1));
    clock.now = addHours(clock.now, 30);
    await escalateOverdue(services, clock.now);
    expect(await compare()).toEqual([]);
    for (const name of Object.keys(done)) succeeded.add(name);
  },
);

test('the walks contain the steps of care, hand-over, discharge, transfer and receipt', () => {
  const steps = [
    'accept',
    'assign',
    'talk',
    'unreachable',
    'interview',
    'guardian',
    'exempt',
    'confirm',
    'transfer',
    'discharge',
  ];
  expect([...succeeded]).toEqual(
    expect.arrayContaining([...steps, 'receive', 'intervene', 'observe', 'refer', 'level', 'report', 'exam', 'absence']),
  );
});

test('a death, its correction, a receipt, and the hand-over of a case that waits for its second person are no difference', async () => {
  const { report, accept, confirm, version, compare, as, at, sqlAsOwner } = await walkers(1);
  const warningcode = await report(4);
  await accept(warningcode);
  const target = async () => ({ warningcode, version: await version(warningcode) });
  const reportDeath = async () => as('chen')(special.reportDeath, { ...(await target()), source: '派出所电话告知，家属确认' });
  await reportDeath();
  expect(await compare()).toEqual([]);
  at('2026-11-16 10:00');
  await confirm(warningcode, 'death', 'lu');
  await as('chen')(special.correctDeath, { ...(await target()), reason: '核实为同名误报，本人已到校' });
  expect(await compare()).toEqual([]);
  await accept(warningcode);
  at('2026-11-16 10:30');
  await confirm(warningcode, 'transfer', 'lu');
  const receiver = { receiver: '东山中学', person: '乔然', phone: '0571-88880001', content: '学生转学' };
  await as('chen')(special.transferWarning, { ...(await target()), ...receiver });
  await as('chen')(special.receiveWarning, { ...(await target()), content: '乔然电话确认收到' });
  expect(await compare()).toEqual([]);
  at('2026-11-16 11:00');
  await reportDeath();
  const handovers = [{ warningcode, owneruserid: 'U_LU' }];
  await as('ma')(user.enableUser, { userid: 'U_CHEN', enabled: 0, handovers });
  expect(await sqlAsOwner('select owneruserid, state from warning')).toMatchObject([{ owneruserid: 'U_LU' }]);
  expect(await compare()).toEqual([]);
  await as('fang')(muser.enableMuser, { musercode: 'M_CHENGUANG', enabled: 0, reason: '合同到期' });
  expect(await sqlAsOwner('select owneruserid from warning')).toEqual([{ owneruserid: 'U_FANG' }]);
  expect(await compare()).toEqual([]);
});
