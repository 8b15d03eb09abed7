import { shanghaiTime } from '#domain/base/calendar.ts';
import { grades } from '#domain/person/grades.ts';
import { findMappingFault, partsOfTarget, type Mapping } from '#domain/exceltemplate/mapping.ts';
import { periodName } from '#domain/exceltemplate/period.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context, type ReadContext } from '#server/dispatch/handle.ts';
import { GRID_LIMITS, readFillSheets, toGrid } from '#server/workbook/fill/grid.ts';
import { placeOf } from '#server/workbook/fill/sheet.ts';
import { removeFilesOf } from '#features/file/file.queries.ts';
import { findPeriods, findSchools } from '#features/release/release.queries.ts';
import * as contract from '#features/exceltemplate/exceltemplate.contract.ts';
import * as queries from '#features/exceltemplate/exceltemplate.queries.ts';
import { districtsOf } from '#features/exceltemplate/readFigures.ts';
import { buildShippedForm, SHIPPED_TITLE } from '#features/exceltemplate/shipped/shippedForm.ts';
import { openTemplate, readTemplate, refcodeOf, requireTemplate, saveTemplate } from '#features/exceltemplate/templateBook.ts';

type StaffContext = Context<'staff'>;

/** The population of a sector: an education bureau's forms are about students. */
const POPULATIONS: Readonly<Record<string, string>> = { edu: '000000002', health: '000000001' };
const usualPopulation = (sector: string): string => POPULATIONS[sector] ?? '000000003';

const getExcelTemplateList = handle(contract.getExcelTemplateList, async (_, { scope, caller }) =>
  (await queries.findTemplates(scope, caller.musercode)).map((row) => ({
    ...row,
    templateid: Number(row.templateid),
    size: Number(row.size),
    cells: Number(row.cells),
    createtime: shanghaiTime(row.createtime),
  })),
);

const uploadExcelTemplate = handle(contract.uploadExcelTemplate, async ({ title, appid }, ctx) => {
  const { upload, caller } = ctx;
  if (!upload) throw problems.missing({ title: '文件' }, { field: 'file' });
  const bytes = Buffer.from(upload.content);
  await openTemplate(bytes, upload.filename);
  const name = title ?? upload.filename.replace(/\.[A-Za-z0-9]{1,8}$/, '').slice(0, 60);
  const population = appid ?? usualPopulation(caller.sector);
  return {
    templateid: await saveTemplate(ctx, { bytes, filename: upload.filename, title: name || '上报表格', appid: population }),
  };
});

/** The newest period with data, whose schools stand in the form. */
async function findRowsOfForm({ stats }: Pick<StaffContext, 'stats'>, appid: string) {
  return stats(async (scope) => {
    const [newest] = await findPeriods(scope, appid);
    const schools = newest ? await findSchools(scope, { appid, year: newest.year, term: newest.term }) : [];
    return { schools: schools.map(({ insname }) => insname), districts: districtsOf(schools).map(({ name }) => name) };
  });
}

const copyExcelTemplate = handle(contract.copyExcelTemplate, async (_, ctx) => {
  const { scope, caller } = ctx;
  const appid = usualPopulation(caller.sector);
  const rows = await findRowsOfForm(ctx, appid);
  if (rows.schools.length === 0) throw problems.wrongState({ why: '还没有可以填报的数据：学校开展测评后的次日再试' });
  const { bytes, cells } = await buildShippedForm(rows);
  const templateid = await saveTemplate(ctx, { bytes, filename: `${SHIPPED_TITLE}.xlsx`, title: SHIPPED_TITLE, appid });
  await queries.addCells(
    scope,
    cells.map((cell) => ({ ...cell, templateid, musercode: caller.musercode })),
  );
  return { templateid };
});

const updateExcelTemplate = handle(contract.updateExcelTemplate, async ({ templateid, title }, ctx) => {
  await requireTemplate(ctx, templateid);
  await queries.renameTemplate(ctx.scope, templateid, title);
  ctx.audit({ objectid: String(templateid), detail: { title } });
  return {};
});

const deleteExcelTemplate = handle(contract.deleteExcelTemplate, async ({ templateid }, ctx) => {
  const { title } = await requireTemplate(ctx, templateid);
  await queries.removeTemplate(ctx.scope, templateid);
  const paths = await removeFilesOf(ctx.scope, refcodeOf(templateid));
  ctx.afterCommit(async () => {
    for (const path of paths) await ctx.storage.delete(path);
  });
  ctx.audit({ objectid: String(templateid), detail: { title } });
  return {};
});

const toCell = (row: queries.CellRow) => ({ ...row, cellid: Number(row.cellid) });

const getExcelTemplate = handle(contract.getExcelTemplate, async ({ templateid }, ctx) => {
  const template = await requireTemplate(ctx, templateid);
  const sheets = await readFillSheets(await readTemplate(ctx, template));
  return {
    ...template,
    templateid,
    size: Number(template.size),
    createtime: shanghaiTime(template.createtime),
    sheets: sheets.map(toGrid),
    cells: (await queries.findCells(ctx.scope, templateid)).map(toCell),
  };
});

