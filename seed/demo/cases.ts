import { fromShanghai } from '#domain/calendar.ts';
import * as care from '#features/care/care.contract.ts';
import * as task from '#features/task/task.contract.ts';
import * as handling from '#features/warning/handling.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import type { WarningRow } from '#features/warning/warning.contract.ts';
import type { Call, Calls } from '#seed/demo/calls.ts';
import type { StaffLogin } from '#seed/demo/institutions.ts';
import { minutesLater, type Moments } from '#seed/demo/moments.ts';
import type { Person } from '#seed/demo/persons.ts';
import { chanceOf } from '#seed/demo/random.ts';
import { sheets, type Sheets } from '#seed/demo/scripts.ts';
import { sit } from '#seed/demo/sitting.ts';
import { handlingWords } from '#seed/demo/words.ts';

/** Where cases of an institution are handled, and by whom. */
export interface Desk {
  clientcode: string;
  owner: StaffLogin;
  moments: Moments;
  seed: number;
  /** everybody of the institution by name and number of student, or telephone */
  find: (username: string) => Person | undefined;
}

export type Goal = '02' | '03' | '04' | '05' | '06' | '07' | '08';

const hour = 60;
const day = 24 * hour;

/** Cases nobody took over yet, oldest first. */
export async function pendingCases(calls: Calls, desk: Desk): Promise<WarningRow[]> {
  const call = await calls.as(desk.owner, desk.moments.now);
  const { rows } = await call(warning.getWarningPageList, { states: ['01'], pageSize: 200 });
  return rows.sort((a, b) => a.createtime.localeCompare(b.createtime));
}

/**
 * Takes a case from its first minute as far as `goal`, with the steps, documents and delays of ordinary work. What would lie
 * after now is not done: a young case simply stands where it can stand.
 */
export async function handleCase(calls: Calls, desk: Desk, row: WarningRow, goal: Goal, retest?: Sheets): Promise<void> {
  const { warningcode, cuserid } = row;
  const start = fromShanghai(row.createtime);
  const grave = (row.level ?? 0) >= 3;
  const chance = chanceOf(desk.seed, 'case', row.username + row.createtime);
  const words = handlingWords(chance, grave);
  /** a step at so many minutes after the warning; false once that would be in the future */
  const at = async (minutes: number, work: (call: Call) => Promise<unknown>): Promise<boolean> => {
    const moment = minutesLater(start, minutes + chance.whole(1, 9));
    if (moment >= desk.moments.now) return false;
    await work(await calls.as(desk.owner, moment));
    return true;
  };
  const reached = (...goals: Goal[]) => goals.includes(goal);

  if (!(await at(2 * hour, (call) => call(handling.acceptWarning, { warningcode })))) return;
  if (reached('02')) return;
  if (reached('08')) {
    await at(5 * hour, (call) =>
      call(handling.verifyWarning, { warningcode, contactresult: '02', content: words.mistaken, falsealarm: 1 }),
    );
    return;
  }
  if (
    !(await at(4 * hour, (call) =>
      call(handling.verifyWarning, { warningcode, contactresult: '01', content: words.verified, falsealarm: 0 }),
    ))
  )
    return;
  if (reached('03')) return;
  const assessed = await at(
    20 * hour,
    (call) =>
    call(handling.insertRiskAssess, {
      warningcode, ideation: grave ? 1 : 0, plan: 0, means: 0, attempthistory: 0, hopelessness: grave ? 1 : 0, support: 2, psychosis: 0, substance: 0, infantharm: 0, abuse: 0, protective: ['家人支持', '愿意求助'],
      ...(grave ? { asqanswers: { q1: '1', q2: '0', q3: '0', q4: '0', q5: '0' } } : {}), conclusionlevel: 2, plantext: words.plan, note: words.interview,
    }), // prettier-ignore
  );
  if (!assessed) return;
  if (
    !(await at(22 * hour, (call) =>
      call(handling.notifyGuardian, {
        warningcode,
        guardianname: desk.find(row.username)?.guardian.name ?? '家属',
        method: '01',
        content: words.guardian,
      }),
    ))
  )
    return;
  if (
    !(await at(26 * hour, (call) =>
      call(care.insertInterfere, { cuserid, warningcode, kind: '01', minutes: 40, content: words.counselling[0], effect: 3 }),
    ))
  )
    return;
  if (!(await at(26 * hour + 10, (call) => call(handling.startIntervene, { warningcode, plantext: '' })))) return;
  if (reached('04')) return;
  if (grave || reached('05')) {
    let referralid = 0;
    const sent = await at(30 * hour, async (call) => {
      ({ referralid } = await call(handling.insertReferral, {
        warningcode,
        tohospital: '云栖市第一人民医院',
        todept: '心理门诊',
        reason: words.referral,
        urgent: 0,
      }));
    });
    if (!sent || reached('05')) return;
    const answered = await at(3 * day, (call) =>
      call(handling.updateReferral, { warningcode, referralid, status: '04', visitdate: '', feedback: words.feedback }),
    );
    if (!answered) return;
  }
  if (!(await at(3 * day + hour, (call) => call(handling.observe, { warningcode, method: '01' })))) return;
  await at(5 * day, (call) =>
    call(care.insertInterfere, { cuserid, warningcode, kind: '01', minutes: 40, content: words.counselling[1], effect: 4 }),
  );
  const follow = (until: Date) => finishFollowUps(calls, desk, row, until, words.followups);
  const retestAt = minutesLater(start, (grave ? 33 : 30) * day);
  if (reached('06') || minutesLater(retestAt, 2 * day) >= desk.moments.now) return follow(desk.moments.now);
  await follow(retestAt);
  await retestOf(calls, desk, row, retestAt, retest ?? sheets(chance.whole(1, 4), 0, chance.whole(0, 4)));
  await at(
    (grave ? 34 : 31) * day,
    (call) =>
    call(handling.insertRiskAssess, {
      warningcode, ideation: 0, plan: 0, means: 0, attempthistory: 0, hopelessness: 0, support: 2, psychosis: 0, substance: 0, infantharm: 0, abuse: 0, protective: ['家人支持', '愿意求助'], conclusionlevel: 1, plantext: '', note: words.better,
    }), // prettier-ignore
  );
  await at((grave ? 34 : 31) * day + hour, (call) =>
    call(handling.closeWarning, { warningcode, closereason: '01', closenote: words.closing }),
  );
}

