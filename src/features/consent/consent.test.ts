import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { addDays, fromShanghai } from '#domain/base/calendar.ts';
import { entryOfKey } from '#contract/menuTree.ts';
import * as role from '#features/access/role/role.contract.ts';
import { runConsentJobs } from '#features/consent/withdrawal/consentJobs.ts';
import { reportDeath } from '#features/warning/special/special.contract.ts';
import { getWarningDetail } from '#features/warning/warning.contract.ts';
import { insertSafetyPlan } from '#features/warning/plan/plan.contract.ts';
import { aSafetyPlan } from '#testing/safetyPlan.ts';
import * as consent from '#features/consent/guardian/guardian.contract.ts';
import * as settings from '#features/consent/settings/settings.contract.ts';
import * as archive from '#features/archive/archive.contract.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as user from '#features/org/user/user.contract.ts';
import * as report from '#features/report/report.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as task from '#features/task/task.contract.ts';
import * as board from '#features/task/board/board.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { addClass, screening, signInPupil, type Pupil } from '#testing/school.ts';
import { sharedServer, startServer, type TestServer } from '#testing/server.ts';

const clientcode = 'entry_chenguang';
const child = '2013-03-04';
const guardian = { name: '林建国', relation: '01' as const, phonenumber: '13800000001' };
const positive = '0000000020';
const calm = '0000000000';

/** 林小雨 of 初一1班 is screened with PHQ-9 and GAD-7 this week. */
async function startSchool(server: TestServer, options: { birthday?: string; guardian?: boolean } = {}) {
  const { teamcode, pupils } = await addClass(server, {
    teamname: `初一${randomUUID().slice(0, 4)}班`,
    names: ['林小雨'],
    ...(options.birthday !== undefined && { birthday: options.birthday }),
  });
  const [lin] = pupils as [Pupil];
  if (options.guardian) {
    const { version } = await server.as('chen')(cuser.revealCUser, { cuserid: lin.cuserid });
    await server.as('chen')(cuser.updateCUser, { cuserid: lin.cuserid, version, guardian: [guardian] });
  }
  const { taskcode } = await server.as('chen')(
    task.insertAssessTask,
    screening([teamcode], { taskname: `普测${randomUUID().slice(0, 4)}`, resultshow: 1 }),
  );
  return { lin, taskcode, teamcode };
}

/** The pupil answers everything: PHQ-9 by codes, GAD-7 with the lowest options. Returns the response and the calls of the pupil. */
async function answer(server: TestServer, pupil: Pupil, phqCodes: string) {
  const own = await signInPupil(server, pupil);
  const [first] = await own(respond.getTasks, {});
  const { examcode, sheets } = await own(respond.startExam, { cuserplanid: first?.cuserplanid as number });
  server.clock.now = new Date(server.clock.now.getTime() + 240_000);
  const answers = sheets.flatMap(({ examformid, items }, index) =>
    items.map((item, position) => ({
      examformid,
      c: item.c,
      value: index === 0 ? (phqCodes[position] ?? '0') : '0',
      clientseq: position + 1,
    })),
  );
  const done = await own(respond.submitExam, { examcode, submitkey: randomUUID(), answers });
  return { own, done, examcode };
}
const reportsOf = (server: TestServer, cuserid: string) =>
  server.as('chen')(report.getCUserReportPageList, { appid: '000000002', cuserid });
const casesOf = (server: TestServer, keyword: string) => server.as('chen')(warning.getWarningPageList, { keyword });
const noticesOf = (server: TestServer, userid: string, text: string) =>
  server.sqlAsOwner<{ title: string; content: string }>(
    'select title, content from notification where userid = $1 and title like $2 order by id',
    [userid, `%${text}%`],
  );

const shared = sharedServer();

