import { percent } from '#domain/task/taskprogress.ts';
import type { ResponseOf } from '#contract/action.ts';
import type { getBigScreenData } from '#features/bigscreen/wall.contract.ts';

type Place = ResponseOf<typeof getBigScreenData>['places'][number];

/** An institution with its persons, in the order in which the screen lists it. */
export interface PlacedInstitution {
  musercode: string;
  insname: string;
  provincecode: string;
  citycode: string;
  districtcode: string;
  total: number;
  tested: number;
  hasoverdue: boolean;
}

/** Above this number a screen lists the regions only. */
const MOST_INSTITUTIONS = 200;

/**
 * Returns the tree of regions with their institutions, each region before its parts. Regions that all institutions share are left out:
 * a city needs no line for its province.
 */
export function placesOf(institutions: readonly PlacedInstitution[], names: ReadonlyMap<string, string>): Place[] {
  const paths = institutions.map(({ provincecode, citycode, districtcode }) => [
    ...new Set([provincecode, citycode, districtcode].filter((code) => names.has(code))),
  ]);
  const shared = countShared(paths);
  const places = new Map<string, Place>();
  const add = (key: string, place: Pick<Place, 'parent' | 'kind' | 'name'>, own: PlacedInstitution) => {
    const before = places.get(key) ?? { key, ...place, institutions: 0, total: 0, tested: 0, rate: null, hasoverdue: false };
    const [total, tested] = [before.total + own.total, before.tested + own.tested];
    places.set(key, {
      ...before,
      institutions: before.institutions + 1,
      total,
      tested,
      rate: percent(tested, total),
      hasoverdue: before.hasoverdue || own.hasoverdue,
    });
  };
  institutions.forEach((own, index) => {
    const path = (paths[index] as string[]).slice(shared);
    path.forEach((code, depth) =>
      add(code, { parent: path[depth - 1] ?? '', kind: 'region', name: names.get(code) as string }, own),
    );
    if (institutions.length <= MOST_INSTITUTIONS)
      add(own.musercode, { parent: path.at(-1) ?? '', kind: 'institution', name: own.insname }, own);
  });
  return inTreeOrder([...places.values()]);
}

/** How many regions, from the province on, all paths have in common. */
function countShared(paths: readonly (readonly string[])[]): number {
  const [first = []] = paths;
  const isShared = (depth: number) => paths.every((path) => path[depth] === first[depth]);
  const end = first.findIndex((_, depth) => !isShared(depth));
  return end === -1 ? first.length : end;
}

/** Each place before its parts; the order beside each other stays. */
function inTreeOrder(places: readonly Place[], parent = ''): Place[] {
  return places.filter((place) => place.parent === parent).flatMap((place) => [place, ...inTreeOrder(places, place.key)]);
}
