import { useEffect, useState } from 'react';

/** Returns the Pinyin of a text and its initials: 危机预警 gives `weijiyujing` and `wjyj`. */
export type ToPinyin = (text: string) => readonly string[];

/** Loads the Pinyin of texts when the words have Latin letters only; the library is large, so no other search waits for it. */
export function useToPinyin(words: string): ToPinyin | undefined {
  const isNeeded = /^[a-z]{2,}$/i.test(words);
  const [toPinyin, setToPinyin] = useState<ToPinyin>();
  useEffect(() => {
    if (!isNeeded) return;
    void import('pinyin-pro').then(({ pinyin }) =>
      setToPinyin(() => (text: string) => {
        const syllables = pinyin(text, { toneType: 'none', type: 'array' });
        return [syllables.join(''), syllables.map((syllable) => syllable.slice(0, 1)).join('')];
      }),
    );
  }, [isNeeded]);
  return isNeeded ? toPinyin : undefined;
}

/** Whether a text contains the words, or its Pinyin begins with them. */
export const matchesWords = (text: string, words: string, toPinyin: ToPinyin | undefined): boolean =>
  text.toLowerCase().includes(words.toLowerCase()) ||
  (toPinyin?.(text).some((letters) => letters.toLowerCase().startsWith(words.toLowerCase())) ?? false);
