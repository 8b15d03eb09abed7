import { Term } from '#domain/base/enums.ts';

/** The name of a period: 2026-2027学年秋季学期, or 2026年第3季度. */
export const periodName = ({ year, term }: { year: string; term: string }): string =>
  term.startsWith('Q') ? `${year}年第${term.slice(1)}季度` : `${year}学年${Term.label(term as '1')}`;
