import { canonical } from '#domain/report/commentary/commentary.ts';
import type { ReportFacts, Summary } from '#domain/report/report.facts.ts';
import { violenceTopic } from '#domain/report/violence.ts';

/** What the archive and the forms asked about, so that a report says “未见” only of a question that was asked. */

type Fact = string | number;

/** One topic with its question: a field of the archive or `FORM.item`. Topics with the same label are one topic. */
interface Topic {
  label: string;
  appid?: string;
  source: string;
  /** an empty answer says nothing, because the question is asked after a yes only */
  isOptional?: boolean;
  /** whether an answer shows the risk; the reader finds its sentence among the risk factors */
  isPresent: (fact: Fact) => boolean;
}

const yes = (fact: Fact) => fact === 1;
const atLeast = (limit: number) => (fact: Fact) => typeof fact === 'number' && fact >= limit;
const among =
  (...codes: string[]) =>
  (fact: Fact) =>
    codes.includes(String(fact));
const topicOf =
  (appid: string) =>
  (label: string, source: string, isPresent: Topic['isPresent']): Topic => ({ appid, label, source, isPresent });
const maternity = topicOf('000000001');
const students = topicOf('000000002');
const workers = topicOf('000000003');
const elders = topicOf('000000004');

/** The self-harm items start at 1 point, of the SCL-90 at 2 because its “没有” has 1 point. Question 5 of the ASQ follows a yes. */
const selfHarm = (source: string, limit = 1): Topic => ({ label: '伤害自己的念头', source, isPresent: atLeast(limit) });

const topics: readonly Topic[] = [
  ...['PHQ9.q9', 'EPDS.q10', 'ASQ.q1', 'ASQ.q2', 'ASQ.q3', 'ASQ.q4'].map((source) => selfHarm(source)),
  { ...selfHarm('ASQ.q5'), isOptional: true },
  selfHarm('SCL90.q15', 2),
  maternity('本人心理健康既往史', 'psychhistory', yes),
  maternity('直系血亲心理健康既往史', 'familypsychhistory', yes),
  maternity('支持不足', 'supportlevel', (fact) => typeof fact === 'number' && fact <= 2),
  maternity('高危妊娠', 'highrisk', yes),
  maternity('非计划妊娠', 'planned', (fact) => fact === 0),
  students('留守', 'leftbehind', yes),
  students('单亲', 'singleparent', yes),
  students('经济困难', 'povertyaid', yes),
  students('残障', 'disability', yes),
  students('可疑伤痕（教师观察）', 'TEACHOBS.q11', atLeast(1)),
  students('欺凌或重大变故（教师观察）', 'TEACHOBS.q12', atLeast(1)),
  workers('近一年重大事件', 'incident', yes),
  workers('工时过长', 'weeklyhours', atLeast(55)),
  workers('夜班频繁', 'nightshifts', atLeast(8)),
  elders('独居', 'livewith', among('01')),
  elders('近一年亲人离世', 'bereaved12m', yes),
  elders('近一年跌倒', 'falls12m', atLeast(1)),
  elders('记忆下降', 'cognitivecomplaint', yes),
  elders('日常活动受限', 'adl', among('02', '03')),
  elders('可疑伤痕（照护者观察）', 'CAREOBS.q10', atLeast(1)),
  elders('重大变故（照护者观察）', 'CAREOBS.q11', atLeast(1)),
  elders('听力下降', 'hearing', yes),
  elders('视力下降', 'vision', yes),
];

/** Words of a question about self-harm in a form that an institution made. */
const selfHarmWords = /自伤|自残|自杀|伤害自己|不想活|活着没|结束(自己的)?生命|轻生/;

/** The questions about self-harm of the institution's own forms. An answer above the lowest score shows the risk. */
const ownTopicsOf = ({ forms }: ReportFacts): Topic[] =>
  forms.flatMap(({ scale }) =>
    /^F\d{6}$/.test(scale.formcode)
      ? scale.items
          .filter(({ t, type }) => (type ?? 1) !== 0 && selfHarmWords.test(t))
          .map(({ c, o }): Topic => {
            const scores = (scale.optionsets[o ?? ''] ?? []).flatMap(([, , points]) => (points === null ? [] : [points]));
            const lowest = Math.min(...scores);
            return {
              label: '伤害自己的念头',
              source: `${scale.formcode}.${c}`,
              isPresent: (fact) => typeof fact === 'number' && fact > lowest,
            };
          })
      : [],
  );

/** The answer of one source: `unasked` without the question, `unanswered` when the person left the question empty. */
function factOf(facts: ReportFacts, source: string): Fact | 'unasked' | 'unanswered' {
  const [code, item] = source.split('.') as [string, string | undefined];
  if (item === undefined) {
    const value = facts.archive?.[code];
    return Array.isArray(value) ? 'unasked' : (canonical(value as string | number | boolean | null | undefined) ?? 'unasked');
  }
  const form = facts.forms.find(({ scale }) => scale.formcode === code);
  if (!form || form.result.notapplicable.includes(item)) return 'unasked';
  return form.result.itemscores[item] ?? 'unanswered';
}

export interface AskedTopics {
  /** asked, without a finding */
  unseen: string[];
  /** asked, without an answer */
  unanswered: string[];
  unasked: string[];
}

/** What the exam and the archive asked about, for the population of the exam. A topic with a finding is in no list. */
export function askedTopicsOf(facts: ReportFacts, { violence }: Pick<Summary, 'violence'>): AskedTopics {
  const states = new Map<string, 'present' | keyof AskedTopics>();
  // An unfinished screen is never negative: an empty answer weighs more than a clear no.
  const strength = ['unasked', 'unseen', 'unanswered', 'present'] as const;
  const addState = (label: string, state: (typeof strength)[number]) => {
    const before = states.get(label);
    if (before === undefined || strength.indexOf(state) > strength.indexOf(before)) states.set(label, state);
  };
  for (const { label, appid, source, isOptional, isPresent } of [...topics, ...ownTopicsOf(facts)]) {
    if (appid !== undefined && appid !== facts.exam.appid) continue;
    const fact = factOf(facts, source);
    if (fact === 'unasked' || fact === 'unanswered') addState(label, isOptional ? 'unasked' : fact);
    else addState(label, isPresent(fact) ? 'present' : 'unseen');
  }
  if (violence !== 'positive') addState(violenceTopic, violence === 'denied' ? 'unseen' : 'unasked');
  const labelsOf = (state: keyof AskedTopics) => [...states].flatMap(([label, own]) => (own === state ? [label] : []));
  return { unseen: labelsOf('unseen'), unanswered: labelsOf('unanswered'), unasked: labelsOf('unasked') };
}

/** “已询问未见…；未询问…” for staff. */
export function askedText(facts: ReportFacts, summary: Pick<Summary, 'violence'>): string {
  const { unseen, unanswered, unasked } = askedTopicsOf(facts, summary);
  const parts = [
    ...(unseen.length ? [`已询问未见：${unseen.join('、')}`] : []),
    ...(unanswered.length ? [`已询问未作答：${unanswered.join('、')}`] : []),
    ...(unasked.length ? [`未询问：${unasked.join('、')}`] : []),
  ];
  return parts.length ? `${parts.join('；')}。` : '列出的各项均已询问。';
}
