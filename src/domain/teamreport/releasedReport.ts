import type { Outcome } from '#domain/release/measures.ts';
import { percent } from '#domain/task/taskprogress.ts';
import { SMALLEST_FOR_INTERVAL, wilsonInterval } from '#domain/statistics/interval.ts';
import { OVERALL_LEVELS } from '#domain/statistics/levelWords.ts';
import { adviceBlocks } from '#domain/teamreport/advice.ts';
import { teamDisclaimer, type TeamBlock, type TeamReportContent } from '#domain/teamreport/teamreport.content.ts';
import { closingBlocks } from '#domain/teamreport/teamreport.ts';
import { HIDDEN, inPercent, persons, rateText, sentence, shareText, textBlock } from '#domain/teamreport/words.ts';

/** A group report as an authority reads it: from what is released about an institution or a region, and from nothing else. */

/** The version of the rules and texts of these reports. */
const releasedEngine = 'released@1';

interface Effort {
  total: number;
  exempt: number;
  tested: number;
}
export interface ReleasedGroup extends Outcome {
  groupname: string;
}
export interface ReleasedFacts {
  /** the period in words */
  subject: string;
  /** the institution or the region */
  insname: string;
  population: string;
  /** of the release, else of the count of the effort; Asia/Shanghai */
  datatime: string;
  /** rounded down to multiples of 5 */
  effort: Effort;
  /** undefined before the release */
  outcome: Outcome | undefined;
  grades: readonly ReleasedGroup[];
  genders: readonly ReleasedGroup[];
}

const WAITING: TeamBlock[] = [
  textBlock('RR_WAIT', '结果还没有发布：一个学期的结果在最后一个任务结束7天后一次发布，发布前只显示参加情况。'),
];
const LATER: TeamBlock[] = [textBlock('RR_LATER', '结果发布后显示。')];
const ofShown = (counts: readonly (number | null)[]): number[] | undefined =>
  counts.every((count) => count !== null) ? [...counts] : undefined;

function coverBlocks({ subject, insname, population, datatime, effort: { total, exempt, tested } }: ReleasedFacts): TeamBlock[] {
  const rate = percent(tested, total);
  return [
    {
      type: 'kv',
      items: [
        { label: '报告范围', value: subject },
        { label: '机构', value: insname },
        { label: '人群', value: population },
        { label: '数据截至', value: datatime.slice(0, 16) },
      ],
    },
    {
      type: 'table',
      title: '参加情况（约）',
      columns: ['应测', '免测', '实测'],
      rows: [[total, exempt, tested].map((count) => `约 ${persons(count)}`)],
    },
    textBlock('RR_DONE', rate === null ? '还没有应测人员。' : `实测占应测的${rate.toFixed(1)}%。`),
  ];
}

const methodBlocks = (): TeamBlock[] => [
  {
    type: 'list',
    items: [
      sentence('RR_EFFORT', '参加情况每晚统计一次，按学校和年级向下取整为5的倍数后相加，所以是约数。'),
      sentence('RR_ONCE', '结果在时段结束后一次发布，发布后不再变化；之后的答卷不计入。'),
      sentence('RR_CUTOFF', '“需关注”指总体程度达到“中度”及以上，或有安全相关题目的提示，与各机构自定的标准无关。'),
      sentence('RR_SMALL', '为保护个人信息，人数少的分组不显示，必要时连同另一个分组一起不显示；表中记作“—”。'),
    ],
  },
];

function overallBlocks({ outcome }: ReleasedFacts): TeamBlock[] {
  if (!outcome) return WAITING;
  const { valid, abnormal, alert } = outcome;
  if (valid === null) return [textBlock('RR_HIDDEN', '为保护个人信息，这部分结果不公布。')];
  const interval =
    abnormal !== null && valid >= SMALLEST_FOR_INTERVAL ? wilsonInterval({ count: abnormal, total: valid }) : undefined;
  const levels = ofShown(outcome.levels);
  return [
    {
      type: 'kv',
      items: [
        { label: '有效人数', value: persons(valid) },
        { label: '需关注', value: abnormal === null ? '—' : shareText(abnormal, valid) },
        ...(interval ? [{ label: '95%置信区间', value: `${inPercent(interval.low)}%–${inPercent(interval.high)}%` }] : []),
        { label: '有安全提示', value: alert === null ? '—' : persons(alert) },
      ],
    },
    ...(levels
      ? [
          {
            type: 'chart' as const,
            chart: {
              kind: 'stack' as const,
              title: '总体程度分布',
              levels: OVERALL_LEVELS,
              groups: [{ name: '全部', counts: levels }],
            },
          },
          {
            type: 'table' as const,
            columns: ['总体程度', '人数', '占比'],
            rows: OVERALL_LEVELS.map((word, level) => [word, levels[level] ?? 0, rateText(levels[level] ?? 0, valid)]),
          },
        ]
      : []),
  ];
}

