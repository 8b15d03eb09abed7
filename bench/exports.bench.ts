// Measures the export of persons over HTTP: its time, the CPU time and the memory of the server, and the time relative to writing the
// same cells without a database. Prints a table with the budgets and one line of JSON. `npm run bench exports [rows]`
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request as post, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import pg from 'pg';
import { asOwner } from '#server/db/roles.ts';
import { postgresProcessesOf } from '#server/postgres/processes.ts';
import { writeWorksheet } from '#server/workbook/write.ts';
import { asPlatformOwner, freePort, prepareRespondents, startMain, withDatabase } from '#testing/load/respondents.ts';

const rows = Number(process.argv[2] ?? 100_000);
/** Columns of template C with the numbers of person and archive. The file has eight more about the state of the person. */
const templateColumns = 19;
/** supplement-people-statistics.md, section 6: seconds and megabytes for 100,000 rows of 19 columns. */
const budgets = { seconds: 4, megabytes: 350 };

/** The CPU time of a process in milliseconds. */
const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
};
/** The largest memory that a process has used, in megabytes. */
const peakOf = (pid: number): number => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const agent = new Agent({ keepAlive: true });
async function send(port: number, name: string, body: object): Promise<IncomingMessage> {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), token: 'lin' };
  const request = post({ port, host: '127.0.0.1', method: 'POST', path: `/api/${name}/1.0.0/action`, agent, headers });
  request.end(text);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return answer;
}
/** Reads an answer to its end and returns its size; a refusal throws. */
async function drain(answer: IncomingMessage): Promise<number> {
  let bytes = 0;
  let start = '';
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (bytes === 0) start = chunk.toString();
    bytes += chunk.length;
  }
  if (start.startsWith('{') && !start.startsWith('{"errorCode":0')) throw new Error(start);
  return bytes;
}
async function start(dataDir: string) {
  const port = await freePort();
  const server = startMain(dataDir, port);
  if (!(await server.ready)) throw new Error(server.output());
  const stop = async () => {
    server.process.kill('SIGTERM');
    await once(server.process, 'exit');
  };
  return { port, pid: server.process.pid as number, stop };
}

const { dataDir } = await prepareRespondents(1);
const first = await start(dataDir);
await drain(
  await send(first.port, 'as.m.cuser.insertCUser', {
    appid: '000000003',
    username: '赵护士',
    gender: '02',
    birthday: '1985-06-01',
    phonenumber: '13800000001',
    archive: {
      employeeno: 'A0',
      unitname: '云栖市仁爱妇幼保健院',
      deptname: '产科',
      post: '护士',
      jobtype: '01',
      workyears: 12,
      shiftwork: 1,
      remark: '夜班',
    },
  }),
);
await first.stop();
await withDatabase(dataDir, async (target) => {
  await asPlatformOwner(target, async (owner) => {
    await owner.query(
      `with person as (
         insert into cuser (musercode, appid, username, gender, birthday, phonesealed, phonehash)
         select musercode, appid, username || n, gender, birthday, phonesealed, phonehash
         from cuser, generate_series(2, $1::int) n where musercode = 'M_RENAI' returning cuserid, musercode, appid)
       insert into cuserarchive (cuserid, musercode, appid, archiveno, employeeno, unitname, detail, opendate)
       select p.cuserid, p.musercode, p.appid, 'N' || p.cuserid, 'A' || p.cuserid, a.unitname, a.detail, a.opendate
       from person p, cuserarchive a where a.musercode = 'M_RENAI'`,
      [rows],
    );
    await owner.query(
      `insert into accessapproval (musercode, applicant, applicantname, call, title, filter, purpose, persons, minors, status,
         approver, validuntil, createtime)
       values ('M_RENAI', 'U_LIN', '林医生', 'as.m.cuser.exportCuserList', '受测者', '{}', '性能测量', $1, 0, 1, 'U_OTHER',
         now() + interval '1 day', now())`,
      [rows],
    );
  });
  const client = new pg.Client(asOwner(target));
  await client.connect();
  await client.query('set statement_timeout = 0');
  await client.query('vacuum analyze');
  await client.end();
});

const server = await start(dataDir);
const databaseCpu = () => postgresProcessesOf(realpathSync(join(dataDir, 'postgres'))).reduce((sum, pid) => sum + cpuOf(pid), 0);
// Warms up: the first call compiles code and opens connections.
await drain(await send(server.port, 'as.m.cuser.exportCuserList', { keyword: '赵护士' + rows }));
const idleMegabytes = peakOf(server.pid);
const runs: { seconds: number; server: number; database: number; bytes: number }[] = [];
for (let run = 0; run < 3; run++) {
  const before = { server: cpuOf(server.pid), database: databaseCpu() };
  const startTime = performance.now();
  const bytes = await drain(await send(server.port, 'as.m.cuser.exportCuserList', { approvalid: 1 }));
  const seconds = (performance.now() - startTime) / 1000;
  runs.push({
    seconds,
    server: (cpuOf(server.pid) - before.server) / 1000,
    database: (databaseCpu() - before.database) / 1000,
    bytes,
  });
}
const megabytes = peakOf(server.pid);
await server.stop();
agent.destroy();
rmSync(dataDir, { recursive: true, force: true });

/** Writes the same number of cells without a database and without HTTP. */
async function writeOnly(): Promise<number> {
  const startTime = performance.now();
  const cells = Array.from({ length: templateColumns + 8 }, (_, index) => (index % 5 === 0 ? '' : `值${index}000000`));
  const written = writeWorksheet({
    name: '表',
    heads: cells.map((_, index) => `列${index}`),
    rows: (function* () {
      for (let row = 0; row < rows; row++) yield cells;
    })(),
  });
  for await (const _chunk of written);
  return (performance.now() - startTime) / 1000;
}
const reference = Math.min(await writeOnly(), await writeOnly());
const best = runs.reduce((fastest, run) => (run.seconds < fastest.seconds ? run : fastest));
const ratio = best.seconds / reference;
const isOver = (value: number, budget: number) => (value > budget ? '  over' : '');
console.log(`\n${rows} persons, ${templateColumns} columns of the template and 8 more`);
console.log(
  `time                ${best.seconds.toFixed(2)} s   budget ${budgets.seconds}${isOver(best.seconds, budgets.seconds)}`,
);
console.log(
  `memory of the server ${megabytes.toFixed(0)} MB   budget ${budgets.megabytes}${isOver(megabytes, budgets.megabytes)}`,
);
console.log(`  before the export  ${idleMegabytes.toFixed(0)} MB`);
console.log(`CPU server          ${best.server.toFixed(2)} s, database ${best.database.toFixed(2)} s`);
console.log(`file                ${(best.bytes / 1024 / 1024).toFixed(1)} MB`);
console.log(`writing alone       ${reference.toFixed(2)} s, ratio ${ratio.toFixed(2)}`);
console.log(JSON.stringify({ rows, ...best, megabytes, reference, ratio }));
