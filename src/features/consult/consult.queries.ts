import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import type { ConsultTable } from '#db/generated/tables.ts';
import type { Scope } from '#server/db/scope.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import { isVisibleConsult } from '#server/security/suspect.ts';
import { sealText } from '#features/consult/consultSeal.ts';

/** The registrations that staff see, and their log. A respondent's session reads single columns only and has its own queries. */

export type ConsultRecord = Selectable<ConsultTable>;

/** The person `c`, current archive `a`, institution `m`, counsellor `u` and open case `o` of registration `k`. */
export const joinConsultNames = sql`join cuser c on c.cuserid = k.cuserid
  join muser m on m.musercode = k.musercode
  left join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1
  left join sysuser u on u.userid = k.counsellor
  left join warning o on o.cuserid = k.cuserid and o.state not in ('07', '08') and o.isdeleted = 0`;

/**
 * SQL: when the waiting registration `k` is due. `duetime` counts three working days. While the person's open case `o` is of level 3 or
 * 4, it is due 24 hours after the later of the application and the case reaching that level. `isPlain` leaves the case out, for readers
 * without the right to cases: the time would tell the level.
 */
export const consultDue = (isPlain: boolean): RawBuilder<Date> =>
  isPlain
    ? sql<Date>`k.duetime`
    : sql<Date>`(case when o.level >= 3 then least(k.duetime, greatest(k.applytime,
        case when o.initiallevel >= 3 then o.createtime else coalesce(o.raisedtime, o.createtime) end) + interval '24 hours')
      else k.duetime end)`;

/** A registration that the caller may see; undefined without one. */
export async function findConsult(scope: Scope, consultid: number): Promise<ConsultRecord | undefined> {
  const { rows } =
    await sql<ConsultRecord>`select k.* from consult k where k.consultid = ${consultid} and ${isVisibleConsult}`.execute(
      scope.db,
    );
  return rows[0];
}

/** As `findConsult`, locked until the transaction ends. */
export async function findConsultForUpdate(scope: Scope, consultid: number): Promise<ConsultRecord | undefined> {
  const { rows } = await sql<ConsultRecord>`
    select k.* from consult k where k.consultid = ${consultid} and ${isVisibleConsult} for update of k`.execute(scope.db);
  return rows[0];
}

/** Adds a registration and returns its id. Works in the session of a respondent too. */
export const addConsult = async (scope: Scope, row: Insertable<ConsultTable>): Promise<number> =>
  (await scope.db.insertInto('consult').values(row).returning('consultid').executeTakeFirstOrThrow()).consultid;

/** Changes columns of a registration. */
export const updateConsultRow = (scope: Scope, consultid: number, changes: Partial<Insertable<ConsultTable>>) =>
  scope.db.updateTable('consult').set(changes).where('consultid', '=', consultid).execute();

/**
 * The status of the person's own application that waits or is booked; undefined without one. Another application of the person waits
 * until this transaction ends.
 */
export async function lockOpenApplication(scope: Scope, cuserid: string): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`consult ${cuserid}`}, 0))`.execute(scope.db);
  const open = await scope.db
    .selectFrom('consult')
    .select('status')
    .where('cuserid', '=', cuserid)
    .where('source', '=', '01')
    .where('status', 'in', ['01', '02'])
    .where('isdeleted', '=', 0)
    .limit(1)
    .executeTakeFirst();
  return open?.status;
}

/** What the log of a registration says. The names of the steps that write it. */
export type ConsultLogAction = '登记' | '修改' | '预约' | '改期' | '爽约' | '完成' | '取消' | '补记' | '移交' | '删除' | '转预警';

/** A line of the log. `content` is sealed. */
interface ConsultLogLine {
  action: ConsultLogAction;
  content: string;
  /** the account; null for the person and for jobs */
  operator: string | null;
  operatorname: string;
  time: Date;
}

/** Adds a line to the log of a registration. Works in the session of a respondent too. */
export async function addConsultLog(
  { scope, cipher }: { scope: Scope; cipher: FieldCipher },
  { consultid, cuserid, musercode }: Pick<ConsultRecord, 'consultid' | 'cuserid' | 'musercode'>,
  { content, ...line }: ConsultLogLine,
): Promise<void> {
  await scope.db
    .insertInto('consultlog')
    .values({ consultid, cuserid, musercode, ...line, content: sealText(cipher, musercode, 'consultlog.content', content) })
    .execute();
}
