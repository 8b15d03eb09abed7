import type { z } from 'zod';
import { ageOn, shanghaiTime } from '#domain/base/calendar.ts';
import { RosterStatus } from '#domain/base/enums.ts';
import { chaseText, distinguishNames } from '#domain/task/chaseText.ts';
import { formatSpan } from '#domain/task/slots.ts';
import { forecastCompletion } from '#domain/task/completionForecast.ts';
import {
  describeProgress,
  EXEMPT_REASONS,
  percent,
  progressLabel,
  rateOfDue,
  sumRosterCounts,
  type RosterCounts,
} from '#domain/task/taskprogress.ts';
import { xlsxMime } from '#contract/file.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { displayName, maskedPhone } from '#server/security/privacy.ts';
import { writeWorksheet } from '#server/workbook/write.ts';
import { exportSubject } from '#features/approval/exportSubjects.ts';
import { requireApproval } from '#features/approval/requireApproval.ts';
import * as contract from '#features/task/board/board.contract.ts';
import * as progress from '#features/task/board/board.queries.ts';
import * as queries from '#features/task/board/roster.queries.ts';
import { exportAssessTaskRosterProgress as exportContract, rosterColumns } from '#features/task/task.contract.ts';

type StaffContext = ReadContext<'staff'>;

/** The numbers of a roster with their rates. */
const toShown = (row: RosterCounts) => ({
  total: row.total,
  finished: row.finished,
  doing: row.doing,
  notstarted: row.notstarted,
  absent: row.absent,
  exempt: row.exempt,
  finishrate: percent(row.finished, row.total),
  duerate: rateOfDue(row),
});

function toTaskRow(row: progress.TaskRecord) {
  const { begintime, endtime, createtime, abnormal, totalrows: _totalrows, ...more } = row;
  const { total, finished, doing, notstarted, absent, exempt, dubious, ...rest } = more;
  const { finishrate, duerate } = toShown(row);
  return {
    ...rest,
    begintime: shanghaiTime(begintime),
    endtime: shanghaiTime(endtime),
    createtime: shanghaiTime(createtime),
    abnormalcount: abnormal,
    rostercount: total,
    finishedcount: finished,
    doingcount: doing,
    notstartedcount: notstarted,
    absentcount: absent,
    exemptcount: exempt,
    dubiouscount: dubious,
    finishrate,
    duerate,
  };
}

const getAssessTaskProgress = handle(contract.getAssessTaskProgress, async (filters, { scope, caller }) => {
  const { total, rows } = await progress.findTaskProgress(scope, { ...filters, ownTeamsOnly: caller.ownTeamsOnly });
  return { total, rows: rows.map(toTaskRow) };
});

const getAssessTaskRosterProgress = handle(contract.getAssessTaskRosterProgress, async ({ taskcode, groupby }, { scope }) => {
  const groups = await progress.findGroupProgress(scope, taskcode, groupby);
  if (!groups.length) throw problems.notFound({ what: '任务' });
  return {
    ...toShown(sumRosterCounts(groups)),
    groups: groups.map((group) => ({ ...toShown(group), name: group.name, teamcode: group.teamcode })),
  };
});

/** Finds one task in the caller's scope; throws 130001 when there is none. */
async function requireTask(ctx: StaffContext, taskcode: string) {
  const { rows } = await progress.findTaskProgress(ctx.scope, {
    page: 1,
    pageSize: 1,
    taskcode,
    ownTeamsOnly: ctx.caller.ownTeamsOnly,
  });
  const row = rows[0];
  if (!row) throw problems.notFound({ what: '任务' });
  return row;
}

const toEntry = (publicUrl: string, clientcode: string | undefined) => ({
  clientcode: clientcode ?? null,
  entryurl: clientcode ? `${publicUrl}/c/${clientcode}` : null,
});

