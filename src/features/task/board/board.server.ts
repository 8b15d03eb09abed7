import { ageOn, shanghaiTime } from '#domain/base/calendar.ts';
import { RosterStatus } from '#domain/base/enums.ts';
import { compareGrades } from '#domain/person/grades.ts';
import { forecastCompletion } from '#domain/task/completionForecast.ts';
import { sumRosterCounts, percent, progressLabel } from '#domain/task/taskprogress.ts';
import { xlsxMime } from '#contract/file.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Staff } from '#server/dispatch/caller.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { displayName, maskedPhone } from '#server/security/privacy.ts';
import { writeWorksheet } from '#server/workbook/write.ts';
import * as contract from '#features/task/board/board.contract.ts';
import * as counting from '#features/task/board/board.queries.ts';
import * as queries from '#features/task/board/roster.queries.ts';
import { exportAssessTaskRosterProgress as exportContract } from '#features/task/task.contract.ts';

type StaffContext = ReadContext<'staff'>;

/** Below this many persons an authority is shown no number (statistics.md 4.1). */
const SMALL = 5;

/** Authorities count under a role without names that also reaches their region; everybody else within their own reach. */
const findRows = <T>(ctx: StaffContext, work: (reading: counting.Reading) => Promise<T>): Promise<T> =>
  ctx.caller.musertype === '003' ? ctx.stats(work) : work(ctx.scope);

const canSeeResults = ({ ownTeamsOnly, codes }: Staff) =>
  !ownTeamsOnly &&
  (['report.edit', 'exam.answers', 'individual.persons', 'statistics.school'] as const).some((guard) => codes.has(codeOf(guard)));

const hideResults = {
  rostercount: null,
  finishedcount: null,
  doingcount: null,
  notstartedcount: null,
  absentcount: null,
  dubiouscount: null,
  finishrate: null,
};

function toTaskRow(row: counting.TaskRecord, caller: Staff) {
  const {
    begintime,
    endtime,
    createtime,
    abnormal,
    all: _all,
    total,
    finished,
    doing,
    notstarted,
    absent,
    dubious,
    ...rest
  } = row;
  const suppressed = caller.musertype === '003' && total < SMALL;
  return {
    ...rest,
    begintime: shanghaiTime(begintime),
    endtime: shanghaiTime(endtime),
    createtime: shanghaiTime(createtime),
    suppressed,
    abnormalcount: suppressed || !canSeeResults(caller) ? null : abnormal,
    ...(suppressed
      ? hideResults
      : {
          rostercount: total,
          finishedcount: finished,
          doingcount: doing,
          notstartedcount: notstarted,
          absentcount: absent,
          dubiouscount: dubious,
          finishrate: percent(finished, total),
        }),
  };
}

const getAssessTaskProgress = handle(contract.getAssessTaskProgress, async (filters, ctx) => {
  const { total, rows } = await findRows(ctx, (reading) =>
    counting.findTaskProgress(reading, { ...filters, own: ctx.caller.ownTeamsOnly }),
  );
  return { total, rows: rows.map((row) => toTaskRow(row, ctx.caller)) };
});

const natural = (a: string, b: string) => a.localeCompare(b, 'zh', { numeric: true });
const byGrade = (a: { gradecode: string; name: string }, b: { gradecode: string; name: string }) =>
  compareGrades(a.gradecode, b.gradecode) || natural(a.name, b.name);

const getAssessTaskRosterProgress = handle(contract.getAssessTaskRosterProgress, async ({ taskcode, groupby }, ctx) => {
  const groups = await findRows(ctx, (reading) => counting.findGroupProgress(reading, taskcode, groupby));
  if (!groups.length) throw problems.notFound({ what: '任务' });
  const small = (total: number) => ctx.caller.musertype === '003' && total < SMALL;
  const numbers = (row: counting.StandingRow) =>
    small(row.total)
      ? { total: null, finished: null, doing: null, notstarted: null, absent: null, finishrate: null }
      : {
          total: row.total,
          finished: row.finished,
          doing: row.doing,
          notstarted: row.notstarted,
          absent: row.absent,
          finishrate: percent(row.finished, row.total),
        };
  return {
    ...numbers(sumRosterCounts(groups)),
    groups: groups
      .sort(byGrade)
      .map((group) => ({ ...numbers(group), name: group.name, teamcode: group.teamcode, suppressed: small(group.total) })),
  };
});

/** One task as the caller sees it, or 130001. */
async function oneTask(ctx: StaffContext, taskcode: string) {
  const { rows } = await counting.findTaskProgress(ctx.scope, { page: 1, pageSize: 1, taskcode, own: ctx.caller.ownTeamsOnly });
  const row = rows[0];
  if (!row) throw problems.notFound({ what: '任务' });
  return row;
}

const entryOf = (publicUrl: string, clientcode: string | undefined) => ({
  clientcode: clientcode ?? null,
  entryurl: clientcode ? `${publicUrl}/c/${clientcode}` : null,
});

