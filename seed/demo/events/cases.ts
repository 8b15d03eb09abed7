import { fromShanghai } from '#domain/base/calendar.ts';
import * as care from '#features/care/care.contract.ts';
import * as task from '#features/task/task.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import type { WarningRow } from '#features/warning/warning.contract.ts';
import { inParallel, type Call, type Calls } from '#seed/demo/calls.ts';
import type { StaffLogin } from '#seed/demo/tenants/institutions.ts';
import { minutesLater, type Moments } from '#seed/demo/content/dates.ts';
import { assessReturn, stayedAtHome, upload } from '#seed/demo/events/papers.ts';
import type { Person } from '#seed/demo/tenants/persons.ts';
import { chanceOf } from '#seed/demo/content/random.ts';
import { sheets, type Sheets } from '#seed/demo/content/personas.ts';
import { sit } from '#seed/demo/events/exams.ts';
import { handlingWords } from '#seed/demo/content/words.ts';

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

const hospital = '云栖市第一人民医院';
const hour = 60;
const day = 24 * hour;

/** Cases nobody took over yet, oldest first. */
export async function pendingCases(calls: Calls, desk: Desk): Promise<WarningRow[]> {
  const call = await calls.as(desk.owner, desk.moments.now);
  const { rows } = await call(warning.getWarningPageList, { states: ['01'], pageSize: 200 });
  return rows.sort((a, b) => a.createtime.localeCompare(b.createtime));
}

/** A case on its way, and how steps are taken in it. */
interface Course {
  row: WarningRow;
  start: Date;
  grave: boolean;
  words: ReturnType<typeof handlingWords>;
  /** a step at so many minutes after the warning; false once that would be in the future */
  at: (minutes: number, work: (call: Call) => Promise<unknown>) => Promise<boolean>;
}

function courseOf(calls: Calls, desk: Desk, row: WarningRow): Course {
  const start = fromShanghai(row.createtime);
  const grave = (row.level ?? 0) >= 3;
  const chance = chanceOf(desk.seed, 'case', row.username + row.createtime);
  const at: Course['at'] = async (minutes, work) => {
    const moment = minutesLater(start, minutes + chance.whole(1, 9));
    if (moment >= desk.moments.now) return false;
    await work(await calls.as(desk.owner, moment));
    return true;
  };
  return { row, start, grave, words: handlingWords(chance, grave), at };
}

/**
 * Takes cases as far as their goals, four at a time. Those to be closed are tested again together, when the youngest of them
 * is old enough, and closed afterwards. What would lie after now is not done: a young case stands where it can stand.
 */
export async function handleCases(
  calls: Calls,
  desks: readonly Desk[],
  cases: readonly { row: WarningRow; goal: Goal }[],
  roundname: string,
): Promise<void> {
  const work = cases.map((warningCase, index) => ({ ...warningCase, desk: desks[index % desks.length] as Desk }));
  const watched: typeof work = [];
  await inParallel(work, 4, async (each) => {
    if (await treat(each.desk, courseOf(calls, each.desk, each.row), each.goal)) watched.push(each);
  });
  const closing = watched.filter(({ goal }) => goal === '07');
  const starts = closing.map(({ row }) => fromShanghai(row.createtime).getTime());
  const retest = minutesLater(new Date(Math.max(...starts)), 33 * day);
  const ends = closing.length > 0 && minutesLater(retest, 3 * day) < desks[0]!.moments.now;
  await inParallel(watched, 4, ({ desk, row, goal }) =>
    finishFollowUps(calls, desk, row, goal === '07' && ends ? retest : desk.moments.now),
  );
  if (!ends) return;
  const rows = closing.map(({ row }) => row);
  await retestOf(calls, desks[0]!, rows, retest, roundname, (row) => {
    const chance = chanceOf(desks[0]!.seed, 'better', row.username);
    return sheets(chance.whole(1, 4), 0, chance.whole(0, 4));
  });
  await inParallel(closing, 4, ({ desk, row }) => close(calls, desk, row, minutesLater(retest, day)));
}

/** One case by itself, all the way. */
export async function closeCase(calls: Calls, desk: Desk, row: WarningRow, answers: Sheets): Promise<void> {
  if (!(await treat(desk, courseOf(calls, desk, row), '07')))
    throw new Error(`the case of ${row.username} is too young to be closed`);
  const retest = minutesLater(fromShanghai(row.createtime), 33 * day);
  await finishFollowUps(calls, desk, row, retest);
  await retestOf(calls, desk, [row], retest, `${row.username[0]}同学复测`, () => answers);
  await close(calls, desk, row, minutesLater(retest, day));
}

