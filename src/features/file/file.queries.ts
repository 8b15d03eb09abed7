import { sql } from 'kysely';
import type { FileUseKey } from '#domain/files/filekind.ts';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';

/** True when a record or a content uses the file. */
const isUsed = (alias: 'f' | 'fileobj') =>
  sql<boolean>`(${sql.ref(`${alias}.refcode`)} is not null
    or exists (select from contentfile u where u.fileid = ${sql.ref(`${alias}.fileid`)}))`;

const selectFiles = (scope: Scope) =>
  scope.db
    .selectFrom('fileobj')
    .select([
      'fileid',
      'musercode',
      'cuserid',
      'filename',
      'mime',
      'size',
      'path',
      'biztype',
      'ispublic',
      'createby',
      'createtime',
      'refcode',
    ])
    .select(isUsed('fileobj').as('isused'))
    .where('isdeleted', '=', 0);
export type FileRow = Awaited<ReturnType<ReturnType<typeof selectFiles>['executeTakeFirstOrThrow']>>;

export interface NewFile {
  musercode: string;
  filename: string;
  mime: string;
  size: number;
  sha256: string;
  path: string;
  biztype: FileUseKey;
  ispublic: number;
  createby: string;
  createtime: Date;
}
/** Adds the row of a file and returns its number. */
export const addFile = (scope: Scope, file: NewFile) =>
  scope.db.insertInto('fileobj').values(file).returning('fileid').executeTakeFirstOrThrow();

/**
 * Returns the bytes that an institution stores. With `shouldLock` it locks the sum until the end of the call: otherwise two concurrent
 * uploads could both take the last space.
 */
export async function countStoredBytes(scope: Scope, musercode: string, shouldLock: boolean): Promise<number> {
  if (shouldLock) await sql`select pg_advisory_xact_lock(hashtext(${`fileobj ${musercode}`}))`.execute(scope.db);
  const { bytes } = await scope.db
    .selectFrom('fileobj')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('size'), sql<number>`0`).as('bytes'))
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .executeTakeFirstOrThrow();
  return Number(bytes);
}

/** Returns a file that the caller may see. */
export const findFile = (scope: Scope, fileid: string) => selectFiles(scope).where('fileid', '=', fileid).executeTakeFirst();

/** Returns the files attached to these records that the caller may see, the oldest first. */
export const findFilesOf = (scope: Scope, refcodes: readonly string[]) =>
  refcodes.length === 0
    ? Promise.resolve([])
    : selectFiles(scope).where('refcode', 'in', refcodes).orderBy('createtime').execute();

/** Changes the name, use, visibility and place of a file. */
export const changeFile = (
  scope: Scope,
  fileid: string,
  change: { filename: string; biztype: FileUseKey; ispublic: number; path: string },
) => scope.db.updateTable('fileobj').set(change).where('fileid', '=', fileid).where('isdeleted', '=', 0).execute();

/** Attaches unused files of one account to a record. Returns how many it attached. */
export async function claimFiles(
  scope: Scope,
  fileids: readonly string[],
  owner: { musercode: string; createby: string; biztype: FileUseKey },
  target: { refcode: string; cuserid: string | null; musercode?: string; ispublic?: 1 },
): Promise<number> {
  const { numUpdatedRows } = await scope.db
    .updateTable('fileobj')
    .set(target)
    .where('fileid', 'in', fileids)
    .where('musercode', '=', owner.musercode)
    .where('createby', '=', owner.createby)
    .where('biztype', '=', owner.biztype)
    .where('refcode', 'is', null)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Marks a file as deleted. */
export const removeFile = (scope: Scope, fileid: string) =>
  scope.db.updateTable('fileobj').set({ isdeleted: 1 }).where('fileid', '=', fileid).where('isdeleted', '=', 0).execute();

const SORT_COLUMNS = { createtime: 'f.createtime', filename: 'f.filename', size: 'f.size' } as const;

/** Returns a page of the institution's files that belong to no person, with their total. */
export async function listFiles(
  scope: Scope,
  options: {
    musercode: string;
    biztype?: FileUseKey | undefined;
    filename?: string | undefined;
    createby?: string | undefined;
    mimes?: readonly string[] | undefined;
    ispublic?: number | undefined;
    orderby?: keyof typeof SORT_COLUMNS | undefined;
    isasc?: '0' | '1' | undefined;
    page: number;
    pageSize: number;
  },
) {
  let query = scope.db
    .selectFrom('fileobj as f')
    .where('f.musercode', '=', options.musercode)
    .where('f.isdeleted', '=', 0)
    .where('f.cuserid', 'is', null)
    .where('f.biztype', 'in', ['avatar', 'logo', 'goods', 'article', 'music', 'course', 'licence']);
  if (options.biztype) query = query.where('f.biztype', '=', options.biztype);
  if (options.createby) query = query.where('f.createby', '=', options.createby);
  if (options.mimes) query = query.where('f.mime', 'in', options.mimes);
  if (options.ispublic !== undefined) query = query.where('f.ispublic', '=', options.ispublic);
  if (options.filename) query = query.where(sql<boolean>`position(lower(${options.filename}) in lower(f.filename)) > 0`);
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .leftJoin('sysuser as u', 'u.userid', 'f.createby')
    .leftJoin('muser as m', 'm.musercode', 'f.createby')
    .select([
      'f.fileid',
      'f.version',
      'f.filename',
      'f.mime',
      'f.size',
      'f.path',
      'f.biztype',
      'f.ispublic',
      'f.createtime',
      'f.createby',
    ])
    .select(isUsed('f').as('isused'))
    .select(sql<string>`coalesce(u.realname, m.realname, m.insname, '')`.as('uploader'))
    .orderBy(SORT_COLUMNS[options.orderby ?? 'createtime'], options.isasc === '1' ? 'asc' : 'desc')
    .orderBy('f.fileid')
    .$call(paginate(options))
    .execute();
  return { total, rows };
}

/** Marks the files of a record as deleted. Returns their storage keys. */
export const removeFilesOf = async (scope: Scope, refcode: string): Promise<string[]> =>
  (
    await scope.db
      .updateTable('fileobj')
      .set({ isdeleted: 1 })
      .where('refcode', '=', refcode)
      .where('isdeleted', '=', 0)
      .returning('path')
      .execute()
  ).map((row) => row.path);

/** Marks files as deleted that belong to a record by their use, but that no record claimed in time. Returns their storage keys. */
export const removeUnclaimed = (scope: Scope, before: Date) =>
  scope.db
    .updateTable('fileobj')
    .set({ isdeleted: 1 })
    .where('biztype', 'in', ['case', 'consent', 'licence', 'logo', 'template', 'voucher'])
    .where('refcode', 'is', null)
    .where('cuserid', 'is', null)
    .where('isdeleted', '=', 0)
    .where('createtime', '<', before)
    .returning('path')
    .execute();

/** Returns those storage keys that a file or an export still uses. */
export const findUsedKeys = async (scope: Scope, paths: readonly string[]): Promise<Set<string>> => {
  const files = await scope.db
    .selectFrom('fileobj')
    .select('path')
    .where('path', 'in', paths)
    .where('isdeleted', '=', 0)
    .execute();
  const jobs = await scope.db.selectFrom('job').select('filekey').where('filekey', 'in', paths).execute();
  return new Set([...files.map((row) => row.path), ...jobs.map((row) => row.filekey ?? '')]);
};
