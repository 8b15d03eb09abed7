import { fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { FollowMethod, FollowOutcome, FollowStatus, GrantStatus } from '#domain/base/enums.ts';
import { shortTitle } from '#domain/scoring/shortTitle.ts';
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
import { canCorrect, formatMinute, lockWaiting } from '#features/care/careRecord.ts';
import { followUpRows } from '#features/care/exportrows.ts';
import { finishHandlers } from '#features/care/followup/finish.server.ts';
import { notifyOwner, requireOwner } from '#features/care/followup/owner.ts';
import { planHandlers } from '#features/care/followup/plan.server.ts';
import { findStaffNames, findSuccessor } from '#features/care/followup/work.queries.ts';
import { workHandlers } from '#features/care/followup/work.server.ts';
import { reportWorsened, withWorsened } from '#features/care/worsened.ts';
import { interfereHandlers } from '#features/care/interfere.server.ts';
import { lockCase, saveTransition, type StaffContext } from '#features/warning/handling/transition.ts';
import type { FollowUpRow } from '#features/care/care.contract.ts';

/** The result of a re-test as text; '' without one. */
function describeRetest(sheet: queries.RetestSheet | null, phq9total: unknown): string {
  if (!sheet) return phq9total === null ? '' : `PHQ-9 ${Number(phq9total)} 分`;
  if (sheet.withheld === 1) return '已交卷，结果暂不显示';
  if (sheet.valid === 0) return '作答无效';
  const scores = (sheet.scores ?? []).map(
    ({ formname, score, levelname }) => `${shortTitle(formname)} ${score ?? '—'} 分${levelname ? `（${levelname}）` : ''}`,
  );
  return scores.join('；') || '已交卷';
}

type FoundFollowUp = Awaited<ReturnType<typeof queries.findFollowUps>>['rows'][number];
const toFollowUpRow = ({ caller }: Pick<StaffContext, 'caller'>, { sheet, grantstatus, phq9total, ...row }: FoundFollowUp) => ({
  ...row,
  retest: describeRetest(sheet, phq9total),
  reteststate: sheet ? 2 : grantstatus === null ? 0 : grantstatus === GrantStatus.live ? 1 : 3,
  retestplan: row.retestplan ?? '',
  retestplanname: row.retestplanname ?? '',
  username: displayName(caller, row.username),
  method: row.method as FollowUpRow['method'],
  status: (row.status === '03' ? '01' : row.status) as FollowUpRow['status'],
  outcome: row.outcome as FollowUpRow['outcome'],
  nextplanned: row.nextplanned && shanghaiTime(row.nextplanned),
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

const cancelFollowUp = handle(contract.cancelFollowUp, async ({ followupid, reason }, ctx) => {
  const row = await lockWaiting(ctx, followupid);
  const lockedCase = row.warningcode ? await lockCase(ctx, row.warningcode) : undefined;
  const isLast = !lockedCase && (await findSuccessor(ctx.scope, row)) === undefined;
  await queries.updateFollowUp(ctx.scope, followupid, {
    status: '05',
    content: reason,
    operator: ctx.caller.accountid,
    ...(isLast && { outcome: FollowOutcome.ended }),
  });
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
  async ({ followupid, planname, duetime, method, owneruserid, content, currentlevel }, ctx) => {
    const { row, lockedCase } = await lockChangeable(ctx, followupid);
    const isWaiting = row.status === '01' || row.status === '03';
    if (row.status === '05') throw problems.wrongState({ why: '该次随访已取消' });
    if (isWaiting && (content !== undefined || currentlevel !== undefined))
      throw problems.wrongState({ why: '该次随访尚未登记' });
    if (!isWaiting && !canCorrect(ctx, row)) throw problems.wrongState({ why: '只能更正自己登记的随访记录' });
    if (!isWaiting && owneruserid !== undefined) throw problems.wrongState({ why: '已登记的随访不能更换责任人' });
    if (!isWaiting && duetime !== undefined) throw problems.wrongState({ why: '已登记的随访不能改期' });
    const due = duetime ? fromShanghai(duetime) : undefined;
    if (due && due <= ctx.now) throw problems.invalid({ message: '随访时间须晚于现在' }, { field: 'duetime' });
    const suspects = lockedCase?.row.suspectuserids ?? [];
    if (owneruserid) await requireOwner(ctx, owneruserid, { musercode: row.musercode, suspects });
    const formerOwner = row.owneruserid ?? lockedCase?.row.owneruserid ?? null;
    const isNewOwner = owneruserid !== undefined && owneruserid !== formerOwner;
    await queries.updateFollowUp(ctx.scope, followupid, {
      ...(isNewOwner && { owneruserid }),
      ...(planname !== undefined && { planname }),
      ...(method && { method }),
      // A new seal of the same text would count as an edit.
      ...(content !== undefined && content !== row.content && { content }),
      ...(currentlevel !== undefined && { currentlevel }),
      ...(due && { duetime: due, latesttime: null, status: '01' }),
      updatetime: ctx.now,
      updateby: ctx.caller.accountid,
    });
    if (isNewOwner) await notifyOwner(ctx, owneruserid, due ?? row.duetime);
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
          isNewOwner && `责任人改为${(await findStaffNames(ctx.scope, [owneruserid])).get(owneruserid) ?? ''}`,
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
  cancelFollowUp,
  updateFollowUp,
  deleteFollowUp,
  exportFollowUpList,
  ...planHandlers,
  ...workHandlers,
  ...finishHandlers,
  ...interfereHandlers,
];
