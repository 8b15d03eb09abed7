import type { Band, BandOption, BandSet, Level, PersonFacts, Scale } from '#domain/scoring/scale.ts';

/**
 * Which bands of institutions judge a sheet (supplement-scales-operations.md 2; decision 0081). The level in force is the highest of the
 * definition and of the sets that apply: one of each institution from the person's own upwards. So no set ever lowers a level.
 */

/** Whose sheet is judged. */
export interface Judged {
  appid: string;
  person: PersonFacts;
}

/** The score code of an indicator: `total` of `PHQ9.total`. */
export const scorecodeOf = (quotacode: string): string => quotacode.slice(quotacode.indexOf('.') + 1);

const isWithinAge = ({ agemin, agemax }: BandSet, age: unknown): boolean => {
  if (agemin === null && agemax === null) return true;
  return typeof age === 'number' && age >= (agemin ?? 0) && age <= (agemax ?? Infinity);
};

const isFor = (set: BandSet, { appid, person }: Judged): boolean =>
  (set.appid === null || set.appid === appid) &&
  (set.gender === null || set.gender === person['gender']) &&
  isWithinAge(set, person['age']);

/** How narrowly a set of one institution fits: the population counts first, then age and gender. */
const specificityOf = ({ appid, gender, agemin, agemax }: BandSet): number =>
  (appid === null ? 0 : 4) + (agemin === null && agemax === null ? 0 : 2) + (gender === null ? 0 : 1);

/** The sets that apply to a person, by score: the most specific one of each institution, the nearest institution first. */
export function chooseBandsets(scale: Scale, sets: readonly BandSet[], judged: Judged): Record<string, BandSet[]> {
  const chosen: Record<string, BandSet[]> = {};
  for (const { c } of scale.scores) {
    const fitting = sets
      .filter((set) => set.quotacode === `${scale.formcode}.${c}` && isFor(set, judged))
      .sort((a, b) => b.orgpath.length - a.orgpath.length || specificityOf(b) - specificityOf(a) || b.bandsetid - a.bandsetid);
    const nearest = fitting.filter((set, index) => fitting[index - 1]?.orgpath !== set.orgpath);
    if (nearest.length > 0) chosen[c] = nearest;
  }
  return chosen;
}

/** The bands of rows, the lowest first. */
export const toBands = (options: readonly BandOption[]): Band[] =>
  [...options]
    .sort((a, b) => (a.minscore ?? -Infinity) - (b.minscore ?? -Infinity))
    .map(({ minscore, maxscore, level, levelname }): Band => [minscore, maxscore, level, levelname]);

/** The overlap of two bands with the higher level; at equal levels the name of the set. Undefined without an overlap. */
function overlapOf(set: Band, base: Band, isHalfOpen: boolean): Band | undefined {
  const low = Math.max(set[0] ?? -Infinity, base[0] ?? -Infinity);
  const high = Math.min(set[1] ?? Infinity, base[1] ?? Infinity);
  if (isHalfOpen ? low >= high : low > high) return undefined;
  const [level, label]: [Level, string] = set[2] >= base[2] ? [set[2], set[3]] : [base[2], base[3]];
  return [Number.isFinite(low) ? low : null, Number.isFinite(high) ? high : null, level, label];
}

/** Bands with the higher level of both at every score. The outer bands of the set reach as far as those of the base. */
export function mergeBands(set: readonly Band[], base: readonly Band[], isHalfOpen: boolean): Band[] {
  const open = set.map(([low, high, level, label], index): Band => [
    index === 0 ? null : low,
    index === set.length - 1 ? null : high,
    level,
    label,
  ]);
  const sorted = [...base].sort((a, b) => (a[0] ?? -Infinity) - (b[0] ?? -Infinity));
  const parts = sorted.flatMap((band) =>
    open.map((other) => overlapOf(other, band, isHalfOpen)).filter((part) => part !== undefined),
  );
  const merged: Band[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (last && last[2] === part[2] && last[3] === part[3]) merged[merged.length - 1] = [last[0], part[1], last[2], last[3]];
    else merged.push(part);
  }
  return merged;
}

/** The most scales in force that a process keeps for one definition. */
const CACHE_SIZE = 200;
const scalesInForce = new WeakMap<Scale, Map<string, Scale>>();

/** The scale with the bands in force; the same scale without a set. It is cached by the content of the sets. */
export function applyBandsets(scale: Scale, sets: Readonly<Record<string, readonly BandSet[]>>): Scale {
  const entries = Object.entries(sets).filter(([code, list]) => scale.bands[code]?.length && list.length > 0);
  if (entries.length === 0) return scale;
  const key = JSON.stringify(entries);
  let cached = scalesInForce.get(scale);
  if (!cached) scalesInForce.set(scale, (cached = new Map<string, Scale>()));
  let inforce = cached.get(key);
  if (!inforce) {
    const bands: Record<string, readonly Band[]> = { ...scale.bands };
    for (const [code, list] of entries)
      bands[code] = [...list]
        .reverse()
        .reduce<readonly Band[]>(
          (base, set) => mergeBands(toBands(set.options), base, scale.bandmode?.[code] === 'halfopen'),
          bands[code] ?? [],
        );
    inforce = { ...scale, bands, inforce: { definition: scale.bands, sets: Object.fromEntries(entries) } };
    if (cached.size >= CACHE_SIZE) cached.clear();
    cached.set(key, inforce);
  }
  return inforce;
}

/** The scale with the bands that are in force for a person. */
export const withBandsets = (scale: Scale, sets: readonly BandSet[], judged: Judged): Scale =>
  sets.length === 0 ? scale : applyBandsets(scale, chooseBandsets(scale, sets, judged));

/** The forms of a sitting with the bands in force for its person. */
export const withBandsInForce = <F extends { scale: Scale }>(
  forms: readonly F[],
  { bandsets, appid }: { bandsets: readonly BandSet[]; appid: string },
  person: PersonFacts,
): F[] => forms.map((form) => ({ ...form, scale: withBandsets(form.scale, bandsets, { appid, person }) }));

/** The ids of the sets that judged a form, by score, the nearest institution first; null when only the definition did. */
export function bandsetidsOf(scale: Scale): Record<string, number[]> | null {
  if (!scale.inforce) return null;
  return Object.fromEntries(
    Object.entries(scale.inforce.sets).map(([code, sets]) => [code, sets.map(({ bandsetid }) => bandsetid)]),
  );
}

/** The row of a set whose texts a report uses: the nearest set that has the level in force at this score. */
export function findBandText(
  scale: Scale,
  code: string,
  value: number,
  level: Level,
): { set: BandSet; option: BandOption } | undefined {
  const isHalfOpen = scale.bandmode?.[code] === 'halfopen';
  for (const set of scale.inforce?.sets[code] ?? []) {
    const option = set.options.find(
      ({ minscore, maxscore }) =>
        (minscore === null || value >= minscore) && (maxscore === null || (isHalfOpen ? value < maxscore : value <= maxscore)),
    );
    if (option?.level === level) return { set, option };
  }
  return undefined;
}
