import { exportFields } from '#contract/fieldAccess.ts';

/** The columns of the exported warnings. */
export const warningColumns = exportFields(
  '预警编号',
  { head: '姓名', rule: 'names' },
  '性别',
  { head: '年龄', kind: 'number' },
  '机构',
  '班级/单位',
  { head: '来源', rule: 'cases' },
  { head: '等级', rule: 'cases' },
  '状态',
  { head: '触发原因', rule: 'cases' },
  '责任人',
  '触发时间',
  { head: '受理时限', rule: 'cases' },
  { head: '下一期限', rule: 'cases' },
  { head: '超时', rule: 'cases' },
  { head: '已告知监护人', rule: 'cases' },
  { head: '已转介', rule: 'cases' },
  { head: '结案原因', rule: 'cases' },
);

/** The columns of the exported reports. */
export const flaggedColumns = exportFields(
  { head: '姓名', rule: 'names' },
  '性别',
  { head: '年龄', kind: 'number' },
  '机构',
  '班级/单位',
  '方案',
  '提交时间',
  { head: '抑郁得分', kind: 'number', rule: 'results' },
  { head: '抑郁等级', kind: 'number', rule: 'results' },
  { head: '焦虑得分', kind: 'number', rule: 'results' },
  { head: '焦虑等级', kind: 'number', rule: 'results' },
  { head: '红线条目', rule: 'results' },
  '预警编号',
  { head: '预警等级', rule: 'cases' },
  { head: '状态', rule: 'cases' },
  '责任人',
  { head: '受理时限', rule: 'cases' },
  { head: '超时', rule: 'cases' },
);
