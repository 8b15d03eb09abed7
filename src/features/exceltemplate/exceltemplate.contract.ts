import { z } from 'zod';
import { defineAction, forTypes, staffOf } from '#contract/action.ts';
import { editVersion, newVersion } from '#contract/field.ts';
import { exportFields } from '#contract/fieldAccess.ts';
import { file } from '#contract/file.ts';

/**
 * Forms of an authority as Excel files (decision 0073). An authority uploads its own form once, chooses what fills each cell, and fills
 * the file for a period. All numbers come from the nightly release, so the file shows nothing that the page does not show.
 */

const authorities = forTypes(['003'], staffOf('statistics.school'));
const templateid = z.coerce.number().int().describe('表格');
const title = z.string().trim().min(1, '请填写名称').max(60, '名称不超过 60 个字').describe('名称');
const column = z.string().regex(/^(?:[A-Z]{1,3})?$/, '列名应为字母');
const target = z.string().max(40);

const templateRow = z.object({
  templateid: z.number(),
  version: z.number(),
  title: z.string(),
  appid: z.string(),
  filename: z.string(),
  size: z.number(),
  createtime: z.string(),
  /** cells that something fills; a column that is filled downwards counts once */
  cells: z.number(),
});
export type TemplateRow = z.infer<typeof templateRow>;

/** Lists the forms of the caller's institution, the newest first. */
export const getExcelTemplateList = defineAction({
  name: 'as.m.statistic.getExcelTemplateList',
  title: '查询上报表格',
  allow: authorities,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(templateRow),
});

const created = z.object({ templateid: z.number() });

/** Stores a form (.xlsx, 1 MB, without macros, links to other files and data connections). 160002 says what to change. */
export const uploadExcelTemplate = defineAction({
  name: 'as.m.statistic.uploadExcelTemplate',
  title: '上传上报表格',
  allow: authorities,
  kind: 'import',
  request: z.strictObject({
    title: title.optional().describe('名称'),
    /** default: the population of the caller's sector */
    appid: z.string().length(9).optional().describe('人群'),
  }),
  response: created,
  cost: 5,
});

/** Makes the form 学生心理健康排查统计表 with a row for each school of the region, all cells chosen. */
export const copyExcelTemplate = defineAction({
  name: 'as.m.statistic.copyExcelTemplate',
  title: '使用现成表格',
  allow: authorities,
  kind: 'write',
  request: z.strictObject({}),
  response: created,
  cost: 5,
});

/** Renames a form. */
export const updateExcelTemplate = defineAction({
  name: 'as.m.statistic.updateExcelTemplate',
  title: '修改上报表格',
  allow: authorities,
  kind: 'write',
  edits: { table: 'exceltemplate', key: 'templateid' },
  request: z.strictObject({ templateid, version: editVersion, title }),
  response: z.object({ ...newVersion }),
});

/** Deletes a form with its file. */
export const deleteExcelTemplate = defineAction({
  name: 'as.m.statistic.deleteExcelTemplate',
  title: '删除上报表格',
  allow: authorities,
  kind: 'write',
  request: z.strictObject({ templateid }),
  response: z.object({}),
});

const mapping = {
  indicator: z.string().min(1, '请选择指标').max(30).describe('指标'),
  /** region, district:330106, school:M001, rows:school, rows:district */
  place: target.describe('范围'),
  /** the column with the names of schools or districts, for rows:… */
  placecolumn: column.describe('名称所在的列'),
  /** all, grade:P1, gender:01, rows:grade */
  people: target.describe('人群'),
  /** the column with the names of grades, for rows:grade */
  peoplecolumn: column.describe('年级所在的列'),
};
const sheetname = z.string().min(1).max(100).describe('工作表');
const ref = z
  .string()
  .regex(/^[A-Z]{1,3}[1-9]\d{0,6}$/, '单元格应写作 B5')
  .describe('单元格');

const cell = z.object({ cellid: z.number(), version: z.number(), sheetname: z.string(), ref: z.string(), ...mapping });
export type ChosenCell = z.infer<typeof cell>;

const gridCell = z.object({
  ref: z.string(),
  text: z.string(),
  colspan: z.number(),
  rowspan: z.number(),
  /** a formula is calculated by the program that opens the file; it cannot be chosen */
  isFormula: z.boolean(),
});

