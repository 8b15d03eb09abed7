import { toPlain } from '#domain/scoring/exchange/cell.ts';
import { defaultScores } from '#domain/scoring/exchange/defaultScores.ts';
import { withCodes } from '#domain/scoring/exchange/optionText.ts';
import { chineseStart, divideItems, itemStart, readMarks } from '#domain/scoring/exchange/pasted/itemLine.ts';
import { markedOptions, sharedOptions, toOption, type PastedOption } from '#domain/scoring/exchange/pasted/optionLine.ts';
import type { Item, OptionRow, Scale } from '#domain/scoring/scale.ts';

/** How the reader took a line. */
export type LineUse = '标题' | '指导语' | '分节' | '题目' | '选项' | '共用选项' | '反向' | '未导入';

/** One line of the source and how it was taken. */
export interface ReadLine {
  /** from 1 */
  line: number;
  use: LineUse;
  text: string;
}

/** Something that an author should look at. `line` 0: the whole text. */
export interface Doubt {
  line: number;
  message: string;
}

/** A question as it stands in the text. */
interface PastedItem {
  line: number;
  number: number;
  text: string;
  options: PastedOption[];
  isReversed: boolean;
  hasStar: boolean;
  /** its options begin with their points, as questions begin with their numbers */
  hasNumberedOptions?: boolean;
  type?: 0 | 1 | 2;
  required?: boolean;
  head?: string;
}

