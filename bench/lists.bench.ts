// How long the lists of those who run the platform take with 5,000 institutions, 50,000 staff, 200,000 persons, ledger lines and audit rows, over
// HTTP, and what one costs in CPU once the server is warm, beside what the budget was reckoned from (bareServer.ts): both are asked in turns,
// because a shared processor takes three times as long from one minute to the next. Prints a table and one line of JSON.
// `npm run bench lists [part of a list's name [rounds]]`
import { spawn } from 'node:child_process';
import { Agent, request as post } from 'node:http';
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { postgresProcessesOf } from '#server/processes.ts';
import { prepareLargeDataset } from '#testing/largeDataset.ts';
import { asPlatformOwner, freePort, prepareRespondents, startMain, withDatabase } from '#testing/respondents.ts';
import { typesOf } from '#features/muser/muserWords.ts';

/** A page of 20 of 200,000 rows in performance.md: its parts add up to so many milliseconds, and a list may take so many. */
const partsOfPage = 0.364;
const budget = 1;
/** A session may call 300 times at once and 30 times a second after that, so lists are asked by several. */
const sessions = 12;
const only = process.argv[2] ?? '';
const rounds = Number(process.argv[3] ?? 6);

const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])) * 10;
};

const { dataDir } = await prepareRespondents(1);
// The first start gives the platform's account a password to be changed; `prepareLargeDataset` lifts that.
const first = startMain(dataDir, await freePort());
await first.ready;
first.process.kill('SIGTERM');
await new Promise((done) => first.process.once('exit', done));
await withDatabase(dataDir, async (target) => {
  await prepareLargeDataset(target, { providers: 50, institutionsEach: 100, staffEach: 10, personsEach: 40 });
  await asPlatformOwner(target, (owner) =>
    owner.query(
      `insert into auth.session (tokenhash, kind, musercode, accountid, expiretime, idle)
       select encode(sha256(convert_to(name || ' ' || n, 'UTF8')), 'hex'), s.kind, s.musercode, s.accountid, now() + interval '1 day', '1 day'
       from unnest($1::text[]) name join auth.session s on s.tokenhash = encode(sha256(convert_to(name, 'UTF8')), 'hex'), generate_series(1, $2::int) n`,
      [['super', 'fang', 'ma', 'chen'], sessions],
    ),
  );
});
const port = await freePort();
const server = startMain(dataDir, port);
if (!(await server.ready)) throw new Error(server.output());
const [, , , databasePort = '', socket = ''] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
const barePort = await freePort();
const bare = spawn(
  process.execPath,
  [new URL('bareServer.ts', import.meta.url).pathname, socket, databasePort, 'postgres', String(barePort)],
  { stdio: 'inherit' },
);

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
/** One call; its answer is read whole, as a browser does. */
function ask(toPort: number, path: string, token: string, body: object): Promise<{ errorCode: number; errorMsg: string }> {
  const text = JSON.stringify(body);
  return new Promise((done, fail) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), token };
    const out = post({ port: toPort, host: '127.0.0.1', method: 'POST', path, agent, headers }, (answer) => {
      let got = '';
      answer
        .setEncoding('utf8')
        .on('data', (part: string) => (got += part))
        .on('end', () => done(JSON.parse(got) as { errorCode: number; errorMsg: string }));
    });
    out.on('error', fail).end(text);
  });
}
while ((await ask(barePort, '/page', '', { tenant: 1 }).catch(() => undefined)) === undefined) await pause(200);

const muser = 'as.m.user.getMUserPageList';
const users = 'as.m.system.user.selectUserList';
const trail = 'as.m.audit.getAuditPageList';
const twenty = { pageSize: 20 };
const institutions = { ...twenty, musertypes: typesOf.institutions };
const calls: [string, string, string, Record<string, unknown>][] = (
  [
    ['机构管理', 'super', muser, institutions],
    ['机构管理 page 250', 'super', muser, { ...institutions, page: 250 }],
    ['机构管理 by name', 'super', muser, { ...institutions, keyword: '第4999' }],
    ['机构管理 of a provider', 'fang', muser, institutions],
    ['服务商管理', 'super', muser, { ...twenty, musertypes: typesOf.providers }],
    ['机构树, one level', 'super', 'as.m.user.getMUserTree', {}],
    ['用户管理', 'super', users, twenty],
    ['用户管理 by name', 'super', users, { ...twenty, keyword: '王静' }],
    ['用户管理 of a school', 'ma', users, twenty],
    ['审计日志', 'super', trail, twenty],
    ['审计日志 of a school', 'ma', trail, twenty],
    ['方案授权明细', 'super', 'as.m.hospital.statistic.getPlanAuthorizeDetails', twenty],
    ['方案授权统计', 'super', 'as.m.hospital.statistic.getPlanAuthorizeCount', twenty],
    ['角色管理', 'super', 'as.m.system.role.selectRoleList', twenty],
    ['个体管理 of a school', 'chen', 'as.m.cuser.getCUserPageList', twenty],
  ] satisfies [string, string, string, Record<string, unknown>][]
).filter(([what]) => what.includes(only));

