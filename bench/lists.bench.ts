// Measures every list at national size (5,000 institutions, 50,000 staff, 1,000,000 persons): its time over HTTP with eight concurrent
// callers, and the CPU time of server and database per call. Prints a table with the budgets and one line of JSON.
// `npm run bench lists [part of a list's name [persons per institution]]`
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { asOwner } from '#server/db/roles.ts';
import { prepareLargeDataset } from '#testing/load/largeDataset.ts';
import { asPlatformOwner, freePort, prepareRespondents, startMain, withDatabase } from '#testing/load/respondents.ts';
import { typesOf } from '#features/muser/muser.labels.ts';
import { prepareCaseload } from './caseload.ts';
import { connectTo, cpuNow } from './http.ts';

/** Budgets of a first page in milliseconds: the time of 95 % of the calls, the CPU time of a school's list, and of its 危机预警. */
const budgets = { p95: 100, school: 5, warnings: 8 };
/** Each person calls with several sessions. The rate limit of one session is 300 calls at once and then 30 a second. */
const sessions = 24;
const titlePart = process.argv[2] ?? '';
const personsEach = Number(process.argv[3] ?? 200);
const pupils = 2000;
const callers = 8;

const { dataDir } = await prepareRespondents(pupils);
// At the first start the platform's account must change its password. `prepareLargeDataset` removes this condition.
const first = startMain(dataDir, await freePort());
await first.ready;
first.process.kill('SIGTERM');
await new Promise((done) => first.process.once('exit', done));
await withDatabase(dataDir, async (target) => {
  await prepareLargeDataset(target, { providers: 50, institutionsEach: 100, staffEach: 10, personsEach });
  await prepareCaseload(target, "c.musercode = 'M_CHENGUANG'", 1, 30);
  await prepareCaseload(target, "c.musercode like 'N%'", 10, 5);
  await asPlatformOwner(target, (owner) =>
    owner.query(
      `insert into auth.session (tokenhash, kind, musercode, accountid, expiretime, idle)
       select encode(sha256(convert_to(name || ' ' || n, 'UTF8')), 'hex'), s.kind, s.musercode, s.accountid,
         now() + interval '1 day', '1 day'
       from unnest($1::text[]) name join auth.session s on s.tokenhash = encode(sha256(convert_to(name, 'UTF8')), 'hex'),
         generate_series(1, $2::int) n`,
      [['super', 'fang', 'ma', 'chen', 'wang'], sessions],
    ),
  );
  const client = new pg.Client(asOwner(target));
  await client.connect();
  await client.query('set statement_timeout = 0');
  await client.query('vacuum analyze');
  await client.end();
});
const port = await freePort();
const server = startMain(dataDir, port);
if (!(await server.ready)) throw new Error(server.output());

const { call, close } = connectTo(port);

const cases = 'as.m.warning.getWarningPageList';
const persons = 'as.m.cuser.getCUserPageList';
const muser = 'as.m.user.getMUserPageList';
const users = 'as.m.system.user.selectUserList';
const trail = 'as.m.audit.getAuditPageList';
const twenty = { pageSize: 20 };
const institutions = { ...twenty, musertypes: typesOf.institutions };
type Listing = [title: string, person: string, name: string, request: Record<string, unknown>];
const school: readonly Listing[] = [
  ['危机预警', 'chen', cases, twenty],
  ['危机预警 by name', 'chen', cases, { ...twenty, keyword: '学生1' }],
  ['危机预警 counts', 'chen', 'as.m.warning.getWarningCount', {}],
  ['危机预警 of a class teacher', 'wang', cases, twenty],
  ['抑郁焦虑报告', 'chen', 'as.m.exam.getAnxiousDepressedReportPageList', twenty],
  ['待核对答卷', 'chen', 'as.m.exam.getExamReviewPageList', twenty],
  ['个体管理', 'chen', persons, twenty],
  ['个体管理 by name', 'chen', persons, { ...twenty, keyword: '学生19' }],
  ['个体管理 of a class teacher', 'wang', persons, twenty],
  ['个体报告', 'chen', 'as.m.exam.getCUserReportPageList', twenty],
  ['任务管理', 'chen', 'as.m.assess.getTaskList', twenty],
  ['团体管理', 'chen', 'as.m.assess.getAssessTeamPageList', twenty],
  ['随访', 'chen', 'as.m.followup.getFollowUpPageList', twenty],
  ['干预', 'chen', 'as.m.interfere.getInterfereList', twenty],
  ['量表', 'chen', 'as.m.assess.forms.getFormPageList', twenty],
  ['导出审批', 'ma', 'as.m.approval.getAccessApprovalPageList', twenty],
  ['预警规则', 'ma', 'as.m.warning.getWarningRuleList', {}],
  ['用户管理', 'ma', users, twenty],
  ['角色管理', 'ma', 'as.m.system.role.selectRoleList', twenty],
  ['审计日志', 'ma', trail, twenty],
  ['文件', 'ma', 'as.m.file.getFilePageList', twenty],
  ['消息', 'chen', 'as.m.notice.getNoticePageList', twenty],
];
const national: readonly Listing[] = [
  ['危机预警 of the platform', 'super', cases, twenty],
  ['危机预警 of a provider', 'fang', cases, twenty],
  ['抑郁焦虑报告 of the platform', 'super', 'as.m.exam.getAnxiousDepressedReportPageList', twenty],
  ['个体管理 of the platform', 'super', persons, twenty],
  ['个体管理 of the platform, by name', 'super', persons, { ...twenty, keyword: '学生4999_1' }],
  ['个体报告 of the platform', 'super', 'as.m.exam.getCUserReportPageList', twenty],
  ['机构管理', 'super', muser, institutions],
  ['机构管理 page 250', 'super', muser, { ...institutions, page: 250 }],
  ['机构管理 by name', 'super', muser, { ...institutions, keyword: '第4999' }],
  ['机构管理 of a provider', 'fang', muser, institutions],
  ['服务商管理', 'super', muser, { ...twenty, musertypes: typesOf.providers }],
  ['机构树, one level', 'super', 'as.m.user.getMUserTree', {}],
  ['用户管理 of the platform', 'super', users, { ...twenty, reach: 'all' }],
  ['用户管理 of the platform, by name', 'super', users, { ...twenty, reach: 'all', keyword: 'n4999_1' }],
  ['用户管理 of a provider', 'fang', users, { ...twenty, reach: 'all' }],
  ['审计日志 of the platform', 'super', trail, twenty],
  ['方案授权明细', 'super', 'as.m.hospital.statistic.getPlanAuthorizeDetails', twenty],
  ['方案授权统计', 'super', 'as.m.hospital.statistic.getPlanAuthorizeCount', twenty],
  ['角色管理 of the platform', 'super', 'as.m.system.role.selectRoleList', twenty],
];
const listings = [...school, ...national].filter(([title]) => title.includes(titlePart));