test('the consent page names the roles by what they can see, the provider, the terms and the hotlines', async () => {
  const { nobody } = shared();
  const { consent: words, hotlines } = await nobody(respond.getEntry, { clientcode });
  expect(words.text).toContain('云栖市晨光中学处理你的信息');
  expect(words.text).toContain('安澜心理受托运行');
  expect(words.text).toMatch(/三、心理教师\/医生、机构管理员、管理账号、安澜心理的服务商管理员、[^；]*能看姓名和每题回答；/);
  expect(words.text).toMatch(/预警值守能看姓名和结果；预警值守在有安全风险时能看姓名和相关回答；班主任只看姓名和“需要关注”/);
  expect(words.text).toContain('回答保存到离校后3年，安全个案保存到结案后10年');
  expect(words.providetext).toBe('');
  expect(hotlines.map(({ number, hours }) => [number, hours])).toEqual([
    ['12356', '每天至少18小时，各地不同'],
    ['010-82951332', '00:00-24:00'],
    ['12355', '时间以当地公布为准'],
  ]);
});

test('a role that gains a permission makes a new version, and a person who agreed before is asked again', async () => {
  const server = await startServer();
  const { lin } = await startSchool(server);
  await signInPupil(server, lin);
  const login = () => server.nobody(respond.loginRespondent, { clientcode, username: lin.username, key: lin.studentno });
  expect((await login()).needconsent).toBe(false);
  const { roleid } = await server.as('ma')(role.insertRole, {
    rolename: '档案员',
    rolekey: 'archivist',
    datascope: 1,
    menuids: [],
  });
  const { userid } = await server.as('ma')(user.insertUser, { sysusername: 'gao', realname: '高洁', roleids: [roleid] });
  expect(userid).not.toBe('');
  const before = await server.nobody(respond.getEntry, { clientcode });
  expect(before.consent.text).not.toContain('档案员');
  const menuids = ['individual.persons', 'exam.answers'].map((key) => entryOfKey(key)?.menuid as number);
  await server.as('ma')(role.updateRole, { roleid, menuids });
  const after = await server.nobody(respond.getEntry, { clientcode });
  expect(after.consent.text).toMatch(/三、[^；]*档案员[^；]*能看姓名和每题回答/);
  expect(after.consent.version).not.toBe(before.consent.version);
  expect(await login()).toMatchObject({ needconsent: true, consentversion: after.consent.version });
});

test('other terms make another version, and a recipient adds a third tick that is stored only then', async () => {
  const server = await startServer();
  const { lin } = await startSchool(server);
  const fang = server.as('fang');
  const before = await fang(settings.getConsentSettings, { musercode: 'M_CHENGUANG' });
  expect(before.defaults).toMatchObject({ answersterm: '到离校后3年', teenguardian: 'inform' });
  const { textversion: version } = await fang(settings.saveConsentSettings, {
    musercode: 'M_CHENGUANG',
    terms: { ...before.terms, recipient: '云栖市心理卫生中心', answersterm: '到离校后1年' },
    hotlines: [{ number: '0571-86000000', name: '学校心理室', hours: '08:30-17:00' }],
  });
  expect(version).not.toBe(before.textversion);
  const { consent: words, hotlines } = await server.nobody(respond.getEntry, { clientcode });
  expect(words).toMatchObject({ version, providetext: '我单独同意把我的信息提供给云栖市心理卫生中心。' });
  expect(words.text).toContain('回答保存到离校后1年');
  expect(hotlines[0]).toEqual({ number: '0571-86000000', name: '学校心理室', hours: '08:30-17:00', checkedon: '2025-10-08' });
  const { token } = await server.nobody(respond.loginRespondent, { clientcode, username: lin.username, key: lin.studentno });
  const own = server.withToken(token);
  await expect(
    own(respond.submitConsent, { consentversion: before.textversion, scopes: ['01', '02', '05'], agreed: 1 }),
  ).rejects.toMatchObject({ code: 140002 });
  await own(respond.submitConsent, { consentversion: version, scopes: ['01', '02', '05'], agreed: 1 });
  expect(
    await server.sqlAsOwner(
      `select k.scope, t.text like '%离校后1年%' as text from consent k join consenttext t
         on t.version = k.consentversion and t.musercode = k.musercode and t.reading = k.reading
       where k.cuserid = $1 order by k.scope`,
      [lin.cuserid],
    ),
  ).toEqual([
    { scope: '01', text: true },
    { scope: '02', text: true },
    { scope: '05', text: true },
  ]);
});

