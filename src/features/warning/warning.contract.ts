import { z } from 'zod';
import { CloseReason, WarningState } from '#domain/base/enums.ts';
import { CONFIRM_SUBJECTS } from '#domain/warning/decision/secondPerson.ts';
import type { ConfirmSubject } from '#domain/warning/warningfacts.ts';
import { DUE_LABELS, type DueKind } from '#domain/warning/clock/clocks.ts';
import { andHolding, CARE_TYPES, defineAction, forTypes, staffOf } from '#contract/action.ts';
import { filterBy, personName, readableBy } from '#contract/fieldAccess.ts';
import { day, flag } from '#contract/field.ts';
import { file } from '#contract/file.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { flaggedColumns, warningColumns } from '#features/warning/exportColumns.contract.ts';
import { assessView } from '#features/warning/interview/assessView.contract.ts';
import { criterion, dutyLine, logLine } from '#features/warning/cases/caseShapes.contract.ts';
import { requestView } from '#features/warning/second/seconds.contract.ts';
import { safetyPlanView } from '#features/warning/plan/planFields.contract.ts';
import { originView, transferView } from '#features/warning/transfer/transfer.contract.ts';

/** The actions that read crisis warnings: lists, counts, one case, exports. `handling.contract.ts` has the actions that change a case. */

const viewers = staffOf('warning.crisis');
/** Accepts one value or several. The address bar sends a single value without an array. */
const many = <T extends z.ZodType>(item: T) => z.union([z.array(item).max(20), item.transform((value) => [value])]);

const filters = z.strictObject({
  /** name, initials, number, or the code of a case */
  keyword: z.string().trim().max(50).optional().describe('姓名/编号'),
  levels: filterBy('cases', many(z.coerce.number().int().min(1).max(4)).optional().describe('等级')),
  states: many(z.enum(WarningState.codes)).optional().describe('状态'),
  owneruserid: z.string().max(20).optional().describe('责任人'),
  overdue: filterBy('cases', flag.optional().describe('超时')),
  /** nobody has accepted the case since it was opened, handed over or got news */
  pending: flag.optional().describe('待受理'),
  mine: flag.optional().describe('我负责的'),
  changed: filterBy('cases', flag.optional().describe('本人改答')),
  second: flag.optional().describe('待我复核'),
  appid: z.string().max(9).optional().describe('人群'),
  musercode: z.string().max(20).optional().describe('机构'),
  begindate: day.optional().describe('开始日期'),
  enddate: day.optional().describe('结束日期'),
});

/** The next step of a case and its deadline; null when no step is due. */
export const dueShape = z.object({ kind: z.enum(Object.keys(DUE_LABELS) as [DueKind, ...DueKind[]]), at: z.string() }).nullable();

/** A case as a row of the list. */
export const warningRow = z.object({
  warningcode: z.string(),
  cuserid: z.string(),
  username: personName(),
  gender: z.string(),
  age: z.number().nullable(),
  appid: z.string(),
  musercode: z.string(),
  insname: z.string(),
  /** class, unit or community */
  belongs: z.string(),
  source: readableBy('cases', z.string(), ''),
  level: readableBy('cases', z.number()),
  /** staff who see only their own teams learn no level and no reason: 关注 */
  levelname: readableBy('cases', z.string(), '关注'),
  state: z.enum(WarningState.codes),
  statename: z.string(),
  /** the reasons of the case as text */
  triggers: readableBy('cases', z.string(), ''),
  owneruserid: z.string().nullable(),
  ownername: z.string(),
  createtime: z.string(),
  /** the last news: the list marks cases with news since the reader's last look */
  newstime: z.string(),
  acceptduetime: readableBy('cases', z.string().nullable()),
  due: readableBy('cases', dueShape),
  isoverdue: readableBy('cases', z.number(), 0),
  /** 1: nobody has accepted the case yet */
  pending: z.number(),
  /** 1: the person took back an answer that had raised an alert; the interview stays due */
  ischanged: readableBy('cases', z.number(), 0),
  guardiannotified: readableBy('cases', z.number(), 0),
  referred: readableBy('cases', z.number(), 0),
  closereason: readableBy('cases', z.enum(CloseReason.codes).nullable()),
  version: z.number(),
});
export type WarningRow = z.infer<typeof warningRow>;

