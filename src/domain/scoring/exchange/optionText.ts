import { toNumber, toPlain } from '#domain/scoring/exchange/cell.ts';
import type { OptionRow } from '#domain/scoring/scale.ts';

/** Options as one cell: `从不=0；偶尔=1`, or labels alone when nothing is scored. */

const PAIR = /^(.{1,100}?)\s*[=＝:：]\s*([-+−]?[\d.０-９．]{1,12})\s*分?$/u;

/** Codes for options that have none: their points where these are different whole numbers from 0, else 1, 2, 3 … */
export function withCodes(options: readonly (readonly [label: string, points: number | null])[]): OptionRow[] {
  const points = options.map(([, value]) => value);
  const isCode = points.every((value) => value !== null && Number.isInteger(value) && value >= 0);
  const areCodes = isCode && new Set(points).size === points.length;
  return options.map(([label, value], index) => [areCodes ? String(value) : String(index + 1), label, value]);
}

/** Reads options of one cell. A message says why it cannot. */
export function parseOptions(text: string): OptionRow[] | string {
  const parts = splitOptions(text);
  if (parts.length < 2) return '至少写两个选项，用分号隔开，例如 从不=0；偶尔=1';
  if (parts.length > 60) return '选项最多 60 个';
  const options = parts.map((part) => {
    const [, label = part, points] = PAIR.exec(part) ?? [];
    return [label.trim(), points === undefined ? null : (toNumber(points) ?? null)] as const;
  });
  const scored = options.filter(([, points]) => points !== null).length;
  if (scored > 0 && scored < options.length) return '有的选项没有分值，请全部写成 选项=分值';
  if (options.some(([label]) => label === '')) return '有的选项没有文字';
  return withCodes(options);
}

function splitOptions(text: string): string[] {
  const parts = text
    .split(/[;；\n]/)
    .map((part) => part.trim())
    .filter(Boolean);
  if (parts.length !== 1) return parts;
  const commas = text
    .split(/[,，、|/]/)
    .map((part) => part.trim())
    .filter(Boolean);
  return commas.length > 1 && (commas.every((part) => PAIR.test(part)) || !/[=＝]/.test(toPlain(text))) ? commas : parts;
}
