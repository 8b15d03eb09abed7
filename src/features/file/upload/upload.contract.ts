import { z } from 'zod';
import { fileUseKeys } from '#domain/files/filekind.ts';
import { anyStaff, defineAction } from '#contract/action.ts';
import { flag } from '#contract/field.ts';
import { fileRef } from '#features/file/file.contract.ts';

/**
 * Uploads that go on after an interruption (tus 1.0 at `/upload`). The route (`server/http/upload/uploadRoute.ts`) receives the bytes and
 * asks these actions for everything else: who may begin, who may go on, what becomes of the whole file. Only the account that began an
 * upload goes on with it, for 24 hours. When all bytes have arrived, the client calls `finishUpload` itself.
 */

const uploadid = z.uuid().describe('上传');

/**
 * Begins an upload: checks use, right, name, size and the institution's space before a byte arrives. 110004 without the right of the
 * use; 160002 for a file that is too large or for which there is no space (`reason` size or space); 140001 beyond 20 unfinished uploads.
 */
export const startUpload = defineAction({
  name: 'as.m.file.startUpload',
  title: '开始上传文件',
  allow: anyStaff,
  kind: 'write',
  request: z.strictObject({
    biztype: z.enum(fileUseKeys).describe('文件用途'),
    ispublic: flag.default(0).describe('是否公开'),
    filename: z.string().trim().min(1, '文件没有名称').max(200).describe('文件名'),
    size: z.number().int().min(1, '文件是空的').describe('大小'),
  }),
  response: z.object({ uploadid: z.string(), expiretime: z.string() }),
});

/**
 * An upload of the caller, to go on with it. 130001 for one of another account or one that was cancelled; with `reason` gone for an
 * own one that is finished or expired.
 */
export const getUpload = defineAction({
  name: 'as.m.file.getUpload',
  title: '继续上传文件',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({ uploadid }),
  response: z.object({
    uploadid: z.string(),
    biztype: z.enum(fileUseKeys),
    filename: z.string(),
    size: z.number(),
    expiretime: z.string(),
  }),
});

const unfinished = z.object({
  uploadid: z.string(),
  biztype: z.enum(fileUseKeys),
  ispublic: z.number(),
  filename: z.string(),
  size: z.number(),
  /** the bytes that have arrived */
  sent: z.number(),
  expiretime: z.string(),
});
/** An upload that was interrupted or still runs. */
export type UnfinishedUpload = z.infer<typeof unfinished>;

/** The caller's unfinished uploads, the latest first. */
export const getUploadList = defineAction({
  name: 'as.m.file.getUploadList',
  title: '查询未完成的上传',
  allow: anyStaff,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(unfinished),
});

/**
 * Turns the received bytes of an upload into a file of the institution. A repeated call has the same answer, until the upload expires.
 * 140001 while bytes are missing. 160002 when the content has another type, which ends the upload.
 */
export const finishUpload = defineAction({
  name: 'as.m.file.finishUpload',
  title: '完成上传文件',
  allow: anyStaff,
  kind: 'write',
  request: z.strictObject({ uploadid }),
  response: fileRef,
});

/** Ends an upload of the caller and deletes what has arrived. */
export const cancelUpload = defineAction({
  name: 'as.m.file.cancelUpload',
  title: '取消上传文件',
  allow: anyStaff,
  kind: 'write',
  request: z.strictObject({ uploadid }),
  response: z.object({}),
});
