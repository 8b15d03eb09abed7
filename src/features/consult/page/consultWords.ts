import type { Tone } from '#ui/display/badges.tsx';

/** The tones of the states of a registration. */
export const STATUS_TONES: Readonly<Record<string, Tone>> = {
  '01': 'amber',
  '02': 'lime',
  '03': 'green',
  '04': 'gray',
  '05': 'orange',
};