/** A page of the warnings in the caller's reach. */
export const getWarningPageList = defineAction({
  name: 'as.m.warning.getWarningPageList',
  title: '查询危机预警',
  allow: viewers,
  kind: 'read',
  request: pageRequest.extend({
    ...filters.shape,
    orderby: sortedBy('level', 'createtime', 'due', 'acceptduetime', 'state', 'username'),
  }),
  response: pageOf(warningRow),
});

/** A flagged report as a row of the list. */
export const reportRow = warningRow
  .pick({
    cuserid: true,
    username: true,
    gender: true,
    age: true,
    appid: true,
    musercode: true,
    insname: true,
    belongs: true,
    ownername: true,
  })
  .extend({
    examcode: z.string(),
    reportcode: z.string().nullable(),
    planname: z.string(),
    submittime: z.string(),
    overalllevel: readableBy('results', z.number().nullable()),
    /** 1: the result waits for the consent of the guardian; only the alert is told */
    withheld: z.number(),
    hasalert: readableBy('results', z.number(), 0),
    /** 1: an answer that had raised an alert was changed back later */
    alertchanged: readableBy('results', z.number(), 0),
    depscore: readableBy('results', z.number().nullable()),
    deplevel: readableBy('results', z.number().nullable()),
    anxscore: readableBy('results', z.number().nullable()),
    anxlevel: readableBy('results', z.number().nullable()),
    /** answer score of PHQ-9 item 9 or EPDS item 10; null without the right to see answers */
    item9: readableBy('answers', z.number().nullable()),
    warningcode: z.string().nullable(),
    warninglevel: readableBy('cases', z.number().nullable()),
    state: readableBy('cases', z.string().nullable()),
    statename: z.string(),
    acceptduetime: readableBy('cases', z.string().nullable()),
    isoverdue: readableBy('cases', z.number(), 0),
  });
const reportFilters = filters
  .omit({ levels: true, states: true, owneruserid: true, mine: true, pending: true, second: true })
  .extend({
    deplevels: filterBy('results', many(z.coerce.number().int().min(0).max(4)).optional().describe('抑郁等级')),
    anxlevels: filterBy('results', many(z.coerce.number().int().min(0).max(4)).optional().describe('焦虑等级')),
    alertonly: filterBy('results', flag.optional().describe('仅红线条目')),
    state: z.enum(WarningState.codes).optional().describe('预警状态'),
    warninglevels: filterBy('cases', many(z.coerce.number().int().min(1).max(4)).optional().describe('预警等级')),
    plancode: z.string().max(20).optional().describe('方案'),
    taskcode: z.string().max(20).optional().describe('任务'),
  });

/** A page of the reports with depression or anxiety at level 1 or above, or with an alert. Each row names its case. */
export const getAnxiousDepressedReportPageList = defineAction({
  name: 'as.m.exam.getAnxiousDepressedReportPageList',
  title: '查询抑郁焦虑报告',
  allow: viewers,
  kind: 'read',
  request: pageRequest.extend({
    ...reportFilters.shape,
    orderby: sortedBy('createtime', 'due', 'acceptduetime', 'state', 'username'),
  }),
  response: pageOf(reportRow),
});

