import type { Word } from '#console/help/texts/words.ts';

/** What a screen is for, in three sentences, the words on it, and a short walk with the keyboard. */
export interface Help {
  purpose: readonly [string, string, string];
  words: readonly Word[];
  steps: readonly string[];
}
/** The help of screens by their path. */
export type Helps = Readonly<Record<string, Help>>;
