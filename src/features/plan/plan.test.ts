import { expect, test } from 'vitest';
import * as plan from '#features/plan/plan.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { aHomeForm } from '#testing/factories.ts';
import { addClass, screening } from '#testing/school.ts';
import { sharedServer } from '#testing/server.ts';

const shared = sharedServer();

const students = { appid: '000000002', planname: '初中普测', forms: [{ formcode: 'PHQ9' }, { formcode: 'GAD7' }] };

test('a school lists its own plans and the common plans of institutions above it, and no other school’s plans', async () => {
  const { as } = shared();
  const { plancode } = await as('chen')(plan.insertMUserExamPlan, students);
  const listCodes = async (person: 'chen' | 'qiao' | 'ma') =>
    (await as(person)(plan.getMUserExamPlanPage, { appid: '000000002' })).rows.map((row) => [row.plancode, row.own]);
  expect(await listCodes('chen')).toEqual(
    expect.arrayContaining([
      [plancode, true],
      ['P900002', false],
    ]),
  );
  expect((await listCodes('qiao')).map(([code]) => code)).not.toContain(plancode);
  for (const call of [plan.getPlanForm, plan.getPlanStage, plan.getFormInfoByPlanCode, plan.deleteMUserExamPlan])
    await expect(as('qiao')(call, { plancode })).rejects.toMatchObject({ code: 130001 });
  const { rows } = await as('chen')(plan.getMUserExamPlanPage, { keyword: '初中普测' });
  expect(rows[0]).toMatchObject({
    minutes: 5,
    itemcount: 17,
    locked: false,
    usedcount: 0,
    forms: [
      { formcode: 'PHQ9', ordernum: 1 },
      { formcode: 'GAD7', ordernum: 2 },
    ],
  });
});

test('a request for several institutions offers only the plans that all of them can use', async () => {
  const { as } = shared();
  const ownPlan = await as('chen')(plan.insertMUserExamPlan, students);
  const commonPlan = await as('fang')(plan.insertMUserExamPlan, { ...students, planname: '安澜方案' });
  await as('fang')(plan.updatePlanIsCommon, { plancode: commonPlan.plancode, iscommon: 1 });
  const listCommonCodes = async (musercodes: string[]) =>
    (await as('fang')(plan.getMultipleMUserExamPlanPage, { musercodes, appid: '000000002' })).rows.map((row) => row.plancode);
  expect(await listCommonCodes(['M_CHENGUANG'])).toEqual(expect.arrayContaining([ownPlan.plancode, commonPlan.plancode]));
  const codesOfBoth = await listCommonCodes(['M_CHENGUANG', 'M_DONGSHAN']);
  expect(codesOfBoth).toContain(commonPlan.plancode);
  expect(codesOfBoth).not.toContain(ownPlan.plancode);
});

test('a used plan keeps its forms: a change creates a new version, which the list shows, and the old one stays', async () => {
  const server = shared();
  const chen = server.as('chen');
  const { plancode } = await chen(plan.insertMUserExamPlan, students);
  expect(await chen(plan.updateMUserExamPlan, { plancode, version: 1, forms: [{ formcode: 'PHQ9' }] })).toEqual({
    plancode,
    copied: false,
  });
  const { teamcode } = await addClass(server, { teamname: '初二3班', names: ['林小雨'] });
  await chen(task.insertAssessTask, screening([teamcode], { plancode }));
  expect(await chen(plan.updateMUserExamPlan, { plancode, version: 2, planname: '改个名字' })).toEqual({
    plancode,
    copied: false,
  });
  const changedPlan = await chen(plan.updateMUserExamPlan, { plancode, version: 3, forms: [{ formcode: 'GAD7' }] });
  expect(changedPlan.copied).toBe(true);
  const { rows } = await chen(plan.getMUserExamPlanPage, { keyword: '改个名字' });
  expect(rows.map((row) => [row.plancode, row.status, row.forms.map((form) => form.formcode), row.copyfrom])).toEqual([
    [changedPlan.plancode, 1, ['GAD7'], plancode],
  ]);
  await expect(chen(plan.updateMUserExamPlan, { plancode, version: 4, planname: '旧版本' })).rejects.toThrow('方案已有新版本');
  await expect(chen(plan.deleteMUserExamPlan, { plancode })).rejects.toMatchObject({ code: 130003 });
  await chen(plan.deleteMUserExamPlan, { plancode: changedPlan.plancode });
  const { rows: left } = await chen(plan.getMUserExamPlanPage, { keyword: '改个名字' });
  expect(left.map((row) => row.plancode)).toEqual([plancode]);
  await expect(chen(plan.updateMUserExamPlan, { plancode, version: 1, planname: '旧版本' })).rejects.toMatchObject({
    code: 140002,
  });
});

