import { levelName } from '#domain/warning/levels.ts';
import { ageOn, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { CloseReason, Gender, WarningSource, WarningState } from '#domain/base/enums.ts';
import { latest } from '#domain/warning/warningfacts.ts';
import { xlsxMime } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
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
  return { total, rows: rows.map((row) => toWarningRow(caller, row, now)) };
});

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
  const countState = (state: string) => rows.filter((row) => row.state === state).reduce((total, row) => total + row.n, 0);
  const countLevel = (level: number) => openRows.filter((row) => row.level === level).reduce((total, row) => total + row.n, 0);
  return {
    open: openRows.reduce((total, row) => total + row.n, 0),
    pending: sum((row) => row.pending),
    overdue: sum((row) => row.overdue),
    today: sum((row) => row.today),
    mine: sum((row) => row.mine),
    second: canReadCases(caller)
      ? (await findAsked(ctx.scope, caller.userid, await findActor({ scope: ctx.scope, caller }), 1)).total
      : 0,
    latest: formatTime(latest(rows.map((row) => row.latest as Date | null))),
    levels: [0, ...[1, 2, 3, 4].map(countLevel)],
    states: Object.fromEntries(WarningState.codes.map((state) => [state, countState(state)])),
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
