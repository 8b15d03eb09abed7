// Measures the statistics at 500 schools and 1,000,000 results over HTTP: one call at a time, its time and the CPU time of server and
// database, for one school and for all of them. Prints a table with the budgets and one line of JSON. `npm run bench statistics [schools]`;
// BENCH_DATA_DIR names the data folder of an earlier run that was stopped.
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { asOwner } from '#server/db/roles.ts';
import { prepareLargeDataset } from '#testing/load/largeDataset.ts';
import { asPlatformOwner, freePort, prepareRespondents, startMain, withDatabase } from '#testing/load/respondents.ts';
import { connectTo, cpuNow } from './http.ts';
import { prepareScreenings } from './screenings.ts';

/** Budgets in milliseconds: the time of a call of one school, the CPU time of a call of everybody, and of rare filters. */
const budgets = { school: 20, everybody: 150, rows: 2000 };
const schools = Number(process.argv[2] ?? 500);
/** 500 schools of 550 pupils hand in about 500,000 sheets in two terms, each with two results. */
const pupils = 550;

const given = process.env['BENCH_DATA_DIR'];

/** Creates a data folder with the schools. */
async function prepare(): Promise<string> {
  const { dataDir } = await prepareRespondents(pupils);
  const first = startMain(dataDir, await freePort());
  await first.ready;
  first.process.kill('SIGTERM');
  await new Promise((done) => first.process.once('exit', done));
  await withDatabase(dataDir, async (target) => {
    await prepareLargeDataset(target, { providers: 5, institutionsEach: schools / 5, staffEach: 2, personsEach: pupils });
    await prepareScreenings(target);
    const client = new pg.Client(asOwner(target));
    await client.connect();
    await client.query('set statement_timeout = 0');
    await client.query('vacuum analyze');
    await client.end();
  });
  return dataDir;
}
const dataDir = given ?? (await prepare());
// The rows of a tenant are visible to a session only.
const resultCount = await withDatabase(dataDir, async (target) => {
  const count = 'select count(*)::int from examresult';
  return (await asPlatformOwner(target, (owner) => owner.query<{ count: number }>(count))).rows[0]?.count ?? 0;
});
const port = await freePort();
const server = startMain(dataDir, port);
if (!(await server.ready)) throw new Error(server.output());
const { call, close } = connectTo(port);

// Waits until the job has counted the figures for several institutions. Then the time of the figures stands still.
const serverStart = performance.now();
for (let known = ''; ; await pause(2000)) {
  const { datatime } = (await call('as.m.statistic.getStatisticTime', 'super', {})).data as { datatime: string };
  if (datatime === known) break;
  known = datatime;
}
console.log(
  `figures for several institutions counted ${((performance.now() - serverStart) / 1000).toFixed(0)} s after the start`,
);

const term = { year: '2026-2027', term: '1' };
const figures = [
  ['机构数', 'getAssessSchoolCount', {}],
  ['任务和人次', 'getAssessCount', {}],
  ['应测人数', 'getAssessPeopleCount', {}],
  ['完成人数', 'getAssessPeopleCompleteCount', {}],
  ['需关注', 'getAssessAbnormalCount', {}],
  ['每日提交', 'getAssessDayCountTrend', {}],
  ['按年级', 'getAssessGradeCountTrend', {}],
  ['按班级', 'getClassReportCountRatio', { gradecode: 'J1' }],
  ['场景', 'getSceneCountTrend', {}],
  ['抑郁', 'getDepressedQuotaCountRatio', {}],
  ['焦虑', 'getAnxiousQuotaCountRatio', {}],
  ['性别', 'getManAndWomanAbnormalCountRatio', {}],
  ['年级程度', 'getGradeReportCountRatio', {}],
] as const;
const scopes = [
  { title: 'one school, term', token: 'chen', filters: term, times: 10 },
  { title: 'one school, no filter', token: 'chen', filters: {}, times: 10 },
  { title: 'everybody, term', token: 'super', filters: term, times: 3 },
  { title: 'everybody, no filter', token: 'super', filters: {}, times: 3 },
  { title: 'everybody, school year', token: 'super', filters: { year: '2026-2027' }, times: 3 },
  { title: 'everybody, grade', token: 'super', filters: { ...term, gradecode: 'J1' }, times: 3 },
  { title: 'everybody, dates', token: 'super', filters: { begindate: '2026-09-08', enddate: '2026-09-15' }, times: 3 },
] as const;

let refusedCount = 0;
const results: Record<string, { p50: number; cpu: number }> = {};
for (const { title, token, filters, times } of scopes) {
  for (const [name, action, more] of figures) {
    const request = { ...filters, ...more };
    const measure = async () => {
      const startTime = performance.now();
      const answer = await call(`as.m.assess.${action}`, token, request);
      if (answer.errorCode !== 0) {
        refusedCount += 1;
        console.log(title, name, answer.errorCode, answer.errorMsg);
      }
      return performance.now() - startTime;
    };
    await measure();
    const before = cpuNow(server.process.pid as number, dataDir);
    const durations: number[] = [];
    for (let time = 0; time < times; time++) durations.push(await measure());
    const after = cpuNow(server.process.pid as number, dataDir);
    durations.sort((a, b) => a - b);
    const cpu = (after.server - before.server + after.database - before.database) / times;
    results[`${title} · ${name}`] = { p50: durations[times >> 1] ?? 0, cpu };
  }
}
server.process.kill('SIGTERM');
close();
await new Promise((done) => server.process.once('exit', done));
if (!given) rmSync(dataDir, { recursive: true, force: true });

console.log(`\n${resultCount} results of ${schools + 1} institutions. Milliseconds; budgets: ${JSON.stringify(budgets)}.`);
console.log(`${''.padEnd(44)}${['p50', 'CPU'].map((head) => head.padStart(9)).join('')}`);
for (const [title, { p50, cpu }] of Object.entries(results)) {
  const wideLetters = [...title].filter((letter) => letter > 'ÿ').length;
  console.log(`${title.padEnd(44 - wideLetters)}${[p50, cpu].map((figure) => figure.toFixed(1).padStart(9)).join('')}`);
}
console.log(JSON.stringify(results));
process.exitCode = refusedCount === 0 ? 0 : 1;
