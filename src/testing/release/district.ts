import fc from 'fast-check';
import type { CaseRow, PersonRow } from '#domain/release/closedSystem.ts';
import type { Place } from '#testing/release/attacker.ts';

/** Generated districts of schools with small and large groups. */

/** Persons of a place with results, as the nightly job counts them, and those who handed in. */
export type Row = PersonRow & { tested: number; place: Place };
export interface District {
  rows: Row[];
  cases: (CaseRow & { overdue: number })[];
}

const few = fc.oneof(
  { weight: 3, arbitrary: fc.nat(4) },
  { weight: 3, arbitrary: fc.nat(14) },
  { weight: 2, arbitrary: fc.nat(60) },
);
const place = fc.record({
  grade: fc.constantFrom('J1', 'J2', 'J3'),
  gender: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('01', '02') }, { weight: 1, arbitrary: fc.constant('00') }),
  calm: few,
  abnormal: fc.oneof(fc.nat(4), fc.nat(12)),
  invalid: fc.nat(3),
  seed: fc.nat(1_000_000),
});
const school = fc.record({
  places: fc.uniqueArray(place, { minLength: 1, maxLength: 7, selector: ({ grade, gender }) => grade + gender }),
  opened: fc.oneof(fc.nat(4), fc.nat(20)),
  open: fc.nat(6),
  overdue: fc.nat(3),
});

/** Numbers between 0 and 1 that a seed decides. */
function random(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A person with a valid sheet: the level of the whole is the highest of both forms and of the alert. */
function addPerson(row: Row, isAbnormal: boolean, next: () => number): void {
  const hasAlert = isAbnormal && next() < 0.3;
  const high = isAbnormal && (!hasAlert || next() < 0.7) ? 2 + Math.floor(next() * 3) : Math.floor(next() * 2);
  const low = Math.floor(next() * (high + 1));
  const [depressed, anxious] = next() < 0.5 ? [high, low] : [low, high];
  const level = Math.max(high, hasAlert ? 2 + Math.floor(next() * 2) : 0);
  row.valid += 1;
  row.abnormal += Number(isAbnormal);
  row.alert += Number(hasAlert);
  for (const [counts, at] of [
    [row.levels, level],
    [row.depressed, depressed],
    [row.anxious, anxious],
  ] as const)
    counts[at] = (counts[at] ?? 0) + 1;
}

/** A district named `district` with one to five schools. */
export const aDistrict = (district: string): fc.Arbitrary<District> =>
  fc.array(school, { minLength: 1, maxLength: 5 }).map((schools) => {
    const rows: Row[] = [];
    const cases: District['cases'] = [];
    for (const [index, { places, opened, open, overdue }] of schools.entries()) {
      const musercode = `${district}-${index + 1}`;
      for (const { grade, gender, calm, abnormal, invalid, seed } of places) {
        const row: Row = {
          ...{ musercode, gradecode: grade, gender, valid: 0, abnormal: 0, alert: 0, tested: calm + abnormal + invalid },
          ...{ levels: [0, 0, 0, 0, 0], depressed: [0, 0, 0, 0, 0], anxious: [0, 0, 0, 0, 0] },
          place: { district, school: musercode, grade, gender },
        };
        const next = random(seed);
        for (let person = 0; person < calm + abnormal; person += 1) addPerson(row, person >= calm, next);
        rows.push(row);
      }
      const stillOpen = Math.min(open, opened);
      cases.push({
        ...{ musercode, opened, closed: opened - stillOpen, overdue: Math.min(overdue, stillOpen) },
        settled: opened - Math.min(overdue, stillOpen),
      });
    }
    return { rows, cases };
  });