test('L31: a pupil of unknown age who types a guardian stays 未核实, and the name becomes no contact', async () => {
  const server = shared();
  const { lin } = await startSchool(server, { birthday: '' });
  const login = await server.nobody(respond.loginRespondent, { clientcode, username: lin.username, key: lin.studentno });
  expect(login).toMatchObject({ needconsent: true, needguardian: true, guardianphone: '' });
  const own = server.withToken(login.token);
  await own(respond.submitConsent, { consentversion: login.consentversion, scopes: ['01', '02'], agreed: 1, guardian });
  const { rows } = await server.as('chen')(consent.getGuardianConsentPageList, { keyword: lin.studentno });
  expect(rows).toMatchObject([{ cuserid: lin.cuserid, kind: '01', status: 0, hasphone: 0, claimedname: '林建国' }]);
  expect((await server.as('chen')(cuser.revealCUser, { cuserid: lin.cuserid })).guardian).toEqual([]);
  await expect(own(respond.sendGuardianCode, {})).rejects.toMatchObject({ message: '学校名册中没有监护人电话，请联系老师' });
});

test('an unverified child with a positive item 9 gets a case, while reports and scores are withheld from all lists', async () => {
  const server = shared();
  const { lin, taskcode } = await startSchool(server, { birthday: child });
  const { own, done } = await answer(server, lin, positive);
  expect(done).toMatchObject({ done: true, showreport: false, reportcode: null, support: { show: true } });
  expect((await casesOf(server, lin.studentno)).rows).toMatchObject([{ level: 3, state: '01' }]);
  expect(await reportsOf(server, lin.cuserid)).toEqual({ total: 0, rows: [] });
  expect((await server.as('chen')(report.getReportMaxTime, {})).withheldcount).toBe(1);
  expect(await own(respond.getOwnReports, {})).toEqual([]);
  const [row] = await server.sqlAsOwner<{ reportcode: string; examcode: string }>(
    'select reportcode, examcode from report where cuserid = $1',
    [lin.cuserid],
  );
  const { reportcode = '', examcode = '' } = row ?? {};
  await expect(server.as('chen')(report.getCUserReport, { reportcode })).rejects.toMatchObject({ code: 130001 });
  await expect(server.as('chen')(report.getExamForms, { examcode })).rejects.toMatchObject({ code: 130001 });
  const flagged = await server.as('chen')(warning.getAnxiousDepressedReportPageList, { keyword: lin.studentno });
  expect(flagged.rows).toMatchObject([{ depscore: null, item9: null, overalllevel: null, withheld: 1 }]);
  const roster = await server.as('chen')(board.getAssessTaskRoster, { taskcode });
  expect(roster.rows).toMatchObject([{ status: 2, overalllevel: null, withheld: 1 }]);
  const persons = await server.as('chen')(cuser.getCUserPageList, { keyword: lin.studentno });
  expect(persons.rows).toMatchObject([{ mentalstate: 0, lastlevel: null, guardianstate: 0, withheldcount: 1 }]);
  const archives = await server.as('chen')(archive.getCUserArchivePageList, { keyword: lin.studentno });
  expect(archives.rows).toMatchObject([{ withheldcount: 1 }]);
  const page = await server.as('chen')(archive.getCUserArchive, { cuserid: lin.cuserid });
  expect(page.timeline.map(({ title }) => title)).toContainEqual(expect.stringContaining('待补同意，报告暂不可看'));

  await server.as('chen')(consent.verifyGuardianConsent, {
    cuserids: [lin.cuserid],
    method: '03',
    remark: '10月8日与父亲林建国通话，同意',
  });
  expect((await reportsOf(server, lin.cuserid)).rows).toMatchObject([{ reportcode }]);
  expect(await own(respond.getOwnReports, {})).toHaveLength(1);
  expect((await server.as('chen')(cuser.getCUserPageList, { keyword: lin.studentno })).rows).toMatchObject([
    { lastlevel: expect.any(Number) as number, guardianstate: 1, withheldcount: 0 },
  ]);
});

