// Measures 500 reports as one export job of the running product: queue, database, PDF thread, store and download. Prints the CPU time and
// the memory of the server, and the CPU time of PostgreSQL beside it. `npm run bench reports [count]`; BENCH_DATA_DIR names a data folder
// with the demonstration, whose creation takes minutes.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import { insertExport, getExportPageList } from '#contract/exportJob.ts';
import { decideAccessApproval, insertAccessApproval } from '#features/approval/approval.contract.ts';
import { getCUserReportPageList } from '#features/report/report.contract.ts';
import { login } from '#features/session/session.contract.ts';
import { freePort } from '#testing/load/respondents.ts';
import { cpuNow } from './http.ts';

const count = Number(process.argv[2] ?? 500);
/** supplement-people-statistics.md, section 6: CPU seconds and megabytes for 500 reports of four pages. */
const budgets = { seconds: 40, megabytes: 350 };

/** The largest memory that a process has used, in megabytes. */
const peakOf = (pid: number): number => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const given = process.env['BENCH_DATA_DIR'];
const dataDir = given ?? mkdtempSync(join(realpathSync(tmpdir()), 'xinli-bench-'));
const port = await freePort();
const address = `http://127.0.0.1:${port}`;
const server = spawn(process.execPath, ['src/server/main.ts'], {
  env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1', DEMO: '1', DATABASE_URL: '' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const pid = server.pid as number;
await new Promise<void>((resolve, reject) => {
  let output = '';
  server.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()).includes(address) && resolve());
  server.once('exit', () => reject(new Error(output)));
});

async function as(username: string) {
  const callWith =
    (token: string) =>
    async <A extends Action>(action: A, request: RequestOf<A>): Promise<ResponseOf<A>> => {
      const response = await fetch(`${address}/api/${action.name}/1.0.0/action`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { token }) },
        body: JSON.stringify(request),
      });
      const answer = (await response.json()) as { errorCode: number; errorMsg: string; data: unknown };
      if (answer.errorCode !== 0) throw new Error(`${action.name}: ${answer.errorCode} ${answer.errorMsg}`);
      return answer.data as ResponseOf<A>;
    };
  const pwd = createHash('md5').update('Demo1234').digest('hex').toUpperCase();
  return callWith((await callWith('')(login, { username, pwd })).token);
}

async function measure() {
  const psychologist = await as('demo_psych');
  const reportcodes: string[] = [];
  for (let page = 1; reportcodes.length < count; page++) {
    const { rows } = await psychologist(getCUserReportPageList, { page, pageSize: 100 });
    if (rows.length === 0) throw new Error(`the demonstration has ${reportcodes.length} reports only`);
    reportcodes.push(...rows.map(({ reportcode }) => reportcode));
  }
  const request = { reportcodes: reportcodes.slice(0, count), audience: 'staff', answers: 1, layout: 'person' } as const;
  const call = 'as.m.report.exportReportZip';
  const { approvalid } = await psychologist(insertAccessApproval, { call, filter: request, purpose: '测量批量导出' });
  await (
    await as('demo_psych2')
  )(decideAccessApproval, { approvalid, agreed: 1, reason: '' });

  const idle = peakOf(pid);
  const [before, startTime] = [cpuNow(pid, dataDir), performance.now()];
  const { jobid } = await psychologist(insertExport, { action: call, request: { ...request, part: 1, approvalid } });
  let job;
  do {
    await new Promise((done) => setTimeout(done, 1000));
    job = (await psychologist(getExportPageList, { page: 1, pageSize: 20 })).rows.find((row) => row.jobid === jobid);
  } while (job && job.status < 2);
  if (job?.status !== 2) throw new Error(`the export failed: ${job?.error}`);
  const seconds = (performance.now() - startTime) / 1000;
  const after = cpuNow(pid, dataDir);
  const cpu = (after.server - before.server) / 1000;
  const database = (after.database - before.database) / 1000;
  const megabytes = peakOf(pid);
  const isOver = (value: number, budget: number) => (value > budget ? '  over' : '');
  console.log(`\n${count} reports of staff with answers in one job`);
  console.log(`CPU       ${cpu.toFixed(1)} s   budget ${budgets.seconds}${isOver(cpu, budgets.seconds)}`);
  const memory = `${megabytes.toFixed(0)} MB   budget ${budgets.megabytes}${isOver(megabytes, budgets.megabytes)}`;
  console.log(`memory    ${memory}   (${idle.toFixed(0)} MB before the job)`);
  console.log(`database  ${database.toFixed(1)} s of CPU   time ${seconds.toFixed(1)} s`);
  console.log(JSON.stringify({ count, cpu, megabytes, database, seconds }));
}

try {
  await measure();
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  if (!given) rmSync(dataDir, { recursive: true, force: true });
}
