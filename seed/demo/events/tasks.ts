import { AbsentReason } from '#domain/task/taskprogress.ts';
import * as board from '#features/task/board/board.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { laterTheta, seasonal } from '#seed/demo/content/answers.ts';
import { inParallel, type Calls } from '#seed/demo/calls.ts';
import type { StaffLogin } from '#seed/demo/tenants/institutions.ts';
import { lessonTime, minuteOf } from '#seed/demo/content/dates.ts';
import type { Person } from '#seed/demo/tenants/persons.ts';
import { chanceOf } from '#seed/demo/content/random.ts';
import { sit } from '#seed/demo/events/exams.ts';

/** A task of an institution as the demonstration plays it. */
export interface Play {
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
  persons: readonly Person[];
  begin: Date;
  end: Date;
  /** the moment up to which it is played; after its end it is closed */
  now: Date;
  /** 0 for the first test of these persons, 1 for the next … */
  round: number;
  /** share who hand in, who are on it, who are absent */
  shares: { done: number; doing: number; absent: number };
  hours?: readonly number[];
  say: (doneCount: number, of: number) => void;
}

/** Creates the task, lets everybody sit in the order of time, notes who is absent, chases the rest, and closes it if it is over. */
export async function playTask(calls: Calls, play: Play): Promise<string> {
  const { begin, end, now, seed } = play;
  const created = new Date(begin.getTime() - 86_400_000);
  const maker = await calls.as(play.by, created);
  const { taskcode } = await maker(task.insertAssessTask, {
    taskname: play.taskname,
    appid: play.appid,
    plancode: play.plancode,
    stagecode: play.stagecode,
    year: play.year ?? null,
    term: play.term ?? null,
    teamcodes: [...play.teamcodes],
    cuserids: [],
    begintime: minuteOf(begin),
    endtime: minuteOf(end),
    resultshow: 0,
    status: 1,
  });
  const until = end < now ? end : now;
  const month = begin.getUTCMonth() + 1;
  const sittings = play.persons.flatMap((person) => {
    const chance = chanceOf(seed, `sitting ${play.key}`, person.key);
    const sheets = play.round === 0 ? person.script?.spring : person.script?.now;
    const share = chance.next();
    const { done: doneCount, doing } = play.shares;
    if (sheets === null || (sheets === undefined && share >= doneCount + doing)) return [];
    // Who is under way was there within the last hours.
    const under = sheets === undefined && share >= doneCount;
    const from = under ? new Date(Math.max(begin.getTime(), until.getTime() - 3 * 3_600_000)) : begin;
    const time =
      sheets?.hoursago !== undefined
        ? new Date(now.getTime() - sheets.hoursago * 3_600_000)
        : lessonTime(chance, new Date(from.getTime() + 1_000_000), until, play.hours);
    let theta = person.theta;
    for (let round = 0; round < play.round; round++) theta = laterTheta(theta, chanceOf(seed, `later ${round}`, person.key));
    return [
      {
        clientcode: play.clientcode,
        person,
        at: time,
        theta: theta + seasonal(month),
        chance,
        sheets,
        ...(under ? { leaveAt: 0.2 + 0.6 * chance.next() } : {}),
      },
    ];
  });
  sittings.sort((a, b) => a.at.getTime() - b.at.getTime());
  let count = 0;
  await inParallel(sittings, 4, async (sitting) => {
    await sit(calls, sitting);
    if (++count % 25 === 0) play.say(count, sittings.length);
  });
  await markAbsent(calls, play, taskcode, until);
  if (end < now) await (await calls.as(play.by, new Date(end.getTime() + 3_600_000)))(task.closeTask, { taskcode });
  else await (await calls.as(play.by, new Date(now.getTime() - 20 * 3_600_000)))(task.remindTask, { taskcode });
  return taskcode;
}

/** Some of those who did not come are absent for a reason. */
async function markAbsent(calls: Calls, play: Play, taskcode: string, time: Date) {
  const call = await calls.as(play.by, time);
  const { rows } = await call(board.getAssessTaskRoster, { taskcode, status: 0, page: 1, pageSize: 200 });
  const scripted = new Set<string>(play.persons.flatMap(({ username, script }) => (script ? [username] : [])));
  const wantedCount = Math.max(2, Math.round(play.persons.length * play.shares.absent));
  const absent = rows.filter(({ username }) => !scripted.has(username)).slice(0, wantedCount);
  const reasons = [AbsentReason.leave, AbsentReason.refused, AbsentReason.health, AbsentReason.guardian];
  for (const [index, reason] of reasons.entries()) {
    const cuserids = absent.filter((_, at) => at % reasons.length === index).map(({ cuserid }) => cuserid);
    if (cuserids.length > 0) await call(task.setRosterReason, { taskcode, cuserids, reason });
  }
}
