import { formatNumber } from '#domain/base/number.ts';
import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { xlsxMime } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import { checkReceipt, makeReceipt, readReceipt } from '#server/audit/receipt.ts';
import { verifyAudit as verifyChain } from '#server/audit/verify.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { writeWorksheet, type ExportColumn } from '#server/workbook/write.ts';
import * as contract from '#features/audit/audit.contract.ts';
import type { AuditRow } from '#features/audit/audit.contract.ts';
import { describeDetail, findNamesOf, nameOfObject } from '#features/audit/detail/describeDetail.ts';
import { auditKindLabels } from '#features/audit/audit.labels.ts';
import * as queries from '#features/audit/audit.queries.ts';
import type { AuditRecord } from '#features/audit/audit.queries.ts';

/** Returns the institution whose audit log the caller may read, or undefined for the platform, which reads all. */
const readableInstitution = (caller: Staff): string | undefined => (caller.musertype === '001' ? undefined : caller.musercode);

async function toAuditRows({ caller, scope }: ReadContext<'staff'>, records: readonly AuditRecord[]): Promise<AuditRow[]> {
  const names = await findNamesOf(scope, records);
  return records.map((record) => ({
    id: record.id,
    time: shanghaiTime(record.time),
    who: record.who,
    accountid: record.accountid ?? '',
    loginasby: record.loginasname ?? '',
    insname: record.insname ?? '',
    action: record.action,
    title: record.detail['refusal'] === undefined ? record.title : `${record.title}（已拒绝）`,
    kind: record.kind as AuditRow['kind'],
    persons: record.cuserids
      .slice(0, queries.NAMED_PERSONS)
      .map((cuserid) => ({ cuserid, username: record.names[cuserid] ? displayName(caller, record.names[cuserid]) : cuserid })),
    personcount: record.cuserids.length,
    minors: record.minors,
    objectid: record.objectid ?? '',
    objectname: nameOfObject(record, names),
    ip: record.ip ?? '',
    detail: describeDetail(record.detail, names),
  }));
}

const getAuditPageList = handle(contract.getAuditPageList, async ({ page, pageSize, orderby, isasc, ...filters }, ctx) => {
  const { total, rows } = await queries.findAuditRows(ctx.scope, readableInstitution(ctx.caller), filters, {
    page,
    pageSize,
    oldest: orderby === 'time' && isasc === '1',
  });
  return { total, rows: await toAuditRows(ctx, rows) };
});

const heads: readonly ExportColumn[] = [
  { head: '时间', width: 20 },
  { head: '操作人', width: 14 },
  { head: '账号', width: 14 },
  { head: '代登录人', width: 14 },
  { head: '机构', width: 24 },
  { head: '类型' },
  { head: '操作', width: 22 },
  { head: '操作代码', width: 34 },
  { head: '涉及人员', width: 24 },
  { head: '人数', kind: 'number' },
  { head: '对象', width: 18 },
  { head: '内容', width: 50 },
  { head: 'IP', width: 16 },
];
const MAX_EXPORT_ROWS = 20_000;
const EXPORT_PAGE_SIZE = 1000;

