import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { followUpDueTime } from '#domain/warning/deadline.ts';
import { FollowMethod, FollowStatus } from '#domain/base/enums.ts';
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
import { canCorrect, minuteOf, personOf } from '#features/care/caseOfPerson.ts';
import { followUpRows } from '#features/care/exportrows.ts';
import { interfereHandlers } from '#features/care/interfere.server.ts';
import { addFollowUps } from '#features/warning/cases/caseDetail.queries.ts';
import { lockCase, saveTransition, type StaffContext } from '#features/warning/handling/transition.ts';
import type { FollowUpRow } from '#features/care/care.contract.ts';

type Found = Awaited<ReturnType<typeof queries.findFollowUps>>['rows'][number];
const toFollowUpRow = ({ caller }: Pick<StaffContext, 'caller'>, { examcode, phq9total, ...row }: Found) => ({
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
    const { person, held: heldCase } = await personOf(ctx, cuserid, warningcode);
    const first = fromShanghai(duetime);
    const { everydays = 0, times = 1 } = repeat ?? {};
    const before = heldCase ? (await queries.countAppointments(ctx.scope, heldCase.row.warningcode)).n : 0;
    const added = await addFollowUps(
      ctx.scope,
      Array.from({ length: times }, (_, at) => ({
        cuserid,
        musercode: person.musercode,
        warningcode: warningcode ?? null,
        planname,
        seq: before + at + 1,
        duetime: addDays(first, at * everydays),
        method,
        operator: ctx.caller.accountid,
        createtime: ctx.now,
      })),
    );
    if (heldCase) {
      const followups = [
        ...heldCase.facts.followups,
        ...added.map((item) => ({ duetime: item.duetime, status: '01' as const, donetime: null })),
      ];
      await saveTransition(
        ctx,
        heldCase,
        { ...heldCase.facts, followups },
        { action: '随访计划', content: `${FollowMethod.label(method)} ${times} 次，首次 ${duetime.slice(0, 16)}` },
      );
    }
    ctx.audit({ cuserids: [cuserid] });
    return { followupids: added.map((item) => item.followupid) };
  },
);