test('the code goes to the telephone of the roster; five wrong codes make it void, the right one shows the report', async () => {
  const server = shared();
  const { lin } = await startSchool(server, { birthday: child, guardian: true });
  const { own } = await answer(server, lin, calm);
  const login = await server.nobody(respond.loginRespondent, { clientcode, username: lin.username, key: lin.studentno });
  expect(login).toMatchObject({ needconsent: false, needguardian: true, guardianphone: '138****0001' });
  const codeFromStaff = async () => (await server.as('chen')(consent.revealGuardianCode, { cuserid: lin.cuserid })).code;
  expect(await own(respond.sendGuardianCode, {})).toEqual({ phone: '138****0001' });
  const code = await codeFromStaff();
  const wrong = code === '000000' ? '000001' : '000000';
  for (let i = 0; i < 5; i += 1)
    await expect(own(respond.confirmGuardianCode, { code: wrong })).rejects.toMatchObject({ code: 120002 });
  await expect(own(respond.confirmGuardianCode, { code })).rejects.toMatchObject({ code: 140001 });
  await own(respond.sendGuardianCode, {});
  await own(respond.confirmGuardianCode, { code: await codeFromStaff() });
  expect((await reportsOf(server, lin.cuserid)).total).toBe(1);
  expect(await server.sqlAsOwner("select method from consent where cuserid = $1 and subject = '02'", [lin.cuserid])).toEqual([
    { method: '01' },
    { method: '01' },
  ]);
});

test('a paper that the school collected before the screening counts, so nothing is withheld', async () => {
  const server = shared();
  const { lin } = await startSchool(server, { birthday: child });
  await server.as('chen')(consent.verifyGuardianConsent, { cuserids: [lin.cuserid], method: '02', remark: '开学回执' });
  await answer(server, lin, calm);
  expect((await reportsOf(server, lin.cuserid)).total).toBe(1);
});

test('staff are asked on days 1, 3 and 7; on day 14 the answers are deleted and the case stays', async () => {
  const server = await startServer();
  const { lin } = await startSchool(server, { birthday: child });
  const { teamcode: _, lin: zhang } = await startSchool(server, { birthday: child });
  const { examcode } = await answer(server, lin, positive);
  await answer(server, zhang, calm);
  const start = server.clock.now;
  const noticeCounts: number[] = [];
  for (let day = 0; day < 14; day += 1) {
    await runConsentJobs(server.services, addDays(start, day));
    noticeCounts.push((await noticesOf(server, 'U_CHEN', '监护人同意待核实')).length);
  }
  expect(noticeCounts).toEqual([0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3]);
  const answers = () =>
    server.sqlAsOwner<{ cuserid: string; n: number }>(
      `select c.username || c.cuserid as cuserid, count(*)::int as n from examform x join cuser c using (cuserid)
       where x.answers <> '{}' group by 1`,
    );
  expect(await answers()).toHaveLength(2);
  await runConsentJobs(server.services, addDays(start, 14));
  expect((await answers()).map(({ cuserid }) => cuserid)).toEqual([`林小雨${lin.cuserid}`]);
  const [open] = (await casesOf(server, lin.studentno)).rows;
  expect(open).toMatchObject({ level: 3, state: '01' });
  expect(await server.sqlAsOwner('select examcode from warning where cuserid = $1', [lin.cuserid])).toEqual([{ examcode }]);
  expect(await reportsOf(server, zhang.cuserid)).toMatchObject({ total: 0 });
});