let refusedCount = 0;
/** Calls a list with eight concurrent callers. Returns the time of each call. */
async function measure([, person, name, request]: Listing, times: number): Promise<number[]> {
  const durations: number[] = [];
  let remaining = times;
  const caller = async () => {
    while (remaining-- > 0) {
      const startTime = performance.now();
      const answer = await call(name, `${person} ${(remaining % sessions) + 1}`, request);
      durations.push(performance.now() - startTime);
      if (answer.errorCode === 0) continue;
      refusedCount += 1;
      if (refusedCount < 20) console.log(name, answer.errorCode, answer.errorMsg);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return durations;
}
const serverPid = server.process.pid as number;
const cpu = () => cpuNow(serverPid, dataDir);
const sumOf = ({ server, database }: ReturnType<typeof cpu>) => server + database;

// Warms up: every connection first plans its statements, and the server compiles its code. Neither belongs to the cost of a list.
for (const listing of listings) await measure(listing, 100);
// Waits until the server has finished the work after its start.
for (let isBusy = true; isBusy;) {
  const before = sumOf(cpu());
  await pause(2000);
  isBusy = sumOf(cpu()) - before > 200;
}

const results: Record<string, { p50: number; p95: number; server: number; database: number; budget: string }> = {};
for (const listing of listings) {
  const [title] = listing;
  const before = cpu();
  const startTime = performance.now();
  const durations: number[] = [];
  while (durations.length < 100 || (durations.length < 400 && performance.now() - startTime < 4000))
    durations.push(...(await measure(listing, 100)));
  const calls = durations.length;
  durations.sort((a, b) => a - b);
  const after = cpu();
  const spent = { server: (after.server - before.server) / calls, database: (after.database - before.database) / calls };
  const p95 = durations[Math.floor(calls * 0.95)] ?? 0;
  const cpuBudget = title.startsWith('危机预警') ? budgets.warnings : budgets.school;
  const isOver = p95 > budgets.p95 || (school.includes(listing) && sumOf(spent) > cpuBudget);
  results[title] = { p50: durations[calls >> 1] ?? 0, p95, ...spent, budget: isOver ? 'over' : '' };
}
server.process.kill('SIGTERM');
close();
await new Promise((done) => server.process.once('exit', done));
rmSync(dataDir, { recursive: true, force: true });

console.log(
  `\nMilliseconds. Budgets: p95 ${budgets.p95}; CPU of a school's list ${budgets.school}, of its 危机预警 ${budgets.warnings}.`,
);
console.log(`${''.padEnd(36)}${['p50', 'p95', 'server', 'database', 'CPU'].map((head) => head.padStart(9)).join('')}`);
for (const [title, { p50, p95, server: serverCpu, database, budget }] of Object.entries(results)) {
  const wideLetters = [...title].filter((letter) => letter > 'ÿ').length;
  const columns = [p50, p95, serverCpu, database, serverCpu + database].map((figure) => figure.toFixed(1).padStart(9)).join('');
  console.log(`${title.padEnd(36 - wideLetters)}${columns}  ${budget}`);
}
console.log(JSON.stringify(results));
process.exitCode = refusedCount === 0 ? 0 : 1;
