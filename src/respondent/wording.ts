/** How the page speaks: pupils and students are addressed with 你, adults with 您 (design/reports.md 5.2). */
export interface Words {
  you: '你' | '您';
  /** who gets in touch when asked to */
  helper: string;
  /** the number people are known by */
  number: '学号' | '工号' | '编号';
}

const bySector: Record<string, Words> = {
  edu: { you: '你', helper: '老师', number: '学号' },
  health: { you: '您', helper: '医生', number: '编号' },
  enterprise: { you: '您', helper: '工作人员', number: '工号' },
  elder: { you: '您', helper: '工作人员', number: '编号' },
  gov: { you: '您', helper: '工作人员', number: '工号' },
};

/** Words for an institution's sector; 您 for one that is not known. */
export const wordsFor = (sector: string): Words => bySector[sector] ?? { you: '您', helper: '工作人员', number: '工号' };

/** Instructions of forms are written with 您; the wording of questions is never changed. */
export const addressed = (text: string, words: Words): string => text.replace(/您/g, words.you);

/** Numbers anybody may call, in the order they are offered; the institution's own line comes first when it has one. */
export function hotlines(own: string): { number: string; what: string }[] {
  const known = [
    { number: '12356', what: '全国统一心理援助热线' },
    { number: '120', what: '医疗急救' },
    { number: '110', what: '紧急求助' },
  ];
  const number = own.trim();
  return !number || known.some((line) => line.number === number) ? known : [{ number, what: '本单位求助电话' }, ...known];
}
