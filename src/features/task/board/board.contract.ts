import { z } from 'zod';
import { Term } from '#domain/base/enums.ts';
import { defineAction, staffOf } from '#contract/action.ts';
import { personName, personPhone, readableBy } from '#contract/fieldAccess.ts';
import { pageOf, pageRequest, sortedBy } from '#contract/page.ts';
import { schoolYear, standing, taskcode } from '#features/task/task.contract.ts';

/**
 * Reads of running tasks. One SQL statement makes each response, so its numbers always add up:
 * total = finished + doing + notstarted + absent. Authorities (003) read no count of tasks (supplement-people-statistics.md 9).
 */

const counters = staffOf('group.tasks', 'team.shortcut', 'statistics.school', 'statistics.hospital');

export const taskRow = z.object({
  taskcode: z.string(),
  taskname: z.string(),
  musercode: z.string(),
  insname: z.string(),
  appid: z.string(),
  plancode: z.string(),
  planname: z.string(),
  stagecode: z.string(),
  stagename: z.string(),
  year: z.string(),
  term: z.string(),
  begintime: z.string(),
  endtime: z.string(),
  status: z.number(),
  round: z.string(),
  parenttaskcode: z.string().nullable(),
  resultshow: z.number(),
  teamcount: z.number(),
  rostercount: z.number(),
  finishedcount: z.number(),
  doingcount: z.number(),
  notstartedcount: z.number(),
  /** 免测 and 缺测 together; `exemptcount` is 免测 alone */
  absentcount: z.number(),
  exemptcount: z.number(),
  dubiouscount: z.number(),
  abnormalcount: readableBy('resultcounts', z.number()),
  /** 完成 / 应测, 0–100 to one decimal */
  finishrate: z.number().nullable(),
  /** 完成 /（应测 − 免测） */
  duerate: z.number().nullable(),
  version: z.number(),
  createtime: z.string(),
});
export type TaskRow = z.infer<typeof taskRow>;

/** Lists tasks with their progress. */
export const getAssessTaskProgress = defineAction({
  name: 'as.m.assess.getAssessTaskProgress',
  title: '查询任务进度',
  allow: counters,
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('taskname', 'begintime', 'endtime', 'status', 'createtime'),
    keyword: z.string().trim().max(50).optional().describe('任务名称'),
    status: z.coerce.number().int().min(0).max(3).optional().describe('状态'),
    year: schoolYear.optional().describe('学年'),
    term: z.enum(Term.codes).optional().describe('学期'),
    appid: z.string().max(9).optional().describe('人群'),
    plancode: z.string().max(20).optional().describe('方案'),
    taskcode: z.string().max(20).optional(),
    teamcode: z.string().max(20).optional(),
    schoolcode: z.string().max(20).optional().describe('机构'),
    round: z.enum(['01', '02', '03']).optional().describe('轮次'),
    parenttaskcode: z.string().max(20).optional(),
  }),
  response: pageOf(taskRow),
});

export const rosterRow = z.object({
  cuserid: z.string(),
  username: personName(),
  gender: z.string(),
  age: z.number().nullable(),
  studentno: z.string(),
  teamcode: z.string(),
  teamname: z.string(),
  classname: z.string(),
  phonenumber: personPhone(),
  /** 0 not started, 1 answering, 2 submitted, 3 absent with reason, 4 submitted but dubious */
  status: z.number(),
  statusname: z.string(),
  reason: z.string(),
  examcode: readableBy('results', z.string(), ''),
  starttime: z.string().nullable(),
  submittime: z.string().nullable(),
  overalllevel: readableBy('results', z.number().nullable()),
  /** 1: the result waits for the consent of the guardian */
  withheld: z.number(),
  remindcount: z.number(),
  lastremind: z.string().nullable(),
});

/** Lists the persons of a task. */
export const getAssessTaskRoster = defineAction({
  name: 'as.m.assess.getAssessTaskRoster',
  title: '查询任务名单',
  allow: staffOf('group.tasks'),
  kind: 'read',
  request: pageRequest.extend({
    orderby: sortedBy('username', 'status', 'submittime', 'remindcount'),
    taskcode,
    teamcode: z.string().max(20).optional().describe('团体'),
    status: z.coerce.number().int().min(0).max(4).optional().describe('状态'),
    exempt: z.enum(['0', '1']).optional().describe('免测或缺测'),
    reason: z.string().max(20).optional().describe('原因'),
    keyword: z.string().trim().max(50).optional().describe('姓名或学号'),
  }),
  response: pageOf(rosterRow),
});

