import { z } from 'zod';
import type { ReportContent } from '#domain/report/report.content.ts';
import { Gender, ReportType } from '#domain/base/enums.ts';
import { anyStaff, CARE_TYPES, defineAction, forTypes, staffOf, NON_AUTHORITY_TYPES } from '#contract/action.ts';
import { filterBy, personName, readableBy } from '#contract/fieldAccess.ts';
import { day, flag } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

/** Individual reports and the trend of one person. Staff with access to their own teams only see neither scores nor reports. */

const individual = [
  'individual.maternity',
  'individual.students',
  'individual.workers',
  'individual.elders',
  'individual.persons',
  'individual.ai',
  'individual.maternity1',
] as const;
const archives = ['archives.all', 'archives.maternity', 'archives.students', 'archives.workers', 'archives.elders'] as const;
/** Who reads reports. */
export const reportReaders = staffOf(...individual, ...archives, 'warning.crisis');

const code = z.string().max(20);
const level = z.coerce.number().int().min(0).max(4);
/** One value or several: the address bar writes a single value without brackets. */
const levels = z.preprocess(
  (value) => (value === undefined || Array.isArray(value) ? value : [value]),
  z.array(level).max(5).optional(),
);

/** `PHQ9.total:2,3` of the address bar as the condition that the indicator has one of the levels. */
const quotaCondition = z.preprocess(
  (value) => {
    const [, quotacode, list] = typeof value === 'string' ? (/^([^:]+):([0-4](?:,[0-4])*)$/.exec(value) ?? []) : [];
    return quotacode && list ? { quotacode, levels: list.split(',').map(Number) } : value;
  },
  z.strictObject({ quotacode: z.string().max(60), levels: z.array(level).min(1).max(5) }),
);
/** One condition or several; a report must match all. */
const quotaConditions = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  z.array(quotaCondition).max(10).optional().describe('指标'),
);

/** The value of one indicator. */
export const quotaVal = z.object({
  /** `PHQ9.total` */
  quotacode: z.string(),
  quotaname: z.string(),
  domain: z.string(),
  score: z.number().nullable(),
  level: z.number().nullable(),
  levelname: z.string(),
  /** report colour of the level */
  colour: z.string(),
  minscore: z.number().nullable(),
  maxscore: z.number().nullable(),
});

export const reportRow = z.object({
  reportcode: z.string(),
  examcode: z.string(),
  reporttype: z.string(),
  title: z.string(),
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
  plancode: z.string(),
  planname: z.string(),
  stagecode: z.string(),
  stagename: z.string(),
  taskname: z.string(),
  submittime: z.string(),
  valid: z.number(),
  overalllevel: readableBy('results', z.number().nullable()),
  mentalstate: readableBy('results', z.number(), 0),
  isabnormal: readableBy('results', z.number(), 0),
  hasalert: readableBy('results', z.number(), 0),
  alertlevel: readableBy('results', z.number(), 0),
  /** the person's open warning case; '' without one */
  warningcode: readableBy('cases', z.string(), ''),
  isshow: z.number(),
  status: z.number(),
  /** 0 none · 1 being written · 2 written · 3 reviewed · 9 failed */
  aistatus: z.number(),
  quotas: readableBy('results', z.array(quotaVal), []),
});

export const getCUserReportPageList = defineAction({
  name: 'as.m.exam.getCUserReportPageList',
  title: '查询个体报告',
  allow: staffOf(...individual, ...archives),
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('submittime', 'overalllevel', 'alertlevel', 'username', 'createtime', 'status'),
    keyword: z.string().trim().max(50).optional(),
    cuserid: code.optional().describe('受测者'),
    musercode: code.optional().describe('机构'),
    appid: z.string().max(9).optional(),
    gender: z.enum(Gender.codes).optional(),
    agemin: z.coerce.number().int().min(0).max(150).optional(),
    agemax: z.coerce.number().int().min(0).max(150).optional(),
    plancode: code.optional(),
    stagecode: code.optional(),
    formcode: code.optional(),
    taskcode: code.optional().describe('任务'),
    teamcode: code.optional().describe('团体'),
    gradecode: code.optional(),
    classname: z.string().max(50).optional(),
    begindate: day.optional(),
    enddate: day.optional(),
    levels: filterBy('results', levels),
    mentalstates: filterBy('results', levels),
    isabnormal: filterBy('results', flag.optional().describe('需关注')),
    /** reports whose indicator has one of the levels; a report must match every indicator */
    quotas: filterBy('results', quotaConditions),
    isshow: flag.optional(),
    /** 1 waits for review · 2 reviewed */
    status: z.coerce.number().int().min(0).max(9).optional(),
    reporttype: z.string().max(2).optional(),
  }),
  response: pageOf(reportRow),
});

