import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { withContact, withFailedContact } from '#domain/warning/clock/clocks.ts';
import { followUpDueTime } from '#domain/warning/deadline.ts';
import { FollowMethod, FollowStatus } from '#domain/base/enums.ts';
import { levelName } from '#domain/warning/levels.ts';
import { isOpen } from '#domain/warning/warningfacts.ts';
import { xlsxMime } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { writeWorksheet, type ExportRow } from '#server/workbook/write.ts';
import type { GatedCall } from '#features/approval/approval.contract.ts';
import { requireApproval } from '#features/approval/requireApproval.ts';
import * as contract from '#features/care/care.contract.ts';
import * as queries from '#features/care/care.queries.ts';
import { canCorrect, findPersonAndCase, formatMinute } from '#features/care/careRecord.ts';
import { followUpRows } from '#features/care/exportrows.ts';
import { reportWorsened, withWorsened } from '#features/care/worsened.ts';
import { interfereHandlers } from '#features/care/interfere.server.ts';
import { addFollowUps } from '#features/warning/cases/caseDetail.queries.ts';
import { lockCase, saveTransition, type StaffContext } from '#features/warning/handling/transition.ts';
import type { FollowUpRow } from '#features/care/care.contract.ts';

type FoundFollowUp = Awaited<ReturnType<typeof queries.findFollowUps>>['rows'][number];
const toFollowUpRow = ({ caller }: Pick<StaffContext, 'caller'>, { examcode, phq9total, ...row }: FoundFollowUp) => ({
  ...row,
  retest: examcode ? (phq9total === null ? '已关联复测' : `PHQ-9 ${Number(phq9total)} 分`) : '',
  username: displayName(caller, row.username),
  method: row.method as FollowUpRow['method'],
  status: row.status as FollowUpRow['status'],
  duetime: shanghaiTime(row.duetime),
  donetime: row.donetime && shanghaiTime(row.donetime),
  content: row.content ?? '',
  ownername: row.ownername ?? '',
  isoverdue: row.isoverdue ? 1 : 0,
});
const getFollowUpPageList = handle(contract.getFollowUpPageList, async (filters, ctx) => {
  const { total, rows } = await queries.findFollowUps(ctx.scope, filters, ctx.now, ctx.caller.userid);
  return { total, rows: rows.map((row) => toFollowUpRow(ctx, row)) };
});

const insertFollowUp = handle(
  contract.insertFollowUp,
  async ({ cuserid, warningcode, planname, duetime, method, repeat }, ctx) => {
    const { person, lockedCase } = await findPersonAndCase(ctx, cuserid, warningcode);
    const first = fromShanghai(duetime);
    const { everydays = 0, times = 1 } = repeat ?? {};
    const before = lockedCase ? (await queries.countAppointments(ctx.scope, lockedCase.row.warningcode)).n : 0;
    const added = await addFollowUps(
      ctx.scope,
      Array.from({ length: times }, (_, index) => ({
        cuserid,
        musercode: person.musercode,
        warningcode: warningcode ?? null,
        planname,
        seq: before + index + 1,
        duetime: addDays(first, index * everydays),
        method,
        operator: ctx.caller.accountid,
        createtime: ctx.now,
      })),
    );
    if (lockedCase) {
      const followups = [
        ...lockedCase.facts.followups,
        ...added.map((item) => ({ duetime: item.duetime, status: '01' as const, donetime: null })),
      ];
      await saveTransition(
        ctx,
        lockedCase,
        { ...lockedCase.facts, followups },
        { action: '随访计划', content: `${FollowMethod.label(method)} ${times} 次，首次 ${duetime.slice(0, 16)}` },
      );
    }
    ctx.audit({ cuserids: [cuserid] });
    return { followupids: added.map((item) => item.followupid) };
  },
);

/** A waiting follow-up, locked. Of two staff who finish it at once, the second is refused (140001). */
async function lockWaiting(ctx: StaffContext, followupid: number) {
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  const followUp = await queries.lockFollowUp(ctx.scope, followupid);
  if (!followUp) throw problems.notFound({ what: '随访' });
  if (followUp.status !== '01' && followUp.status !== '03') throw problems.wrongState({ why: '该次随访已登记，不能重复登记' });
  ctx.audit({ cuserids: [followUp.cuserid], objectid: String(followupid) });
  return followUp;
}

