/** Places things that happen at one time beside each other. */

/** A thing from `from` to `until`, in minutes of the day. */
export interface Timed {
  from: number;
  until: number;
}

/** The place of a thing: its lane from the left, and the number of lanes at its time. */
export type Placed<T> = T & { lane: number; lanes: number };

/**
 * Gives every thing a lane, so that no two things of one lane share time. Things that overlap directly or through others have the same
 * number of lanes. Returns them by time.
 */
export function placeInLanes<T extends Timed>(things: readonly T[]): Placed<T>[] {
  const placed: Placed<T>[] = [];
  let group: Placed<T>[] = [];
  let ends: number[] = [];
  const close = () => {
    for (const thing of group) thing.lanes = ends.length;
    placed.push(...group);
    [group, ends] = [[], []];
  };
  for (const thing of [...things].sort((a, b) => a.from - b.from || b.until - a.until)) {
    if (ends.every((end) => end <= thing.from)) close();
    const free = ends.findIndex((end) => end <= thing.from);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = thing.until;
    group.push({ ...thing, lane, lanes: 1 });
  }
  close();
  return placed;
}
