/** One region of the national code (GB/T 2260) as the lists of regions return it. */
export interface Place {
  districtcode: string;
  districtname: string;
  level: number;
}

/** Finds the region that a text begins with, and the rest of the text. Of 吉林省… and 吉林市… the longer name wins. */
export function placeIn(text: string, places: readonly Place[] | undefined): { place: Place; rest: string } | undefined {
  const place = places
    ?.filter((item) => text.startsWith(item.districtname))
    .sort((a, b) => b.districtname.length - a.districtname.length)[0];
  return place && { place, rest: text.slice(place.districtname.length) };
}

/** Parses an answer to a region question. It consists of the joined names, 江苏省南京市鼓楼区, as respondents write it. */
export const regionText = (codes: readonly (string | null)[], places: readonly Place[]): string =>
  codes.map((code) => places.find((place) => place.districtcode === code)?.districtname ?? '').join('');
