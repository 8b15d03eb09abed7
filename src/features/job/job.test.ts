import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import * as job from '#contract/exportJob.ts';
import { maxPendingExports } from '#domain/files/exportJob.ts';
import { exportWorker, type WorkerOptions } from '#server/export/worker.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { getAuditPageList } from '#features/audit/audit.contract.ts';
import { cleanupFiles } from '#features/file/cleanup.ts';
import { setPermission } from '#testing/factories.ts';
import type { Person } from '#testing/people.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const personExport = { action: 'as.m.cuser.exportCuserList', request: {} };

async function createSchool(names = ['林小雨', '王小明', '赵一']) {
  const server = await startServer();
  // Adults: their export needs no approval.
  await addClass(server, { teamname: '初二1班', names, owneruserid: 'U_WANG', birthday: '2000-03-04' });
  const worker = (more: Partial<WorkerOptions> = {}) =>
    exportWorker(server.services, {
      dispatch: server.dispatch,
      clock: () => server.clock.now,
      log: (line) => server.errors.push(line),
      ...more,
    });
  const newestExport = async (who: Person = 'chen') => (await server.as(who)(job.getExportPageList, {})).rows[0];
  const download = async (who: Person, jobid: string) => {
    const { filename, body } = (await server.as(who)(job.downloadExport, { jobid })) as { filename: string; body: Readable };
    return { filename, rows: (await readWorkbook(await buffer(body), filename)).rows };
  };
  return { ...server, worker, newestExport, download };
}

test('a background export reports its progress and gives the same file as a direct export', async () => {
  const { as, worker, newestExport, download } = await createSchool();
  const { jobid } = await as('chen')(job.insertExport, personExport);
  expect(await newestExport()).toMatchObject({ jobid, title: '导出受测者', status: 0, filename: '', error: '' });
  await worker().drain();
  expect(await newestExport()).toMatchObject({
    status: 2,
    progress: 3,
    total: 3,
    filename: '受测者_2025-10-08.xlsx',
    expiretime: '2025-10-10 10:00:00',
  });
  const { filename, rows } = await download('chen', jobid);
  expect(filename).toBe('受测者_2025-10-08.xlsx');
  const direct = (await as('chen')({ ...job.downloadExport, name: 'as.m.cuser.exportCuserList' } as never, {} as never)) as {
    body: Readable;
  };
  expect(rows).toEqual((await readWorkbook(await buffer(direct.body), 'a.xlsx')).rows);
  expect(rows.flat()).toContain('林小雨');
});

test('a background export and every download of it are audited under the caller’s account', async () => {
  const { as, worker, download, sqlAsOwner } = await createSchool();
  const { jobid } = await as('chen')(job.insertExport, personExport);
  await worker().drain();
  await download('chen', jobid);
  const rows = await sqlAsOwner(
    "select action, accountid, cardinality(cuserids) as persons from audit.log where action like '%xport%' order by id",
  );
  expect(rows).toEqual([
    { action: 'as.m.job.insertExport', accountid: 'U_CHEN', persons: 0 },
    { action: 'as.m.cuser.exportCuserList', accountid: 'U_CHEN', persons: 3 },
    { action: 'as.m.job.downloadExport', accountid: 'U_CHEN', persons: 0 },
  ]);
  expect((await as('ma')(getAuditPageList, { kind: 'export' })).total).toBe(2);
});

