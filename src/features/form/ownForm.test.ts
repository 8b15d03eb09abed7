import { expect, test } from 'vitest';
import { updateExamStageForms } from '#features/app/app.contract.ts';
import { getDuePageList } from '#features/archive/archive.contract.ts';
import * as examdata from '#features/examdata/examdata.contract.ts';
import { insertMUserExamPlan } from '#features/plan/plan.contract.ts';
import { getCUserReport } from '#features/report/report.contract.ts';
import { getStatisticSheetPageList } from '#features/statistics/sheets/sheets.contract.ts';
import { getTaskBoard } from '#features/task/board/board.contract.ts';
import { insertAssessTask } from '#features/task/task.contract.ts';
import { getPHQ9ChartsData } from '#features/trend/trend.contract.ts';
import { reconcile } from '#features/warning/reconcile/reconcile.ts';
import * as rule from '#features/warning/rules/rule.contract.ts';
import { getWarningDetail, getWarningPageList } from '#features/warning/warning.contract.ts';
import { adaptation, aPlanOf, beginTask, publishVersion, withdrawVersion } from '#testing/forms/ownForm.ts';
import { addClass, screening } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const F = 'F000001';
const autumn = { year: '2025-2026', term: '1' };

/** 晨光中学 has published 校园适应自评 and screens 初二1班 with it. */
async function screenedSchool(names: readonly string[] = ['林晓晨', '周明']) {
  const server = await startServer();
  await publishVersion(server, adaptation());
  const { teamcode, pupil } = await addClass(server, { teamname: '初二1班', names });
  const plancode = await aPlanOf(server, F);
  const openTask = (more: Parameters<typeof screening>[1] = {}) =>
    server.as('chen')(insertAssessTask, screening([teamcode], { plancode, taskname: '适应筛查', ...more }));
  return { server, chen: server.as('chen'), pupil, plancode, teamcode, openTask };
}

test('a form of a school opens cases by its alerts and levels, and report, reconciliation, exports and statistics know it', async () => {
  const { server, chen, pupil, openTask } = await screenedSchool();
  await openTask();
  const lin = await beginTask(server, pupil('林晓晨'));
  expect(lin.sheets.map(({ formcode, formname, items }) => [formcode, formname, items.length])).toEqual([
    [F, '校园适应自评', 20],
  ]);
  const examcode = await lin.submit('0', { q20: '2' });
  await (await beginTask(server, pupil('周明'))).submit('3', { q20: '0' });

  const { rows } = await chen(getWarningPageList, {});
  expect(rows.map(({ username, level, triggers }) => [username, level, triggers])).toEqual([
    ['林晓晨', 3, '第20题选“经常”或“总是”，须当日了解情况'],
    // 55 of 60 points are level 3 of the form; the floor rule R00 makes them a case of level 2.
    ['周明', 2, expect.stringContaining('校园适应自评 55 分 需要尽快关心')],
  ]);
  const { full } = await chen(getWarningDetail, { warningcode: rows[0]?.warningcode as string });
  expect(full?.answers).toMatchObject([{ formname: '校园适应自评', question: '第20题 校园生活第 20 项', answer: '经常' }]);

  const report = await chen(getCUserReport, { examcode } as never);
  expect(JSON.stringify(report)).toMatch(/学习压力.*同伴关系/);

  const { reports, failed } = await reconcile(server.services, 'nightly', server.clock.now);
  expect(failed).toEqual([]);
  expect(reports['M_CHENGUANG']).toMatchObject({ sheets: 2, differences: 0 });

  const data = await chen(examdata.getCUserExamDataPageList, {});
  expect(data.rows.map(({ formname, formversion }) => [formname, formversion])).toEqual([
    ['校园适应自评', '1.0.0'],
    ['校园适应自评', '1.0.0'],
  ]);
  const abnormal = await chen(getStatisticSheetPageList, { ...autumn, isabnormal: 1 });
  expect(abnormal.total).toBe(2);
});

test('the reconciliation finds a case that a form of a school should have opened, and names its form', async () => {
  const { server, pupil, openTask } = await screenedSchool();
  await openTask();
  const examcode = await (await beginTask(server, pupil('周明'))).submit('0');
  // The state after a fault of the scoring: high answers, and no case.
  await server.sqlAsOwner(
    `update examform set answers = (
       select jsonb_object_agg(key, '3') || '{"q1": "1", "q20": "0"}' from jsonb_each(answers))
     where examcode = $1`,
    [examcode],
  );
  const { reports } = await reconcile(server.services, 'nightly', server.clock.now);
  expect(reports['M_CHENGUANG']).toMatchObject({ differences: 1 });
  const [row] = await server.sqlAsOwner<{ content: string }>("select content from reconcilediff where kind = 'sheet'");
  expect(row?.content).toContain('校园适应自评 总分 55 分');
});

