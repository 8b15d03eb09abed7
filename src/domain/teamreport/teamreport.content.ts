import type { Chart } from '#domain/chart/chart.ts';
import type { Block, Paragraph } from '#domain/report/report.content.ts';

/** The content of a group report as data. Screen, PDF and Word draw it the same way. */

/** The parts in the order of design/reports.md 5.3, ① to ⑩; `ai` is the generated text, where one stands. */
export const teamSectionKeys = [
  'cover',
  'method',
  'overall',
  'quotas',
  'groups',
  'compare',
  'items',
  'attention',
  'suggestion',
  'ai',
  'closing',
] as const;
export type TeamSectionKey = (typeof teamSectionKeys)[number];

/** The parts that the owner of a class reads: ① ② ⑨ ⑩ (supplement-people-statistics.md 11). They have no result in numbers. */
const ownerSections: readonly TeamSectionKey[] = ['cover', 'method', 'suggestion', 'closing'];

export type TeamBlock = Extract<Block, { type: 'kv' | 'table' | 'text' | 'list' }> | { type: 'chart'; chart: Chart };

export interface TeamSection {
  key: TeamSectionKey;
  title: string;
  blocks: TeamBlock[];
}

export interface TeamReportContent {
  schema: 'trpt/1';
  title: string;
  /** 数据截至, Asia/Shanghai */
  generatedat: string;
  /** version of the rules and texts */
  engine: string;
  disclaimer: string;
  sections: TeamSection[];
}

export const teamDisclaimer = '团体数据不得用于对个人的评价，不作诊断依据';

const withoutReason = ({ because: _, ...paragraph }: Paragraph): Paragraph => paragraph;

/** The report as the owner of a class reads it: without results, and without the reasons of the advice, which quote them. */
export const forClassOwner = (content: TeamReportContent): TeamReportContent => ({
  ...content,
  sections: content.sections
    .filter(({ key }) => ownerSections.includes(key))
    .map((section) => ({
      ...section,
      blocks: section.blocks.map((block) => {
        if (block.type === 'text')
          return { type: 'text', ...(block.title ? { title: block.title } : {}), ...withoutReason(block) };
        return block.type === 'list' ? { ...block, items: block.items.map(withoutReason) } : block;
      }),
    })),
});

/** All sentences of a group report, in reading order. */
export const teamSentencesOf = (content: TeamReportContent): Paragraph[] =>
  content.sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'text' ? [block] : block.type === 'list' ? block.items : [])),
  );
