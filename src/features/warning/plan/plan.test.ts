import { expect, test } from 'vitest';
import { addDays, addHours, shanghaiTime } from '#domain/base/calendar.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { getSafetyPlan, insertSafetyPlan } from '#features/warning/plan/plan.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { takeExam } from '#testing/exam.ts';
import { aSafetyPlan } from '#testing/safetyPlan.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** 林小雨 of Wang's class 初二3班, 14 years old. chen owns her case of level 3 and has verified it. */
async function withCase() {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { pupils } = await addClass(server, {
    teamname: '初二3班',
    names: ['林小雨', '周明'],
    owneruserid: 'U_WANG',
    birthday: '2011-07-08',
  });
  await takeExam(server, pupils[0]!, { PHQ9: '2 2 2 2 2 2 2 1 1 1', GAD7: '2 1 1 1 1 1 1' });
  const chen = server.as('chen');
  const { warningcode } = (await chen(warning.getWarningPageList, {})).rows[0]!;
  await chen(handling.acceptWarning, { warningcode });
  await chen(handling.verifyWarning, { warningcode, contactresult: '01', content: '与学生面谈，情况属实' });
  const full = async () => (await chen(warning.getWarningDetail, { warningcode })).full!;
  return { ...server, chen, warningcode, pupil: pupils[0]!, other: pupils[1]!, full };
}

test('of two colleagues who write the safety plan at once, the second hears who saved in between, and no text is lost', async () => {
  const { as, chen, warningcode, full } = await withCase();
  const own = (planversion: number, coping: string) => ({ warningcode, ...aSafetyPlan({ coping }), planversion });
  const answers = await Promise.allSettled([
    chen(insertSafetyPlan, own(0, '陈老师写的：去操场走走')),
    as('lu')(insertSafetyPlan, own(0, '陆老师写的：给姑姑打电话')),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const saved = (await full()).safetyplan!;
  expect(saved.version).toBe(1);
  const [refusal] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []));
  expect(refusal).toMatchObject({
    code: 140002,
    message: expect.stringMatching(
      new RegExp(`^${saved.operatorname}于 2025-10-10 14:04 修改了安全计划，请核对后再保存$`),
    ) as string,
  });
  expect(await as('lu')(insertSafetyPlan, own(1, '两人的话合在一起'))).toMatchObject({ planversion: 2 });
  await expect(chen(insertSafetyPlan, own(1, '又写一遍'))).rejects.toMatchObject({ code: 140002 });
  expect((await full()).safetyplan).toMatchObject({ version: 2, coping: '两人的话合在一起' });
});

test('each change of a safety plan is a new version, and the newest one stands in the case with its telephone numbers', async () => {
  const { as, chen, warningcode, full, clock } = await withCase();
  expect(await chen(insertSafetyPlan, { warningcode, ...aSafetyPlan({ coping: '' }) })).toMatchObject({
    planversion: 1,
    gaps: ['我自己能做的事'],
  });
  expect((await full()).safetyplan).toMatchObject({ version: 1, iscomplete: 0, gaps: ['我自己能做的事'] });
  clock.now = addDays(clock.now, 1);
  expect(await as('lu')(insertSafetyPlan, { warningcode, ...aSafetyPlan() })).toMatchObject({ planversion: 2, gaps: [] });
  const { safetyplan, planversions, logs } = await full();
  expect(safetyplan).toMatchObject({
    version: 2,
    iscomplete: 1,
    operatorname: '陆远',
    coping: '下楼走一圈，听那张专辑',
    helpers: [{ name: '妈妈', phonenumber: '13900001111', isadult: 1, issuspect: 0 }],
    reviewdate: '2025-10-20',
  });
  expect(planversions.map(({ version, iscomplete, operatorname }) => [version, iscomplete, operatorname])).toEqual([
    [2, 1, '陆远'],
    [1, 0, '陈静怡'],
  ]);
  expect(logs.filter(({ action }) => action === '安全计划').map(({ content }) => content)).toEqual([
    '安全计划第 2 版（完整）。副本：本人、妈妈。复查日：2025-10-20',
    '安全计划第 1 版，尚缺：我自己能做的事。副本：本人、妈妈。复查日：2025-10-20',
  ]);
  // An earlier version stays readable.
  expect(await chen(getSafetyPlan, { planid: planversions[1]!.planid })).toMatchObject({ version: 1, coping: '' });
});