test('own rules judge the factors of a form of the school; another school neither sees nor uses the form', async () => {
  const { server, chen, pupil, openTask } = await screenedSchool();
  const forms = await chen(rule.getWarningRuleForms, {});
  expect(forms.find(({ form }) => form === F)).toMatchObject({ title: '校园适应自评', alerts: [{ c: 'LIFE' }] });
  const cond = { all: [{ form: F, score: 'peer', gte: 20 }] };
  const { rulecode } = await chen(rule.insertWarningRule, { name: '同伴关系偏高', cond, warninglevel: 3 });
  expect((await chen(rule.getWarningRuleList, {})).find((row) => row.rulecode === rulecode)?.words).toBe(
    '“校园适应自评” 同伴关系 ≥ 20',
  );
  const others = await server.as('qiao')(rule.getWarningRuleForms, {});
  expect(others.some(({ form }) => form === F)).toBe(false);
  await expect(server.as('qiao')(rule.insertWarningRule, { name: '同伴关系偏高', cond, warninglevel: 3 })).rejects.toMatchObject({
    message: `没有量表 ${F}`,
  });

  await openTask();
  const others20 = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`q${index + 11}`, index === 9 ? '1' : '3']));
  await (await beginTask(server, pupil('林晓晨'))).submit('0', others20);
  const { rows } = await chen(getWarningPageList, {});
  expect(rows.map(({ username, level, triggers }) => [username, level, triggers])).toEqual([
    ['林晓晨', 3, expect.stringContaining('同伴关系偏高')],
  ]);
});

test('a task keeps the versions of the day when it opened', async () => {
  const { server, pupil, openTask, plancode } = await screenedSchool();
  await openTask();
  await publishVersion(server, adaptation({ version: '2.0.0', title: '校园适应自评' }));
  const lin = await beginTask(server, pupil('林晓晨'));
  await lin.submit('0');
  const versions = await server.sqlAsOwner(
    'select formversion from examform join examrecord using (examcode) where formcode = $1 order by examform.starttime',
    [F],
  );
  expect(versions).toEqual([{ formversion: '1.0.0' }]);
  await openTask({ taskname: '第二次筛查' });
  const frozen = await server.sqlAsOwner(
    'select taskname, formversion from taskform join assesstask using (taskcode) order by taskcode',
  );
  expect(frozen).toEqual([
    { taskname: '适应筛查', formversion: '1.0.0' },
    { taskname: '第二次筛查', formversion: '2.0.0' },
  ]);
  expect(plancode).toBeTruthy();
});

test('opening a task freezes the longer forms that may follow, too', async () => {
  const { server, chen, teamcode } = await screenedSchool();
  const { plancode } = await chen(insertMUserExamPlan, {
    appid: '000000002',
    planname: '快筛',
    forms: [{ formcode: 'PHQ2' }],
  });
  await chen(insertAssessTask, screening([teamcode], { plancode, taskname: '快筛' }));
  const rows = await server.sqlAsOwner('select formcode from taskform order by formcode');
  expect(rows).toEqual([{ formcode: 'PHQ2' }, { formcode: 'PHQ9' }]);
});

test('a retired form enters no plan, no stage and no new task, and the refusal names it; what runs goes on', async () => {
  const { server, chen, pupil, openTask } = await screenedSchool();
  await openTask();
  await server.sqlAsOwner('update form set status = 2 where formcode = $1', [F]);
  const named = expect.stringMatching(/“校园适应自评”.*停用/);
  const plan = {
    appid: '000000002',
    planname: '新方案',
    forms: [{ formcode: F }],
    acknowledgement: '本校自编量表，由底线规则提示',
  };
  await expect(chen(insertMUserExamPlan, plan)).rejects.toMatchObject({ message: named });
  await expect(openTask({ taskname: '再筛一次' })).rejects.toMatchObject({ message: named });
  const [stage] = await server.sqlAsOwner<{ stageid: number }>(
    "select stageid::int from examstage where appid = '000000002' and isplatform = 1 limit 1",
  );
  const forms = [{ formcode: F, ordernum: 1, required: 1 }];
  await expect(
    server.as('ma')(updateExamStageForms, { stageid: stage?.stageid as number, forms } as never),
  ).rejects.toMatchObject({
    message: named,
  });
  await (await beginTask(server, pupil('林晓晨'))).submit('0');
});

