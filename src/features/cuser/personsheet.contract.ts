import { z } from 'zod';
import { CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { exportFields } from '#contract/fieldAccess.ts';
import { file } from '#contract/file.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';

/** The columns of the exported persons. */
export const personColumns = exportFields(
  { head: '姓名', rule: 'names' },
  { head: '学号/工号', width: 16 },
  '性别',
  { head: '年龄', kind: 'number' },
  { head: '出生日期', width: 13, rule: 'birthdays' },
  '人群',
  { head: '班级/单位', width: 20 },
  { head: '联系电话', width: 16, rule: 'filecontacts' },
  { head: '心理状态', width: 16, rule: 'results' },
  { head: '当前预警', rule: 'cases' },
  '重点关注',
  { head: '测评次数', kind: 'number' },
  { head: '最近测评', width: 20 },
  '负责人',
  { head: '机构', width: 24 },
  { head: '建档时间', width: 20 },
);

/** Exports the persons of a list as a worksheet. */
export const exportCuserList = defineAction({
  name: 'as.m.cuser.exportCuserList',
  title: '导出受测者',
  columns: personColumns,
  allow: forTypes(CARE_TYPES, staffOf('archive.export')),
  kind: 'export',
  request: z.strictObject(getCUserPageList.request.omit({ page: true, pageSize: true }).shape),
  response: file,
});
