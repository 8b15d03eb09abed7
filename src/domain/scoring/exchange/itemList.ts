import type { Item, Of } from '#domain/scoring/scale.ts';

/** The longest list of items that a definition holds as one text. */
const LONGEST = 2000;

/** The shortest way to write item codes: neighbours of the form become a range, `q1..q7,q9`. */
export function toItemList(codes: readonly string[], items: readonly Item[]): Of {
  const places = new Map(items.map((item, index) => [item.c, index]));
  const runs: string[][] = [];
  for (const code of codes) {
    const last = runs.at(-1)?.at(-1);
    const before = last === undefined ? undefined : places.get(last);
    if (before !== undefined && places.get(code) === before + 1) runs.at(-1)?.push(code);
    else runs.push([code]);
  }
  const text = runs.flatMap((run) => (run.length > 2 ? [`${run[0]}..${run.at(-1)}`] : run)).join(',');
  return text.length <= LONGEST ? text : [...codes];
}
