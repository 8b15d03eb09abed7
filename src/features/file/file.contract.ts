import { z } from 'zod';
import { fileUseKeys, type FileUseKey } from '#domain/files/filekind.ts';
import { anyStaff, defineAction, staffOf } from '#contract/action.ts';
import { codesOf, type Guard } from '#contract/menu.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

/**
 * Files of an institution. A file is uploaded first (`updateToOSS` answers its `fileid`) and then named in the request of the feature
 * that uses it, which claims it (`features/file/claim.ts`); what nobody claims within a day is removed. Links expire after ten
 * minutes and are handed out anew with every answer that names the file; only public files have lasting ones.
 */

/** Who may upload for a use: holders of one of these; no entry means every account. */
const uploaders: Partial<Record<FileUseKey, readonly [Guard, ...Guard[]]>> = {
  logo: ['service.institutions', 'service.providers', 'organization.users', 'operations.files'],
  goods: ['operations.goods', 'operations.files'],
  article: ['operations.articles', 'operations.files'],
  music: ['operations.music', 'operations.files'],
  course: ['operations.courses', 'operations.files'],
  licence: ['plans.scales', 'form.edit', 'operations.files'],
  consent: ['archive.import', 'archives.all', 'operations.files'],
  case: ['warning.handle', 'consult.followups', 'archives.all', 'operations.files'],
};
/** May a holder of these codes upload for this use? Asked by the server and by the console. */
export const mayUpload = (use: FileUseKey, codes: ReadonlySet<string>): boolean => {
  const guards = uploaders[use];
  return guards === undefined || codesOf(guards).some((code) => codes.has(code));
};

const use = z.enum(fileUseKeys).describe('文件用途');
const flag = z.coerce.number().int().min(0).max(1);
const filename = z.string().trim().min(1).max(200);

/** Uploads one file (multipart, field `file`): sniffed, pictures drawn anew without their metadata, private unless `ispublic`. */
export const updateToOSS = defineAction({
  name: 'as.m.access.updateToOSS',
  title: '上传文件',
  allow: anyStaff,
  kind: 'import',
  request: z.strictObject({ biztype: use, ispublic: flag.default(0).describe('是否公开') }),
  response: z.object({ fileid: z.uuid(), url: z.string(), filename: z.string(), size: z.number(), mime: z.string() }),
});

/**
 * Uploads to a place by its name, or moves a file there or gives it another name. `path` is one of the uses above and never a path:
 * with `fileid` an own file is moved, else the file comes as multipart or as `base64` (small ones).
 */
export const updateToOSSPath = defineAction({
  name: 'as.m.access.updateToOSSPath',
  title: '上传文件到指定位置',
  allow: anyStaff,
  kind: 'import',
  request: z.strictObject({
    path: use,
    filename: filename.optional().describe('文件名'),
    base64: z.string().max(240_000, '文件过大，请改用文件上传').optional().describe('文件内容'),
    fileid: z.uuid().optional().describe('文件'),
    ispublic: flag.default(0).describe('是否公开'),
  }),
  response: z.object({ fileid: z.uuid(), url: z.string(), path: z.string() }),
});

/** A file as answers name it: `url` is a link of ten minutes (lasting for public files). */
export const fileRef = z.object({
  fileid: z.uuid(),
  filename: z.string(),
  mime: z.string(),
  size: z.number(),
  url: z.string(),
});
export type FileRef = z.infer<typeof fileRef>;

const keepers = staffOf('operations.files');

const fileRow = fileRef.extend({
  biztype: use,
  ispublic: z.number(),
  /** 1: something shows it; it can neither be changed nor deleted */
  inuse: z.number(),
  /** 1: uploaded by the caller */
  mine: z.number(),
  createtime: z.string(),
  uploader: z.string(),
});
export type FileRow = z.infer<typeof fileRow>;

/** The institution's files that belong to no person, newest first. */
export const getFilePageList = defineAction({
  name: 'as.m.file.getFilePageList',
  title: '文件列表',
  allow: keepers,
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('createtime', 'filename', 'size'),
    biztype: use.optional(),
    filename: z.string().trim().max(100).optional().describe('文件名'),
    /** 1: only what the caller has uploaded */
    mine: flag.optional().describe('我上传的'),
  }),
  response: pageOf(fileRow).extend({
    /** bytes taken and bytes the institution may take */
    used: z.number(),
    quota: z.number(),
  }),
});

export const deleteFile = defineAction({
  name: 'as.m.file.deleteFile',
  title: '删除文件',
  allow: keepers,
  kind: 'write',
  request: z.strictObject({ fileid: z.uuid().describe('文件') }),
  response: z.object({}),
});
