import { findForbidden, paragraphLimit } from '#domain/report/forbiddenWording.ts';

/** What is wrong with the texts of a band: forbidden words, lengths, unknown placeholders. */

/** The texts of a row with their readers and titles. */
export const bandTexts = [
  { field: 'levelname', title: '等级名称', audience: 'self', max: 20 },
  { field: 'comment', title: '给本人的评语', audience: 'self', max: 1000 },
  { field: 'staffcomment', title: '给工作人员的评语', audience: 'staff', max: 1000 },
  { field: 'suggestion', title: '给本人的建议', audience: 'self', max: 1000 },
] as const;
export type BandTextField = (typeof bandTexts)[number]['field'];

/** The part of a definition that the checks read. */
export type TextScale = { formcode: string; scores: readonly { c: string }[] };

/** A fault of a text, with a message that names the words and the reason. */
export interface TextFault {
  field: BandTextField;
  message: string;
}

/** The placeholders that every text of a band may use, with what stands there. */
export const bandPlaceholders: Readonly<Record<string, string>> = {
  'form.title': '量表名称',
  'form.score': '主要得分',
  'form.level': '等级名称',
  hotline: '机构热线',
  nightline: '24 小时热线',
};

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;

/** The placeholders of a text that no report fills for this form. */
export function findUnknownPlaceholders(text: string, scale: TextScale): string[] {
  const known = new Set([
    ...Object.keys(bandPlaceholders),
    ...scale.scores.flatMap(({ c }) => [`score.${scale.formcode}.${c}`, `level.${scale.formcode}.${c}`]),
  ]);
  const names = [...text.matchAll(placeholder)].map(([, name = '']) => name);
  const hasBrokenBraces = /\{\{|\}\}/.test(text.replace(placeholder, ''));
  return [...new Set(names.filter((name) => !known.has(name))), ...(hasBrokenBraces ? ['{{'] : [])];
}

/** The faults of one text. */
function findFaults(text: string, { title, audience, max }: (typeof bandTexts)[number], scale: TextScale): string[] {
  const long = text.split('\n').findIndex((paragraph) => [...paragraph].length > paragraphLimit);
  const unknown = findUnknownPlaceholders(text, scale);
  return [
    ...([...text].length > max ? [`${title}不超过 ${max} 个字`] : []),
    ...(long >= 0 ? [`${title}第 ${long + 1} 段超过 ${paragraphLimit} 个字，请分段`] : []),
    ...(unknown.length > 0 ? [`${title}中没有这个占位符：${unknown.join('、')}`] : []),
    ...findForbidden(text, audience).map(({ word, why }) => `${title}请勿写“${word}”：${why}`),
  ];
}

/** The faults of all texts of a row. */
export const findTextFaults = (
  option: { readonly [F in BandTextField]?: string | null | undefined },
  scale: TextScale,
): TextFault[] =>
  bandTexts.flatMap((text) =>
    findFaults(option[text.field] ?? '', text, scale).map((message) => ({ field: text.field, message })),
  );