/** The numbers of warnings: by state, by level, overdue, today's and the caller's own. */
export const getWarningCount = defineAction({
  name: 'as.m.warning.getWarningCount',
  title: '预警数量',
  allow: viewers,
  kind: 'read',
  request: z.strictObject({ appid: z.string().max(9).optional(), musercode: z.string().max(20).optional() }),
  response: z.object({
    open: z.number(),
    pending: z.number(),
    overdue: readableBy('cases', z.number(), 0),
    /** opened since midnight */
    today: z.number(),
    mine: z.number(),
    /** requests to a second person that wait for the caller */
    second: z.number(),
    /** time of the last change of any counted case; the list reloads when it moves */
    latest: z.string().nullable(),
    /** open cases by level; the first is always 0 */
    levels: readableBy('cases', z.array(z.number()).length(5), [0, 0, 0, 0, 0]),
    states: z.record(z.string(), z.number()),
  }),
});

/** A case with everything that its handlers may read. */
const fullCase = z.object({
  initiallevel: z.number(),
  peaklevel: z.number(),
  sector: z.string(),
  minor: z.boolean(),
  triggers: z.array(z.string()),
  rules: z.array(z.object({ rulecode: z.string(), name: z.string() })),
  stateat: z.string(),
  assessduetime: z.string().nullable(),
  guardianduetime: z.string().nullable(),
  contactresult: z.string().nullable(),
  guardiantime: z.string().nullable(),
  guardianexempt: z.string(),
  /** the safety plan as free text, from before the structured plan */
  plantext: z.string(),
  /** the newest safety plan with its telephone numbers */
  safetyplan: safetyPlanView.nullable(),
  /** the versions of the safety plan, the newest first */
  planversions: z.array(
    z.object({ planid: z.number(), version: z.number(), iscomplete: z.number(), operatorname: z.string(), time: z.string() }),
  ),
  /** 1: the next interview begins with the ASQ, because the screening asked nothing about self-harm */
  asqfirst: z.number(),
  closenote: z.string(),
  closetime: z.string().nullable(),
  /** confirmations by a second person since the last news */
  confirmed: z.string(),
  newstime: z.string(),
  /** the pending clocks, the earliest first */
  clocks: z.array(z.object({ kind: z.string(), label: z.string(), at: z.string(), isoverdue: z.boolean() })),
  duties: z.array(dutyLine),
  exemption: z
    .object({
      ground: z.number(),
      title: z.string(),
      alternate: z.string(),
      until: z.string().nullable(),
      /** false: the second person is still missing, or the ground has lapsed */
      isvalid: z.boolean(),
      /** the temporary ground has lapsed: the guardian must be told, or the exemption decided again */
      islapsed: z.boolean(),
    })
    .nullable(),
  transfer: transferView.nullable(),
  origin: originView.nullable(),
  death: z.object({ time: z.string(), source: z.string() }).nullable(),
  /** what the caller may confirm as the second person */
  confirmable: z.array(z.enum(Object.keys(CONFIRM_SUBJECTS) as [ConfirmSubject, ...ConfirmSubject[]])),
  /** the requests to a second person that wait, and those of the caller that came back */
  requests: z.array(requestView),
  /** recorded decisions that nobody was asked to confirm yet */
  unasked: z.array(z.enum(['exempt', 'conclusion'])),
  guardians: z.array(
    z.object({ guardianid: z.number(), name: z.string(), relation: z.string(), phonenumber: z.string(), issuspect: z.boolean() }),
  ),
  /** answers that raised the warning; null without the right to see answers */
  answers: z.array(z.object({ formname: z.string(), question: z.string(), answer: z.string(), time: z.string() })).nullable(),
  results: z.array(
    z.object({
      examcode: z.string(),
      quotaname: z.string(),
      score: z.number().nullable(),
      level: z.number().nullable(),
      levelname: z.string(),
      submittime: z.string(),
    }),
  ),
  logs: z.array(logLine),
  assesses: z.array(assessView),
  referrals: z.array(
    z.object({
      referralid: z.number(),
      tohospital: z.string(),
      todept: z.string(),
      reason: z.string(),
      urgent: z.number(),
      status: z.string(),
      visitdate: z.string().nullable(),
      feedback: z.string(),
      time: z.string(),
    }),
  ),
  followups: z.array(
    z.object({
      followupid: z.number(),
      version: z.number(),
      seq: z.number(),
      duetime: z.string(),
      method: z.string(),
      status: z.string(),
      donetime: z.string().nullable(),
      content: z.string(),
      currentlevel: z.number().nullable(),
      overdue: z.boolean(),
    }),
  ),
  interferes: z.array(
    z.object({
      mine: z.number(),
      interfereid: z.number(),
      version: z.number(),
      kind: z.string(),
      begintime: z.string(),
      minutes: z.number(),
      content: z.string(),
      effect: z.number().nullable(),
      operatorname: z.string(),
    }),
  ),
  /** attachments; `openCaseFile` gives the link to one of them */
  files: z.array(
    z.object({
      fileid: z.string(),
      kind: z.string(),
      filename: z.string(),
      mime: z.string(),
      size: z.number(),
      createbyname: z.string(),
      createtime: z.string(),
      mine: z.number(),
    }),
  ),
  returns: z.array(
    z.object({
      returnid: z.number(),
      assessdate: z.string(),
      hospital: z.string(),
      conclusion: z.string(),
      conditions: z.string(),
      supportplan: z.string(),
      guardianagreed: z.number(),
      returndate: z.string().nullable(),
      fileids: z.array(z.string()),
      operatorname: z.string(),
      time: z.string(),
    }),
  ),
  /** re-tests planned for the person since the case was opened, with their results */
  retests: z.array(
    z.object({
      taskcode: z.string(),
      taskname: z.string(),
      planname: z.string(),
      begintime: z.string(),
      endtime: z.string(),
      taskstatus: z.number(),
      status: z.number(),
      examcode: z.string().nullable(),
      submittime: z.string().nullable(),
    }),
  ),
  /** the plan that the person submitted last; a re-test usually repeats it */
  plancode: z.string().nullable(),
  reports: z.array(z.object({ reportcode: z.string(), title: z.string(), createtime: z.string() })),
  earlier: z.array(z.object({ warningcode: z.string(), level: z.number(), state: z.string(), createtime: z.string() })),
  /** the closing criteria by close reason */
  criteria: z.record(z.string(), z.array(criterion)),
  /** the steps of this state; `reasons` says why a step is not possible now */
  actions: z.array(z.object({ action: z.string(), label: z.string(), reasons: z.array(z.string()), bysecond: z.number() })),
});
export type FullCase = z.infer<typeof fullCase>;

