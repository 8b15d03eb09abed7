import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';
import { file } from '#contract/file.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

/**
 * 下载中心: every export can also run in the background. These calls are here and not in a feature, because the export button
 * of every screen uses them.
 */

const jobid = z.uuid().describe('导出任务');

/** Starts an export in the background with the rights and the data scope of the caller. The server checks both again when it runs. */
export const insertExport = defineAction({
  name: 'as.m.job.insertExport',
  title: '后台导出',
  allow: anyStaff,
  kind: 'write',
  request: z.strictObject({
    /** the name of an export, such as `as.m.cuser.exportCuserList` */
    action: z.string().min(1).max(100).describe('导出内容'),
    request: z.record(z.string(), z.unknown()).default({}).describe('导出条件'),
  }),
  response: z.object({ jobid: z.uuid() }),
});

/** The caller's own exports of the last 30 days, newest first. */
export const getExportPageList = defineAction({
  name: 'as.m.job.getExportPageList',
  title: '下载中心',
  allow: anyStaff,
  kind: 'read',
  request: pageRequest,
  response: pageOf(
    z.object({
      jobid: z.uuid(),
      title: z.string(),
      /** a code of domain/files/exportJob.ts */
      status: z.number().int(),
      /** rows read, and all rows; total is 0 while unknown */
      progress: z.number(),
      total: z.number(),
      filename: z.string(),
      /** bytes of the finished file */
      size: z.number(),
      /** the reason of a failure, in Chinese */
      error: z.string(),
      createtime: z.string(),
      finishtime: z.string(),
      /** when the file is removed */
      expiretime: z.string(),
    }),
  ).extend({ /** the number of waiting and running exports */ unfinished: z.number() }),
});

/** Cancels a waiting or running export of the caller. */
export const cancelExport = defineAction({
  name: 'as.m.job.cancelExport',
  title: '取消后台导出',
  allow: anyStaff,
  kind: 'write',
  request: z.strictObject({ jobid }),
  response: z.object({}),
});

/** Returns the file of a finished export to the account that started it, while the account may still call that export. */
export const downloadExport = defineAction({
  name: 'as.m.job.downloadExport',
  title: '下载导出文件',
  allow: anyStaff,
  kind: 'export',
  request: z.strictObject({ jobid }),
  response: file,
});
