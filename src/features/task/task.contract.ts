import { z } from 'zod';
import { AbsentReason } from '#domain/task/taskprogress.ts';
import { Term } from '#domain/base/enums.ts';
import { anyStaff, CARE_TYPES, defineAction, forTypes, staffOf, NON_AUTHORITY_TYPES } from '#contract/action.ts';
import { exportFields, personName } from '#contract/fieldAccess.ts';
import { editVersion, flag, moment } from '#contract/field.ts';
import { file } from '#contract/file.ts';

/**
 * Tasks (任务): a plan, a window of time and a roster of persons. Creating a task freezes one count per person. A submission
 * uses the count; closing the task releases the unused counts. board.contract.ts has the reads of a running task.
 */

export const taskcode = z.string().max(20).describe('任务');
const cuserids = z.array(z.string().max(20)).max(20_000);
export const schoolYear = z.string().regex(/^\d{4}-\d{4}$/, '学年格式应为 2025-2026');
const writers = forTypes(CARE_TYPES, staffOf('task.edit'));

export const exclusion = z.object({
  cuserid: z.string(),
  username: personName(),
  teamname: z.string(),
  /** why this person is not on the roster, as a text for the screen */
  reason: z.string(),
});

const rosterFields = {
  plancode: z.string().min(1, '请选择方案').max(20).describe('方案'),
  stagecode: z.string().max(10).nullish().describe('阶段'),
  teamcodes: z.array(z.string().max(20)).max(500).default([]).describe('参加团体'),
  /** persons in addition to whole teams, or instead of them */
  cuserids: cuserids.default([]).describe('参加人员'),
};

/** The time slots of classes (各班时段, domain/task/slots.ts). A class without one begins at any time of the task. */
const slots = z
  .array(z.strictObject({ teamcode: z.string().max(20), begintime: moment, endtime: moment }))
  .max(500)
  .describe('各班时段');

/** Checks, before a task is created, how many persons it has and how many counts it needs. The wizard's last step calls it. */
export const checkAssessTask = defineAction({
  name: 'as.m.assess.checkAssessTask',
  title: '核对任务人数与余量',
  allow: writers,
  kind: 'read',
  request: z.strictObject({ ...rosterFields, begintime: moment.optional().describe('开始时间') }),
  response: z.object({
    /** persons who would be on the roster */
    rostercount: z.number(),
    /** persons of the teams who would be excluded; `exclusions` has the first 500 with their reasons */
    excludedcount: z.number(),
    exclusions: z.array(exclusion),
    /** persons without a date of birth, whose age cannot be checked */
    unknownage: z.number(),
    /** persons who have already consented; the others are asked for consent before they answer */
    consented: z.number(),
    /** the guardians who must agree: of how many persons, of how many of them they agreed or refused */
    guardian: z.object({ needed: z.number(), agreed: z.number(), refused: z.number() }),
    planname: z.string(),
    /** the questionnaires at the stage, in their order */
    forms: z.array(z.object({ formname: z.string(), itemcount: z.number(), minutes: z.number() })),
    /** the persons on the roster by class; single persons without a class have an empty name */
    classes: z.array(z.object({ teamcode: z.string().nullable(), teamname: z.string(), count: z.number() })),
    need: z.number(),
    free: z.number(),
    licenceok: z.boolean(),
    reasons: z.array(z.string()),
  }),
});

/** Returns the teams that a task can include, with the fields that the wizard shows. */
export const getAssessTaskTeams = defineAction({
  name: 'as.m.assess.getAssessTaskTeams',
  title: '查询可选团体',
  allow: writers,
  kind: 'read',
  request: z.strictObject({
    appid: z.string().max(9).optional(),
    year: schoolYear.optional(),
    musercode: z.string().max(20).optional(),
  }),
  response: z.array(
    z.object({
      teamcode: z.string(),
      teamname: z.string(),
      teamtype: z.string(),
      musercode: z.string(),
      insname: z.string(),
      year: z.string(),
      gradecode: z.string(),
      gradename: z.string(),
      ownername: z.string(),
      membercount: z.number(),
      consented: z.number(),
    }),
  ),
});

/**
 * Creates a task with its roster and freezes one count per person. All teams belong to one institution. `exclusions` names the
 * persons who are outside the age range of the plan's forms. A refused call changes nothing: 150001 means too few counts
 * (`data {free, need}`); 150002 means that the institution may not use a form of the plan.
 */
