import { z } from 'zod';
import { Gender } from '#domain/base/enums.ts';
import { andHolding, CARE_TYPES, defineAction, forTypes, NON_AUTHORITY_TYPES, staffOf } from '#contract/action.ts';
import { exportFields, filterBy, personName, readableBy } from '#contract/fieldAccess.ts';
import { day, flag } from '#contract/field.ts';
import { file } from '#contract/file.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { getCUserReportPageList, quotaVal } from '#features/report/report.contract.ts';

/** 测评数据: the handed-in answer sheets with their scores, and the exports of results. */

const screens = [
  'individual.maternity',
  'individual.students',
  'individual.workers',
  'individual.elders',
  'individual.persons',
] as const;
const code = z.string().max(20);
const region = z.string().max(6);
/** One value or several: the address bar writes a single value without brackets. */
const levels = z.preprocess(
  (value) => (value === undefined || Array.isArray(value) ? value : [value]),
  z.array(z.coerce.number().int().min(0).max(4)).max(5).optional(),
);

/** The filters of the list and of its export. */
const filters = {
  /** name, pinyin initials, a number, or a whole telephone number */
  keyword: z.string().trim().max(50).optional().describe('姓名/编号'),
  username: z.string().trim().max(50).optional().describe('姓名'),
  gender: z.enum(Gender.codes).optional(),
  agemin: z.coerce.number().int().min(0).max(150).optional().describe('最小年龄'),
  agemax: z.coerce.number().int().min(0).max(150).optional().describe('最大年龄'),
  musercode: code.optional().describe('机构'),
  schoolcode: code.optional().describe('机构'),
  provincecode: region.optional().describe('省'),
  citycode: region.optional().describe('市'),
  districtcode: region.optional().describe('区县'),
  categorycode: code.optional().describe('机构及下级'),
  appid: z.string().max(9).optional().describe('人群'),
  plancode: code.optional().describe('方案'),
  stagecode: code.optional().describe('阶段'),
  formcode: code.optional().describe('量表'),
  begindate: day.optional().describe('提交日期从'),
  enddate: day.optional().describe('提交日期至'),
  levels: filterBy('results', levels),
  mentalstates: filterBy('results', levels),
  isabnormal: filterBy('results', flag.optional().describe('需关注')),
  /** sheets whose indicator has one of the levels; a sheet must match every indicator */
  quotas: filterBy(
    'results',
    z
      .array(z.strictObject({ quotacode: z.string().max(60), levels: z.array(z.number().int().min(0).max(4)).min(1).max(5) }))
      .max(10)
      .optional(),
  ),
  year: z.string().max(20).optional().describe('学年'),
  term: z.string().max(2).optional().describe('学期'),
  gradecode: code.optional().describe('年级'),
  classname: z.string().trim().max(50).optional().describe('班级'),
  taskcode: code.optional().describe('任务'),
  teamcode: code.optional().describe('团体'),
};

export const examDataRow = z.object({
  examcode: z.string(),
  examformid: z.number(),
  cuserid: z.string(),
  username: personName(),
  gender: z.enum(Gender.codes),
  /** whole years on the day of the test */
  age: z.number().nullable(),
  appid: z.string(),
  musercode: z.string(),
  insname: z.string(),
  /** class, unit or community at the time of the test */
  belongs: z.string(),
  planname: z.string(),
  stagename: z.string(),
  taskname: z.string(),
  formcode: z.string(),
  formname: z.string(),
  formversion: z.string(),
  /** 1: the version was withdrawn, because it scores wrongly */
  iswithdrawn: z.number(),
  submittime: z.string(),
  /** seconds */
  duration: z.number().nullable(),
  valid: z.number(),
  /** 1: waits for the consent of the guardian, so it shows neither scores nor answers */
  withheld: z.number(),
  scores: readableBy('results', z.array(quotaVal), []),
  /** only with `formcode` */
  answers: readableBy(
    'answers',
    z.array(
      z.object({
        no: z.number(),
        title: z.string(),
        optionlabel: z.string(),
        value: z.string(),
        score: z.number().nullable(),
      }),
    ),
    [],
  ),
});
export type ExamDataRow = z.infer<typeof examDataRow>;