const getTaskBoard = handle(contract.getTaskBoard, async ({ taskcode }, ctx) => {
  const { scope, caller, now } = ctx;
  const task = await oneTask(ctx, taskcode);
  const { classes, hours } = await counting.findBoard(scope, taskcode);
  const totals = sumRosterCounts(classes);
  const owners = new Map(
    (
      await queries.findOwners(
        scope,
        classes.flatMap((schoolClass) => schoolClass.owneruserid ?? []),
      )
    ).map((owner) => [owner.userid, owner.realname]),
  );
  const byHour = hours.map(({ at, count }) => ({ at: new Date(at), count }));
  const pace = task.status === 1 ? forecastCompletion({ hours: byHour, now, endtime: task.endtime, ...totals }) : undefined;
  let running = 0;
  return {
    // The tiles and the row are one truth: the row repeats what the board counted.
    task: toTaskRow({ ...task, ...totals }, caller),
    totals,
    rate: percent(totals.finished, totals.total),
    classes: classes.sort(byGrade).map((schoolClass) => ({
      ...schoolClass,
      ownername: owners.get(schoolClass.owneruserid ?? '') ?? '',
      rate: percent(schoolClass.finished, schoolClass.total),
      word: progressLabel(schoolClass),
      lastremind: schoolClass.lastremind && shanghaiTime(new Date(schoolClass.lastremind)),
    })),
    hours: byHour.map(({ at, count }) => ({ at: shanghaiTime(at), count, total: (running += count) })),
    pace: pace ? { ...pace, donetime: pace.donetime && shanghaiTime(pace.donetime) } : null,
    warnings: caller.codes.has(codeOf('warning.crisis')) ? await queries.countWarnings(scope, taskcode) : null,
    ...entryOf(ctx.publicUrl, (await queries.findEntry(scope, task.musercode))?.clientcode),
    closed: task.status > 1,
    rounds: await queries.findRounds(scope, taskcode),
    readat: shanghaiTime(now),
  };
});

const getTaskChaseList = handle(contract.getTaskChaseList, async ({ taskcode, teamcode }, ctx) => {
  const { scope, caller } = ctx;
  const task = await oneTask(ctx, taskcode);
  const entry = entryOf(ctx.publicUrl, (await queries.findEntry(scope, task.musercode))?.clientcode);
  const rows = (await queries.findUnfinished(scope, taskcode, teamcode)).filter((row) => row.people.length > 0);
  const until = shanghaiTime(task.endtime).slice(5, 16).replace('-', '月').replace(' ', '日 ');
  ctx.audit({ cuserids: rows.flatMap((row) => row.people.map((person) => person.cuserid)) });
  return {
    ...entry,
    classes: rows.sort(byGrade).map(({ gradecode: _grade, people, ...row }) => {
      const named = people.map((person) => ({
        ...person,
        username: displayName(caller, person.username),
        lastremind: person.lastremind && shanghaiTime(new Date(person.lastremind)),
      }));
      return {
        ...row,
        unfinished: people.length,
        remindcount: Math.max(...people.map((person) => person.remindcount)),
        lastremind:
          named
            .map((item) => item.lastremind)
            .filter((at) => at !== null)
            .sort()
            .at(-1) ?? null,
        people: named,
        text: [
          `【${task.taskname}】${row.name}：应测 ${row.total} 人，还有 ${people.length} 人未完成：${named.map((item) => item.username).join('、')}。`,
          `请在 ${until} 前完成，约需几分钟；答卷由心理老师保管，不影响成绩与评优。`,
          ...(entry.entryurl ? [`入口：${entry.entryurl}`] : []),
        ].join('\n'),
      };
    }),
  };
});

function toRosterRow(row: queries.RosterRecord, { caller, cipher, now }: StaffContext) {
  const { birthday, phonesealed, musercode, all: _all, ...rest } = row;
  return {
    ...rest,
    username: displayName(caller, row.username),
    age: birthday ? ageOn(birthday, now) : null,
    phonenumber: maskedPhone(cipher, musercode, phonesealed),
    statusname: RosterStatus.label(row.status),
    overalllevel: canSeeResults(caller) ? row.overalllevel : null,
    examcode: canSeeResults(caller) ? row.examcode : '',
    starttime: row.starttime && shanghaiTime(row.starttime),
    submittime: row.submittime && shanghaiTime(row.submittime),
    lastremind: row.lastremind && shanghaiTime(row.lastremind),
  };
}

const getAssessTaskRoster = handle(contract.getAssessTaskRoster, async ({ page, pageSize, ...filters }, ctx) => {
  const { total, rows } = await queries.findRoster(ctx.scope, { ...filters, page, pageSize });
  return { total, rows: rows.map((row) => toRosterRow(row, ctx)) };
});

const exportRoster = handle(exportContract, async ({ taskcode, status, teamcode }, ctx) => {
  const task = await oneTask(ctx, taskcode);
  const { rows } = await queries.findRoster(ctx.scope, { taskcode, status, teamcode, page: 1, pageSize: 100_000 });
  ctx.audit({ objectid: taskcode, cuserids: rows.map((row) => row.cuserid), detail: { rows: rows.length } });
  const when = shanghaiTime(ctx.now);
  const heads = [
    '团体',
    '姓名',
    '学号/工号',
    '性别',
    '年龄',
    '状态',
    '免测/缺测原因',
    '开始时间',
    '交卷时间',
    '催测次数',
    '最近催测',
  ];
  const sheet = {
    name: '名单进度',
    heads: heads.map((head) => ({
      head,
      kind: head === '年龄' || head === '催测次数' ? ('number' as const) : ('text' as const),
    })),
    note: `${task.taskname} · 导出人：${ctx.caller.name} · ${when} · 内部资料，请勿转发`,
    rows: rows.map((row) => {
      const each = toRosterRow(row, ctx);
      const gender = row.gender === '01' ? '男' : '女';
      return [
        each.teamname,
        each.username,
        each.studentno,
        gender,
        each.age,
        each.statusname,
        each.reason,
        each.starttime,
        each.submittime,
        each.remindcount,
        each.lastremind,
      ];
    }),
  };
  return { filename: `${task.taskname}-名单进度-${when.slice(0, 10)}.xlsx`, mime: xlsxMime, body: writeWorksheet(sheet) };
});

export const boardHandlers = [
  getAssessTaskProgress,
  getAssessTaskRosterProgress,
  getTaskBoard,
  getTaskChaseList,
  getAssessTaskRoster,
  exportRoster,
];
