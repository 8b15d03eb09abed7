import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addHours, fromShanghai } from '#domain/base/calendar.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { runConsentJobs } from '#features/consent/withdrawal/consentJobs.ts';
import * as muser from '#features/muser/muser.contract.ts';
import * as plan from '#features/plan/plan.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { judgeAllOpenSheets } from '#features/respond/review/judgeOpenSheets.ts';
import { endDueTasks } from '#features/task/closing.server.ts';
import * as task from '#features/task/task.contract.ts';
import { reconcile } from '#features/warning/reconcile/reconcile.ts';
import { addClass, screening, signInPupil, type Pupil } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const clientcode = 'entry_chenguang';
type Server = Awaited<ReturnType<typeof startServer>>;

/** A pupil begins the newest task. A call sends option codes in item order; a dash is blank. */
async function sit(server: Server, pupil: Pupil) {
  const own = await signInPupil(server, pupil, clientcode);
  const open = (await own(respond.getTasks, {})).find((candidate) => candidate.status < 2);
  const { examcode, sheets } = await own(respond.startExam, { cuserplanid: open?.cuserplanid as number });
  let clientseq = 0;
  let known = sheets;
  const answersTo = (forms: Readonly<Record<string, string>>) =>
    Object.entries(forms).flatMap(([formcode, codes]) =>
      [...codes].flatMap((value, index) => {
        const examformid = known.find((sheet) => sheet.formcode === formcode)?.examformid as number;
        return value === '-' ? [] : [{ examformid, c: `q${index + 1}`, value, clientseq: ++clientseq }];
      }),
    );
  const save = (forms: Readonly<Record<string, string>>) => own(respond.saveAnswer, { examcode, answers: answersTo(forms) });
  const submit = async (forms: Readonly<Record<string, string>>) => {
    const result = await own(respond.submitExam, { examcode, submitkey: randomUUID(), answers: answersTo(forms) });
    known = [...known, ...result.sheets];
    return result;
  };
  return { own, save, submit };
}

const calm = { PHQ9: '0000000000', GAD7: '0000000' };

/**
 * 晨光中学 screens three classes. Each pupil leaves another kind of sheet. `finish` runs the jobs until the end of the month; before each
 * run of the comparison they have done their work.
 */
async function screenedSchool() {
  const server = await startServer();
  const { as, services, clock, sqlAsOwner } = server;
  const at = (time: string) => (clock.now = fromShanghai(time));
  const runJobs = async () => {
    await runAsSystem(services.pools, platformCode, (scope) => endDueTasks(scope, clock.now));
    expect((await judgeAllOpenSheets(services, clock.now)).failed).toEqual([]);
    await runConsentJobs(services, clock.now);
  };
  const compare = async (kind: 'hourly' | 'nightly') => {
    const { reports, failed } = await reconcile(services, kind, clock.now);
    expect(failed).toEqual([]);
    return reports['M_CHENGUANG']!;
  };
  const findCases = async () =>
    Object.fromEntries(
      (
        await sqlAsOwner<{ username: string; level: number }>(
          "select username, level from warning join cuser using (cuserid) where state not in ('07', '08')",
        )
      ).map(({ username, level }) => [username, level]),
    );
  const main = await addClass(server, {
    teamname: '初三1班',
    names: ['安然', '林小雨', '周明', '吴桐', '郑好', '孙悦', '李响', '赵一诺', '钱多多', '冯晓', '陈晨', '卫兰', '何苗'],
  });
  const young = await addClass(server, { teamname: '初一1班', names: ['小满'], birthday: '2013-03-04' });
  const short = await addClass(server, { teamname: '初三2班', names: ['田甜', '高山', '叶青'] });
  const forms = [{ formcode: 'PHQ2' }, { formcode: 'GAD2' }];
  const quick = await as('chen')(plan.insertMUserExamPlan, { appid: '000000002', planname: '快筛', forms });
  await as('chen')(task.insertAssessTask, screening([main.teamcode, young.teamcode]));
  await as('chen')(task.insertAssessTask, screening([short.teamcode], { plancode: quick.plancode, taskname: '快筛' }));
  const sitting = (username: string) => {
    const pupil = [...main.pupils, ...young.pupils, ...short.pupils].find((item) => item.username === username) as Pupil;
    return sit(server, pupil);
  };

  at('2025-10-08 10:00');
  const an = await sitting('安然');
  const lin = await sitting('林小雨');
  const zhou = await sitting('周明');
  await zhou.submit({ PHQ9: '3333333300', GAD7: '3333333' });
  const qian = await sitting('钱多多');
  const chen = await sitting('陈晨');
  const wei = await sitting('卫兰');
  const man = await sitting('小满');
  const zheng = await sitting('郑好');
  await zheng.save({ PHQ9: '--------2' });
  await zheng.save({ PHQ9: '--------0' });
  const feng = await sitting('冯晓');
  await feng.save({ PHQ9: '3333333310' });
  const tian = await sitting('田甜');
  const gao = await sitting('高山');
  const ye = await sitting('叶青');
  at('2025-10-08 10:10');
  await an.submit(calm);
  await lin.submit({ PHQ9: '2222222200', GAD7: '0000000' });
  for (const one of [qian, wei, zheng]) await one.submit(calm);
  await chen.submit({ PHQ9: '3333330000', GAD7: '0000000' });
  await man.submit({ PHQ9: '0000000010', GAD7: '0000000' });
  await ye.submit({ PHQ2: '10', GAD2: '01' });
  await tian.submit({ PHQ2: '33', GAD2: '00' });
  await gao.submit({ PHQ2: '33', GAD2: '00' });
  await gao.submit({ PHQ9: '3333333000' });
  const he = await sitting('何苗');
  await he.save({ PHQ9: '111111001' });
  await expect(qian.save({ PHQ9: '3333332200' })).rejects.toMatchObject({ code: 150004 });
  at('2025-10-08 10:11');
  await expect(qian.save({ PHQ9: '0000000000' })).rejects.toMatchObject({ code: 150004 });
  await chen.own(respond.withdrawConsent, {});
  await wei.own(respond.withdrawConsent, {});
  at('2025-10-09 17:30');
  await (await sitting('孙悦')).save({ PHQ9: '33333333' });
  await (await sitting('李响')).save({ PHQ9: '11100000' });
  await (await sitting('赵一诺')).save({ PHQ9: '3333' });
  const wu = await sitting('吴桐');
  const finish = async () => {
    for (let now = clock.now; now < fromShanghai('2025-10-12 00:00'); now = addHours(now, 3)) {
      clock.now = now;
      await runJobs();
      expect(await compare('hourly')).toMatchObject({ difflist: [] });
    }
  };
  return { ...server, at, runJobs, compare, findCases, finish, wu };
}
type School = Awaited<ReturnType<typeof screenedSchool>>;

