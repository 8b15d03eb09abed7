import type { AiText } from '#domain/report/ai/checkAiText.ts';
import { plainParagraph, textBlock } from '#domain/report/report.blocks.ts';
import type { Block, ReportContent, ReportSection } from '#domain/report/report.content.ts';

/** The label wherever a generated text stands: on screen, in print and in PDF (GB 45438-2025). */
export const aiLabel = '本段由人工智能辅助生成，经人工审核后使用';
/** The fixed paragraph about safety. The server adds it; no model writes it. */
const safetyParagraph = '如有伤害自己的念头，请马上告诉信任的人或本机构的心理服务人员，也可以拨打12356；紧急时请拨打120或110。';

const list = (title: string, items: readonly string[]): Block[] =>
  items.length ? [{ type: 'list', title, items: items.map(plainParagraph) }] : [];

/** The section of the generated text. The words for a talk are for staff only. */
function aiSection(audience: ReportContent['audience'], text: AiText, hasalert: boolean, isReviewed: boolean): ReportSection {
  return {
    key: 'ai',
    title: 'AI综合解读',
    blocks: [
      textBlock(plainParagraph(isReviewed ? aiLabel : `${aiLabel}（尚未审核）`)),
      textBlock(plainParagraph(text.summary), '综合解读'),
      ...list('可能的影响因素', text.factors),
      ...list('具体建议', text.advice),
      ...(hasalert ? [textBlock(plainParagraph(safetyParagraph), '请留意')] : []),
      ...(audience === 'staff' ? [textBlock(plainParagraph(text.talk), '沟通话术')] : []),
    ],
  };
}

/** The report with its generated text before the help that it offers. The person reads the text only after its review. */
export function withAiText(
  content: ReportContent,
  ai: { text: AiText; hasalert: boolean; isReviewed: boolean } | undefined,
): ReportContent {
  if (!ai || (content.audience === 'self' && !ai.isReviewed)) return content;
  const at = content.sections.findIndex(({ key }) => key === 'support' || key === 'conclusion' || key === 'closing');
  const place = at < 0 ? content.sections.length : at;
  return {
    ...content,
    sections: content.sections.toSpliced(place, 0, aiSection(content.audience, ai.text, ai.hasalert, ai.isReviewed)),
  };
}
