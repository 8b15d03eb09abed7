import { looksLikeJson, readText } from '#domain/scoring/exchange/pasted/readText.ts';
import { readSheets, type SheetsRead } from '#domain/scoring/exchange/readSheets.ts';
import type { Sheet } from '#domain/scoring/exchange/sheets.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { describeIssue } from '#contract/fieldTitles.ts';
import type { Upload } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { WorkbookRefused } from '#server/workbook/refused.ts';
import { definition } from '#features/scaleeditor/definition.contract.ts';
import type { ImportFault } from '#features/scaleexchange/scaleexchange.contract.ts';
import type { z } from 'zod';

/** What a file or a text says. `definition` is null while errors are left; `sheets` are the worksheets of the author. */
export interface FormRead {
  source: 'json' | 'xlsx' | 'text';
  definition: Scale | null;
  faults: ImportFault[];
  lines: { line: number; use: string; text: string }[];
  sheets: Sheet[];
}

const MB = 1024 * 1024;
/** The largest file of a questionnaire. */
const MAX_BYTES = 5 * MB;
const MAX_FAULTS = 200;

type Issue = z.core.$ZodIssue;
const CHINESE = /[\u4e00-\u9fff]/;

/** The message of an issue of the shape, in Chinese. */
function messageOf(issue: Issue, title: string): string {
  if (issue.code === 'unrecognized_keys') return `有不认识的内容：${issue.keys.slice(0, 5).join('、')}`;
  if (issue.code === 'invalid_union') return `${title}写得不正确`;
  return CHINESE.test(issue.message) ? issue.message : describeIssue(issue, title);
}

const pathOf = (issue: Issue): (string | number)[] => [...issue.path] as (string | number)[];

/** Adds the faults of the shape. Returns the definition when it has none. */
function checkShape(
  scale: unknown,
  faults: ImportFault[],
  placeOf: (path: (string | number)[]) => Omit<ImportFault, 'kind' | 'message'>,
) {
  const checked = definition.safeParse(scale);
  if (checked.success) return checked.data;
  for (const issue of checked.error.issues.slice(0, MAX_FAULTS)) {
    const path = pathOf(issue);
    const place = placeOf(path);
    faults.push({ kind: 'error', ...place, message: messageOf(issue, place.column || path.join('.')) });
  }
  return null;
}

function readJson(text: string): FormRead {
  const faults: ImportFault[] = [];
  const empty = { source: 'json', definition: null, faults, lines: [], sheets: [] } as const;
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    faults.push({ kind: 'error', sheet: '', row: 0, column: '', message: '文件不完整，请重新导出后再导入' });
    return { ...empty, lines: [], sheets: [] };
  }
  const placeOf = (path: (string | number)[]) => ({ sheet: '', row: 0, column: path.join('.') });
  return { ...empty, definition: checkShape(value, faults, placeOf), lines: [], sheets: [] };
}

function readPasted(text: string): FormRead {
  const { scale, lines, doubts } = readText(text);
  const faults = doubts.map(({ line, message }): ImportFault => ({ kind: 'notice', sheet: '', row: line, column: '', message }));
  const placeOf = () => ({ sheet: '', row: 0, column: '' });
  const found = scale.items.length > 0 ? checkShape(scale, faults, placeOf) : null;
  if (scale.items.length === 0) for (const fault of faults) if (fault.message.startsWith('没有找到题目')) fault.kind = 'error';
  return { source: 'text', definition: found, faults, lines, sheets: [] };
}

function checkSheets({ scale, faults: found, places }: SheetsRead, sheets: Sheet[]): FormRead {
  const faults: ImportFault[] = found.slice(0, MAX_FAULTS);
  const placeOf = (path: (string | number)[]) => places.find(path) ?? { sheet: '', row: 0, column: path.join('.') };
  const shaped = checkShape(scale, faults, placeOf);
  const hasErrors = faults.some(({ kind }) => kind === 'error');
  return { source: 'xlsx', definition: hasErrors ? null : shaped, faults, lines: [], sheets };
}

async function readBook({ content, filename }: Upload): Promise<FormRead> {
  const book = await readWorkbook(content, filename).catch((error: unknown) => {
    throw error instanceof WorkbookRefused ? problems.fileRefused({ why: error.message }, { field: 'file' }) : error;
  });
  const sheets = [book, ...(book.others ?? [])].map(({ sheetname, rows }) => ({ name: sheetname, rows }));
  return checkSheets(readSheets(sheets, filename), sheets);
}

/** The text of a file in UTF-8, UTF-16 or GB 18030. */
function decode(content: Uint8Array): string {
  if (content[0] === 0xff && content[1] === 0xfe) return new TextDecoder('utf-16le').decode(content);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return new TextDecoder('gb18030').decode(content);
  }
}

const readAnyText = (text: string): FormRead => (looksLikeJson(text) ? readJson(text) : readPasted(text));

/** Reads the upload, or the pasted text. Refuses (160002) files of another kind and larger ones. */
export async function readForm(upload: Upload | undefined, text: string | undefined): Promise<FormRead> {
  if (!upload) {
    if (!text?.trim()) throw problems.missing({ title: '文件或文字' }, { field: 'text' });
    return readAnyText(text);
  }
  if (upload.content.length > MAX_BYTES)
    throw problems.fileRefused({ why: `量表文件不超过 ${MAX_BYTES / MB} MB` }, { field: 'file' });
  if (/\.(?:json|txt|md)$/i.test(upload.filename)) return readAnyText(decode(upload.content));
  if (/\.docx?$/i.test(upload.filename))
    throw problems.fileRefused({ why: '请在 Word 中复制题目，用“粘贴文字”导入' }, { field: 'file' });
  return readBook(upload);
}
