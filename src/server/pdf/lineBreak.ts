/** Breaks Chinese text into lines by the rules of Chinese typography (中文排版需求, 避头尾). */

/** One line: its text without spaces at the ends, its width, and the space to add between characters so that it fills its column. */
export interface TextLine {
  text: string;
  width: number;
  spacing: number;
}

const NO_START = new Set('，。、；：？！）】》〉」』”’…—～·％‰°℃〕〗,.;:?!)]}%/>');
const NO_END = new Set('（【《〈「『“‘〔〖([{￥$#<');
/** A unit stays with its number: 12分, 2025年. */
const UNITS = new Set('分秒题岁年月日天周次人项个份版');
/** Words and numbers stay whole; spaces belong to the word before. */
const TOKENS = /[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{N}.,:%+_@'’–/&=?-]*|\s+|./gu;
/** A line is stretched by at most this share of its width; a shorter one stays ragged. */
const STRETCH_LIMIT = 0.05;

/** Returns the parts of a text between which a line may break. */
function toAtoms(text: string): string[] {
  const atoms: string[] = [];
  for (const [token] of text.matchAll(TOKENS)) {
    const before = atoms.at(-1);
    const isJoined =
      before !== undefined &&
      (NO_START.has(token[0] ?? '') ||
        NO_END.has(before.at(-1) ?? '') ||
        /^\s/.test(token) ||
        (UNITS.has(token) && /\d$/.test(before)));
    if (isJoined) atoms[atoms.length - 1] = before + token;
    else atoms.push(token);
  }
  return atoms;
}

/** Breaks one paragraph. `measure` returns the width of a text. */
function breakParagraph(text: string, width: number, measure: (text: string) => number): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let used = 0;
  const endLine = () => {
    if (line.length > 0) lines.push(line);
    line = [];
    used = 0;
  };
  for (const atom of toAtoms(text)) {
    const needed = measure(atom.trimEnd());
    if (used + needed > width && line.length > 0) endLine();
    if (needed <= width) {
      line.push(atom);
      used += measure(atom);
      continue;
    }
    // An address or a row of signs without any place to break: it breaks anywhere.
    for (const sign of atom) {
      if (used + measure(sign) > width && line.length > 0) endLine();
      line.push(sign);
      used += measure(sign);
    }
  }
  endLine();
  const [before, last] = lines.slice(-2);
  // One character alone on the last line takes its neighbour with it.
  if (before && last && before.length > 4 && [...last.join('').replace(/[\p{P}\s]/gu, '')].length === 1)
    last.unshift(before.pop() as string);
  return lines;
}

/** Returns the lines of a text in a column of this width. A line break in the text begins a new line. */
export function breakLines(text: string, width: number, measure: (text: string) => number): TextLine[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = breakParagraph(paragraph.trim(), width, measure);
    return lines.map((atoms, index): TextLine => {
      const line = atoms.join('').trim();
      const used = measure(line);
      const isLast = index === lines.length - 1;
      const gaps = [...line].length - 1;
      const spacing = !isLast && gaps > 0 && width - used < width * STRETCH_LIMIT ? Math.max(0, (width - used) / gaps) : 0;
      return { text: line, width: used, spacing };
    });
  });
}
