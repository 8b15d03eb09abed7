import { addDays, addHours, shanghaiTime } from '#domain/base/calendar.ts';
import type { DutyFact, DutyKind, WarningFacts } from '#domain/warning/warningfacts.ts';

/** Duties of a case that the law or good practice asks for, each with its own clock (clinical-rules.md section F). */

/** Signs that a report names. Each of them is news. */
export const REPORT_SIGNS = {
  attempt: '自杀或自伤行为',
  plan: '有自杀计划或准备',
  farewell: '告别、遗书或异常托付',
  abuse: '疑似受侵害、忽视、欺凌或性骚扰',
  injury: '在校（院、单位）受伤',
} as const;
export type ReportSign = keyof typeof REPORT_SIGNS;

/** Words that name a sign in free text, so that a short report is understood too. */
const SIGN_WORDS: Readonly<Record<ReportSign, RegExp>> = {
  attempt: new RegExp(
    [
      '割腕|割脉|割手|跳楼|跳河|跳桥|跳江|投河|上吊|自缢|烧炭|撞墙|撞车|卧轨|服毒|喝农药|百草枯|吞药|服药过量|洗胃',
      '[吃吞服喝](了|下)?.{0,3}(瓶|把|片|粒|盒).{0,4}药|安眠药|自杀未遂|(试图|企图|尝试|实施)自杀|轻生|自残|自伤',
      '(刀|刀片|圆规|玻璃).{0,4}(划|割|扎|刺)|(天台|楼顶|阳台|窗台|窗边|桥).{0,6}(边缘|拦下|想跳|要跳|救下)',
    ].join('|'),
  ),
  plan: /自杀计划|(准备|打算|计划|要|想|约).{0,2}(自杀|自尽|寻死|跳楼|一起死)|约死|想好(了)?怎么死|买了.{0,4}(药|绳|刀|炭)|藏.{0,3}(药|刀)/,
  farewell: /遗书|遗言|遗嘱|告别|道别|托付|永别|再也不见|以后用不上|来世|下辈子/,
  abuse: new RegExp(
    [
      '性侵|强奸|强暴|猥亵|性骚扰|虐待|家暴|侵害|霸凌|欺凌|欺负|勒索|孤立|殴打|体罚|遗弃|不给(饭|吃)|关在门外|赶出家门',
      '被.{0,6}打(?!分|满)|(爸|妈|父亲|母亲|家长|老师|继父|继母|同学|丈夫|护理员).{0,4}打(她|他|孩子|老人|人)|摸.{0,3}(身体|胸|下身|屁股|大腿|私处)',
    ].join('|'),
  ),
  injury: /送医|急救|抢救|ICU|缝针|受伤|骨折|坠楼/,
};

/** The signs of a report: those that the reporter marked and those that the text names. */
export function findSigns(text: string, marked: readonly ReportSign[] = []): ReportSign[] {
  const signs = Object.keys(REPORT_SIGNS) as ReportSign[];
  return signs.filter((sign) => marked.includes(sign) || SIGN_WORDS[sign].test(text));
}

/** Spans that local rules decide (地). Null switches the duty off. */
export interface LocalDuties {
  /** report to the authority at level 4 */
  authorityhours: number | null;
  /** report of suspected harm to the police, after the finding */
  abusehours: number;
  /** written report of an injury or attempt in the institution */
  injuryhours: number;
  /** years for which the record of a closed case is kept (clinical-rules.md I: own rule, 10 years after the closing) */
  caseyears: number;
}
export const DEFAULT_LOCAL_DUTIES: LocalDuties = { authorityhours: 24, abusehours: 2, injuryhours: 24, caseyears: 10 };
/** The shortest term of the record of a closed case: that of the answers (个保法 19: three years after the last service). */
export const LEAST_CASE_YEARS = 3;

const duty = (kind: DutyKind, title: string, duetime: Date): DutyFact => ({ kind, title, duetime, donetime: null });

/** Hours to the record of who accompanies a person in danger. The law says at once; like 受理 at level 4. */
const DANGER_HOURS = 2;

/**
 * The duties of level 4: somebody accompanies the person at once (精神卫生法 28), and the authority is told, unless the local rule has
 * no such duty.
 */
