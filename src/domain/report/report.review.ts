import { maskName } from '#domain/base/mask.ts';
import { fixedParagraph, plainParagraph, keyValueBlocks, textBlock } from '#domain/report/report.blocks.ts';
import { WITHDRAWN_WORDS } from '#domain/scoring/majorVersion.ts';
import { mentionsFamily } from '#domain/report/reader.ts';
import { cautionTitle, violenceNote, violenceTopic } from '#domain/report/violence.ts';
import type { Block, ReportContent } from '#domain/report/report.content.ts';

/** The review that staff wrote for a report; times are `YYYY-MM-DD HH:mm:ss`. */
export interface Review {
  conclusion: string;
  advice: string;
  reviewer: string;
  reviewtime: string | null;
}

/**
 * The staff version with the present review. The proposed paragraphs stay until staff write a conclusion.
 * The person's own version has no conclusion and does not change.
 */
export function withReview(content: ReportContent, review: Review): ReportContent {
  if (content.audience !== 'staff') return content;
  const blocksOf = (before: readonly Block[]): Block[] => [
    ...(review.conclusion
      ? [textBlock(plainParagraph(review.conclusion), '结论')]
      : before.filter((block) => block.type === 'text' && block.title === '结论')),
    ...(review.advice ? [textBlock(plainParagraph(review.advice), '处理意见')] : []),
    ...keyValueBlocks([
      { label: '审核人', value: review.reviewer || '待审核' },
      { label: '审核日期', value: review.reviewtime?.slice(0, 10) || '—' },
      { label: '签名', value: '＿＿＿＿＿＿' },
    ]),
  ];
  return {
    ...content,
    sections: content.sections.map((section) =>
      section.key === 'conclusion' ? { ...section, blocks: blocksOf(section.blocks) } : section,
    ),
  };
}

const cautions = [violenceNote('positive'), violenceNote('notasked')];
const isCaution = (text: string): boolean => cautions.some((caution) => caution === text);

/** The block without the sentences about the family; null when nothing is left of it. */
function withoutFamily(block: Block): Block | null {
  if (block.type === 'text')
    return isCaution(block.text) || mentionsFamily(block.text)
      ? null
      : { ...block, text: block.text.replace(violenceTopic, `${violenceTopic}（测评后已知阳性）`) };
  if (block.type !== 'list') return block;
  // A line without a comment id quotes a question, for staff only. A line with a telephone stays.
  const items = block.items.filter(
    ({ text, commentids: [rule] }) => rule === undefined || rule.startsWith('SP_CALL') || !mentionsFamily(text),
  );
  return items.length ? { ...block, items } : null;
}

/**
 * The report of a person whose violence or abuse became known after it was written: without any sentence about the family. The staff
 * version says why before its suggestions.
 */
export function withViolenceFound(content: ReportContent): ReportContent {
  const note = fixedParagraph(content, 'SG_CAUTION', '家暴与侵害在测评后已知阳性', violenceNote('positive') ?? '');
  const caution = textBlock(note, cautionTitle);
  return {
    ...content,
    sections: content.sections.flatMap((section) => {
      const kept = section.blocks.map(withoutFamily).filter((block) => block !== null);
      const blocks = content.audience === 'staff' && section.key === 'suggestion' ? [caution, ...kept] : kept;
      return blocks.length ? [{ ...section, blocks }] : [];
    }),
  };
}

/** The same report with another name of the person. */
const withName = (content: ReportContent, nameOf: (name: string) => string): ReportContent => ({
  ...content,
  sections: content.sections.map((section) => ({
    ...section,
    blocks: section.blocks.map((block) =>
      block.type === 'kv'
        ? {
            ...block,
            items: block.items.map((item) => (item.label === '姓名' ? { ...item, value: nameOf(item.value) } : item)),
          }
        : block,
    ),
  })),
});

/** The same report with a masked name, for readers who may not see full names. */
export const withMaskedName = (content: ReportContent): ReportContent => withName(content, maskName);

/** The same report of a person who was anonymised after it was written. */
export const withoutName = (content: ReportContent): ReportContent => withName(content, () => '已删除');

/** The text of the report was erased with its person (access.anonymize_person). */
export const isErased = ({ templatecode }: ReportContent): boolean => templatecode === 'erased';

/**
 * The report of a sheet whose forms were withdrawn since, because their versions score wrongly: it says so before everything else.
 * Nothing is scored again.
 */
export function withWithdrawn(content: ReportContent, formnames: readonly string[]): ReportContent {
  if (formnames.length === 0) return content;
  const names = formnames.map((name) => `“${name}”`).join('、');
  const text =
    content.audience === 'staff'
      ? `${names}：${WITHDRAWN_WORDS}，已撤回。其得分和等级不能作为依据，请安排复测。`
      : `${names}：${WITHDRAWN_WORDS}。这份结果不作参考，工作人员会安排重新测评。`;
  const mark = textBlock(plainParagraph(text), WITHDRAWN_WORDS);
  const place = content.sections.find(({ key }) => key === 'overall') ?? content.sections.find(({ key }) => key !== 'cover');
  return {
    ...content,
    sections: content.sections.map((section) =>
      section === place ? { ...section, blocks: [mark, ...section.blocks] } : section,
    ),
  };
}
