import { addDays, fromShanghai, shanghaiDate, shanghaiTime } from '#domain/base/calendar.ts';
import type { RequestOf } from '#contract/action.ts';
import * as booking from '#features/consult/booking/booking.contract.ts';
import { updateConsultForm } from '#features/consult/forms/forms.contract.ts';
import { saveConsultNote } from '#features/consult/note/note.contract.ts';
import { applyConsult } from '#features/consult/person/person.contract.ts';
import * as register from '#features/consult/register/register.contract.ts';
import * as schedule from '#features/consult/schedule/schedule.contract.ts';
import { getCUserPageList } from '#features/cuser/cuser.contract.ts';
import { loginRespondent } from '#features/respond/respond.contract.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';
import { minuteOf, minutesLater, type DemoDates } from '#seed/demo/content/dates.ts';
import { personas, personWithoutExam } from '#seed/demo/content/personas.ts';
import { userOf } from '#seed/demo/tenants/institutions.ts';
import type { Student } from '#seed/demo/tenants/persons.ts';
import type { DemoRun } from '#seed/demo/run.ts';

type Counsellor = 'demo_psych' | 'demo_psych2';
/** What a counsellor enters after a conversation. */
type Result = Omit<RequestOf<typeof booking.finishConsult>, 'consultid'>;

/** The hours of the counsellors: 14:00 to 17:50 on these days (1: Monday), each in a room of their own. */
const HOURS: Readonly<Record<Counsellor, { weekdays: number[]; room: string }>> = {
  demo_psych: { weekdays: [1, 3, 5], room: '心理咨询室一' },
  demo_psych2: { weekdays: [2, 4], room: '心理咨询室二' },
};
const WORKDAYS = [1, 2, 3, 4, 5];
const SESSION_MINUTES = 50;
/** Persons that staff enter, without the one from a case. */
const APPLICANTS = 10;

const weekdayOf = (time: Date) => new Date(`${shanghaiDate(time)}T00:00:00Z`).getUTCDay() || 7;

/** The n-th of these weekdays after today, or before it for a negative n, at a time of day. */
function nthDay({ now }: DemoDates, weekdays: readonly number[], n: number, clock: string): Date {
  const step = Math.sign(n);
  let left = Math.abs(n);
  let time = now;
  while (left > 0) {
    time = addDays(time, step);
    if (weekdays.includes(weekdayOf(time))) left -= 1;
  }
  return fromShanghai(`${shanghaiDate(time)} ${clock}`);
}

/** A registration of the demonstration, and the words of its form. */
interface Applicant {
  cuserid: string;
  topics: readonly ('01' | '02' | '03' | '04' | '06' | '08')[];
  detail: string;
}

/**
 * The consultations of 晨光中学: registrations in every state over some weeks, with a weekly series, a group session, a missed booking, a
 * case, an overdue registration, and private notes.
 */
