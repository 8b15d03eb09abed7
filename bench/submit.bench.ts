// How many sittings are handed in per second over HTTP, what one costs in CPU, how that compares with the bare rows, and whether a whole
// school at once loses anything. Prints a table and one line of JSON. `npm run bench submit [sittings]`
import { readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request as post } from 'node:http';
import pg from 'pg';
import { postgresProcessesOf } from '#server/postgres/processes.ts';
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

const steady = Number(process.argv[2] ?? 1_500);
const school = 500;
/** Clock ticks per second of /proc, the same on every Linux we run on. */
const ticks = 100;

/** CPU milliseconds a process has used, its ended children included. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return ((Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])) * 1000) / ticks;
  } catch {
    return 0;
  }
}
const cpuOfAll = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuOf(pid), 0);

const agent = new Agent({ keepAlive: true, maxSockets: 128 });
function call(port: number, token: string, name: string, body: unknown): Promise<{ errorCode: number; data: unknown }> {
  const text = JSON.stringify(body);
  return new Promise((done, fail) => {
    const out = post(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: `/api/${name}/1.0.0/action`,
        agent,
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), token },
      },
      (answer) => {
        let got = '';
        answer
          .setEncoding('utf8')
          .on('data', (part: string) => (got += part))
          .on('end', () => done(JSON.parse(got) as { errorCode: number; data: unknown }));
      },
    );
    out.on('error', fail).end(text);
  });
}

async function inParallel<T>(clients: number, items: readonly T[], work: (item: T) => Promise<void>) {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}

const { dataDir, respondents: sitters } = await prepareRespondents(steady + school + 100);
const port = await freePort();
const server = startMain(dataDir, port);
if (!(await server.ready)) throw new Error(server.output());
const databasePids = () => postgresProcessesOf(realpathSync(join(dataDir, 'postgres')));
/** CPU milliseconds used so far by the server and by its database. */
const cpuNow = () => ({ server: cpuOf(server.process.pid as number), database: cpuOfAll(databasePids()) });

const opened = new Map<TestRespondent, OpenSheet>();
await inParallel(8, sitters, async (sitter) => {
  const answer = await call(port, sitter.token, 'as.c.exam.startExam', { cuserplanid: sitter.cuserplanid });
  if (answer.errorCode !== 0) throw new Error(JSON.stringify(answer));
  opened.set(sitter, answer.data as OpenSheet);
});

/** Hands in the sheets of some students; times are of single hand-ins, in milliseconds. */
async function handIn(clients: number, some: readonly TestRespondent[]) {
  const times: number[] = [];
  let refused = 0;
  const before = { cpu: cpuNow(), at: performance.now() };
  await inParallel(clients, some, async (sitter) => {
    const sheet = opened.get(sitter) as OpenSheet;
    const at = performance.now();
    const answer = await call(port, sitter.token, 'as.c.exam.submitExam', {
      examcode: sheet.examcode,
      submitkey: sitter.submitkey,
      answers: answersOf(sitter, sheet),
    });
    times.push(performance.now() - at);
    if (answer.errorCode !== 0 || !(answer.data as { done: boolean }).done) refused += 1;
  });
  const seconds = (performance.now() - before.at) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const after = cpuNow();
  const serverms = (after.server - before.cpu.server) / some.length;
  const databasems = (after.database - before.cpu.database) / some.length;
  return {
    persecond: some.length / seconds,
    cpums: serverms + databasems,
    serverms,
    databasems,
    p50: at(0.5),
    p99: at(0.99),
    refused,
  };
}

await handIn(8, sitters.slice(0, 100));
// One in sixteen answers item 9, as in a school (design: 5–7 % of persons have a case); what the others of them cost is told apart.
const calm = sitters.slice(100, 100 + steady).filter((sitter) => !sitter.red);
const red = sitters.slice(100, 100 + steady).filter((sitter) => sitter.red);
const few = Math.ceil(calm.length / 15);
const asInSchool = calm.flatMap((sitter, index) =>
  index % 15 === 0 ? [sitter, ...red.slice(index / 15, index / 15 + 1)] : [sitter],
);
const run = await handIn(8, asInSchool);
const redrun = await handIn(8, red.slice(few));
const burst = await handIn(128, sitters.slice(100 + steady));
server.process.kill('SIGTERM');
await new Promise((done) => server.process.once('exit', done));

