import { Gender } from '#domain/base/enums.ts';
import { archiveFieldsOf } from '#domain/person/archive.ts';
import { gradeOf } from '#domain/person/grades.ts';
import { library as scales, quotasOf } from '#domain/scoring/scales/library.ts';
import { shortTitle } from '#domain/scoring/shortTitle.ts';
import { SMALLEST_FOR_INTERVAL, wilsonInterval } from '#domain/statistics/interval.ts';
import { OVERALL_LEVELS } from '#domain/statistics/levelWords.ts';
import { isSmallCell, SMALLEST_CELL } from '#domain/statistics/smallCells.ts';
import { percent } from '#domain/task/taskprogress.ts';
import { adviceBlocks } from '#domain/teamreport/advice.ts';
import { showGroups } from '#domain/teamreport/groups.ts';
import { compareWithEarlier, topItems } from '#domain/teamreport/sections.change.ts';
import { hasFewResults } from '#domain/teamreport/sections.results.ts';
import type { DimensionFacts, ScopeKind, TeamReportFacts } from '#domain/teamreport/teamreport.facts.ts';
import { inPercent, inPoints, rateText } from '#domain/teamreport/words.ts';

/**
 * The facts of a group report for the AI provider (design/reports.md 5.6): numbers, and words of the platform's own lists. No name of a
 * person, class, school or unit, no title and no text that staff typed. A count that is hidden in small groups is null.
 */
export interface TeamAiFacts {
  population: string;
  scope: string;
  effort: { total: number; tested: number; valid: number; rate: string };
  attention: { count: number | null; share: string | null; interval: string | null };
  /** persons by level; null where one level has too few */
  levels: { level: string; count: number; share: string }[] | null;
  quotas: { name: string; mean: string; median: string; max: number | null }[];
  groups: { title: string; rows: { name: string; valid: number | null; attention: number | null; share: string | null }[] }[];
  change: { points: string; unit: '百分点'; low: string; high: string; words: string } | null;
  items: { question: string; form: string; share: string }[];
  /** sentences of the platform's rules; they have no figure of the group */
  advice: string[];
  /** sentences about families are allowed */
  family: 1;
}

const POPULATIONS: Readonly<Record<string, string>> = {
  '000000001': '孕产妇',
  '000000002': '学生',
  '000000003': '职业人群',
  '000000004': '中老年人',
};
const SCOPES: Readonly<Record<ScopeKind, string>> = {
  task: '一次测评任务',
  teams: '若干班级或团体',
  grade: '一个年级',
  institution: '一个机构',
  period: '一段时间',
};
/** The stages of a pregnancy and after, in the platform's words; an institution may rename its own. */
const STAGES: Readonly<Record<string, string>> = {
  YC01: '孕早期',
  YC02: '孕中期',
  YC03: '孕晚期',
  YC42: '产后42天',
  YC90: '产后3个月',
  FC01: '复测',
};
const livingWords: ReadonlyMap<string, string> = new Map(
  archiveFieldsOf['000000004']?.find(({ code }) => code === 'livewith')?.choices ?? [],
);

/** The platform's word for a group; undefined for groups whose names staff typed: classes, units, posts. */
function wordOf(dimension: DimensionFacts['key'], key: string): string | undefined {
  if (dimension === 'gender') return key === '01' || key === '02' ? Gender.label(key) : '未知';
  if (dimension === 'stage') return STAGES[key];
  if (dimension === 'livewith') return livingWords.get(key);
  return dimension === 'grade' && key.startsWith('g:') ? gradeOf(key.slice(2))?.name : undefined;
}