/** Returns a form with the picture of its visible worksheets and what fills the cells. */
export const getExcelTemplate = defineAction({
  name: 'as.m.statistic.getExcelTemplate',
  title: '查看上报表格',
  allow: authorities,
  kind: 'read',
  request: z.strictObject({ templateid }),
  response: templateRow.omit({ cells: true }).extend({
    sheets: z.array(
      z.object({
        sheetname: z.string(),
        /** in characters; 0: hidden */
        widths: z.array(z.number()),
        rows: z.array(z.object({ row: z.number(), cells: z.array(gridCell) })),
        /** only the first rows and columns are drawn */
        isCut: z.boolean(),
      }),
    ),
    cells: z.array(cell),
  }),
});
export type Template = z.infer<(typeof getExcelTemplate)['response']>;

/** Chooses what fills a cell. 120002 tells at which field the choice is wrong; 130002: the cell is chosen already. */
export const insertExcelCell = defineAction({
  name: 'as.m.statistic.insertExcelCell',
  title: '选择单元格内容',
  allow: authorities,
  kind: 'write',
  request: z.strictObject({
    templateid,
    sheetname,
    ref,
    indicator: mapping.indicator,
    place: mapping.place.default('region'),
    placecolumn: mapping.placecolumn.default(''),
    people: mapping.people.default('all'),
    peoplecolumn: mapping.peoplecolumn.default(''),
  }),
  response: z.object({ cellid: z.number() }),
});

const cellid = z.coerce.number().int();

/** Changes what fills a cell. */
export const updateExcelCell = defineAction({
  name: 'as.m.statistic.updateExcelCell',
  title: '修改单元格内容',
  allow: authorities,
  kind: 'write',
  edits: { table: 'exceltemplatecell', key: 'cellid' },
  request: z.strictObject({
    cellid,
    version: editVersion,
    indicator: mapping.indicator.optional(),
    place: mapping.place.optional(),
    placecolumn: mapping.placecolumn.optional(),
    people: mapping.people.optional(),
    peoplecolumn: mapping.peoplecolumn.optional(),
  }),
  response: z.object({ ...newVersion }),
});

/** Leaves a cell as it is in the file. */
export const deleteExcelCell = defineAction({
  name: 'as.m.statistic.deleteExcelCell',
  title: '取消单元格内容',
  allow: authorities,
  kind: 'write',
  request: z.strictObject({ cellid }),
  response: z.object({}),
});

/** The choices for the cells and the periods of a form. */
export const getExcelOptions = defineAction({
  name: 'as.m.statistic.getExcelOptions',
  title: '查询上报表格选项',
  allow: authorities,
  kind: 'read',
  request: z.strictObject({ templateid }),
  response: z.object({
    /** the newest first; `datatime`: when the outcome of the whole region was published, or '' */
    periods: z.array(z.object({ year: z.string(), term: z.string(), periodname: z.string(), datatime: z.string() })),
    districts: z.array(z.object({ code: z.string(), name: z.string() })),
    schools: z.array(z.object({ code: z.string(), name: z.string() })),
    grades: z.array(z.object({ code: z.string(), name: z.string() })),
  }),
});

const period = { year: z.string().max(20).describe('学年'), term: z.string().max(2).describe('学期') };

/** Returns what each cell would show for a period, and the rows that name nobody. */
export const previewExcelTemplate = defineAction({
  name: 'as.m.statistic.previewExcelTemplate',
  title: '预览上报表格',
  allow: authorities,
  kind: 'read',
  request: z.strictObject({ templateid, ...period }),
  response: z.object({
    /** when the outcome was published; '' while nothing of it is */
    datatime: z.string(),
    /** when the effort was counted; '' without data */
    counttime: z.string(),
    /** institutions whose outcome is not published yet */
    waiting: z.array(z.string()),
    cells: z.array(
      z.object({
        cellid: z.number(),
        sheetname: z.string(),
        ref: z.string(),
        text: z.string(),
        /** shown: a public number or a text; hidden: it protects single persons; waiting: not published yet; none: a share of nobody */
        state: z.enum(['shown', 'hidden', 'waiting', 'none']),
        /** the school, district or region and the group, in words */
        persons: z.string(),
      }),
    ),
    /** rows of a column of names that name no school, district or grade of the period; they stay as they are */
    unmatched: z.array(z.object({ sheetname: z.string(), ref: z.string(), text: z.string() })),
    /** schools of the period without a row, where a column is filled by schools */
    unlisted: z.array(z.string()),
  }),
  cost: 3,
});
export type Preview = z.infer<(typeof previewExcelTemplate)['response']>;

/** Returns the filled file. A further worksheet says for each number what it is, of which persons, and up to when the data reach. */
export const exportExcelTemplate = defineAction({
  name: 'as.m.statistic.exportExcelTemplate',
  title: '填写并下载上报表格',
  columns: exportFields({ head: '上报表格', rule: 'resultcounts' }),
  allow: authorities,
  kind: 'export',
  request: z.strictObject({ templateid, ...period }),
  response: file,
  cost: 5,
});