/** The rows of one hand-in by one prepared statement, without HTTP, scoring, policies or a report: what the database alone can do. */
const bare = `with a as (insert into bench_answer select $1, 'q' || n, to_jsonb(n) from generate_series(1, 17) n),
  r as (insert into bench_result select $1, 'c' || n, n from generate_series(1, 3) n)
  insert into bench_record values ($1, 2, now(), $2)`;
const left = await withDatabase(dataDir, async (target) => {
  const found = await asPlatformOwner(
    target,
    async (client) =>
      (
        await client.query<{ handedin: number; red: number; used: number }>(`
    select (select count(*)::int from examrecord where status = 2) as handedin, (select count(*)::int from warning
      where itemtrigger = 1) as red, (select used from assesscount where musercode = 'M_CHENGUANG') as used`)
      ).rows[0],
  );
  const pool = new pg.Pool({ ...asOwner(target), max: 8 });
  // Its idle connections end with the database.
  pool.on('error', () => undefined);
  await pool.query(
    `create table bench_answer (id int, c text, value jsonb, primary key (id, c)); create table bench_result (id int,
      c text, score numeric, primary key (id, c)); create table bench_record (id int primary key, status int,
        at timestamptz, content jsonb)`,
  );
  const content = JSON.stringify({ text: '报'.repeat(2_000) });
  const own = () => postgresProcessesOf(realpathSync(join(dataDir, 'postgres')));
  const insert = (id: number) => pool.query({ name: 'bare', text: bare, values: [id, content] }).then(() => undefined);
  await inParallel(
    8,
    Array.from({ length: 100 }, (_, i) => -1 - i),
    insert,
  );
  const before = { cpu: cpuOfAll(own()), at: performance.now() };
  await inParallel(
    8,
    Array.from({ length: steady }, (_, i) => i),
    insert,
  );
  const result = { persecond: steady / ((performance.now() - before.at) / 1000), cpums: (cpuOfAll(own()) - before.cpu) / steady };
  await pool.end();
  return { ...found, bare: result };
});
rmSync(dataDir, { recursive: true, force: true });
agent.destroy();

const reds = sitters.filter((sitter) => sitter.red).length;
const lost = sitters.length - (left.handedin ?? 0);
const unseen = reds - (left.red ?? 0);
const line = (what: string, value: string, target: string) => console.log(`${what.padEnd(34)}${value.padStart(12)}   ${target}`);
console.log(`\n${''.padEnd(34)}${'measured'.padStart(12)}   budget`);
line('hand-ins per second, 8 clients', run.persecond.toFixed(0), '');
line('CPU ms of one, one in 16 red', run.cpums.toFixed(2), '<= 2.5');
line('  of them server + database', `${run.serverms.toFixed(2)} + ${run.databasems.toFixed(2)}`, '');
line('CPU ms of one that opens a case', redrun.cpums.toFixed(2), '<= 15');
line('p50 / p99 ms, 8 clients', `${run.p50.toFixed(1)} / ${run.p99.toFixed(1)}`, '');
line('bare rows per second, 8 clients', left.bare.persecond.toFixed(0), '');
line('share of the bare rows', (run.persecond / left.bare.persecond).toFixed(2), '');
line('burst of 500 per second', burst.persecond.toFixed(0), '>= 400');
line('p99 ms, 128 clients', burst.p99.toFixed(0), '<= 500');
line('lost / red answers not on the list', `${lost} / ${unseen}`, '0 / 0');
console.log(
  JSON.stringify({
    run,
    red: redrun,
    burst,
    bare: left.bare,
    lost,
    unseen,
    used: left.used,
    sittings: sitters.length,
    cores: readdirSync('/sys/devices/system/cpu').filter((name) => /^cpu\d+$/.test(name)).length,
  }),
);
process.exitCode = lost + unseen + run.refused + redrun.refused + burst.refused === 0 ? 0 : 1;