/** The text of a report. */
export const reportContent = z.custom<ReportContent>(
  (value) => typeof value === 'object' && value !== null && 'sections' in value,
);

export const getCUserReport = defineAction({
  name: 'as.m.exam.getCUserReport',
  title: '查看个体报告',
  allow: reportReaders,
  kind: 'reveal',
  // Only the report names the person, so the handler audits them.
  person: () => [],
  request: z
    .strictObject({
      reportcode: code.optional(),
      examcode: code.optional(),
      /** an earlier version; absent: the newest */
      version: z.coerce.number().int().min(1).optional(),
    })
    .refine(({ reportcode, examcode }) => Boolean(reportcode) !== Boolean(examcode), '请给出报告编号或测评编号'),
  response: z.object({
    report: reportRow,
    /** holds single answers only for callers with the right 00035 */
    staff: reportContent,
    /** the respondent's version */
    self: reportContent,
    conclusion: z.string(),
    advice: z.string(),
    reviewer: z.string(),
    reviewtime: z.string().nullable(),
    version: z.number(),
    /** this version was about another person, whose sheet it was until this time (已更正); null for every other version */
    correctedtime: z.string().nullable(),
  }),
});

export const getExamForms = defineAction({
  name: 'as.m.exam.getExamForms',
  title: '查看测评量表得分',
  allow: reportReaders,
  kind: 'reveal',
  person: () => [],
  request: z.strictObject({ examcode: code }),
  response: z.array(
    z.object({
      examformid: z.number(),
      formcode: z.string(),
      formname: z.string(),
      formtype: z.string(),
      status: z.number(),
      valid: z.number().nullable(),
      overalllevel: z.number().nullable(),
      scores: z.array(quotaVal),
    }),
  ),
});

export const getReportMaxTime = defineAction({
  name: 'as.m.exam.getReportMaxTime',
  title: '查询最新报告时间',
  allow: forTypes(NON_AUTHORITY_TYPES, anyStaff),
  kind: 'read',
  request: z.strictObject({
    appid: z.string().max(9).optional(),
    musercode: code.optional(),
    /** 02 also counts reports with an AI text */
    reporttype: z.enum(ReportType.codes).optional(),
    /** counts reports made after this time */
    since: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, '时间格式应为 YYYY-MM-DD HH:mm:ss')
      .optional(),
  }),
  response: z.object({
    maxtime: z.string().nullable(),
    newcount: z.number(),
    /** sheets whose reports wait for the consent of the person or the guardian (待补同意), of all types */
    withheldcount: z.number(),
  }),
});

/** Who reviews and shows reports. */
export const reportEditors = forTypes(CARE_TYPES, staffOf('report.edit'));

export const updateReport = defineAction({
  name: 'as.m.exam.updateReport',
  title: '修改报告结论',
  allow: reportEditors,
  kind: 'write',
  person: () => [],
  request: z.strictObject({
    reportcode: code,
    conclusion: z.string().trim().max(2000, '结论不超过 2000 字').optional().describe('结论'),
    advice: z.string().trim().max(2000, '处理意见不超过 2000 字').optional().describe('处理意见'),
    /** 2: reviewed (审核) by the caller */
    status: z.literal(2).optional(),
    version: z.number().int(),
  }),
  response: z.object({ version: z.number(), status: z.number() }),
});

export const showOrHiddenReport = defineAction({
  name: 'as.m.cuser.showOrHiddenReport',
  title: '显示或隐藏报告',
  allow: reportEditors,
  kind: 'write',
  person: () => [],
  request: z.strictObject({ reportcodes: z.array(code).min(1).max(500), isshow: flag }),
  response: z.object({
    updated: z.number(),
    /** reports that stay hidden, with the reason */
    refused: z.array(z.object({ reportcode: z.string(), username: personName(), why: z.string() })),
  }),
});

export const getReportCount = defineAction({
  name: 'as.m.cuser.getReportCount',
  title: '查询报告数量',
  allow: forTypes(NON_AUTHORITY_TYPES, anyStaff),
  kind: 'read',
  request: z
    .strictObject({ cuserid: code.optional(), cuserids: z.array(code).max(200).optional() })
    .refine(({ cuserid, cuserids }) => cuserid !== undefined || cuserids !== undefined, '请给出受测者'),
  response: z.array(z.object({ cuserid: z.string(), reportcount: z.number(), showcount: z.number() })),
});