export async function holdConsultations({ calls, dates }: DemoRun, pupils: readonly Student[]): Promise<void> {
  const psych = (time: Date) => calls.as('demo_psych', time);
  await openRoom();
  const people = await findPeople();
  const next = (topics: Applicant['topics'], detail: string): Applicant => {
    const cuserid = people.shift();
    if (cuserid === undefined) throw new Error('too few persons for the consultations');
    return { cuserid, topics, detail };
  };

  /** The institution offers the form and lets persons choose a time; two counsellors have hours. */
  async function openRoom() {
    const begin = dates.day(-45, '10:00');
    const call = await psych(begin);
    await call(updateConsultForm, { formcode: 'CONSULTREG', title: '预约心理咨询', enabled: 1 });
    await call(updateConsultForm, { selfbook: 1 });
    for (const [counsellor, { weekdays, room }] of Object.entries(HOURS) as [Counsellor, (typeof HOURS)[Counsellor]][])
      await (
        await calls.as(counsellor, begin)
      )(schedule.insertCounsellorTime, {
        userid: userOf(counsellor),
        weekdays,
        begintime: '14:00',
        endtime: '17:50',
        minutes: SESSION_MINUTES,
        pause: 10,
        room,
        validfrom: shanghaiDate(begin),
      });
  }

  /** Pupils without a case who are no personas, always in the same order. */
  async function findPeople() {
    const { rows } = await (await psych(dates.now))(getCUserPageList, { pageSize: 200, orderby: 'username', isasc: '1' });
    const known = new Set<string>([...Object.values(personas), personWithoutExam].map(({ username }) => username));
    const free = rows.filter(({ riskflag, username }) => !riskflag && !known.has(username));
    // Spread over the list, which is in the order of the names.
    const stride = Math.max(1, Math.floor(free.length / APPLICANTS));
    return free.filter((_, index) => index % stride === 0).map(({ cuserid }) => cuserid);
  }

  const answersOf = ({ topics, detail }: Omit<Applicant, 'cuserid'>, time: Date) => ({
    consultdate: shanghaiTime(time).slice(0, 16),
    topics: [...topics],
    duration: 1 + topics.length,
    before: '0',
    detail,
    expect: '希望有人听我说说，找到能做的办法',
  });

  async function apply(applicant: Applicant, time: Date): Promise<number> {
    const { cuserid } = applicant;
    const answers = answersOf(applicant, time);
    return (await (await psych(time))(register.insertConsult, { cuserid, formcode: 'CONSULTREG', answers })).consultid;
  }

  /** A pupil applies on the respondent's page. */
  async function applyOneself({ username, key }: Student, words: Omit<Applicant, 'cuserid'>, time: Date): Promise<void> {
    const { token } = await calls.with('', time)(loginRespondent, { clientcode: 'demo-chenguang', username, key });
    await calls.with(token, minutesLater(time, 4))(applyConsult, { formcode: 'CONSULTREG', answers: answersOf(words, time) });
  }

  async function book(
    consultid: number,
    counsellor: Counsellor,
    { at, on, ...more }: { at: Date; on: Date; weeks?: number; consulttype?: '01' | '04'; groupid?: number },
  ): Promise<number[]> {
    const { consultids } = await (
      await psych(at)
    )(booking.appointConsult, {
      consultid,
      counsellor: userOf(counsellor),
      slotbegin: minuteOf(on),
      slotend: minuteOf(minutesLater(on, SESSION_MINUTES)),
      room: HOURS[counsellor].room,
      ...more,
    });
    return consultids;
  }

  async function finish(
    consultid: number,
    counsellor: Counsellor,
    on: Date,
    result: Result,
    note?: { note: string; isshared: 0 | 1 },
  ) {
    const call = await calls.as(counsellor, minutesLater(on, SESSION_MINUTES + 10));
    await call(booking.finishConsult, { consultid, ...result });
    if (note) await call(saveConsultNote, { consultid, ...note, updatetime: null });
  }

  const own = HOURS.demo_psych.weekdays;
  const others = HOURS.demo_psych2.weekdays;
  const workday = (n: number, clock: string) => nthDay(dates, WORKDAYS, n, clock);

  // A single conversation that ended well, and one of the colleague that led to a hospital.
  const ended = await apply(next(['01'], '期中考试前压力很大，晚上睡得晚'), workday(-22, '10:20'));
  const endedOn = nthDay(dates, own, -12, '15:00');
  await book(ended, 'demo_psych', { at: workday(-22, '11:00'), on: endedOn });
  await finish(
    ended,
    'demo_psych',
    endedOn,
    { currentlevel: 0, outcome: '02', summary: '考前压力，作息推迟。一起排了复习和睡眠时间表，本人觉得够用，约定需要时再来。' },
    { note: '谈到父亲时停了很久，没有继续。若再来，可以从“家里谁最懂你”开始。', isshared: 0 },
  );
  const referred = await apply(next(['06', '08'], '近一个月入睡困难，白天没精神，常常头痛'), workday(-16, '09:40'));
  const referredOn = nthDay(dates, others, -5, '14:00');
  await book(referred, 'demo_psych2', { at: workday(-16, '15:00'), on: referredOn });
  await finish(referred, 'demo_psych2', referredOn, {
    currentlevel: 2,
    outcome: '03',
    summary: '入睡困难持续一个月，伴头痛，影响上课。已与家长沟通，建议到医院睡眠门诊评估，校内两周后再见。',
  });

  // A weekly series: two conversations took place, two are to come.
  let first = nthDay(dates, own, -1, '14:00');
  for (let n = 2; first > dates.day(-8, '23:00'); n += 1) first = nthDay(dates, own, -n, '14:00');
  const applied = addDays(first, -3);
  const [one, two] = await book(await apply(next(['03', '02'], '和好朋友闹翻了，不想去食堂'), applied), 'demo_psych', {
    at: minutesLater(applied, 60),
    on: first,
    weeks: 4,
  });
  const nextdate = (on: Date) => shanghaiDate(addDays(on, 7));
  await finish(one!, 'demo_psych', first, {
    currentlevel: 2,
    outcome: '01',
    nextdate: nextdate(first),
    summary: '与好友的冲突持续三周，回避食堂和课间。梳理经过，练习说出感受，下周继续。',
  });
  const second = addDays(first, 7);
  await finish(
    two!,
    'demo_psych',
    second,
    {
      currentlevel: 1,
      outcome: '01',
      nextdate: nextdate(second),
      attendance: '02',
      summary: '已和好友说上话，情绪好转。讨论班级里还有谁可以一起吃饭，下周继续。',
    },
    { note: '对方先低头，她有些失落。留意“被选择”的主题，下次不急着给建议。', isshared: 1 },
  );

  // A conversation that goes on: its next registration waits for a time.
  const going = await apply(next(['04'], '父母经常争吵，回家不想说话'), workday(-9, '16:10'));
  const goingOn = nthDay(dates, others, -2, '15:00');
  await book(going, 'demo_psych2', { at: workday(-8, '09:00'), on: goingOn });
  await finish(going, 'demo_psych2', goingOn, {
    currentlevel: 1,
    outcome: '01',
    nextdate: shanghaiDate(nthDay(dates, others, 2, '15:00')),
    summary: '父母争吵增多，本人担心弟弟。约定在家难受时的三个去处，下次邀请母亲一起谈。',
  });

  // Somebody did not come; somebody no longer needs it.
  const missed = await apply(next(['02'], '最近容易发脾气，事后又后悔'), workday(-7, '10:00'));
  const missedOn = nthDay(dates, own, -2, '16:00');
  await book(missed, 'demo_psych', { at: workday(-7, '14:00'), on: missedOn });
  await (
    await psych(minutesLater(missedOn, 30))
  )(booking.missConsult, { consultid: missed, content: '班主任说当天有年级活动' });
  const cancelled = await apply(next(['01'], '想了解怎么选选修课'), workday(-6, '09:30'));
  await (
    await psych(workday(-6, '10:30'))
  )(booking.cancelConsult, { consultid: cancelled, reason: '学业咨询，已转教务老师答复' });

  // A group session of three, a booking of the next workday, and one from a case.
  const sessionOn = nthDay(dates, others, 1, '16:00');
  let groupid: number | undefined;
  for (const detail of ['上台说话会发抖，想练习', '小组讨论时不敢开口', '怕被点名，心跳很快']) {
    const consultid = await apply(next(['03'], detail), workday(-3, '11:00'));
    const slot = { at: workday(-2, '15:30'), on: sessionOn, consulttype: '04' as const };
    await book(consultid, 'demo_psych2', groupid === undefined ? slot : { ...slot, groupid });
    groupid ??= consultid;
  }
  const today = WORKDAYS.includes(weekdayOf(dates.now)) ? dates.day(0, '16:00') : workday(1, '16:00');
  await book(await apply(next(['06'], '睡前总在想白天的事'), workday(-2, '14:20')), 'demo_psych', {
    at: workday(-1, '09:00'),
    on: today,
  });
  await bookFromCase();

  // Two applied themselves and wait: one for longer than three workdays.
  const [early, late] = pupils.filter(({ persona, theta }) => !persona && theta < 0) as [Student, Student];
  await applyOneself(early, { topics: ['02', '04'], detail: '家里有事，上课常常走神' }, workday(-5, '12:40'));
  await applyOneself(late, { topics: ['01', '06'], detail: '晚上做题做到很晚，早上起不来' }, workday(-1, '12:30'));

  async function bookFromCase() {
    const call = await psych(minutesLater(dates.now, -90));
    const { rows } = await call(getWarningPageList, { states: ['04', '05', '06'], pageSize: 200 });
    const row = rows.find(({ isoverdue, username }) => !isoverdue && username !== personas.zhao.username);
    if (!row) throw new Error('no open case for a consultation');
    const { cuserid, warningcode } = row;
    const { consultid } = await call(register.insertConsult, { cuserid, warningcode, topics: ['02'] });
    await book(consultid, 'demo_psych', { at: minutesLater(dates.now, -80), on: nthDay(dates, own, 2, '16:00') });
  }
}
