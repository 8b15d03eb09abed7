import { SMALLEST_FOR_INTERVAL } from '#domain/statistics/interval.ts';
import { SMALLEST_CELL } from '#domain/statistics/smallCells.ts';
import { OVERALL_LEVELS } from '#domain/statistics/levelWords.ts';
import type { TeamBlock } from '#domain/teamreport/teamreport.content.ts';
import type { TeamReportFacts } from '#domain/teamreport/teamreport.facts.ts';
import { persons, rateText, sentence, textBlock } from '#domain/teamreport/words.ts';

const day = (time: string): string => time.slice(0, 10);

/** ① What the report is about, and who was tested. */
export function coverBlocks(facts: TeamReportFacts): TeamBlock[] {
  const { effort, tasks, plans } = facts;
  const { total, tested, complete, exempt, absent } = effort;
  const untested = total - tested - exempt - absent;
  const days = tasks.flatMap(({ begin, end }) => [day(begin), day(end)]).sort();
  const pairs: [string, string][] = [
    ['报告范围', facts.scopename],
    ['机构', facts.insname],
    ['人群', facts.population],
    ['方案', plans.join('、')],
    ['任务', tasks.length > 3 ? `共 ${tasks.length} 个任务` : tasks.map(({ taskname }) => taskname).join('、')],
    ['任务时间', days.length > 0 ? `${days[0]} 至 ${days.at(-1)}` : ''],
    ['数据截至', facts.datatime.slice(0, 16)],
  ];
  return [
    { type: 'kv', items: pairs.flatMap(([label, value]) => (value ? [{ label, value }] : [])) },
    {
      type: 'table',
      title: '参加情况',
      columns: ['应测', '实测', '有效', '无效或待确认', '免测', '缺测', '尚未测评'],
      rows: [[total, tested, complete, tested - complete, exempt, absent, untested].map(persons)],
    },
    textBlock(
      'TR_DONE',
      total === 0
        ? '这个范围内还没有应测人员。'
        : `完成率（有效/应测）为${rateText(complete, total)}` +
            (exempt > 0 ? `，扣除免测后为${rateText(complete, total - exempt)}。` : '。') +
            '免测指休学、转出或家长不同意等长期原因，缺测指请假等其他原因。',
    ),
  ];
}

/** ② Forms, cut-offs, and how the figures are counted. */
export function methodBlocks({ forms, cutoff }: TeamReportFacts): TeamBlock[] {
  return [
    ...(forms.length > 0
      ? [
          {
            type: 'table' as const,
            title: '量表与分级',
            columns: ['量表', '参考期', '分级', '来源'],
            rows: forms.map(({ title, version, recall, bands, citation }) => [
              `${title} ${version}`,
              recall,
              bands.join('；'),
              citation,
            ]),
          },
        ]
      : []),
    {
      type: 'list',
      title: '统计口径',
      items: [
        sentence(
          'TR_LATEST',
          '人数均为不重复的人：每人只取范围内最近一次有效答卷。作废的答卷不计；无效和待监护人同意的答卷不计结果。',
        ),
        sentence(
          'TR_CUTOFF',
          `“需关注”指总体程度达到“${OVERALL_LEVELS[cutoff] ?? OVERALL_LEVELS[2]}”及以上，或有安全相关题目的提示；标准由机构设定。总体程度取各量表中最高的一级。`,
        ),
        sentence(
          'TR_SMALL',
          `为保护个人信息，人数少于${SMALLEST_CELL}人的分组不显示结果，必要时连同另一个分组一起不显示，以免被推算出来；表中记作“—”。`,
        ),
        sentence('TR_INTERVAL', `有效人数达到${SMALLEST_FOR_INTERVAL}人时，比例附95%置信区间（Wilson法），表示抽样波动的范围。`),
      ],
    },
  ];
}
