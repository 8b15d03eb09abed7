import type { Commentary } from '#domain/report/commentary/commentary.ts';
import { bandRows } from '#domain/report/bandRows.ts';
import { commentaryLibrary, commentaryVersion } from '#domain/report/commentary/commentary.library.ts';
import type { ReportContent, SectionKey } from '#domain/report/report.content.ts';
import { disclaimer, sectionKeys } from '#domain/report/report.content.ts';
import type { ReportFacts } from '#domain/report/report.facts.ts';
import { summarise } from '#domain/report/report.facts.ts';
import { sectionBuilders } from '#domain/report/report.sections.ts';

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

/** The sections of `usersReportCustom` until it has an editor (supplement-people-statistics.md 1). */
const CUSTOM_SECTIONS: readonly SectionKey[] = ['cover', 'notice', 'overall', 'forms', 'suggestion', 'support', 'closing'];
/** What staff need in every report: what was asked, the review and the answers. */
const STAFF_SECTIONS: readonly SectionKey[] = ['riskfactors', 'conclusion', 'appendix'];
/** The sections that every template must contain. */
const REQUIRED_SECTIONS: readonly SectionKey[] = ['cover', 'notice', 'overall', 'support', 'closing'];

function sectionsOf(facts: ReportFacts, page: string, audience: 'staff' | 'self'): readonly SectionKey[] {
  if (facts.template?.templatecode === 'usersReport01') return SHORT_FORM_SECTIONS;
  const templateSections = facts.template?.sections;
  if (!templateSections)
    return page === 'usersReportCustom'
      ? sectionKeys.filter(
          (key) =>
            CUSTOM_SECTIONS.includes(key) ||
            (audience === 'staff' && STAFF_SECTIONS.includes(key)) ||
            (key === 'basicinfo' && Boolean(facts.template?.fields?.length)),
        )
      : sectionKeys;
  // The template sets the order. Required sections that it lacks come at their usual place, and the closing comes last.
  const keys = [...new Set(templateSections)].filter((key) => key !== 'closing');
  for (const key of REQUIRED_SECTIONS)
    if (key !== 'closing' && !keys.includes(key)) keys.splice(Math.min(sectionKeys.indexOf(key), keys.length), 0, key);
  return [...keys, 'closing'];
}

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
  const content = (audience: 'staff' | 'self'): ReportContent => ({
    schema: 'rpt/1',
    audience,
    templatecode: facts.template?.templatecode ?? summary.population.page,
    title: facts.template?.title ?? '心理健康测评报告',
    generatedat: facts.generatedat,
    engine: `rules@${version}`,
    disclaimer,
    largefont: summary.population.largefont ?? false,
    sections: sectionsOf(facts, summary.population.page, audience).flatMap((key) => {
      const section = sectionBuilders[key]({ facts, summary, audience, library: rows });
      return section.blocks.length ? [{ key, ...section }] : [];
    }),
  });
  return { staff: content('staff'), self: content('self') };
}
