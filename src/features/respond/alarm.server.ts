import { ageOn, daysBetween } from '#domain/calendar.ts';
import { effectiveRules } from '#domain/ownrule.ts';
import type { Answers, FormResult, PersonFacts, Scale } from '#domain/scale.ts';
import { score } from '#domain/scoring.ts';
import { triggerFromForms, type WarningTrigger } from '#domain/warningtrigger.ts';
import type { Scope } from '#server/scope.ts';
import { raiseWarning, type Raised } from '#features/warning/raise.queries.ts';
import { isMinor } from '#features/warning/warning.queries.ts';
import type { SittingRow } from '#features/respond/exam.queries.ts';

/** Results of the sheets answered so far, by form code. */
export const resultsOf = (forms: readonly { scale: Scale; answers: Answers }[], person: PersonFacts): Results =>
  Object.fromEntries(
    forms.flatMap(({ scale, answers }) => {
      const outcome = score(scale, answers, person);
      return outcome.kind === 'invalid' ? [] : [[scale.formcode, { scale, result: outcome as FormResult }]];
    }),
  );
type Results = Record<string, { scale: Scale; result: FormResult }>;

/**
 * What results ask for; null when nobody need be told. `items`: while answering, from single answers only; `sitting`: at hand-in,
 * from everything. A sheet in doubt still alerts on its answers, but not on its totals.
 */
export const triggerOf = (
  sitting: SittingRow,
  results: Results,
  person: PersonFacts,
  now: Date,
  when: 'items' | 'sitting',
  valid = true,
): WarningTrigger | null =>
  triggerFromForms(results, {
    rules: when === 'sitting' && valid ? effectiveRules(sitting.rules, sitting.appid) : [],
    person,
    history: sitting.history
      .filter((test) => test.valid)
      .map((test) => ({
        form: test.formcode,
        daysago: daysBetween(new Date(test.submittime), now),
        scores: test.scores as Record<string, number>,
      })),
    minlevel: sitting.settings['warnlevelmin'] === 1 ? 1 : 2,
  });

/** Raises what the answers ask for, in the same transaction that stores them. */
export async function raiseFrom(
  scope: Scope,
  sitting: SittingRow,
  trigger: WarningTrigger | null,
  now: Date,
): Promise<Raised | null> {
  if (!trigger) return null;
  const { cuserid, musercode, appid, examcode, sector, birthday } = sitting;
  return raiseWarning(scope, {
    cuserid,
    musercode,
    appid,
    examcode,
    trigger,
    at: now,
    minor: isMinor({ birthday, appid }, now),
    sector,
  });
}

/** The person asked to be contacted: level 2, whoever is on duty answers within a day. */
export const raiseContact = (
  scope: Scope,
  own: { cuserid: string; musercode: string; appid: string; sector: string; birthday: string | null },
  content: string,
  at: Date,
) =>
  raiseWarning(scope, {
    cuserid: own.cuserid,
    musercode: own.musercode,
    appid: own.appid,
    at,
    sector: own.sector,
    minor: own.birthday ? ageOn(own.birthday, at) < 18 : own.appid === '000000002',
    trigger: {
      source: '05',
      level: 2,
      itemtrigger: true,
      rulecodes: [],
      alerts: [],
      alertmsgs: [content ? `本人请求联系：${content}` : '本人请求联系'],
    },
  });
