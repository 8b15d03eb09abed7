import { levelName } from '#domain/warning/levels.ts';
import { addDays, addHours, daysBetween, shanghaiDate } from '#domain/base/calendar.ts';
import { StaffCloseReason } from '#domain/base/enums.ts';
import { POSTVENTION_START } from '#domain/warning/clock/caseduty.ts';
import { isGuardianSettled } from '#domain/warning/decision/exemption.ts';
import { isSameHuman, missingSecond } from '#domain/warning/decision/secondPerson.ts';
import { missingRepeatInterview } from '#domain/warning/riskassess.ts';
import { hasOpenReferral, isSinceNews, lastAssess, latest } from '#domain/warning/warningfacts.ts';
import type {
  ConfirmSubject,
  RetestFact,
  StaffCloseReasonCode,
  WarningFacts,
  WarningLevelCode,
} from '#domain/warning/warningfacts.ts';

export type CriterionKey =
  | 'assess'
  | 'retest'
  | 'followups'
  | 'stable'
  | 'duties'
  | 'guardian'
  | 'contact'
  | 'asq'
  | 'receipt'
  | 'note'
  | 'second'
  | 'attempts'
  | 'family'
  | 'police'
  | 'death'
  | 'postvention';

/** One line of the closing checklist. */
export interface Criterion {
  key: CriterionKey;
  title: string;
  met: boolean;
  /** the missing part, as the case page shows it; '' when met */
  detail: string;
}

/** The greatest age of the interview for closing, in days (levels 3 and 4). */
const ASSESS_MAX_DAYS = 14;
/** Days between two re-tests: PHQ-9 and GAD-7 ask about the last two weeks. */
const RETEST_GAP_DAYS = 14;
/** Days from the last acute sign to the last follow-up (levels 3 and 4). */
const STABLE_DAYS = 28;
/** The least number of characters of a closing or exclusion note. */
export const NOTE_MIN = 10;
/** Failed contact attempts, on as many different days and over two channels, before a person counts as lost. */
export const LOST_ATTEMPTS = 3;
const LOST_CHANNELS = 2;
/** The greatest age of the last talk for closing, in days (levels 1 and 2). */
const TALK_MAX_DAYS = 30;
/** Days between two steps down of the level. */
const LOWER_GAP_DAYS = 7;
/** The greatest age of the interview for lowering, in days. */
const LOWER_ASSESS_DAYS = 7;

/** Whether a note is long enough to close or exclude a warning, counted in Unicode characters. */
export function isNoteSufficient(note: string): boolean {
  return [...note.trim()].length >= NOTE_MIN;
}

/** Input of the closing dialog that criteria need. */
export interface CloseEntry {
  /** police record (unit, time, number) or the guardian's written proof of safety, for 失访 at a peak of 4 */
  policerecord?: string;
}

/** What the second person must have confirmed for each reason; 误报 has the subject of the exclusion. */
const SECOND_SUBJECTS: Readonly<Partial<Record<StaffCloseReasonCode, ConfirmSubject>>> = {
  '01': 'close',
  '02': 'exclude',
  '03': 'transfer',
  '04': 'lost',
};

/**
 * The closing checklist (clinical-rules.md section E): the criteria for this warning and this reason, and which are met. Staff may
 * close when all are met. Evidence counts since the last news. The highest level of the case decides, also after lowering.
 * @param closer keys of the closing human; another human must confirm
 */
