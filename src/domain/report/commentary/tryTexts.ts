import {
  narrate,
  sectionLimit,
  type Commentary,
  type CommentarySection,
  type Sentence,
} from '#domain/report/commentary/commentary.ts';
import { inventedFacts } from '#domain/report/commentary/invented.ts';
import { narrativeFacts, primaryScores, summarise, type ReportFacts } from '#domain/report/report.facts.ts';
import type { Level, Scale } from '#domain/scoring/scale.ts';

/** The chosen paragraphs of a section, and each other row of it with the reason. */
export interface Trial {
  chosen: Sentence[];
  others: { commentid: string; why: string }[];
}

/** Chooses the paragraphs of a section as a report does, and says why each other row was not chosen. */
export function tryTexts(
  facts: ReportFacts,
  library: readonly Commentary[],
  { audience, section, formcode }: { audience: 'self' | 'staff'; section: CommentarySection; formcode?: string | undefined },
): Trial {
  const summary = summarise(facts);
  const form = facts.forms.find(({ scale }) => scale.formcode === formcode);
  const others: Trial['others'] = [];
  const isCalm = audience === 'self' && section === 'overall' && summary.usesSupportiveText;
  const rows = isCalm ? library.filter(({ excl }) => excl === 'calm') : library;
  if (isCalm)
    for (const row of library)
      if (row.section === section && row.audience === audience && row.excl !== 'calm')
        others.push({ commentid: row.id, why: '有预警或 3 级以上时，只用同组为 calm 的邀请' });
  const limit = section === 'form' && form ? Math.min(3, Math.max(1, primaryScores(form.scale).length)) : sectionLimit[section];
  const chosen = narrate(narrativeFacts(facts, summary, audience, form), rows, audience, section, {
    ...(form ? { form: form.scale.formcode } : {}),
    limit,
    onLoss: ({ id }, why) => others.push({ commentid: id, why }),
  });
  return { chosen, others };
}

/** One place of the coverage: the row that a report would use there; '' when only the fallback matches. */
export interface CoverageCell {
  quotacode: string;
  level: Level;
  levelname: string;
  audience: 'self' | 'staff';
  commentid: string;
}

/** The value in the middle of a band: it lies inside, whichever of its ends belong to it. */
function valueIn([low, high]: readonly [number | null, number | null, ...unknown[]]): number {
  if (low === null) return high === null ? 0 : high - 0.5;
  return high === null ? low + 0.5 : (low + high) / 2;
}

/** The coverage of a questionnaire for a population: each level of each main score, for each reader. */
export function coverageOf(scale: Scale, appid: string, library: readonly Commentary[]): CoverageCell[] {
  const isForStaff = scale.formtype === '04' || scale.capturemode === 'staff';
  const audiences = isForStaff ? (['staff'] as const) : (['self', 'staff'] as const);
  // Texts that quote an answer have one; the answers raise no alert, because an alert hides the numbers from the person.
  const quiet: Scale = { ...scale, alerts: [] };
  const items = Object.fromEntries(scale.items.map(({ c }) => [c, 0]));
  return primaryScores(scale).flatMap(({ c }) => {
    const levels = new Map((scale.bands[c] ?? []).map((band) => [band[2], band]));
    return [...levels.values()].flatMap((band) =>
      audiences.map((audience): CoverageCell => {
        const facts = inventedFacts({ appid, forms: [{ scale: quiet, scores: { [c]: valueIn(band) }, items }] });
        const focus = facts.forms[0];
        const [sentence] = narrate(narrativeFacts(facts, summarise(facts), audience, focus), library, audience, 'form', {
          form: scale.formcode,
        });
        const [, , level, levelname] = band;
        return {
          quotacode: `${scale.formcode}.${c}`,
          level: level as Level,
          levelname,
          audience,
          commentid: sentence?.commentid ?? '',
        };
      }),
    );
  });
}