/** Lists handed-in answer sheets, one row a questionnaire. A screen of one population opens its persons only. */
export const getCUserExamDataPageList = defineAction({
  name: 'as.m.exam.getCUserExamDataPageList',
  title: '查询测评数据',
  allow: forTypes(CARE_TYPES, staffOf(...screens, 'group.tasks', 'exam.export')),
  kind: 'read',
  request: pageRequest.extend({ orderby: sortedBy('submittime', 'username', 'duration'), ...filters }),
  response: pageOf(examDataRow),
});

/** The columns of every sheet before the scores. */
export const sheetColumns = exportFields(
  { head: '受测者编号', width: 16 },
  { head: '姓名', rule: 'names' },
  { head: '学号/工号', width: 16 },
  '性别',
  { head: '年龄', kind: 'number' },
  '人群',
  { head: '机构', width: 24 },
  { head: '班级/单位', width: 20 },
  { head: '方案', width: 24 },
  '阶段',
  { head: '任务', width: 20 },
  { head: '量表版本', width: 12 },
  { head: '提交时间', width: 20 },
  { head: '用时（秒）', kind: 'number', width: 12 },
  '是否有效',
);
/** The approval that a large export, or one with minors or answers, needs (features/approval). */
const approved = { approvalid: z.coerce.number().int().optional().describe('审批') };
const exporters = forTypes(CARE_TYPES, staffOf('exam.export'));

/** Exports answer sheets: one worksheet a questionnaire, with its scores and, for readers of answers, its items. */
export const exportCUserExamData = defineAction({
  name: 'as.m.exam.exportCUserExamData',
  title: '导出测评数据',
  columns: exportFields(...sheetColumns, { head: '各指标得分与等级', rule: 'results' }, { head: '逐题得分', rule: 'answers' }),
  allow: exporters,
  kind: 'export',
  request: z.strictObject({
    ...filters,
    /** 0 leaves the items out, also for those who may read them */
    answers: flag.default(1).describe('含逐题得分'),
    ...approved,
  }),
  response: file,
});

/** The columns of the exported reports before the indicators. */
export const detailColumns = exportFields(
  { head: '报告编号', width: 16 },
  { head: '受测者编号', width: 16 },
  { head: '姓名', rule: 'names' },
  { head: '学号/工号', width: 16 },
  '性别',
  { head: '年龄', kind: 'number' },
  '人群',
  { head: '机构', width: 24 },
  { head: '班级/单位', width: 20 },
  { head: '方案', width: 24 },
  '阶段',
  { head: '任务', width: 20 },
  { head: '提交时间', width: 20 },
  '是否有效',
  { head: '情绪状态', width: 16, rule: 'results' },
  { head: '需关注', rule: 'results' },
  '审核',
  '向本人显示',
);
const reportFilters = getCUserReportPageList.request.omit({ page: true, pageSize: true, orderby: true, isasc: true }).shape;

/** Exports reports: one row a report, its indicators as columns. */
export const exportCUserDetailData = defineAction({
  name: 'as.m.exam.exportCUserDetailData',
  title: '导出测评明细',
  columns: exportFields(...detailColumns, { head: '各指标得分与等级', rule: 'results' }),
  allow: exporters,
  kind: 'export',
  request: z.strictObject({ ...reportFilters, ...approved }),
  response: file,
});

/** The columns of the exported counts. */
export const statColumns = exportFields(
  { head: '量表', width: 24, rule: 'resultcounts' },
  { head: '指标', width: 20, rule: 'resultcounts' },
  { head: '分组方式', rule: 'resultcounts' },
  { head: '分组', width: 20, rule: 'resultcounts' },
  { head: 'n（人次）', kind: 'number', rule: 'resultcounts' },
  ...[0, 1, 2, 3, 4].map((level) => ({ head: `等级${level}人次`, kind: 'number', rule: 'resultcounts' }) as const),
  ...[0, 1, 2, 3, 4].map((level) => ({ head: `等级${level}占比（%）`, kind: 'number', rule: 'resultcounts' }) as const),
);

/** Exports counts of valid results: indicator × group × level, with n. Authorities read published counts only, so they have no access. */
export const exportCUserStatData = defineAction({
  name: 'as.m.exam.exportCUserStatData',
  title: '导出测评统计',
  columns: statColumns,
  allow: forTypes(NON_AUTHORITY_TYPES, andHolding(staffOf('statistics.school', 'statistics.hospital'), 'exam.export')),
  kind: 'export',
  request: z.strictObject(reportFilters),
  response: file,
});
