import type { Item, OptionRow, Scale } from '#domain/scoring/scale.ts';
import type { Box } from '#server/pdf/box.ts';
import { PAGE } from '#server/pdf/look.ts';
import { GREY, INK, LINE, type Painter } from '#server/pdf/painter.ts';
import { linesOf, widthOf, type TextStyle } from '#server/pdf/typeset.ts';

/** The questions of a blank form: a table where neighbours share short options, else one question below the other. */

/** The width of the text. */
export const WIDTH = PAGE.width - 2 * PAGE.margin;
/** Text that a person with a pen reads well. */
export const BODY: TextStyle = { size: 11, leading: 17 };
const SMALL: TextStyle = { size: 9, leading: 12 };
const HEAD: TextStyle = { size: 12, leading: 20, weight: 'bold' };
const NOTE: TextStyle = { ...SMALL, colour: GREY };

const SQUARE = 11;
const NUMBER_WIDTH = 30;
const PAD = 6;
/** The shares of the width that one option and all options of a table may take. */
const MOST_OPTIONS = 0.56;
const LEAST_OPTION = 44;

const drawSquare = (painter: Painter, x: number, y: number) => painter.frame({ x, y, width: SQUARE, height: SQUARE }, INK, 0.8);

/** Lines of text as boxes that stay together. */
export function textBoxes(text: string, style: TextStyle, gap = 0, width = WIDTH, left = 0): Box[] {
  const lines = linesOf(text, width, style);
  return lines.map((line, index) => ({
    height: style.leading,
    ...(index === 0 ? { gap } : {}),
    keepsNext: index < lines.length - 1 && (index === 0 || index === lines.length - 2),
    draw: (painter, x, y) => painter.line(line.text, x + left, y, style, line.spacing),
  }));
}

/** One question with its place in the form. */
interface Question {
  item: Item;
  number: number;
  options: readonly OptionRow[];
}

const marksOf = ({ t, type, required, showif }: Item): string =>
  [type === 2 && !t.includes('多选') ? '可多选' : '', required === false ? '可不填' : '', showif ? '不适用时不填' : '']
    .filter(Boolean)
    .join('，');
const textOf = ({ item }: Question): string => (marksOf(item) ? `${item.t}（${marksOf(item)}）` : item.t);

/** The width of each option column, or undefined where the labels are too long for a table. */
function columnOf(options: readonly OptionRow[]): number | undefined {
  if (options.length < 2 || options.length > 7) return undefined;
  const widest = Math.max(...options.map(([, label]) => widthOf(label, SMALL)));
  const width = Math.max(LEAST_OPTION, Math.min(widest, 46) + 2 * PAD);
  const lines = Math.max(...options.map(([, label]) => linesOf(label, width - PAD, SMALL).length));
  return width * options.length <= WIDTH * MOST_OPTIONS && lines <= 3 ? width : undefined;
}

function tableHead(options: readonly OptionRow[], width: number): Box {
  const labels = options.map(([, label]) => linesOf(label, width - PAD, SMALL));
  const height = Math.max(...labels.map((lines) => lines.length)) * SMALL.leading + 2 * PAD;
  const start = WIDTH - width * options.length;
  return {
    height,
    gap: 8,
    keepsNext: true,
    draw: (painter, x, y) => {
      painter.fill({ x, y, width: WIDTH, height }, '#eef3f1');
      painter.line('题目', x + NUMBER_WIDTH, y + (height - SMALL.leading) / 2, SMALL);
      labels.forEach((lines, column) => {
        const top = y + (height - lines.length * SMALL.leading) / 2;
        lines.forEach(({ text }, index) => {
          const left = x + start + width * column + (width - widthOf(text, SMALL)) / 2;
          painter.line(text, left, top + index * SMALL.leading, SMALL);
        });
      });
    },
  };
}

function tableRow(question: Question, width: number, head: Box): Box {
  const { options, number } = question;
  const start = WIDTH - width * options.length;
  const lines = linesOf(textOf(question), start - NUMBER_WIDTH - PAD, BODY);
  const height = lines.length * BODY.leading + PAD;
  return {
    height,
    head,
    draw: (painter, x, y) => {
      painter.line(`${number}.`, x + PAD, y + PAD / 2, BODY);
      lines.forEach((line, index) =>
        painter.line(line.text, x + NUMBER_WIDTH, y + PAD / 2 + index * BODY.leading, BODY, line.spacing),
      );
      options.forEach((_, column) =>
        drawSquare(painter, x + start + width * column + (width - SQUARE) / 2, y + (height - SQUARE) / 2),
      );
      painter.rule(x, y + height, WIDTH, LINE);
    },
  };
}

