import { z } from 'zod';
import { anyStaff, defineAction } from '#contract/action.ts';
import { file } from '#contract/file.ts';
import { pageOf, pageRequest } from '#contract/page.ts';

/**
 * 下载中心: every export can also be carried out in the background. The calls stand here and not in a feature because the export
 * button of every screen starts them.
 */

const jobid = z.uuid().describe('导出任务');

/** Starts an export in the background, under the caller's own rights and reach, which are asked for again when it runs. */
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
      /** rows read, and how many there are; total 0 while that is not known */
      progress: z.number(),
      total: z.number(),
      filename: z.string(),
      /** bytes of the finished file */
      size: z.number(),
      /** why it failed, in words */
      error: z.string(),
      createtime: z.string(),
      finishtime: z.string(),
      /** when the file is removed */
      expiretime: z.string(),
    }),
  ).extend({ /** how many are waiting or running */ unfinished: z.number() }),
});

export const cancelExport = defineAction({
  name: 'as.m.job.cancelExport',
  title: '取消后台导出',
  allow: anyStaff,
  kind: 'write',
  request: z.strictObject({ jobid }),
  response: z.object({}),
});

/** The file of a finished export, for the account that asked for it and while it still may call that export. */
export const downloadExport = defineAction({
  name: 'as.m.job.downloadExport',
  title: '下载导出文件',
  allow: anyStaff,
  kind: 'export',
  request: z.strictObject({ jobid }),
  response: file,
});
