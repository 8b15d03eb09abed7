/** The page addresses students and minors with 你, adults with 您 (design/reports.md 5.2). Before the sign-in the sector decides. */
export interface Words {
  you: '你' | '您';
  /** the person who contacts the respondent on request */
  helper: string;
  /** the number that identifies a person */
  number: '学号' | '工号' | '编号';
}

const bySector: Record<string, Words> = {
  edu: { you: '你', helper: '老师', number: '学号' },
  health: { you: '您', helper: '医生', number: '编号' },
  enterprise: { you: '您', helper: '工作人员', number: '工号' },
  elder: { you: '您', helper: '工作人员', number: '编号' },
  gov: { you: '您', helper: '工作人员', number: '工号' },
};

/** Returns the words for an institution's sector, 您 for an unknown one, and for the person who has signed in. */
export const wordsFor = (sector: string, you?: Words['you']): Words => {
  const words = bySector[sector] ?? { you: '您', helper: '工作人员', number: '工号' };
  return you ? { ...words, you } : words;
};

/** Instructions of forms are written with 您. The wording of questions never changes. */
export const addressed = (text: string, words: Words): string => text.replace(/您/g, words.you);