test('a background export is refused at once where the direct export would be refused', async () => {
  const { as, sqlAsOwner, raw } = await createSchool();
  const start = (who: Person, action: string, request: Record<string, unknown> = {}) =>
    raw('as.m.job.insertExport', who, { action, request });
  expect(await start('nobody', personExport.action)).toMatchObject({ errorCode: 110004 });
  expect(await start('chen', 'as.m.no.such')).toMatchObject({ errorCode: 110004 });
  expect(await start('chen', personExport.action, { nothing: 1 })).toMatchObject({
    errorCode: 120002,
    errorMsg: '不支持的字段：nothing',
  });
  expect(await start('chen', 'as.m.cuser.getCUserPageList')).toMatchObject({ errorCode: 120002 });
  expect(await start('chen', 'as.m.job.downloadExport', { jobid: '0b8d0e9a-6a51-4ac5-93f1-0d4bb5d7c001' })).toMatchObject({
    errorCode: 120002,
  });
  for (let count = 0; count < maxPendingExports; count++) await as('chen')(job.insertExport, personExport);
  await expect(as('chen')(job.insertExport, personExport)).rejects.toMatchObject({ code: 140001 });
  await as('lu')(job.insertExport, personExport);
  await sqlAsOwner("update auth.session set stepuptime = now() - interval '16 minutes'");
  expect(await start('ma', personExport.action)).toMatchObject({ errorCode: 110007 });
  expect(await sqlAsOwner('select count(*)::int as n from job')).toEqual([{ n: maxPendingExports + 1 }]);
});

test('only its owner sees, cancels and downloads an export, and only while the owner holds the right', async () => {
  const { as, worker, sqlAsOwner } = await createSchool();
  const { jobid } = await as('chen')(job.insertExport, personExport);
  await worker().drain();
  for (const who of ['lu', 'ma', 'qiao', 'super'] as const) {
    expect((await as(who)(job.getExportPageList, {})).rows).toEqual([]);
    await expect(as(who)(job.downloadExport, { jobid })).rejects.toMatchObject({ code: 130001 });
    await expect(as(who)(job.cancelExport, { jobid })).rejects.toMatchObject({ code: 130001 });
  }
  await setPermission({ sqlAsOwner }, 'U_CHEN', '00009', 'deny');
  await expect(as('chen')(job.downloadExport, { jobid })).rejects.toMatchObject({ code: 110004 });
});

test('an export stops when its account is disabled or loses the right', async () => {
  const { as, worker, sqlAsOwner } = await createSchool();
  await as('chen')(job.insertExport, personExport);
  await as('lu')(job.insertExport, personExport);
  await sqlAsOwner("update auth.account set enabled = 0 where accountid = 'U_CHEN'");
  await setPermission({ sqlAsOwner }, 'U_LU', '00009', 'deny');
  await worker().drain();
  expect(await sqlAsOwner('select accountid, status, error, filekey from job order by accountid')).toEqual([
    { accountid: 'U_CHEN', status: 3, error: '账号已停用，导出已停止', filekey: null },
    { accountid: 'U_LU', status: 3, error: '当前操作没有权限', filekey: null },
  ]);
  expect(await sqlAsOwner("select * from auth.session where useragent = '后台导出'")).toEqual([]);
});

/** Returns a dispatcher whose exports never end, and a promise that resolves at the first byte. */
function createEndlessExport(server: Awaited<ReturnType<typeof createSchool>>) {
  let resolveBegun = () => {};
  const begun = new Promise<void>((resolve) => (resolveBegun = resolve));
  const dispatch: typeof server.dispatch = async (call) => {
    const answer = await server.dispatch(call);
    if (answer.errorCode !== 0) return answer;
    async function* forever() {
      yield Buffer.from('PK');
      resolveBegun();
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        yield Buffer.from('.');
      }
    }
    return { ...answer, data: { filename: 'a.xlsx', mime: 'x', body: Readable.from(forever()) } };
  };
  return { dispatch, begun };
}
const listExportFiles = async (storage: Awaited<ReturnType<typeof createSchool>>['services']['storage']) => {
  const keys: string[] = [];
  for await (const { key } of storage.list('export')) keys.push(key);
  return keys;
};

test('an export that is cancelled or whose account is disabled while it is written leaves no file', async () => {
  const server = await createSchool();
  const { as, sqlAsOwner, worker, services } = server;
  for (const [end, status] of [
    [() => sqlAsOwner("update auth.account set enabled = 0 where accountid = 'U_CHEN'"), 3],
    [async (jobid: string) => as('lu')(job.cancelExport, { jobid }), 4],
  ] as const) {
    const { dispatch, begun } = createEndlessExport(server);
    const { jobid } = await as(status === 3 ? 'chen' : 'lu')(job.insertExport, personExport);
    const drained = worker({ dispatch, beatEvery: 20 }).drain();
    await begun;
    await end(jobid);
    await drained;
    expect(await sqlAsOwner('select status from job where jobid = $1', [jobid])).toEqual([{ status }]);
    expect(await listExportFiles(services.storage)).toEqual([]);
    expect(await sqlAsOwner('select * from auth.jobqueue')).toEqual([]);
  }
});