/** From acceptance to observation with the steps, documents and delays of ordinary work. True once the case is in observation. */
async function treat(desk: Desk, { row, start, grave, words, at }: Course, goal: Goal): Promise<boolean> {
  const { warningcode, cuserid } = row;
  // Excluding a grave case takes a second person's word; it is followed instead.
  const aim: Goal = grave && goal === '08' ? '06' : goal;

  if (!(await at(2 * hour, (call) => call(handling.acceptWarning, { warningcode }))) || aim === '02') return false;
  if (aim === '08') {
    await at(5 * hour, (call) =>
      call(handling.verifyWarning, { warningcode, contactresult: '02', content: words.mistaken, falsealarm: 1 }),
    );
    return false;
  }
  if (
    !(await at(4 * hour, (call) =>
      call(handling.verifyWarning, { warningcode, contactresult: '01', content: words.verified, falsealarm: 0 }),
    )) ||
    aim === '03'
  )
    return false;
  const assessed = await at(20 * hour, (call) =>
    call(handling.insertRiskAssess, {
      ...calm,
      warningcode,
      ideation: grave ? 1 : 0,
      hopelessness: grave ? 1 : 0,
      ...(grave ? { asqanswers: { q1: '1', q2: '0', q3: '0', q4: '0', q5: '0' } } : {}),
      conclusionlevel: 2,
      plantext: words.plan,
      note: words.interview,
    }),
  );
  if (!assessed) return false;
  const person = desk.find(row.username);
  const gravePupil = grave && person !== undefined && 'gradecode' in person;
  const guardianname = person?.guardian.name ?? '家属';
  if (
    !(await at(22 * hour, async (call) =>
      call(
        handling.notifyGuardian,
        gravePupil
          ? { warningcode, guardianname, method: '02', content: words.signed, fileids: [await upload(call, 'receipt')] }
          : { warningcode, guardianname, method: '01', content: words.guardian },
      ),
    ))
  )
    return false;
  if (
    !(await at(26 * hour, (call) =>
      call(care.insertInterfere, { cuserid, warningcode, kind: '01', minutes: 40, content: words.counselling[0], effect: 3 }),
    ))
  )
    return false;
  if (!(await at(26 * hour + 10, (call) => call(handling.startIntervene, { warningcode, plantext: '' }))) || aim === '04')
    return false;
  if (grave || aim === '05') {
    let referralid = 0;
    const isSent = await at(30 * hour, async (call) => {
      ({ referralid } = await call(handling.insertReferral, {
        warningcode,
        tohospital: hospital,
        todept: '心理门诊',
        reason: words.referral,
        urgent: 0,
        fileids: [await upload(call, 'letter')],
      }));
    });
    if (!isSent || aim === '05') return false;
    if (
      !(await at(3 * day, async (call) =>
        call(handling.updateReferral, {
          warningcode,
          referralid,
          status: '04',
          visitdate: '',
          feedback: words.feedback,
          fileids: [await upload(call, 'record')],
        }),
      ))
    )
      return false;
  }
  if (!(await at(3 * day + hour, (call) => call(handling.observe, { warningcode, method: '01' })))) return false;
  if (gravePupil && stayedAtHome(desk.seed, row))
    await at(4 * day, (call) => assessReturn(call, row, hospital, minutesLater(start, 4 * day)));
  await at(5 * day, (call) =>
    call(care.insertInterfere, { cuserid, warningcode, kind: '01', minutes: 40, content: words.counselling[1], effect: 4 }),
  );
  return true;
}

/** The fields of an interview that found nothing. */
export const calm = {
  ideation: 0,
  plan: 0,
  means: 0,
  attempthistory: 0,
  hopelessness: 0,
  support: 2,
  psychosis: 0,
  substance: 0,
  infantharm: 0,
  abuse: 0,
  protective: ['家人支持', '愿意求助'],
};

async function close(calls: Calls, desk: Desk, row: WarningRow, time: Date) {
  const { warningcode } = row;
  const { words } = courseOf(calls, desk, row);
  await (
    await calls.as(desk.owner, time)
  )(handling.insertRiskAssess, { ...calm, warningcode, conclusionlevel: 1, plantext: '', note: words.better });
  await finishFollowUps(calls, desk, row, minutesLater(time, hour));
  await (
    await calls.as(desk.owner, minutesLater(time, hour))
  )(handling.closeWarning, { warningcode, closereason: '01', closenote: words.closing });
}

/** Carries out the appointments of a case that fall before `until`, also those made on the way, each within the hour after it was due. */
export async function finishFollowUps(
  calls: Calls,
  desk: Desk,
  row: WarningRow,
  until: Date,
  contents: readonly string[] = courseOf(calls, desk, row).words.followups,
): Promise<void> {
  for (let visits = 0; ;) {
    const reader = await calls.as(desk.owner, until);
    const { rows } = await reader(care.getFollowUpPageList, { warningcode: row.warningcode, view: 'all', pageSize: 200 });
    const due = rows
      .filter((item) => item.status === '01' || item.status === '03')
      .map((item) => ({ ...item, moment: minutesLater(fromShanghai(item.duetime), 25) }))
      .filter(({ moment }) => moment < until)
      .sort((a, b) => a.moment.getTime() - b.moment.getTime());
    if (due.length === 0) return;
    for (const { followupid, moment } of due) {
      const call = await calls.as(desk.owner, moment);
      await call(care.finishFollowUp, {
        followupid,
        status: '02',
        content: contents[visits % contents.length] as string,
        currentlevel: Math.max(0, 2 - visits),
      });
      visits++;
    }
  }
}

/** A re-test of some persons at a time: asked for by staff, answered in the two hours after, closed the next day. */
export async function retestOf(
  calls: Calls,
  desk: Desk,
  rows: readonly Pick<WarningRow, 'cuserid' | 'username'>[],
  time: Date,
  taskname: string,
  answers: (row: Pick<WarningRow, 'cuserid' | 'username'>) => Sheets,
): Promise<void> {
  const { taskcode } = await (
    await calls.as(desk.owner, time)
  )(task.createRetestTask, { cuserids: rows.map(({ cuserid }) => cuserid), round: '03', taskname });
  await inParallel(rows, 4, async (row) => {
    const person = desk.find(row.username);
    if (!person) throw new Error(`nobody is called ${row.username}`);
    const chance = chanceOf(desk.seed, 'retest', person.key + time.getTime());
    await sit(calls, {
      clientcode: desk.clientcode,
      person,
      at: minutesLater(time, chance.whole(30, 150)),
      theta: 0,
      chance,
      sheets: answers(row),
    });
  });
  await (
    await calls.as(desk.owner, minutesLater(time, day))
  )(task.closeTask, { taskcode });
}
