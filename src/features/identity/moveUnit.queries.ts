import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { findPayingWallets, freezeIn, releaseCounts } from '#features/assesscount/movement.queries.ts';
import type { Placement, SheetRow } from '#features/identity/sheet.queries.ts';

/** Where the counts go when a sheet moves: the old person's unit comes back for a re-test, the new person's pays for the sheet. */

export interface MoveInfo {
  operator: string;
  /** the reason in the ledger */
  remark: string;
  now: Date;
  today: string;
}
interface Grant {
  cuserplanid: number;
  walletcode: string;
  total: number;
  used: number;
  frozen: number;
  status: number;
  enddate: string | null;
}

const findGrant = async (scope: Scope, cuserplanid: number | null): Promise<Grant | undefined> =>
  cuserplanid === null
    ? undefined
    : scope.db
        .selectFrom('cuserplan')
        .select(['cuserplanid', 'walletcode', 'total', 'used', 'frozen', 'status', 'enddate'])
        .where('cuserplanid', '=', cuserplanid)
        .forUpdate()
        .executeTakeFirst();

/** The authorization of a person for the task of a sheet, or for its plan outside tasks. */
const findGrantFor = async (scope: Scope, sheet: SheetRow, cuserid: string): Promise<Grant | undefined> =>
  (
    await sql<Grant>`
      select cuserplanid, walletcode, total, used, frozen, status, enddate from cuserplan
      where cuserid = ${cuserid} and plancode = ${sheet.plancode} and taskcode is not distinct from ${sheet.taskcode}
        and (taskcode is not null or (status = 1 and stagecode is not distinct from ${sheet.stagecode}))
      order by status limit 1 for update`.execute(scope.db)
  ).rows[0];

/** Adds a line of the ledger for a sheet: kind 04, minus one when a person uses a unit and plus one when it comes back. */
const addUse = (
  scope: Scope,
  sheet: SheetRow,
  cuserid: string,
  walletcode: string,
  qty: 1 | -1,
  { operator, remark, now }: MoveInfo,
) =>
  sql`insert into assesscountlog (musercode, plancode, forplan, cuserid, examcode, kind, qty, balance, operator, remark, time)
    select w.musercode, w.plancode, ${sheet.plancode}, ${cuserid}, ${sheet.examcode}, '04', ${qty}::int,
      w.granted - w.used - w.frozen - w.expired, ${operator}, ${remark}, ${now}::timestamptz
    from assesscount w where w.musercode = ${sheet.musercode} and w.plancode = ${walletcode}`.execute(scope.db);

const changeWallet = (scope: Scope, sheet: SheetRow, walletcode: string, { used, frozen }: { used: number; frozen: number }) =>
  sql`update assesscount set used = used + ${used}::int, frozen = frozen + ${frozen}::int
    where musercode = ${sheet.musercode} and plancode = ${walletcode}`.execute(scope.db);

const changeGrant = (scope: Scope, { cuserplanid }: Grant, change: Partial<Grant>) =>
  scope.db.updateTable('cuserplan').set(change).where('cuserplanid', '=', cuserplanid).execute();

/** Whether the ledger has charged the old person for the sheet. It has not when the platform had taken its counts back. */
const isPaid = async (scope: Scope, { examcode, cuserid }: SheetRow): Promise<boolean> => {
  const { rows } = await sql<{ used: number }>`
    select coalesce(sum(qty), 0)::int as used from assesscountlog
    where examcode = ${examcode} and cuserid = ${cuserid} and kind = '04'`.execute(scope.db);
  return (rows[0]?.used ?? 0) < 0;
};

