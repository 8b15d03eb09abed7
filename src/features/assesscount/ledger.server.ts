import { formatNumber } from '#domain/base/number.ts';
import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { CountKind } from '#domain/base/enums.ts';
import { balanceOf, expiryWarningDays, expiryFlag, lowBalanceFlag } from '#domain/counts/wallet.ts';
import { xlsxMime } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { writeWorksheet, type ExportColumn } from '#server/workbook/write.ts';
import * as contract from '#features/assesscount/ledger.contract.ts';
import * as queries from '#features/assesscount/ledger.queries.ts';
import { planNameOf } from '#features/assesscount/planName.ts';

/** Adds the instants at which the days begin and end, and the reach of the caller. */
const toQueryFilters = <F extends { begindate?: string | undefined; enddate?: string | undefined }>(
  filters: F,
  caller: Staff,
) => ({
  ...filters,
  hasDataScope: caller.hasDataScope,
  reach: caller.musertype === '001' ? ('all' as const) : caller.isLeaf ? ('single' as const) : undefined,
  from: filters.begindate ? fromShanghai(filters.begindate) : undefined,
  until: filters.enddate ? addDays(fromShanghai(filters.enddate), 1) : undefined,
});

/** The names of operators without an account. */
const operatorNames: Readonly<Record<string, string>> = { entry: '受测者入口', 系统: '系统' };

/** A ledger row for the caller. */
const toLedgerRow = (caller: Staff, { operator, operatorname, ...line }: queries.LedgerLine): contract.LedgerRow => ({
  ...line,
  time: shanghaiTime(line.time),
  planname: planNameOf(line.plancode, line.planname),
  forplan: line.forplan ?? '',
  forplanname: line.forplan === null ? '' : planNameOf(line.forplan, line.forplanname),
  kindname: CountKind.label(line.kind),
  username: line.username ? displayName(caller, line.username) : '',
  partyname: line.partyname ?? '',
  operatorname: operatorname ?? (operator === null ? '受测者' : (operatorNames[operator] ?? operator)),
  remark: line.remark ?? '',
});

const getPlanAuthorizeDetails = handle(
  contract.getPlanAuthorizeDetails,
  async ({ page, pageSize, orderby: _, isasc, ...filters }, { scope, caller }) => {
    const { kinds, lines } = await queries.findDetails(scope, toQueryFilters(filters, caller), {
      page,
      pageSize,
      isOldestFirst: isasc === '1',
    });
    return {
      total: kinds.reduce((sum, { lines }) => sum + lines, 0),
      rows: lines.map((line) => toLedgerRow(caller, line)),
      sum: balanceOf(Object.fromEntries(kinds.map(({ kind, qty }) => [kind, qty]))),
      kinds,
    };
  },
);

const columns: readonly ExportColumn[] = [
  { head: '时间', width: 20 },
  { head: '机构', width: 26 },
  { head: '方案', width: 26 },
  { head: '使用方案', width: 26 },
  { head: '类型' },
  { head: '变动次数', kind: 'number' },
  { head: '变动后余量', kind: 'number' },
  { head: '有效期至' },
  { head: '受测者' },
  { head: '往来机构', width: 24 },
  { head: '操作人', width: 14 },
  { head: '说明', width: 40 },
  { head: '流水号', kind: 'number' },
];
/** An export has at most this many lines. */
const maxExportLines = 50_000;
/** The export reads this many lines at a time. */
const exportPageSize = 5000;

