import type { Figures } from '#domain/exceltemplate/indicators.ts';
import { partsOfTarget, type Mapping } from '#domain/exceltemplate/mapping.ts';
import { LEVELS, type GroupKind, type Outcome } from '#domain/release/measures.ts';
import type { StatsScope } from '#server/db/scope.ts';
import {
  findEffort,
  findOutcome,
  findSchools,
  type PublishedEffort,
  type PublishedOutcome,
  type PublishedSchool,
  type ReleaseFilters,
} from '#features/release/release.queries.ts';

/** A period of a population. */
export type FigurePeriod = Pick<ReleaseFilters, 'appid' | 'year' | 'term'>;

/** The published figures of a period for the cells of a form. */
export interface PublishedFigures {
  schools: readonly PublishedSchool[];
  districts: readonly { code: string; name: string }[];
  /** The figures of a place (`region`, `district:…`, `school:…`) and of a group (`all`, `grade:…`, `gender:…`). */
  figuresOf: (place: string, people: string) => Figures;
}

const groupOf = (people: string): GroupKind => (people === 'all' ? 'all' : people.includes('gender') ? 'gender' : 'grade');

/** The districts of schools, in the order of their codes. */
export function districtsOf(schools: readonly PublishedSchool[]): { code: string; name: string }[] {
  const found = new Map(schools.flatMap((s) => (s.districtcode ? [[s.districtcode, s.regionname] as const] : [])));
  return [...found].map(([code, name]) => ({ code, name })).sort((a, b) => a.code.localeCompare(b.code));
}

/** Nobody is in the group: all its counts are 0. */
const nobody = (): Outcome => {
  const zeros = LEVELS.map(() => 0);
  return {
    ...{ valid: 0, abnormal: 0, alert: 0, opened: 0, settled: 0, closed: 0 },
    ...{ levels: zeros, depressed: zeros, anxious: zeros },
  };
};

const sumOf = (rows: readonly PublishedEffort[]) => ({
  total: rows.reduce((sum, row) => sum + row.total, 0),
  exempt: rows.reduce((sum, row) => sum + row.exempt, 0),
  tested: rows.reduce((sum, row) => sum + row.tested, 0),
});

/** Reads what the choices of a form need, with one query for each kind of group and place. */
export async function readFigures(
  scope: StatsScope,
  period: FigurePeriod,
  mappings: readonly Pick<Mapping, 'place' | 'people'>[],
): Promise<PublishedFigures> {
  const schools = await findSchools(scope, period);
  const districts = districtsOf(schools);
  const effort = await findEffort(scope, period);
  const groups = [...new Set(mappings.map(({ people }) => groupOf(people)))];
  const places = new Set(mappings.map(({ place }) => place));
  const hasSchools = [...places].some((place) => place === 'rows:school' || place.startsWith('school:'));
  const regions = [
    ...(places.has('region') ? [''] : []),
    ...districts.map(({ code }) => code).filter((code) => places.has('rows:district') || places.has(`district:${code}`)),
  ];
  const ofSchools = new Map<GroupKind, PublishedOutcome[]>();
  const ofRegions = new Map<string, PublishedOutcome[]>();
  for (const by of groups) {
    if (hasSchools) ofSchools.set(by, await findOutcome(scope, period, by, 'institution'));
    for (const code of regions)
      ofRegions.set(`${by} ${code}`, await findOutcome(scope, code ? { ...period, regioncode: code } : period, by, 'region'));
  }

  const inPlace = (kind: string, code: string) => (school: PublishedSchool) =>
    kind === 'region' || (kind === 'district' ? school.districtcode === code : school.musercode === code);
  const figuresOf = (place: string, people: string): Figures => {
    const [where, who] = [partsOfTarget(place), partsOfTarget(people)];
    const by = groupOf(people);
    const own = schools.filter(inPlace(where.kind, where.code));
    const codes = new Set(own.map(({ musercode }) => musercode));
    const rows = effort.filter((row) => codes.has(row.musercode) && (by !== 'grade' || row.gradecode === who.code));
    const isReleased = own.length > 0 && own.every(({ datatime }) => datatime !== null);
    const found =
      where.kind === 'school'
        ? (ofSchools.get(by) ?? []).find((row) => row.musercode === where.code && row.groupcode === who.code)
        : (ofRegions.get(`${by} ${where.code}`) ?? []).find((row) => row.groupcode === who.code);
    return { effort: sumOf(rows), outcome: isReleased ? (found ?? nobody()) : undefined };
  };
  return { schools, districts, figuresOf };
}