const getTaskBoard = handle(contract.getTaskBoard, async ({ taskcode }, ctx) => {
  const { scope, caller, now } = ctx;
  const task = await requireTask(ctx, taskcode);
  const { classes, hours } = await progress.findBoard(scope, taskcode);
  const totals = sumRosterCounts(classes);
  const owners = new Map(
    (
      await queries.findOwners(
        scope,
        classes.flatMap((schoolClass) => schoolClass.owneruserid ?? []),
      )
    ).map((owner) => [owner.userid, owner.realname]),
  );
  const submissionsByHour = hours.map(({ at, count }) => ({ at: new Date(at), count }));
  const pace =
    task.status === 1 ? forecastCompletion({ hours: submissionsByHour, now, endtime: task.endtime, ...totals }) : undefined;
  let sumSoFar = 0;
  return {
    // The row repeats the totals of the board, so that the tiles and the row agree.
    task: toTaskRow({ ...task, ...totals }),
    totals,
    rate: percent(totals.finished, totals.total),
    duerate: rateOfDue(totals),
    classes: classes.map(({ slotbegin, slotend, ...schoolClass }) => ({
      ...schoolClass,
      slot:
        slotbegin && slotend ? { begintime: shanghaiTime(new Date(slotbegin)), endtime: shanghaiTime(new Date(slotend)) } : null,
      ownername: owners.get(schoolClass.owneruserid ?? '') ?? '',
      rate: percent(schoolClass.finished, schoolClass.total),
      duerate: rateOfDue(schoolClass),
      word: progressLabel(schoolClass),
      lastremind: schoolClass.lastremind && shanghaiTime(new Date(schoolClass.lastremind)),
    })),
    hours: submissionsByHour.map(({ at, count }) => ({ at: shanghaiTime(at), count, total: (sumSoFar += count) })),
    pace: pace ? { ...pace, donetime: pace.donetime && shanghaiTime(pace.donetime) } : null,
    warnings: caller.codes.has(codeOf('warning.crisis')) ? await queries.countWarnings(scope, taskcode) : null,
    ...toEntry(ctx.publicUrl, (await queries.findEntry(scope, task.musercode))?.clientcode),
    closed: task.status > 1,
    rounds: await queries.findRounds(scope, taskcode),
    paused: task.status < 2 ? await progress.findPausedForms(scope, taskcode) : [],
    readat: shanghaiTime(now),
  };
});

const getTaskChaseList = handle(contract.getTaskChaseList, async ({ taskcode, teamcode }, ctx) => {
  const { scope, caller } = ctx;
  const task = await requireTask(ctx, taskcode);
  const entry = toEntry(ctx.publicUrl, (await queries.findEntry(scope, task.musercode))?.clientcode);
  const rows = (await queries.findUnfinished(scope, taskcode, teamcode)).filter((row) => row.people.length > 0);
  const until = shanghaiTime(task.endtime).slice(5, 16).replace('-', '月').replace(' ', '日 ');
  ctx.audit({ cuserids: rows.flatMap((row) => row.people.map((person) => person.cuserid)) });
  return {
    ...entry,
    classes: rows.map(({ sortname: _, slot, people, ...row }) => {
      const persons = people.map((person) => ({
        ...person,
        username: displayName(caller, person.username),
        lastremind: person.lastremind && shanghaiTime(new Date(person.lastremind)),
      }));
      const labels = distinguishNames(persons);
      const words = {
        taskname: task.taskname,
        teamname: row.name,
        total: row.total,
        unfinished: people.length,
        until,
        ...(slot
          ? {
              slot: formatSpan({
                begintime: shanghaiTime(new Date(slot.begintime)),
                endtime: shanghaiTime(new Date(slot.endtime)),
              }),
              isSlotOver: new Date(slot.endtime) < ctx.now,
            }
          : {}),
        entryurl: entry.entryurl,
      };
      return {
        ...row,
        unfinished: people.length,
        remindcount: Math.max(...people.map((person) => person.remindcount)),
        lastremind:
          persons
            .map((person) => person.lastremind)
            .filter((time) => time !== null)
            .sort()
            .at(-1) ?? null,
        people: persons.map((person, index) => ({ ...person, label: labels[index] ?? person.username })),
        text: chaseText(words),
        namedtext: chaseText({ ...words, names: labels }),
      };
    }),
  };
});