/** Options behind each other, as many on a line as fit. */
function optionLines(options: readonly OptionRow[]): Box[] {
  const left = NUMBER_WIDTH;
  const room = WIDTH - left;
  const rows: { label: string; x: number; width: number }[][] = [[]];
  let x = 0;
  for (const [, label] of options) {
    const width = Math.min(room, SQUARE + 6 + widthOf(label, BODY) + 20);
    if (x > 0 && x + width > room) {
      rows.push([]);
      x = 0;
    }
    rows.at(-1)?.push({ label, x, width });
    x += width;
  }
  return rows.flatMap((row, index): Box[] => {
    const texts = row.map(({ label, x: at }) => ({ at, lines: linesOf(label, room - SQUARE - 6, BODY) }));
    const height = Math.max(1, ...texts.map(({ lines }) => lines.length)) * BODY.leading;
    return [
      {
        height,
        keepsNext: index < rows.length - 1,
        draw: (painter, boxX, y) =>
          texts.forEach(({ at, lines }) => {
            drawSquare(painter, boxX + left + at, y + (BODY.leading - SQUARE) / 2);
            lines.forEach((line, number) =>
              painter.line(line.text, boxX + left + at + SQUARE + 6, y + number * BODY.leading, BODY, line.spacing),
            );
          }),
      },
    ];
  });
}

const HINTS: Readonly<Record<number, string>> = {
  ...{
    1: '填整数',
    2: '填数字',
    3: '年 / 月 / 日',
    4: '时 : 分',
    5: '年 / 月 / 日  时 : 分',
    6: '时 : 分 — 时 : 分',
    8: '省 / 市 / 区',
  },
};

/** Lines to write on: three for long texts. */
function writingLines({ item }: Question): Box[] {
  const isLong = (item.input ?? 0) === 0 && (item.maxlen ?? 100) > 150;
  const hint = item.input === 7 ? `填数字 ${item.min ?? ''}—${item.max ?? ''}` : (HINTS[item.input ?? 0] ?? '');
  return Array.from({ length: isLong ? 2 : 1 }, (_, index) => ({
    height: 24,
    keepsNext: isLong && index === 0,
    draw: (painter: Painter, x: number, y: number) => {
      const width = isLong ? WIDTH - NUMBER_WIDTH : 220;
      painter.rule(x + NUMBER_WIDTH, y + 21, width, GREY, 0.6);
      if (index === 0 && hint) painter.line(hint, x + NUMBER_WIDTH + width + 8, y + 9, NOTE);
    },
  }));
}

function singleQuestion(question: Question): Box[] {
  const lines = linesOf(textOf(question), WIDTH - NUMBER_WIDTH, BODY);
  const text = lines.map((line, index): Box => ({
    height: BODY.leading,
    ...(index === 0 ? { gap: 10 } : {}),
    keepsNext: true,
    draw: (painter, x, y) => {
      if (index === 0) painter.line(`${question.number}.`, x + PAD, y, BODY);
      painter.line(line.text, x + NUMBER_WIDTH, y, BODY, line.spacing);
    },
  }));
  const answers =
    question.item.type === 0 || question.options.length === 0 ? writingLines(question) : optionLines(question.options);
  return [...text, ...answers];
}

/** Whether a question is a single choice, which can be a row of a table. */
const isTabular = (item: Item | undefined): boolean => item !== undefined && (item.type ?? 1) === 1;

/** The questions as boxes. */
export function itemBoxes(scale: Scale): Box[] {
  const boxes: Box[] = [];
  let table: { set: string; head: Box; width: number } | undefined;
  let group: string | undefined;
  scale.items.forEach((item, index) => {
    const set = item.o ?? '';
    const options = item.type === 0 ? [] : (scale.optionsets[set] ?? []);
    const question: Question = { item, number: index + 1, options };
    for (const heading of [item.group !== group ? item.group : undefined, item.head]) {
      if (!heading) continue;
      table = undefined;
      boxes.push(...textBoxes(heading, HEAD, 12).map((box) => ({ ...box, keepsNext: true })));
    }
    group = item.group;
    const isAlone = ![index - 1, index + 1].some((at) => isTabular(scale.items[at]) && scale.items[at]?.o === item.o);
    const width = isTabular(item) && !isAlone ? columnOf(options) : undefined;
    if (width === undefined) {
      table = undefined;
      boxes.push(...singleQuestion(question));
      return;
    }
    if (table?.set !== set) {
      const head = tableHead(options, width);
      table = { set, head, width };
      boxes.push(head);
    }
    boxes.push(tableRow(question, width, table.head));
  });
  return boxes;
}
