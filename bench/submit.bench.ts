// Measures the submissions of exams per second over HTTP and their CPU time, compared with bare rows in the database. It also checks
// that no submission of a whole school at once is lost. Prints a table and one line of JSON. `npm run bench submit [exams]`
import { readdirSync, rmSync } from 'node:fs';
import pg from 'pg';
import { asOwner } from '#server/db/roles.ts';
import {
  answersOf,
  asPlatformOwner,
  freePort,
  prepareRespondents,
  startMain,
  withDatabase,
  type OpenSheet,
  type TestRespondent,
} from '#testing/load/respondents.ts';
import { connectTo, cpuNow, databaseCpu } from './http.ts';

const steadyCount = Number(process.argv[2] ?? 1_500);
const burstCount = 500;
async function inParallel<T>(clients: number, items: readonly T[], work: (item: T) => Promise<void>) {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}

const { dataDir, respondents } = await prepareRespondents(steadyCount + burstCount + 100);
const port = await freePort();
const server = startMain(dataDir, port);
if (!(await server.ready)) throw new Error(server.output());
const { call, close } = connectTo(port);
const cpu = () => cpuNow(server.process.pid as number, dataDir);

const sheets = new Map<TestRespondent, OpenSheet>();
await inParallel(8, respondents, async (respondent) => {
  const answer = await call('as.c.exam.startExam', respondent.token, { cuserplanid: respondent.cuserplanid });
  if (answer.errorCode !== 0) throw new Error(JSON.stringify(answer));
  sheets.set(respondent, answer.data as OpenSheet);
});

/** Submits the exams of respondents. Times are of single submissions, in milliseconds. */
async function submit(clients: number, batch: readonly TestRespondent[]) {
  const times: number[] = [];
  let refused = 0;
  const before = { cpu: cpu(), time: performance.now() };
  await inParallel(clients, batch, async (respondent) => {
    const sheet = sheets.get(respondent) as OpenSheet;
    const startTime = performance.now();
    const answer = await call('as.c.exam.submitExam', respondent.token, {
      examcode: sheet.examcode,
      submitkey: respondent.submitkey,
      answers: answersOf(respondent, sheet),
    });
    times.push(performance.now() - startTime);
    if (answer.errorCode !== 0 || !(answer.data as { done: boolean }).done) refused += 1;
  });
  const seconds = (performance.now() - before.time) / 1000;
  times.sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const after = cpu();
  const serverms = (after.server - before.cpu.server) / batch.length;
  const databasems = (after.database - before.cpu.database) / batch.length;
  return {
    persecond: batch.length / seconds,
    cpums: serverms + databasems,
    serverms,
    databasems,
    p50: percentile(0.5),
    p99: percentile(0.99),
    refused,
  };
}

await submit(8, respondents.slice(0, 100));
// One in sixteen respondents answers item 9, as in a school (design: 5–7 % of persons have a case). The bench measures them separately.
const withoutAlert = respondents.slice(100, 100 + steadyCount).filter((respondent) => !respondent.red);
const withAlert = respondents.slice(100, 100 + steadyCount).filter((respondent) => respondent.red);
const alertCount = Math.ceil(withoutAlert.length / 15);
const asInSchool = withoutAlert.flatMap((respondent, index) =>
  index % 15 === 0 ? [respondent, ...withAlert.slice(index / 15, index / 15 + 1)] : [respondent],
);
const schoolRun = await submit(8, asInSchool);
const alertRun = await submit(8, withAlert.slice(alertCount));
const burst = await submit(128, respondents.slice(100 + steadyCount));
server.process.kill('SIGTERM');
await new Promise((done) => server.process.once('exit', done));

/** Writes the rows of one submission by one prepared statement, without HTTP, scoring, policies or a report: the database alone. */
const bareStatement = `with a as (insert into bench_answer select $1, 'q' || n, to_jsonb(n) from generate_series(1, 17) n),
  r as (insert into bench_result select $1, 'c' || n, n from generate_series(1, 3) n)
  insert into bench_record values ($1, 2, now(), $2)`;
const database = await withDatabase(dataDir, async (target) => {
  const counts = await asPlatformOwner(
    target,
    async (client) =>
      (
        await client.query<{ submitted: number; cases: number; used: number }>(`
          select
            (select count(*)::int from examrecord where status = 2) as submitted,
            (select count(*)::int from warning where itemtrigger = 1) as cases,
            (select used from assesscount where musercode = 'M_CHENGUANG') as used`)
      ).rows[0],
  );
  const pool = new pg.Pool({ ...asOwner(target), max: 8 });
  // The idle connections of the pool end with the database.
  pool.on('error', () => undefined);
  await pool.query(
    `create table bench_answer (id int, c text, value jsonb, primary key (id, c));
     create table bench_result (id int, c text, score numeric, primary key (id, c));
     create table bench_record (id int primary key, status int, at timestamptz, content jsonb)`,
  );
  const content = JSON.stringify({ text: '报'.repeat(2_000) });
  const insert = (id: number) => pool.query({ name: 'bare', text: bareStatement, values: [id, content] }).then(() => undefined);
  await inParallel(
    8,
    Array.from({ length: 100 }, (_, i) => -1 - i),
    insert,
  );
  const before = { cpu: databaseCpu(dataDir), time: performance.now() };
  await inParallel(
    8,
    Array.from({ length: steadyCount }, (_, i) => i),
    insert,
  );
  const seconds = (performance.now() - before.time) / 1000;
  const bare = { persecond: steadyCount / seconds, cpums: (databaseCpu(dataDir) - before.cpu) / steadyCount };
  await pool.end();
  return { ...counts, bare };
});
rmSync(dataDir, { recursive: true, force: true });
close();

const expectedCases = respondents.filter((respondent) => respondent.red).length;
const lost = respondents.length - (database.submitted ?? 0);
const unseen = expectedCases - (database.cases ?? 0);
const line = (title: string, value: string, target: string) =>
  console.log(`${title.padEnd(34)}${value.padStart(12)}   ${target}`);
console.log(`\n${''.padEnd(34)}${'measured'.padStart(12)}   budget`);
line('submissions per second, 8 clients', schoolRun.persecond.toFixed(0), '');
line('CPU ms of one, one in 16 alerts', schoolRun.cpums.toFixed(2), '<= 2.5');
line('  server + database', `${schoolRun.serverms.toFixed(2)} + ${schoolRun.databasems.toFixed(2)}`, '');
line('CPU ms of one that opens a case', alertRun.cpums.toFixed(2), '<= 15');
line('p50 / p99 ms, 8 clients', `${schoolRun.p50.toFixed(1)} / ${schoolRun.p99.toFixed(1)}`, '');
line('bare rows per second, 8 clients', database.bare.persecond.toFixed(0), '');
line('share of the bare rows', (schoolRun.persecond / database.bare.persecond).toFixed(2), '');
line('burst of 500 per second', burst.persecond.toFixed(0), '>= 400');
line('p99 ms, 128 clients', burst.p99.toFixed(0), '<= 500');
line('lost exams / missing cases', `${lost} / ${unseen}`, '0 / 0');
console.log(
  JSON.stringify({
    schoolRun,
    withAlert: alertRun,
    burst,
    bare: database.bare,
    lost,
    unseen,
    used: database.used,
    exams: respondents.length,
    cores: readdirSync('/sys/devices/system/cpu').filter((name) => /^cpu\d+$/.test(name)).length,
  }),
);
process.exitCode = lost + unseen + schoolRun.refused + alertRun.refused + burst.refused === 0 ? 0 : 1;
