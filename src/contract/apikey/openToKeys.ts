/**
 * The calls that another system may make with an API key (对接密钥), in groups. An institution chooses the groups of a key. All of them
 * read; a key never writes, reveals a contact or exports a file. A call that is not listed here is closed to keys.
 */
export const KEY_SCOPES = {
  persons: {
    title: '受测者与档案',
    hint: '姓名和电话遮盖，没有证件号，不含测评结果和预警',
    calls: ['as.m.cuser.getCUserPageList', 'as.m.cuser.getCUserArchivePageList', 'as.m.cuser.getDuePageList'],
  },
  teams: {
    title: '班级和团体',
    hint: '团体及其名单',
    calls: ['as.m.assess.getAssessTeamPageList', 'as.m.assess.getAssessTeamRoster', 'as.m.assess.getGradeList'],
  },
  tasks: {
    title: '任务进度',
    hint: '任务、完成人数、谁还没有作答',
    calls: [
      'as.m.assess.getAssessTaskProgress',
      'as.m.assess.getAssessTaskRoster',
      'as.m.assess.getAssessTaskRosterProgress',
      'as.m.assess.getTaskBoard',
    ],
  },
  results: {
    title: '测评结果',
    hint: '答卷的得分和分级，没有单题作答',
    calls: ['as.m.exam.getCUserExamDataPageList', 'as.m.exam.getCUserReportPageList', 'as.m.assess.forms.getFormPageList'],
  },
  cases: {
    title: '预警个案',
    hint: '等级、状态和时限，没有预警原因和处置内容',
    calls: ['as.m.warning.getWarningPageList', 'as.m.warning.getWarningCount'],
  },
  statistics: {
    title: '统计数据',
    hint: '人数和比例，不含个人',
    calls: [
      'as.m.assess.getAssessCount',
      'as.m.assess.getAssessPeopleCount',
      'as.m.assess.getAssessPeopleCompleteCount',
      'as.m.assess.getAssessAbnormalCount',
      'as.m.assess.getAssessDayCountTrend',
      'as.m.assess.getAssessGradeCountTrend',
      'as.m.assess.getGradeReportCountRatio',
      'as.m.assess.getDepressedQuotaCountRatio',
      'as.m.assess.getAnxiousQuotaCountRatio',
      'as.m.statistic.getStatisticTime',
      'as.m.statistic.getStatisticOptions',
    ],
  },
} as const satisfies Record<string, { title: string; hint: string; calls: readonly string[] }>;

/** A group of calls. */
export type KeyScope = keyof typeof KEY_SCOPES;
export const keyScopes = Object.keys(KEY_SCOPES) as [KeyScope, ...KeyScope[]];

/** The groups that contain a call; empty for a call that is closed to keys. */
export const scopesOf = (name: string): KeyScope[] =>
  keyScopes.filter((scope) => (KEY_SCOPES[scope].calls as readonly string[]).includes(name));

/** Whether a key with these groups may make the call. */
export const isOpenToKey = (name: string, scopes: readonly string[]): boolean =>
  scopesOf(name).some((scope) => scopes.includes(scope));
