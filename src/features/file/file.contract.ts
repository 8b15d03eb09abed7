import { z } from 'zod';
import { fileGroups, fileUseKeys, type FileGroup, type FileUseKey } from '#domain/files/filekind.ts';
import { anyStaff, defineAction, staffOf } from '#contract/action.ts';
import { editVersion, newVersion } from '#contract/field.ts';
import { codesOf, type Guard } from '#contract/menu.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

/**
 * Files of an institution. The browser uploads a file first; `updateToOSS` returns its `fileid`. The request of a feature then names
 * the file, and the feature claims it (`features/file/attachments.ts`). The server deletes files that no feature claims within a day.
 * Links of private files expire after ten minutes; every answer with the file has a new link. Links of public files do not expire.
 */

/** The rights of which an account needs one to upload for a use. A use without an entry is open to every account. */
const uploaders: Partial<Record<FileUseKey, readonly [Guard, ...Guard[]]>> = {
  logo: ['service.institutions', 'service.providers', 'organization.users', 'operations.files', 'plan.edit'],
  goods: ['operations.goods', 'operations.files'],
  article: ['operations.articles', 'operations.files'],
  music: ['operations.music', 'operations.files'],
  course: ['operations.courses', 'operations.files'],
  licence: ['plans.scales', 'form.edit', 'operations.files'],
  consent: ['archive.import', 'archives.all', 'operations.files'],
  template: ['statistics.school'],
  case: ['warning.handle', 'consult.followups', 'archives.all', 'operations.files'],
};
/** Returns whether an account with these codes may upload for this use. The server and the console both ask it. */
export const canUpload = (use: FileUseKey, codes: ReadonlySet<string>): boolean => {
  const guards = uploaders[use];
  return guards === undefined || codesOf(guards).some((code) => codes.has(code));
};

const use = z.enum(fileUseKeys).describe('文件用途');
const flag = z.coerce.number().int().min(0).max(1);
const filename = z.string().trim().min(1).max(200);

/**
 * Uploads one file (multipart, field `file`), private unless `ispublic`. The server detects the type from the content and re-encodes
 * pictures without their metadata.
 */
export const updateToOSS = defineAction({
  name: 'as.m.access.updateToOSS',
  title: '上传文件',
  allow: anyStaff,
  kind: 'import',
  request: z.strictObject({ biztype: use, ispublic: flag.default(0).describe('是否公开') }),
  response: z.object({ fileid: z.uuid(), url: z.string(), filename: z.string(), size: z.number(), mime: z.string() }),
});

/**
 * Uploads a file for a use, or changes the use or the name of a file. `path` is one of the uses above and never a path.
 * With `fileid` it changes an existing file; otherwise the file comes as multipart or, if small, as `base64`.
 */
export const updateToOSSPath = defineAction({
  name: 'as.m.access.updateToOSSPath',
  title: '上传文件到指定位置',
  allow: anyStaff,
  kind: 'import',
  edits: { table: 'fileobj', key: 'fileid', marks: { path: 'biztype' } },
  request: z.strictObject({
    path: use,
    version: editVersion,
    filename: filename.optional().describe('文件名'),
    base64: z.string().max(240_000, '文件过大，请改用文件上传').optional().describe('文件内容'),
    fileid: z.uuid().optional().describe('文件'),
    ispublic: flag.default(0).describe('是否公开'),
  }),
  response: z.object({ fileid: z.uuid(), url: z.string(), path: z.string(), ...newVersion }),
});

/** A file in an answer. `url` is valid for ten minutes, or without end for public files. */
export const fileRef = z.object({
  fileid: z.uuid(),
  filename: z.string(),
  mime: z.string(),
  size: z.number(),
  url: z.string(),
});
export type FileRef = z.infer<typeof fileRef>;

const allowFiles = staffOf('operations.files');

const fileRow = fileRef.extend({
  version: z.number(),
  biztype: use,
  ispublic: z.number(),
  /** 1: a record uses it; the user can neither change nor delete it */
  inuse: z.number(),
  /** the articles, music, courses, lessons and goods that use it, at most 20 */
  uses: z.array(z.object({ kind: z.enum(['article', 'music', 'course', 'lesson', 'goods']), title: z.string() })),
  /** 1: uploaded by the caller */
  mine: z.number(),
  createtime: z.string(),
  uploader: z.string(),
});
export type FileRow = z.infer<typeof fileRow>;

/** Returns a page of the institution's files that belong to no person, the newest first. */
export const getFilePageList = defineAction({
  name: 'as.m.file.getFilePageList',
  title: '文件列表',
  allow: allowFiles,
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('createtime', 'filename', 'size'),
    biztype: use.optional(),
    group: z
      .enum(Object.keys(fileGroups) as [FileGroup, ...FileGroup[]])
      .optional()
      .describe('类型'),
    ispublic: flag.optional().describe('公开'),
    filename: z.string().trim().max(100).optional().describe('文件名'),
    /** 1: only files that the caller uploaded */
    mine: flag.optional().describe('我上传的'),
  }),
  response: pageOf(fileRow).extend({
    /** the used bytes and the quota of the institution in bytes */
    used: z.number(),
    quota: z.number(),
  }),
});

/** Deletes a file that no record uses. */
export const deleteFile = defineAction({
  name: 'as.m.file.deleteFile',
  title: '删除文件',
  allow: allowFiles,
  kind: 'write',
  request: z.strictObject({ fileid: z.uuid().describe('文件') }),
  response: z.object({}),
});
