import { z } from 'zod';
import { scopeKinds } from '#domain/teamreport/teamreport.facts.ts';
import type { TeamReportContent } from '#domain/teamreport/teamreport.content.ts';
import { andHolding, CARE_TYPES, defineAction, forTypes, NON_AUTHORITY_TYPES, staffOf } from '#contract/action.ts';
import { day, flag } from '#contract/field.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';

/** Group reports (design/reports.md 5.3, supplement-people-statistics.md 11): a snapshot of the figures of many persons in words. */

const code = z.string().max(20);
/** Staff who make group reports. Authorities read the nightly release only (supplement 9), so group reports are closed to them. */
export const makers = forTypes(NON_AUTHORITY_TYPES, staffOf('statistics.reports', 'group.ai'));
/** Owners of classes read the parts that their institution has released. */
const readers = forTypes(NON_AUTHORITY_TYPES, staffOf('statistics.reports', 'group.ai', 'group.teams'));

/** What a report is about. A task brings its institution and population along. */
export const teamScope = z
  .strictObject({
    kind: z.enum(scopeKinds).describe('报告范围'),
    musercode: code.optional().describe('机构'),
    appid: z.string().max(9).optional().describe('人群'),
    taskcode: code.optional().describe('任务'),
    teamcodes: z.array(code).min(1, '请选择班级或团体').max(200).optional().describe('班级/团体'),
    gradecode: code.optional().describe('年级'),
    year: z.string().max(20).optional().describe('学年'),
    term: z.string().max(2).optional().describe('学期'),
    begindate: day.optional().describe('开始日期'),
    enddate: day.optional().describe('结束日期'),
  })
  .superRefine((scope, check) => {
    const needs = {
      task: ['taskcode'],
      teams: ['teamcodes'],
      grade: ['gradecode'],
      institution: [],
      period: ['begindate', 'enddate'],
    } as const satisfies Record<(typeof scopeKinds)[number], (keyof typeof scope)[]>;
    const words = { taskcode: '任务', teamcodes: '班级或团体', gradecode: '年级', begindate: '开始日期', enddate: '结束日期' };
    for (const field of needs[scope.kind])
      if (!scope[field]) check.addIssue({ code: 'custom', path: [field], message: `请选择${words[field]}` });
    if (scope.begindate && scope.enddate && scope.begindate > scope.enddate)
      check.addIssue({ code: 'custom', path: ['enddate'], message: '结束日期不能早于开始日期' });
  });
export type TeamScope = z.output<typeof teamScope>;

/**
 * Makes a group report, or a new version of the report `teamreportcode` from the present data. Answers 130001 for a scope that the
 * caller does not see.
 */
export const insertTeamReport = defineAction({
  name: 'as.m.report.insertTeamReport',
  title: '生成团体报告',
  allow: makers,
  kind: 'write',
  request: z
    .strictObject({ scope: teamScope.optional(), teamreportcode: code.optional().describe('团体报告') })
    .refine(({ scope, teamreportcode }) => (scope === undefined) !== (teamreportcode === undefined), {
      path: ['scope'],
      message: '请选择报告范围',
    }),
  response: z.object({ teamreportcode: z.string(), version: z.number() }),
  cost: 10,
});

const head = {
  teamreportcode: z.string(),
  version: z.number(),
  title: z.string(),
  kind: z.enum(scopeKinds),
  appid: z.string(),
  musercode: z.string(),
  insname: z.string(),
  /** 数据截至 */
  datatime: z.string(),
  /** 1: released to the authority of the region */
  isshow: z.number(),
  createname: z.string(),
  /** a code of AiStatus, of the text on this snapshot */
  aistatus: z.number(),
  /** when the text was written; '' without one */
  aitime: z.string(),
};

/** Returns a group report as the caller reads it; `version` asks for an earlier snapshot. */
export const getTeamReport = defineAction({
  name: 'as.m.report.getTeamReport',
  title: '查看团体报告',
  allow: readers,
  kind: 'read',
  request: z.strictObject({
    teamreportcode: code.describe('团体报告'),
    version: z.coerce.number().int().min(1).optional().describe('版本'),
  }),
  response: z.object({
    ...head,
    content: z.custom<TeamReportContent>(),
    /** who reviewed the text; '' without a review */
    aireviewname: z.string(),
    /** 1: sheets or rosters changed since: 数据已更新，重新生成 */
    isoutdated: z.number(),
    /** 1: the parts for the owner of a class */
    isownerpart: z.number(),
    /** the snapshots, the newest first */
    versions: z.array(z.object({ version: z.number(), datatime: z.string(), createname: z.string() })),
    /** the teams of the scope, and whether their owners read the report */
    teams: z.array(z.object({ teamcode: z.string(), teamname: z.string(), ownername: z.string(), showreport: z.number() })),
    /** 1: the scope has persons with an open case, so that the annex has names; for its readers only */
    hasannex: z.number(),
  }),
  cost: 3,
});

export const teamReportRow = z.object({
  ...head,
  createtime: z.string(),
  /** teams of the scope, and those whose owners read the report */
  teamcount: z.number(),
  showncount: z.number(),
  teamcodes: z.array(z.string()),
});
export type TeamReportRow = z.infer<typeof teamReportRow>;

/** Lists the group reports that the caller may read, the newest first. */
export const getTeamReportPageList = defineAction({
  name: 'as.m.report.getTeamReportPageList',
  title: '查询团体报告',
  allow: readers,
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('datatime', 'createtime', 'title'),
    keyword: z.string().trim().max(60).optional().describe('报告名称'),
    kind: z.enum(scopeKinds).optional().describe('报告范围'),
    appid: z.string().max(9).optional().describe('人群'),
    musercode: code.optional().describe('机构'),
    taskcode: code.optional().describe('任务'),
    teamcode: code.optional().describe('班级/团体'),
    aistatus: z.coerce.number().int().min(0).max(9).optional().describe('AI状态'),
  }),
  response: pageOf(teamReportRow),
});

/** Deletes a group report with its versions. */
export const deleteTeamReport = defineAction({
  name: 'as.m.report.deleteTeamReport',
  title: '删除团体报告',
  allow: forTypes(CARE_TYPES, andHolding(makers, 'report.edit')),
  kind: 'write',
  request: z.strictObject({ teamreportcode: code.describe('团体报告') }),
  response: z.object({}),
});

/**
 * Shows or hides group reports: with `teamcodes` those on teams, for the teams' owners; with `teamreportcode` one report, for the
 * authority of the region (supplement-people-statistics.md 11).
 */
export const showOrHiddenTeamReport = defineAction({
  name: 'as.m.assess.showOrHiddenTeamReport',
  title: '显示/隐藏团体报告',
  allow: forTypes(CARE_TYPES, staffOf('report.edit')),
  kind: 'write',
  request: z
    .strictObject({
      teamcodes: z.array(code).min(1).max(200).optional().describe('班级/团体'),
      teamreportcode: code.optional().describe('团体报告'),
      isshow: flag.describe('显示'),
    })
    .refine(({ teamcodes, teamreportcode }) => (teamcodes === undefined) !== (teamreportcode === undefined), {
      path: ['teamcodes'],
      message: '请选择团体或团体报告',
    }),
  response: z.object({ updated: z.number() }),
});