export function closingCriteria(
  facts: WarningFacts,
  closereason: StaffCloseReasonCode,
  now: Date,
  closer: readonly string[] = facts.ownerkeys,
  { policerecord = '' }: CloseEntry = {},
): Criterion[] {
  const isGrave = facts.peaklevel >= 3;
  const list: Criterion[] = [];
  const add = (key: CriterionKey, title: string, missing: string) =>
    list.push({ key, title, met: missing === '', detail: missing });
  const guardian = isGuardianSettled(facts, now) ? '' : '尚未告知监护人（家属），也没有有效的不告知登记';

  switch (closereason) {
    case StaffCloseReason.resolved:
      add(
        'assess',
        isGrave
          ? `14天内的访谈评估结论不高于“${levelName(1, facts.sector)}”`
          : `30天内有访谈记录或评估，结论不高于“${levelName(1, facts.sector)}”`,
        missingAssess(facts, now, isGrave),
      );
      add('retest', '复测结果稳定', missingRetest(facts));
      add('followups', '到期随访全部完成', missingFollowups(facts, now));
      if (isGrave) add('stable', '末次联系距最后一次急性征象满4周', missingStability(facts));
      add('duties', '专项职责全部完成', missingDuties(facts) || (isGrave ? missingVisit(facts) : ''));
      break;
    case StaffCloseReason.falseAlarm:
      add('contact', '新情况之后须与本人取得联系', missingContact(facts));
      if (facts.selfharm) add('asq', '自伤相关条目阳性：须有ASQ阴性的访谈', missingAsq(facts));
      break;
    case StaffCloseReason.handedOver:
      add('receipt', '接收方已确认接收', missingReceipt(facts));
      break;
    case StaffCloseReason.lost:
      add('attempts', '至少3次联系记录：3个不同日期、2种方式', missingAttempts(facts));
      if (isGrave) add('family', '已告知监护人或家属', facts.guardiannotified ? '' : '失访前须告知监护人或家属');
      if (facts.peaklevel >= 4)
        add(
          'police',
          '公安查找记录（单位、时间、编号）或监护人书面平安证明',
          policerecord.trim() ? '' : `“${levelName(4, facts.sector)}”个案失访须有该记录`,
        );
      break;
    case StaffCloseReason.died:
      add('death', '两人核实：登记人与结案人不是同一人', missingDeath(facts, closer));
      add('postvention', '善后工作已开始', missingPostvention(facts));
  }
  if (closereason !== StaffCloseReason.died) {
    const subject = SECOND_SUBJECTS[closereason];
    if (subject && (isGrave || closereason === StaffCloseReason.lost))
      add('second', '第二人复核确认', missingSecond(facts, subject, now, closer));
    const needsGuardian = closereason === StaffCloseReason.resolved || closereason === StaffCloseReason.handedOver;
    if (needsGuardian && isGrave && facts.guardianduetime !== null)
      add('guardian', '已告知监护人（家属）或已登记有效的不告知理由', guardian);
  }
  add(
    'note',
    `结案说明不少于${NOTE_MIN}个字`,
    isNoteSufficient(facts.closenote) ? '' : `结案说明现有${[...facts.closenote.trim()].length}个字`,
  );
  return list;
}

/** The criteria that are not met; error 140001 names them. */
export function unmetCriteria(...args: Parameters<typeof closingCriteria>): Criterion[] {
  return closingCriteria(...args).filter((criterion) => !criterion.met);
}

/** Why the level may not be lowered to `to` now, in Chinese; empty when it may. */
export function findLowerRefusals(facts: WarningFacts, to: WarningLevelCode, now: Date): string[] {
  const reasons: string[] = [];
  if (to !== facts.level - 1) reasons.push('每次只能下调一级');
  if (facts.loweredtime && now < addDays(facts.loweredtime, LOWER_GAP_DAYS)) reasons.push('7天内只能下调一次');
  const assess = lastAssess(facts);
  if (!assess || assess.time < addHours(now, -24 * LOWER_ASSESS_DAYS)) reasons.push('下调须有7天内的访谈评估');
  else if (assess.conclusionlevel > to)
    reasons.push(`最近一次访谈评估结论为“${levelName(assess.conclusionlevel, facts.sector)}”，不支持下调`);
  const repeat = missingRepeatInterview(facts);
  if (repeat) reasons.push(repeat);
  return reasons;
}

function missingAssess(facts: WarningFacts, now: Date, isGrave: boolean): string {
  const assess = lastAssess(facts);
  const repeat = missingRepeatInterview(facts);
  if (repeat) return repeat;
  if (!isGrave) {
    const isTalk = facts.interviewtime !== null && facts.interviewtime >= facts.newstime;
    const talk = isTalk ? facts.interviewtime : null;
    if (!assess && !talk) return '尚无访谈记录';
    const last = latest([assess?.time ?? null, talk]) ?? facts.newstime;
    if (assess && assess.conclusionlevel > 1 && !(talk && talk > assess.time))
      return `最近一次评估结论为“${levelName(assess.conclusionlevel, facts.sector)}”`;
    const days = daysBetween(last, now);
    return days <= TALK_MAX_DAYS ? '' : `最近一次访谈已是${days}天前`;
  }
  if (!assess) return '尚无访谈评估';
  if (assess.conclusionlevel > 1) return `最近一次评估结论为“${levelName(assess.conclusionlevel, facts.sector)}”`;
  const days = daysBetween(assess.time, now);
  return days <= ASSESS_MAX_DAYS ? '' : `最近一次评估已是${days}天前`;
}

function missingContact(facts: WarningFacts): string {
  const isMade = facts.contacttime !== null && facts.contacttime >= facts.newstime;
  return isMade ? '' : '新情况之后尚未联系到本人';
}

