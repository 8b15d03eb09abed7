import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { signal } from '#server/postgres/processes.ts';
import { answersOf, freePort, prepareRespondents, startMain, tryCall, type OpenSheet } from '#testing/load/respondents.ts';
import { sizeOf } from '#testing/size.ts';

/** Megabytes of memory and open descriptors of a process. */
async function measure(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  return { megabytes: Math.round(kilobytes / 1024), descriptors: (await readdir(`/proc/${pid}/fd`)).length };
}

/** Opens connections from another process. `closed` asks how many of them the server has closed. */
async function openConnections(port: number, count: number) {
  const program = new URL('../../testing/load/idleClients.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [program, String(port), String(count)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  onTestFinished(() => void child.stdin.end());
  expect((await lines.next()).value).toBe('open');
  return {
    closed: async () => {
      child.stdin.write('?\n');
      return Number((await lines.next()).value);
    },
  };
}

test('while thousands of connections stand idle, pupils hand in; the server closes them and gives back what they took', async () => {
  const { dataDir, respondents } = await prepareRespondents(6);
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const server = startMain(dataDir, port);
  const pid = server.process.pid as number;
  onTestFinished(async () => {
    signal(pid, 'SIGTERM');
    if (server.process.exitCode === null) await once(server.process, 'exit');
  });
  expect(await server.ready).toBe(true);
  const handIn = async ({ token, cuserplanid, submitkey, ...respondent }: (typeof respondents)[0]) => {
    const { data } = await tryCall(port, token, 'as.c.exam.startExam', { cuserplanid });
    const sheet = data as OpenSheet;
    const answers = answersOf({ token, cuserplanid, submitkey, ...respondent }, sheet);
    return (await tryCall(port, token, 'as.c.exam.submitExam', { examcode: sheet.examcode, submitkey, answers })).errorCode;
  };
  expect(await handIn(respondents[0] as (typeof respondents)[0])).toBe(0);
  const before = await measure(pid);
  const count = sizeOf(1_000, 10_000);
  const clients = await openConnections(port, count);
  const during = await measure(pid);
  for (const respondent of respondents.slice(1, 4)) expect(await handIn(respondent)).toBe(0);
  await expect.poll(clients.closed, { timeout: 120_000 }).toBe(count);
  await expect.poll(async () => (await measure(pid)).descriptors, { timeout: 60_000 }).toBeLessThan(before.descriptors + 50);
  console.log(JSON.stringify({ connections: count, before, during, after: await measure(pid) }));
  expect(during.megabytes - before.megabytes).toBeLessThan(sizeOf(150, 300));
  for (const respondent of respondents.slice(4)) expect(await handIn(respondent)).toBe(0);
});
