import { addDays, addHours, daysBetween, shanghaiDate } from '#domain/base/calendar.ts';
import { CloseReason } from '#domain/base/enums.ts';
import { missingRepeatInterview } from '#domain/warning/riskassess.ts';
import { evidenceSince, isGuardianSettled, lastAssess, latest } from '#domain/warning/warningfacts.ts';
import type { CloseReasonCode, RetestFact, WarningFacts, WarningLevelCode } from '#domain/warning/warningfacts.ts';

export type CriterionKey = 'assess' | 'retest' | 'followups' | 'stable' | 'guardian' | 'note' | 'second' | 'attempts';

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
/** Failed contact attempts, on different days, before a person counts as lost. */
export const LOST_ATTEMPTS = 3;
/** Days between two steps down of the level. */
const LOWER_GAP_DAYS = 7;
/** The greatest age of the interview for lowering from level 4 or 3, in days. */
const LOWER_ASSESS_DAYS = 7;

/** Whether a note is long enough to close or exclude a warning, counted in Unicode characters. */
export function isNoteSufficient(note: string): boolean {
  return [...note.trim()].length >= NOTE_MIN;
}

/**
 * The closing checklist: the criteria for this warning and this reason, and which are met. Staff may close when all are met.
 * 风险解除 has the six criteria of the closing rule. Other reasons need guardian and note, from level 3 a second person's
 * confirmation, and for 失访 three attempts on different days. The highest level of the case decides, also after lowering.
 * @param closer userid of the closing person, by default the owner; another person must confirm
 */
export function closingCriteria(
  facts: WarningFacts,
  closereason: CloseReasonCode,
  now: Date,
  closer: string | null = facts.owneruserid,
): Criterion[] {
  const isGrave = facts.peaklevel >= 3;
  const list: Criterion[] = [];
  const add = (key: CriterionKey, title: string, missing: string) =>
    list.push({ key, title, met: missing === '', detail: missing });

  if (closereason === CloseReason.resolved) {
    add(
      'assess',
      isGrave ? '14天内的访谈评估结论不高于1级' : '已有访谈记录或评估，结论不高于1级',
      missingAssess(facts, now, isGrave),
    );
    add('retest', '复测结果稳定', missingRetest(facts));
    add('followups', '到期随访全部完成', missingFollowups(facts, now));
    if (isGrave) add('stable', '末次随访距最后一次急性征象满4周', missingStability(facts));
  } else {
    if (isGrave) add('second', '第二人复核确认', missingConfirmation(facts, closer));
    if (closereason === CloseReason.lost) add('attempts', '至少3个不同日期的联系记录', missingAttempts(facts));
  }
  if (facts.minor && isGrave)
    add('guardian', '已告知监护人或已登记豁免原因', isGuardianSettled(facts) ? '' : '尚未告知监护人，也未登记不告知的原因');
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

/** Why the second person's confirmation is missing, in Chinese; '' when it exists since the latest evidence of danger. */
export function missingConfirmation(facts: WarningFacts, closer: string | null): string {
  const confirmation = facts.confirmation;
  if (!confirmation || confirmation.time < evidenceSince(facts)) return '3级及以上须由另一名工作人员复核确认';
  return confirmation.userid === closer ? '复核人与结案人不能为同一人' : '';
}

/** Why the level may not be lowered to `to` now, in Chinese; empty when it may. */
export function findLowerRefusals(facts: WarningFacts, to: WarningLevelCode, now: Date): string[] {
  const reasons: string[] = [];
  if (to !== facts.level - 1) reasons.push('每次只能下调一级');
  if (facts.loweredtime && now < addDays(facts.loweredtime, LOWER_GAP_DAYS)) reasons.push('7天内只能下调一次');
  if (facts.level >= 3) {
    const assess = lastAssess(facts);
    if (!assess || assess.time < addHours(now, -24 * LOWER_ASSESS_DAYS)) reasons.push('从3级或4级下调须有7天内的访谈评估');
    else if (assess.conclusionlevel > to) reasons.push(`最近一次访谈评估结论为${assess.conclusionlevel}级，不支持下调`);
    const repeat = missingRepeatInterview(facts.riskassess, assess);
    if (repeat) reasons.push(repeat);
  }
  return reasons;
}

function missingAssess(facts: WarningFacts, now: Date, isGrave: boolean): string {
  const assess = lastAssess(facts);
  const since = evidenceSince(facts);
  if (!isGrave) {
    const note = facts.interviewtime && facts.interviewtime >= since ? facts.interviewtime : null;
    if (!assess) return note ? '' : '尚无访谈记录';
    const repeat = missingRepeatInterview(facts.riskassess, assess);
    if (repeat) return repeat;
    return assess.conclusionlevel <= 1 || (note && note > assess.time) ? '' : `最近一次评估结论为${assess.conclusionlevel}级`;
  }
  if (!assess) return '尚无访谈评估';
  if (assess.conclusionlevel > 1) return `最近一次评估结论为${assess.conclusionlevel}级`;
  const repeat = missingRepeatInterview(facts.riskassess, assess);
  if (repeat) return repeat;
  const days = daysBetween(assess.time, now);
  return days <= ASSESS_MAX_DAYS ? '' : `最近一次评估已是${days}天前`;
}

/**
 * Why the re-test criterion is not met, in Chinese; '' when it is. It needs the latest valid re-test at level 0–1, or the latest
 * two at level 2 at most and two weeks apart. Item 9/10 must be 0 in these re-tests.
 */
function missingRetest(facts: WarningFacts): string {
  const since = evidenceSince(facts);
  const valid = facts.retests
    .filter((retest): retest is RetestFact & { level: number } => retest.valid && retest.level !== null && retest.time >= since)
    .sort((a, b) => b.time.getTime() - a.time.getTime());
  const [last, before] = valid;
  if (!last) return '尚无有效复测';
  if (last.itempositive) return '最近一次复测中自伤相关条目为阳性';
  if (last.level <= 1) return '';
  if (last.level > 2) return `最近一次复测为${last.level}级`;
  if (!before || before.level > 2 || before.itempositive) return '最近一次复测为2级，还需间隔14天以上再有一次不高于2级的复测';
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
  const sign = latest([evidenceSince(facts), facts.lastacutesign, ...acute]) ?? facts.createtime;
  const last = latest(facts.followups.map((followup) => (followup.status === '02' ? followup.donetime : null)));
  const until = shanghaiDate(addDays(sign, STABLE_DAYS));
  if (!last) return `尚无已完成的随访，须在${until}及以后完成一次`;
  return daysBetween(sign, last) >= STABLE_DAYS ? '' : `末次随访为${shanghaiDate(last)}，须在${until}及以后完成一次`;
}

function missingAttempts(facts: WarningFacts): string {
  const since = evidenceSince(facts);
  const days = new Set(facts.contactattempts.filter((time) => time >= since).map(shanghaiDate)).size;
  return days >= LOST_ATTEMPTS ? '' : `已有${days}个不同日期的联系记录，还差${LOST_ATTEMPTS - days}个`;
}
