import type { FormResult, Level } from '#domain/scoring/scale.ts';
import { MentalState } from '#domain/base/enums.ts';
import type { CodeOf } from '#domain/base/enum.ts';

/** The colour of a form level in reports and lists. Screens always print the label beside the colour. */
export interface LevelColour {
  /** 0 grey (no data), 1 green … 5 dark red */
  index: 0 | 1 | 2 | 3 | 4 | 5;
  name: string;
  hex: string;
  /** colour of text printed on `hex` */
  text: string;
}

const light = '#ffffff';
const dark = '#1f2a26';
const noData: LevelColour = { index: 0, name: '灰', hex: '#9aa5a0', text: dark };
const colours: readonly [LevelColour, LevelColour, LevelColour, LevelColour, LevelColour] = [
  { index: 1, name: '绿', hex: '#43a777', text: light },
  { index: 2, name: '黄绿', hex: '#b8c93c', text: dark },
  { index: 3, name: '橙黄', hex: '#f0a62f', text: dark },
  { index: 4, name: '红', hex: '#e0553f', text: light },
  { index: 5, name: '深红', hex: '#8c1c13', text: light },
];

/** The report colour of a form level; null (no data or an invalid form) is grey. Warning levels 1–4 use the same colours. */
export const colourOf = (level: Level | null): LevelColour => (level === null ? noData : colours[level]);

const states: readonly CodeOf<typeof MentalState>[] = [
  MentalState.good,
  MentalState.mild,
  MentalState.moderate,
  MentalState.severe,
  MentalState.severe,
];

/** The mental state 0–4 of the specification: null is 0 无, levels 3 and 4 are both 4 重度情绪问题. */
export const mentalStateOf = (level: Level | null): CodeOf<typeof MentalState> =>
  level === null ? MentalState.none : (states[level] ?? MentalState.none);

/** The level of one exam: the highest level of its valid forms; null when none has a level. */
export function recordLevel(results: readonly Pick<FormResult, 'valid' | 'overalllevel'>[]): Level | null {
  let highest: Level | null = null;
  for (const { valid, overalllevel } of results) {
    if (valid && overalllevel !== null && (highest === null || overalllevel > highest)) highest = overalllevel;
  }
  return highest;
}
