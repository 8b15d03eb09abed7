import { fromShanghai } from '#domain/base/calendar.ts';
import * as care from '#features/care/care.contract.ts';
import * as task from '#features/task/task.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as special from '#features/warning/special/special.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import type { WarningRow } from '#features/warning/warning.contract.ts';
import { inParallel, type Call, type Calls } from '#seed/demo/calls.ts';
import type { StaffLogin } from '#seed/demo/tenants/institutions.ts';
import { minutesLater, type DemoDates } from '#seed/demo/content/dates.ts';
import { assessReturn, hasStayedAtHome, uploadPaper } from '#seed/demo/events/papers.ts';
import type { Person } from '#seed/demo/tenants/persons.ts';
import { randomOf } from '#seed/demo/content/random.ts';
import { personaAnswers, type PersonaAnswers } from '#seed/demo/content/personas.ts';
import { takeExam } from '#seed/demo/events/exams.ts';
import { safetyPlanOf } from '#seed/demo/content/safetyplans.ts';
import { handlingTexts } from '#seed/demo/content/words.ts';

/** A member of staff who handles cases of an institution. */
export interface StaffDesk {
  clientcode: string;
  owner: StaffLogin;
  /** the second human of grave cases */
  second: StaffLogin;
  dates: DemoDates;
  seed: number;
  /** finds a person of the institution by name */
  find: (username: string) => Person | undefined;
}

/** The state that a case reaches: codes of `warning.state`. */
export type TargetState = '02' | '03' | '04' | '05' | '06' | '07' | '08';

const hospital = '云栖市第一人民医院';
const hour = 60;
const day = 24 * hour;

/** Returns the cases that nobody has accepted, the oldest first. */
export async function findPendingCases(calls: Calls, desk: StaffDesk): Promise<WarningRow[]> {
  const call = await calls.as(desk.owner, desk.dates.now);
  const { rows } = await call(warning.getWarningPageList, { states: ['01'], pageSize: 200 });
  return rows.sort((a, b) => a.createtime.localeCompare(b.createtime));
}

/** A case and the function that executes its next steps. */
interface CaseCourse {
  row: WarningRow;
  start: Date;
  isGrave: boolean;
  texts: ReturnType<typeof handlingTexts>;
  /** executes a step some minutes after the warning; false when this time is in the future */
  after: (minutes: number, work: (call: Call) => Promise<unknown>) => Promise<boolean>;
}

function startCourse(calls: Calls, desk: StaffDesk, row: WarningRow): CaseCourse {
  const start = fromShanghai(row.createtime);
  const isGrave = (row.level ?? 0) >= 3;
  const random = randomOf(desk.seed, 'case', row.username + row.createtime);
  const after: CaseCourse['after'] = async (minutes, work) => {
    const stepTime = minutesLater(start, minutes + random.integer(1, 9));
    if (stepTime >= desk.dates.now) return false;
    await work(await calls.as(desk.owner, stepTime));
    return true;
  };
  return { row, start, isGrave, texts: handlingTexts(random, isGrave), after };
}

/**
 * Handles cases up to their target states, four at a time. The cases to close get a common re-test, when the youngest of them is
 * old enough; then they are closed. No step is in the future, so a young case may stop before its target.
 */
export async function handleCases(
  calls: Calls,
  desks: readonly StaffDesk[],
  cases: readonly { row: WarningRow; target: TargetState }[],
  roundname: string,
): Promise<void> {
  const work = cases.map((warningCase, index) => ({ ...warningCase, desk: desks[index % desks.length] as StaffDesk }));
  const observed: typeof work = [];
  await inParallel(work, 4, async (item) => {
    if (await handleCase(item.desk, startCourse(calls, item.desk, item.row), item.target)) observed.push(item);
  });
  const closing = observed.filter(({ target }) => target === '07');
  const starts = closing.map(({ row }) => fromShanghai(row.createtime).getTime());
  const retest = minutesLater(new Date(Math.max(...starts)), 33 * day);
  const canClose = closing.length > 0 && minutesLater(retest, 3 * day) < desks[0]!.dates.now;
  await inParallel(observed, 4, ({ desk, row, target }) =>
    finishFollowUps(calls, desk, row, target === '07' && canClose ? retest : desk.dates.now),
  );
  if (!canClose) return;
  const rows = closing.map(({ row }) => row);
  await runRetest(calls, desks[0]!, rows, retest, roundname, (row) => {
    const random = randomOf(desks[0]!.seed, 'better', row.username);
    return personaAnswers(random.integer(1, 4), 0, random.integer(0, 4));
  });
  await inParallel(closing, 4, ({ desk, row }) => close(calls, desk, row, minutesLater(retest, day)));
}

