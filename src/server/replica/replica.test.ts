import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { passwordHash } from '#contract/passwordHash.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { answersOf, freePort, prepareRespondents, startMain, tryCall, type OpenSheet } from '#testing/load/respondents.ts';
import { startReplica, type RunningReplica } from '#testing/process/replica.ts';

const COUNT = 'as.m.assess.getAssessPeopleCompleteCount';
const TIME = 'as.m.statistic.getStatisticTime';

/** A school of six students. Its server reads figures and exports from a streaming replica. */
async function schoolWithReplica() {
  const { dataDir, respondents } = await prepareRespondents(6);
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const first = startMain(dataDir, port);
  expect([await first.ready, first.output()]).toEqual([true, expect.any(String)]);
  const replica = await startReplica(dataDir);
  const stop = async ({ process: child }: typeof first) => {
    const exited = once(child, 'exit');
    if (child.kill('SIGTERM')) await exited;
  };
  await stop(first);
  const server = startMain(dataDir, port, undefined, { DATABASE_REPLICA_URL: replica.url });
  onTestFinished(() => stop(server));
  expect([await server.ready, server.output()]).toEqual([true, expect.any(String)]);
  await isStreaming(replica);

  const call = async <T>(name: string, request: unknown, token: string): Promise<T> => {
    const answer = await tryCall(port, token, name, request);
    if (answer.errorCode !== 0) throw new Error(`${name}: ${answer.errorCode} ${answer.errorMsg}`);
    return answer.data as T;
  };
  return {
    port,
    replica,
    call,
    output: server.output,
    tested: async (token = 'chen') => (await call<{ tested: number }>(COUNT, {}, token)).tested,
    datatime: async () => (await call<{ datatime: string }>(TIME, {}, 'chen')).datatime,
    /** One more student hands in. */
    submit: async () => {
      const student = respondents.shift();
      if (!student) throw new Error('all students have handed in');
      const sheet = await call<OpenSheet>('as.c.exam.startExam', { cuserplanid: student.cuserplanid }, student.token);
      const answers = answersOf(student, sheet);
      await call('as.c.exam.submitExam', { examcode: sheet.examcode, submitkey: student.submitkey, answers }, student.token);
    },
  };
}

async function isStreaming(replica: RunningReplica): Promise<void> {
  const find = () => replica.query("select from pg_stat_wal_receiver where status = 'streaming'");
  while ((await find()).length === 0) await new Promise((done) => setTimeout(done, 100));
}

/** Reads until the value is there. */
async function until<T>(read: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  const end = performance.now() + 60_000;
  for (;;) {
    const value = await read();
    if (isThere(value) || performance.now() > end) return value;
    await new Promise((done) => setTimeout(done, 100));
  }
}

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

test('figures and exports come from the replica, say up to when, and come from the primary when the replica cannot answer', async () => {
  const { port, replica, call, tested, datatime, submit, output } = await schoolWithReplica();
  await submit();
  expect(await until(tested, (count) => count === 1)).toBe(1);

  // The replica stands still. A hand-in is not counted, and the time of the figures stands still with them.
  await replica.query('select pg_wal_replay_pause()');
  await submit();
  const paused = await datatime();
  await sleep(2_000);
  expect([await tested(), await datatime()]).toEqual([1, paused]);
  // Row-level security holds there: another school counts nothing of this one.
  expect(await tested('qiao')).toBe(0);

  // An export reads there as well and says so; its audit row is on the primary.
  const person = { appid: '000000002', username: '周明', gender: '01', birthday: '2010-07-08' };
  await call('as.m.cuser.insertCUser', person, 'chen');
  const response = await fetch(`http://127.0.0.1:${port}/api/as.m.cuser.exportCuserList/1.0.0/action`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token: 'chen' },
    body: JSON.stringify({ keyword: '周明' }),
  });
  const { rows } = await readWorkbook(Buffer.from(await response.arrayBuffer()), '受测者.xlsx');
  const cells = (rows as string[][]).flat();
  expect(cells).not.toContain('周明');
  expect(cells[0]).toContain(`数据截至 ${paused.slice(0, 16)}`);
  const log = await call<{ rows: { title: string }[] }>('as.m.audit.getAuditPageList', { pageSize: 20 }, 'ma');
  expect(log.rows.map(({ title }) => title)).toContain('导出受测者');

  // A session that the replica does not know yet reads the primary.
  const signIn = async (pwd: string) =>
    (await call<{ token: string }>('as.m.user.login', { username: 'lu', pwd: passwordHash(pwd) }, '')).token;
  const { onetime } = await call<{ onetime: string }>('as.m.system.user.resetPwd', { userid: 'U_LU' }, 'ma');
  const own = { musercode: 'M_CHENGUANG', pwd: passwordHash('Lu-own-word-9') };
  await call('as.m.user.updateMUser', own, await signIn(onetime));
  expect([await tested(await signIn('Lu-own-word-9')), await tested()]).toEqual([2, 1]);

  // It goes on: the figures and their time do, too.
  await replica.query('select pg_wal_replay_resume()');
  expect(await until(tested, (count) => count === 2)).toBe(2);
  expect((await datatime()) > paused).toBe(true);

  // It is gone: the primary answers, and the log says it once.
  await replica.kill();
  await submit();
  expect([await tested(), await tested()]).toEqual([3, 3]);
  expect(output().split('the replica does not answer')).toHaveLength(2);
});