function domainBlocks({ outcome }: ReleasedFacts): TeamBlock[] {
  if (!outcome) return LATER;
  const groups = [
    { name: '抑郁症状', counts: ofShown(outcome.depressed) },
    { name: '焦虑症状', counts: ofShown(outcome.anxious) },
  ].flatMap(({ name, counts }) => (counts?.some((count) => count > 0) ? [{ name, counts }] : []));
  if (groups.length === 0) return [textBlock('RR_HIDDEN', '为保护个人信息，这部分结果不公布。')];
  const levels = ['无明显症状', ...OVERALL_LEVELS.slice(1)];
  return [{ type: 'chart', chart: { kind: 'stack', title: '抑郁与焦虑症状的程度分布', levels, groups } }];
}

function groupBlocks({ outcome, grades, genders }: ReleasedFacts): TeamBlock[] {
  if (!outcome) return LATER;
  const toTable = (title: string, groups: readonly ReleasedGroup[]): TeamBlock[] =>
    groups.length < 2
      ? []
      : [
          {
            type: 'table',
            title,
            columns: ['分组', '有效', '需关注', '占比'],
            rows: groups.map(({ groupname, valid, abnormal }) => [
              groupname,
              valid,
              abnormal,
              valid === null || abnormal === null ? HIDDEN : rateText(abnormal, valid),
            ]),
          },
        ];
  const tables = [...toTable('性别', genders), ...toTable('年级', grades)];
  return tables.length > 0 ? tables : [textBlock('RR_NOGROUP', '为保护个人信息，分组结果不公布。')];
}

function caseBlocks({ outcome }: ReleasedFacts): TeamBlock[] {
  if (!outcome) return LATER;
  const { opened, settled, closed } = outcome;
  const shown = (count: number | null) => (count === null ? '—' : String(count));
  return [
    { type: 'table', columns: ['时段内新开个案', '已闭环', '已结案'], rows: [[opened, settled, closed].map(shown)] },
    textBlock('RR_CASES', '已闭环指已结案，或仍在处置且没有超时的时限。数字是发布当天的情况，不涉及任何个人。'),
  ];
}

function suggestionBlocks({ effort, outcome }: ReleasedFacts): TeamBlock[] {
  const { valid, abnormal } = outcome ?? { valid: null, abnormal: null };
  const isShown = valid !== null && abnormal !== null;
  return adviceBlocks({
    effort: { ...effort, complete: effort.tested, absent: 0 },
    outcome: { valid: isShown ? valid : 0, abnormal: isShown ? abnormal : 0, alert: 0, levels: [] },
    ...{ items: [], cases: [], earlier: { name: '', why: '' } },
  }).map((block) =>
    block.type === 'list'
      ? { ...block, items: block.items.filter(({ commentids }) => isShown || commentids[0] !== 'GR_FEW') }
      : block,
  );
}

/** The content of a released report: the same release always gives the same text. */
export const buildReleasedReport = (facts: ReleasedFacts): TeamReportContent => ({
  schema: 'trpt/1',
  title: '团体心理健康测评报告',
  generatedat: facts.datatime,
  engine: releasedEngine,
  disclaimer: teamDisclaimer,
  sections: [
    { key: 'cover', title: '范围与参加情况', blocks: coverBlocks(facts) },
    { key: 'method', title: '方法与口径', blocks: methodBlocks() },
    { key: 'overall', title: '总体情况', blocks: overallBlocks(facts) },
    { key: 'quotas', title: '抑郁与焦虑', blocks: domainBlocks(facts) },
    { key: 'groups', title: '分组', blocks: groupBlocks(facts) },
    { key: 'attention', title: '预警与处置', blocks: caseBlocks(facts) },
    { key: 'suggestion', title: '建议', blocks: suggestionBlocks(facts) },
    { key: 'closing', title: '说明', blocks: closingBlocks() },
  ],
});
