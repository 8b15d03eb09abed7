import { ageOn } from '#domain/base/calendar.ts';
import { isAnonymousSource } from '#domain/person/source.ts';
import type { PersonFacts } from '#domain/scoring/scale.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { personFacts } from '#features/respond/exam/buildSubmission.ts';

/** The person of a registration. Works in the sessions of staff and of respondents. */

export interface Applicant {
  cuserid: string;
  musercode: string;
  appid: string;
  birthday: string | null;
  sector: string;
  /** in whole years; null when unknown */
  age: number | null;
  /** what the conditions of a form may use */
  facts: PersonFacts;
  /** the lowest level at which the institution opens a case */
  minwarninglevel: 1 | 2;
  /** entered without a name, by an assessment code or a scan */
  isAnonymous: boolean;
  /** disabled, dead or anonymized */
  isGone: boolean;
}

/** The person within the caller's reach; throws 130001 without one. */
export async function requireApplicant(scope: Scope, cuserid: string, now: Date): Promise<Applicant> {
  const row = await scope.db
    .selectFrom('cuser as c')
    .innerJoin('muser as m', 'm.musercode', 'c.musercode')
    .leftJoin('cuserarchive as a', (join) =>
      join.onRef('a.cuserid', '=', 'c.cuserid').onRef('a.appid', '=', 'c.appid').on('a.iscurrent', '=', 1),
    )
    .select(['c.cuserid', 'c.musercode', 'c.appid', 'c.gender', 'c.birthday', 'c.source', 'c.enabled', 'c.deathtime'])
    .select(['c.anonymizedtime', 'm.sector', 'm.settings', 'a.gradecode'])
    .where('c.cuserid', '=', cuserid)
    .where('c.isdeleted', '=', 0)
    .executeTakeFirst();
  if (!row) throw problems.notFound({ what: '受测者' });
  const { gender, source, enabled, deathtime, anonymizedtime, settings, gradecode, ...person } = row;
  const age = person.birthday ? ageOn(person.birthday, now) : null;
  return {
    ...person,
    age,
    facts: personFacts({ gender, gradecode }, age),
    minwarninglevel: (settings as { warnlevelmin?: unknown } | null)?.warnlevelmin === 1 ? 1 : 2,
    isAnonymous: isAnonymousSource(source),
    isGone: enabled !== 1 || deathtime !== null || anonymizedtime !== null,
  };
}
