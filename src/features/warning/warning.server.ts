import { ageOn, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { CloseReason, Gender, WarningLevel, WarningSource, WarningState } from '#domain/base/enums.ts';
import { latest } from '#domain/warning/warningfacts.ts';
import { xlsxMime } from '#contract/file.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { writeWorksheet, type ExportRow } from '#server/workbook/write.ts';
import type { GatedCall } from '#features/approval/approval.contract.ts';
import { requireApproval } from '#features/approval/requireApproval.ts';
import * as contract from '#features/warning/warning.contract.ts';
import { getWarningDetail } from '#features/warning/cases/caseDetail.server.ts';
import { findFlaggedReports } from '#features/warning/flaggedreports.queries.ts';
import { countWarnings, findWarnings } from '#features/warning/warninglist.queries.ts';
import { exportPage, warningRows, type ReportFilters } from '#features/warning/exportrows.ts';
import { toWarningRow, canReadCases } from '#features/warning/warningrow.ts';

type StaffContext = ReadContext<'staff'>;
const time = (moment: Date | null) => moment && shanghaiTime(moment);

const getWarningPageList = handle(contract.getWarningPageList, async (filters, { scope, caller, now }) => {
  const plain = !canReadCases(caller);
  const { total, rows } = await findWarnings(scope, plain ? { ...filters, overdue: undefined } : filters, {
    now,
    userid: caller.userid,
    plain,
  });
  return { total, rows: rows.map((row) => toWarningRow(caller, row, now)) };
});

async function flaggedReports(filters: Parameters<typeof findFlaggedReports>[1], { scope, caller, now }: StaffContext) {
  if (!canReadCases(caller)) throw problems.notAllowed();
  const { total, rows } = await findFlaggedReports(scope, filters, now);
  const seesAnswers = caller.codes.has(codeOf('exam.answers'));
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
      item9: seesAnswers ? row.item9 : null,
    })),
  };
}
const getAnxiousDepressedReportPageList = handle(contract.getAnxiousDepressedReportPageList, flaggedReports);

const getWarningCount = handle(contract.getWarningCount, async (filters, ctx) => {
  const midnight = fromShanghai(shanghaiDate(ctx.now));
  const { caller, now } = ctx;
  // The role that counts knows nothing of teams; whoever is narrowed to theirs counts within their own reach.
  const rows = caller.ownTeamsOnly
    ? await countWarnings(ctx.scope, filters, now, midnight, caller.userid)
    : await ctx.stats((scope) => countWarnings(scope, filters, now, midnight, caller.userid));
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
  const open = rows.filter((row) => row.state !== '07' && row.state !== '08');
  const whole = canReadCases(caller);
  return {
    open: open.reduce((total, row) => total + row.n, 0),
    pending: sum((row) => row.pending),
    overdue: whole ? sum((row) => row.overdue) : 0,
    today: sum((row) => row.today),
    mine: sum((row) => row.mine),
    latest: time(latest(rows.map((row) => row.latest as Date | null))),
    levels: [0, 1, 2, 3, 4].map((level) =>
      whole && level > 0 ? open.filter((row) => row.level === level).reduce((total, row) => total + row.n, 0) : 0,
    ),
    states: Object.fromEntries(
      WarningState.codes.map((state) => [
        state,
        rows.filter((row) => row.state === state).reduce((total, row) => total + row.n, 0),
      ]),
    ),
  };
});

const exportNote = ({ caller, now }: StaffContext) =>
  `${caller.name} 于 ${shanghaiTime(now)} 导出。含个人敏感信息，仅限工作使用，不得转发。筛查结果不等于医学诊断。`;

async function* reportRows(filters: ReportFilters, ctx: StaffContext) {
  for (let page = 1; ; page += 1) {
    const { rows } = await flaggedReports({ ...filters, page, pageSize: exportPage }, ctx);
    yield* rows;
    if (rows.length < exportPage) return;
  }
}

const exportWarningList = handle(contract.exportWarningList, async ({ approvalid, ...filters }, ctx) => {
  if (!canReadCases(ctx.caller)) throw problems.notAllowed();
  const heads = [
    '预警编号',
    '姓名',
    '性别',
    { head: '年龄', kind: 'number' as const },
    '机构',
    '班级/单位',
    '来源',
    '等级',
    '状态',
    '触发原因',
    '责任人',
    '触发时间',
    '受理时限',
    '下次随访',
    '超时',
    '已告知监护人',
    '已转介',
    '结案原因',
  ];
  const cuserids: string[] = [];
  const rows: ExportRow[] = [];
  for await (const row of warningRows(filters, ctx)) {
    cuserids.push(row.cuserid);
    const shown = toWarningRow(ctx.caller, row, ctx.now);
    rows.push([
      shown.warningcode,
      shown.username,
      Gender.label(shown.gender),
      shown.age,
      shown.insname,
      shown.belongs,
      WarningSource.label(shown.source),
      shown.levelname,
      shown.statename,
      shown.triggers,
      shown.ownername,
      shown.createtime,
      shown.acceptduetime,
      shown.nextfollowtime,
      shown.isoverdue === 1,
      shown.guardiannotified === 1,
      shown.referred === 1,
      CloseReason.label(shown.closereason),
    ]);
  }
  const { minors } = await requireApproval(ctx, contract.exportWarningList.name as GatedCall, filters, approvalid, cuserids);
  ctx.audit({ cuserids: [...new Set(cuserids)], minors: minors > 0, detail: { rows: rows.length, approvalid } });
  return {
    filename: `危机预警_${shanghaiDate(ctx.now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({ name: '危机预警', heads, rows, note: exportNote(ctx) }),
  };
});

const exportCUserWarningDetailData = handle(contract.exportCUserWarningDetailData, async ({ approvalid, ...filters }, ctx) => {
  const number = (head: string) => ({ head, kind: 'number' as const });
  const heads = [
    '姓名',
    '性别',
    number('年龄'),
    '机构',
    '班级/单位',
    '方案',
    '提交时间',
    number('抑郁得分'),
    number('抑郁等级'),
    number('焦虑得分'),
    number('焦虑等级'),
    '红线条目',
    '预警编号',
    '预警等级',
    '状态',
    '责任人',
    '受理时限',
    '超时',
  ];
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
      row.warninglevel ? WarningLevel.label(row.warninglevel) : '',
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
    body: writeWorksheet({ name: '预警明细', heads, rows, note: exportNote(ctx) }),
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