test('L30: a withdrawal ends the use, tells staff, lists what is kept, and leaves the open case with its handlers', async () => {
  const server = await startServer();
  const { lin, teamcode } = await startSchool(server);
  const { own } = await answer(server, lin, positive);
  const { taskcode } = await server.as('chen')(task.insertAssessTask, screening([teamcode], { taskname: '复测' }));
  const receipt = await own(respond.withdrawConsent, {});
  expect(receipt.deleted).toEqual(['全部回答', '测评结果', '测评报告']);
  expect(receipt.kept[0]).toMatch(/^正在处理的安全个案/);
  expect(receipt.duedate).toBe('2025-10-29');
  const [open] = (await casesOf(server, lin.studentno)).rows;
  expect(open).toMatchObject({ level: 3, state: '01' });
  const [notice] = await noticesOf(server, 'U_CHEN', '撤回了同意');
  expect(notice?.content).toContain('在办的预警仍在处理');
  const roster = await server.as('chen')(board.getAssessTaskRoster, { taskcode });
  expect(roster.rows).toMatchObject([{ status: 3, reason: '已撤回同意' }]);
  expect(await server.as('chen')(board.getAssessTaskRosterProgress, { taskcode })).toMatchObject({ absent: 1, exempt: 1 });
  const next = await server.as('chen')(task.insertAssessTask, screening([teamcode], { taskname: '下一次' }));
  expect((await server.as('chen')(board.getAssessTaskRoster, { taskcode: next.taskcode })).rows).toMatchObject([{ status: 3 }]);
  expect(await own(respond.withdrawConsent, {})).toEqual(receipt);

  await runConsentJobs(server.services, fromShanghai('2025-10-29 00:00'));
  const examOfCase = () =>
    server.sqlAsOwner<{ n: number }>("select count(*)::int as n from examform where cuserid = $1 and answers <> '{}'", [
      lin.cuserid,
    ]);
  expect(await examOfCase()).toEqual([{ n: 2 }]);
  await server.sqlAsOwner("update warning set state = '07', closetime = now() where cuserid = $1", [lin.cuserid]);
  await runConsentJobs(server.services, fromShanghai('2025-11-20 00:00'));
  expect(await examOfCase()).toEqual([{ n: 0 }]);
  expect(await server.sqlAsOwner('select donetime is not null as done from withdrawal')).toEqual([{ done: true }]);
  expect((await casesOf(server, lin.studentno)).rows).toMatchObject([{ warningcode: open?.warningcode, state: '07' }]);
});

test('nobody asks the family of a student who has died for their consent', async () => {
  const server = await startServer();
  const { lin } = await startSchool(server, { birthday: child });
  await answer(server, lin, positive);
  const [open] = (await casesOf(server, lin.studentno)).rows;
  const warningcode = open?.warningcode as string;
  const { version } = await server.as('chen')(getWarningDetail, { warningcode });
  await server.as('chen')(reportDeath, { warningcode, version, source: '派出所电话告知，家属确认' });
  expect(await runConsentJobs(server.services, addDays(server.clock.now, 3))).toMatchObject({ chased: 0 });
});

test('a withdrawal leaves the safety plan with the open case, and later clears the other people that it names', async () => {
  const server = await startServer();
  const { lin } = await startSchool(server, { birthday: child });
  await answer(server, lin, positive);
  const [open] = (await casesOf(server, lin.studentno)).rows;
  const warningcode = open?.warningcode as string;
  await server.as('chen')(insertSafetyPlan, {
    warningcode,
    ...aSafetyPlan({ helpers: [{ name: '姑姑林芳', phonenumber: '13900001111', isadult: 1 }], copies: '姑姑林芳' }),
  });
  await server.sqlAsOwner("update guardianconsent set claimedname = '林建国', remark = '父亲林建国口头同意'");
  await server.as('chen')(consent.withdrawForCUser, { cuserid: lin.cuserid, reason: '姑姑林芳来电提出' });
  const named = async () => {
    const rows = await server.sqlAsOwner('select * from safetyplan');
    const others = await server.sqlAsOwner('select claimedname, remark, reason from guardianconsent cross join withdrawal');
    return [JSON.stringify(rows).includes('林芳'), /林芳|林建国/.test(JSON.stringify(others))];
  };
  await runConsentJobs(server.services, fromShanghai('2025-10-29 00:00'));
  expect(await named()).toEqual([true, false]);
  expect(await server.sqlAsOwner('select donetime from withdrawal')).toEqual([{ donetime: null }]);
  await server.sqlAsOwner("update warning set state = '07', nextdue = null, nextduekind = null, closetime = now()");
  await runConsentJobs(server.services, fromShanghai('2025-11-20 00:00'));
  expect(await named()).toEqual([false, false]);
  expect((await server.sqlAsOwner<{ coping: string }>('select coping from safetyplan'))[0]?.coping).not.toBe('');
});

