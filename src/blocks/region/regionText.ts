/** One region of the national code (GB/T 2260) as `getDistrictList` gives it. */
export interface Place {
  districtcode: string;
  districtname: string;
  level: number;
}

/** The region a text begins with, and what follows; of 吉林省… and 吉林市… the longer name counts. */
export function placeIn(text: string, places: readonly Place[] | undefined): { place: Place; rest: string } | undefined {
  const place = places
    ?.filter((item) => text.startsWith(item.districtname))
    .sort((a, b) => b.districtname.length - a.districtname.length)[0];
  return place && { place, rest: text.slice(place.districtname.length) };
}

/** An answer to a question for a region is its names in one word, 江苏省南京市鼓楼区, as respondents write it. */
export const regionText = (codes: readonly (string | null)[], places: readonly Place[]): string =>
  codes.map((code) => places.find((place) => place.districtcode === code)?.districtname ?? '').join('');
