import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { Problem, problems } from '#contract/problem.ts';
import { writeAudit } from '#server/dispatch/audit.ts';
import type { Context } from '#server/dispatch/handle.ts';
import { printReports, type Printed } from '#server/pdf/render.ts';
import type { ReportSheet } from '#server/pdf/reportPdf.ts';
import { displayName } from '#server/security/privacy.ts';
import { derivedKey } from '#server/storage/storage.ts';
import { writeWorksheet, type ExportCell } from '#server/workbook/write.ts';
import { isMinor } from '#features/report/reportRow.ts';
import { openLetterheads, toSheet, type Edition, type Letterhead } from '#features/reportpdf/printSheet.ts';
import { exportReportZip } from '#features/reportpdf/reportpdf.contract.ts';
import type { PrintRow } from '#features/reportpdf/reportpdf.queries.ts';
import { toSteps, type ZipStep } from '#features/reportpdf/zipNames.ts';

type StaffContext = Context<'staff'>;
type Batch = Edition & { layout: 'person' | 'class' };

const FAILED = '无法生成，请打开报告查看';

/** Refuses to go on when the account has cancelled the job or the server stops. The finished steps stay. */
function assertRunning({ job }: StaffContext): void {
  if (job?.signal.aborted) throw problems.wrongState({ why: '导出已停止' });
}

/** The sheets of a step. A report that the caller may not see any more gets a line among the failures instead. */
async function readSheets(
  ctx: StaffContext,
  { rows }: ZipStep,
  edition: Edition,
  heads: ReadonlyMap<string, Letterhead>,
  onFailure: (row: PrintRow, why: string) => void,
): Promise<ReportSheet[]> {
  const sheets: ReportSheet[] = [];
  for (const row of rows)
    try {
      const { sheet } = await toSheet(ctx, { ...edition, reportcode: row.reportcode }, (musercode) => heads.get(musercode));
      sheets.push(sheet);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      onFailure(row, error.message);
    }
  return sheets;
}

/**
 * Writes reports as a ZIP of PDF files with 清单.xlsx. Each file is a step: it waits in the store until the ZIP has been read, so a job
 * that was interrupted goes on where it stopped. A report that cannot be printed stands in the list with its reason.
 */
export async function writeReportZip(
  ctx: StaffContext,
  rows: readonly PrintRow[],
  edition: Batch,
): Promise<{ body: Readable; failures: number }> {
  const { caller, storage, origin, progress } = ctx;
  const heads = await openLetterheads(
    ctx,
    rows.map((row) => row.musercode),
  );
  const jobid = ctx.job?.jobid ?? randomUUID();
  const named = rows.map((row) => ({ ...row, username: displayName(caller, row.username) }));
  const steps = toSteps(named, edition.layout);
  const failures = new Map<string, string>();
  const files: { path: string; key: string }[] = [];
  let done = 0;
  for (const step of steps) {
    assertRunning(ctx);
    const versions = step.rows.map((row) => `${row.reportcode}.${row.version}`).join(' ');
    const key = derivedKey('export', `${jobid} ${step.path} ${versions}`);
    if ((await storage.head(key)) || (await printStep(step, key))) files.push({ path: step.path, key });
    for (const row of step.rows)
      if (!failures.has(row.reportcode))
        await writeAudit(
          ctx,
          exportReportZip,
          caller,
          {
            cuserids: [row.cuserid],
            objectid: row.reportcode,
            minors: isMinor(row.age),
            detail: { version: row.version, audience: edition.audience },
          },
          origin.ip,
        );
    progress((done += step.rows.length), rows.length);
  }

  /** Prints the file of a step; false when nothing of it can be printed. */
  async function printStep(step: ZipStep, key: string): Promise<boolean> {
    const fail = (row: PrintRow, why: string) => failures.set(row.reportcode, why);
    const sheets = await readSheets(ctx, step, edition, heads, fail);
    if (sheets.length === 0) return false;
    const printed = await printGood(step, sheets, fail);
    if (printed) await storage.put(key, printed.bytes);
    return printed !== undefined;
  }

  return { body: zipOf(ctx, files, listOf(ctx, steps, failures)), failures: failures.size };
}

/** Prints the file of a step. When a report cannot be drawn, the others are printed without it. */
async function printGood(
  { rows, title }: ZipStep,
  sheets: readonly ReportSheet[],
  onFailure: (row: PrintRow, why: string) => void,
): Promise<Printed | undefined> {
  const print = (some: readonly ReportSheet[]) =>
    printReports({ sheets: some, ...(title ? { title } : {}) }).catch(() => undefined);
  const printed = await print(sheets);
  if (printed) return printed;
  const good: ReportSheet[] = [];
  for (const sheet of sheets) {
    const row = rows.find(({ reportcode }) => reportcode === sheet.reportcode);
    if (sheets.length > 1 && (await print([sheet]))) good.push(sheet);
    else if (row) onFailure(row, FAILED);
  }
  return good.length > 0 ? print(good) : undefined;
}

/** 清单.xlsx: every report with its file, or with the reason why it has none. */
function listOf({ caller, now }: StaffContext, steps: readonly ZipStep[], failures: ReadonlyMap<string, string>): Readable {
  const rows = steps.flatMap((step) =>
    step.rows.map((row): ExportCell[] => {
      const why = failures.get(row.reportcode);
      return [
        row.personno,
        row.cuserid,
        row.username,
        row.belongs,
        row.stagename,
        row.reportcode,
        row.version,
        why ? '未生成' : '已生成',
        why ?? step.path,
      ];
    }),
  );
  return writeWorksheet({
    name: '清单',
    heads: [
      { head: '编号', width: 16 },
      { head: '受测者编号', width: 16 },
      { head: '姓名', width: 12 },
      { head: '班级/单位', width: 20 },
      { head: '阶段', width: 14 },
      { head: '报告编号', width: 16 },
      { head: '版本', kind: 'number' },
      '结果',
      { head: '文件或原因', width: 50 },
    ],
    rows,
    note: `${caller.name} 于 ${shanghaiTime(now)} 导出，共 ${rows.length} 份，未生成 ${failures.size} 份。含个人敏感信息，仅限工作使用，不得转发。筛查结果不等于医学诊断。`,
    properties: { 导出人: caller.name, 导出时间: shanghaiTime(now) },
  });
}

/** The ZIP file. It reads a step when its turn comes, and deletes all steps at its end. */
function zipOf({ storage }: StaffContext, files: readonly { path: string; key: string }[], list: Readable): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const fail = (error: unknown) => output.destroy(error as Error);
  zip.on('error', fail);
  list.on('error', fail);
  zip.addReadStream(list, '清单.xlsx', { compress: false });
  for (const { path, key } of files)
    zip.addReadStreamLazy(path, { compress: false }, (done) => {
      storage.get(key).then((stream) => {
        stream.on('error', fail);
        done(null, stream);
      }, fail);
    });
  zip.end();
  output.once('end', () => void Promise.allSettled(files.map(({ key }) => storage.delete(key))));
  return output;
}
