import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '#domain/base/calendar.ts';
import * as authorize from '#features/assesscount/authorizations/authorize.contract.ts';
import { expireCounts } from '#features/assesscount/expiry/expireCounts.ts';
import * as ledger from '#features/assesscount/ledger.contract.ts';
import * as wallet from '#features/assesscount/wallet.contract.ts';
import * as entry from '#features/muser/entry/entry.contract.ts';
import { getPlanVersionList } from '#features/plan/lineage/lineage.contract.ts';
import * as plan from '#features/plan/plan.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { reconcile } from '#features/warning/reconcile/reconcile.ts';
import * as rule from '#features/warning/rules/rule.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { findDisagreements } from '#testing/counts.ts';
import { takeExam } from '#testing/exam.ts';
import { addClass, answerTask, screening } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const school = 'M_CHENGUANG';
const students = { appid: '000000002', planname: '初中普测', forms: [{ formcode: 'PHQ9' }, { formcode: 'GAD7' }] };

/** 晨光中学 has counts of its own plan only; the first of the pupils is authorised for the plan. */
async function aSchoolWithPlanCounts(qty: number) {
  const server = await startServer();
  const { as } = server;
  await as('super')(wallet.grantMUserAssessCount, { musercode: school, kind: '06', qty: 10_000, remark: '收回' });
  const { plancode } = await as('chen')(plan.insertMUserExamPlan, students);
  await as('super')(wallet.grantMUserAssessCount, { musercode: school, plancode, qty });
  const { teamcode, pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周子涵', '吴思远'] });
  return { server, plancode, teamcode, pupils };
}

const newestOf = async ({ as }: TestServer, planname: string) => {
  const { rows } = await as('chen')(plan.getMUserExamPlanPage, { keyword: planname });
  return rows[0] as plan.PlanRow;
};

test('counts bought for the first version of a plan pay for the second one, and ledger and wallet agree', async () => {
  const { server, plancode, pupils } = await aSchoolWithPlanCounts(5);
  const chen = server.as('chen');
  const [lin, zhou] = pupils.map((pupil) => pupil.cuserid) as [string, string];
  await chen(authorize.authorizeCUserPlan, { cuserids: [lin], plancode });
  const row = await newestOf(server, '初中普测');
  const change = { plancode, version: row.version, forms: [{ formcode: 'PHQ9' }] };
  const second = await chen(plan.updateMUserExamPlan, change);
  expect(second).toMatchObject({ copied: true });
  await chen(authorize.authorizeCUserPlan, { cuserids: [zhou], plancode: second.plancode });
  await answerTask(server, pupils[0]!);
  await answerTask(server, pupils[1]!);
  expect(await findDisagreements(server)).toEqual([]);
  const { wallets } = await chen(wallet.getMUserAssessCount, {});
  expect(wallets.find((item) => item.plancode === plancode)).toMatchObject({
    planname: '初中普测',
    granted: 5,
    used: 2,
    free: 3,
  });
  expect(wallets.some((item) => item.plancode === second.plancode)).toBe(false);
  // Both versions lead to the same lines of the ledger.
  for (const code of [plancode, second.plancode]) {
    const details = await server.as('ma')(ledger.getPlanAuthorizeDetails, { plancode: code });
    expect(details.sum).toMatchObject({ granted: 5, used: 2, frozen: 0, free: 3 });
  }
  // A provider's grant for the second version enters the same wallet.
  await server.as('super')(wallet.grantMUserAssessCount, { musercode: school, plancode: second.plancode, qty: 4 });
  expect((await chen(wallet.getMUserAssessCount, {})).wallets.find((item) => item.plancode === plancode)).toMatchObject({
    granted: 9,
  });
  // Clearing names the plan, and means all of its versions.
  await chen(authorize.authorizeCUserPlan, { cuserids: [lin], plancode: second.plancode, total: 2 });
  expect(await chen(authorize.clearCUserAssessCount, { cuserid: lin, plancode, reason: '转学' })).toEqual({ released: 2 });
  expect(await findDisagreements(server)).toEqual([]);
});

test('ledger and wallet agree after any grants, new versions, hand-ins, clearings and last days', async () => {
  const { server, plancode, pupils } = await aSchoolWithPlanCounts(3);
  const { as, clock, services } = server;
  const chen = as('chen');
  const step = fc.record({
    operation: fc.constantFrom('buy', 'version', 'authorise', 'clear', 'answer', 'codes', 'days'),
    index: fc.integer({ min: 0, max: 2 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), fc.boolean(), async (steps, isMoved) => {
      for (const { operation, index } of steps) {
        const row = await newestOf(server, '初中普测');
        const pupil = pupils[index]!;
        const calls = {
          buy: () =>
            as('super')(wallet.grantMUserAssessCount, {
              ...{ musercode: school, plancode: index ? row.plancode : plancode, qty: 3 },
              enddate: addDays(clock.now, 10).toISOString().slice(0, 10),
            }),
          version: () =>
            chen(plan.updateMUserExamPlan, {
              ...{ plancode: row.plancode, version: row.version, movegrants: isMoved ? 1 : 0 },
              forms: row.forms.length === 2 ? [{ formcode: 'PHQ9' }] : students.forms,
            }),
          authorise: () => chen(authorize.authorizeCUserPlan, { cuserids: [pupil.cuserid], plancode: row.plancode }),
          clear: () => chen(authorize.clearCUserAssessCount, { cuserid: pupil.cuserid, plancode: row.plancode, reason: '清零' }),
          answer: () => answerTask(server, pupil),
          codes: () =>
            as('ma')(entry.insertCUserAssessCode, {
              ...{ musercode: school, appid: '000000002', plancode: row.plancode, qty: 1 },
            }),
          days: () => expireCounts(services.pools, (clock.now = addDays(clock.now, 6))),
        };
        // Some calls have nothing to do: no counts are left, or nobody has anything to answer.
        await calls[operation]().catch((error: { code?: number; message: string }) => {
          if (error.code !== 150001 && !error.message.includes('nothing to answer')) throw error;
        });
        expect(await findDisagreements(server)).toEqual([]);
        const { wallets } = await chen(wallet.getMUserAssessCount, {});
        expect(wallets.filter((item) => item.plancode !== '*').map((item) => item.plancode)).toEqual([plancode]);
      }
    }),
    { numRuns: 6 },
  );
});

test('a new version takes unused authorizations along when staff say so, and the running task keeps the old one', async () => {
  const { server, plancode, teamcode, pupils } = await aSchoolWithPlanCounts(20);
  const chen = server.as('chen');
  await chen(task.insertAssessTask, screening([teamcode], { plancode }));
  const [lin, zhou] = pupils.map((pupil) => pupil.cuserid) as [string, string];
  await chen(authorize.authorizeCUserPlan, { cuserids: [lin, zhou], plancode });
  expect(await chen(getPlanVersionList, { plancode })).toMatchObject({ movable: 2, tasks: 1 });
  const row = await newestOf(server, '初中普测');
  const second = await chen(plan.updateMUserExamPlan, {
    ...{ plancode, version: row.version, movegrants: 1, planname: '初中普测（新）', retestdays: 30 },
    forms: [{ formcode: 'GAD7' }, { formcode: 'PHQ9', required: 0 }],
  });
  const grants = await chen(authorize.getCUserPlan, { cuserid: lin });
  expect(grants.map((grant) => [grant.plancode, grant.taskname, grant.planname])).toEqual(
    expect.arrayContaining([
      [second.plancode, '', '初中普测（新）'],
      [plancode, '2025 秋季普测', '初中普测（新）'],
    ]),
  );
  const { versions, movable } = await chen(getPlanVersionList, { plancode: second.plancode });
  expect(movable).toBe(2);
  expect(versions).toMatchObject([
    {
      plancode: second.plancode,
      lineageno: 2,
      current: 1,
      authorname: '陈静怡',
      changes: [
        '“患者健康问卷抑郁量表（PHQ-9）”改为选答',
        '量表顺序改为“广泛性焦虑量表（GAD-7）”、“患者健康问卷抑郁量表（PHQ-9）”',
        '复测间隔：不设 → 30 天',
      ],
    },
    { plancode, lineageno: 1, current: 0, changes: ['首个版本'] },
  ]);
  await expect(chen(authorize.authorizeCUserPlan, { cuserids: [lin], plancode })).rejects.toThrow('方案已有新版本');
  await answerTask(server, pupils[2]!);
  expect(await findDisagreements(server)).toEqual([]);
});

test('each stage has a scored form, and a form of every stage is not chosen for one stage again', async () => {
  const { as } = await startServer();
  const insert = (forms: { formcode: string; stagecode?: string }[], stagecodes: string[]) =>
    as('chen')(plan.insertMUserExamPlan, { ...students, forms, stagecodes });
  await expect(
    insert(
      [
        { formcode: 'PHQ9', stagecode: 'XS01' },
        { formcode: 'STUREG', stagecode: 'XS02' },
      ],
      ['XS01', 'XS02'],
    ),
  ).rejects.toMatchObject({ code: 120002, data: { field: 'stagecodes', stagecode: 'XS02' } });
  await expect(insert([{ formcode: 'PHQ9' }, { formcode: 'PHQ9', stagecode: 'XS01' }], ['XS01'])).rejects.toThrow('重复选择');
  await expect(insert([{ formcode: 'PHQ9', stagecode: 'XS02' }], ['XS01'])).rejects.toThrow('不在方案阶段内');
  expect((await insert([{ formcode: 'PHQ9' }, { formcode: 'GAD7', stagecode: 'XS02' }], ['XS01', 'XS02'])).plancode).toMatch(
    /^P/,
  );
});

test('a custom report needs a template that the owner may use', async () => {
  const { as } = await startServer();
  await expect(as('chen')(plan.insertMUserExamPlan, { ...students, reportmode: '03' })).rejects.toMatchObject({
    code: 120002,
    data: { field: 'reporttemplatecode' },
  });
  await expect(
    as('chen')(plan.insertMUserExamPlan, { ...students, reportmode: '03', reporttemplatecode: 'RT999999' }),
  ).rejects.toThrow('报告模板不存在');
});

test('a rule of a plan judges the sheets of everybody who uses the plan, of all versions, and no other sheets', async () => {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { as } = server;
  // PHQ-9 8: the platform's rules open no case.
  const mild = { PHQ9: '1 1 1 1 1 1 1 1 0 0', GAD7: '0 0 0 0 0 0 0' };
  const { plancode } = await as('fang')(plan.insertMUserExamPlan, { ...students, planname: '安澜普测' });
  await as('fang')(plan.updatePlanIsCommon, { plancode, iscommon: 1 });
  const newRule = { name: '普测关注', warninglevel: 2, cond: { all: [{ form: 'PHQ9', score: 'total', gte: 7 }] }, plancode };
  await as('fang')(rule.insertWarningRule, newRule);
  expect(await as('chen')(rule.getWarningRuleList, { plancode })).toMatchObject([
    { name: '普测关注', own: 0, planname: '安澜普测' },
  ]);
  await expect(as('chen')(rule.insertWarningRule, newRule)).rejects.toMatchObject({ data: { field: 'plancode' } });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明', '吴思远'], birthday: '2011-07-08' });
  await takeExam(server, pupils[0]!, mild);
  await takeExam(server, pupils[1]!, mild, { plancode });
  const names = async () => (await as('chen')(warning.getWarningPageList, {})).rows.map((row) => row.username).sort();
  expect(await names()).toEqual(['周明']);
  const { rows } = await as('fang')(plan.getMUserExamPlanPage, { keyword: '安澜普测' });
  const second = await as('fang')(plan.updateMUserExamPlan, {
    ...{ plancode, version: rows[0]!.version, forms: [{ formcode: 'PHQ9' }] },
  });
  await takeExam(server, pupils[2]!, mild, { plancode: second.plancode });
  expect(await names()).toEqual(['吴思远', '周明']);

  // The comparison knows the rule: it finds no difference, and it finds the two cases again when they and their logs are removed.
  server.clock.now = addDays(server.clock.now, 1);
  const compare = async () => (await reconcile(server.services, 'nightly', server.clock.now)).reports[school]?.difflist;
  expect(await compare()).toEqual([]);
  const tables = ['warning', 'warninglog', 'casewitness'];
  const switchTriggers = (to: string) => tables.map((name) => `alter table ${name} ${to} trigger user;`).join('');
  await server.sqlAsOwner(
    `${switchTriggers('disable')} truncate ${tables.join(', ')} cascade; delete from outbox; ${switchTriggers('enable')}`,
  );
  expect(await compare()).toHaveLength(2);
});
