import { fixedParagraph, textBlock } from '#domain/report/report.blocks.ts';
import type { Block, ReportContent, ReportSection, SectionKey } from '#domain/report/report.content.ts';
import { HIGHLIGHTS_TITLE, LICENCE_LABEL, PERIOD_LABEL } from '#domain/report/report.forms.ts';
import { CONTENTS_TITLE } from '#domain/report/recommended/contents.ts';
import { requiredKeys, templateFields, templateKeys, type ReportTemplate } from '#domain/report/template/template.ts';

/** What staff need in every report: what was asked, the review and the answers. */
const STAFF_KEYS: readonly SectionKey[] = ['riskfactors', 'conclusion', 'appendix'];

/** The keys of the sections in the order of the template. Required ones that it lacks follow, then those of staff, the closing last. */
function orderOf(template: ReportTemplate, audience: ReportContent['audience']): SectionKey[] {
  const chosen = template.sections.flatMap(({ key, on }) => (on || requiredKeys.includes(key) ? [key] : []));
  const required = requiredKeys.filter((key) => !chosen.includes(key));
  const forStaff = audience === 'staff' ? STAFF_KEYS.filter((key) => !(chosen as SectionKey[]).includes(key)) : [];
  return [...new Set<SectionKey>([...chosen, ...required, ...forStaff, 'closing'])];
}

/** The chosen lines of 基本信息. */
function withFields(block: Block, fields: readonly string[]): Block[] {
  if (block.type !== 'kv') return [block];
  const labels = new Set(templateFields.flatMap(({ code, label }) => (fields.includes(code) ? [label] : [])));
  const items = block.items.filter(({ label }) => labels.has(label));
  return items.length ? [{ ...block, items }] : [];
}

/** The block without the parts that the options leave out. The licence line of a questionnaire always stays. */
function withOptions(block: Block, options: Readonly<Record<string, boolean>>): Block[] {
  if (block.type === 'radar' && options['radar'] === false) return [];
  if (block.type === 'line' && options['trend'] === false) return [];
  if (block.type === 'list' && block.title === HIGHLIGHTS_TITLE && options['items'] === false) return [];
  if (block.type === 'list' && block.title === CONTENTS_TITLE && options['contents'] === false) return [];
  if (block.type !== 'kv' || options['reference'] !== false || !block.items.some(({ label }) => label === PERIOD_LABEL))
    return [block];
  const items = block.items.filter(({ label }) => label === LICENCE_LABEL);
  return items.length ? [{ ...block, items }] : [];
}

/** The notice with the institution's own paragraphs instead of the usual one about confidentiality. */
function withNotice(content: ReportContent, block: Block, notice: string): Block[] {
  if (!notice || block.type !== 'text' || !block.commentids.includes('NT_PRIVACY')) return [block];
  return notice
    .split('\n')
    .filter((text) => text.trim() !== '')
    .map((text) => textBlock(fixedParagraph(content, 'NT_OWN', '机构在报告模板中填写', text)));
}

/**
 * A report as a template arranges it. It only leaves out, orders and renames: rules about alerts and numbers that a person may not read
 * hold in every template. The text of the provider (`ai`) stays where it was added, after the listed sections.
 */
export function applyTemplate(content: ReportContent, template: ReportTemplate & { templatecode: string }): ReportContent {
  const blocksOf = (section: ReportSection, options: Readonly<Record<string, boolean>>): Block[] =>
    section.blocks.flatMap((block) => {
      if (section.key === 'basicinfo') return withFields(block, template.fields);
      if (section.key === 'notice') return withNotice(content, block, template.notice);
      return withOptions(block, options);
    });
  const sections = orderOf(template, content.audience).flatMap((key): ReportSection[] => {
    const section = content.sections.find((candidate) => candidate.key === key);
    if (!section) return [];
    const chosen = template.sections.find((candidate) => candidate.key === key);
    const blocks = blocksOf(section, chosen?.options ?? {});
    const title = key === 'cover' ? template.title : chosen?.title || section.title;
    return blocks.length ? [{ ...section, title, blocks }] : [];
  });
  const arranged = new Set<string>([...templateKeys, ...STAFF_KEYS, 'closing']);
  const added = content.sections.filter(({ key }) => !arranged.has(key));
  return {
    ...content,
    templatecode: template.templatecode,
    title: template.title,
    ...(template.logofileid ? { logofileid: template.logofileid } : {}),
    sections: [...sections.slice(0, -1), ...added, ...sections.slice(-1)],
  };
}