export const insertAssessTask = defineAction({
  name: 'as.m.assess.insertAssessTask',
  title: '新增任务',
  allow: writers,
  kind: 'write',
  request: z.strictObject({
    taskname: z.string().trim().min(1, '请填写任务名称').max(60, '任务名称不超过 60 个字').describe('任务名称'),
    appid: z.string().length(9).describe('人群'),
    ...rosterFields,
    year: schoolYear.nullish().describe('学年'),
    term: z.enum(Term.codes).nullish().describe('学期'),
    begintime: moment.describe('开始时间'),
    endtime: moment.describe('结束时间'),
    resultshow: flag.default(0).describe('作答后可看报告'),
    slots: slots.default([]),
    remindrule: z.record(z.string().max(20), z.unknown()).optional(),
    /** 0: a draft that respondents do not see; its counts are frozen too */
    status: z
      .union([z.literal(0), z.literal(1)])
      .default(1)
      .describe('状态'),
  }),
  response: z.object({
    taskcode: z.string(),
    rostercount: z.number(),
    frozen: z.number(),
    excludedcount: z.number(),
    exclusions: z.array(exclusion),
  }),
  cost: 5,
});

/** Changes the fields or the status of a task: 0 → 1 publishes, 1 → 2 closes (as closeAssessTask), 0/1 → 3 cancels. */
export const updateAssessTask = defineAction({
  name: 'as.m.assess.updateAssessTask',
  title: '修改任务',
  allow: writers,
  kind: 'write',
  edits: { table: 'assesstask', key: 'taskcode' },
  request: z.strictObject({
    taskcode,
    version: editVersion,
    taskname: z.string().trim().min(1, '请填写任务名称').max(60, '任务名称不超过 60 个字').optional().describe('任务名称'),
    year: schoolYear.nullish().describe('学年'),
    term: z.enum(Term.codes).nullish().describe('学期'),
    begintime: moment.optional().describe('开始时间'),
    endtime: moment.optional().describe('结束时间'),
    resultshow: flag.optional().describe('作答后可看报告'),
    /** all slots of the task: a class that is not named has none */
    slots: slots.optional(),
    remindrule: z.record(z.string().max(20), z.unknown()).optional(),
    status: z
      .union([z.literal(1), z.literal(2), z.literal(3)])
      .optional()
      .describe('状态'),
  }),
  response: z.object({ version: z.number() }),
});

/** Deletes a task that has no submission and releases its counts. Answers 130003 when there is a submission. */
export const deleteAssessTask = defineAction({
  name: 'as.m.assess.deleteAssessTask',
  title: '删除任务',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ taskcode }),
  response: z.object({ released: z.number() }),
});

/** Adds whole teams or single persons to a draft or a running task. Persons who are already on the roster do not change. */
export const insertAssessTeamRosterTask = defineAction({
  name: 'as.m.assess.insertAssessTeamRosterTask',
  title: '任务追加名单',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ taskcode, teamcodes: rosterFields.teamcodes, cuserids: rosterFields.cuserids }),
  response: z.object({ added: z.number(), frozen: z.number(), excludedcount: z.number(), exclusions: z.array(exclusion) }),
});

/** Removes persons who have not submitted from the roster and releases their counts. */
export const deleteAssessTaskCUser = defineAction({
  name: 'as.m.assess.deleteAssessTaskCUser',
  title: '移出任务名单',
  allow: writers,
  kind: 'write',
  person: (request) => request.cuserids,
  request: z.strictObject({ taskcode, cuserids: cuserids.min(1) }),
  response: z.object({ removed: z.number(), released: z.number() }),
});

/** Marks persons who have not submitted as excused or absent with a reason; a null reason removes the mark. */
export const setRosterReason = defineAction({
  name: 'as.m.assess.updateTaskRoster',
  title: '登记免测/缺测原因',
  allow: writers,
  kind: 'write',
  person: (request) => request.cuserids,
  request: z.strictObject({
    taskcode,
    cuserids: cuserids.min(1),
    reason: z.enum(AbsentReason.codes).nullable().describe('原因'),
  }),
  response: z.object({ changed: z.number() }),
});

/** Records a reminder for persons who have not submitted, and notifies the owners of their teams. Default: all such persons. */
export const remindTask = defineAction({
  name: 'as.m.assess.remindTask',
  title: '催测',
  allow: forTypes(CARE_TYPES, staffOf('task.edit')),
  kind: 'write',
  request: z.strictObject({ taskcode, teamcode: z.string().max(20).optional(), cuserids: cuserids.optional() }),
  response: z.object({
    /** persons with a new reminder */
    sent: z.number(),
    /** team owners who got a notification */
    notified: z.number(),
  }),
});

