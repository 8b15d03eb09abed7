import { canonical } from '#domain/report/commentary/commentary.ts';
import type { ReportFacts, Summary } from '#domain/report/report.facts.ts';

/** What the archive and the forms asked about, so that a report says “未见” only of a question that was asked. */

type Fact = string | number | null;

/** One topic. `sources` are fields of the archive or `FORM.item`; one answered source is enough. */
interface Topic {
  label: string;
  appid?: string;
  sources: readonly string[];
  /** whether an answer shows the risk; the reader finds its sentence among the risk factors */
  isPresent: (fact: Fact) => boolean;
}

const yes = (fact: Fact) => fact === 1;
const atLeast = (limit: number) => (fact: Fact) => typeof fact === 'number' && fact >= limit;
const among =
  (...codes: string[]) =>
  (fact: Fact) =>
    codes.includes(String(fact));
const topic = (appid: string) => (label: string, sources: readonly string[], isPresent: Topic['isPresent']) => ({
  appid,
  label,
  sources,
  isPresent,
});
const [maternity, students, workers, elders] = ['000000001', '000000002', '000000003', '000000004'].map(topic) as [
  ReturnType<typeof topic>,
  ReturnType<typeof topic>,
  ReturnType<typeof topic>,
  ReturnType<typeof topic>,
];

/** The self-harm items start at 1 point, of the SCL-90 at 2 because its “没有” has 1 point. */
const selfHarmItems = ['PHQ9.q9', 'EPDS.q10', 'ASQ.q1', 'ASQ.q2', 'ASQ.q3', 'ASQ.q4', 'ASQ.q5'];
const selfHarmLabel = '伤害自己的念头';

const topics: readonly Topic[] = [
  { label: selfHarmLabel, sources: selfHarmItems, isPresent: atLeast(1) },
  { label: selfHarmLabel, sources: ['SCL90.q15'], isPresent: atLeast(2) },
  maternity('本人或家族心理健康既往史', ['psychhistory', 'familypsychhistory'], yes),
  maternity('支持不足', ['supportlevel'], (fact) => typeof fact === 'number' && fact <= 2),
  maternity('高危妊娠', ['highrisk'], yes),
  maternity('非计划妊娠', ['planned'], (fact) => fact === 0),
  students('留守', ['leftbehind'], yes),
  students('单亲', ['singleparent'], yes),
  students('经济困难或残障', ['povertyaid', 'disability'], yes),
  students('可疑伤痕（教师观察）', ['TEACHOBS.q11'], atLeast(1)),
  students('欺凌或重大变故（教师观察）', ['TEACHOBS.q12'], atLeast(1)),
  workers('近一年重大事件', ['incident'], yes),
  workers('工时过长', ['weeklyhours'], atLeast(55)),
  workers('夜班频繁', ['nightshifts'], atLeast(8)),
  elders('独居', ['livewith'], among('01')),
  elders('近一年亲人离世', ['bereaved12m'], yes),
  elders('近一年跌倒', ['falls12m'], atLeast(1)),
  elders('记忆下降', ['cognitivecomplaint'], yes),
  elders('日常活动受限', ['adl'], among('02', '03')),
  elders('可疑伤痕（照护者观察）', ['CAREOBS.q10'], atLeast(1)),
  elders('重大变故（照护者观察）', ['CAREOBS.q11'], atLeast(1)),
  elders('听力或视力下降', ['hearing', 'vision'], yes),
];

/** The answer of one source; null when nobody answered it. */
function factOf(facts: ReportFacts, source: string): Fact {
  const [code, item] = source.split('.') as [string, string | undefined];
  if (item === undefined) {
    const value = facts.archive?.[code];
    return Array.isArray(value) ? null : canonical(value as string | number | boolean | null | undefined);
  }
  return facts.forms.find(({ scale }) => scale.formcode === code)?.result.itemscores[item] ?? null;
}

/** The topics of the population: asked without a finding, and not asked. A present topic is in neither list. */
export function askedTopicsOf(
  facts: ReportFacts,
  { violence }: Pick<Summary, 'violence'>,
): { unseen: string[]; unasked: string[] } {
  const lists = { unseen: new Set<string>(), unasked: new Set<string>(), present: new Set<string>() };
  for (const { label, appid, sources, isPresent } of topics) {
    if (appid !== undefined && appid !== facts.exam.appid) continue;
    const answers = sources.map((source) => factOf(facts, source)).filter((fact) => fact !== null);
    if (answers.some(isPresent)) lists.present.add(label);
    else if (answers.length > 0) lists.unseen.add(label);
    else lists.unasked.add(label);
  }
  if (violence === 'denied') lists.unseen.add('家暴与侵害');
  if (violence === 'notasked') lists.unasked.add('家暴与侵害');
  const unseen = [...lists.unseen].filter((label) => !lists.present.has(label));
  const unasked = [...lists.unasked].filter((label) => !lists.present.has(label) && !lists.unseen.has(label));
  return { unseen, unasked };
}

/** “已询问未见…；未询问…” for staff. */
export function askedText(facts: ReportFacts, summary: Pick<Summary, 'violence'>): string {
  const { unseen, unasked } = askedTopicsOf(facts, summary);
  const parts = [
    ...(unseen.length ? [`已询问未见：${unseen.join('、')}`] : []),
    ...(unasked.length ? [`未询问：${unasked.join('、')}`] : []),
  ];
  return parts.length ? `${parts.join('；')}。` : '列出的各项均已询问。';
}
