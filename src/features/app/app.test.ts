import { expect, test } from 'vitest';
import * as app from '#features/app/app.contract.ts';
import * as plan from '#features/plan/plan.contract.ts';
import { startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;
const stagesOf = async ({ as }: Server, person: 'chen' | 'qiao' | 'super') =>
  (await as(person)(app.getExamStageList, { appid: '000000002' })) as app.StageRow[];

test('a school adds its own stage, other schools do not see it, and platform stages stay locked', async () => {
  const server = await startServer();
  const { as } = server;
  const { stageid } = await as('chen')(app.insertExamStage, {
    appid: '000000002',
    stagecode: 'CG01',
    stagename: '军训前',
    categoryid: '202',
    autorule: { kind: 'months', months: [8] },
  });
  expect((await stagesOf(server, 'chen')).find((stage) => stage.stageid === stageid)).toMatchObject({
    stagename: '军训前',
    own: true,
    chosen: true,
    autorule: { kind: 'months', months: [8] },
  });
  expect((await stagesOf(server, 'qiao')).some((stage) => stage.stageid === stageid)).toBe(false);
  const platform = (await stagesOf(server, 'chen')).find((stage) => stage.stagecode === 'XS01');
  expect(platform).toMatchObject({ own: false, stagename: '秋季学期' });
  await expect(
    as('chen')(app.updateExamStage, { stageid: platform?.stageid as number, stagename: '别的' }),
  ).rejects.toMatchObject({ code: 110004 });
  await expect(as('qiao')(app.updateExamStage, { stageid, stagename: '别的' })).rejects.toMatchObject({ code: 130001 });
  await expect(
    as('chen')(app.insertExamStage, { appid: '000000002', stagecode: 'XS01', stagename: '假秋季' }),
  ).rejects.toMatchObject({ code: 130002 });
  await expect(
    as('chen')(app.insertExamStage, { appid: '000000002', stagecode: 'CG01', stagename: '又一个' }),
  ).rejects.toMatchObject({ code: 130002 });
  await expect(
    as('chen')(app.insertExamStage, { appid: '000000002', stagecode: 'CG02', stagename: '错类别', categoryid: '101' }),
  ).rejects.toMatchObject({ code: 120002 });
  await expect(
    as('chen')(app.insertExamStage, {
      appid: '000000001',
      stagecode: 'CG03',
      stagename: '倒置',
      autorule: { kind: 'gestation', from: 90, to: 10 },
    }),
  ).rejects.toMatchObject({ code: 120002 });
});

test('a stage in use cannot be deleted; an unused stage can, and its code becomes free', async () => {
  const server = await startServer();
  const chen = server.as('chen');
  const usedStage = await chen(app.insertExamStage, { appid: '000000002', stagecode: 'CG01', stagename: '军训前' });
  await chen(plan.insertMUserExamPlan, {
    appid: '000000002',
    planname: '军训方案',
    forms: [{ formcode: 'PHQ9', stagecode: 'CG01' }],
    stagecodes: ['CG01'],
  });
  await expect(chen(app.deleteExamStage, usedStage)).rejects.toMatchObject({ code: 130003 });
  const { stageid } = await chen(app.insertExamStage, { appid: '000000002', stagecode: 'CG02', stagename: '军训后' });
  await chen(app.deleteExamStage, { stageid });
  await chen(app.insertExamStage, { appid: '000000002', stagecode: 'CG02', stagename: '军训后' });
});

test('a school replaces the forms of a platform stage for itself only', async () => {
  const server = await startServer();
  const { as } = server;
  const stageid = (await stagesOf(server, 'super')).find((stage) => stage.stagecode === 'XS01')?.stageid as number;
  const codes = async (person: 'chen' | 'qiao') =>
    (await as(person)(app.getExamStageForms, { stageid })).map((form) => form.formcode);
  await as('super')(app.updateExamStageForms, {
    stageid,
    forms: [
      { formcode: 'PHQ9', ordernum: 1 },
      { formcode: 'GAD7', ordernum: 2, required: 0 },
    ],
  });
  expect(await codes('chen')).toEqual(['PHQ9', 'GAD7']);
  await as('chen')(app.updateExamStageForms, {
    stageid,
    forms: [
      { formcode: 'GAD7', ordernum: 1 },
      { formcode: 'PHQ9', ordernum: 2 },
    ],
  });
  expect(await codes('chen')).toEqual(['GAD7', 'PHQ9']);
  expect(await codes('qiao')).toEqual(['PHQ9', 'GAD7']);
  await as('qiao')(app.deleteExamStageForms, { stageid, formcodes: ['GAD7'] });
  expect(await codes('qiao')).toEqual(['PHQ9']);
  expect(await codes('chen')).toEqual(['GAD7', 'PHQ9']);
  await expect(
    as('chen')(app.updateExamStageForms, { stageid, forms: [{ formcode: 'NONE', ordernum: 1 }] }),
  ).rejects.toMatchObject({ code: 130001 });
  await expect(
    as('chen')(app.updateExamStageForms, {
      stageid,
      forms: [
        { formcode: 'PHQ9', ordernum: 1 },
        { formcode: 'PHQ9', ordernum: 2 },
      ],
    }),
  ).rejects.toMatchObject({ code: 120002 });
});

test('applications and stages are granted to lower institutions and can be withdrawn', async () => {
  const server = await startServer();
  const { as } = server;
  await as('fang')(app.addAppsAndStages, { musercode: 'M_CHENGUANG', items: [{ appid: '000000002', stagecodes: ['XS01'] }] });
  expect((await stagesOf(server, 'chen')).filter((stage) => stage.chosen).map((stage) => stage.stagecode)).toEqual(['XS01']);
  const [students] = await as('chen')(app.getExamStageListGroupByAppidCategoryid, { appid: '000000002' });
  expect(students?.categories[0]?.stages.map((stage) => stage.stagecode)).toEqual(['XS01']);
  await as('fang')(app.insertMUserApp, { musercode: 'M_CHENGUANG', appids: ['000000003'], enddate: '2030-12-31' });
  expect(await as('fang')(app.getAppsAndStages, { musercode: 'M_CHENGUANG' })).toEqual([
    { appid: '000000003', version: 3, begindate: null, enddate: '2030-12-31', stagecodes: [] },
  ]);
  await expect(
    as('fang')(app.addAppsAndStages, { musercode: 'M_CHENGUANG', items: [{ appid: '000000002', stagecodes: ['YC01'] }] }),
  ).rejects.toMatchObject({ code: 130001 });
  await expect(as('fang')(app.insertMUserApp, { musercode: 'AS000001', appids: [] })).rejects.toMatchObject({ code: 130001 });
  await expect(as('fang')(app.insertMUserApp, { musercode: 'M_ANLAN', appids: [] })).rejects.toMatchObject({ code: 110004 });
  await expect(as('chen')(app.insertMUserApp, { musercode: 'M_CHENGUANG', appids: [] })).rejects.toMatchObject({ code: 110004 });
});
