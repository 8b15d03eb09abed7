import type { ContentKindCode } from '#domain/content/content.ts';

/** Where a person is in 放松与学习. The last place of the list is on the screen; the ones before it are the way back. */

export type Place =
  | { page: 'overview' }
  | { page: 'list'; kind: ContentKindCode }
  | { page: 'article' | 'course'; id: number }
  | { page: 'lesson'; id: number; courseid: number };

/** The first place of every visit. */
export const overview: readonly Place[] = [{ page: 'overview' }];

/** Returns the place on the screen. */
export const currentOf = (places: readonly Place[]): Place => places.at(-1) ?? { page: 'overview' };

/** Names a place, for what the page keeps of it while it is open. */
export const keyOf = (place: Place): string => Object.values(place).join(' ');

/** Adds a place. A lesson stands instead of the lesson before it, so that the way back leads to the course. */
export function goTo(places: readonly Place[], place: Place): Place[] {
  const way = place.page === 'lesson' && currentOf(places).page === 'lesson' ? places.slice(0, -1) : places;
  return [...way, place];
}

/** Returns the places after one step back; undefined when it leads out of 放松与学习. */
export const goBack = (places: readonly Place[]): Place[] | undefined => (places.length > 1 ? places.slice(0, -1) : undefined);