const counts = z.object({
  total: z.number(),
  finished: z.number(),
  doing: z.number(),
  notstarted: z.number(),
  absent: z.number(),
  exempt: z.number(),
  finishrate: z.number().nullable(),
  duerate: z.number().nullable(),
});

/** Returns the progress of a task by team, grade or class. */
export const getAssessTaskRosterProgress = defineAction({
  name: 'as.m.assess.getAssessTaskRosterProgress',
  title: '按团体统计任务进度',
  allow: counters,
  kind: 'read',
  request: z.strictObject({ taskcode, groupby: z.enum(['team', 'grade', 'class']).default('team').describe('分组') }),
  response: counts.extend({
    groups: z.array(counts.extend({ name: z.string(), teamcode: z.string().nullable() })),
  }),
});

export const boardClass = standing.extend({
  teamcode: z.string().nullable(),
  name: z.string(),
  gradename: z.string(),
  ownername: z.string(),
  /** the time slot in which the class begins; null: at any time of the task */
  slot: z.object({ begintime: z.string(), endtime: z.string() }).nullable(),
  rate: z.number().nullable(),
  duerate: z.number().nullable(),
  /** 未开始 … 已完成: the cell's colour as a word */
  word: z.string(),
  /** the most reminders that one person of the class got; `lastremind` is the latest of them */
  remindcount: z.number(),
  lastremind: z.string().nullable(),
});

/** Returns the live board of one task. The page calls it every five seconds while it is open. */
export const getTaskBoard = defineAction({
  name: 'as.m.assess.getTaskBoard',
  title: '查看任务看板',
  allow: staffOf('group.tasks', 'team.shortcut'),
  kind: 'read',
  request: z.strictObject({ taskcode }),
  response: z.object({
    task: taskRow,
    totals: standing,
    rate: z.number().nullable(),
    duerate: z.number().nullable(),
    classes: z.array(boardClass),
    /** submissions by hour, oldest first; `total` is the sum up to that hour */
    hours: z.array(z.object({ at: z.string(), count: z.number(), total: z.number() })),
    pace: z
      .object({
        perhour: z.number(),
        donetime: z.string().nullable(),
        endcount: z.number(),
        endrate: z.number(),
        text: z.string(),
      })
      .nullable(),
    /** warnings that exams of this task raised; null when the caller may not see warnings */
    warnings: z.number().nullable(),
    clientcode: z.string().nullable(),
    entryurl: z.string().nullable(),
    closed: z.boolean(),
    /** make-up and re-test rounds of this task */
    rounds: z.array(z.object({ taskcode: z.string(), taskname: z.string(), round: z.string(), status: z.number() })),
    /** forms whose version of this task was withdrawn: no sitting begins until another task takes its place */
    paused: z.array(z.object({ formname: z.string(), reason: z.string() })),
    readat: z.string(),
  }),
});

/** Lists the unfinished persons of each class, with a text for the class group. Persons who declined are not among them. */
export const getTaskChaseList = defineAction({
  name: 'as.m.assess.getTaskChaseList',
  title: '查看催测名单',
  allow: staffOf('group.tasks', 'team.shortcut'),
  kind: 'read',
  request: z.strictObject({ taskcode, teamcode: z.string().max(20).optional() }),
  response: z.object({
    entryurl: z.string().nullable(),
    clientcode: z.string().nullable(),
    classes: z.array(
      z.object({
        teamcode: z.string().nullable(),
        name: z.string(),
        ownername: z.string(),
        total: z.number(),
        unfinished: z.number(),
        remindcount: z.number(),
        lastremind: z.string().nullable(),
        /** names nobody */
        text: z.string(),
        /** the same text with the names */
        namedtext: z.string(),
        people: z.array(
          z.object({
            cuserid: z.string(),
            username: personName(),
            /** the name, and the end of the number when the class has two of this name */
            label: z.string(),
            studentno: z.string(),
            status: z.number(),
            remindcount: z.number(),
            lastremind: z.string().nullable(),
          }),
        ),
      }),
    ),
  }),
});