const exportPlanAuthorizeDetails = handle(contract.exportPlanAuthorizeDetails, async (request, { scope, caller, now, audit }) => {
  const filters = toQueryFilters(request, caller);
  const kinds = await queries.sumLines(scope, filters);
  const total = kinds.reduce((sum, { lines }) => sum + lines, 0);
  if (total > maxExportLines)
    throw problems.invalid(
      { message: `共 ${formatNumber(total)} 条，一次最多导出 ${formatNumber(maxExportLines)} 条，请缩小日期范围` },
      { field: 'begindate' },
    );
  const rows: (string | number)[][] = [];
  for (let page = 1; (page - 1) * exportPageSize < total; page += 1)
    for (const line of await queries.findLines(scope, filters, { page, pageSize: exportPageSize, isOldestFirst: true })) {
      const row = toLedgerRow(caller, line);
      rows.push([
        row.time,
        row.insname,
        row.planname,
        row.forplanname,
        row.kindname,
        row.qty,
        row.balance,
        row.enddate ?? '',
        row.username,
        row.partyname,
        row.operatorname,
        row.remark,
        row.logid,
      ]);
    }
  const sum = balanceOf(Object.fromEntries(kinds.map(({ kind, qty }) => [kind, qty])));
  const summed = [
    ['获得', sum.granted],
    ['使用', sum.used],
    ['冻结', sum.frozen],
    ['过期', sum.expired],
    ['剩余', sum.free],
  ] as const;
  const stamp = shanghaiTime(now);
  audit({ detail: { filters: request, rows: rows.length } });
  return {
    filename: `方案授权明细_${shanghaiDate(now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({
      name: '方案授权明细',
      heads: columns,
      rows,
      note: [
        `${caller.name} 于 ${stamp} 导出，共 ${rows.length} 条`,
        `合计：${summed.map(([name, qty]) => `${name} ${formatNumber(qty)}`).join('，')}`,
      ],
      properties: { 导出人: caller.name, 导出时间: stamp },
    }),
  };
});

/** A wallet of the statistics as the screen and the export show it. */
function toCountRow(row: queries.CountLine, now: Date) {
  const soon = shanghaiDate(addDays(now, expiryWarningDays));
  return {
    ...row,
    key: `${row.musercode} ${row.plancode}`,
    planname: planNameOf(row.plancode, row.planname),
    uses: row.uses.map((use) => ({ ...use, planname: planNameOf(use.plancode, use.planname) })),
    lastusetime: row.lastusetime && shanghaiTime(row.lastusetime),
    expiring: expiryFlag(row.enddate, shanghaiDate(now), soon),
    // The share of all granted counts, also those outside the days of the filter.
    low: lowBalanceFlag({ granted: row.everygranted, free: row.free }),
  };
}
/** The filters of the statistics for the query. */
const toWalletFilters = <F extends Parameters<typeof toQueryFilters>[0] & { expiring?: number | undefined }>(
  { expiring, ...filters }: F,
  caller: Staff,
  now: Date,
) => ({
  ...toQueryFilters(filters, caller),
  endingby: expiring === 1 ? shanghaiDate(addDays(now, expiryWarningDays)) : undefined,
});

const getPlanAuthorizeCount = handle(
  contract.getPlanAuthorizeCount,
  async ({ page, pageSize, orderby, isasc, ...filters }, { scope, caller, now }) => {
    const { sums, lines } = await queries.findStatistics(scope, {
      ...toWalletFilters(filters, caller, now),
      ...{ page, pageSize, orderby, isasc },
    });
    const { total, ...sum } = sums;
    return { total, sum, rows: lines.map((line) => toCountRow(line, now)) };
  },
);

const countColumns: readonly ExportColumn[] = [
  { head: '机构', width: 26 },
  { head: '机构编号', width: 14 },
  { head: '方案', width: 26 },
  { head: '已发放', kind: 'number' },
  { head: '已使用', kind: 'number' },
  { head: '冻结', kind: 'number' },
  { head: '已过期', kind: 'number' },
  { head: '剩余', kind: 'number' },
  { head: '有效期至', width: 12 },
  { head: '届时到期', kind: 'number' },
  { head: '授权人数', kind: 'number' },
  { head: '最近使用', width: 20 },
  { head: '各方案使用', width: 40 },
];

const exportPlanAuthorizeCount = handle(contract.exportPlanAuthorizeCount, async (request, { scope, caller, now, audit }) => {
  const { sums, lines } = await queries.findStatistics(scope, {
    ...toWalletFilters(request, caller, now),
    page: 1,
    pageSize: maxExportLines,
  });
  const { total, ...sum } = sums;
  if (total > maxExportLines)
    throw problems.invalid(
      { message: `共 ${total} 条，一次最多导出 ${maxExportLines} 条，请选择机构或地区` },
      { field: 'musercode' },
    );
  const rows = lines.map((line) => {
    const row = toCountRow(line, now);
    const uses = row.uses.map((use) => `${use.planname} ${use.used} 次`).join('；');
    return [
      ...[row.insname, row.musercode, row.planname, row.granted, row.used, row.frozen, row.expired, row.free],
      ...[row.enddate ?? (row.free > 0 ? '长期' : ''), row.ending, row.peoplecount, row.lastusetime ?? '', uses],
    ];
  });
  const stamp = shanghaiTime(now);
  const { begindate, enddate } = request;
  audit({ detail: { filters: request, rows: rows.length } });
  return {
    filename: `方案授权统计_${shanghaiDate(now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({
      name: '方案授权统计',
      heads: countColumns,
      rows,
      note: [
        `${caller.name} 于 ${stamp} 导出，共 ${rows.length} 条`,
        `合计：发放 ${sum.granted}，使用 ${sum.used}，冻结 ${sum.frozen}，过期 ${sum.expired}，剩余 ${sum.free}，授权 ${sum.peoplecount} 人`,
        ...(begindate || enddate
          ? [`日期 ${begindate ?? '最初'} 至 ${enddate ?? '今天'} 的发放、使用、过期与授权人数；冻结与剩余是导出时的数`]
          : []),
      ],
      properties: { 导出人: caller.name, 导出时间: stamp },
    }),
  };
});

export const ledgerHandlers = [
  getPlanAuthorizeDetails,
  exportPlanAuthorizeDetails,
  getPlanAuthorizeCount,
  exportPlanAuthorizeCount,
];