export const standing = z.object({
  total: z.number(),
  finished: z.number(),
  doing: z.number(),
  notstarted: z.number(),
  /** 免测 and 缺测 together */
  absent: z.number(),
  /** 免测 */
  exempt: z.number().default(0),
  dubious: z.number(),
});
export const statement = standing.extend({
  taskname: z.string(),
  insname: z.string(),
  planname: z.string(),
  begintime: z.string(),
  endtime: z.string(),
  at: z.string(),
  rate: z.number().nullable(),
  duerate: z.number().nullable().default(null),
  reasons: z.array(z.object({ reason: z.string(), count: z.number() })),
  classes: z.array(standing.extend({ name: z.string() })),
  released: z.number(),
  text: z.string(),
});

/** Returns the closing statement: a preview while the task runs, the saved one when it is closed. */
export const getCloseStatement = defineAction({
  name: 'as.m.assess.getCloseStatement',
  title: '查看结束说明',
  allow: staffOf('group.tasks'),
  kind: 'read',
  request: z.strictObject({ taskcode }),
  response: z.object({ closed: z.boolean(), statement }),
});

/** Ends a running task: saves its closing statement and releases the unused counts. Answers 140001 when the task has ended. */
export const closeTask = defineAction({
  name: 'as.m.assess.closeAssessTask',
  title: '结束任务',
  allow: writers,
  kind: 'write',
  request: z.strictObject({ taskcode }),
  response: z.object({ statement }),
});

/**
 * Creates a make-up (02) or re-test (03) round as a task of its own. Without `cuserids`, 02 takes the persons who have not
 * submitted or were absent for a passing reason; 03 takes the persons with a dubious exam. A case names the person, not the plan.
 */
export const createRetestTask = defineAction({
  name: 'as.m.assess.createRetestTask',
  title: '新建补测/复测',
  allow: forTypes(CARE_TYPES, staffOf('task.edit', 'warning.handle')),
  kind: 'write',
  person: (request) => request.cuserids ?? [],
  request: z.strictObject({
    taskcode: taskcode.optional(),
    cuserids: cuserids.min(1).optional(),
    plancode: z.string().max(20).optional().describe('方案'),
    round: z.enum(['02', '03']).optional().describe('轮次'),
    taskname: z.string().trim().max(60, '任务名称不超过 60 个字').optional().describe('任务名称'),
    /** the case that the re-test belongs to; the case's history shows the re-test */
    warningcode: z.string().max(20).optional().describe('预警'),
    /** now when absent */
    begintime: moment.optional().describe('开始时间'),
    /** seven days after the beginning when absent */
    endtime: moment.optional().describe('结束时间'),
  }),
  response: z.object({
    taskcode: z.string(),
    rostercount: z.number(),
    excludedcount: z.number(),
    exclusions: z.array(exclusion),
  }),
});

/** Returns the tasks for the filters of other screens. */
export const getTaskList = defineAction({
  name: 'as.m.assess.getTaskList',
  title: '查询任务选项',
  allow: forTypes(NON_AUTHORITY_TYPES, anyStaff),
  kind: 'read',
  request: z.strictObject({
    schoolcode: z.string().max(20).optional(),
    year: schoolYear.optional(),
    term: z.enum(Term.codes).optional(),
    appid: z.string().max(9).optional(),
    plancode: z.string().max(20).optional(),
  }),
  response: z.array(
    z.object({
      taskcode: z.string(),
      taskname: z.string(),
      status: z.number(),
      begintime: z.string(),
      endtime: z.string(),
      year: z.string(),
      term: z.string(),
    }),
  ),
});

/** The columns of the exported roster. It has no result. */
export const rosterColumns = exportFields(
  '团体',
  { head: '姓名', rule: 'names' },
  '学号/工号',
  '性别',
  { head: '年龄', kind: 'number' },
  '状态',
  '免测/缺测',
  '免测/缺测原因',
  '开始时间',
  '交卷时间',
  { head: '催测次数', kind: 'number' },
  '最近催测',
);
/**
 * Exports the roster as a worksheet, one row per person; `status` filters as in the roster list. Several persons with a minor need an
 * approval.
 */
export const exportAssessTaskRosterProgress = defineAction({
  name: 'as.m.assess.exportAssessTaskRosterProgress',
  title: '导出任务名单进度',
  columns: rosterColumns,
  allow: forTypes(CARE_TYPES, staffOf('exam.export', 'group.tasks')),
  kind: 'export',
  request: z.strictObject({
    taskcode,
    status: z.coerce.number().int().optional(),
    teamcode: z.string().max(20).optional(),
    approvalid: z.coerce.number().int().optional().describe('审批'),
  }),
  response: file,
});