const finishFollowUp = handle(
  contract.finishFollowUp,
  async ({ followupid, status, method, content, currentlevel, examcode, phq9total, nextduetime }, ctx) => {
    const { scope, now, caller } = ctx;
    const row = await lockWaiting(ctx, followupid);
    const lockedCase = row.warningcode ? await lockCase(ctx, row.warningcode) : undefined;
    const retest = examcode ? await queries.findRetest(scope, row.cuserid, examcode) : undefined;
    if (examcode && !retest) throw problems.invalid({ message: '所选复测不是该受测者的有效答卷' }, { field: 'examcode' });
    const total = phq9total ?? retest?.phq9 ?? undefined;
    await queries.updateFollowUp(scope, followupid, {
      status,
      content,
      donetime: status === '02' ? now : null,
      operator: caller.accountid,
      ...(method && { method }),
      ...(currentlevel !== undefined && { currentlevel }),
      ...(total !== undefined && { phq9total: total }),
      ...(examcode && { examcode }),
    });
    let next = nextduetime ? fromShanghai(nextduetime) : undefined;
    if (lockedCase && isOpen(lockedCase.facts)) {
      const { waiting, first, seq } = await queries.countAppointments(scope, lockedCase.row.warningcode);
      // An open case always has a next follow-up. After the planned ones, the schedule of its level continues.
      if (!next && waiting === 0)
        next = findNextFollowUp(lockedCase.facts.level, (first as Date | null) ?? now, (seq as number | null) ?? 0, now);
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
      await queries.updateFollowUp(scope, followupid, { nextduetime: next });
    }
    if (lockedCase) {
      const facts = lockedCase.facts.followups.map((followup) =>
        followup.duetime.getTime() === row.duetime.getTime() && followup.status !== '02'
          ? { ...followup, status, donetime: status === '02' ? now : null }
          : followup,
      );
      const followups = next ? [...facts, { duetime: next, status: '01' as const, donetime: null }] : facts;
      const acute = (currentlevel ?? 0) >= 3;
      const withFollowups = { ...lockedCase.facts, followups, lastacutesign: acute ? now : lockedCase.facts.lastacutesign };
      const channel = (method ?? row.method) === '01' ? '01' : '02';
      const after =
        status === '02'
          ? withContact(withFollowups, now)
          : status === '04'
            ? withFailedContact(withFollowups, now, channel)
            : withFollowups;
      const text = [
        status === '04' ? '未能联系上。' : '',
        content,
        currentlevel === undefined ? '' : `（当前状态：${levelName(currentlevel, ctx.caller.sector)}）`,
        examcode ? `（关联复测${total === undefined ? '' : ` PHQ-9 ${total} 分`}）` : '',
      ].join('');
      const worsened = await withWorsened(ctx, lockedCase, after, currentlevel);
      await saveTransition(ctx, lockedCase, worsened, { action: '随访', content: text, detail: { followupid } });
    }
    if (!lockedCase || !isOpen(lockedCase.facts)) await reportWorsened(ctx, row.cuserid, currentlevel, content);
    return { followupid, nextduetime: next ? shanghaiTime(next) : null };
  },
);

/** The first follow-up of the level's schedule after `now`. */
function findNextFollowUp(level: Parameters<typeof followUpDueTime>[0], first: Date, seq: number, now: Date): Date {
  for (let n = 1; ; n += 1) {
    const due = followUpDueTime(level, first, n);
    if (due > now && n >= Math.max(1, seq)) return due;
  }
}

const cancelFollowUp = handle(contract.cancelFollowUp, async ({ followupid, reason }, ctx) => {
  const row = await lockWaiting(ctx, followupid);
  const lockedCase = row.warningcode ? await lockCase(ctx, row.warningcode) : undefined;
  await queries.updateFollowUp(ctx.scope, followupid, { status: '05', content: reason, operator: ctx.caller.accountid });
  if (lockedCase) {
    const followups = lockedCase.facts.followups.map((followup) =>
      followup.duetime.getTime() === row.duetime.getTime() && followup.status === row.status
        ? { ...followup, status: '05' as const }
        : followup,
    );
    await saveTransition(
      ctx,
      lockedCase,
      { ...lockedCase.facts, followups },
      { action: '取消随访', content: `${shanghaiTime(row.duetime).slice(0, 16)}：${reason}`, detail: { followupid } },
    );
  }
  return {};
});

