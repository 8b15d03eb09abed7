import { findBandText } from '#domain/scoring/bandset/applyBandsets.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Commentary } from '#domain/report/commentary/commentary.ts';
import type { ReportFacts } from '#domain/report/report.facts.ts';

/** Below every priority that an author can give: at equal specificity a paragraph of the library stands before the text of a band. */
const PRIORITY = -1_000_000;

/**
 * The texts of the bands that judged the forms, as rows of the library: a comment is a paragraph about its form, a suggestion one of
 * the suggestions. Rows of the institution, or of one above it, are as specific as its own paragraphs.
 */
export function bandRows({ forms, institution }: Pick<ReportFacts, 'forms' | 'institution'>): Commentary[] {
  return forms.flatMap(({ scale, result }) =>
    Object.keys(scale.inforce?.sets ?? {}).flatMap((code): Commentary[] => {
      const [value, level] = [result.scores[code], result.levels[code]];
      const found = value == null || level == null ? undefined : findBandText(scale, code, value, level);
      if (!found) return [];
      const { set, option } = found;
      const { musercode } = institution;
      const rowOf = (id: string, t: string | null | undefined): Omit<Commentary, 'section' | 'audience'>[] =>
        t
          ? [
              {
                id: `${id}${set.bandsetid}.${level}`,
                ...(musercode && set.orgpath !== `${platformCode}.` ? { musercode } : {}),
                ...(set.appid ? { appid: set.appid } : {}),
                priority: PRIORITY,
                cond: { level: `${scale.formcode}.${code}`, eq: level as number },
                t,
              },
            ]
          : [];
      const form = scale.formcode;
      return [
        ...rowOf('BC', option.comment).map((row) => ({ ...row, form, section: 'form', audience: 'self' }) as const),
        ...rowOf('BS', option.staffcomment).map((row) => ({ ...row, form, section: 'form', audience: 'staff' }) as const),
        ...rowOf('BG', option.suggestion).map((row) => ({ ...row, section: 'suggestion', audience: 'self' }) as const),
      ];
    }),
  );
}
