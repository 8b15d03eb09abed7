import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fileUses, safeFilename } from '#domain/files/filekind.ts';
import { xlsxMime } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import type { Context, ReadContext } from '#server/dispatch/handle.ts';
import { newKey } from '#server/storage/storage.ts';
import { openBook, type Book } from '#server/workbook/fill/openBook.ts';
import { WorkbookRefused } from '#server/workbook/refused.ts';
import { claimFiles, saveFile } from '#features/file/attachments.ts';
import * as queries from '#features/exceltemplate/exceltemplate.queries.ts';

/** The most forms of one institution. */
const MOST_TEMPLATES = 50;

/** Opens a file as a template; refuses it (160002) with the reason. */
export const openTemplate = async (bytes: Buffer, filename: string): Promise<Book> =>
  openBook(bytes, filename).catch((error: unknown) => {
    throw error instanceof WorkbookRefused ? problems.fileRefused({ why: error.message }, { field: 'file' }) : error;
  });

/** Stores a checked file as a new form of the caller's institution. Returns its number. */
export async function saveTemplate(
  ctx: Context<'staff'>,
  { bytes, filename, title, appid }: { bytes: Buffer; filename: string; title: string; appid: string },
): Promise<number> {
  const { scope, caller, storage, now } = ctx;
  if ((await queries.countTemplates(scope, caller.musercode)) >= MOST_TEMPLATES)
    throw problems.wrongState({ why: `最多保存 ${MOST_TEMPLATES} 份表格，请先删除不用的` });
  const path = newKey('upload');
  await storage.put(path, bytes);
  const stored = {
    path,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    mime: xlsxMime,
    filename: safeFilename(filename, 'xlsx'),
  };
  const { fileid } = await saveFile(ctx, stored, 'template', 0);
  const { musercode, accountid } = caller;
  const row = { musercode, appid, title, fileid, createby: accountid, createtime: now };
  const templateid = await queries.addTemplate(scope, row);
  await claimFiles(ctx, [fileid], 'template', { refcode: refcodeOf(templateid) });
  ctx.audit({ objectid: String(templateid), detail: { title, filename: stored.filename, use: fileUses.template.title } });
  return templateid;
}

/** The name under which the file of a form is claimed. */
export const refcodeOf = (templateid: number): string => `exceltemplate:${templateid}`;

/** A form of the caller's institution; refuses (130001) another one. */
export async function requireTemplate(
  { scope, caller }: Pick<ReadContext<'staff'>, 'scope' | 'caller'>,
  templateid: number,
): Promise<queries.TemplateFile> {
  const template = await queries.findTemplate(scope, caller.musercode, templateid);
  if (!template) throw problems.notFound({ what: '表格' });
  return template;
}

/** Reads the stored file of a form. */
export const readTemplate = async (
  { storage }: Pick<ReadContext<'staff'>, 'storage'>,
  { path, filename }: Pick<queries.TemplateFile, 'path' | 'filename'>,
): Promise<Book> => openTemplate(await buffer(await storage.get(path)), filename);