test('a stopping server requeues its export, and another server takes over the export of a dead one', async () => {
  const server = await createSchool();
  const { as, sqlAsOwner, worker, newestExport, services } = server;
  await as('chen')(job.insertExport, personExport);
  const first = createEndlessExport(server);
  const stopping = worker({ dispatch: first.dispatch, beatEvery: 20 });
  const drained = stopping.drain();
  await first.begun;
  await stopping.stop();
  await drained;
  expect(await newestExport()).toMatchObject({ status: 1, error: '' });
  expect(await listExportFiles(services.storage)).toEqual([]);

  // After a kill the row still names a worker, but its heartbeat stops.
  await sqlAsOwner("update auth.jobqueue set worker = 'dead', heartbeat = now(), attempts = 1");
  await worker().drain();
  expect(await newestExport()).toMatchObject({ status: 1 });
  await sqlAsOwner("update auth.jobqueue set heartbeat = now() - interval '31 seconds'");
  await Promise.all([worker().drain(), worker().drain()]);
  expect(await newestExport()).toMatchObject({ status: 2 });
  expect(await listExportFiles(services.storage)).toHaveLength(1);
  expect(await sqlAsOwner("select * from audit.log where action = 'as.m.cuser.exportCuserList'")).toHaveLength(2);
});

test('an export that crashes every server is given up after three attempts', async () => {
  const { as, sqlAsOwner, worker, newestExport } = await createSchool();
  await as('chen')(job.insertExport, personExport);
  await sqlAsOwner("update auth.jobqueue set worker = 'dead', heartbeat = now() - interval '1 hour', attempts = 3");
  await worker().drain();
  expect(await newestExport()).toMatchObject({ status: 3, error: '导出多次中断，请缩小范围后再试' });
});

test('an export file is deleted after two days from the list and the storage, and so are files of failed calls', async () => {
  const { as, worker, newestExport, clock, services, sqlAsOwner } = await createSchool();
  // The storage stamps files with the real clock.
  const start = Date.now();
  const setClock = (hours: number) => (clock.now = new Date(start + hours * 3_600_000));
  setClock(0);
  const { jobid } = await as('chen')(job.insertExport, personExport);
  await worker().drain();
  await services.storage.put('upload/ab/0b8d0e9a-6a51-4ac5-93f1-0d4bb5d7c001', Buffer.from('left by a call that failed'));
  expect(await cleanupFiles(services, setClock(23))).toBe(0);
  expect(await cleanupFiles(services, setClock(25))).toBe(1);
  expect(await newestExport()).toMatchObject({ status: 2 });
  expect(await listExportFiles(services.storage)).toHaveLength(1);
  setClock(48.1);
  expect(await newestExport()).toMatchObject({ status: 5 });
  await expect(as('chen')(job.downloadExport, { jobid })).rejects.toMatchObject({
    code: 140001,
    message: '文件已过期，请重新导出',
  });
  expect(await cleanupFiles(services, clock.now)).toBe(1);
  expect(await listExportFiles(services.storage)).toEqual([]);
  await cleanupFiles(services, setClock(31 * 24));
  expect(await sqlAsOwner('select * from job')).toEqual([]);
});

test('the request of an export is stored encrypted', async () => {
  const { as, sqlAsOwner } = await createSchool();
  await as('chen')(job.insertExport, { ...personExport, request: { keyword: '林小雨' } });
  const [row] = await sqlAsOwner<{ request: { action: string; body: string } }>('select request from job');
  expect(JSON.stringify(row)).not.toContain('林小雨');
  expect(row?.request.action).toBe(personExport.action);
  expect(Object.keys((await sqlAsOwner('select * from auth.jobqueue'))[0]!).sort()).toEqual([
    'accountid',
    'attempts',
    'createtime',
    'heartbeat',
    'jobid',
    'musercode',
    'worker',
  ]);
});
