import type { Commentary } from '#domain/report/commentary/commentary.ts';
import { bandRows } from '#domain/report/commentary/bandRows.ts';
import { commentaryLibrary, commentaryVersion } from '#domain/report/commentary/commentary.library.ts';
import type { ReportContent, SectionKey } from '#domain/report/report.content.ts';
import { disclaimer, sectionKeys } from '#domain/report/report.content.ts';
import type { ReportFacts } from '#domain/report/report.facts.ts';
import { summarise } from '#domain/report/report.facts.ts';
import { sectionBuilders } from '#domain/report/report.sections.ts';
import { applyTemplate } from '#domain/report/template/applyTemplate.ts';
import { defaultTemplate } from '#domain/report/template/template.ts';

/** The sections of `usersReport01` (孕产妇1.0), the fixed two-page short form. */
const SHORT_FORM_SECTIONS: readonly SectionKey[] = [
  'cover',
  'notice',
  'basicinfo',
  'overall',
  'forms',
  'suggestion',
  'support',
  'closing',
];
/** Another report in the short form. A stored text has no other place for its template. */
export const shortFormOf = (content: ReportContent): ReportContent => ({
  ...content,
  templatecode: 'usersReport01',
  sections: content.sections.filter(({ key }) => key !== 'ai' && SHORT_FORM_SECTIONS.includes(key)),
});

/** The page of reports of the custom population. */
const CUSTOM_PAGE = 'usersReportCustom';

/**
 * Both versions of the report of one exam. Pure: the same facts and the same library give the same content, whose `engine` names
 * the version of the library.
 * The person's own version has no alert block, no explanation of rules, no answers and no observation form of staff.
 * It has no numbers for a form that raised an alert or reached level 3.
 */
export function buildReport(
  facts: ReportFacts,
  library: readonly Commentary[] = commentaryLibrary,
  version = commentaryVersion,
): { staff: ReportContent; self: ReportContent } {
  const summary = summarise(facts);
  const rows = [...library, ...bandRows(facts)];
  const { page } = summary.population;
  const template = facts.template ?? (page === CUSTOM_PAGE ? { ...defaultTemplate, templatecode: CUSTOM_PAGE } : undefined);
  const content = (audience: 'staff' | 'self'): ReportContent => ({
    schema: 'rpt/1',
    audience,
    templatecode: page,
    title: '心理健康测评报告',
    generatedat: facts.generatedat,
    engine: `rules@${version}`,
    disclaimer,
    largefont: summary.population.largefont ?? false,
    sections: sectionKeys.flatMap((key) => {
      const section = sectionBuilders[key]({ facts, summary, audience, library: rows });
      return section.blocks.length ? [{ key, ...section }] : [];
    }),
  });
  const arrange = (built: ReportContent) => (template ? applyTemplate(built, template) : built);
  return { staff: arrange(content('staff')), self: arrange(content('self')) };
}