function toRosterRow(row: queries.RosterRecord, { caller, cipher, now }: StaffContext) {
  const { birthday, phonesealed, musercode, totalrows: _totalrows, ...rest } = row;
  return {
    ...rest,
    username: displayName(caller, row.username),
    age: birthday ? ageOn(birthday, now) : null,
    phonenumber: maskedPhone(cipher, musercode, phonesealed),
    statusname: RosterStatus.label(row.status),
    starttime: row.starttime && shanghaiTime(row.starttime),
    submittime: row.submittime && shanghaiTime(row.submittime),
    lastremind: row.lastremind && shanghaiTime(row.lastremind),
  };
}

const getAssessTaskRoster = handle(contract.getAssessTaskRoster, async ({ page, pageSize, ...filters }, ctx) => {
  const { total, rows } = await queries.findRoster(ctx.scope, { ...filters, page, pageSize });
  return { total, rows: rows.map((row) => toRosterRow(row, ctx)) };
});

type RosterFilters = Omit<z.output<(typeof exportContract)['request']>, 'approvalid'>;
/** A task with the rows of its export. */
async function findExportRows(filters: RosterFilters, ctx: StaffContext) {
  const task = await requireTask(ctx, filters.taskcode);
  const { rows } = await queries.findRoster(ctx.scope, { ...filters, page: 1, pageSize: 100_000 });
  return { task, rows, cuserids: rows.map((row) => row.cuserid) };
}

const exportRoster = handle(exportContract, async ({ approvalid, ...filters }, ctx) => {
  const { task, rows, cuserids } = await findExportRows(filters, ctx);
  const { minors } = await requireApproval(ctx, 'as.m.assess.exportAssessTaskRosterProgress', filters, approvalid, cuserids, {
    isSingleFree: true,
  });
  ctx.audit({ objectid: filters.taskcode, cuserids, minors: minors > 0, detail: { rows: rows.length, approvalid } });
  const exportTime = shanghaiTime(ctx.now);
  const worksheet = {
    name: '名单进度',
    heads: rosterColumns,
    reader: ctx.caller,
    note: `${task.taskname} · ${describeProgress(task)} · 导出人：${ctx.caller.name} · ${exportTime} · 内部资料，请勿转发`,
    rows: rows.map((row) => {
      const rosterRow = toRosterRow(row, ctx);
      const gender = row.gender === '01' ? '男' : '女';
      return [
        rosterRow.teamname,
        rosterRow.username,
        rosterRow.studentno,
        gender,
        rosterRow.age,
        rosterRow.statusname,
        rosterRow.reason === '' ? '' : EXEMPT_REASONS.includes(rosterRow.reason) ? '免测' : '缺测',
        rosterRow.reason,
        rosterRow.starttime,
        rosterRow.submittime,
        rosterRow.remindcount,
        rosterRow.lastremind,
      ];
    }),
  };
  return {
    filename: `${task.taskname}-名单进度-${exportTime.slice(0, 10)}.xlsx`,
    mime: xlsxMime,
    body: writeWorksheet(worksheet),
  };
});

export const boardHandlers = [
  getAssessTaskProgress,
  getAssessTaskRosterProgress,
  getTaskBoard,
  getTaskChaseList,
  getAssessTaskRoster,
  exportRoster,
];

/** The export of this feature that may need an approval. */
export const boardSubjects = {
  'as.m.assess.exportAssessTaskRosterProgress': exportSubject(
    exportContract,
    async ({ approvalid: _, ...filters }, ctx) => (await findExportRows(filters, ctx)).cuserids,
  ),
};
