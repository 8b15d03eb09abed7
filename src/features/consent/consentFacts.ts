import { createHash } from 'node:crypto';
import type { ConsentFacts, DataReaders } from '#domain/exam/consent.ts';
import { toTerms, type ConsentTerms } from '#domain/exam/consentTerms.ts';
import { staffOf, type Allow } from '#contract/action.ts';
import { codeOf } from '#contract/menu.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { findConsentTerms, findOwnConsentSource, type ConsentSource } from '#features/consent/consentSource.queries.ts';
import { getCUserReport } from '#features/report/report.contract.ts';

/** Builds the facts of a consent text from the roles and permissions of an institution and those above it. */

/** Statistics show groups of at least this many persons to an authority (features/task/board). */
const MIN_STATS = 5;
/** A role with this data scope sees only the persons of its own teams, and never a score. */
const OWN_TEAMS = 5;

const statistics = staffOf('statistics.school', 'statistics.reports', 'statistics.hospital', 'data.details', 'data.counts');
const persons = staffOf(
  'group.teams',
  'group.tasks',
  'warning.crisis',
  'individual.persons',
  'archives.all',
  'consult.followups',
);

/** Whether one of these codes is enough for a call. */
const hasCodeOf = ({ codes: enough = [] }: Allow, codes: ReadonlySet<string>) => enough.some((code) => codes.has(code));

/** The lists in which a role of these codes stands. */
export function classify(codes: ReadonlySet<string>, datascope: number): (keyof DataReaders)[] {
  // A person may hold the screen by another role, so the right to read answers counts alone.
  if (datascope !== OWN_TEAMS && codes.has(codeOf('exam.answers'))) return ['all'];
  const seesScores = datascope !== OWN_TEAMS && hasCodeOf(getCUserReport.allow, codes);
  const kinds: (keyof DataReaders)[] = [];
  if (seesScores) kinds.push('results');
  if (codes.has(codeOf('warning.handle'))) kinds.push('cases');
  if (kinds.length === 0 && hasCodeOf(persons, codes)) kinds.push('hints');
  if (kinds.length === 0 && hasCodeOf(statistics, codes)) kinds.push('stats');
  return kinds;
}

const platformType = '001';
const providerType = '002';

/** The facts of the consent text. `terms` are the institution's own. */
export function toConsentFacts(source: ConsentSource, terms: Partial<ConsentTerms> | null | undefined): ConsentFacts {
  const readers: Record<keyof DataReaders, Set<string>> = {
    all: new Set(),
    results: new Set(),
    cases: new Set(),
    hints: new Set(),
    stats: new Set(),
  };
  const add = (name: string, codes: ReadonlySet<string>, datascope: number) => {
    for (const kind of classify(codes, datascope)) readers[kind].add(name);
  };
  for (const holder of source.holders) {
    const isOwn = holder.musercode === source.musercode;
    const institutionCodes = new Set(holder.codes);
    const nameOf = (name: string) => (isOwn ? name : `${holder.insname}的${name}`);
    const within = (codes: readonly string[]) => new Set(codes.filter((code) => institutionCodes.has(code)));
    const roles = [...holder.roles].sort((a, b) => (a.rolename < b.rolename ? -1 : 1));
    for (const role of roles) add(nameOf(role.rolename), within(role.codes), role.datascope);
    add(nameOf('管理账号'), institutionCodes, 1);
    if (holder.granted.length) add(nameOf('另行授权的人员'), within(holder.granted), 1);
  }
  readers.stats.add('主管部门');
  const filled = toTerms(source.sector, terms);
  const providers = source.holders
    .filter(({ musercode, musertype }) => musercode !== source.musercode && [platformType, providerType].includes(musertype))
    .map(({ insname, roles }) => ({
      name: insname,
      isOnDuty: roles.some(({ rolekey }) => rolekey === 'warningduty'),
    }));
  return {
    edition: 1,
    insname: source.insname,
    sector: source.sector,
    contact: [filled.contactname || source.contactname, filled.contactphone || source.contactphone].filter(Boolean).join(' '),
    providers,
    readers: {
      all: [...readers.all],
      results: [...readers.results],
      cases: [...readers.cases],
      hints: [...readers.hints],
      stats: [...readers.stats],
    },
    minstats: MIN_STATS,
    terms: filled,
  };
}

/** The version of a consent text: ten characters of the hash of its facts. */
export const consentVersion = (facts: ConsentFacts): string =>
  createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 10);

/** The consent that an institution asks for now. */
export interface CurrentConsent {
  facts: ConsentFacts;
  version: string;
}

/** The consent that an institution asks for now, read in the caller's transaction. */
export async function findCurrentConsent(scope: Scope, musercode: string): Promise<CurrentConsent> {
  const source = await findOwnConsentSource(scope, musercode);
  if (!source) throw problems.notFound({ what: '机构' });
  const facts = toConsentFacts(source, await findConsentTerms(scope, musercode));
  return { facts, version: consentVersion(facts) };
}