/** Moves the use of a sheet's unit to another person. `isRetest`: the old person shall answer again. Returns where the sheet goes. */
export async function moveUnit(
  scope: Scope,
  sheet: SheetRow,
  cuserid: string,
  isRetest: boolean,
  info: MoveInfo,
): Promise<{ cuserplanid: number; canRetest: boolean }> {
  const old = await findGrant(scope, sheet.cuserplanid);
  const own = await findGrantFor(scope, sheet, cuserid);
  const paid = old !== undefined && (await isPaid(scope, sheet));
  if (own && own.status === 1 && own.frozen > 0) {
    const used = own.used + 1;
    await changeGrant(scope, own, { used, frozen: own.frozen - 1, status: used >= own.total ? 2 : 1 });
    await changeWallet(scope, sheet, own.walletcode, { used: 1, frozen: -1 });
    await addUse(scope, sheet, cuserid, own.walletcode, -1, info);
    return {
      cuserplanid: own.cuserplanid,
      canRetest: old ? await returnUnit(scope, sheet, old, { paid, isRetest }, info) : false,
    };
  }
  // The new person has no unit: the unit of the old person goes with the sheet.
  const walletcode = old?.walletcode ?? '*';
  if (paid) {
    await addUse(scope, sheet, sheet.cuserid, walletcode, 1, info);
    await addUse(scope, sheet, cuserid, walletcode, -1, info);
  }
  if (old) await changeGrant(scope, old, withoutUse(old));
  const cuserplanid = own ? own.cuserplanid : await addUsedGrant(scope, sheet, cuserid, walletcode, info);
  if (own) await changeGrant(scope, own, { used: own.used + 1, total: Math.max(own.total, own.used + 1), status: 2, walletcode });
  return { cuserplanid, canRetest: old && isRetest ? await freezeAgain(scope, sheet, old, info) : false };
}

/** The authorization without one use and without the unit for it. */
const withoutUse = ({ total, used, frozen }: Grant): Partial<Grant> =>
  total > 1 ? { total: total - 1, used: used - 1 } : { used: used - 1, status: 3, frozen: Math.max(0, frozen - 1) };

/** Brings the unit of the old person back: frozen for a re-test, else free. */
async function returnUnit(
  scope: Scope,
  sheet: SheetRow,
  old: Grant,
  { paid, isRetest }: { paid: boolean; isRetest: boolean },
  info: MoveInfo,
): Promise<boolean> {
  if (!paid) {
    await changeGrant(scope, old, withoutUse(old));
    return false;
  }
  await changeWallet(scope, sheet, old.walletcode, { used: -1, frozen: 1 });
  await addUse(scope, sheet, sheet.cuserid, old.walletcode, 1, info);
  if (isRetest) {
    await changeGrant(scope, old, { used: old.used - 1, frozen: old.frozen + 1, status: 1 });
    return true;
  }
  await changeGrant(scope, old, withoutUse(old));
  const { musercode, plancode, cuserid } = sheet;
  await releaseCounts(scope, [{ musercode, walletcode: old.walletcode, cuserid, qty: 1, plancode }], info);
  return false;
}

/**
 * Brings the unit of a voided sheet back: frozen for the person who answers again, else free. `isReturned` is false when the ledger has
 * charged nothing for the sheet, so no unit comes back twice.
 */
export async function returnUnitOf(
  scope: Scope,
  sheet: SheetRow,
  isRetest: boolean,
  info: MoveInfo,
): Promise<{ isReturned: boolean; canRetest: boolean }> {
  const grant = await findGrant(scope, sheet.cuserplanid);
  const paid = grant !== undefined && (await isPaid(scope, sheet));
  return { isReturned: paid, canRetest: grant ? await returnUnit(scope, sheet, grant, { paid, isRetest }, info) : false };
}

/** Freezes a unit for the re-test of the old person. Returns false when the institution has none. */
async function freezeAgain(
  scope: Scope,
  sheet: SheetRow,
  old: Grant,
  { operator, remark, now, today }: MoveInfo,
): Promise<boolean> {
  const { musercode, plancode, cuserid } = sheet;
  for (const walletcode of await findPayingWallets(scope, plancode)) {
    const free = await freezeIn(scope, { musercode, walletcode, qty: 1, today });
    if (free === undefined) continue;
    await sql`insert into assesscountlog (musercode, plancode, forplan, cuserid, kind, qty, balance, operator, remark, time)
      values (${musercode}, ${walletcode}, ${plancode}, ${cuserid}, '03', -1, ${free}, ${operator}, ${`${remark}，重测`}, ${now})`.execute(
      scope.db,
    );
    const grant = (await findGrant(scope, old.cuserplanid)) as Grant;
    const total = Math.max(grant.total, grant.used + 1);
    await changeGrant(scope, old, { status: 1, frozen: grant.frozen + 1, total, walletcode });
    return true;
  }
  return false;
}

