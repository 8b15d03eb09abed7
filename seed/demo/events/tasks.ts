import { AbsentReason } from '#domain/task/taskprogress.ts';
import { verifyGuardianConsent } from '#features/consent/guardian/guardian.contract.ts';
import * as board from '#features/task/board/board.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { personas } from '#seed/demo/content/personas.ts';
import { laterTheta, seasonalShift } from '#seed/demo/content/answers.ts';
import { inParallel, type Calls } from '#seed/demo/calls.ts';
import type { StaffLogin } from '#seed/demo/tenants/institutions.ts';
import { lessonTime, minuteOf } from '#seed/demo/content/dates.ts';
import type { Person } from '#seed/demo/tenants/persons.ts';
import { randomOf } from '#seed/demo/content/random.ts';
import { takeExam } from '#seed/demo/events/exams.ts';

/** A task of an institution in the demonstration. */
export interface TaskRun {
  key: string;
  seed: number;
  by: StaffLogin;
  clientcode: string;
  taskname: string;
  appid: string;
  plancode: string;
  stagecode: string | null;
  year?: string | null;
  term?: '1' | '2' | null;
  teamcodes: readonly string[];
  /** persons of no team of the task */
  cuserids?: readonly string[];
  persons: readonly Person[];
  begin: Date;
  end: Date;
  /** exams take place up to this time; a task that has ended is closed */
  now: Date;
  /** 0 for the first exam of these persons, 1 for the next … */
  round: number;
  /** shares of persons who submit, who have started, and who are absent */
  shares: { done: number; doing: number; absent: number };
  hours?: readonly number[];
  onProgress: (doneCount: number, total: number) => void;
}

/** Creates the task, runs its exams in the order of time and marks absent persons. Then it closes the task or sends reminders. */
export async function runTask(calls: Calls, run: TaskRun): Promise<string> {
  const { begin, end, now, seed } = run;
  const createTime = new Date(begin.getTime() - 86_400_000);
  const creator = await calls.as(run.by, createTime);
  const { taskcode } = await creator(task.insertAssessTask, {
    taskname: run.taskname,
    appid: run.appid,
    plancode: run.plancode,
    stagecode: run.stagecode,
    year: run.year ?? null,
    term: run.term ?? null,
    teamcodes: [...run.teamcodes],
    cuserids: [...(run.cuserids ?? [])],
    begintime: minuteOf(begin),
    endtime: minuteOf(end),
    resultshow: 0,
    status: 1,
  });
  await collectGuardianPapers(calls, run, taskcode, createTime);
  const until = end < now ? end : now;
  const month = begin.getUTCMonth() + 1;
  const exams = run.persons.flatMap((person) => {
    const random = randomOf(seed, `sitting ${run.key}`, person.key);
    const answers = run.round === 0 ? person.persona?.spring : person.persona?.now;
    const share = random.next();
    const { done: doneCount, doing } = run.shares;
    if (answers === null || (answers === undefined && share >= doneCount + doing)) return [];
    // A person who has started but not submitted did so within the last three hours.
    const isUnfinished = answers === undefined && share >= doneCount;
    const from = isUnfinished ? new Date(Math.max(begin.getTime(), until.getTime() - 3 * 3_600_000)) : begin;
    const time =
      answers?.hoursago !== undefined
        ? new Date(now.getTime() - answers.hoursago * 3_600_000)
        : lessonTime(random, new Date(from.getTime() + 1_000_000), until, run.hours);
    let theta = person.theta;
    for (let round = 0; round < run.round; round++) theta = laterTheta(theta, randomOf(seed, `later ${round}`, person.key));
    return [
      {
        clientcode: run.clientcode,
        person,
        time,
        theta: theta + seasonalShift(month),
        random,
        answers,
        ...(isUnfinished ? { leaveAt: 0.2 + 0.6 * random.next() } : {}),
      },
    ];
  });
  exams.sort((a, b) => a.time.getTime() - b.time.getTime());
  let count = 0;
  await inParallel(exams, 4, async (exam) => {
    await takeExam(calls, exam);
    if (++count % 25 === 0) run.onProgress(count, exams.length);
  });
  await markAbsent(calls, run, taskcode, until);
  if (end < now) await (await calls.as(run.by, new Date(end.getTime() + 3_600_000)))(task.closeTask, { taskcode });
  else await (await calls.as(run.by, new Date(now.getTime() - 20 * 3_600_000)))(task.remindTask, { taskcode });
  return taskcode;
}

/** The school has collected the signed papers of the guardians, except the one of 许诺: her results wait for it. */
async function collectGuardianPapers(calls: Calls, run: TaskRun, taskcode: string, time: Date) {
  const call = await calls.as(run.by, time);
  const pageSize = 200;
  for (let page = 1; ; page += 1) {
    const { rows } = await call(board.getAssessTaskRoster, { taskcode, page, pageSize });
    const minors = rows.filter(({ age, username }) => age !== null && age < 18 && username !== personas.xu.username);
    if (minors.length > 0)
      await call(verifyGuardianConsent, {
        cuserids: minors.map(({ cuserid }) => cuserid),
        method: '02',
        remark: '开学时收齐的纸质回执',
      });
    if (rows.length < pageSize) return;
  }
}

/** Marks some of the persons who have not started as absent, with a reason. */
async function markAbsent(calls: Calls, run: TaskRun, taskcode: string, time: Date) {
  const call = await calls.as(run.by, time);
  const { rows } = await call(board.getAssessTaskRoster, { taskcode, status: 0, page: 1, pageSize: 200 });
  const scripted = new Set<string>(run.persons.flatMap(({ username, persona }) => (persona ? [username] : [])));
  const absentCount = Math.max(2, Math.round(run.persons.length * run.shares.absent));
  const absent = rows.filter(({ username }) => !scripted.has(username)).slice(0, absentCount);
  const reasons = [AbsentReason.leave, AbsentReason.refused, AbsentReason.health, AbsentReason.guardian];
  for (const [index, reason] of reasons.entries()) {
    const cuserids = absent.filter((_, position) => position % reasons.length === index).map(({ cuserid }) => cuserid);
    if (cuserids.length > 0) await call(task.setRosterReason, { taskcode, cuserids, reason });
  }
}
