import { findBandText } from '#domain/scoring/bandset/applyBandsets.ts';
import type { Commentary } from '#domain/report/commentary/commentary.ts';
import type { ReportFacts } from '#domain/report/report.facts.ts';

/** Below every priority that an author can give: at equal specificity a paragraph of the library stands before the text of a band. */
const PRIORITY = -1_000_000;

/** The level of an institution in the tree, 0 for the platform. */
const depthOf = (orgpath: string): number => orgpath.split('.').filter(Boolean).length - 1;

/**
 * The texts of the bands that judged the forms, as rows of the library: a comment is a paragraph about its form, a suggestion one of
 * the suggestions. They are as specific as the paragraphs of the institution that wrote them.
 */
export function bandRows({ forms }: Pick<ReportFacts, 'forms'>): Commentary[] {
  return forms.flatMap(({ scale, result }) =>
    Object.keys(scale.inforce?.sets ?? {}).flatMap((code): Commentary[] => {
      const [value, level] = [result.scores[code], result.levels[code]];
      const found = value == null || level == null ? undefined : findBandText(scale, code, value, level);
      if (level == null || !found) return [];
      const { set, option } = found;
      const depth = depthOf(set.orgpath);
      const rowsOf = (id: string, t: string | null | undefined): Omit<Commentary, 'section' | 'audience'>[] =>
        t
          ? [
              {
                id: `${id}${set.bandsetid}.${level}`,
                ...(depth > 0 ? { depth } : {}),
                ...(set.appid === null ? {} : { appid: set.appid }),
                ...(set.gender === null ? {} : { gender: set.gender as '01' | '02' }),
                ...(set.agemin === null ? {} : { agemin: set.agemin }),
                ...(set.agemax === null ? {} : { agemax: set.agemax }),
                priority: PRIORITY,
                quotacode: set.quotacode,
                level,
                t,
              },
            ]
          : [];
      const form = scale.formcode;
      return [
        ...rowsOf('BC', option.comment).map((row) => ({ ...row, form, section: 'form', audience: 'self' }) as const),
        ...rowsOf('BS', option.staffcomment).map((row) => ({ ...row, form, section: 'form', audience: 'staff' }) as const),
        ...rowsOf('BG', option.suggestion).map((row) => ({ ...row, section: 'suggestion', audience: 'self' }) as const),
      ];
    }),
  );
}
