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

/** Days as the instants they begin and end, and how far the caller reaches. */
const between = <F extends { begindate?: string | undefined; enddate?: string | undefined }>(of: F, caller: Staff) => ({
  ...of,
  scoped: caller.hasDataScope,
  reach: caller.musertype === '001' ? ('everybody' as const) : caller.isLeaf ? ('alone' as const) : undefined,
  from: of.begindate ? fromShanghai(of.begindate) : undefined,
  until: of.enddate ? addDays(fromShanghai(of.enddate), 1) : undefined,
});

/** Who wrote a line that no account wrote. */
const operators: Readonly<Record<string, string>> = { entry: '受测者入口', 系统: '系统' };

const shown = (caller: Staff, { operator, operatorname, ...line }: queries.LedgerLine): contract.LedgerRow => ({
  ...line,
  time: shanghaiTime(line.time),
  planname: planNameOf(line.plancode, line.planname),
  forplan: line.forplan ?? '',
  forplanname: line.forplan === null ? '' : planNameOf(line.forplan, line.forplanname),
  kindname: CountKind.label(line.kind),
  // An authority counts and reads no names.
  username: line.username && caller.musertype !== '003' ? displayName(caller, line.username) : '',
  partyname: line.partyname ?? '',
  operatorname: operatorname ?? (operator === null ? '受测者' : (operators[operator] ?? operator)),
  remark: line.remark ?? '',
});

const getPlanAuthorizeDetails = handle(
  contract.getPlanAuthorizeDetails,
  async ({ page, pageSize, orderby: _, isasc, ...filters }, { scope, caller }) => {
    const { kinds, lines } = await queries.findDetails(scope, between(filters, caller), {
      page,
      pageSize,
      oldest: isasc === '1',
    });
    return {
      total: kinds.reduce((sum, { lines }) => sum + lines, 0),
      rows: lines.map((line) => shown(caller, line)),
      sum: balanceOf(Object.fromEntries(kinds.map(({ kind, qty }) => [kind, qty]))),
      kinds,
    };
  },
);

const heads: readonly ExportColumn[] = [
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
const most = 50_000;
const step = 5000;

const exportPlanAuthorizeDetails = handle(contract.exportPlanAuthorizeDetails, async (filters, { scope, caller, now, audit }) => {
  const of = between(filters, caller);
  const kinds = await queries.sumLines(scope, of);
  const total = kinds.reduce((sum, { lines }) => sum + lines, 0);
  if (total > most)
    throw problems.invalid({ message: `共 ${total} 条，一次最多导出 ${most} 条，请缩小日期范围` }, { field: 'begindate' });
  const rows: (string | number)[][] = [];
  for (let page = 1; (page - 1) * step < total; page += 1)
    for (const line of await queries.findLines(scope, of, { page, pageSize: step, oldest: true })) {
      const row = shown(caller, line);
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
  const stamp = shanghaiTime(now);
  audit({ detail: { filters, rows: rows.length } });
  return {
    filename: `方案授权明细_${shanghaiDate(now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({
      name: '方案授权明细',
      heads,
      rows,
      note: [
        `${caller.name} 于 ${stamp} 导出，共 ${rows.length} 条`,
        `合计：发放 ${sum.granted}，使用 ${sum.used}，冻结 ${sum.frozen}，过期 ${sum.expired}，剩余 ${sum.free}`,
      ],
      properties: { 导出人: caller.name, 导出时间: stamp },
    }),
  };
});

const getPlanAuthorizeCount = handle(
  contract.getPlanAuthorizeCount,
  async ({ page, pageSize, orderby, isasc, expiring, ...filters }, { scope, caller, now }) => {
    const today = shanghaiDate(now);
    const soon = shanghaiDate(addDays(now, expiryWarningDays));
    const of = { ...between(filters, caller), endingby: expiring === 1 ? soon : undefined };
    const { sums, lines } = await queries.findStatistics(scope, { ...of, page, pageSize, orderby, isasc });
    const { total, ...sum } = sums;
    return {
      total,
      sum,
      rows: lines.map((row) => ({
        ...row,
        key: `${row.musercode} ${row.plancode}`,
        planname: planNameOf(row.plancode, row.planname),
        uses: row.uses.map((use) => ({ ...use, planname: planNameOf(use.plancode, use.planname) })),
        lastusetime: row.lastusetime && shanghaiTime(row.lastusetime),
        expiring: expiryFlag(row.enddate, today, soon),
        // Of what the wallet got altogether, not of what these days brought.
        low: lowBalanceFlag({ granted: row.everygranted, free: row.free }),
      })),
    };
  },
);

export const ledgerHandlers = [getPlanAuthorizeDetails, exportPlanAuthorizeDetails, getPlanAuthorizeCount];
