import { levelName } from '#domain/warning/levels.ts';
import { ageOn, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { protectCount, protectCounts } from '#domain/base/suppression.ts';
import { CloseReason, Gender, WarningSource, WarningState } from '#domain/base/enums.ts';
import { latest } from '#domain/warning/warningfacts.ts';
import { xlsxMime } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { writeWorksheet, type ExportRow } from '#server/workbook/write.ts';
import type { GatedCall } from '#features/approval/approval.contract.ts';
import { requireApproval } from '#features/approval/requireApproval.ts';
import { flaggedColumns, warningColumns } from '#features/warning/exportColumns.contract.ts';
import * as contract from '#features/warning/warning.contract.ts';
import { getWarningDetail } from '#features/warning/cases/caseDetail.server.ts';
import { findFlaggedReports } from '#features/warning/flaggedreports.queries.ts';
import { countWarnings, findWarnings, isSuspectOfAny } from '#features/warning/warninglist.queries.ts';
import { EXPORT_PAGE_SIZE, warningRows, type ReportFilters } from '#features/warning/exportrows.ts';
import { findActor } from '#features/warning/handling/transition.ts';
import { findAsked } from '#features/warning/second/waiting.queries.ts';
import { toWarningRow, canReadCases } from '#features/warning/warningrow.ts';

type StaffContext = ReadContext<'staff'>;
const formatTime = (moment: Date | null) => moment && shanghaiTime(moment);

const getWarningPageList = handle(contract.getWarningPageList, async (filters, { scope, caller, now }) => {
  const plain = !canReadCases(caller);
  const human = await findActor({ scope, caller });
  const { total, rows } = await findWarnings(scope, filters, {
    now,
    userid: caller.userid,
    human,
    plain,
  });
  if (seesCountsOnly(caller) && protectCount(total) === null) return { total: 0, rows: [], suppressed: true };
  return { total, rows: rows.map((row) => toWarningRow(caller, row, now)), suppressed: false };
});

/** Whether the caller is an authority without 可看个人明细: it sees no count of fewer than five cases. */
const seesCountsOnly = (caller: Staff) => caller.musertype === '003' && !caller.seedetail;

async function flaggedReports(filters: Parameters<typeof findFlaggedReports>[1], { scope, caller, now }: StaffContext) {
  if (!canReadCases(caller)) throw problems.notAllowed();
  const { total, rows } = await findFlaggedReports(scope, filters, now);
  return {
    total,
    rows: rows.map(({ birthday, submittime, acceptduetime, ...row }) => ({
      ...row,
      username: displayName(caller, row.username),
      age: birthday ? ageOn(birthday, now) : null,
      ownername: row.ownername ?? '',
      submittime: submittime ? shanghaiTime(submittime) : '',
      acceptduetime: acceptduetime && shanghaiTime(acceptduetime),
      statename: row.state ? WarningState.label(row.state) : '',
      isoverdue: row.isoverdue ? 1 : 0,
    })),
  };
}
const getAnxiousDepressedReportPageList = handle(contract.getAnxiousDepressedReportPageList, flaggedReports);

const getWarningCount = handle(contract.getWarningCount, async (filters, ctx) => {
  const midnight = fromShanghai(shanghaiDate(ctx.now));
  const { caller, now } = ctx;
  // The statistics role cannot see teams. Staff who see only their own teams therefore count with their own scope.
  const issuspect = await isSuspectOfAny(ctx.scope);
  const rows =
    caller.ownTeamsOnly || issuspect
      ? await countWarnings(ctx.scope, { ...filters, issuspect }, now, midnight, caller.userid)
      : await ctx.stats((scope) => countWarnings(scope, filters, now, midnight, caller.userid));
  const sum = (count: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + count(row), 0);
  const openRows = rows.filter((row) => row.state !== '07' && row.state !== '08');
  const isHiding = seesCountsOnly(caller);
  const show = (count: number) => (isHiding ? protectCount(count) : count);
  const countState = (state: string) => rows.filter((row) => row.state === state).reduce((total, row) => total + row.n, 0);
  const countLevel = (level: number) => openRows.filter((row) => row.level === level).reduce((total, row) => total + row.n, 0);
  const openStates = WarningState.codes.filter((state) => state !== '07' && state !== '08');
  const openCounts = openStates.map(countState);
  const levelCounts = [1, 2, 3, 4].map(countLevel);
  const protectedStates = protectCounts(openCounts);
  const protectedLevels = protectCounts(levelCounts);
  // States and levels add up to the same number. So a hidden part of either hides all levels.
  const isLevelHidden = [...protectedStates.parts, ...protectedLevels.parts].includes(null);
  const levels = !isHiding ? levelCounts : isLevelHidden ? levelCounts.map(() => null) : protectedLevels.parts;
  const states = new Map<string, number | null>([
    ...openStates.map((state, index) => [state, (isHiding ? protectedStates.parts : openCounts)[index] ?? null] as const),
    ...(['07', '08'] as const).map((state) => [state, show(countState(state))] as const),
  ]);
  const open = show(openCounts.reduce((total, count) => total + count, 0));
  const changetime = latest(rows.map((row) => row.latest as Date | null));
  return {
    open,
    rounded: isHiding,
    pending: show(sum((row) => row.pending)),
    overdue: show(sum((row) => row.overdue)),
    today: show(sum((row) => row.today)),
    mine: show(sum((row) => row.mine)),
    second:
      canReadCases(caller) && !isHiding
        ? (await findAsked(ctx.scope, caller.userid, await findActor({ scope: ctx.scope, caller }), 1)).total
        : 0,
    // The time of a single case would tell its day and hour: an authority reads the day only, and only of five cases or more.
    latest: !isHiding ? formatTime(changetime) : open && changetime ? `${shanghaiDate(changetime)} 00:00:00` : null,
    levels: [0, ...levels],
    states: Object.fromEntries(states),
  };
});

const exportNote = ({ caller, now }: StaffContext) =>
  `${caller.name} 于 ${shanghaiTime(now)} 导出。含个人敏感信息，仅限工作使用，不得转发。筛查结果不等于医学诊断。`;

async function* reportRows(filters: ReportFilters, ctx: StaffContext) {
  for (let page = 1; ; page += 1) {
    const { rows } = await flaggedReports({ ...filters, page, pageSize: EXPORT_PAGE_SIZE }, ctx);
    yield* rows;
    if (rows.length < EXPORT_PAGE_SIZE) return;
  }
}

const exportWarningList = handle(contract.exportWarningList, async ({ approvalid, ...filters }, ctx) => {
  if (!canReadCases(ctx.caller)) throw problems.notAllowed();
  const cuserids: string[] = [];
  const rows: ExportRow[] = [];
  for await (const row of warningRows(filters, ctx)) {
    cuserids.push(row.cuserid);
    const listRow = toWarningRow(ctx.caller, row, ctx.now);
    rows.push([
      listRow.warningcode,
      listRow.username,
      Gender.label(listRow.gender),
      listRow.age,
      listRow.insname,
      listRow.belongs,
      WarningSource.label(listRow.source),
      listRow.levelname,
      listRow.statename,
      listRow.triggers,
      listRow.ownername,
      listRow.createtime,
      listRow.acceptduetime,
      listRow.due?.at ?? '',
      listRow.isoverdue === 1,
      listRow.guardiannotified === 1,
      listRow.referred === 1,
      CloseReason.label(listRow.closereason),
    ]);
  }
  const { minors } = await requireApproval(ctx, contract.exportWarningList.name as GatedCall, filters, approvalid, cuserids);
  ctx.audit({ cuserids: [...new Set(cuserids)], minors: minors > 0, detail: { rows: rows.length, approvalid } });
  return {
    filename: `危机预警_${shanghaiDate(ctx.now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({ name: '危机预警', heads: warningColumns, reader: ctx.caller, rows, note: exportNote(ctx) }),
  };
});

const exportCUserWarningDetailData = handle(contract.exportCUserWarningDetailData, async ({ approvalid, ...filters }, ctx) => {
  const cuserids: string[] = [];
  const rows: ExportRow[] = [];
  for await (const row of reportRows(filters, ctx)) {
    cuserids.push(row.cuserid);
    rows.push([
      row.username,
      Gender.label(row.gender),
      row.age,
      row.insname,
      row.belongs,
      row.planname,
      row.submittime,
      row.depscore,
      row.deplevel,
      row.anxscore,
      row.anxlevel,
      row.hasalert === 1,
      row.warningcode,
      row.warninglevel ? levelName(row.warninglevel, ctx.caller.sector) : '',
      row.statename,
      row.ownername,
      row.acceptduetime,
      row.isoverdue === 1,
    ]);
  }
  const { minors } = await requireApproval(
    ctx,
    contract.exportCUserWarningDetailData.name as GatedCall,
    filters,
    approvalid,
    cuserids,
  );
  ctx.audit({ cuserids: [...new Set(cuserids)], minors: minors > 0, detail: { rows: rows.length, approvalid } });
  return {
    filename: `预警明细_${shanghaiDate(ctx.now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({ name: '预警明细', heads: flaggedColumns, reader: ctx.caller, rows, note: exportNote(ctx) }),
  };
});

export const warningHandlers = [
  getWarningPageList,
  getAnxiousDepressedReportPageList,
  getWarningCount,
  getWarningDetail,
  exportWarningList,
  exportCUserWarningDetailData,
];