/** Handles one case up to its closing. */
export async function closeCase(calls: Calls, desk: StaffDesk, row: WarningRow, answers: PersonaAnswers): Promise<void> {
  if (!(await handleCase(desk, startCourse(calls, desk, row), '07')))
    throw new Error(`the case of ${row.username} is too young to be closed`);
  const retest = minutesLater(fromShanghai(row.createtime), 33 * day);
  await finishFollowUps(calls, desk, row, retest);
  await runRetest(calls, desk, [row], retest, `${row.username[0]}同学复测`, () => answers);
  await close(calls, desk, row, minutesLater(retest, day));
}

/** Handles a case from acceptance to observation, with realistic steps, documents and delays. True when it is in observation. */
async function handleCase(
  desk: StaffDesk,
  { row, start, isGrave, texts, after }: CaseCourse,
  target: TargetState,
): Promise<boolean> {
  const { warningcode, cuserid } = row;
  // A second person must confirm that a grave case is a false alarm, so this case is observed instead.
  const finalState: TargetState = isGrave && target === '08' ? '06' : target;

  if (!(await after(2 * hour, (call) => call(handling.acceptWarning, { warningcode }))) || finalState === '02') return false;
  const isVerified = await after(4 * hour, (call) =>
    call(handling.verifyWarning, {
      warningcode,
      contactresult: '01',
      content: finalState === '08' ? texts.mistaken : texts.verified,
      falsealarm: 0,
    }),
  );
  if (!isVerified || finalState === '03') return false;
  if (finalState === '08') {
    // After an answer about self-harm only a negative ASQ shows that the alarm was false.
    const isAsked = await after(20 * hour, (call) =>
      call(handling.insertRiskAssess, { ...noRiskFindings, warningcode, asqanswers: negativeAsq, conclusionlevel: 0 }),
    );
    if (isAsked)
      await after(21 * hour, (call) =>
        call(handling.verifyWarning, { warningcode, contactresult: '02', content: texts.mistaken, falsealarm: 1 }),
      );
    return false;
  }
  const isAssessed = await after(20 * hour, (call) =>
    call(handling.insertRiskAssess, {
      ...noRiskFindings,
      warningcode,
      ideation: isGrave ? 1 : 0,
      hopelessness: isGrave ? 1 : 0,
      conclusionlevel: 2,
      safetyplan: safetyPlanOf(desk.find(row.username), row.createtime.slice(0, 10)),
      note: texts.interview,
    }),
  );
  if (!isAssessed) return false;
  const person = desk.find(row.username);
  const isGraveStudent = isGrave && person !== undefined && 'gradecode' in person;
  const guardianname = person?.guardian.name ?? '家属';
  if (
    !(await after(22 * hour, async (call) =>
      call(
        handling.notifyGuardian,
        isGraveStudent
          ? { warningcode, guardianname, method: '02', content: texts.signed, fileids: [await uploadPaper(call, 'receipt')] }
          : { warningcode, guardianname, method: '01', content: texts.guardian },
      ),
    ))
  )
    return false;
  if (
    !(await after(26 * hour, (call) =>
      call(care.insertInterfere, { cuserid, warningcode, kind: '01', minutes: 40, content: texts.counselling[0], effect: 3 }),
    ))
  )
    return false;
  if (!(await after(26 * hour + 10, (call) => call(handling.startIntervene, { warningcode }))) || finalState === '04')
    return false;
  if (isGrave || finalState === '05') {
    let referralid = 0;
    const isSent = await after(30 * hour, async (call) => {
      ({ referralid } = await call(handling.insertReferral, {
        warningcode,
        tohospital: hospital,
        todept: '心理门诊',
        reason: texts.referral,
        urgent: 0,
        fileids: [await uploadPaper(call, 'letter')],
      }));
    });
    if (!isSent || finalState === '05') return false;
    if (
      !(await after(3 * day, async (call) =>
        call(handling.updateReferral, {
          warningcode,
          referralid,
          status: '04',
          visitdate: '',
          feedback: texts.feedback,
          fileids: [await uploadPaper(call, 'record')],
        }),
      ))
    )
      return false;
  }
  if (!(await after(3 * day + hour, (call) => call(handling.observe, { warningcode, method: '01' })))) return false;
  if (isGraveStudent && hasStayedAtHome(desk.seed, row))
    await after(4 * day, (call) => assessReturn(call, row, hospital, minutesLater(start, 4 * day)));
  await after(5 * day, (call) =>
    call(care.insertInterfere, { cuserid, warningcode, kind: '02', minutes: 40, content: texts.counselling[1], effect: 4 }),
  );
  return true;
}

