import type { ContentRef } from '#domain/content/recommend.ts';
import { fixedParagraph, textBlock } from '#domain/report/report.blocks.ts';
import type { Block, Paragraph, ReportContent } from '#domain/report/report.content.ts';

/** The contents that a report recommends, and the person that it offers instead. */

export const CONTENTS_TITLE = '推荐内容';
/** Where a reader of paper finds the contents. */
export const CONTENTS_PLACE = '可以在测评页面的“放松与学习”里打开。';
export const PERSON_TITLE = '找人聊聊';
/** The offer instead of contents. It suits all ages: short sentences, and neither 你 nor 您. */
export const PERSON_OFFER = '这时候，和人聊聊更有帮助。可以在菜单里点“联系我”的按钮。也可以打12356，或告诉信任的人。';

/** The block that offers a person. */
export const personBlock = (content: Pick<ReportContent, 'audience'>): Block =>
  textBlock(fixedParagraph(content, 'SG_PERSON', '综合等级3级及以上、预警或效度不足', PERSON_OFFER), PERSON_TITLE);

/** The block with contents; its last line says where they are. */
export const contentsBlock = (
  content: Pick<ReportContent, 'audience'>,
  contents: readonly { kind: string; title: string; ref?: ContentRef }[],
): Block => ({
  type: 'list',
  title: CONTENTS_TITLE,
  items: [
    ...contents.map(({ kind, title, ref }) => ({
      ...fixedParagraph(content, 'SG_CONTENT', '按综合等级推荐', `${kind}：${title}`),
      ...(ref && { content: ref }),
    })),
    fixedParagraph(content, 'SG_CONTENT_PLACE', '有推荐内容', CONTENTS_PLACE),
  ],
});

const isContents = (block: Block): boolean =>
  block.type === 'list' && block.items.some(({ commentids: [rule] }) => rule === 'SG_CONTENT');

/**
 * The report of a sheet that has an alert, a grave case or doubts by now: without contents. The person's own version offers a person
 * in their place.
 */
export function withoutContents(content: ReportContent): ReportContent {
  const blocksOf = (block: Block): Block[] => {
    if (!isContents(block)) return [block];
    return content.audience === 'self' ? [personBlock(content)] : [];
  };
  return {
    ...content,
    sections: content.sections.flatMap((section) => {
      const blocks = section.blocks.flatMap(blocksOf);
      return blocks.length || section.blocks.length === 0 ? [{ ...section, blocks }] : [];
    }),
  };
}

/** The contents that a report names. */
export const contentsOf = (content: ReportContent): ContentRef[] =>
  content.sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'list' ? block.items.flatMap((item) => item.content ?? []) : [])),
  );

/** The report with links to the contents that are on the shelf. A title of the hand-in stays, also when its content was taken down. */
export function withLinks(content: ReportContent, onShelf: readonly ContentRef[]): ReportContent {
  const isOnShelf = ({ kind, id }: ContentRef) => onShelf.some((known) => known.kind === kind && known.id === id);
  const linked = ({ content: ref, ...paragraph }: Paragraph): Paragraph =>
    ref && isOnShelf(ref) ? { ...paragraph, content: ref } : paragraph;
  return {
    ...content,
    sections: content.sections.map((section) => ({
      ...section,
      blocks: section.blocks.map((block) => (block.type === 'list' ? { ...block, items: block.items.map(linked) } : block)),
    })),
  };
}
