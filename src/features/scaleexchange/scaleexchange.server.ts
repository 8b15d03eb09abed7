import { buffer } from 'node:stream/consumers';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { safeFilename } from '#domain/files/filekind.ts';
import { checkUsable, toLicenceFacts, withWording, withoutWording } from '#domain/scoring/licence.ts';
import { writeSheets } from '#domain/scoring/exchange/writeSheets.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { xlsxMime } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { printPaperForm } from '#server/pdf/render.ts';
import { writeWorkbook } from '#server/workbook/write.ts';
import { requireForm } from '#features/scaleeditor/ownForm.ts';
import { DRAFT, findLicence, findVersion } from '#features/scaleeditor/scaleeditor.queries.ts';
import { faultBook } from '#features/scaleexchange/faultBook.ts';
import { readForm } from '#features/scaleexchange/readFile.ts';
import * as contract from '#features/scaleexchange/scaleexchange.contract.ts';
import * as queries from '#features/scaleexchange/scaleexchange.queries.ts';
import { templateSheets } from '#features/scaleexchange/templateSheets.ts';
import { toWording } from '#features/scaleexchange/wording.ts';

type StaffContext = Pick<ReadContext<'staff'>, 'scope' | 'caller' | 'now'>;

/** A version as the caller's institution may export it. `reasons`: why its texts are missing. */
async function findExport({ scope, caller, now }: StaffContext, formcode: string, version: string | undefined) {
  const form = await requireForm({ scope }, formcode);
  const named = version && (await findVersion(scope, formcode, version));
  // The editor asks for the draft before the first save: it still shows the current version.
  const mayFallBack = version === undefined || version === DRAFT;
  const row = named || (mayFallBack ? await findVersion(scope, formcode, form.currentversion) : undefined);
  const isOwn = form.musercode === caller.musercode;
  // Nobody but the owner sees a draft.
  if (!row || (row.version === DRAFT && !isOwn)) throw problems.notFound({ what: '量表版本' });
  const licence = await findLicence(scope, formcode, caller.musercode);
  const scale = row.definition as Scale;
  const { reasons } = checkUsable(scale, licence && toLicenceFacts(licence, shanghaiDate(now)));
  const mayExport = isOwn || scale.tier === 'A' || scale.tier === 'S' || reasons.length === 0;
  const words = licence?.wording ? withWording(scale, licence.wording) : scale;
  return { scale: mayExport ? words : withoutWording(scale), mayExport, reasons };
}

const bookOf = async (sheets: ReturnType<typeof templateSheets>): Promise<Uint8Array> =>
  new Uint8Array(
    await buffer(writeWorkbook({ sheets: sheets.map(({ name, rows: [heads = [], ...rows] }) => ({ name, heads, rows })) })),
  );

const exportForm = handle(contract.exportForm, async ({ formcode, version, kind }, ctx) => {
  if (!formcode) return { filename: '量表模板.xlsx', mime: xlsxMime, body: await bookOf(templateSheets()) };
  const { scale, mayExport, reasons } = await findExport(ctx, formcode, version);
  ctx.audit({ objectid: formcode, detail: { version: scale.version, kind } });
  const name = `${scale.title}_${scale.version}`;
  if (kind === 'json')
    return {
      filename: safeFilename(`${name}.json`, 'json'),
      mime: 'application/json',
      body: Buffer.from(JSON.stringify(scale, null, 2)),
    };
  if (kind === 'xlsx')
    return { filename: safeFilename(`${name}.xlsx`, 'xlsx'), mime: xlsxMime, body: await bookOf(writeSheets(scale)) };
  const isBlank = scale.items.length === 0 || scale.items.some(({ t }) => t.trim() === '');
  if (!mayExport || isBlank) throw problems.licenceMissing({ why: reasons[0] ?? '还有题目没有题干，不能打印' });
  const institution = await queries.findInstitutionName(ctx.scope, ctx.caller.musercode);
  const { bytes } = await printPaperForm({ scale, institution, printtime: ctx.now });
  return { filename: safeFilename(`空白卷_${formcode}_${scale.version}.pdf`, 'pdf'), mime: 'application/pdf', body: bytes };
});

/** Stores the texts of an import as the licensed wording of the caller's institution; returns the number of questions. */
async function storeWording({ scope, caller }: StaffContext, formcode: string, texts: Scale): Promise<number> {
  const form = await requireForm({ scope }, formcode);
  const row = await findVersion(scope, formcode, form.currentversion);
  const skeleton = row?.definition as Scale | undefined;
  if (!skeleton || skeleton.items.every(({ t }) => t.trim() !== ''))
    throw problems.wrongState({ why: '这份量表已有文字，不需要上传' });
  const licence = await findLicence(scope, formcode, caller.musercode);
  if (!licence?.prooffileid) throw problems.licenceMissing({ why: '请先上传授权证明，再上传题目文字' });
  const fitted = toWording(skeleton, texts);
  if ('message' in fitted) throw problems.invalid({ message: fitted.message }, { field: 'text' });
  await queries.saveWording(scope, { formcode, musercode: caller.musercode, wording: fitted.wording });
  return skeleton.items.length;
}

const importFormText = handle(contract.importFormText, async ({ text, formcode }, ctx) => {
  const { sheets, ...read } = await readForm(ctx.upload, text);
  const stored = formcode && read.definition ? await storeWording(ctx, formcode, read.definition) : 0;
  const { source, definition, faults } = read;
  ctx.audit({
    ...(formcode ? { objectid: formcode } : {}),
    detail: { source, items: definition?.items.length ?? 0, faults: faults.length, stored },
  });
  const faultfile = sheets.length > 0 && faults.length > 0 ? Buffer.from(await faultBook(sheets, faults)).toString('base64') : '';
  return { ...read, faultfile, stored };
});

export const scaleExchangeHandlers = [exportForm, importFormText];
