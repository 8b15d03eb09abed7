import type { OptionRow, Scale } from '#domain/scoring/scale.ts';

/** Licensed wording that an institution uploads: the text of each item and, where the print has them, its option labels in order. */
export type FormWording = Readonly<Record<string, { text: string; options?: readonly string[] }>>;

/** The facts about an institution's licence of one form. */
export interface LicenceFacts {
  /** an administrator accepted the conditions of a tier-B form */
  accepted?: boolean;
  /** uploaded wording for a form without text */
  wording?: FormWording;
  /** the institution uploaded a licence document */
  proof?: boolean;
  /** the last day of a licence that has ended: nothing new begins */
  expired?: string;
  /** `score`: staff enter item scores from a licensed paper copy, so the screen shows no wording */
  capturemode?: 'self' | 'staff' | 'score';
}

/** A row of `formlicence`. */
export interface LicenceRow {
  accepted: number | null;
  prooffileid: string | null;
  wording: unknown;
  expiredate: string | null;
}

/** Returns the facts of a stored licence on a day (YYYY-MM-DD). */
export const toLicenceFacts = ({ accepted, prooffileid, wording, expiredate }: LicenceRow, today: string): LicenceFacts => ({
  accepted: accepted === 1,
  proof: prooffileid !== null,
  ...(wording ? { wording: wording as FormWording } : {}),
  ...(expiredate !== null && expiredate < today ? { expired: expiredate } : {}),
});

/** The result of a check. `reasons` name the missing parts in Chinese; empty when `ok`. */
export interface Verdict {
  ok: boolean;
  reasons: string[];
}

const verdict = (reasons: string[]): Verdict => ({ ok: reasons.length === 0, reasons });

/** The definition with the uploaded wording. Only the texts change; option codes and scores stay. */
export function withWording(scale: Scale, wording: FormWording): Scale {
  const optionsets: Record<string, readonly OptionRow[]> = { ...scale.optionsets };
  const items = scale.items.map((item) => {
    const itemWording = wording[item.c];
    if (!itemWording) return item;
    const rows = item.o === undefined ? undefined : scale.optionsets[item.o];
    if (!rows || itemWording.options?.length !== rows.length) return { ...item, t: itemWording.text };
    const o = `${item.o}.${item.c}`;
    optionsets[o] = rows.map(([code, label, score], index) => [code, itemWording.options?.[index] ?? label, score] as const);
    return { ...item, o, t: itemWording.text };
  });
  return { ...scale, optionsets, items };
}

/** The definition without the texts of its questions and options, for readers without a licence. */
export const withoutWording = (scale: Scale): Scale => ({
  ...scale,
  optionsets: Object.fromEntries(
    Object.entries(scale.optionsets).map(([name, rows]) => [name, rows.map(([code, , points]): OptionRow => [code, '', points])]),
  ),
  items: scale.items.map((item) => ({ ...item, t: '' })),
});

/** Whether a form may be published: every question and every option has a text. */
export function checkPublishable(scale: Scale): Verdict {
  const reasons: string[] = [];
  const blank = scale.items.filter((item) => item.t.trim() === '').map((item) => item.c);
  if (blank.length) reasons.push(`有${blank.length}道题目没有题干文字（${shorten(blank)}）`);
  const unlabelled = scale.items
    .filter((item) => item.o !== undefined && (scale.optionsets[item.o] ?? []).some(([, label]) => label.trim() === ''))
    .map((item) => item.c);
  if (unlabelled.length) reasons.push(`有${unlabelled.length}道题目的选项没有文字（${shorten(unlabelled)}）`);
  const unset = scale.items
    .filter((item) => (item.type ?? 1) !== 0 && !scale.optionsets[item.o ?? '']?.length)
    .map((item) => item.c);
  if (unset.length) reasons.push(`有${unset.length}道选择题没有选项（${shorten(unset)}）`);
  if (scale.items.length === 0) reasons.push('量表没有题目');
  return verdict(reasons);
}

const shorten = (codes: readonly string[]) => codes.slice(0, 5).join('、') + (codes.length > 5 ? '等' : '');

/**
 * Whether an institution may use a form now. Tiers A and S need nothing. Tier B needs the accepted conditions. Tier C needs
 * uploaded wording and a licence proof, or scores entered from a licensed paper copy. A form without text always needs wording.
 */
export function checkUsable(scale: Scale, { accepted, wording, proof, capturemode, expired }: LicenceFacts = {}): Verdict {
  const reasons: string[] = [];
  if (scale.tier === 'B' && !accepted) reasons.push('该量表附有使用条件（非商业、注明出处等），须由机构管理员确认接受后启用');
  if (capturemode === 'score') return verdict(reasons);
  if (scale.tier === 'C' && !proof) reasons.push('该量表文字受版权保护，须上传授权证明');
  else if (scale.tier === 'C' && expired) reasons.push(`授权已于 ${expired} 到期，须续期后才能开始新的测评`);
  const textVerdict = checkPublishable(wording ? withWording(scale, wording) : scale);
  if (!textVerdict.ok) reasons.push(...textVerdict.reasons.map((reason) => `${reason}，须由机构提供获授权的文字`));
  return verdict(reasons);
}
