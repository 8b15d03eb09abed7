import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { ConsultOutcome, ConsultSource, ConsultStatus, ConsultTopic, ConsultType } from '#domain/base/enums.ts';
import { xlsxMime } from '#contract/file.ts';
import { titleOf } from '#contract/fieldTitles.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { writeWorksheet, type ExportRow } from '#server/workbook/write.ts';
import type { GatedCall } from '#features/approval/approval.contract.ts';
import { requireApproval } from '#features/approval/requireApproval.ts';
import { findPersonAndCase } from '#features/care/careRecord.ts';
import { updateConsultRow } from '#features/consult/consult.queries.ts';
import { openText, sealText } from '#features/consult/consultSeal.ts';
import { lockConsult, logConsult } from '#features/consult/lockConsult.ts';
import { permittedSteps } from '#features/consult/permittedSteps.ts';
import { readerOf, toConsultRow } from '#features/consult/register/consultRow.ts';
import { getConsultDetail } from '#features/consult/register/detail.server.ts';
import { consultRows } from '#features/consult/register/exportrows.ts';
import * as contract from '#features/consult/register/register.contract.ts';
import * as queries from '#features/consult/register/register.queries.ts';
import { saveApplication } from '#features/consult/register/saveApplication.ts';
import { operatorOf } from '#features/warning/handling/transition.ts';

const getConsultPageList = handle(contract.getConsultPageList, async (filters, ctx) => {
  const { total, rows } = await queries.findConsults(ctx.scope, filters, readerOf(ctx));
  return { total, rows: rows.map((row) => toConsultRow(ctx, row)) };
});

const getConsultCount = handle(contract.getConsultCount, (_, ctx) => queries.countConsults(ctx.scope, readerOf(ctx)));

const insertConsult = handle(
  contract.insertConsult,
  async ({ cuserid, formcode, answers, consulttype, topics, warningcode }, ctx) => {
    if (ctx.caller.ownTeamsOnly) throw problems.notAllowed();
    if (warningcode !== undefined) await findPersonAndCase(ctx, cuserid, warningcode);
    const { consultid, opened } = await saveApplication(ctx, {
      cuserid,
      source: warningcode === undefined ? '02' : '03',
      consulttype,
      topics,
      formcode,
      answers,
      warningcode,
      operator: operatorOf(ctx.caller),
    });
    const raised = opened?.warningcode ?? null;
    ctx.audit({ cuserids: [cuserid], objectid: String(consultid), detail: { formcode, warningcode: warningcode ?? raised } });
    const isVisible = raised !== null && (await queries.isCaseVisible(ctx.scope, raised));
    return { consultid, warningcode: isVisible ? raised : null };
  },
);

const updateConsult = handle(contract.updateConsult, async (request, ctx) => {
  const { consultid, version: _, consulttype, topics, attendance, currentlevel, nextdate, summary } = request;
  const { scope, cipher, now } = ctx;
  const row = await lockConsult(ctx, consultid);
  const isOpen = row.status === '01' || row.status === '02' || row.status === '05';
  const ofSummary = { attendance, currentlevel, nextdate, summary };
  const hasSummary = Object.values(ofSummary).some((value) => value !== undefined);
  if (!isOpen && (consulttype !== undefined || topics !== undefined))
    throw problems.wrongState({ why: '这条登记已结束，方式和困扰不能再改' });
  if (hasSummary && row.status !== '03') throw problems.wrongState({ why: '只有已完成的咨询有摘要可以修改' });
  if (hasSummary && !(await permittedSteps(ctx, row)).includes('append')) throw problems.notAllowed();
  if (nextdate === null && row.outcome === ConsultOutcome.continued)
    throw problems.invalid({ message: '结果为“继续”时请填写下次日期' }, { field: 'nextdate' });
  const before = openText(cipher, row.musercode, 'consult.summary', row.summary);
  const isRewritten = summary !== undefined && summary !== before;
  await updateConsultRow(scope, consultid, {
    ...(consulttype && { consulttype }),
    ...(topics && { topics: [...new Set(topics)].sort() }),
    ...(attendance && { attendance }),
    ...(currentlevel !== undefined && { currentlevel }),
    ...(nextdate !== undefined && { nextdate }),
    ...(isRewritten && { summary: sealText(cipher, row.musercode, 'consult.summary', summary) }),
    updatetime: now,
  });
  const changed = { consulttype, topics, ...ofSummary, summary: isRewritten ? summary : undefined };
  const titles = Object.entries(changed)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => titleOf(contract.updateConsult.request, [name]) ?? name);
  // The log keeps the words that a correction replaced.
  const replaced = isRewritten ? `（原摘要：${before}）` : '';
  if (titles.length > 0) await logConsult(ctx, row, '修改', `${titles.join('、')}${replaced}`);
  return {};
});

const deleteConsult = handle(contract.deleteConsult, async ({ consultid }, ctx) => {
  const row = await lockConsult(ctx, consultid);
  const { status, source, warningcode, formcode } = row;
  if (status === ConsultStatus.done || status === ConsultStatus.missed)
    throw problems.inUse({ why: `${ConsultStatus.label(status)}的登记是咨询记录，不能删除` });
  if (source === ConsultSource.person) throw problems.inUse({ why: '本人提交的申请不能删除，请取消并写明原因' });
  if (status === ConsultStatus.booked) throw problems.inUse({ why: '这条登记已预约，请先取消预约' });
  if (formcode !== null && warningcode !== null && source === ConsultSource.staff)
    throw problems.inUse({ why: '登记内容已触发预警，须保留作为依据，不能删除' });
  await updateConsultRow(ctx.scope, consultid, { isdeleted: 1, updatetime: ctx.now });
  await logConsult(ctx, row, '删除');
  return {};
});

const exportConsultList = handle(contract.exportConsultList, async ({ approvalid, ...filters }, ctx) => {
  const { caller, now } = ctx;
  if (caller.ownTeamsOnly) throw problems.notAllowed();
  const cuserids: string[] = [];
  const rows: ExportRow[] = [];
  for await (const found of consultRows(filters, ctx)) {
    const row = toConsultRow(ctx, found);
    cuserids.push(row.cuserid);
    rows.push([
      row.username,
      row.belongs,
      row.insname,
      ConsultSource.label(row.source),
      row.topics.map((code) => ConsultTopic.label(code)).join('、'),
      row.warningcode ?? '',
      row.applytime,
      row.slotbegin ?? '',
      row.counsellorname,
      row.room,
      ConsultType.label(row.consulttype),
      row.isoverdue === 1 ? '待受理（已逾期）' : ConsultStatus.label(row.status),
      ConsultOutcome.label(row.outcome),
      row.nextdate ?? '',
    ]);
  }
  const { minors } = await requireApproval(ctx, contract.exportConsultList.name as GatedCall, filters, approvalid, cuserids);
  ctx.audit({ cuserids: [...new Set(cuserids)], minors: minors > 0, detail: { rows: rows.length, approvalid } });
  const note = `${caller.name} 于 ${shanghaiTime(now)} 导出。含个人敏感信息，仅限工作使用，不得转发。`;
  return {
    filename: `咨询登记_${shanghaiDate(now)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet({ name: '咨询登记', heads: contract.consultColumns, reader: caller, rows, note }),
  };
});

export const registerHandlers = [
  getConsultPageList,
  getConsultCount,
  getConsultDetail,
  insertConsult,
  updateConsult,
  deleteConsult,
  exportConsultList,
];
