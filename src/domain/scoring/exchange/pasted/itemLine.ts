/** Lines of pasted text that begin a question, and the marks inside them. */

const ITEM_STARTS = [
  /^第\s{0,2}(\d{1,3})\s{0,2}[题问条][.．、:：\s]{0,3}(\S.*)$/,
  /^[（([【]\s{0,2}(\d{1,3})\s{0,2}[)）\]】]\s{0,3}[.．、]?\s{0,3}(\S.*)$/,
  /^[QqＱ]\s{0,2}(\d{1,3})\s{0,2}[.．、:：\s]\s{0,3}(\S.*)$/,
  /^\*?\s{0,2}(\d{1,3})\s{0,2}[.．、,，:：)）]\s{0,3}(?!\d)(\S.*)$/,
  /^(\d{1,3})\s{1,4}(?!\d)([^\d\s=＝].*)$/,
  /^(\d{1,3})([\u4e00-\u9fff].{3,})$/,
];
const CHINESE = '一二三四五六七八九十';
const CHINESE_START = /^([一二三四五六七八九十]{1,3})\s{0,2}[、.．:：]\s{0,3}(\S.*)$/;

/** The number and the text of a line that may begin a question. */
export function itemStart(line: string): { number: number; text: string } | undefined {
  for (const pattern of ITEM_STARTS) {
    const [, number, text] = pattern.exec(line) ?? [];
    if (number && text) return { number: Number(number), text: text.trim() };
  }
  return undefined;
}

/** The number and the text of a line that begins with 一、 二、 and so on: a section, or a question where no other numbers are. */
export function chineseStart(line: string): { number: number; text: string } | undefined {
  const [, numeral = '', text = ''] = CHINESE_START.exec(line) ?? [];
  if (!numeral) return undefined;
  const digits = [...numeral].map((sign) => CHINESE.indexOf(sign) + 1);
  const tens = numeral.indexOf('十');
  const number = tens < 0 ? (digits[0] ?? 0) : (tens === 0 ? 10 : (digits[0] ?? 0) * 10) + (digits[tens + 1] ?? 0);
  return { number, text: text.trim() };
}

/** The lines that a pasted line holds: `1、甲 2、乙` is two questions. */
export function divideItems(line: string): string[] {
  const start = itemStart(line);
  if (!start) return [line];
  const parts: string[] = [];
  let rest = line;
  for (let number = start.number + 1; parts.length < 500; number++) {
    const at = rest.search(new RegExp(`\\s${number}\\s{0,2}[.．、]\\s{0,2}[^\\d\\s]`));
    if (at <= 0) break;
    parts.push(rest.slice(0, at));
    rest = rest.slice(at).trim();
  }
  return [...parts, rest];
}

/** What the marks of a question say. */
export interface Marks {
  text: string;
  isReversed: boolean;
  /** a star, which mostly marks a reversed question */
  hasStar: boolean;
  type?: 0 | 1 | 2;
  required?: boolean;
}

const REVERSE = /\s{0,3}[（([【]\s{0,2}(?:反向(?:计分|题|记分)?|反|R|r|－|逆向计分)\s{0,2}[)）\]】]\s{0,3}/;
const MULTIPLE = /\s{0,3}[（([【]\s{0,2}(?:可多选|多选题?|不定项|最多选\s?\d{1,2}\s?项?)\s{0,2}[)）\]】]\s{0,3}/;
const SINGLE = /\s{0,3}[（([【]\s{0,2}(?:单选题?|限选一项|单项选择)\s{0,2}[)）\]】]\s{0,3}/;
const FILL = /\s{0,3}[（([【]\s{0,2}(?:填空题?|问答题?|简答题?|开放题)\s{0,2}[)）\]】]\s{0,3}/;
const REQUIRED = /\s{0,3}[（([【]\s{0,2}(必答|必填|选答|选填|可不填|可不答)\s{0,2}[)）\]】]\s{0,3}/;
const LINE_TO_FILL = /_{2,}|＿{2,}/;

/** Takes the marks out of the text of a question. */
export function readMarks(line: string): Marks {
  const isReversed = REVERSE.test(line);
  const isMultiple = MULTIPLE.test(line);
  const isSingle = SINGLE.test(line);
  const isFill = FILL.test(line) || LINE_TO_FILL.test(line);
  const [, word] = REQUIRED.exec(line) ?? [];
  let text = [REVERSE, MULTIPLE, SINGLE, FILL, REQUIRED].reduce((rest, mark) => rest.replace(mark, ' '), line);
  text = text.replace(/[_＿]{2,}/g, ' ').trim();
  // The brackets for a paper answer say nothing.
  text = text.replace(/[（(]\s{1,10}[)）]$/, '').trim();
  const hasStar = /^[*＊★]|[*＊★]$/.test(text);
  text = text.replace(/^[*＊★]\s{0,3}|\s{0,3}[*＊★]$/g, '').trim();
  return {
    ...{ text, isReversed, hasStar },
    ...(isMultiple ? { type: 2 as const } : isSingle ? { type: 1 as const } : isFill ? { type: 0 as const } : {}),
    ...(word ? { required: word.startsWith('必') } : {}),
  };
}
