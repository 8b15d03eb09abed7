import { sql } from 'kysely';
import type { FileUseKey } from '#domain/files/filekind.ts';
import type { Scope } from '#server/db/scope.ts';

interface Account {
  musercode: string;
  accountid: string;
}
interface NewUpload extends Account {
  biztype: FileUseKey;
  ispublic: number;
  filename: string;
  size: number;
  createtime: Date;
  expiretime: Date;
}

/** Adds an upload and returns its number. */
export const addUpload = async (scope: Scope, upload: NewUpload): Promise<string> =>
  (await scope.db.insertInto('upload').values(upload).returning('uploadid').executeTakeFirstOrThrow()).uploadid;

const selectOwn = (scope: Scope, { musercode, accountid }: Account) =>
  scope.db
    .selectFrom('upload')
    .select(['uploadid', 'biztype', 'ispublic', 'filename', 'size', 'expiretime', 'fileid'])
    .where('musercode', '=', musercode)
    .where('accountid', '=', accountid);

/** Returns an upload of this account, finished and expired ones too. */
export const findOwnUpload = (scope: Scope, account: Account, uploadid: string) =>
  selectOwn(scope, account).where('uploadid', '=', uploadid).executeTakeFirst();

/** Returns an upload of this account and locks it until the end of the call, so that nobody finishes or cancels it twice. */
export const lockOwnUpload = (scope: Scope, account: Account, uploadid: string) =>
  selectOwn(scope, account).where('uploadid', '=', uploadid).forUpdate().executeTakeFirst();

/** Returns the unfinished uploads of this account, the latest first. */
export const listUnfinished = (scope: Scope, account: Account, now: Date) =>
  selectOwn(scope, account)
    .where('fileid', 'is', null)
    .where('expiretime', '>', now)
    .orderBy('createtime', 'desc')
    .orderBy('uploadid')
    .execute();

/** Returns the bytes that the unfinished uploads of an institution will take, without those of one upload. */
export async function countReservedBytes(scope: Scope, musercode: string, now: Date, uploadid?: string): Promise<number> {
  let query = scope.db
    .selectFrom('upload')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('size'), sql<number>`0`).as('bytes'))
    .where('musercode', '=', musercode)
    .where('fileid', 'is', null)
    .where('expiretime', '>', now);
  if (uploadid !== undefined) query = query.where('uploadid', '<>', uploadid);
  return Number((await query.executeTakeFirstOrThrow()).bytes);
}

/** Records the file of a finished upload. */
export const setFile = (scope: Scope, uploadid: string, fileid: string) =>
  scope.db.updateTable('upload').set({ fileid }).where('uploadid', '=', uploadid).execute();

/** Deletes an upload of this account. */
export const removeUpload = (scope: Scope, { musercode, accountid }: Account, uploadid: string) =>
  scope.db
    .deleteFrom('upload')
    .where('uploadid', '=', uploadid)
    .where('musercode', '=', musercode)
    .where('accountid', '=', accountid)
    .execute();

/** Deletes the uploads that have expired and returns their numbers. */
export const removeExpired = async (scope: Scope, now: Date): Promise<string[]> =>
  (await scope.db.deleteFrom('upload').where('expiretime', '<=', now).returning('uploadid').execute()).map((row) => row.uploadid);

/** Returns those numbers that are uploads whose bytes are still needed. */
export const findNeeded = async (scope: Scope, uploadids: readonly string[]): Promise<Set<string>> => {
  const rows = await scope.db
    .selectFrom('upload')
    .select('uploadid')
    .where(sql<string>`uploadid::text`, 'in', uploadids)
    .where('fileid', 'is', null)
    .execute();
  return new Set(rows.map((row) => row.uploadid));
};