/** A follow-up, locked, with its case. Refuses a closed case (140001). */
async function lockChangeable(ctx: StaffContext, followupid: number) {
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  const row = await queries.lockFollowUp(ctx.scope, followupid);
  if (!row) throw problems.notFound({ what: '随访' });
  const lockedCase = row.warningcode ? await lockCase(ctx, row.warningcode) : undefined;
  if (lockedCase && !isOpen(lockedCase.facts)) throw problems.wrongState({ why: '个案已结束，随访记录不能再改；需要时请先重开' });
  ctx.audit({ cuserids: [row.cuserid], objectid: String(followupid) });
  return { row, lockedCase };
}
const updateFollowUp = handle(
  contract.updateFollowUp,
  async ({ followupid, planname, duetime, method, content, currentlevel }, ctx) => {
    const { row, lockedCase } = await lockChangeable(ctx, followupid);
    const isWaiting = row.status === '01' || row.status === '03';
    if (row.status === '05') throw problems.wrongState({ why: '该次随访已取消' });
    if (isWaiting && (content !== undefined || currentlevel !== undefined))
      throw problems.wrongState({ why: '该次随访尚未登记' });
    if (!isWaiting && !canCorrect(ctx, row)) throw problems.wrongState({ why: '只能更正自己登记的随访记录' });
    if (!isWaiting && duetime !== undefined) throw problems.wrongState({ why: '已登记的随访不能改期' });
    const due = duetime ? fromShanghai(duetime) : undefined;
    if (due && due <= ctx.now) throw problems.invalid({ message: '随访时间须晚于现在' }, { field: 'duetime' });
    await queries.updateFollowUp(ctx.scope, followupid, {
      ...(planname !== undefined && { planname }),
      ...(method && { method }),
      ...(content !== undefined && { content }),
      ...(currentlevel !== undefined && { currentlevel }),
      ...(due && { duetime: due, latesttime: null, status: '01' }),
      updatetime: ctx.now,
      updateby: ctx.caller.accountid,
    });
    if (!lockedCase) {
      if (currentlevel !== row.currentlevel) await reportWorsened(ctx, row.cuserid, currentlevel, content ?? row.content ?? '');
      return {};
    }
    const followups = lockedCase.facts.followups.map((followup) =>
      due && followup.status === row.status && followup.duetime.getTime() === row.duetime.getTime()
        ? { ...followup, duetime: due, status: '01' as const }
        : followup,
    );
    const changes = isWaiting
      ? [
          due && `${formatMinute(row.duetime)} → ${formatMinute(due)}`,
          method && method !== row.method && `方式改为${FollowMethod.label(method)}`,
        ]
      : [
          content !== undefined && content !== row.content && `${content}（原记录：${row.content ?? '无'}）`,
          currentlevel !== undefined &&
            currentlevel !== row.currentlevel &&
            `当前状态：${levelName(row.currentlevel, ctx.caller.sector) || '未填'} → ${levelName(currentlevel, ctx.caller.sector)}`,
        ];
    const changeText = changes.filter(Boolean).join('；');
    if (changeText)
      await saveTransition(
        ctx,
        lockedCase,
        await withWorsened(ctx, lockedCase, { ...lockedCase.facts, followups }, isWaiting ? undefined : currentlevel),
        { action: isWaiting ? '随访改期' : '更正随访', content: changeText, detail: { followupid } },
      );
    return {};
  },
  {
    current: async ({ followupid }, scope) => {
      const row = await queries.findDue(scope, followupid);
      return row ? { duetime: formatMinute(row.duetime) } : {};
    },
  },
);

const deleteFollowUp = handle(contract.deleteFollowUp, async ({ followupid }, ctx) => {
  const { row, lockedCase } = await lockChangeable(ctx, followupid);
  if (row.status === '02' || row.status === '04') throw problems.inUse({ why: '已登记的随访是处置记录，不能删除；填错的请修改' });
  if (lockedCase) {
    const remaining =
      lockedCase.facts.followups.filter((followup) => followup.status === '01' || followup.status === '03').length -
      (row.status === '05' ? 0 : 1);
    if (lockedCase.facts.state === '06' && row.status !== '05' && remaining < 1)
      throw problems.inUse({ why: '随访观察中的个案须保留下一次随访，请改期而不是删除' });
  }
  await queries.updateFollowUp(ctx.scope, followupid, { isdeleted: 1, updatetime: ctx.now, updateby: ctx.caller.accountid });
  if (lockedCase) {
    let isFound = false;
    const followups = lockedCase.facts.followups.filter((followup) => {
      const isDeleted = !isFound && followup.status === row.status && followup.duetime.getTime() === row.duetime.getTime();
      if (isDeleted) isFound = true;
      return !isDeleted;
    });
    await saveTransition(
      ctx,
      lockedCase,
      { ...lockedCase.facts, followups },
      { action: '删除随访', content: `${formatMinute(row.duetime)} ${FollowMethod.label(row.method)}`, detail: { followupid } },
    );
  }
  return {};
});

const exportFollowUpList = handle(contract.exportFollowUpList, async ({ approvalid, ...filters }, ctx) => {
  const { caller, now } = ctx;
  if (caller.ownTeamsOnly) throw problems.notAllowed();
  const cuserids: string[] = [];
  const rows: ExportRow[] = [];
  for await (const foundRow of followUpRows(filters, ctx)) {
    cuserids.push(foundRow.cuserid);
    const row = toFollowUpRow(ctx, foundRow);
    rows.push([
      row.username,
      row.belongs,
      row.insname,
      row.warningcode,
      row.planname,
      row.seq,
      row.duetime,
      FollowMethod.label(row.method),
      row.isoverdue ? '已逾期' : FollowStatus.label(row.status),
      row.donetime,
      row.content,
      row.currentlevel,
      row.retest,
      row.ownername,
    ]);
  }
  const { minors } = await requireApproval(ctx, contract.exportFollowUpList.name as GatedCall, filters, approvalid, cuserids);
  ctx.audit({ cuserids: [...new Set(cuserids)], minors: minors > 0, detail: { rows: rows.length, approvalid } });
  const note = `${caller.name} 于 ${shanghaiTime(now)} 导出。含个人敏感信息，仅限工作使用，不得转发。`;
  return {
    filename: `随访记录_${shanghaiDate(now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({ name: '随访记录', heads: contract.followUpColumns, reader: caller, rows, note }),
  };
});

export const careHandlers = [
  getFollowUpPageList,
  insertFollowUp,
  finishFollowUp,
  cancelFollowUp,
  updateFollowUp,
  deleteFollowUp,
  exportFollowUpList,
  ...interfereHandlers,
];
