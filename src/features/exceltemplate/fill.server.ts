import { shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import { safeFilename } from '#domain/files/filekind.ts';
import { indicatorOf } from '#domain/exceltemplate/indicators.ts';
import { isDownwards } from '#domain/exceltemplate/mapping.ts';
import { periodName } from '#domain/exceltemplate/period.ts';
import { xlsxMime } from '#contract/file.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { fillBook } from '#server/workbook/fill/fillBook.ts';
import { readFillSheets } from '#server/workbook/fill/grid.ts';
import * as contract from '#features/exceltemplate/exceltemplate.contract.ts';
import * as queries from '#features/exceltemplate/exceltemplate.queries.ts';
import { fillCells, type FilledCell } from '#features/exceltemplate/fillCells.ts';
import { readFigures } from '#features/exceltemplate/readFigures.ts';
import { readTemplate, requireTemplate } from '#features/exceltemplate/templateBook.ts';
import { traceSheet } from '#features/exceltemplate/traceSheet.ts';
import { findPeriods } from '#features/release/release.queries.ts';

type FillContext = Pick<ReadContext<'staff'>, 'scope' | 'caller' | 'storage' | 'stats'>;

/** Fills a form for a period with what is published. */
async function fill(ctx: FillContext, templateid: number, period: { year: string; term: string }) {
  const { scope, caller, stats } = ctx;
  const template = await requireTemplate(ctx, templateid);
  const { appid } = template;
  const mappings = (await queries.findCells(scope, templateid)).map((row) => ({ ...row, cellid: Number(row.cellid) }));
  const book = await readTemplate(ctx, template);
  const sheets = await readFillSheets(book);
  const published = await stats(async (statsScope) => {
    const known = await findPeriods(statsScope, appid);
    if (!known.some(({ year, term }) => year === period.year && term === period.term))
      throw problems.invalid({ message: '这个时段没有数据' }, { field: 'year' });
    return readFigures(statsScope, { appid, ...period }, mappings);
  });
  const { schools, districts, figuresOf } = published;
  const latest = (times: readonly (Date | null)[]): string => {
    const found = times.flatMap((time) => (time ? [time.getTime()] : []));
    return found.length > 0 ? shanghaiTime(new Date(Math.max(...found))).slice(0, 16) : '';
  };
  const datatime = latest(schools.map((school) => school.datatime));
  const counttime = latest(schools.map((school) => school.counttime));
  const institution = await queries.findInstitutionName(scope, caller.musercode);
  const filling = fillCells(sheets, mappings, {
    regionname: '全部',
    facts: {
      insname: institution,
      period: periodName(period),
      datatime: (datatime || counttime).slice(0, 10),
      schoolcount: schools.length,
    },
    schools,
    districts,
    figuresOf,
  });
  const waiting = schools.filter((school) => !school.datatime).map(({ insname }) => insname);
  return { template, book, mappings, filling, institution, datatime, counttime, waiting };
}

/** The text of a value as the cell shows it: a cell with a percent format shows a share with one decimal. */
const textOf = ({ indicator, content, isPercent }: FilledCell): string =>
  typeof content === 'number' && isPercent && indicatorOf(indicator)?.unit === 'rate'
    ? `${(content * 100).toFixed(1)}%`
    : String(content);

const previewExcelTemplate = handle(contract.previewExcelTemplate, async ({ templateid, year, term }, ctx) => {
  const { filling, datatime, counttime, waiting } = await fill(ctx, templateid, { year, term });
  const { cells, unmatched, unlisted } = filling;
  return {
    ...{ datatime, counttime, waiting, unmatched, unlisted },
    cells: cells.map((cell) => {
      const { cellid, sheetname, ref, state, persons } = cell;
      return { cellid, sheetname, ref, state, persons, text: textOf(cell) };
    }),
  };
});

const exportExcelTemplate = handle(contract.exportExcelTemplate, async ({ templateid, year, term }, ctx) => {
  const { caller, now, audit } = ctx;
  const { template, book, mappings, filling, institution, datatime, counttime } = await fill(ctx, templateid, { year, term });
  if (mappings.length === 0) throw problems.wrongState({ why: '还没有选择要填写的单元格' });
  const values = new Map<string, Map<string, number | string>>();
  for (const { path, ref, content } of filling.cells) {
    const sheet = values.get(path) ?? new Map<string, number | string>();
    values.set(path, sheet.set(ref, content));
  }
  const periodname = periodName({ year, term });
  const facts = { institution, periodname, datatime, counttime, filledby: caller.name, filltime: shanghaiTime(now) };
  const body = await fillBook(book, values, traceSheet(filling.cells, facts));
  audit({
    objectid: String(templateid),
    detail: { year, term, cells: filling.cells.length, columns: mappings.filter(isDownwards).length },
  });
  return { filename: safeFilename(`${template.title}_${periodname}_${shanghaiDate(now)}`, 'xlsx'), mime: xlsxMime, body };
});

export const excelFillHandlers = [previewExcelTemplate, exportExcelTemplate];
