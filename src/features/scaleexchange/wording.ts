import type { FormWording } from '#domain/scoring/licence.ts';
import type { Scale } from '#domain/scoring/scale.ts';

/** The texts of an import for the items of a form without wording, or the reason why they do not fit. */
export function toWording(skeleton: Scale, texts: Scale): { wording: FormWording } | { message: string } {
  const [needed, given] = [skeleton.items.length, texts.items.length];
  if (needed !== given) return { message: `《${skeleton.title}》有 ${needed} 题，文件里有 ${given} 题，请核对` };
  const byCode = new Map(texts.items.map((item) => [item.c, item]));
  const unknown = skeleton.items.filter(({ c }) => !byCode.has(c)).map(({ c }) => c);
  if (unknown.length > 0) return { message: `文件里没有这些题号：${unknown.slice(0, 5).join('、')}` };
  const blank = skeleton.items.filter(({ c }) => byCode.get(c)?.t.trim() === '').map(({ c }) => c);
  if (blank.length > 0) return { message: `有 ${blank.length} 题没有题干：${blank.slice(0, 5).join('、')}` };
  const entries = skeleton.items.map(({ c, o }) => {
    const item = byCode.get(c);
    const rows = skeleton.optionsets[o ?? ''] ?? [];
    const labels = (texts.optionsets[item?.o ?? ''] ?? []).map(([, label]) => label);
    const isOwn = labels.length === rows.length && labels.every(Boolean) && labels.some((label, at) => label !== rows[at]?.[1]);
    return [c, { text: item?.t.trim() ?? '', ...(isOwn ? { options: labels } : {}) }] as const;
  });
  return { wording: Object.fromEntries(entries) };
}
