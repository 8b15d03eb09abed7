/** A random generator with a fixed seed. Every entity has its own generator, so that a new entity does not change the others. */
export interface Random {
  /** at least 0, below 1 */
  next: () => number;
  /** standard normal */
  normal: () => number;
  /** an integer from `from` to `to`, both included */
  integer: (from: number, to: number) => number;
  /** true with this probability */
  occurs: (probability: number) => boolean;
  /** one element of a list */
  pick: <T>(from: readonly T[]) => T;
}

/** Returns the FNV-1a hash of the joined parts. */
function hash(...parts: readonly (string | number)[]): number {
  let value = 0x811c9dc5;
  for (const char of parts.join('|')) value = Math.imul(value ^ (char.codePointAt(0) as number), 0x01000193);
  return value >>> 0;
}

/** Returns the generator of an entity, e.g. `randomOf(20250901, 'student', 17)`. */
export function randomOf(seed: number, kind: string, index: number | string): Random {
  let state = hash(seed, kind, index);
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    normal,
    integer,
    occurs: (probability) => next() < probability,
    pick: (from) => from[integer(0, from.length - 1)] as (typeof from)[number],
  };
}