let refused = 0;
type Asked = (at: number) => Promise<{ errorCode: number; errorMsg: string }>;
/** Carries a call out so many times, eight at once, as the peers of performance.md were asked; answers how long each took. */
async function asking(times: number, call: Asked): Promise<number[]> {
  const took: number[] = [];
  let left = times;
  const client = async () => {
    while (left-- > 0) {
      const started = performance.now();
      const answer = await call(left);
      took.push(performance.now() - started);
      if (answer.errorCode === 0) continue;
      refused += 1;
      console.log(answer.errorCode, answer.errorMsg);
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return took;
}
const databases = () => postgresProcessesOf(realpathSync(join(dataDir, 'postgres'))).reduce((sum, pid) => sum + cpuOf(pid), 0);
async function cost(times: number, pid: number, call: Asked) {
  const before = { server: cpuOf(pid), database: databases() };
  const took = await asking(times, call);
  return { server: (cpuOf(pid) - before.server) / times, database: (databases() - before.database) / times, took };
}
const listing =
  ([, token, name, request]: (typeof calls)[number]): Asked =>
  (at) =>
    ask(port, `/api/${name}/1.0.0/action`, `${token} ${(at % sessions) + 1}`, request);
const page: Asked = (at) => ask(barePort, '/page', '', { tenant: at % 200 });

// Every connection learns its plans and the server's code is compiled; neither is the price of a list.
for (const call of calls) await asking(300, listing(call));
await asking(1200, page);
// Nor is what a server does once after its start (the tally of the trail, the list of common passwords).
for (let last = -1; last !== 0;) {
  const before = cpuOf(server.process.pid as number) + databases();
  await pause(2000);
  last = Math.floor((cpuOf(server.process.pid as number) + databases() - before) / 200);
}

const measured = new Map(calls.map(([what]) => [what, { server: 0, database: 0, bare: 0, took: [] as number[] }]));
for (let round = 0; round < rounds; round++)
  for (const call of calls) {
    const sum = measured.get(call[0]) as NonNullable<ReturnType<typeof measured.get>>;
    const reference = await cost(200, bare.pid as number, page);
    const own = await cost(100, server.process.pid as number, listing(call));
    sum.bare += (reference.server + reference.database) / rounds;
    sum.server += own.server / rounds;
    sum.database += own.database / rounds;
    sum.took.push(...own.took);
    await pause(300);
  }
bare.kill('SIGTERM');
server.process.kill('SIGTERM');
agent.destroy();
await new Promise((done) => server.process.once('exit', done));
rmSync(dataDir, { recursive: true, force: true });

const most = (budget / partsOfPage).toFixed(2);
console.log(`\nCPU in ms; the last column is how many times as much as the bare page in the same minutes, at most ${most}`);
console.log(
  `${''.padEnd(26)}${['p50', 'p99', 'server', 'database', 'both', 'bare', 'ratio'].map((head) => head.padStart(9)).join('')}`,
);
for (const [what, { server: own, database, bare: reference, took }] of measured) {
  took.sort((a, b) => a - b);
  const figures = [
    took[took.length >> 1] ?? 0,
    took.at(-1) ?? 0,
    own,
    database,
    own + database,
    reference,
    (own + database) / reference,
  ];
  const wide = [...what].filter((letter) => letter > 'ÿ').length;
  console.log(`${what.padEnd(26 - wide)}${figures.map((figure) => figure.toFixed(2).padStart(9)).join('')}`);
}
console.log(JSON.stringify(Object.fromEntries([...measured].map(([what, { took: _, ...figures }]) => [what, figures]))));
process.exitCode = refused === 0 ? 0 : 1;
