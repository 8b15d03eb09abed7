import { sql } from 'kysely';
import type { FileUseKey } from '#domain/files/filekind.ts';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';

const live = (scope: Scope) =>
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
    .where('isdeleted', '=', 0);
export type FileRow = Awaited<ReturnType<ReturnType<typeof live>['executeTakeFirstOrThrow']>>;

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
export const addFile = (scope: Scope, file: NewFile) =>
  scope.db.insertInto('fileobj').values(file).returning('fileid').executeTakeFirstOrThrow();

/** Bytes an institution keeps, asked for under a lock that lasts as long as the call: two uploads cannot both take the last room. */
export async function bytesStored(scope: Scope, musercode: string, lock: boolean): Promise<number> {
  if (lock) await sql`select pg_advisory_xact_lock(hashtext(${`fileobj ${musercode}`}))`.execute(scope.db);
  const { kept: keptCount } = await scope.db
    .selectFrom('fileobj')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('size'), sql<number>`0`).as('kept'))
    .where('musercode', '=', musercode)
    .where('isdeleted', '=', 0)
    .executeTakeFirstOrThrow();
  return Number(keptCount);
}

export const findFile = (scope: Scope, fileid: string) => live(scope).where('fileid', '=', fileid).executeTakeFirst();
export const findFilesOf = (scope: Scope, refcodes: readonly string[]) =>
  refcodes.length === 0 ? Promise.resolve([]) : live(scope).where('refcode', 'in', refcodes).orderBy('createtime').execute();

export const changeFile = (
  scope: Scope,
  fileid: string,
  change: { filename: string; biztype: FileUseKey; ispublic: number; path: string },
) => scope.db.updateTable('fileobj').set(change).where('fileid', '=', fileid).where('isdeleted', '=', 0).execute();

/** Takes unused files of one account for something; answers how many it were. */
export async function claimFiles(
  scope: Scope,
  fileids: readonly string[],
  options: { musercode: string; createby: string; biztype: FileUseKey },
  to: { refcode: string; cuserid: string | null; musercode?: string; ispublic?: 1 },
): Promise<number> {
  const { numUpdatedRows } = await scope.db
    .updateTable('fileobj')
    .set(to)
    .where('fileid', 'in', fileids)
    .where('musercode', '=', options.musercode)
    .where('createby', '=', options.createby)
    .where('biztype', '=', options.biztype)
    .where('refcode', 'is', null)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

export const removeFile = (scope: Scope, fileid: string) =>
  scope.db.updateTable('fileobj').set({ isdeleted: 1 }).where('fileid', '=', fileid).where('isdeleted', '=', 0).execute();

const sortable = { createtime: 'f.createtime', filename: 'f.filename', size: 'f.size' } as const;

export async function listFiles(
  scope: Scope,
  options: {
    musercode: string;
    biztype?: FileUseKey | undefined;
    filename?: string | undefined;
    createby?: string | undefined;
    orderby?: keyof typeof sortable | undefined;
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
  if (options.filename) query = query.where(sql<boolean>`position(lower(${options.filename}) in lower(f.filename)) > 0`);
  const { total } = await query.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .leftJoin('sysuser as u', 'u.userid', 'f.createby')
    .leftJoin('muser as m', 'm.musercode', 'f.createby')
    .select([
      'f.fileid',
      'f.filename',
      'f.mime',
      'f.size',
      'f.path',
      'f.biztype',
      'f.ispublic',
      'f.createtime',
      'f.createby',
      'f.refcode',
    ])
    .select(sql<string>`coalesce(u.realname, m.realname, m.insname, '')`.as('uploader'))
    .orderBy(sortable[options.orderby ?? 'createtime'], options.isasc === '1' ? 'asc' : 'desc')
    .orderBy('f.fileid')
    .$call(paginate(options))
    .execute();
  return { total, rows };
}

/** Removes what was attached there; answers where it lies. */
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

/** Files nobody has claimed: kinds that belong to something, older than a day. Marked as deleted; answers where they lie. */
export const forgetUnclaimed = (scope: Scope, before: Date) =>
  scope.db
    .updateTable('fileobj')
    .set({ isdeleted: 1 })
    .where('biztype', 'in', ['case', 'consent', 'licence', 'logo'])
    .where('refcode', 'is', null)
    .where('cuserid', 'is', null)
    .where('isdeleted', '=', 0)
    .where('createtime', '<', before)
    .returning('path')
    .execute();

/** Which of these places in the store are still in use. */
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
