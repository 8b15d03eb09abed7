// How long the lists of those who run the platform take with 5,000 institutions, 50,000 staff, 200,000 persons, 200,000 audit rows and as many
// lines of counts, over HTTP, and what one costs in CPU once the server is warm. Prints a table and one line of JSON. `npm run bench lists`
import { readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { postgresProcessesOf } from '#server/processes.ts';
import { typesOf } from '#features/muser/muserWords.ts';
import { prepareNation } from '#testing/nation.ts';
import { freePort, prepareSitters, startMain, tryCall, withDatabase } from '#testing/sitters.ts';

const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12]) + Number(fields[13]) + Number(fields[14])) * 10;
};

const { dataDir } = await prepareSitters(1);
// The first start gives the platform's account a password to be changed; `prepareNation` lifts that.
const first = startMain(dataDir, await freePort());
await first.ready;
first.process.kill('SIGTERM');
await new Promise((done) => first.process.once('exit', done));
await withDatabase(dataDir, (target) =>
  prepareNation(target, { providers: 50, institutionsEach: 100, staffEach: 10, personsEach: 40 }),
);
const port = await freePort();
const server = startMain(dataDir, port);
if (!(await server.ready)) throw new Error(server.output());

const muser = 'as.m.user.getMUserPageList';
const calls: [string, string, string, Record<string, unknown>][] = [
  ['机构 page 1', 'super', muser, {}],
  // What 机构管理 and 服务商管理 ask for.
  ['机构管理', 'super', muser, { musertypes: typesOf.institutions }],
  ['服务商管理', 'super', muser, { musertypes: typesOf.providers }],
  ['机构 page 250', 'super', muser, { page: 250, pageSize: 15 }],
  ['机构 by name', 'super', muser, { keyword: '第4999' }],
  ['机构 of one provider', 'fang', muser, {}],
  ['机构树, one level', 'super', 'as.m.user.getMUserTree', {}],
  ['用户 page 1', 'super', 'as.m.system.user.selectUserList', {}],
  ['用户 by name', 'super', 'as.m.system.user.selectUserList', { keyword: '王静' }],
  ['用户 of one school', 'ma', 'as.m.system.user.selectUserList', {}],
  ['审计日志 page 1', 'super', 'as.m.audit.getAuditPageList', {}],
  ['审计日志 of one school', 'ma', 'as.m.audit.getAuditPageList', {}],
  ['方案授权明细 page 1', 'super', 'as.m.hospital.statistic.getPlanAuthorizeDetails', {}],
  ['方案授权统计 page 1', 'super', 'as.m.hospital.statistic.getPlanAuthorizeCount', {}],
  ['角色', 'super', 'as.m.system.role.selectRoleList', {}],
  ['个体 of one school', 'chen', 'as.m.cuser.getCUserPageList', {}],
];
const results: Record<string, { p50: number; p99: number; cpums: number }> = {};
console.log(
  `\n${''.padEnd(28)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}${'CPU ms'.padStart(9)}   budget: 1 ms CPU a page, 0.4 ambitious`,
);
const pids = () => [server.process.pid as number, ...postgresProcessesOf(realpathSync(join(dataDir, 'postgres')))];
const cpu = () => pids().reduce((sum, pid) => sum + cpuOf(pid), 0);
// What a server does once after its start (the tally of the trail, the list of common passwords) is no cost of a list.
for (let last = -1; last !== 0;) {
  const before = cpu();
  await pause(2000);
  last = Math.floor((cpu() - before) / 200);
}
let refused = 0;
/** Carries a call out so many times, eight at once, as the peers of performance.md were asked. */
const asking = async (times: number, call: () => Promise<unknown>) => {
  let left = times;
  const client = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: 8 }, client));
};
for (const [what, token, name, request] of calls) {
  const times: number[] = [];
  // A session may call 300 times at once and 30 times a second after that.
  await pause(10_000);
  await asking(100, () => tryCall(port, token, name, request));
  const before = cpu();
  await asking(200, async () => {
    const started = performance.now();
    const answer = await tryCall(port, token, name, request);
    times.push(performance.now() - started);
    if (answer.errorCode === 0) return;
    refused += 1;
    console.log(what, answer.errorCode, answer.errorMsg);
  });
  const after = cpu();
  times.sort((a, b) => a - b);
  const one = { p50: times[times.length >> 1] ?? 0, p99: times.at(-1) ?? 0, cpums: (after - before) / times.length };
  results[what] = one;
  console.log(
    `${what.padEnd(24)}${one.p50.toFixed(1).padStart(9)}${one.p99.toFixed(1).padStart(9)}${one.cpums.toFixed(2).padStart(9)}`,
  );
}
server.process.kill('SIGTERM');
await new Promise((done) => server.process.once('exit', done));
rmSync(dataDir, { recursive: true, force: true });
console.log(JSON.stringify(results));
process.exitCode = refused === 0 ? 0 : 1;
