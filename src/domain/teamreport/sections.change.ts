import { WarningState } from '#domain/base/enums.ts';
import { compareScreenings, type Comparison } from '#domain/statistics/compare.ts';
import { isSmallCell, SMALLEST_CELL } from '#domain/statistics/smallCells.ts';
import { levelName } from '#domain/warning/levels.ts';
import { OVERALL_LEVELS } from '#domain/statistics/levelWords.ts';
import { fewBlocks, hasFewResults } from '#domain/teamreport/sections.results.ts';
import type { TeamBlock } from '#domain/teamreport/teamreport.content.ts';
import type { ItemFacts, TeamReportFacts } from '#domain/teamreport/teamreport.facts.ts';
import { inPoints, persons, rateText, shareText, textBlock } from '#domain/teamreport/words.ts';

/** The comparison with the last screening of the same plan; undefined without one. */
export const compareWithEarlier = ({ earlier }: Pick<TeamReportFacts, 'earlier'>): Comparison | undefined =>
  'why' in earlier ? undefined : compareScreenings(earlier.from, earlier.to, earlier.pairs);

const TEST_NAMES = { z: '两样本率z检验', mcnemar: 'McNemar配对检验', exact: '精确配对检验' } as const;
const pText = (p: number): string => (p < 0.001 ? 'p＜0.001' : `p=${p.toFixed(3)}`);

/** ⑥ The last screening of the same plan. */
export function compareBlocks(facts: TeamReportFacts): TeamBlock[] {
  if (hasFewResults(facts)) return fewBlocks;
  const { earlier } = facts;
  if ('why' in earlier) return [textBlock('TR_NOEARLIER', `不作比较：${earlier.why}。`)];
  const { name, from, to, fromlevels, pairs } = earlier;
  const result = compareScreenings(from, to, pairs);
  if (!result.comparable) return [textBlock('TR_INCOMPARABLE', `与“${name}”不可比：${result.reason}。`)];
  const { difference, interval, test, ispaired, p, isnoise, words } = result;
  const who = ispaired ? `两次都有有效结果的 ${pairs.both} 人中，` : '';
  const statistic = result.statistic === null ? '' : `，${test === 'z' ? 'z' : 'χ²'}=${result.statistic.toFixed(2)}`;
  return [
    {
      type: 'table',
      columns: ['', '有效', '需关注', '占比'],
      rows: [
        [`上次：${name}`, persons(from.total), persons(from.count), rateText(from.count, from.total)],
        ['本次', persons(to.total), persons(to.count), rateText(to.count, to.total)],
      ],
    },
    {
      type: 'chart',
      chart: {
        kind: 'stack',
        title: '两次总体程度分布',
        levels: OVERALL_LEVELS,
        groups: [
          { name: '上次', counts: fromlevels },
          { name: '本次', counts: facts.outcome.levels },
        ],
      },
    },
    textBlock(
      isnoise ? 'TR_NOISE' : 'TR_CHANGED',
      `${who}需关注的占比相差 ${inPoints(difference)} 个百分点（95%置信区间 ${inPoints(interval.low)} 至 ${inPoints(interval.high)}），${words}。`,
      `${TEST_NAMES[test]}${statistic}，${pText(p)}；两次都有有效结果的 ${pairs.both} 人`,
    ),
  ];
}

/** The five questions that most persons score 2 or more on, without small counts. */
export const topItems = (items: readonly ItemFacts[]): ItemFacts[] =>
  items
    .filter(({ count, total }) => count > 0 && !isSmallCell({ count, of: total }))
    .sort((a, b) => b.count / b.total - a.count / a.total || (a.form + a.text < b.form + b.text ? -1 : 1))
    .slice(0, 5);

/** ⑦ The questions that trouble most persons. Questions about self-harm never stand here. */
export function itemBlocks(facts: TeamReportFacts): TeamBlock[] {
  if (hasFewResults(facts)) return fewBlocks;
  const items = topItems(facts.items);
  if (items.length === 0)
    return [textBlock('TR_NOITEM', `没有题目有${SMALLEST_CELL}人及以上选择较高的频率，或这些量表不适合逐题统计。`)];
  return [
    {
      type: 'table',
      columns: ['题目', '量表', '得2分及以上'],
      rows: items.map(({ text, form, count, total }) => [text, form, shareText(count, total)]),
    },
    textBlock(
      'TR_ITEM',
      '按“得2分及以上”的人数占比列出最多五题，即近期较多时间受到困扰的方面。涉及自我伤害的题目不在此列，由专人处置。',
    ),
  ];
}

/** ⑧ Cases by level and state. Their names are an annex of its own. */
export function attentionBlocks({ cases, sector }: TeamReportFacts): TeamBlock[] {
  const count = (rows: typeof cases) => rows.reduce((sum, row) => sum + row.count, 0);
  const total = count(cases);
  if (total === 0) return [textBlock('TR_NOCASE', '范围内的人员没有危机预警个案。')];
  const states = WarningState.options.filter(({ value }) => cases.some(({ state }) => state === value));
  const levels = [4, 3, 2, 1].filter((level) => cases.some((row) => row.level === level));
  const overdue = cases.reduce((sum, row) => sum + row.overdue, 0);
  const open = count(cases.filter(({ isopen }) => isopen));
  return [
    {
      type: 'table',
      columns: ['级别', ...states.map(({ label }) => label), '合计'],
      rows: [
        ...levels.map((level) => {
          const rows = cases.filter((row) => row.level === level);
          return [
            levelName(level, sector),
            ...states.map(({ value }) => count(rows.filter(({ state }) => state === value))),
            count(rows),
          ];
        }),
        ['合计', ...states.map(({ value }) => count(cases.filter(({ state }) => state === value))), total],
      ],
    },
    textBlock(
      'TR_CASES',
      `共 ${total} 个个案，其中 ${open} 个仍在处置${overdue > 0 ? `，${overdue} 个已超过时限` : ''}。名单不在本报告中，由有权限的人员另行查看。`,
    ),
  ];
}
