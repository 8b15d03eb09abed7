import { sql, type Insertable, type Selectable } from 'kysely';
import type { CasetransferTable } from '#db/generated/tables.ts';
import type { Scope } from '#server/db/scope.ts';

export type TransferRow = Selectable<CasetransferTable>;

/** An institution of the platform that can take over a case. */
export interface TransferTarget {
  musercode: string;
  insname: string;
  regionname: string;
  orgpath: string;
}

/** The institutions that can take over a case, by a part of their name. */
export const findTargets = async (scope: Scope, keyword: string): Promise<TransferTarget[]> =>
  (await sql<TransferTarget>`select * from access.transfer_targets(${keyword}, null)`.execute(scope.db)).rows;

/** The person of a case with the facts that a receiver needs. */
export const findTransferPerson = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('cuser as c')
    .innerJoin('muser as m', 'm.musercode', 'c.musercode')
    .select(['c.username', 'c.gender', 'c.birthday', 'c.appid', 'c.phonesealed', 'c.address', 'm.insname'])
    .where('c.cuserid', '=', cuserid)
    .executeTakeFirstOrThrow();

/** The name and telephone of a member of staff; null without one. */
export async function findContact(scope: Scope, userid: string | null): Promise<string | null> {
  const row = await scope.db
    .selectFrom('sysuser')
    .select(['realname', 'phonenumber'])
    .where('userid', '=', userid ?? '')
    .executeTakeFirst();
  return row ? [row.realname, row.phonenumber].filter(Boolean).join(' ') : null;
}

/** Adds a transfer. */
export const addTransfer = (scope: Scope, row: Insertable<CasetransferTable>) =>
  scope.db.insertInto('casetransfer').values(row).execute();

/** The transfers for which a job has something to do: the linked case, its acceptance, or the receipt is missing. */
export const findUnfinishedTransfers = (scope: Scope) =>
  scope.db.selectFrom('casetransfer').selectAll().where('receipttime', 'is', null).orderBy('transferid').execute();

/** One transfer, locked until the transaction ends. */
export const lockTransfer = (scope: Scope, transferid: number) =>
  scope.db.selectFrom('casetransfer').selectAll().where('transferid', '=', transferid).forUpdate().executeTakeFirst();

/** Saves a step of a transfer. */
export const saveTransfer = (
  scope: Scope,
  transferid: number,
  changes: Partial<Pick<TransferRow, 'linkedcode' | 'accepttime' | 'acceptname' | 'receipttime'>>,
) => scope.db.updateTable('casetransfer').set(changes).where('transferid', '=', transferid).execute();

/**
 * The person of the receiver that a transfer means: of an earlier transfer of the same case, or with the same name and telephone.
 * undefined without one.
 */
export async function findSamePerson(
  scope: Scope,
  {
    warningcode,
    receivercode,
    username,
    phonehashes,
  }: Record<'warningcode' | 'receivercode' | 'username', string> & { phonehashes: readonly string[] },
) {
  const { rows } = await sql<{ cuserid: string; appid: string }>`
    select c.cuserid, c.appid from cuser c
    where c.musercode = ${receivercode} and c.isdeleted = 0 and (
      c.cuserid in (
        select w.cuserid from casetransfer t join warning w on w.warningcode = t.linkedcode
        where t.warningcode = ${warningcode} and t.receivercode = ${receivercode})
      or c.username = ${username} and c.phonehash = any (${[...phonehashes]}::text[]))
    order by c.createtime limit 1`.execute(scope.db);
  return rows[0];
}

/** The applications of an institution that run. */
export const findAppids = async (scope: Scope, musercode: string): Promise<string[]> =>
  (
    await scope.db
      .selectFrom('muserapp')
      .select('appid')
      .where('musercode', '=', musercode)
      .where('enabled', '=', 1)
      .orderBy('appid')
      .execute()
  ).map((row) => row.appid);

/** The latest transfer of a case, and the transfer from which it came; each undefined without one. */
export async function findTransferLinks(scope: Scope, warningcode: string) {
  const select = () => scope.db.selectFrom('casetransfer').selectAll().orderBy('transferid', 'desc').limit(1);
  return {
    sent: await select().where('warningcode', '=', warningcode).executeTakeFirst(),
    origin: await select().where('linkedcode', '=', warningcode).executeTakeFirst(),
  };
}