test('no telephone number of a plan is stored or logged in clear text, and no version can be changed', async () => {
  const { chen, warningcode, sqlAsOwner } = await withCase();
  await chen(insertSafetyPlan, { warningcode, ...aSafetyPlan() });
  const stored = await sqlAsOwner<{ text: string }>(
    'select (select helpers::text from safetyplan) || (select string_agg(content || detail::text, $1) from warninglog) as text',
    ['\n'],
  );
  expect(stored[0]?.text).toContain('妈妈');
  expect(stored[0]?.text).not.toContain('13900001111');
  expect(
    await sqlAsOwner(
      "select privilege_type from information_schema.table_privileges where table_name = 'safetyplan' and grantee = 'xinli_app' order by 1",
    ),
  ).toEqual([{ privilege_type: 'INSERT' }, { privilege_type: 'SELECT' }]);
});

test('a plan of a minor without a trusted adult is not complete, and means that nobody dealt with stand in the log', async () => {
  const { chen, warningcode, full } = await withCase();
  const { gaps } = await chen(insertSafetyPlan, {
    warningcode,
    ...aSafetyPlan({
      helpers: [
        { name: '同桌', relation: '同学', phonenumber: '13900002222', isadult: 0 },
        { name: '叔叔', relation: '亲戚', phonenumber: '13900003333', isadult: 1, issuspect: 1 },
      ],
      means: [
        { kind: '01', status: '03', note: '抽屉里的感冒药' },
        ...(['02', '03', '04', '05'] as const).map((kind) => ({ kind, status: '01' as const })),
      ],
    }),
  });
  expect(gaps).toEqual(['我可以求助的人：至少一位可信赖的成年人']);
  expect((await full()).logs[0]?.content).toContain('环境安全未处理：药品、农药（抽屉里的感冒药）');
});

test('from level 3, means that nobody dealt with are a duty of 24 hours, which a later plan ends', async () => {
  const { chen, warningcode, full, clock } = await withCase();
  const open = aSafetyPlan({
    means: (['01', '02', '03', '04', '05'] as const).map((kind) => ({ kind, status: kind === '02' ? '03' : '01' })),
  });
  await chen(insertSafetyPlan, { warningcode, ...open });
  const due = shanghaiTime(addHours(clock.now, 24));
  expect((await full()).duties).toMatchObject([{ kind: 'means', duetime: due, donetime: null }]);
  clock.now = addHours(clock.now, 3);
  await chen(insertSafetyPlan, { warningcode, ...open });
  expect((await full()).duties).toMatchObject([{ kind: 'means', duetime: due, donetime: null }]);
  await chen(insertSafetyPlan, { warningcode, ...aSafetyPlan() });
  expect((await full()).duties).toMatchObject([{ kind: 'means', donetime: shanghaiTime(clock.now) }]);
});

test('open means of an earlier plan become a duty when the case rises to level 3', async () => {
  const { as, chen, other, clock } = await withCase();
  const { warningcode } = await chen(handling.insertWarning, { cuserid: other.cuserid, level: 2, content: '课堂上情绪低落' });
  await chen(insertSafetyPlan, {
    warningcode,
    ...aSafetyPlan({ means: [{ kind: '01', status: '03' }] }),
  });
  const duties = async () => (await chen(warning.getWarningDetail, { warningcode })).full?.duties;
  expect(await duties()).toEqual([]);
  clock.now = addHours(clock.now, 1);
  await as('lu')(handling.updateWarningLevel, { warningcode, level: 3, reason: '班主任反映有新的情况' });
  expect(await duties()).toMatchObject([{ kind: 'means', duetime: shanghaiTime(addHours(clock.now, 24)) }]);
});

test('a suggestion of level 2 needs a complete plan before the intervention and the observation', async () => {
  const { chen, warningcode, full } = await withCase();
  await chen(handling.notifyGuardian, { warningcode, guardianname: '林建国', method: '01', content: '已说明情况，家长会陪伴' });
  await chen(handling.insertRiskAssess, { warningcode, ideation: 1, attempthistory: 0, support: 2, conclusionlevel: 2 });
  const reason = '系统建议“二级预警”及以上，须先和本人一起写好完整的安全计划';
  await expect(chen(handling.observe, { warningcode })).rejects.toMatchObject({ data: { reasons: [reason] } });
  expect((await full()).actions.find(({ action }) => action === 'intervene')?.reasons).toContain(reason);
  await chen(insertSafetyPlan, { warningcode, ...aSafetyPlan() });
  expect(await chen(handling.observe, { warningcode })).toMatchObject({ state: '06' });
});