export const levelFourDuties = (now: Date, local: LocalDuties): DutyFact[] => [
  duty('danger', '专人陪伴（危机）', addHours(now, DANGER_HOURS)),
  ...(local.authorityhours === null ? [] : [duty('authority', '向主管部门报告（危机）', addHours(now, local.authorityhours))]),
];

/**
 * The duties that signs ask for. Harm to a minor must be reported at once (未成年人保护法 11), without approval. An injury or attempt in
 * the institution is reported orally and in writing (学生伤害事故处理办法 15–16).
 */
export function dutiesOfSigns(signs: readonly ReportSign[], minor: boolean, now: Date, local: LocalDuties): DutyFact[] {
  const duties: DutyFact[] = [];
  if (signs.includes('abuse') && minor)
    duties.push(duty('abuse', '强制报告：向公安机关报告疑似侵害', addHours(now, local.abusehours)));
  if (signs.includes('injury'))
    duties.push(
      duty('injury', '事故口头报告', addHours(now, 2)),
      duty('injury', '事故书面报告', addHours(now, local.injuryhours)),
    );
  return duties;
}

/** Adds duties to a case. An open duty of the same kind and title stands, with the earlier due time. */
export function withDuties(facts: WarningFacts, added: readonly DutyFact[]): WarningFacts {
  const isOpenTwin = (item: DutyFact, other: DutyFact) =>
    item.donetime === null && item.kind === other.kind && item.title === other.title;
  const fresh = added.filter((item) => !facts.duties.some((other) => isOpenTwin(other, item)));
  return fresh.length === 0 ? facts : { ...facts, duties: [...facts.duties, ...fresh] };
}

/**
 * Contacts after a discharge: after an attempt or a peak of level 4 within 24 and 72 hours, else within 72 hours (NICE QS159, NG53),
 * and the assessment before the return within seven days.
 */
export function dischargeDuties(isGrave: boolean, discharged: Date): DutyFact[] {
  return [
    ...(isGrave ? [duty('discharge', '出院后24小时内联系', addHours(discharged, 24))] : []),
    duty('discharge', '出院后72小时内联系', addHours(discharged, 72)),
    duty('return', '复学（复工）评估', addDays(discharged, 7)),
  ];
}

/** Kinds of duty that are a contact with the person after a discharge. */
export const CONTACT_DUTIES: readonly DutyKind[] = ['discharge', 'return'];

/** The discharge that a contact duty counts from. */
export const dischargeOf = (item: Pick<DutyFact, 'kind' | 'title' | 'duetime'>): Date => {
  const origin = new Date(0);
  const span = dischargeDuties(true, origin).find(({ title }) => title === item.title);
  return addHours(item.duetime, -((span?.duetime.getTime() ?? 0) / 3_600_000));
};

/** The postvention checklist after a death (After a Suicide toolkit): title and hours from the report. */
const POSTVENTION: readonly { title: string; hours: number }[] = [
  { title: '核实消息，向主管部门报告，确定一名与家属联系的人', hours: 2 },
  { title: '只告知事实（不说方式、地点、原因），列出受影响的人', hours: 24 },
  { title: '逐一看望受影响的人', hours: 72 },
  { title: '统一悼念与媒体口径', hours: 7 * 24 },
  { title: '受影响班级或单位28天内的关注与筛查', hours: 28 * 24 },
  { title: '30天回顾', hours: 30 * 24 },
  { title: '周年前后的关怀', hours: 365 * 24 },
];
export const postventionDuties = (now: Date): DutyFact[] =>
  POSTVENTION.map(({ title, hours }) => duty('postvention', title, addHours(now, hours)));

/** The title of the first step of the postvention, which verifies the news. */
export const POSTVENTION_START = POSTVENTION[0]!.title;

/** Who accompanied the person, e.g. `林建国（父亲） · 2026-11-18 09:20 起，仍在陪伴`. */
export function formatCompanion(record: {
  companion: string;
  companionrole: string;
  companionfrom: Date;
  companionuntil: Date | null;
}): string {
  const { companion, companionrole, companionfrom, companionuntil } = record;
  const who = companion && companionrole ? `${companion}（${companionrole}）` : companion || companionrole;
  const minute = (time: Date) => shanghaiTime(time).slice(0, 16);
  return `${who} · ${minute(companionfrom)} ${companionuntil ? `至 ${minute(companionuntil)}` : '起，仍在陪伴'}`;
}
