/** Chance that is the same every time: a generator of its own for every entity, so that adding one shifts no other. */
export interface Chance {
  /** at least 0, below 1 */
  next: () => number;
  /** standard normal */
  normal: () => number;
  /** a whole number from `from` to `to`, both included */
  whole: (from: number, to: number) => number;
  /** true with this probability */
  hits: (probability: number) => boolean;
  pick: <T>(from: readonly T[]) => T;
}

/** FNV-1a over the text of its parts. */
function hash(...parts: readonly (string | number)[]): number {
  let value = 0x811c9dc5;
  for (const char of parts.join('|')) value = Math.imul(value ^ (char.codePointAt(0) as number), 0x01000193);
  return value >>> 0;
}

/** The chance of one entity, e.g. `chanceOf(20250901, 'student', 17)`. */
export function chanceOf(seed: number, kind: string, index: number | string): Chance {
  let state = hash(seed, kind, index);
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    normal,
    whole,
    hits: (probability) => next() < probability,
    pick: (from) => from[whole(0, from.length - 1)] as (typeof from)[number],
  };
}