const LIMIT = 200_000;
const PERSON = /^(?:姓名|性别|年龄|学号|班级|编号|日期|单位|部门|填表人|测试日期)\s{0,5}[:：_＿(（]/;
const PAGE = /^(?:第\s{0,2}\d{1,4}\s{0,2}页.{0,20}|[-—–·\s]*\d{1,4}[-—–·\s]*|\d{1,4}\s{0,2}\/\s{0,2}\d{1,4})$/;
const NOTE = /^(?:计分|记分|评分|结果解释|评价|总分|常模|注|备注|参考|说明|划界|标准分)[^。]{0,8}[:：]/;
const REVERSED_LIST =
  /(?:反向计分|反向记分|反向题|反向条目|逆向计分|反序计分)[^\d第]{0,20}((?:第?\s{0,2}\d{1,3}\s{0,2}题?[\s,，、;；和及.]{0,4}){1,60})/;
const INSTRUCTION = /^(?:指导语|填写说明|作答说明|测试说明|填表说明|说明)\s{0,3}[:：]\s{0,3}/;
const TITLE = /^(?:量表名称|名称|标题|题目)\s{0,3}[:：]\s{0,3}/;

/** Reads the lines one after the other. */
class TextReader {
  readonly lines: ReadLine[] = [];
  readonly doubts: Doubt[] = [];
  readonly items: PastedItem[] = [];
  readonly reversed = new Set<number>();
  title = '';
  readonly instruction: string[] = [];
  shared: PastedOption[] | undefined;
  #head: string | undefined;
  #isEnded = false;
  readonly #isChinese: boolean;

  constructor(isChinese: boolean) {
    this.#isChinese = isChinese;
  }

  #use(line: number, use: LineUse, text: string): void {
    this.lines.push({ line, use, text: text.slice(0, 500) });
  }

  #doubt(line: number, message: string): void {
    this.doubts.push({ line, message });
  }

  read(line: number, source: string): void {
    const text = source.trim();
    if (text === '') return;
    const last = this.items.at(-1);
    if (PAGE.test(text)) return this.#use(line, '未导入', text);
    if (this.#readReversed(line, text)) return;
    const section = chineseStart(text);
    if (section && !this.#isChinese && !(last && last.options.length === 0 && section.text.length > 40)) {
      this.#head = section.text.slice(0, 100);
      return this.#use(line, '分节', section.text);
    }
    const start = this.#isChinese ? section : itemStart(text);
    if (start && this.#isNext(start.number, text)) return this.#addItem(line, start);
    if (!last) return this.#readBefore(line, text);
    this.#readAfter(line, text, last, start);
  }

  /** Whether a number begins the next question and is not the number of an option. */
  #isNext(number: number, text: string): boolean {
    const last = this.items.at(-1);
    if (!last) return number > 0 && !sharedOptions(text);
    const continues = last.options.at(-1)?.points === number - 1 && last.hasNumberedOptions === true;
    if (number !== last.number + 1) return number > last.number && number <= last.number + 3 && !continues;
    const usual = this.items.at(-2)?.options.length ?? 0;
    return !continues || usual === last.options.length;
  }

  #addItem(line: number, { number, text }: { number: number; text: string }): void {
    const last = this.items.at(-1);
    if (last && number !== last.number + 1) this.#doubt(line, `题号从 ${last.number} 跳到 ${number}，请核对是否漏了题`);
    if (!last && number !== 1) this.#doubt(line, `第一题的题号是 ${number}，请核对前面是否漏了题`);
    // Points of a table behind the question: 题干  0  1  2  3
    const withoutCells = text.replace(/(?:\s{1,8}(?:\d|[□☐○◯])){2,10}$/, '');
    const at = withoutCells.search(/\s[（(]?A[)）]?\s{0,2}[.．、:：]\s{0,2}\S|\s?①|\s?[□☐○◯]\s{0,2}\S/);
    const inline = at > 0 ? markedOptions(withoutCells.slice(at).trim()) : undefined;
    const options = inline && inline.length > 1 ? inline : [];
    const marks = readMarks(options.length > 0 ? withoutCells.slice(0, at) : withoutCells);
    this.items.push({ line, number, options, ...marks, ...(this.#head ? { head: this.#head } : {}) });
    this.#head = undefined;
    this.#use(line, '题目', marks.text);
    if (marks.text.length > 500) this.#doubt(line, '题干超过 500 个字，请缩短');
  }

  #readReversed(line: number, text: string): boolean {
    const list = REVERSED_LIST.exec(text)?.[1];
    if (!list) return false;
    for (const [number] of list.matchAll(/\d{1,3}/g)) this.reversed.add(Number(number));
    this.#use(line, '反向', text);
    return true;
  }

  /** Title, instruction and shared options before the first question. */
  #readBefore(line: number, text: string): void {
    const shared = sharedOptions(text);
    if (shared) {
      this.shared = shared;
      return this.#use(line, '共用选项', text);
    }
    if (PERSON.test(text)) return this.#use(line, '未导入', text);
    if (this.title === '' && this.instruction.length === 0 && !INSTRUCTION.test(text) && text.length <= 50) {
      this.title = text
        .replace(TITLE, '')
        .replace(/^[《<【]|[》>】]$/g, '')
        .trim();
      return this.#use(line, '标题', text);
    }
    this.instruction.push(text.replace(INSTRUCTION, ''));
    this.#use(line, '指导语', text);
  }

  /** Options, the rest of a question, or notes behind a question. */
  #readAfter(line: number, text: string, last: PastedItem, start: { number: number; text: string } | undefined): void {
    const marked = markedOptions(text);
    if (marked) return this.#addOptions(line, last, marked, text);
    if (NOTE.test(text) || this.#isEnded) {
      this.#isEnded = true;
      this.#use(line, '未导入', text);
      return;
    }
    const points = last.options.at(-1)?.points;
    if (start && (last.options.length === 0 ? start.number <= 1 : points === start.number - 1)) {
      const option = toOption(start.text);
      last.hasNumberedOptions = true;
      return this.#addOptions(line, last, [{ ...option, points: option.points ?? start.number }], text);
    }
    const listed = sharedOptions(text);
    if (listed) return this.#addOptions(line, last, listed, text);
    const zero = toOption(text);
    if (zero.points !== undefined && text.length <= 60) return this.#addOptions(line, last, [zero], text);
    if (last.options.length > 0) {
      this.#use(line, '未导入', text);
      return this.#doubt(line, '这一行没有识别，没有导入');
    }
    last.text = `${last.text}${/[A-Za-z0-9]$/.test(last.text) ? ' ' : ''}${readMarks(text).text}`;
    this.#use(line, '题目', text);
  }

  #addOptions(line: number, last: PastedItem, options: readonly PastedOption[], text: string): void {
    last.options.push(...options);
    this.#use(line, '选项', text);
  }

  /** Adds what the author should look at in the whole. */
  finish(): void {
    const notes = this.lines.filter(({ use, text }) => use === '未导入' && NOTE.test(text));
    for (const { line } of notes) this.#doubt(line, '计分或解释的说明没有导入，请在“得分”和“等级”里填写');
    const hasReversed = this.reversed.size > 0 || this.items.some(({ isReversed }) => isReversed);
    for (const item of this.items)
      if (item.hasStar && !hasReversed) this.#doubt(item.line, `第 ${item.number} 题有星号：如果表示反向计分，请在导入后勾选`);
    for (const number of this.reversed)
      if (!this.items.some((item) => item.number === number)) this.#doubt(0, `反向计分的第 ${number} 题没有找到`);
    if (this.items.length === 0) this.#doubt(0, '没有找到题目：每题请另起一行，以题号开头，例如 1. 感到紧张');
    if (this.title === '') this.#doubt(0, '没有找到量表名称，请在导入后填写');
  }
}