/** A receipt from before the last news says nothing about it: the receiver must take the case as it is now. */
function missingReceipt(facts: WarningFacts): string {
  const { transfer } = facts;
  if (!transfer?.receipttime) return '尚无移交回执';
  return isSinceNews(facts, { time: transfer.receipttime, newsno: transfer.receiptno })
    ? ''
    : '移交回执之后又有新情况，请重新移交并取得回执';
}

function missingAsq(facts: WarningFacts): string {
  return lastAssess(facts)?.asqnegative ? '' : '尚无ASQ阴性的访谈评估';
}

/** Open reports, contacts after a discharge and other duties stand against closing. */
function missingDuties(facts: WarningFacts): string {
  const open = facts.duties.filter(({ donetime }) => donetime === null);
  return open.length === 0 ? '' : `还有${open.length}项未完成：${open.map(({ title }) => title).join('、')}`;
}

/** A patient whose visit nobody has recorded may never have arrived. */
const missingVisit = (facts: WarningFacts): string =>
  facts.visitduetime !== null && hasOpenReferral(facts) ? '转介后尚未登记就诊或拒绝' : '';

function missingDeath(facts: WarningFacts, closer: readonly string[]): string {
  if (!facts.death) return '须先登记死亡';
  if (closer.length === 0) return '机构主账号和共用账号不能结案';
  return isSameHuman(facts.death.by, closer) ? '登记人不能自己结案，须由第二人核实后结案' : '';
}

function missingPostvention(facts: WarningFacts): string {
  const start = facts.duties.find(({ kind, title }) => kind === 'postvention' && title === POSTVENTION_START);
  return start?.donetime ? '' : '善后清单的第一项尚未完成';
}

/**
 * Why the re-test criterion is not met, in Chinese; '' when it is. It needs the latest valid re-test at level 0–1, or the latest
 * two at level 2 at most and two weeks apart. Item 9/10 must be 0 in these re-tests.
 */
function missingRetest(facts: WarningFacts): string {
  const since = facts.newstime;
  const valid = facts.retests
    .filter((retest): retest is RetestFact & { level: number } => retest.valid && retest.level !== null && retest.time > since)
    .sort((a, b) => b.time.getTime() - a.time.getTime());
  const [last, before] = valid;
  if (!last) return '尚无有效复测';
  if (last.itempositive) return '最近一次复测中自伤相关条目为阳性';
  if (last.level <= 1) return '';
  if (last.level > 2) return `最近一次复测为“${levelName(last.level, facts.sector)}”`;
  if (!before || before.level > 2 || before.itempositive)
    return `最近一次复测为“${levelName(2, facts.sector)}”，还需间隔14天以上再有一次不高于它的复测`;
  return daysBetween(before.time, last.time) >= RETEST_GAP_DAYS ? '' : '最近两次复测间隔不足14天';
}

/** Why the follow-up criterion is not met, in Chinese; '' when it is. A later completed follow-up makes up for a lost one (失访). */
function missingFollowups(facts: WarningFacts, now: Date): string {
  const doneTime = latest(facts.followups.map((followup) => (followup.status === '02' ? followup.donetime : null)));
  const open = facts.followups.filter(({ duetime, status }) => {
    if (duetime > now || status === '02' || status === '05') return false;
    return status !== '04' || doneTime === null || doneTime < duetime;
  });
  return open.length === 0
    ? ''
    : `还有${open.length}次到期随访未完成：${open.map(({ duetime }) => shanghaiDate(duetime)).join('、')}`;
}

function missingStability(facts: WarningFacts): string {
  const acute = facts.riskassess.filter((assess) => assess.conclusionlevel >= 3).map((assess) => assess.time);
  const sign = latest([facts.newstime, facts.lastacutesign, ...acute]) ?? facts.createtime;
  const done = facts.followups.map((followup) => (followup.status === '02' ? followup.donetime : null));
  const last = latest([...done, facts.contacttime]);
  const until = shanghaiDate(addDays(sign, STABLE_DAYS));
  if (!last) return `尚无已完成的随访或联系，须在${until}及以后完成一次`;
  return daysBetween(sign, last) >= STABLE_DAYS ? '' : `末次联系为${shanghaiDate(last)}，须在${until}及以后完成一次`;
}

function missingAttempts(facts: WarningFacts): string {
  const tries = facts.contacttries.filter(({ time }) => time >= facts.newstime);
  const days = new Set(tries.map(({ time }) => shanghaiDate(time))).size;
  const channels = new Set(tries.map(({ channel }) => channel)).size;
  if (days < LOST_ATTEMPTS) return `已有${days}个不同日期的联系记录，还差${LOST_ATTEMPTS - days}个`;
  return channels >= LOST_CHANNELS ? '' : '联系记录只有1种方式，还须换一种方式联系';
}