/** One case. The audit log records the person of the case. */
export const getWarningDetail = defineAction({
  name: 'as.m.warning.getWarningDetail',
  title: '查看预警个案',
  allow: viewers,
  kind: 'reveal',
  // The request names no person: the handler reads the person of the case and records it.
  person: () => [],
  request: z.strictObject({ warningcode: z.string().max(20) }),
  response: warningRow.extend({
    focus: z.number(),
    ownerphone: z.string(),
    entryurl: z.string(),
    /** null for staff who see only their own teams */
    full: readableBy('cases', fullCase.nullable()),
  }),
});
export type WarningDetail = z.infer<(typeof getWarningDetail)['response']>;

const exporters = forTypes(CARE_TYPES, andHolding(viewers, 'exam.export'));
/** The approval that an export with minors needs (features/approval). */
const approved = { approvalid: z.coerce.number().int().optional().describe('审批') };
/** The workbook of the warnings that the filters find. */
export const exportWarningList = defineAction({
  name: 'as.m.warning.exportWarningList',
  title: '导出危机预警',
  columns: warningColumns,
  allow: exporters,
  kind: 'export',
  request: filters.extend(approved),
  response: file,
});
/** The workbook of the flagged reports that the filters find. */
export const exportCUserWarningDetailData = defineAction({
  name: 'as.m.exam.exportCUserWarningDetailData',
  title: '导出预警明细',
  columns: flaggedColumns,
  allow: exporters,
  kind: 'export',
  request: reportFilters.extend(approved),
  response: file,
});
