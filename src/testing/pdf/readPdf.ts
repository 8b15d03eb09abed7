import { inflateSync } from 'node:zlib';

/** Reads PDF files in tests: an own reader of the format (ISO 32000-1) that shares no code with the product's writer. */

/** A piece of text on a page. `y` counts from the foot of the page, in points. */
export interface PdfText {
  text: string;
  font: string;
  size: number;
  x: number;
  y: number;
}
export interface PdfFile {
  pages: PdfText[][];
  /** the document information, such as Title */
  info: Readonly<Record<string, string>>;
  /** the names of the embedded fonts */
  fonts: string[];
  /** the number of curves and lines on each page */
  strokes: number[];
}

interface PdfObject {
  dict: string;
  stream: Buffer | undefined;
}

function readObjects(file: Buffer): Map<number, PdfObject> {
  const text = file.toString('latin1');
  const objects = new Map<number, PdfObject>();
  for (const found of text.matchAll(/(?<=\n)(\d+) 0 obj\n([\s\S]*?)(?:\nstream\n|\nendobj)/g)) {
    const dict = found[2] ?? '';
    const begin = found.index + found[0].length;
    const length = Number(/\/Length (\d+)/.exec(dict)?.[1] ?? 0);
    const raw = found[0].endsWith('stream\n') ? file.subarray(begin, begin + length) : undefined;
    objects.set(Number(found[1]), { dict, stream: raw && dict.includes('/FlateDecode') ? inflateSync(raw) : raw });
  }
  return objects;
}

const utf16 = (hex: string): string =>
  String.fromCharCode(...(hex.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)));

/** The character of each glyph, from the font's ToUnicode map. */
function readCharacters(map: string): Map<number, string> {
  const characters = new Map<number, string>();
  for (const [, from, , list] of map.matchAll(/<(\w+)> <(\w+)> \[([^\]]*)\]/g))
    [...(list ?? '').matchAll(/<(\w*)>/g)].forEach(([, hex], index) =>
      characters.set(Number.parseInt(from ?? '', 16) + index, utf16(hex ?? '')),
    );
  return characters;
}

/** A string of PDF: text in brackets, or UTF-16 with its mark. */
function readString(raw: string): string {
  const plain = raw.replace(
    /\\([\\()nrtbf])/g,
    (_, sign: string) => ({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' })[sign] ?? sign,
  );
  if (!plain.startsWith('\u00FE\u00FF')) return plain;
  return utf16(Buffer.from(plain.slice(2), 'latin1').toString('hex'));
}

interface Font {
  name: string;
  characters: Map<number, string>;
}

/** The matrix that first does `first`, then `then`. */
function multiply([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: readonly number[], then: readonly number[]): number[] {
  const [A = 1, B = 0, C = 0, D = 1, E = 0, F = 0] = then;
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F];
}

function readPage(content: string, fonts: ReadonlyMap<string, Font>): PdfText[] {
  const texts: PdfText[] = [];
  let [x, y, size] = [0, 0, 0];
  let font: Font | undefined;
  let actual: string | undefined;
  let matrix = [1, 0, 0, 1, 0, 0];
  const stack: number[][] = [];
  const place = (text: string, name: string) => {
    const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix;
    texts.push({ text, font: name, size, x: a * x + c * y + e, y: b * x + d * y + f });
  };
  const operators = [
    '^(q)$',
    '^(Q)$',
    '^((?:-?[\\d.]+ ){6})cm$',
    '/Span <<[^>]*?/ActualText \\(((?:\\\\.|[^\\\\)])*)\\)[^>]*>> BDC',
    '(EMC)',
    '1 0 0 1 (-?[\\d.]+) (-?[\\d.]+) Tm',
    '/(F\\d+) ([\\d.]+) Tf',
    '\\[([^\\]]*)\\] TJ',
  ];
  const pattern = new RegExp(operators.join('|'), 'gm');
  for (const [, isSaved, isRestored, change, span, isEnd, left, bottom, fontId, points, shown] of content.matchAll(pattern)) {
    if (isSaved) stack.push(matrix);
    else if (isRestored) matrix = stack.pop() ?? matrix;
    else if (change !== undefined) matrix = multiply(change.trim().split(' ').map(Number), matrix);
    else if (span !== undefined) actual = readString(span);
    else if (isEnd && actual !== undefined) {
      place(actual, '');
      actual = undefined;
    } else if (left !== undefined) [x, y] = [Number(left), Number(bottom)];
    else if (fontId !== undefined) [font, size] = [fonts.get(fontId), Number(points)];
    else if (shown !== undefined && actual === undefined) {
      const glyphs = [...shown.matchAll(/<(\w+)>/g)].flatMap(([, hex]) => hex?.match(/.{4}/g) ?? []);
      const text = glyphs.map((glyph) => font?.characters.get(Number.parseInt(glyph, 16)) ?? '\uFFFD').join('');
      place(text, font?.name ?? '');
    }
  }
  return texts;
}

/** Reads the texts of a PDF page by page, in the order of the file. */
export function readPdf(bytes: Uint8Array): PdfFile {
  const objects = readObjects(Buffer.from(bytes));
  const object = (reference: string | undefined): PdfObject => objects.get(Number(reference)) ?? { dict: '', stream: undefined };
  const fonts: string[] = [];
  const fontOf = (reference: string): Font => {
    const { dict } = object(reference);
    const name = /\/BaseFont \/(\S+)/.exec(dict)?.[1] ?? '';
    if (!fonts.includes(name)) fonts.push(name);
    const map = object(/\/ToUnicode (\d+) 0 R/.exec(dict)?.[1]).stream;
    return { name, characters: readCharacters(map?.toString('latin1') ?? '') };
  };
  const root = [...objects.values()].find(({ dict }) => /\/Type \/Pages\b/.test(dict));
  const kids = [...(/\/Kids \[([^\]]*)\]/.exec(root?.dict ?? '')?.[1] ?? '').matchAll(/(\d+) 0 R/g)];
  const strokes: number[] = [];
  const pages = kids.map(([, kid]) => {
    const { dict } = object(kid);
    const resources = object(/\/Resources (\d+) 0 R/.exec(dict)?.[1]).dict;
    const names = /\/Font <<([\s\S]*?)>>/.exec(resources)?.[1] ?? '';
    const pageFonts = new Map([...names.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, id, ref]) => [id ?? '', fontOf(ref ?? '')]));
    const content = object(/\/Contents (\d+) 0 R/.exec(dict)?.[1]).stream?.toString('latin1') ?? '';
    strokes.push([...content.matchAll(/ [lc]\n/g)].length);
    return readPage(content, pageFonts);
  });
  const information = [...objects.values()].find(({ dict }) => dict.includes('/Creator') && dict.includes('/CreationDate'));
  const info = Object.fromEntries(
    [...(information?.dict ?? '').matchAll(/\/(\w+) (\d+) 0 R/g)].map(([, key, reference]) => [
      key ?? '',
      readString(/^\(([\s\S]*)\)/.exec(object(reference).dict)?.[1] ?? ''),
    ]),
  );
  return { pages, info, fonts, strokes };
}