/** Refuses (120002) a choice that is wrong in itself, or that names a district or school outside the caller's region. */
async function assertMapping({ stats }: Pick<StaffContext, 'stats'>, appid: string, mapping: Mapping): Promise<void> {
  const fault = findMappingFault(mapping);
  if (fault) throw problems.invalid({ message: fault.message }, { field: fault.field });
  const { kind, code } = partsOfTarget(mapping.place);
  if (kind !== 'district' && kind !== 'school') return;
  const isKnown = await stats(async (scope) => {
    for (const { year, term } of await findPeriods(scope, appid)) {
      const schools = await findSchools(scope, { appid, year, term });
      if (schools.some((school) => (kind === 'school' ? school.musercode : school.districtcode) === code)) return true;
    }
    return false;
  });
  if (!isKnown) throw problems.invalid({ message: '请选择本地区的学校或区县' }, { field: 'place' });
}

/** Refuses (120002) a cell that the form does not draw, a formula, and a cell under a merged block. */
async function assertCell(
  ctx: Pick<StaffContext, 'scope' | 'caller' | 'storage'>,
  templateid: number,
  sheetname: string,
  ref: string,
) {
  const template = await requireTemplate(ctx, templateid);
  const sheet = (await readFillSheets(await readTemplate(ctx, template))).find((found) => found.sheetname === sheetname);
  if (!sheet) throw problems.invalid({ message: '表格里没有这个工作表' }, { field: 'sheetname' });
  const place = placeOf(ref);
  if (!place || place.row > GRID_LIMITS.rows || place.column >= GRID_LIMITS.columns)
    throw problems.invalid({ message: '单元格不在表格的范围里' }, { field: 'ref' });
  if (sheet.formulas.has(ref))
    throw problems.invalid({ message: '这个单元格是公式，打开文件时会自动计算，不能再选指标' }, { field: 'ref' });
  if (sheet.covered.has(ref)) throw problems.invalid({ message: '这个单元格被合并了，请选择合并区域的第一格' }, { field: 'ref' });
  return template;
}

const insertExcelCell = handle(contract.insertExcelCell, async ({ templateid, sheetname, ref, ...mapping }, ctx) => {
  const { appid } = await assertCell(ctx, templateid, sheetname, ref);
  await assertMapping(ctx, appid, mapping);
  const row = { ...mapping, templateid, musercode: ctx.caller.musercode, sheetname, ref };
  const [cellid] = await queries.addCells(ctx.scope, [row]);
  if (cellid === undefined) throw problems.duplicate({ what: `单元格 ${ref} 的内容` }, { field: 'ref' });
  ctx.audit({ objectid: String(templateid), detail: { sheetname, ref, ...mapping } });
  return { cellid };
});

async function requireCell({ scope, caller }: Pick<ReadContext<'staff'>, 'scope' | 'caller'>, cellid: number) {
  const cell = await queries.findCell(scope, caller.musercode, cellid);
  if (!cell) throw problems.notFound({ what: '单元格的内容' });
  return { ...cell, templateid: Number(cell.templateid) };
}

const updateExcelCell = handle(contract.updateExcelCell, async ({ cellid, version: _, ...sent }, ctx) => {
  const cell = await requireCell(ctx, cellid);
  const { appid } = await requireTemplate(ctx, cell.templateid);
  const changes = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Partial<Mapping>;
  await assertMapping(ctx, appid, { ...cell, ...changes });
  if (Object.keys(changes).length > 0) await queries.changeCell(ctx.scope, cellid, changes);
  ctx.audit({ objectid: String(cell.templateid), detail: { sheetname: cell.sheetname, ref: cell.ref, ...changes } });
  return {};
});

const deleteExcelCell = handle(contract.deleteExcelCell, async ({ cellid }, ctx) => {
  const { templateid, sheetname, ref } = await requireCell(ctx, cellid);
  await queries.removeCell(ctx.scope, cellid);
  ctx.audit({ objectid: String(templateid), detail: { sheetname, ref } });
  return {};
});

const getExcelOptions = handle(contract.getExcelOptions, async ({ templateid }, ctx) => {
  const { appid } = await requireTemplate(ctx, templateid);
  return ctx.stats(async (scope) => {
    const periods = await findPeriods(scope, appid);
    const schools = new Map<string, Awaited<ReturnType<typeof findSchools>>[number]>();
    for (const { year, term } of periods)
      for (const school of await findSchools(scope, { appid, year, term }))
        if (!schools.has(school.musercode)) schools.set(school.musercode, school);
    return {
      periods: periods.map(({ year, term, datatime }) => ({
        ...{ year, term, periodname: periodName({ year, term }) },
        datatime: datatime ? shanghaiTime(datatime) : '',
      })),
      districts: districtsOf([...schools.values()]),
      schools: [...schools.values()].map(({ musercode, insname }) => ({ code: musercode, name: insname })),
      grades: grades.map(({ code, name }) => ({ code, name })),
    };
  });
});

export const excelTemplateHandlers = [
  getExcelTemplateList,
  uploadExcelTemplate,
  copyExcelTemplate,
  updateExcelTemplate,
  deleteExcelTemplate,
  getExcelTemplate,
  insertExcelCell,
  updateExcelCell,
  deleteExcelCell,
  getExcelOptions,
];