test('a common plan of the platform can be read and copied by a school, not changed', async () => {
  const { as } = shared();
  await expect(
    as('chen')(plan.updateMUserExamPlan, { plancode: 'P900002', version: 1, planname: '我们的' }),
  ).rejects.toMatchObject({ code: 140001 });
  await expect(as('chen')(plan.deleteMUserExamPlan, { plancode: 'P900002' })).rejects.toMatchObject({ code: 140001 });
  await expect(as('fang')(plan.updatePlanIsCommon, { plancode: 'P900002', iscommon: 0 })).rejects.toMatchObject({ code: 140001 });
  await as('chen')(plan.insertMUserExamPlan, { ...students, copyfrom: 'P900002' });
});

test('a self-service plan refuses forms for staff and for other populations', async () => {
  const { as } = shared();
  const insert = (formcode: string) => as('chen')(plan.insertMUserExamPlan, { ...students, forms: [{ formcode }] });
  await expect(insert('ASQ')).rejects.toThrow('须由工作人员');
  await expect(insert('GDS15')).rejects.toThrow('不适用于所选人群');
  await expect(insert('PHQ99')).rejects.toMatchObject({ code: 130001 });
  await expect(
    as('chen')(plan.insertMUserExamPlan, { ...students, forms: [{ formcode: 'PHQ9' }, { formcode: 'PHQ9' }] }),
  ).rejects.toThrow('同一量表重复选择');
});

test('a plan with a form that only the floor rule reads is published by name, with a reason that stays', async () => {
  const server = shared();
  const { as, clock } = server;
  await aHomeForm(server, { formcode: 'ZFYL', formname: '压力自评（校本）' });
  const request = { ...students, planname: '压力自评', forms: [{ formcode: 'ZFYL' }] };
  await expect(as('chen')(plan.insertMUserExamPlan, request)).rejects.toMatchObject({
    code: 120002,
    data: { field: 'acknowledgement', forms: [{ formcode: 'ZFYL', formname: '压力自评（校本）' }] },
  });
  clock.now = new Date('2025-10-08T03:30:00Z');
  const content = '压力课前后对比用，结果由心理老师逐份查看';
  const { plancode } = await as('chen')(plan.insertMUserExamPlan, { ...request, acknowledgement: content });
  const findRow = async () => (await as('chen')(plan.getMUserExamPlanPage, { keyword: '压力自评' })).rows[0];
  expect(await findRow()).toMatchObject({ plancode, acknowledgement: { name: '陈静怡', time: '2025-10-08 11:30:00', content } });
  // A later change of the forms is a new publication.
  const change = { plancode, version: 1, forms: [{ formcode: 'ZFYL' }, { formcode: 'PHQ9' }] };
  await expect(as('lu')(plan.updateMUserExamPlan, change)).rejects.toMatchObject({ data: { field: 'acknowledgement' } });
  await as('lu')(plan.updateMUserExamPlan, { ...change, acknowledgement: '加测抑郁，压力部分仍由心理老师逐份查看' });
  expect((await findRow())?.acknowledgement?.name).toBe('陆远');
});

test('a form without levels and alerts cannot screen, and registration forms alone neither', async () => {
  const server = shared();
  const chen = server.as('chen');
  await aHomeForm(server, { formcode: 'ZFKB', formname: '随想（校本）', bands: {} });
  const insert = (...formcodes: string[]) =>
    chen(plan.insertMUserExamPlan, { ...students, forms: formcodes.map((formcode) => ({ formcode })) });
  await expect(insert('ZFKB', 'PHQ9')).rejects.toThrow('“随想（校本）”没有带分级的主要得分，也没有红线条目');
  await expect(insert('STUREG')).rejects.toThrow('只有登记表，不能用于筛查');
  expect((await insert('STUREG', 'PHQ9')).plancode).toMatch(/^P/);
});

test('only staff who may edit forms see the scores of options', async () => {
  const { as } = shared();
  const request = { plancode: 'P900002', formcode: 'PHQ9' };
  const details = await as('chen')(plan.getPlanFormDetails, request);
  expect(details.questions).toHaveLength(10);
  expect(details.questions[0]?.options.map((option) => option.score)).toEqual([0, 1, 2, 3]);
  await expect(as('wang')(plan.getPlanFormDetails, request)).rejects.toMatchObject({ code: 110004 });
});
