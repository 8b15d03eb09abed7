import { z } from 'zod';
import { Appid } from '#domain/base/enums.ts';
import type { ArchiveFieldDef } from '#domain/person/archive.ts';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { exportFields, type ExportField } from '#contract/fieldAccess.ts';
import { file } from '#contract/file.ts';
import { archiveFilters } from '#features/archive/archive.contract.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';

const number = (head: string) => ({ head, width: 16 });
const name = (head: string) => ({ head, rule: 'names' }) as const;
const birthday = { head: '出生日期', width: 13, rule: 'birthdays' } as const;
const phone = (head: string) => ({ head, width: 16, rule: 'filecontacts' }) as const;
const sensitive = (head: string) => ({ head, width: 12, rule: 'filesensitive' }) as const;

/** The columns before those of the template. The number finds the person again at an import. */
const keys = exportFields(number('受测者编号'), number('档案号'));
/** The columns after those of the template. An import does not read them. */
const state = exportFields(
  { head: '心理状态', width: 16, rule: 'results' },
  { head: '当前预警', rule: 'cases' },
  '重点关注',
  { head: '测评次数', kind: 'number' },
  { head: '最近测评', width: 20 },
  '负责人',
  { head: '所属机构', width: 24 },
  { head: '登记时间', width: 20 },
);

/** The heads of template A (templates-and-sources.md 8.1). */
const students = exportFields(
  number('学号'),
  name('姓名'),
  '性别',
  birthday,
  '学段',
  '年级',
  '班级',
  '院系',
  '宿舍',
  '是否寄宿',
  sensitive('是否留守'),
  phone('联系电话'),
  name('监护人姓名'),
  '监护人关系',
  phone('监护人电话'),
  '班主任账号',
  { head: '备注', width: 24 },
);
/** The heads of template B. */
const maternity = exportFields(
  name('姓名'),
  phone('联系电话'),
  birthday,
  { head: '末次月经', width: 13 },
  { head: '预产期', width: 13 },
  '孕次',
  '产次',
  number('建册号'),
  '是否高危',
  { head: '分娩日期', width: 13 },
  '分娩方式',
  { head: '建档医院', width: 24 },
  name('紧急联系人'),
  phone('紧急联系电话'),
  { head: '备注', width: 24 },
);
/** The heads of template C. */
const others = exportFields(
  '人群',
  name('姓名'),
  '性别',
  birthday,
  phone('联系电话'),
  number('工号'),
  { head: '单位', width: 20 },
  '部门',
  '岗位',
  '职业类型',
  '工龄',
  '是否倒班',
  '居住方式',
  sensitive('慢性病'),
  name('照护者'),
  phone('照护者电话'),
  { head: '备注', width: 24 },
);

const templateOf: Readonly<Record<string, readonly ExportField[]>> = { [Appid.students]: students, [Appid.maternity]: maternity };
/**
 * The columns of the worksheet of a population: those of its template, the institution's own fields, then the state. The file can be
 * imported again with the template of the population.
 */
export const personColumnsOf = (appid: string, own: readonly ArchiveFieldDef[]): readonly ExportField[] => [
  ...keys,
  ...(templateOf[appid] ?? others),
  ...exportFields(...own.map(({ title, isSensitive }) => (isSensitive ? sensitive(title) : { head: title, width: 16 }))),
  ...state,
];

/** Exports persons with their archives: one worksheet a population. Takes the filters of 个体管理 and of 档案管理. */
export const exportCuserList = defineAction({
  name: 'as.m.cuser.exportCuserList',
  title: '导出受测者',
  columns: [...new Map([keys, students, maternity, others, state].flat().map((column) => [column.head, column])).values()],
  allow: forTypes(CARE_TYPES, staffOf('archive.export')),
  kind: 'export',
  request: z.strictObject({
    ...getCUserPageList.request.omit({ page: true, pageSize: true, orderby: true, isasc: true }).shape,
    ...archiveFilters,
    approvalid: z.coerce.number().int().optional().describe('审批'),
  }),
  response: file,
});