/** The groups as the report shows them, without those whose names staff typed. */
function groupsOf({ outcome, dimensions }: TeamReportFacts): TeamAiFacts['groups'] {
  return dimensions.flatMap((dimension) => {
    const rows = (showGroups(outcome, dimension)?.rows ?? []).flatMap(({ key, isChild, valid, abnormal }) => {
      const name = isChild ? undefined : wordOf(dimension.key, key);
      const isShown = valid !== null && abnormal !== null;
      return name ? [{ name, valid, attention: abnormal, share: isShown ? rateText(abnormal, valid) : null }] : [];
    });
    return rows.length > 1 ? [{ title: dimension.key === 'grade' ? '年级' : dimension.title, rows }] : [];
  });
}

const scaleNamed = (form: string) => scales.find(({ title }) => shortTitle(title) === form);

/** The platform's indicators by their code, with the short title of their questionnaire. */
const platformQuotas = new Map(
  scales.flatMap((scale) =>
    quotasOf(scale).map(({ quotacode, quotaname }) => {
      const form = shortTitle(scale.title);
      return [quotacode, quotaname.includes(form) ? quotaname : `${form} ${quotaname}`] as const;
    }),
  ),
);

/** The indicators of the platform's questionnaires, by the names of their definitions. */
const quotaFactsOf = ({ quotas }: TeamReportFacts): TeamAiFacts['quotas'] =>
  quotas.flatMap(({ quotacode, n, mean, quartiles: [, median], max }) => {
    const name = platformQuotas.get(quotacode);
    return name && n >= SMALLEST_CELL ? [{ name, mean: mean.toFixed(1), median: median.toFixed(1), max }] : [];
  });

/** The change since the earlier screening, where both shares may be seen. */
function changeOf(facts: TeamReportFacts): TeamAiFacts['change'] {
  const result = compareWithEarlier(facts);
  if (!result?.comparable || 'why' in facts.earlier) return null;
  const { from, to } = facts.earlier;
  if ([from, to].some(({ count, total }) => isSmallCell({ count, of: total }))) return null;
  const { difference, interval, words } = result;
  return { points: inPoints(difference), unit: '百分点', low: inPoints(interval.low), high: inPoints(interval.high), words };
}

/** The facts that the provider gets; undefined for a group with so few results that the report shows none. */
export function teamAiFactsOf(facts: TeamReportFacts, appid: string): TeamAiFacts | undefined {
  if (hasFewResults(facts)) return undefined;
  const { effort, outcome, kind } = facts;
  const { valid, abnormal, levels } = outcome;
  const isShown = !isSmallCell({ count: abnormal, of: valid });
  const areLevelsShown = isShown && OVERALL_LEVELS.every((_, level) => !isSmallCell({ count: levels[level] ?? 0, of: valid }));
  const interval = isShown && valid >= SMALLEST_FOR_INTERVAL ? wilsonInterval({ count: abnormal, total: valid }) : undefined;
  return {
    population: POPULATIONS[appid] ?? '',
    scope: SCOPES[kind],
    effort: { total: effort.total, tested: effort.tested, valid, rate: rateText(effort.complete, effort.total) },
    attention: {
      count: isShown ? abnormal : null,
      share: isShown ? rateText(abnormal, valid) : null,
      interval: interval ? `${inPercent(interval.low)}%–${inPercent(interval.high)}%` : null,
    },
    levels: areLevelsShown
      ? OVERALL_LEVELS.map((level, at) => ({ level, count: levels[at] ?? 0, share: rateText(levels[at] ?? 0, valid) }))
      : null,
    quotas: quotaFactsOf(facts),
    groups: isShown ? groupsOf(facts) : [],
    change: isShown ? changeOf(facts) : null,
    items: topItems(facts.items).flatMap(({ form, text, count, total }) =>
      scaleNamed(form)?.items.some(({ t }) => t === text)
        ? [{ question: text, form, share: `${(percent(count, total) ?? 0).toFixed(1)}%` }]
        : [],
    ),
    advice: adviceBlocks(facts).flatMap((block) => (block.type === 'list' ? block.items.map(({ text }) => text) : [])),
    family: 1,
  };
}