/** Two people finishing the same appointment: the second is told. */
async function lockAppointment(ctx: StaffContext, followupid: number) {
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
    const row = await lockAppointment(ctx, followupid);
    const heldCase = row.warningcode ? await lockCase(ctx, row.warningcode) : undefined;
    const retest = examcode ? await queries.findRetest(scope, row.cuserid, examcode) : undefined;
    if (examcode && !retest) throw problems.invalid({ message: '所选复测不是该受测者的有效答卷' }, { field: 'examcode' });
    const total = phq9total ?? retest?.phq9 ?? undefined;
    await queries.changeFollowUp(scope, followupid, {
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
    if (heldCase && isOpen(heldCase.facts)) {
      const { waiting, first, seq } = await queries.countAppointments(scope, heldCase.row.warningcode);
      // An open case is never left without an appointment: after the planned series its cadence goes on.
      if (!next && waiting === 0)
        next = nextFollowUpOf(heldCase.facts.level, (first as Date | null) ?? now, (seq as number | null) ?? 0, now);
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
    if (heldCase) {
      const facts = heldCase.facts.followups.map((followup) =>
        followup.duetime.getTime() === row.duetime.getTime() && followup.status !== '02'
          ? { ...followup, status, donetime: status === '02' ? now : null }
          : followup,
      );
      const followups = next ? [...facts, { duetime: next, status: '01' as const, donetime: null }] : facts;
      const acute = (currentlevel ?? 0) >= 3;
      const after = {
        ...heldCase.facts,
        followups,
        lastacutesign: acute ? now : heldCase.facts.lastacutesign,
        contactattempts: status === '04' ? [...heldCase.facts.contactattempts, now] : heldCase.facts.contactattempts,
      };
      await saveTransition(ctx, heldCase, after, {
        action: '随访',
        content:
          `${status === '04' ? '未能联系上。' : ''}${content}${currentlevel === undefined ? '' : `（当前状态 ${currentlevel} 级）`}` +
          `${examcode ? `（关联复测${total === undefined ? '' : ` PHQ-9 ${total} 分`}）` : ''}`,
        detail: { followupid },
      });
    }
    return { followupid, nextduetime: next ? shanghaiTime(next) : null };
  },
);

/** The first appointment of the level's cadence that still lies ahead. */
function nextFollowUpOf(level: Parameters<typeof followUpDueTime>[0], first: Date, seq: number, now: Date): Date {
  for (let n = 1; ; n += 1) {
    const due = followUpDueTime(level, first, n);
    if (due > now && n >= Math.max(1, seq)) return due;
  }
}

const cancelFollowUp = handle(contract.cancelFollowUp, async ({ followupid, reason }, ctx) => {
  const row = await lockAppointment(ctx, followupid);
  const heldCase = row.warningcode ? await lockCase(ctx, row.warningcode) : undefined;
  await queries.changeFollowUp(ctx.scope, followupid, { status: '05', content: reason, operator: ctx.caller.accountid });
  if (heldCase) {
    const followups = heldCase.facts.followups.map((followup) =>
      followup.duetime.getTime() === row.duetime.getTime() && followup.status === row.status
        ? { ...followup, status: '05' as const }
        : followup,
    );
    await saveTransition(
      ctx,
      heldCase,
      { ...heldCase.facts, followups },
      { action: '取消随访', content: `${shanghaiTime(row.duetime).slice(0, 16)}：${reason}`, detail: { followupid } },
    );
  }
  return {};
});

/** A follow-up that may still be changed: its case is not over. */
async function requireChangeable(ctx: StaffContext, followupid: number) {
  if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
  const row = await queries.lockFollowUp(ctx.scope, followupid);
  if (!row) throw problems.notFound({ what: '随访' });
  const heldCase = row.warningcode ? await lockCase(ctx, row.warningcode) : undefined;
  if (heldCase && !isOpen(heldCase.facts)) throw problems.wrongState({ why: '个案已结束，随访记录不能再改；需要时请先重开' });
  ctx.audit({ cuserids: [row.cuserid], objectid: String(followupid) });
  return { row, held: heldCase };
}
const updateFollowUp = handle(
  contract.updateFollowUp,
  async ({ followupid, planname, duetime, method, content, currentlevel }, ctx) => {
    const { row, held: heldCase } = await requireChangeable(ctx, followupid);
    const waits = row.status === '01' || row.status === '03';
    if (row.status === '05') throw problems.wrongState({ why: '该次随访已取消' });
    if (waits && (content !== undefined || currentlevel !== undefined)) throw problems.wrongState({ why: '该次随访尚未登记' });
    if (!waits && !canCorrect(ctx, row)) throw problems.wrongState({ why: '只能更正自己登记的随访记录' });
    if (!waits && duetime !== undefined) throw problems.wrongState({ why: '已登记的随访不能改期' });
    const due = duetime ? fromShanghai(duetime) : undefined;
    if (due && due <= ctx.now) throw problems.invalid({ message: '随访时间须晚于现在' }, { field: 'duetime' });
    await queries.changeFollowUp(ctx.scope, followupid, {
      ...(planname !== undefined && { planname }),
      ...(method && { method }),
      ...(content !== undefined && { content }),
      ...(currentlevel !== undefined && { currentlevel }),
      ...(due && { duetime: due, status: '01' }),
      updatetime: ctx.now,
      updateby: ctx.caller.accountid,
    });
    if (!heldCase) return {};
    const followups = heldCase.facts.followups.map((followup) =>
      due && followup.status === row.status && followup.duetime.getTime() === row.duetime.getTime()
        ? { ...followup, duetime: due, status: '01' as const }
        : followup,
    );
    const words = waits
      ? [
          due && `${minuteOf(row.duetime)} → ${minuteOf(due)}`,
          method && method !== row.method && `方式改为${FollowMethod.label(method)}`,
        ]
      : [
          content !== undefined && content !== row.content && `${content}（原记录：${row.content ?? '无'}）`,
          currentlevel !== undefined &&
            currentlevel !== row.currentlevel &&
            `当前状态 ${row.currentlevel ?? '未填'} → ${currentlevel} 级`,
        ];
    const summary = words.filter(Boolean).join('；');
    if (summary)
      await saveTransition(
        ctx,
        heldCase,
        { ...heldCase.facts, followups },
        { action: waits ? '随访改期' : '更正随访', content: summary, detail: { followupid } },
      );
    return {};
  },
);

const deleteFollowUp = handle(contract.deleteFollowUp, async ({ followupid }, ctx) => {
  const { row, held: heldCase } = await requireChangeable(ctx, followupid);
  if (row.status === '02' || row.status === '04') throw problems.inUse({ why: '已登记的随访是处置记录，不能删除；填错的请修改' });
  if (heldCase) {
    const rest =
      heldCase.facts.followups.filter((followup) => followup.status === '01' || followup.status === '03').length -
      (row.status === '05' ? 0 : 1);
    if (heldCase.facts.state === '06' && row.status !== '05' && rest < 1)
      throw problems.inUse({ why: '随访观察中的个案须保留下一次随访，请改期而不是删除' });
  }
  await queries.changeFollowUp(ctx.scope, followupid, { isdeleted: 1, updatetime: ctx.now, updateby: ctx.caller.accountid });
  if (heldCase) {
    let isGone = false;
    const followups = heldCase.facts.followups.filter((followup) => {
      const same = !isGone && followup.status === row.status && followup.duetime.getTime() === row.duetime.getTime();
      if (same) isGone = true;
      return !same;
    });
    await saveTransition(
      ctx,
      heldCase,
      { ...heldCase.facts, followups },
      { action: '删除随访', content: `${minuteOf(row.duetime)} ${FollowMethod.label(row.method)}`, detail: { followupid } },
    );
  }
  return {};
});

const exportFollowUpList = handle(contract.exportFollowUpList, async ({ approvalid, ...filters }, ctx) => {
  const { caller, now } = ctx;
  if (caller.ownTeamsOnly) throw problems.notAllowed();
  const heads = [
    '姓名',
    '班级/单位',
    '机构',
    '预警编号',
    '计划',
    { head: '次序', kind: 'number' as const },
    '应随访时间',
    '方式',
    '状态',
    '完成时间',
    '随访记录',
    { head: '当前状态', kind: 'number' as const },
    '复测',
    '责任人',
  ];
  const cuserids: string[] = [];
  const rows: ExportRow[] = [];
  for await (const found of followUpRows(filters, ctx)) {
    cuserids.push(found.cuserid);
    const row = toFollowUpRow(ctx, found);
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
    body: writeWorksheet({ name: '随访记录', heads, rows, note }),
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