const exportAudit = handle(contract.exportAudit, async (filters, ctx) => {
  const { scope, caller, now, audit } = ctx;
  const rows: (string | number)[][] = [];
  for (let page = 1, total = 1; (page - 1) * EXPORT_PAGE_SIZE < total; page += 1) {
    const batch = await queries.findAuditRows(scope, readableInstitution(caller), filters, { page, pageSize: EXPORT_PAGE_SIZE });
    total = batch.total;
    if (total > MAX_EXPORT_ROWS)
      throw problems.invalid(
        { message: `共 ${formatNumber(total)} 条，一次最多导出 ${formatNumber(MAX_EXPORT_ROWS)} 条，请缩小日期范围` },
        { field: 'begindate' },
      );
    ctx.progress(Math.min(page * EXPORT_PAGE_SIZE, total), total);
    for (const row of await toAuditRows(ctx, batch.rows))
      rows.push([
        row.time,
        row.who,
        row.accountid,
        row.loginasby,
        row.insname,
        auditKindLabels[row.kind],
        row.title,
        row.action,
        row.persons.map((person) => person.username).join('、') + (row.personcount > queries.NAMED_PERSONS ? ' 等' : ''),
        row.personcount,
        row.objectname ? `${row.objectname}（${row.objectid}）` : row.objectid,
        row.detail.map((item) => `${item.key}：${item.value}`).join('；'),
        row.ip,
      ]);
  }
  audit({ detail: { filters, rows: rows.length } });
  const stamp = shanghaiTime(now);
  return {
    filename: `审计日志_${shanghaiDate(now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({
      name: '审计日志',
      heads,
      rows,
      note: `${caller.name} 于 ${stamp} 导出，共 ${rows.length} 条`,
      properties: { 导出人: caller.name, 导出时间: stamp },
    }),
  };
});

const verifyAudit = handle(contract.verifyAudit, async (_, ctx) => {
  const { rows, faults } = await verifyChain(ctx);
  ctx.audit({ detail: { rows, broken: faults.length } });
  const intact = faults.length === 0;
  const message = intact
    ? `完整：共 ${formatNumber(rows)} 条，未发现改动`
    : '被改动：记录与封存时不一致，请立即保全现有记录并上报';
  return { intact, rows, faults, message };
});

const exportAuditReceipt = handle(contract.exportAuditReceipt, async (_, ctx) => {
  const { caller, now, audit } = ctx;
  const receipt = await makeReceipt(ctx, await queries.findInstitution(ctx.scope, caller.musercode), now);
  audit({ detail: { rows: receipt.rows, number: receipt.seq } });
  return {
    filename: `审计凭证_${caller.musercode}_${shanghaiDate(now)}.json`,
    mime: 'application/json',
    body: Buffer.from(`${JSON.stringify(receipt, null, 2)}\n`),
  };
});

const checkAuditReceipt = handle(contract.checkAuditReceipt, async ({ receipt: text }, ctx) => {
  const receipt = readReceipt(ctx.cipher, text);
  const own = readableInstitution(ctx.caller);
  if (!receipt) throw problems.invalid({ message: '不是本系统出具的审计凭证，或内容被改动' }, { field: 'receipt' });
  if (own !== undefined && receipt.musercode !== own)
    throw problems.invalid({ message: '这是另一个机构的审计凭证' }, { field: 'receipt' });
  const faults = await checkReceipt(ctx, receipt);
  ctx.audit({ detail: { number: receipt.seq, broken: faults.length } });
  const intact = faults.length === 0;
  const message = intact
    ? `一致：${shanghaiTime(new Date(receipt.time))} 的凭证所记的 ${formatNumber(receipt.rows)} 条都在，未发现改动`
    : '不一致：请立即保全凭证和现有记录并上报';
  return { intact, message, faults };
});

const getPersonTrail = handle(contract.getPersonTrail, async ({ cuserid, page, pageSize, begindate, enddate }, ctx) => {
  const { scope, caller } = ctx;
  const person = await queries.findPerson(scope, cuserid);
  if (!person || (readableInstitution(caller) !== undefined && person.musercode !== caller.musercode))
    throw problems.notFound({ what: '受测者' });
  const filters = { cuserid, begindate, enddate };
  const { total, rows } = await queries.findAuditRows(scope, readableInstitution(caller), filters, { page, pageSize });
  const viewers = (await queries.findViewers(scope, readableInstitution(caller), filters)).map((viewer) => ({
    ...viewer,
    firsttime: shanghaiTime(viewer.firsttime),
    lasttime: shanghaiTime(viewer.lasttime),
  }));
  return { username: displayName(caller, person.username), viewers, total, rows: await toAuditRows(ctx, rows) };
});

export const auditHandlers = [getAuditPageList, exportAudit, verifyAudit, exportAuditReceipt, checkAuditReceipt, getPersonTrail];
