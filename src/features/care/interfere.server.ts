import { fromShanghai, shanghaiTime } from '#domain/base/calendar.ts';
import { InterfereKind } from '#domain/base/enums.ts';
import { withContact } from '#domain/warning/clock/clocks.ts';
import { hasSafetyPlan } from '#domain/warning/safetyPlan.ts';
import { isOpen } from '#domain/warning/warningfacts.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import * as contract from '#features/care/care.contract.ts';
import * as queries from '#features/care/care.queries.ts';
import { canCorrect, findPersonAndCase, formatMinute } from '#features/care/careRecord.ts';
import { findInterferes } from '#features/warning/cases/caseDetail.queries.ts';
import { lockCase, saveTransition, type StaffContext } from '#features/warning/handling/transition.ts';

/** Interventions in which staff talk with the person: counselling, consultation, group, crisis. */
const TALKS: readonly string[] = [InterfereKind.counselling, InterfereKind.consult, InterfereKind.group, InterfereKind.crisis];

/** An intervention as one line of the case log. */
const describeIntervention = (kind: string, minutes: number, content: string): string =>
  `${InterfereKind.label(kind)}${minutes ? ` ${minutes} 分钟` : ''}：${content}`;

/** An intervention that the caller may correct or delete, locked, with its case. Refuses records of others and closed cases (140001). */
async function lockOwnIntervention(ctx: StaffContext, interfereid: number) {
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  const row = await queries.lockInterfere(ctx.scope, interfereid);
  if (!row) throw problems.notFound({ what: '干预记录' });
  const lockedCase = row.warningcode ? await lockCase(ctx, row.warningcode) : undefined;
  if (lockedCase && !isOpen(lockedCase.facts)) throw problems.wrongState({ why: '个案已结束，干预记录不能再改；需要时请先重开' });
  if (!canCorrect(ctx, row)) throw problems.wrongState({ why: '只能修改或删除自己登记的干预记录' });
  ctx.audit({ cuserids: [row.cuserid], objectid: String(interfereid) });
  return { row, lockedCase };
}

const updateInterfere = handle(
  contract.updateInterfere,
  async ({ interfereid, begintime, ...fields }, ctx) => {
    const { row, lockedCase } = await lockOwnIntervention(ctx, interfereid);
    const begin = begintime ? fromShanghai(begintime) : undefined;
    if (begin && begin > ctx.now) throw problems.invalid({ message: '开始时间不能晚于现在' }, { field: 'begintime' });
    const { kind, minutes, content, effect } = fields;
    await queries.updateInterfere(ctx.scope, interfereid, {
      ...(kind && { kind }),
      ...(minutes !== undefined && { minutes }),
      // A new seal of the same text would count as an edit.
      ...(content !== undefined && content !== row.content && { content }),
      ...(effect !== undefined && { effect }),
      ...(begin && { begintime: begin }),
      updatetime: ctx.now,
      updateby: ctx.caller.accountid,
    });
    const before = describeIntervention(row.kind, row.minutes, row.content);
    const after = describeIntervention(kind ?? row.kind, minutes ?? row.minutes, content ?? row.content);
    if (lockedCase)
      await saveTransition(ctx, lockedCase, lockedCase.facts, {
        action: '更正干预',
        content: before === after ? after : `${after}（原记录：${before}）`,
        detail: { interfereid },
      });
    return {};
  },
  {
    current: async ({ interfereid }, scope) => {
      const row = await queries.lockInterfere(scope, interfereid);
      return row ? { begintime: shanghaiTime(row.begintime).slice(0, 16) } : {};
    },
  },
);

const deleteInterfere = handle(contract.deleteInterfere, async ({ interfereid, reason }, ctx) => {
  const { row, lockedCase } = await lockOwnIntervention(ctx, interfereid);
  await queries.updateInterfere(ctx.scope, interfereid, { isdeleted: 1, updatetime: ctx.now, updateby: ctx.caller.accountid });
  if (lockedCase) {
    const interferes = lockedCase.facts.interferes.filter(({ time }) => time.getTime() !== row.begintime.getTime());
    // A case in intervention (04) must keep an intervention or a safety plan.
    const hasPlan = hasSafetyPlan(lockedCase.facts) || lockedCase.facts.plantext.trim() !== '';
    if (lockedCase.facts.state === '04' && interferes.length === 0 && !hasPlan)
      throw problems.inUse({ why: '干预中的个案须至少保留一条干预记录或安全计划' });
    await saveTransition(
      ctx,
      lockedCase,
      { ...lockedCase.facts, interferes },
      {
        action: '删除干预',
        content: `${InterfereKind.label(row.kind)}（${formatMinute(row.begintime)}）：${reason}`,
        detail: { interfereid },
      },
    );
  }
  return {};
});

const insertInterfere = handle(
  contract.insertInterfere,
  async ({ cuserid, warningcode, kind, begintime, minutes, content, effect }, ctx) => {
    const { person, lockedCase } = await findPersonAndCase(ctx, cuserid, warningcode);
    const begin = begintime ? fromShanghai(begintime) : ctx.now;
    if (begin > ctx.now) throw problems.invalid({ message: '开始时间不能晚于现在' }, { field: 'begintime' });
    const { interfereid } = await queries.addInterfere(ctx.scope, {
      cuserid,
      musercode: person.musercode,
      warningcode: warningcode ?? null,
      kind,
      begintime: begin,
      minutes,
      content,
      effect: effect ?? null,
      operator: ctx.caller.accountid,
      createtime: ctx.now,
    });
    const isTalk = lockedCase && isOpen(lockedCase.facts) && TALKS.includes(kind);
    if (lockedCase)
      await saveTransition(ctx, lockedCase, isTalk ? withContact(lockedCase.facts, ctx.now) : lockedCase.facts, {
        action: '干预',
        content: describeIntervention(kind, minutes, content),
        detail: { interfereid },
      });
    ctx.audit({ cuserids: [cuserid] });
    return { interfereid };
  },
);

const getInterfereList = handle(contract.getInterfereList, async ({ cuserid, warningcode }, { scope, caller }) => {
  if (caller.ownTeamsOnly) throw problems.notAllowed();
  const rows = await findInterferes(scope, cuserid, warningcode);
  return rows.map((row) => ({ ...row, begintime: shanghaiTime(row.begintime) }));
});

export const interfereHandlers = [updateInterfere, deleteInterfere, insertInterfere, getInterfereList];
