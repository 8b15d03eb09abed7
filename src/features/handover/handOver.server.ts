import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { findManageableUser } from '#server/dispatch/rights.ts';
import { displayName } from '#server/security/privacy.ts';
import * as contract from '#features/handover/handOver.contract.ts';
import { carryOut, formatNumbers, prepareWork } from '#features/handover/passWork.ts';
import { isWhole, moving, type Verdict } from '#features/handover/planWork.ts';
import * as queries from '#features/handover/work.queries.ts';
import { toOpenCase } from '#features/warning/handover/handOver.ts';
import { requireMember } from '#features/warning/handover/member.ts';
import { operatorOf } from '#features/warning/handling/transition.ts';

/** Rows of a kind in the answer; `total` counts all. */
const SHOWN_ROWS = 200;
/** Ids of a kind in the audit row. */
const AUDITED_IDS = 200;

const handOver = handle(contract.handOver, async ({ fromuserid, reason, endhours, preview, ...choice }, ctx) => {
  const { scope, caller, cipher, now } = ctx;
  const member = await requireMember(ctx, fromuserid);
  if (!preview && member.userid !== caller.userid) await findManageableUser(scope, caller, member.userid);
  if (choice.touserid === member.userid || choice.items?.some((item) => item.touserid === member.userid))
    throw problems.invalid({ message: '不能移交给本人' }, { field: 'touserid' });
  // Restricted staff see a person through the owner, so they may not change owners.
  const prepared = await prepareWork(scope, member, choice, { now, lock: !preview, owns: !caller.hasDataScope });
  const { plan, colleagues } = prepared;
  const today = shanghaiDate(now);
  const hours = await queries.countHours(scope, member.userid, today);
  if (!preview) {
    const why = { reason: `${member.realname}移交工作：${reason}`, ...operatorOf(caller), now };
    await carryOut({ scope, cipher, why }, prepared, (kind) => isWhole(choice, kind));
    if (endhours) await queries.endHours(scope, member.userid, today);
  }
  const idsOf = (rows: readonly ({ id: string } & Verdict)[]) => moving(rows).map((row) => row.id);
  const moved = Object.fromEntries(contract.WORK_KINDS.map((kind) => [kind, idsOf(plan[kind])]));
  ctx.audit({
    objectid: member.userid,
    detail: preview
      ? { realname: member.realname, preview }
      : {
          realname: member.realname,
          reason,
          receivers: [...new Set(contract.WORK_KINDS.flatMap((kind) => moving<Verdict>(plan[kind]).map((row) => row.to)))],
          numbers: formatNumbers(Object.fromEntries(Object.entries(moved).map(([kind, ids]) => [kind, ids.length]))),
          ...Object.fromEntries(Object.entries(moved).map(([kind, ids]) => [kind, ids.slice(0, AUDITED_IDS)])),
        },
  });
  const names = new Map(colleagues.list.map((item) => [item.userid, item.realname]));
  const answer = <T extends { id: string } & Verdict, F>(rows: readonly T[], fields: (row: T) => F) => ({
    total: rows.length,
    moved: moving(rows).length,
    stays: rows.filter((row) => row.why !== '').length,
    // Rows that stay are first: somebody must decide about them.
    rows: [...rows.filter((row) => row.why !== ''), ...rows.filter((row) => row.why === '')].slice(0, SHOWN_ROWS).map((row) => ({
      id: row.id,
      ...fields(row),
      touserid: row.to ?? null,
      toname: row.to ? (names.get(row.to) ?? '') : '',
      why: row.why,
    })),
  });
  const nameOf = (row: { username: string }) => displayName(caller, row.username);
  const timeOf = (time: Date | null) => (time ? shanghaiTime(time).slice(0, 16) : null);
  const endOf = (time: Date | null) => (time && time > now ? shanghaiTime(time) : null);
  return {
    from: { userid: member.userid, realname: member.realname, absentuntil: endOf(member.absentuntil) },
    colleagues: colleagues.list.map(({ able, absentuntil, musercode, ...item }) => ({
      ...item,
      isabove: musercode !== member.musercode,
      absentuntil: endOf(absentuntil),
      able: contract.WORK_KINDS.filter((kind) => able.has(kind)),
    })),
    cases: answer(plan.cases, (row) => ({ ...toOpenCase(row.row, caller.sector), username: nameOf(row) })),
    followups: answer(plan.followups, (row) => ({
      username: nameOf(row),
      duetime: shanghaiTime(row.duetime).slice(0, 16),
      isoverdue: row.latesttime < now,
      method: row.method as '01',
    })),
    bookings: answer(plan.bookings, (row) => ({
      username: nameOf(row),
      status: row.status as '01',
      slotbegin: timeOf(row.slotbegin),
      slotend: timeOf(row.slotend),
      isseries: row.seriesid !== null,
    })),
    persons: answer(plan.persons, (row) => ({ username: row.username, belongs: row.belongs })),
    teams: answer(plan.teams, (row) => ({ teamname: row.teamname, membercount: row.membercount })),
    hours,
  };
});

export const handOverHandlers = [handOver];
