import { percent } from '#domain/task/taskprogress.ts';
import { SMALLEST_FOR_INTERVAL } from '#domain/statistics/interval.ts';
import { compareWithEarlier, topItems } from '#domain/teamreport/sections.change.ts';
import { hasFewResults } from '#domain/teamreport/sections.results.ts';
import type { TeamBlock } from '#domain/teamreport/teamreport.content.ts';
import type { TeamReportFacts } from '#domain/teamreport/teamreport.facts.ts';
import { inPoints, sentence } from '#domain/teamreport/words.ts';

/** ⑨ Advice by rules. The text has no figure, because owners of classes read it; the reason has. */

/** What the rules of advice look at. */
export type AdviceFacts = Pick<TeamReportFacts, 'effort' | 'outcome' | 'items' | 'cases' | 'earlier'>;

interface Advice {
  id: string;
  /** why the rule applies, with its figures; undefined when it does not */
  when: (facts: AdviceFacts) => string | undefined;
  text: string;
}

/** Below this completion the result needs care, in percent (design/reports.md 5.5, GR_LOWDONE). */
const LOW_COMPLETION = 90;
/** Shares of 需关注 in percent that choose the kind of work (design/reports.md 5.5, GR_HIGH). */
const [MIDDLE_SHARE, HIGH_SHARE] = [10, 20];
/** From this share of doubtful sheets on, in percent, the way of testing needs a look. Our own rule. */
const MANY_DOUBTFUL = 10;
/** The most sentences of advice. */
const MOST_ADVICE = 6;

const attention = (facts: AdviceFacts) => percent(facts.outcome.abnormal, facts.outcome.valid) ?? 0;
const between = (facts: AdviceFacts, low: number, high: number): string | undefined => {
  if (hasFewResults(facts)) return undefined;
  const share = attention(facts);
  return share >= low && share < high ? `需关注占${share.toFixed(1)}%` : undefined;
};
const isMentioned = (facts: AdviceFacts, words: RegExp): string | undefined => {
  const item = hasFewResults(facts) ? undefined : topItems(facts.items).find(({ text }) => words.test(text));
  return item && `“${item.text}”列入重点条目`;
};

const rules: readonly Advice[] = [
  {
    id: 'GR_OVERDUE',
    when: ({ cases }) => {
      const overdue = cases.reduce((sum, row) => sum + row.overdue, 0);
      return overdue > 0 ? `${overdue} 个个案超过时限` : undefined;
    },
    text: '有重点对象的访谈或随访超过了时限，请责任人优先完成。',
  },
  {
    id: 'GR_LOWDONE',
    when: ({ effort: { complete, total, exempt } }) => {
      const rate = percent(complete, total - exempt);
      return rate !== null && rate < LOW_COMPLETION ? `扣除免测后的完成率为${rate.toFixed(1)}%` : undefined;
    },
    text: `完成率未达${LOW_COMPLETION}%，结果解释需谨慎，建议对未完成的人员补测。`,
  },
  {
    id: 'GR_HIGH',
    when: (facts) => between(facts, HIGH_SHARE, Infinity),
    text: '需要关注的比例较高，建议面向全体开展心理健康教育，并优先完成重点对象的一对一访谈。',
  },
  {
    id: 'GR_MID',
    when: (facts) => between(facts, MIDDLE_SHARE, HIGH_SHARE),
    text: '建议针对重点人群开展团体辅导，并完成重点对象的访谈。',
  },
  {
    id: 'GR_LOW',
    when: (facts) => between(facts, 0, MIDDLE_SHARE),
    // Few persons may still need help at once, so the sentence never says that all is well.
    text: '需要关注的比例不高，请继续做好日常心理健康教育，并逐一随访重点对象；其中有安全提示的，先确认安全。',
  },
  {
    id: 'GR_ROSE',
    when: (facts) => {
      const result = compareWithEarlier(facts);
      return result?.comparable && !result.isnoise && result.difference > 0 && !hasFewResults(facts)
        ? `比上次 ${inPoints(result.difference)} 个百分点，${result.words}`
        : undefined;
    },
    text: '与上次相比有上升，建议了解近期的考试、作息或工作安排等变化，并安排复测。',
  },
  {
    id: 'GR_DOUBTFUL',
    when: ({ effort: { tested, complete } }) => {
      const share = percent(tested - complete, tested);
      return share !== null && share >= MANY_DOUBTFUL ? `无效或待确认的占${share.toFixed(1)}%` : undefined;
    },
    text: '无效或待确认的答卷较多，建议下次现场说明作答要求，并安排这些人员重测。',
  },
  {
    id: 'GR_SLEEP',
    when: (facts) => isMentioned(facts, /睡/),
    text: '睡眠方面的困扰较多见，建议关注作息安排，并开展睡眠与放松的专题活动。',
  },
  {
    id: 'GR_WORRY',
    when: (facts) => isMentioned(facts, /担忧|担心|紧张|焦虑/),
    text: '担忧和紧张较多见，建议开展情绪调节与放松训练的团体活动。',
  },
  {
    id: 'GR_TIRED',
    when: (facts) => isMentioned(facts, /疲倦|疲劳|没有活力|精力/),
    text: '疲倦感较多见，建议检视学习或工作负荷，保证休息与运动时间。',
  },
  {
    id: 'GR_FEW',
    when: ({ outcome: { valid } }) => (valid < SMALLEST_FOR_INTERVAL ? `有效 ${valid} 人` : undefined),
    text: `有效人数少于${SMALLEST_FOR_INTERVAL}人，请结合日常观察理解，不宜与其他团体比较。`,
  },
];

/** The sentence that always stands last. */
const help = { id: 'GR_HELP', text: '请让每个人都知道求助渠道：本机构的心理服务人员，以及全国统一心理援助热线12356。' };

/** The shipped sentences by the id of their rule. An institution may word them otherwise. */
export const groupTexts: readonly { id: string; text: string }[] = [...rules, help].map(({ id, text }) => ({ id, text }));

/** The advice of a report. `words` replaces the shipped sentences of rules, by their id. */
export const adviceBlocks = (facts: AdviceFacts, words: ReadonlyMap<string, string> = new Map()): TeamBlock[] => [
  {
    type: 'list',
    items: [
      ...rules
        .flatMap(({ id, when, text }) => {
          const because = when(facts);
          return because === undefined ? [] : [sentence(id, words.get(id) ?? text, because)];
        })
        .slice(0, MOST_ADVICE),
      sentence(help.id, words.get(help.id) ?? help.text),
    ],
  },
];