/** The answers 否 to all questions of the ASQ. */
const negativeAsq = { q1: '0', q2: '0', q3: '0', q4: '0' };

/** The fields of an interview without risk findings. */
export const noRiskFindings = {
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
  asqanswers: { q1: '0', q2: '0', q3: '0', q4: '0' },
  protective: ['家人支持', '愿意求助'],
};

async function close(calls: Calls, desk: StaffDesk, row: WarningRow, time: Date) {
  const { warningcode } = row;
  const { texts } = startCourse(calls, desk, row);
  await (
    await calls.as(desk.owner, time)
  )(handling.insertRiskAssess, { ...noRiskFindings, warningcode, conclusionlevel: 1, note: texts.better });
  // A follow-up takes place 25 minutes after it is due, and none may be due at the closing.
  await finishFollowUps(calls, desk, row, minutesLater(time, 2 * hour + 26));
  await confirmClosing(calls, desk, warningcode, minutesLater(time, hour));
  await (
    await calls.as(desk.owner, minutesLater(time, 2 * hour))
  )(handling.closeWarning, { warningcode, closereason: '01', closenote: texts.closing });
}

/** The second human opens a grave case and confirms that it may be closed. */
export async function confirmClosing(calls: Calls, desk: StaffDesk, warningcode: string, time: Date): Promise<void> {
  const call = await calls.as(desk.second, time);
  const { version, full } = await call(warning.getWarningDetail, { warningcode });
  if (!full?.criteria['01']?.some(({ key }) => key === 'second')) return;
  const content = '已查看访谈、复测和随访记录，同意结案';
  await call(special.confirmWarning, { warningcode, version, subject: 'close', content });
}

/** Finishes the follow-ups of a case that are due before `until`, also new ones, each within the hour after it is due. */
export async function finishFollowUps(
  calls: Calls,
  desk: StaffDesk,
  row: WarningRow,
  until: Date,
  contents: readonly string[] = startCourse(calls, desk, row).texts.followups,
): Promise<void> {
  for (let visits = 0; ;) {
    const reader = await calls.as(desk.owner, until);
    const { rows } = await reader(care.getFollowUpPageList, { warningcode: row.warningcode, view: 'all', pageSize: 200 });
    const dueFollowUps = rows
      .filter((item) => item.status === '01' || item.status === '03')
      .map((item) => ({ ...item, time: minutesLater(fromShanghai(item.duetime), 25) }))
      .filter(({ time }) => time < until)
      .sort((a, b) => a.time.getTime() - b.time.getTime());
    if (dueFollowUps.length === 0) return;
    for (const { followupid, time } of dueFollowUps) {
      const call = await calls.as(desk.owner, time);
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

/** Runs a re-test. Staff create it at `time`, the persons answer within three hours, and staff close it the next day. */
export async function runRetest(
  calls: Calls,
  desk: StaffDesk,
  rows: readonly Pick<WarningRow, 'cuserid' | 'username'>[],
  time: Date,
  taskname: string,
  answers: (row: Pick<WarningRow, 'cuserid' | 'username'>) => PersonaAnswers,
): Promise<void> {
  const { taskcode } = await (
    await calls.as(desk.owner, time)
  )(task.createRetestTask, { cuserids: rows.map(({ cuserid }) => cuserid), round: '03', taskname });
  await inParallel(rows, 4, async (row) => {
    const person = desk.find(row.username);
    if (!person) throw new Error(`no person has the name ${row.username}`);
    const random = randomOf(desk.seed, 'retest', person.key + time.getTime());
    await takeExam(calls, {
      clientcode: desk.clientcode,
      person,
      time: minutesLater(time, random.integer(30, 150)),
      theta: 0,
      random,
      answers: answers(row),
    });
  });
  await (
    await calls.as(desk.owner, minutesLater(time, day))
  )(task.closeTask, { taskcode });
}
