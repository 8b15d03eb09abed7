import { adviceBlocks } from '#domain/teamreport/advice.ts';
import { attentionBlocks, compareBlocks, itemBlocks } from '#domain/teamreport/sections.change.ts';
import { groupBlocks, overallBlocks, quotaBlocks } from '#domain/teamreport/sections.results.ts';
import { coverBlocks, methodBlocks } from '#domain/teamreport/sections.scope.ts';
import {
  teamDisclaimer,
  type TeamBlock,
  type TeamReportContent,
  type TeamSectionKey,
} from '#domain/teamreport/teamreport.content.ts';
import type { TeamReportFacts } from '#domain/teamreport/teamreport.facts.ts';
import { textBlock } from '#domain/teamreport/words.ts';

/** The version of the rules and texts of group reports. */
export const teamReportEngine = 'group@1';

/** ⑩ What the figures may not be used for, and where to find help. */
export const closingBlocks = (): TeamBlock[] => [
  textBlock(
    'TR_CLOSING',
    '本报告汇总标准化量表的自评结果，反映测评前一段时间的群体情绪状态，属于筛查参考，不能替代精神科或心理专科的临床诊断。团体数据不得用于对个人的评价，也不得用于对班级、部门或工作人员的排名与考核。',
  ),
  textBlock('TR_HELP', '发现有人可能伤害自己或他人时，请立即拨打12356或120，并按本机构的危机预警流程处置。'),
];

type ToBlocks = (facts: TeamReportFacts, words?: ReadonlyMap<string, string>) => TeamBlock[];

const parts: readonly [TeamSectionKey, string, ToBlocks][] = [
  ['cover', '范围与参加情况', coverBlocks],
  ['method', '方法与口径', methodBlocks],
  ['overall', '总体情况', overallBlocks],
  ['quotas', '指标', quotaBlocks],
  ['groups', '分组', groupBlocks],
  ['compare', '与上次比较', compareBlocks],
  ['items', '重点条目', itemBlocks],
  ['attention', '预警与处置', attentionBlocks],
  ['suggestion', '建议', adviceBlocks],
  ['closing', '说明', closingBlocks],
];

/**
 * The content of a group report: the same facts and the same words always give the same text. `words` replaces the shipped sentences
 * of advice, by the id of their rule.
 */
export const buildTeamReport = (facts: TeamReportFacts, words?: ReadonlyMap<string, string>): TeamReportContent => ({
  schema: 'trpt/1',
  title: '团体心理健康测评报告',
  generatedat: facts.datatime,
  engine: teamReportEngine,
  disclaimer: teamDisclaimer,
  sections: parts.map(([key, title, toBlocks]) => ({ key, title, blocks: toBlocks(facts, words) })),
});