/** The definition of the questions. Options of the same wording share a set. */
function toScale({ items, reversed, title, instruction, shared }: TextReader, doubts: Doubt[]): Scale {
  const sets = new Map<string, { name: string; rows: OptionRow[] }>();
  const setOf = (options: readonly PastedOption[], line: number): string => {
    const key = JSON.stringify(options);
    const known = sets.get(key);
    if (known) return known.name;
    const scored = options.filter(({ points }) => points !== undefined).length;
    if (scored === 0) doubts.push({ line, message: '选项没有写分值，导入后不计分；需要计分请在“选项组”里填写' });
    else if (scored < options.length) doubts.push({ line, message: '有的选项没有分值，请在“选项组”里补上' });
    const name = `选项${sets.size + 1}`;
    sets.set(key, {
      name,
      rows: withCodes(options.slice(0, 60).map(({ label, points }) => [label.slice(0, 100), points ?? null])),
    });
    return name;
  };
  const list = items.slice(0, 500).map(({ line, number, text, options, type, required, head }, index): Item => {
    const used = options.length > 0 ? options : type === 0 ? [] : (shared ?? []);
    if (used.length === 1) doubts.push({ line, message: `第 ${number} 题只有一个选项` });
    if (used.length === 0 && type !== 0) doubts.push({ line, message: `第 ${number} 题没有选项，按填空题导入` });
    if (text === '') doubts.push({ line, message: `第 ${number} 题没有题干` });
    const isFill = used.length === 0;
    return {
      ...{ c: `q${index + 1}`, t: text.slice(0, 500) },
      ...(isFill ? { type: 0 as const, input: 0 as const } : type === 2 ? { type } : {}),
      ...(isFill ? {} : { o: setOf(used, options.length > 0 ? line : 0) }),
      ...(required === undefined ? {} : { required }),
      ...(head ? { head } : {}),
    };
  });
  if (items.length > 500) doubts.push({ line: 0, message: '一份量表最多 500 题，后面的题没有导入' });
  const reverse = list
    .filter((_, index) => items[index]?.isReversed || reversed.has(items[index]?.number ?? 0))
    .map(({ c }) => c);
  const optionsets = Object.fromEntries([...sets.values()].map(({ name, rows }) => [name, rows]));
  return {
    ...{ schema: 'asds/1', formcode: '', version: 'draft', formtype: '01', tier: 'S' },
    title: title.slice(0, 50),
    ...(instruction.length > 0 ? { instruction: instruction.join('\n').slice(0, 1000) } : {}),
    ...{ optionsets, items: list, ...(reverse.length > 0 ? { reverse } : {}) },
    scores: defaultScores({ items: list, optionsets }),
    bands: {},
  };
}

/** What pasted text says: a definition, how each line was taken, and what an author should look at. It never throws. */
export function readText(source: string): { scale: Scale; lines: ReadLine[]; doubts: Doubt[] } {
  const lines = source.slice(0, LIMIT).split(/\r\n|\r|\n|\u2028/);
  const texts = lines.map((line) =>
    line
      .replace(/[\u200b-\u200f\ufeff]/g, '')
      .replace(/[\u3000\u00a0]/g, ' ')
      .trim(),
  );
  const isNumbered = texts.some((text) => itemStart(text) !== undefined && !sharedOptions(text));
  const reader = new TextReader(!isNumbered && texts.some((text) => chineseStart(text) !== undefined));
  texts.forEach((text, index) => {
    // A very long line is no question; its search for numbers would take long.
    for (const part of text.length < 20_000 ? divideItems(text) : [text.slice(0, 2000)]) reader.read(index + 1, part);
  });
  reader.finish();
  if (source.length > LIMIT) reader.doubts.push({ line: 0, message: '文字超过 20 万字，后面的没有读取' });
  const scale = toScale(reader, reader.doubts);
  return { scale, lines: reader.lines, doubts: reader.doubts.sort((a, b) => a.line - b.line) };
}

/** Whether the text is JSON of a definition. */
export const looksLikeJson = (text: string): boolean => toPlain(text.slice(0, 50)).startsWith('{');
