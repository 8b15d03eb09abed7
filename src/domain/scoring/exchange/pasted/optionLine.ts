import { toNumber, toPlain } from '#domain/scoring/exchange/cell.ts';

/** An option of pasted text. `points` undefined: the text names none. */
export interface PastedOption {
  label: string;
  points?: number;
}

const CIRCLED = '①②③④⑤⑥⑦⑧⑨⑩';
const BOXES = '□☐○◯◻❏▢〇';
/** Where an option begins inside a line: `A.`, `①`, `□`. */
const LETTER = /(?:^|\s)[（(]?[A-Ha-h][)）]?\s{0,2}[.．、:：)）]\s{0,3}/g;
const MARKED = new RegExp(`[${CIRCLED}${BOXES}]\\s{0,3}`, 'g');
const BRACKETS = /(?:[[（(]\s{0,3}[\])）]|[[［]\s{0,3}[\]］])\s{0,3}/g;
/** `0=从不`, `1-偶尔`, `2：经常`. A label such as `3天以上` has no points. */
const NUMBER_FIRST = /^([-+]?\d{1,3}(?:\.\d)?)\s{0,3}(?:[=＝\-—–:：.．、]|分[=＝:：、]?)\s{0,3}([^\s\d].{0,98})$/;
/** `从不=0`, `从不（0分）`, `从不 0分`. */
const LABEL = /^(.{1,98}?)\s{0,3}/.source;
const POINTS = /([-+]?\d{1,3}(?:\.\d)?)/.source;
const NUMBER_LAST = new RegExp(
  `${LABEL}(?:[=＝:：]\\s{0,3}${POINTS}\\s{0,2}分?|[（([]\\s{0,2}${POINTS}\\s{0,2}分?\\s{0,2}[)）\\]]|\\s${POINTS}\\s{0,2}分)$`,
);

/** Reads the label and the points of one option. */
export function toOption(text: string): PastedOption {
  const trimmed = text
    .trim()
    .replace(/[;；,，。]$/, '')
    .trim();
  const last = NUMBER_LAST.exec(trimmed);
  if (last) {
    const points = toNumber(last[2] ?? last[3] ?? last[4] ?? '');
    return { label: (last[1] ?? '').trim(), ...(points === undefined ? {} : { points }) };
  }
  const first = NUMBER_FIRST.exec(trimmed);
  const points = first ? toNumber(first[1] ?? '') : undefined;
  return first && points !== undefined ? { label: (first[2] ?? '').trim(), points } : { label: trimmed };
}

/** The text between the marks, from the first mark on. */
function divide(line: string, mark: RegExp): string[] | undefined {
  const found = [...line.matchAll(mark)];
  const [first] = found;
  if (!first || line.slice(0, first.index).trim() !== '') return undefined;
  return found.map(({ index, 0: sign }, at) => line.slice(index + sign.length, found[at + 1]?.index ?? line.length).trim());
}

/** The options of a line that begins with `A.`, `①`, `□` or `( )`; undefined for other lines. */
export function markedOptions(line: string): PastedOption[] | undefined {
  for (const mark of [LETTER, MARKED, BRACKETS]) {
    const parts = divide(line, mark);
    if (parts && parts.every((part) => part !== '' && part.length <= 100)) return parts.map(toOption);
  }
  return undefined;
}

const PREFIX =
  /^(?:选项|备选项|答案选项|评分标准|评分|计分方法|计分|请选择|评定标准)\s{0,3}(?:为|是)?\s{0,3}[:：]\s{0,3}(\S.{0,600})$/;

const NUMBERED = /(?:^|[\s,，;；、])(?=[-+]?\d{1,2}\s{0,2}(?:[=＝\-—:：.．、]|分|\s)?\s{0,2}[^\s\d=＝.])/g;
const ONE_NUMBERED = /^(\d{1,2})\s{0,2}(?:[=＝\-—:：.．、]|分)?\s{0,2}(.{1,98})$/;

/** `0从不 1偶尔 2经常`: the numbers go up or down one by one. */
function numberedOptions(line: string): PastedOption[] | undefined {
  const found = [...line.matchAll(NUMBERED)];
  if (found.length < 2 || found[0]?.index !== 0) return undefined;
  const options = found.map(({ index }, at) => {
    const part = line.slice(index, found[at + 1]?.index ?? line.length).replace(/^[\s,，;；、]+|[\s,，;；、。]+$/g, '');
    const [, points, label = ''] = ONE_NUMBERED.exec(part) ?? [];
    return { label: label.trim(), points: Number(points) };
  });
  const step = (options[1]?.points ?? 0) - (options[0]?.points ?? 0);
  const isEven = options.every(({ points }, at) => at === 0 || points - (options[at - 1]?.points ?? 0) === step);
  return isEven && Math.abs(step) === 1 ? options : undefined;
}

/** The parts of a list of options without marks: `从不=0；偶尔=1`, `从不/偶尔/经常`. */
function listOf(text: string): string[] {
  for (const sign of [/[;；]/, /[,，、]/, /[/／|｜]/, /\t+|\s{2,}/, /\s+/]) {
    const parts = text
      .split(sign)
      .map((part) => part.trim())
      .filter(Boolean);
    if (parts.length > 1) return parts;
  }
  return [text];
}

/** `（0）从不 （1）偶尔`: the points stand in brackets. */
function bracketedOptions(line: string): PastedOption[] | undefined {
  const parts = divide(line, /[（(]\s{0,2}\d{1,2}\s{0,2}[)）]\s{0,2}/g);
  if (!parts || parts.length < 2 || parts.some((part) => part === '' || part.length > 30)) return undefined;
  const points = [...line.matchAll(/[（(]\s{0,2}(\d{1,2})\s{0,2}[)）]/g)].map(([, number]) => Number(number));
  return parts.map((label, index) => ({ label: label.replace(/[;；,，、]$/, ''), points: points[index] ?? 0 }));
}

/** The options of a shared line such as `选项：从不=0；偶尔=1` or `0=从不 1=偶尔`; undefined for other lines. */
export function sharedOptions(line: string): PastedOption[] | undefined {
  const listed = PREFIX.exec(line)?.[1];
  const marked = markedOptions(listed ?? line);
  if (marked && marked.length > 1) return marked;
  const numbered = bracketedOptions(listed ?? line) ?? numberedOptions(toPlain(listed ?? line));
  if (numbered) return numbered;
  const options = listOf(toPlain(listed ?? line)).map(toOption);
  const areAllScored = options.length > 1 && options.every(({ points, label }) => points !== undefined && label.length <= 30);
  if (areAllScored) return options;
  return listed !== undefined && options.length > 1 && options.every(({ label }) => label.length <= 30) ? options : undefined;
}
