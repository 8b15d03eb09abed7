import { shanghaiTime } from '#domain/base/calendar.ts';
import { ExportStatus, maxPendingExports } from '#domain/files/exportJob.ts';
import * as contract from '#contract/exportJob.ts';
import { canReadField, fieldRules, type FieldRule } from '#contract/fieldAccess.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import { FileAltered } from '#server/storage/fileSealing.ts';
import { FileMissing } from '#server/storage/storage.ts';
import * as queries from '#features/job/job.queries.ts';

/** A background export cannot call the actions of background exports. */
const JOB_ACTION = /^as\.m\.job\./;

/** Returns how much of its institution an account sees, apart from its rights. */
const visibilityOf = (caller: Staff) => ({
  whole: !caller.hasDataScope,
  fields: (Object.keys(fieldRules) as FieldRule[]).filter((rule) => canReadField(caller, rule)),
});

const insertExport = handle(contract.insertExport, async ({ action: name, request }, ctx) => {
  const { scope, caller, cipher, now } = ctx;
  // The server refuses now what a direct call would be refused for, so the user does not wait in vain.
  const action = ctx.authorizeCall(name, request);
  if (action.kind !== 'export' || JOB_ACTION.test(action.name))
    throw problems.invalid({ message: '这项操作不能在后台导出' }, { field: 'action' });
  const body = cipher.encrypt(caller.musercode, 'job.body', JSON.stringify(request));
  const { jobid } = await queries.addJob(scope, {
    musercode: caller.musercode,
    accountid: caller.accountid,
    title: action.title,
    request: { action: action.name, body, ...visibilityOf(caller) },
    createtime: now,
  });
  if (!(await queries.queueJob(scope, jobid, maxPendingExports)))
    throw problems.wrongState({ why: `已有 ${maxPendingExports} 个导出在进行，请等其中一个完成或取消后再试` });
  ctx.audit({ objectid: jobid, detail: { action: action.name } });
  return { jobid };
});

const getExportPageList = handle(contract.getExportPageList, async ({ page, pageSize }, { scope, caller, now }) => {
  const since = new Date(now.getTime() - 30 * 86_400_000);
  const { total, unfinished, rows } = await queries.listJobs(scope, caller.accountid, { since, page, pageSize });
  return {
    total,
    unfinished,
    rows: rows.map((row) => ({
      jobid: row.jobid,
      title: row.title,
      status: row.status === ExportStatus.done && row.expiretime && row.expiretime < now ? ExportStatus.expired : row.status,
      progress: row.progress,
      total: row.total,
      filename: row.filename ?? '',
      size: row.bytes ?? 0,
      error: row.error ?? '',
      createtime: shanghaiTime(row.createtime),
      finishtime: row.finishtime ? shanghaiTime(row.finishtime) : '',
      expiretime: row.expiretime ? shanghaiTime(row.expiretime) : '',
    })),
  };
});

const cancelExport = handle(contract.cancelExport, async ({ jobid }, ctx) => {
  const { scope, caller, now } = ctx;
  if (!(await queries.findJob(scope, jobid, caller.accountid))) throw problems.notFound({ what: '导出任务' });
  if (!(await queries.cancelJob(scope, jobid, caller.accountid, now))) throw problems.wrongState({ why: '这次导出已经结束' });
  await queries.unqueueJob(scope, jobid);
  ctx.audit({ objectid: jobid });
  return {};
});

const downloadExport = handle(contract.downloadExport, async ({ jobid }, ctx) => {
  const job = await queries.findJob(ctx.scope, jobid, ctx.caller.accountid);
  if (!job) throw problems.notFound({ what: '导出任务' });
  if (job.status === ExportStatus.expired || (job.expiretime && job.expiretime <= ctx.now))
    throw problems.wrongState({ why: '文件已过期，请重新导出' });
  if (job.status !== ExportStatus.done || !job.filekey) throw problems.wrongState({ why: '文件还没有准备好' });
  const { action, body, ...before } = job.request as queries.ExportRequest;
  // The file may hold more than the account may see now; the server then refuses it, as it does after a lost right.
  const current = visibilityOf(ctx.caller);
  if ((before.whole && !current.whole) || !before.fields?.every((rule) => current.fields.includes(rule)))
    throw problems.wrongState({ why: '您可查看的范围已经变化，请重新导出' });
  ctx.authorizeCall(action, JSON.parse(ctx.cipher.decrypt(job.musercode, 'job.body', body)));
  const content = await ctx.storage.get(job.filekey).catch((error: unknown) => {
    if (error instanceof FileAltered) throw problems.wrongState({ why: '文件已损坏，请重新导出' });
    throw error instanceof FileMissing ? problems.wrongState({ why: '文件已过期，请重新导出' }) : error;
  });
  ctx.audit({ objectid: jobid, detail: { action, filename: job.filename } });
  return { filename: job.filename ?? 'export', mime: job.mime ?? 'application/octet-stream', body: content };
});

export const jobHandlers = [insertExport, getExportPageList, cancelExport, downloadExport];