/** Carries out the appointments of a case that fall before `until`, each in the hour after it was due. */
export async function finishFollowUps(
  calls: Calls,
  desk: Desk,
  row: WarningRow,
  until: Date,
  contents: readonly string[],
): Promise<void> {
  const reader = await calls.as(desk.owner, until);
  const { rows } = await reader(care.getFollowUpPageList, { warningcode: row.warningcode, view: 'all', pageSize: 200 });
  const due = rows
    .filter((each) => each.status === '01' || each.status === '03')
    .sort((a, b) => a.duetime.localeCompare(b.duetime));
  for (const [index, each] of due.entries()) {
    const moment = minutesLater(fromShanghai(each.duetime), 25);
    if (moment >= until) return;
    const call = await calls.as(desk.owner, moment);
    await call(care.finishFollowUp, {
      followupid: each.followupid,
      status: '02',
      content: contents[index % contents.length] as string,
      currentlevel: Math.max(0, 2 - index),
    });
  }
}

/** A re-test of one person at a time: asked for by staff, answered two hours later. */
export async function retestOf(
  calls: Calls,
  desk: Desk,
  row: Pick<WarningRow, 'cuserid' | 'username'>,
  at: Date,
  answers: Sheets,
): Promise<void> {
  const person = desk.find(row.username);
  if (!person) throw new Error(`nobody is called ${row.username}`);
  const call = await calls.as(desk.owner, at);
  await call(task.createRetestTask, { cuserids: [row.cuserid], round: '03', taskname: `${person.username[0]}同学复测` });
  await sit(calls, {
    clientcode: desk.clientcode,
    person,
    at: minutesLater(at, 120),
    theta: 0,
    chance: chanceOf(desk.seed, 'retest', person.key + at.getTime()),
    sheets: answers,
  });
}