test('no sitting begins with a withdrawn version; one that has begun may end', async () => {
  const { server, pupil, openTask } = await screenedSchool();
  const { taskcode } = await openTask();
  const lin = await beginTask(server, pupil('林晓晨'));
  await withdrawVersion(server, F, '1.0.0');
  await lin.submit('0');
  await expect(beginTask(server, pupil('周明'))).rejects.toMatchObject({ message: expect.stringContaining('暂停作答') });
  // The result that was counted wrongly says so everywhere, and is not scored again.
  const chen = server.as('chen');
  const report = await chen(getCUserReport, { examcode: lin.examcode });
  expect(JSON.stringify(report.staff)).toContain('“校园适应自评”：该版本计分有误，已撤回');
  expect(JSON.stringify(report.self)).toContain('该版本计分有误。这份结果不作参考');
  const [row] = (await chen(examdata.getCUserExamDataPageList, {})).rows;
  expect(row).toMatchObject({ iswithdrawn: 1, valid: 1 });
  const board = await chen(getTaskBoard, { taskcode });
  expect(board.paused).toEqual([{ formname: '校园适应自评', reason: '因子题号有误' }]);
  const trend = await chen(getPHQ9ChartsData, { cuserid: pupil('林晓晨').cuserid, formcode: F });
  expect(trend.points).toMatchObject([{ score: 1, levelname: '平稳，该版本计分有误', iswithdrawn: 1 }]);
});

test('trend, report and rules join one major version only, and mark the break', async () => {
  const { server, chen, pupil, openTask } = await screenedSchool();
  const cond = { all: [{ delta: { form: F, score: 'total', days: 90 }, gte: 5 }] };
  await chen(rule.insertWarningRule, { name: '总分上升', cond, warninglevel: 2 });
  const answer = async (taskname: string, option: string, others: Readonly<Record<string, string>> = { q20: '0' }) => {
    await openTask({ taskname });
    return (await beginTask(server, pupil('林晓晨'))).submit(option, others);
  };
  const few = { q20: '0', q2: '1', q3: '1', q4: '1', q5: '1', q6: '1', q7: '1' };
  await answer('第一次', '0');
  await publishVersion(server, adaptation({ version: '2.0.0' }));
  // 7 points after 1 would be a rise of 6, but the version has changed in between.
  const second = await answer('第二次', '0', few);
  expect((await chen(getWarningPageList, {})).total).toBe(0);
  const report = await chen(getCUserReport, { examcode: second });
  expect(JSON.stringify(report.staff)).toContain('版本变更，前后不可直接比较');
  expect(JSON.stringify(report.staff)).not.toContain('1 → 7');

  await publishVersion(server, adaptation({ version: '2.1.0' }));
  await answer('第三次', '0', { ...few, q8: '3', q9: '3' });
  expect((await chen(getWarningPageList, {})).rows.map(({ triggers }) => triggers)).toEqual([
    expect.stringContaining('总分上升'),
  ]);
  const { reports } = await reconcile(server.services, 'nightly', server.clock.now);
  expect(reports['M_CHENGUANG']).toMatchObject({ sheets: 3, differences: 0 });
  const trend = await chen(getPHQ9ChartsData, { cuserid: pupil('林晓晨').cuserid, formcode: F });
  expect(trend.points.map(({ score, formversion, isbreak }) => [score, formversion, isbreak])).toEqual([
    [1, '1.0.0', 0],
    [7, '2.0.0', 1],
    [13, '2.1.0', 0],
  ]);
  expect(trend.change).toMatchObject({ from: 7, to: 13 });
  expect(trend.events).toEqual([{ time: trend.points[1]?.date, label: '版本变更，前后不可直接比较' }]);
});

test('a person with a result of a withdrawn version is due for a re-test until another version is answered', async () => {
  const { server, chen, pupil, openTask } = await screenedSchool();
  await openTask();
  await (await beginTask(server, pupil('林晓晨'))).submit('0');
  const findDue = async () =>
    (await chen(getDuePageList, { appid: '000000002', due: 'retest' })).rows.map(({ username }) => username);
  expect(await findDue()).toEqual([]);
  await withdrawVersion(server, F, '1.0.0');
  expect(await findDue()).toEqual(['林晓晨']);
  await publishVersion(server, adaptation({ version: '2.0.0' }));
  await openTask({ taskname: '重新筛查' });
  await (await beginTask(server, pupil('林晓晨'))).submit('0');
  expect(await findDue()).toEqual([]);
});