test('a complete plan written in the interview lets the intervention begin without an earlier intervention', async () => {
  const { chen, warningcode, full, sqlAsOwner } = await withCase();
  await chen(handling.notifyGuardian, { warningcode, guardianname: '林建国', method: '01', content: '已说明情况，家长会陪伴' });
  const talk = { warningcode, ideation: 1, attempthistory: 0, support: 2, conclusionlevel: 3 };
  const { assessid } = await chen(handling.insertRiskAssess, { ...talk, safetyplan: aSafetyPlan({ warningsigns: '' }) });
  expect(await sqlAsOwner('select assessid from safetyplan')).toEqual([{ assessid }]);
  expect((await full()).actions.find(({ action }) => action === 'intervene')?.reasons).not.toEqual([]);
  await chen(insertSafetyPlan, { warningcode, ...aSafetyPlan() });
  expect(await chen(handling.startIntervene, { warningcode })).toMatchObject({ state: '04' });
});

test('a day in the future on which means were stored is refused at its field, also within the interview', async () => {
  const { chen, warningcode } = await withCase();
  const future = aSafetyPlan({ means: [{ kind: '02', status: '02', keeper: '妈妈', storeddate: '2025-10-11' }] });
  await expect(chen(insertSafetyPlan, { warningcode, ...future })).rejects.toMatchObject({
    code: 120002,
    data: { field: 'means.0.storeddate' },
  });
  await expect(
    chen(handling.insertRiskAssess, {
      warningcode,
      ideation: 0,
      attempthistory: 0,
      support: 2,
      conclusionlevel: 2,
      safetyplan: future,
    }),
  ).rejects.toMatchObject({ data: { field: 'safetyplan.means.0.storeddate' } });
});

test('the sheet for the person names the institution and its contact, and says nothing about level, score or warning', async () => {
  const { chen, warningcode, sqlAsOwner, pupil } = await withCase();
  await sqlAsOwner("update sysuser set phonenumber = '13700007777' where userid = 'U_CHEN'");
  const { planid } = await chen(insertSafetyPlan, { warningcode, ...aSafetyPlan() });
  const sheet = await chen(getSafetyPlan, { planid });
  expect(sheet).toMatchObject({ insname: '云栖市晨光中学', contactname: '陈静怡', contactphone: '13700007777' });
  expect(Object.keys(sheet).filter((key) => /level|score|state|reason/.test(key))).toEqual([]);
  expect(await sqlAsOwner("select cuserids, kind from audit.log where action = 'as.m.warning.getSafetyPlan'")).toEqual([
    { cuserids: [pupil.cuserid], kind: 'reveal' },
  ]);
});

test('the sheet names the contact of the institution when the owner has no telephone number', async () => {
  const { chen, warningcode, sqlAsOwner } = await withCase();
  await sqlAsOwner("update muser set realname = '马文博', phonenumber = '0571-88881111' where musercode = 'M_CHENGUANG'");
  const { planid } = await chen(insertSafetyPlan, { warningcode, ...aSafetyPlan() });
  expect(await chen(getSafetyPlan, { planid })).toMatchObject({ contactname: '马文博', contactphone: '0571-88881111' });
});

test('a plan is closed to class teachers, other institutions and staff without the right to handle warnings', async () => {
  const { as, chen, warningcode } = await withCase();
  const { planid } = await chen(insertSafetyPlan, { warningcode, ...aSafetyPlan() });
  await expect(as('wang')(getSafetyPlan, { planid })).rejects.toMatchObject({ code: 110004 });
  await expect(as('wang')(insertSafetyPlan, { warningcode, ...aSafetyPlan() })).rejects.toMatchObject({ code: 110004 });
  await expect(as('nobody')(getSafetyPlan, { planid })).rejects.toMatchObject({ code: 110004 });
  for (const who of ['qiao', 'lin'] as const) {
    await expect(as(who)(getSafetyPlan, { planid })).rejects.toMatchObject({ code: 130001 });
    await expect(as(who)(insertSafetyPlan, { warningcode, ...aSafetyPlan() })).rejects.toMatchObject({ code: 130001 });
  }
});
