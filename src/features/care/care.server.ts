import { addDays, fromShanghai, shanghaiTime } from '#domain/calendar.ts';
import { followDue } from '#domain/deadline.ts';
import { FollowMethod, InterfereKind } from '#domain/enums.ts';
import { isOpen } from '#domain/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/handle.ts';
import { nameFor } from '#server/person.ts';
import * as contract from '#features/care/care.contract.ts';
import * as queries from '#features/care/care.queries.ts';
import { findCUser } from '#features/cuser/cuser.queries.ts';
import { addFollowUps, findInterferes } from '#features/warning/parts.queries.ts';
import { holdCase, store, type StaffCtx } from '#features/warning/step.ts';
import type { FollowUpRow } from '#features/care/care.contract.ts';

const getFollowUpPageList = handle(contract.getFollowUpPageList, async (filters, { scope, caller, now }) => {
  const { total, rows } = await queries.findFollowUps(scope, filters, now, caller.userid);
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      username: nameFor(caller, row.username),
      method: row.method as FollowUpRow['method'],
      status: row.status as FollowUpRow['status'],
      duetime: shanghaiTime(row.duetime),
      donetime: row.donetime && shanghaiTime(row.donetime),
      content: row.content ?? '',
      ownername: row.ownername ?? '',
      isoverdue: row.isoverdue ? 1 : 0,
    })),
  };
});

