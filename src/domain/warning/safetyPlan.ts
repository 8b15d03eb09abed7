import { addHours } from '#domain/base/calendar.ts';
import { defineEnum } from '#domain/base/enum.ts';
import type { CodeOf } from '#domain/base/enum.ts';
import { defaultNightLine } from '#domain/exam/hotline.ts';
import { withDuties } from '#domain/warning/clock/caseduty.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';

/** The kinds of means that a safety plan asks about (clinical-rules D, 安全计划). */
export const PlanMeans = defineEnum({
  drugs: ['01', '药品、农药'],
  sharps: ['02', '锐器'],
  heights: ['03', '高处、门窗'],
  water: ['04', '水域、交通'],
  named: ['05', '本人提到的'],
});

/** What has been done about one kind of means. */
export const MeansStatus = defineEnum({
  none: ['01', '无'],
  stored: ['02', '已收好'],
  open: ['03', '未处理'],
});

/** One kind of means with its state. */
export interface MeansSafety {
  kind: CodeOf<typeof PlanMeans>;
  status: CodeOf<typeof MeansStatus>;
  /** the person who stores it; for 已收好 */
  keeper: string;
  /** the day on which it was stored, YYYY-MM-DD; for 已收好 */
  storeddate: string;
  /** what it is, in the person's own words */
  note: string;
}

/** A person who can help, outside of institutions. */
export interface PlanHelper {
  name: string;
  relation: string;
  phonenumber: string;
  isadult: 0 | 1;
  /** 1 a suspected source of harm: stays in the record, is never printed */
  issuspect: 0 | 1;
}

/** Professional help with its telephone number and hours. */
export interface PlanService {
  name: string;
  phonenumber: string;
  hours: string;
}

/** The content of a safety plan in the person's own words. The product writes its own questions; it copies no published form. */
export interface SafetyPlan {
  warningsigns: string;
  coping: string;
  distractions: string;
  helpers: readonly PlanHelper[];
  services: readonly PlanService[];
  means: readonly MeansSafety[];
  importantthings: string;
  copies: string;
  reviewdate: string | null;
}

/** From this suggested level a case needs a complete safety plan before 开始干预 and 随访观察. */
export const PLAN_SUGGESTION_MIN = 2;
/** From this level of the case, means that nobody has dealt with are a duty. */
export const MEANS_DUTY_LEVEL = 3;
/** Hours of that duty. */
export const MEANS_DUTY_HOURS = 24;
const MEANS_DUTY_TITLE = '请人收好安全计划中未处理的危险物品';

/**
 * The required parts that are missing, in Chinese; empty for a complete plan. A minor needs at least one adult who is not a
 * suspected source of harm. Each kind of means needs an answer, and 已收好 names the keeper and the day.
 */
export function findPlanGaps(plan: SafetyPlan, { isMinor }: { isMinor: boolean }): string[] {
  const gaps: string[] = [];
  if (plan.warningsigns.trim() === '') gaps.push('我的预警信号');
  if (plan.coping.trim() === '') gaps.push('我自己能做的事');
  const reachable = plan.helpers.filter(
    (helper) => helper.issuspect === 0 && helper.name.trim() !== '' && helper.phonenumber.trim() !== '',
  );
  if (reachable.length === 0) gaps.push('我可以求助的人（姓名和电话）');
  else if (isMinor && !reachable.some((helper) => helper.isadult === 1)) gaps.push('我可以求助的人：至少一位可信赖的成年人');
  if (!plan.services.some(({ name, phonenumber, hours }) => [name, phonenumber, hours].every((text) => text.trim() !== '')))
    gaps.push('专业帮助（名称、电话和时间）');
  return [...gaps, ...findMeansGaps(plan)];
}

function findMeansGaps({ means }: SafetyPlan): string[] {
  return PlanMeans.options.flatMap(({ value: kind, label }) => {
    const row = means.find((candidate) => candidate.kind === kind);
    if (!row) return [`让环境更安全：${label}`];
    const isIncomplete = row.status === MeansStatus.stored && (row.keeper.trim() === '' || row.storeddate === '');
    return isIncomplete ? [`让环境更安全：${label}由谁收好、哪一天`] : [];
  });
}

/** The kinds of means that nobody has dealt with, as labels. */
export const findOpenMeans = ({ means }: Pick<SafetyPlan, 'means'>): string[] =>
  means
    .filter(({ status }) => status === MeansStatus.open)
    .map(({ kind, note }) => `${PlanMeans.label(kind)}${note.trim() === '' ? '' : `（${note.trim()}）`}`);

/**
 * The facts with the duty to deal with open means of the safety plan, from level 3. A plan without open means ends the duty.
 * An open duty keeps its earlier due time.
 */
export function withMeansDuty(facts: WarningFacts, now: Date): WarningFacts {
  if (facts.safetyplan?.openmeans) {
    if (facts.level < MEANS_DUTY_LEVEL) return facts;
    const due = addHours(now, MEANS_DUTY_HOURS);
    return withDuties(facts, [{ kind: 'means', title: MEANS_DUTY_TITLE, duetime: due, donetime: null }]);
  }
  const isOpenDuty = ({ kind, donetime }: WarningFacts['duties'][number]) => kind === 'means' && donetime === null;
  if (!facts.duties.some(isOpenDuty)) return facts;
  return { ...facts, duties: facts.duties.map((duty) => (isOpenDuty(duty) ? { ...duty, donetime: now } : duty)) };
}

/** One kind of means as a text: 无, 已由…收好（日期） or 未处理. */
export function describeMeans({ status, keeper, storeddate }: MeansSafety): string {
  if (status !== MeansStatus.stored) return MeansStatus.label(status);
  return `已由${keeper.trim() || '（未写明）'}收好${storeddate ? `（${storeddate}）` : ''}`;
}

/** Whether a case has a complete safety plan. */
export const hasSafetyPlan = (facts: { safetyplan: { complete: boolean } | null }): boolean =>
  facts.safetyplan?.complete === true;

/** Whether a case with this suggested level needs a safety plan before 开始干预 and 随访观察. */
export const needsSafetyPlan = (suggestedlevel: number | null): boolean =>
  suggestedlevel !== null && suggestedlevel >= PLAN_SUGGESTION_MIN;

/** The professional help with which a new plan begins. The hours of the hotlines are those of clinical-rules J. */
export const DEFAULT_SERVICES: readonly PlanService[] = [
  { name: '心理援助热线', phonenumber: '12356', hours: '时间以当地公布为准' },
  { name: '北京心理援助热线', phonenumber: defaultNightLine, hours: '24 小时' },
];