/** Adds a used authorization: the sheet of a person who had none. */
const addUsedGrant = async (scope: Scope, sheet: SheetRow, cuserid: string, walletcode: string, { operator, now }: MoveInfo) =>
  (
    await scope.db
      .insertInto('cuserplan')
      .values({
        cuserid,
        musercode: sheet.musercode,
        plancode: sheet.plancode,
        appid: sheet.appid,
        stagecode: sheet.stagecode,
        taskcode: sheet.taskcode,
        total: 1,
        used: 1,
        frozen: 0,
        status: 2,
        walletcode,
        grantby: operator,
        createtime: now,
      })
      .returning('cuserplanid')
      .executeTakeFirstOrThrow()
  ).cuserplanid;

/** Whether the old person of a sheet may answer again: the task is running, or the authorization outside tasks has not ended. */
export async function canAnswerAgain(scope: Scope, sheet: SheetRow, { now, today }: MoveInfo): Promise<boolean> {
  const { rows } = await sql<{ ok: boolean }>`
    select case when ${sheet.taskcode}::text is not null
        then exists (select from assesstask t where t.taskcode = ${sheet.taskcode} and t.status = 1 and t.endtime > ${now}::timestamptz)
        else exists (
            select from cuserplan g where g.cuserplanid = ${sheet.cuserplanid} and (g.enddate is null or g.enddate >= ${today}::date))
          and not exists (
            select from cuserplan o where o.cuserid = ${sheet.cuserid} and o.plancode = ${sheet.plancode} and o.taskcode is null
              and o.status = 1 and o.stagecode is not distinct from ${sheet.stagecode} and o.cuserplanid <> ${sheet.cuserplanid})
      end as ok`.execute(scope.db);
  return rows[0]?.ok ?? false;
}

/** Takes a sheet off its roster row: the person answers again, or is excused with the reason. */
export const clearRosterRow = (scope: Scope, sheet: SheetRow, canRetest: boolean, why: string) =>
  sql`update taskroster set status = ${canRetest ? 0 : 3}, examcode = null, starttime = null, submittime = null,
      reason = ${canRetest ? null : why}
    where taskcode = ${sheet.taskcode} and cuserid = ${sheet.cuserid} and examcode = ${sheet.examcode}`.execute(scope.db);

/** Updates the roster of the task: the new person has handed in, the old one answers again or is excused. */
export async function moveRosterRow(
  scope: Scope,
  sheet: SheetRow,
  to: Placement,
  canRetest: boolean,
  why: string,
): Promise<void> {
  if (!sheet.taskcode) return;
  await clearRosterRow(scope, sheet, canRetest, why);
  await sql`insert into taskroster (taskcode, cuserid, teamcode, musercode, status, examcode, starttime, submittime)
    values (${sheet.taskcode}, ${to.cuserid}, ${to.teamcode}, ${sheet.musercode}, ${sheet.valid === 0 ? 4 : 2}, ${sheet.examcode},
      ${sheet.starttime}, ${sheet.submittime})
    on conflict (taskcode, cuserid) do update
    set status = excluded.status, examcode = excluded.examcode, starttime = excluded.starttime, submittime = excluded.submittime,
      reason = null`.execute(scope.db);
}

/** The roster row of a person in the task of a sheet; undefined outside the roster. */
export const findRosterRow = async (scope: Scope, { taskcode }: SheetRow, cuserid: string) =>
  taskcode === null
    ? undefined
    : scope.db
        .selectFrom('taskroster')
        .select(['status', 'teamcode', 'examcode'])
        .where('taskcode', '=', taskcode)
        .where('cuserid', '=', cuserid)
        .executeTakeFirst();

/** Puts two swapped sheets on each other's roster row and authorization. Counts do not move. */
export async function swapRosterRows(scope: Scope, one: SheetRow, other: SheetRow): Promise<void> {
  // An authorization has one sheet at a time, so both let go of theirs first.
  await scope.db
    .updateTable('examrecord')
    .set({ cuserplanid: null })
    .where('examcode', 'in', [one.examcode, other.examcode])
    .execute();
  for (const [sheet, cuserid] of [
    [one, other.cuserid],
    [other, one.cuserid],
  ] as const)
    if (sheet.taskcode)
      await sql`update taskroster set examcode = ${sheet.examcode}, starttime = ${sheet.starttime}, submittime = ${sheet.submittime},
          status = ${sheet.valid === 0 ? 4 : 2}
        where taskcode = ${sheet.taskcode} and cuserid = ${cuserid}`.execute(scope.db);
}
