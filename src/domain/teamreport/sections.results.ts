import { SMALLEST_FOR_INTERVAL, wilsonInterval } from '#domain/statistics/interval.ts';
import { SMALLEST_CELL } from '#domain/statistics/smallCells.ts';
import { OVERALL_LEVELS } from '#domain/statistics/levelWords.ts';
import { showGroups } from '#domain/teamreport/groups.ts';
import type { TeamBlock } from '#domain/teamreport/teamreport.content.ts';
import type { DimensionFacts, QuotaFacts, TeamReportFacts } from '#domain/teamreport/teamreport.facts.ts';
import { HIDDEN, inPercent, rateText, shareText, textBlock } from '#domain/teamreport/words.ts';

/** Whether so few persons have a result that the report shows none. */
export const hasFewResults = ({ outcome }: Pick<TeamReportFacts, 'outcome'>): boolean => outcome.valid < SMALLEST_CELL;
/** What stands in a part without results. */
export const fewBlocks: TeamBlock[] = [textBlock('TR_FEW', `有效人数少于${SMALLEST_CELL}人，为保护个人信息，不显示结果。`)];

/** ③ The five-colour distribution and the share of 需关注. */
export function overallBlocks(facts: TeamReportFacts): TeamBlock[] {
  if (hasFewResults(facts)) return fewBlocks;
  const { valid, abnormal, alert, levels } = facts.outcome;
  const interval = valid >= SMALLEST_FOR_INTERVAL ? wilsonInterval({ count: abnormal, total: valid }) : undefined;
  return [
    {
      type: 'kv',
      items: [
        { label: '有效人数', value: `${valid} 人` },
        { label: '需关注', value: shareText(abnormal, valid) },
        ...(interval ? [{ label: '95%置信区间', value: `${inPercent(interval.low)}%–${inPercent(interval.high)}%` }] : []),
        { label: '有安全提示', value: `${alert} 人` },
      ],
    },
    {
      type: 'chart',
      chart: { kind: 'stack', title: '总体程度分布', levels: OVERALL_LEVELS, groups: [{ name: '全部', counts: levels }] },
    },
    {
      type: 'table',
      columns: ['总体程度', '人数', '占比'],
      rows: OVERALL_LEVELS.map((word, level) => [word, levels[level] ?? 0, rateText(levels[level] ?? 0, valid)]),
    },
    textBlock(
      'TR_OVERALL',
      `${valid} 名有效受测者中，${abnormal} 名需要关注，占${rateText(abnormal, valid)}。这是测评前一段时间的情绪困扰程度，请以面谈了解为准。`,
    ),
    ...(interval
      ? []
      : [textBlock('TR_NOINTERVAL', `有效人数少于${SMALLEST_FOR_INTERVAL}人，比例受个别人影响较大，不作区间估计，请谨慎解读。`)]),
  ];
}

const oneDecimal = (value: number): string => value.toFixed(1);
const quotaName = ({ form, name }: QuotaFacts): string => (name.includes(form) ? name : `${form} ${name}`);

/** Charts of mean scores: one a form, for forms with factors, which means three or more indicators on known ranges. */
function meanCharts(quotas: readonly QuotaFacts[]): TeamBlock[] {
  const forms = [...new Set(quotas.map(({ form }) => form))];
  return forms.flatMap((form) => {
    const axes = quotas.flatMap(({ form: of, name, mean, min, max }) =>
      of === form && min !== null && max !== null ? [{ name, value: Number(mean.toFixed(1)), min, max }] : [],
    );
    return axes.length > 2
      ? [{ type: 'chart' as const, chart: { kind: 'factors' as const, title: `${form} 各指标平均分`, axes } }]
      : [];
  });
}

/** ④ Each indicator: mean ± SD, median with quartiles, levels. */
export function quotaBlocks(facts: TeamReportFacts): TeamBlock[] {
  if (hasFewResults(facts)) return fewBlocks;
  const { domains } = facts;
  const quotas = facts.quotas.filter(({ n }) => n >= SMALLEST_CELL);
  if (quotas.length === 0) return [textBlock('TR_NOQUOTA', '这个范围内没有可统计的指标。')];
  const hasLevels = quotas.filter(({ levels }) => levels.length > 0);
  const withPersons = domains.filter(({ counts }) => counts.reduce((sum, count) => sum + count, 0) >= SMALLEST_CELL);
  return [
    {
      type: 'table',
      columns: ['指标', '人数', '平均分 ± 标准差', '中位数（四分位）', '分值范围'],
      rows: quotas.map((quota) => {
        const [low, median, high] = quota.quartiles;
        return [
          quotaName(quota),
          quota.n,
          `${oneDecimal(quota.mean)} ± ${quota.sd === null ? '—' : oneDecimal(quota.sd)}`,
          `${oneDecimal(median)}（${oneDecimal(low)}–${oneDecimal(high)}）`,
          quota.min === null || quota.max === null ? HIDDEN : `${quota.min}–${quota.max}`,
        ];
      }),
    },
    ...(withPersons.length > 0
      ? [
          {
            type: 'chart' as const,
            chart: {
              kind: 'stack' as const,
              title: '抑郁与焦虑症状的程度分布',
              levels: ['无明显症状', ...OVERALL_LEVELS.slice(1)],
              groups: withPersons.map(({ name, counts }) => ({ name, counts })),
            },
          },
        ]
      : []),
    ...meanCharts(quotas),
    ...(hasLevels.length > 0
      ? [
          {
            type: 'table' as const,
            title: '各指标的程度',
            columns: ['指标', '程度分布'],
            rows: hasLevels.map((quota) => [
              quotaName(quota),
              quota.levels.map(({ name, count }) => `${name} ${shareText(count, quota.n)}`).join('、'),
            ]),
          },
        ]
      : []),
    textBlock('TR_QUOTA', '平均分会被少数高分拉高，中位数和四分位更能反映多数人的情况。'),
  ];
}

/** The table and the picture of one dimension, with small groups hidden. */
function dimensionBlocks(facts: TeamReportFacts, dimension: DimensionFacts): TeamBlock[] {
  const shown = showGroups(facts.outcome, dimension);
  if (!shown) return [];
  const { rows, bars } = shown;
  const hasTotal = rows.some(({ total }) => total !== null);
  return [
    {
      type: 'table',
      title: dimension.title,
      columns: ['分组', ...(hasTotal ? ['应测'] : []), '有效', '需关注', '占比'],
      rows: rows.map(({ name, isChild, total, valid, abnormal }) => [
        isChild ? `\u3000${name}` : name,
        ...(hasTotal ? [total] : []),
        valid,
        abnormal,
        valid === null || abnormal === null ? HIDDEN : rateText(abnormal, valid),
      ]),
    },
    ...(bars.groups.length > 1
      ? [{ type: 'chart' as const, chart: { kind: 'stack' as const, title: `${dimension.title}分布`, ...bars } }]
      : []),
  ];
}

/** ⑤ Groups. */
export function groupBlocks(facts: TeamReportFacts): TeamBlock[] {
  if (hasFewResults(facts)) return fewBlocks;
  const blocks = facts.dimensions.flatMap((dimension) => dimensionBlocks(facts, dimension));
  if (blocks.length === 0) return [textBlock('TR_NOGROUP', '分组人数较少，为保护个人信息，不显示分组结果。')];
  return [
    ...blocks,
    textBlock('TR_GROUP', '各组人数和参加情况不同，占比的高低不代表工作好坏，不作排名。人数少的分组，占比受个别人影响较大。'),
  ];
}