test('without a case everything is deleted within 15 working days, and staff can withdraw for the person', async () => {
  const server = shared();
  const { lin } = await startSchool(server);
  const { own } = await answer(server, lin, calm);
  expect((await reportsOf(server, lin.cuserid)).total).toBe(1);
  const receipt = await server.as('chen')(consent.withdrawForCUser, { cuserid: lin.cuserid, reason: '父亲来校书面提出' });
  expect(receipt.kept).toEqual(['依法保存的记录：已结案的安全个案、同意与撤回记录、查看记录']);
  expect((await reportsOf(server, lin.cuserid)).total).toBe(0);
  expect(await server.as('chen')(consent.getCUserConsent, { cuserid: lin.cuserid })).toMatchObject({
    withdrawal: { duedate: receipt.duedate, donetime: '' },
  });
  await runConsentJobs(server.services, fromShanghai(`${receipt.duedate} 00:00`));
  expect(
    await server.sqlAsOwner(
      `select (select count(*) from report r where r.cuserid = $1)::int as reports,
         (select count(*) from examresult r where r.cuserid = $1)::int as results,
         (select count(*) from examform x where x.cuserid = $1 and (x.answers <> '{}' or x.raw is not null))::int as answers`,
      [lin.cuserid],
    ),
  ).toEqual([{ reports: 0, results: 0, answers: 0 }]);
  expect(await server.as('chen')(consent.getCUserConsent, { cuserid: lin.cuserid })).toMatchObject({
    withdrawal: { donetime: expect.stringMatching(/^2025/) as string },
  });
  expect(await own(respond.getOwnReports, {})).toEqual([]);
  // A device that was offline sends an answer the day after: it is judged on arrival, then deleted like the others.
  await server.sqlAsOwner(
    `insert into examlateanswer (examformid, musercode, orgpath, questionc, cuserid, value, seq, answertime)
     select examformid, musercode, orgpath, 'q1', cuserid, '"1"', 99, $2 from examform where cuserid = $1 limit 1`,
    [lin.cuserid, addDays(fromShanghai(`${receipt.duedate} 00:00`), 1)],
  );
  await runConsentJobs(server.services, addDays(fromShanghai(`${receipt.duedate} 00:00`), 2));
  expect(await server.sqlAsOwner('select id from examlateanswer where cuserid = $1', [lin.cuserid])).toEqual([]);
});

test('a guardian who refuses ends the use, and the child cannot agree alone', async () => {
  const server = shared();
  const { lin } = await startSchool(server, { birthday: child });
  const { own } = await answer(server, lin, calm);
  await server.as('chen')(consent.refuseGuardianConsent, { cuserid: lin.cuserid, remark: '10月8日母亲电话不同意' });
  expect((await reportsOf(server, lin.cuserid)).total).toBe(0);
  const { consent: words } = await server.nobody(respond.getEntry, { clientcode });
  await expect(
    own(respond.submitConsent, { consentversion: words.version, scopes: ['01', '02'], agreed: 1 }),
  ).rejects.toMatchObject({ code: 140001 });
});

test('at 01:00 the support card names the accept deadline of the case and what helps at night', async () => {
  const server = shared();
  const { lin } = await startSchool(server);
  server.clock.now = fromShanghai('2025-10-09 00:56');
  const { own, done } = await answer(server, lin, positive);
  const words = '已收到，老师会在明天 01:00 前联系你。现在需要帮助：010-82951332、120、110，或叫醒身边的大人。';
  expect(done.support).toMatchObject({ show: true, text: words });
  expect(await own(respond.askForContact, { content: '' })).toEqual({ text: words });
});
