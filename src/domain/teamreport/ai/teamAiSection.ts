import { aiLabel } from '#domain/report/ai/aiSection.ts';
import type { AiText } from '#domain/report/ai/checkAiText.ts';
import { plainParagraph } from '#domain/report/report.blocks.ts';
import {
  teamSentencesOf,
  type TeamBlock,
  type TeamReportContent,
  type TeamSection,
} from '#domain/teamreport/teamreport.content.ts';

/** The label of the narrative that stands where no reviewed text of a model stands. */
export const ruleLabel = '本段由规则引擎生成，未使用人工智能';

const text = (words: string, title?: string): TeamBlock => ({
  type: 'text',
  ...(title ? { title } : {}),
  ...plainParagraph(words),
});
const list = (title: string, items: readonly string[]): TeamBlock[] =>
  items.length > 0 ? [{ type: 'list', title, items: items.map(plainParagraph) }] : [];

/** The section of the generated text, with its label (GB 45438-2025). */
const aiSection = ({ summary, factors, advice, talk }: AiText, isReviewed: boolean): TeamSection => ({
  key: 'ai',
  title: 'AI综合解读',
  blocks: [
    text(isReviewed ? aiLabel : `${aiLabel}（尚未审核）`),
    text(summary, '综合解读'),
    ...list('值得留意的方面', factors),
    ...list('工作建议', advice),
    text(talk, '说明话术'),
  ],
});

/** The report with its generated text before the closing words. */
export function withTeamText(
  content: TeamReportContent,
  ai: { text: AiText; isReviewed: boolean } | undefined,
): TeamReportContent {
  if (!ai) return content;
  const at = content.sections.findIndex(({ key }) => key === 'closing');
  const place = at < 0 ? content.sections.length : at;
  return { ...content, sections: content.sections.toSpliced(place, 0, aiSection(ai.text, ai.isReviewed)) };
}

/** The rules whose sentences sum a report up. */
const SUMMARY_RULES = ['TR_DONE', 'TR_OVERALL', 'TR_CHANGED', 'TR_NOISE', 'TR_FEW', 'TR_NOINTERVAL'];

/** The narrative of the rules: the sentences of the report that sum it up, and its advice. */
export function ruleSection(content: TeamReportContent): TeamSection {
  const isSummary = ({ commentids }: { commentids: readonly string[] }) => SUMMARY_RULES.includes(commentids[0] ?? '');
  const sentences = teamSentencesOf({ ...content, sections: content.sections.filter(({ key }) => key !== 'suggestion') });
  const summary = [...new Set(sentences.filter(isSummary).map((sentence) => sentence.text))];
  const advice = teamSentencesOf({ ...content, sections: content.sections.filter(({ key }) => key === 'suggestion') });
  return {
    key: 'ai',
    title: '综合解读',
    blocks: [
      text(ruleLabel),
      ...summary.map((words) => text(words)),
      ...list(
        '工作建议',
        advice.map((sentence) => sentence.text),
      ),
    ],
  };
}
