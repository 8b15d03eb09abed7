import type { ScreenData } from '#console/screen/useScreenData.ts';

type Place = ScreenData['places'][number];

/** A line of the list of places. `depth` 0 is a region or institution at the top; `isContinued`: the region began on another page. */
export interface PlaceLine {
  place: Place;
  depth: number;
  isContinued: boolean;
}

/**
 * Cuts the tree of places into pages of `size` lines. A page that begins within a region repeats the names of the regions around its
 * first line.
 */
export function pagesOf(places: readonly Place[], size: number): PlaceLine[][] {
  const byKey = new Map(places.map((place) => [place.key, place]));
  const pathOf = ({ parent }: Place): Place[] => {
    const above = byKey.get(parent);
    return above ? [...pathOf(above), above] : [];
  };
  const lines = places.map((place) => ({ place, path: pathOf(place) }));
  const pages: PlaceLine[][] = [];
  let page: PlaceLine[] = [];
  for (const { place, path } of lines) {
    if (page.length >= size) page = [];
    if (page.length === 0) {
      pages.push(page);
      if (pages.length > 1)
        page.push(...path.slice(-(size - 1)).map((above, depth) => ({ place: above, depth, isContinued: true })));
    }
    page.push({ place, depth: path.length, isContinued: false });
  }
  return pages;
}