/** The level of each pupil who needs a case. */
const expected = {
  林小雨: 3,
  吴桐: 3,
  郑好: 3,
  孙悦: 3,
  赵一诺: 2,
  钱多多: 3,
  冯晓: 3,
  陈晨: 3,
  何苗: 2,
  小满: 2,
  田甜: 2,
  高山: 3,
};

/** 吴桐 answers half an hour after the end of the task. */
async function answerLate({ wu, at }: School) {
  at('2025-10-10 17:30');
  await expect(wu.save({ PHQ9: '3333333300' })).rejects.toMatchObject({ code: 150003 });
}

test('valid, doubtful, late, changed, abandoned, short, withheld and withdrawn sheets that the product judged differ nowhere', async () => {
  const school = await screenedSchool();
  const { as, at, runJobs, compare, findCases, finish } = school;
  await runJobs();
  expect(await compare('nightly')).toMatchObject({ sheets: 17, difflist: [] });
  await answerLate(school);
  // The provider disables the school. Its open sheets are judged and compared all the same.
  await as('fang')(muser.enableMuser, { musercode: 'M_CHENGUANG', enabled: 0, reason: '合同到期' });
  await finish();
  expect(await findCases()).toEqual(expected);
  expect(await compare('nightly')).toMatchObject({ sheets: 17, cases: 12, difflist: [] });
  // The deletion of withdrawn answers changes nothing either.
  at('2025-10-30 03:00');
  await runJobs();
  expect(await compare('nightly')).toMatchObject({ cases: 12, difflist: [] });
});

test('when all cases and their logs are removed, the nightly pass finds each sheet and raises each person anew', async () => {
  const school = await screenedSchool();
  const { sqlAsOwner, at, runJobs, compare, findCases } = school;
  await answerLate(school);
  at('2025-10-11 03:00');
  await runJobs();
  expect(await findCases()).toEqual(expected);
  const tables = ['warning', 'warninglog', 'casewitness'];
  const switchTriggers = (to: string) => tables.map((name) => `alter table ${name} ${to} trigger user;`).join('');
  await sqlAsOwner(
    `${switchTriggers('disable')} truncate ${tables.join(', ')} cascade; delete from outbox; ${switchTriggers('enable')}`,
  );
  const { difflist } = await compare('nightly');
  expect(difflist).toHaveLength(12);
  expect(await findCases()).toEqual(expected);
  const words = difflist.join('\n');
  expect(words).not.toMatch(/R1\d|PHQ9|级别/);
  for (const reason of ['后续量表未完成', '停在安全相关题目', '仅已答题目的得分', 'PHQ-9 第9题', '总分 24 分'])
    expect(words).toContain(reason);
});

test('when the job that judges open sheets has died, the comparison raises what it should have raised, an hour later', async () => {
  const school = await screenedSchool();
  const { at, compare, findCases } = school;
  at('2025-10-10 17:59');
  await compare('nightly');
  // 田甜 left her PHQ-9 two days ago, and the task of the others ended 59 minutes ago.
  expect(await findCases()).toMatchObject({ 田甜: 2 });
  expect(await findCases()).not.toHaveProperty('孙悦');
  at('2025-10-10 18:00');
  const { difflist } = await compare('hourly');
  expect(difflist.join()).toMatch(/停在安全相关题目.*仅已答题目|仅已答题目.*停在安全相关题目/);
  expect(await findCases()).toMatchObject({ 孙悦: 3, 赵一诺: 2 });
});