/** The person of a record, in the caller's reach; a case named beside them must be theirs. */
async function personOf(ctx: StaffCtx, cuserid: string, warningcode: string | undefined) {
  const person = await findCUser(ctx.scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  const held = warningcode ? await holdCase(ctx, warningcode) : undefined;
  if (held && held.row.cuserid !== cuserid) throw problems.notFound({ what: '预警' });
  return { person, held };
}

const insertFollowUp = handle(
  contract.insertFollowUp,
  async ({ cuserid, warningcode, planname, duetime, method, repeat }, ctx) => {
    const { person, held } = await personOf(ctx, cuserid, warningcode);
    const first = fromShanghai(duetime);
    const { everydays = 0, times = 1 } = repeat ?? {};
    const before = held ? (await queries.countAppointments(ctx.scope, held.row.warningcode)).n : 0;
    const added = await addFollowUps(
      ctx.scope,
      Array.from({ length: times }, (_, at) => ({
      cuserid, musercode: person.musercode, warningcode: warningcode ?? null, planname, seq: before + at + 1, duetime: addDays(first, at * everydays), method, operator: ctx.caller.accountid, createtime: ctx.now,
    })), // prettier-ignore
    );
    if (held) {
      const followups = [
        ...held.facts.followups,
        ...added.map((each) => ({ duetime: each.duetime, status: '01' as const, donetime: null })),
      ];
      await store(
        ctx,
        held,
        { ...held.facts, followups },
        { action: '随访计划', content: `${FollowMethod.label(method)} ${times} 次，首次 ${duetime.slice(0, 16)}` },
      );
    }
    ctx.note({ cuserids: [cuserid] });
    return { followupids: added.map((each) => each.followupid) };
  },
);

/** Two people finishing the same appointment: the second is told. */
async function holdAppointment(ctx: StaffCtx, followupid: number) {
  if (ctx.caller.narrowed) throw problems.notAllowed();
  const found = await queries.holdFollowUp(ctx.scope, followupid);
  if (!found) throw problems.notFound({ what: '随访' });
  if (found.status !== '01' && found.status !== '03') throw problems.wrongState({ why: '该次随访已登记，不能重复登记' });
  ctx.note({ cuserids: [found.cuserid], objectid: String(followupid) });
  return found;
}

const finishFollowUp = handle(
  contract.finishFollowUp,
  async ({ followupid, status, method, content, currentlevel, phq9total, nextduetime }, ctx) => {
    const { scope, now, caller } = ctx;
    const row = await holdAppointment(ctx, followupid);
    const held = row.warningcode ? await holdCase(ctx, row.warningcode) : undefined;
    await queries.changeFollowUp(scope, followupid, {
    status, content, donetime: status === '02' ? now : null, operator: caller.accountid, ...(method && { method }), ...(currentlevel !== undefined && { currentlevel }), ...(phq9total !== undefined && { phq9total }),
  }); // prettier-ignore
    let next = nextduetime ? fromShanghai(nextduetime) : undefined;
    if (held && isOpen(held.facts)) {
      const { waiting, first, seq } = await queries.countAppointments(scope, held.row.warningcode);
      // An open case is never left without an appointment: after the planned series its cadence goes on.
      if (!next && waiting === 0)
        next = nextOf(held.facts.level, (first as Date | null) ?? now, (seq as number | null) ?? 0, now);
    }
    if (next) {
      if (next <= now) throw problems.invalid({ message: '下次随访时间须晚于现在' }, { field: 'nextduetime' });
      const { cuserid, musercode, warningcode, planname } = row;
      await addFollowUps(scope, [
        {
          cuserid,
          musercode,
          warningcode,
          planname,
          seq: row.seq + 1,
          duetime: next,
          method: method ?? row.method,
          operator: caller.accountid,
          createtime: now,
        },
      ]);
      await queries.changeFollowUp(scope, followupid, { nextduetime: next });
    }
    if (held) {
      const done = held.facts.followups.map((each) =>
        each.duetime.getTime() === row.duetime.getTime() && each.status !== '02'
          ? { ...each, status, donetime: status === '02' ? now : null }
          : each,
      );
      const followups = next ? [...done, { duetime: next, status: '01' as const, donetime: null }] : done;
      const acute = (currentlevel ?? 0) >= 3;
      const after = {
        ...held.facts,
        followups,
        lastacutesign: acute ? now : held.facts.lastacutesign,
        contactattempts: status === '04' ? [...held.facts.contactattempts, now] : held.facts.contactattempts,
      };
      await store(ctx, held, after, {
        action: '随访',
        content: `${status === '04' ? '未能联系上。' : ''}${content}${currentlevel === undefined ? '' : `（当前状态 ${currentlevel} 级）`}`,
        detail: { followupid },
      });
    }
    return { followupid, nextduetime: next ? shanghaiTime(next) : null };
  },
);

/** The first appointment of the level's cadence that still lies ahead. */
function nextOf(level: Parameters<typeof followDue>[0], first: Date, seq: number, now: Date): Date {
  for (let n = 1; ; n += 1) {
    const due = followDue(level, first, n);
    if (due > now && n >= Math.max(1, seq)) return due;
  }
}

const cancelFollowUp = handle(contract.cancelFollowUp, async ({ followupid, reason }, ctx) => {
  const row = await holdAppointment(ctx, followupid);
  const held = row.warningcode ? await holdCase(ctx, row.warningcode) : undefined;
  await queries.changeFollowUp(ctx.scope, followupid, { status: '05', content: reason, operator: ctx.caller.accountid });
  if (held) {
    const followups = held.facts.followups.map((each) =>
      each.duetime.getTime() === row.duetime.getTime() && each.status === row.status ? { ...each, status: '05' as const } : each,
    );
    await store(
      ctx,
      held,
      { ...held.facts, followups },
      { action: '取消随访', content: `${shanghaiTime(row.duetime).slice(0, 16)}：${reason}`, detail: { followupid } },
    );
  }
  return {};
});

const insertInterfere = handle(
  contract.insertInterfere,
  async ({ cuserid, warningcode, kind, begintime, minutes, content, effect }, ctx) => {
    const { person, held } = await personOf(ctx, cuserid, warningcode);
    const begin = begintime ? fromShanghai(begintime) : ctx.now;
    if (begin > ctx.now) throw problems.invalid({ message: '开始时间不能晚于现在' }, { field: 'begintime' });
    const { interfereid } = await queries.addInterfere(ctx.scope, {
    cuserid, musercode: person.musercode, warningcode: warningcode ?? null, kind, begintime: begin, minutes, content, effect: effect ?? null, operator: ctx.caller.accountid, createtime: ctx.now,
  }); // prettier-ignore
    if (held)
      await store(ctx, held, held.facts, {
        action: '干预',
        content: `${InterfereKind.label(kind)}${minutes ? ` ${minutes} 分钟` : ''}：${content}`,
        detail: { interfereid },
      });
    ctx.note({ cuserids: [cuserid] });
    return { interfereid };
  },
);

const getInterfereList = handle(contract.getInterfereList, async ({ cuserid, warningcode }, { scope, caller }) => {
  if (caller.narrowed) throw problems.notAllowed();
  const rows = await findInterferes(scope, cuserid, warningcode);
  return rows.map((row) => ({ ...row, begintime: shanghaiTime(row.begintime) }));
});

export const careHandlers = [
  getFollowUpPageList,
  insertFollowUp,
  finishFollowUp,
  cancelFollowUp,
  insertInterfere,
  getInterfereList,
];
