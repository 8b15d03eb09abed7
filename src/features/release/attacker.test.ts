import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hideSmallCells } from '#domain/statistics/smallCells.ts';
import { cellKey, groupsOf, linesOf, smallCellsOf } from '#domain/release/closedSystem.ts';
import { hideCells } from '#domain/release/hideCells.ts';
import { cellsOf, roundEffort, type Group } from '#domain/release/measures.ts';
import { Attacker, isolates, type Place, type Target } from '#testing/release/attacker.ts';
import { aDistrict, type District } from '#testing/release/district.ts';
import { sizeOf } from '#testing/size.ts';
import { makeReader } from '#features/release/solver.ts';

/** The authority of a district, or of the city above two of them, reads everything that is published about generated schools. */

const knownOf = ({ rows, cases }: District) => {
  const tested = new Map<string, number>();
  for (const { musercode, gradecode, tested: count } of rows)
    tested.set(`${musercode}/${gradecode}`, (tested.get(`${musercode}/${gradecode}`) ?? 0) + count);
  return {
    tested: new Map([...tested].map(([key, count]) => [key, roundEffort(count)])),
    overdue: new Set(cases.filter(({ overdue }) => overdue > 0).map(({ musercode }) => musercode)),
  };
};

/** Hides the cells of a closed system as the product does. */
const hideAll = (groups: readonly Group[], district: District) => hideCells(groups, knownOf(district), makeReader);

const GENDERS = ['01', '02', '00'];
/** A reader knows the grades of each school, and nothing of how genders and grades meet. */
const possiblePlaces = ({ rows }: District): Place[] =>
  [...new Map(rows.map(({ place }) => [`${place.school} ${place.grade}`, place])).values()].flatMap((place) =>
    GENDERS.map((gender) => ({ ...place, gender })),
  );

type Hide = (groups: readonly Group[], district: District) => Promise<Set<string>> | Set<string>;

/** The counts of which the reader learns single persons. */
async function findIsolated(districts: readonly District[], hide: Hide): Promise<string[]> {
  const attacker = new Attacker(districts.flatMap(possiblePlaces));
  const cells: { target: Target; whole: Target | undefined; isHidden: boolean }[] = [];
  for (const [index, district] of districts.entries()) {
    const groups = groupsOf(
      district.rows.map(({ place: _place, tested: _tested, ...row }) => row),
      district.cases.map(({ overdue: _overdue, ...row }) => row),
    );
    const hidden = await hide(groups, district);
    const { tested, overdue } = knownOf(district);
    for (const [key, count] of tested) {
      const [school = '', grade = ''] = key.split('/');
      attacker.seeEffort({ school, grade }, count);
    }
    for (const { musercode } of district.cases) attacker.seeFlag(musercode, overdue.has(musercode), true);
    // A group without a row has nobody.
    for (const school of new Set(district.rows.map(({ musercode }) => musercode)))
      for (const gender of GENDERS)
        if (!groups.some((group) => group.musercode === school && group.kind === 'gender' && group.code === gender))
          attacker.see({ where: { school, gender }, measure: 'valid' }, 0);
    for (const group of groups)
      for (const [measure, count] of Object.entries(cellsOf(group))) {
        const where: Partial<Place> = {
          ...(group.musercode === '' ? { district: `D${index + 1}` } : { school: group.musercode }),
          ...(group.kind === 'all' ? {} : { [group.kind]: group.code }),
        };
        const isHidden = hidden.has(cellKey(group, measure));
        const isPart = !['valid', 'opened', 'settled', 'closed'].includes(measure);
        cells.push({ target: { where, measure }, whole: isPart ? { where, measure: 'valid' } : undefined, isHidden });
        if (!isHidden) attacker.see({ where, measure }, count);
      }
  }
  return cells.flatMap(({ target, whole, isHidden }) => {
    const found = isHidden && isolates(attacker.boundsOf(target), true) ? [JSON.stringify(target)] : [];
    if (whole && isHidden && isolates(attacker.boundsOf(whole, target), true)) found.push(`not ${JSON.stringify(target)}`);
    if (!isHidden && whole && isolates(attacker.boundsOf(whole, target), false)) found.push(`not ${JSON.stringify(target)}`);
    if (!isHidden && isolates(attacker.boundsOf(target), false)) found.push(`shown ${JSON.stringify(target)}`);
    return found;
  });
}

const city = fc.tuple(aDistrict('D1'), aDistrict('D2'));

test('a reader of all that is published about a city isolates nobody', async () => {
  await fc.assert(
    fc.asyncProperty(city, async (districts) => {
      expect(await findIsolated(districts, hideAll)).toEqual([]);
    }),
    { numRuns: sizeOf(25, 400), seed: 16 },
  );
}, 600_000);

test('without the second hidden count, or without the bounds, the reader isolates somebody', async () => {
  const firstOnly: Hide = (groups) => {
    const small = hideSmallCells(smallCellsOf(groups), []);
    return small;
  };
  const rulesOnly: Hide = (groups) => hideSmallCells(smallCellsOf(groups), linesOf(groups));
  for (const hide of [firstOnly, rulesOnly]) {
    const details = await fc.check(
      fc.asyncProperty(city, async (districts) => (await findIsolated(districts, hide)).length === 0),
      { numRuns: 25, seed: 16, endOnFailure: true },
    );
    expect(details.failed).toBe(true);
  }
}, 600_000);
