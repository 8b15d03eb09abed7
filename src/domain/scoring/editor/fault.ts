/** What the checks of a scale say: where something is wrong, and how an author mends it. */

/** The part of a definition, as the sections of the editor show it. */
export type Part =
  'form' | 'items' | 'optionsets' | 'scores' | 'bands' | 'norms' | 'alerts' | 'validity' | 'derive' | 'nextform' | 'licence';

/** A place in a definition. */
export interface Place {
  part: Part;
  /** code of the item, option set, score, alert or validity rule; for bands and norms the code of their score or their name */
  code?: string;
  /** index of a row inside the part: a band, an option, a norm, a skip rule */
  index?: number;
  /** field of the row, in the words of the definition: `t`, `o`, `showif`, `of`, `w`, `miss`, `when` … */
  field?: string;
}

/** One finding about a scale. Errors stop publishing; notices must be ticked. */
export interface Fault {
  kind: 'error' | 'notice';
  /** a stable code such as `bands.gap`; tests and ticks use it */
  code: string;
  place: Place;
  /** in Chinese, at most 60 characters */
  message: string;
}

/** The name of a finding for ticks: its code and its place. */
export const faultKey = ({ code, place }: Fault): string =>
  [code, place.part, place.code ?? '', place.index ?? '', place.field ?? ''].join(':');

/** An error at a place. */
export const errorAt = (code: string, place: Place, message: string): Fault => ({ kind: 'error', code, place, message });

/** A notice at a place. */
export const noticeAt = (code: string, place: Place, message: string): Fault => ({ kind: 'notice', code, place, message });
