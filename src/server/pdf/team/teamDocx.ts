import {
  AlignmentType,
  BorderStyle,
  Document,
  Footer,
  Header,
  HeadingLevel,
  ImageRun,
  Packer,
  PageNumber,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  TextRun,
  VerticalAlign,
  WidthType,
} from 'docx';
import { shanghaiTime } from '#domain/base/calendar.ts';
import type { Paragraph as Sentence } from '#domain/report/report.content.ts';
import type { TeamBlock } from '#domain/teamreport/teamreport.content.ts';
import { GREY } from '#server/pdf/painter.ts';
import { chartPng } from '#server/pdf/team/pictures.ts';
import { aigcOf, subtitleOf, type TeamSheet } from '#server/pdf/team/teamPdf.ts';
import { widthOf } from '#server/pdf/typeset.ts';

/** A group report as Word: the same parts as the PDF, with heading styles, tables, pictures and the watermark text in the header. */

type Child = Paragraph | Table;
/** The width of the text in twentieths of a point and in px: A4 with margins of 20 mm. */
const [WIDTH, PICTURE_WIDTH] = [9638, 642];
const MARGIN = 1134;
const FONT = { ascii: 'Noto Sans SC', hAnsi: 'Noto Sans SC', eastAsia: 'Microsoft YaHei', cs: 'Noto Sans SC' };
/** The least share of a column in the width of its table. */
const LEAST_COLUMN = 0.09;
const grey = GREY.slice(1);

const paragraph = (text: string, options: Omit<ConstructorParameters<typeof Paragraph>[0] & object, 'text'> = {}) =>
  new Paragraph({ spacing: { after: 80 }, ...options, children: [new TextRun(text)] });

/** A sentence with its reason in small print. */
const sentenceOf = ({ text, because = [] }: Sentence, isItem = false): Paragraph =>
  new Paragraph({
    spacing: { after: 80 },
    ...(isItem ? { bullet: { level: 0 } } : {}),
    children: [
      new TextRun(text),
      ...(because.length > 0 ? [new TextRun({ text: `\u3000依据：${because.join('；')}`, size: 17, color: grey })] : []),
    ],
  });

const subtitle = (title: string | undefined): Child[] =>
  title ? [new Paragraph({ text: title, heading: HeadingLevel.HEADING_3, keepNext: true })] : [];

/** The widths of columns after their longest texts. */
function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const [head = []] = rows;
  const longest = head.map((_, at) => Math.max(...rows.map((row) => Math.min(260, widthOf(row[at] ?? '', { size: 9 }) + 12)), 1));
  const total = longest.reduce((sum, width) => sum + width, 0);
  const shares = longest.map((width) => Math.max(LEAST_COLUMN, width / total));
  const sum = shares.reduce((all, share) => all + share, 0);
  return shares.map((share) => Math.round((share / sum) * WIDTH));
}

function tableOf(columns: readonly string[], rows: readonly (readonly (string | number | null)[])[]): Table {
  const texts = rows.map((row) => columns.map((_, at) => String(row[at] ?? '—')));
  const widths = columnWidths([columns, ...texts]);
  const line = { style: BorderStyle.SINGLE, size: 4, color: 'D5DDD9' };
  const none = { style: BorderStyle.NONE, size: 0, color: 'FFFFFF' };
  const cell = (text: string, at: number, isHead: boolean) =>
    new TableCell({
      width: { size: widths[at] ?? 0, type: WidthType.DXA },
      verticalAlign: VerticalAlign.CENTER,
      margins: { top: 40, bottom: 40, left: 80, right: 80 },
      ...(isHead ? { shading: { type: ShadingType.CLEAR, fill: 'EEF3F1', color: 'auto' } } : {}),
      children: [new Paragraph({ children: [new TextRun({ text, size: 18, bold: isHead })] })],
    });
  const row = (cells: readonly string[], isHead: boolean) =>
    new TableRow({ cantSplit: true, tableHeader: isHead, children: cells.map((text, at) => cell(text, at, isHead)) });
  return new Table({
    width: { size: WIDTH, type: WidthType.DXA },
    columnWidths: widths,
    layout: TableLayoutType.FIXED,
    borders: { top: line, bottom: line, insideHorizontal: line, left: none, right: none, insideVertical: none },
    rows: [row(columns, true), ...texts.map((cells) => row(cells, false))],
  });
}

async function pictureOf(chart: Extract<TeamBlock, { type: 'chart' }>['chart']): Promise<Child[]> {
  const { png, width, height } = await chartPng(chart, PICTURE_WIDTH);
  const altText = { name: chart.title, title: chart.title, description: chart.title };
  return [
    ...subtitle(chart.title),
    new Paragraph({
      spacing: { after: 120 },
      children: [new ImageRun({ type: 'png', data: png, transformation: { width, height }, altText })],
    }),
  ];
}

async function toChildren(block: TeamBlock): Promise<Child[]> {
  switch (block.type) {
    case 'kv':
      return [
        ...subtitle(block.title),
        ...block.items.map(
          ({ label, value }) =>
            new Paragraph({
              spacing: { after: 40 },
              children: [new TextRun({ text: `${label}\u3000`, color: grey }), new TextRun(value)],
            }),
        ),
      ];
    case 'table':
      return [...subtitle(block.title), tableOf(block.columns, block.rows), paragraph('', { spacing: { after: 60 } })];
    case 'text':
      return [...subtitle(block.title), sentenceOf(block)];
    case 'list':
      return [...subtitle(block.title), ...block.items.map((item) => sentenceOf(item, true))];
    case 'chart':
      return pictureOf(block.chart);
  }
}

/** The header with institution, number and watermark, and the footer with the page. */
function furnitureOf({ institution, reportcode, reader, printtime, content }: TeamSheet) {
  const small = (text: string) => new TextRun({ text, size: 16, color: grey });
  return {
    headers: {
      default: new Header({
        children: [
          new Paragraph({ children: [small(`${institution}\u3000报告编号 ${reportcode}`)] }),
          new Paragraph({
            alignment: AlignmentType.CENTER,
            children: [new TextRun({ text: `${reader} · ${shanghaiTime(printtime).slice(0, 16)}`, size: 18, color: 'BFC8C4' })],
          }),
        ],
      }),
    },
    footers: {
      default: new Footer({
        children: [
          new Paragraph({
            children: [
              small(`${content.disclaimer} · 数据截至 ${content.generatedat.slice(0, 16)} · 第 `),
              new TextRun({ children: [PageNumber.CURRENT], size: 16, color: grey }),
              small(' / '),
              new TextRun({ children: [PageNumber.TOTAL_PAGES], size: 16, color: grey }),
              small(' 页'),
            ],
          }),
        ],
      }),
    },
  };
}

/** Returns a group report as a Word document. */
export async function writeTeamReport(sheet: TeamSheet): Promise<Uint8Array> {
  const { content, institution, subject, accent } = sheet;
  const children: Child[] = [
    new Paragraph({ text: content.title, heading: HeadingLevel.TITLE }),
    paragraph(subtitleOf(sheet), { spacing: { after: 200 } }),
  ];
  for (const [index, { title, blocks }] of content.sections.entries()) {
    children.push(new Paragraph({ text: `${index + 1}. ${title}`, heading: HeadingLevel.HEADING_1, keepNext: true }));
    for (const block of blocks) children.push(...(await toChildren(block)));
  }
  const heading = (size: number, before: number, color = '1F2A26') => ({
    run: { size, bold: true, color, font: FONT },
    paragraph: { spacing: { before, after: 100 } },
  });
  const document = new Document({
    title: content.title,
    subject,
    creator: institution,
    description: `规则版本 ${content.engine}`,
    ...(sheet.hasAiText ? { customProperties: [{ name: 'AIGC', value: aigcOf(sheet) }] } : {}),
    styles: {
      default: {
        document: { run: { font: FONT, size: 21, color: '1F2A26', language: { eastAsia: 'zh-CN' } } },
        title: heading(40, 0),
        heading1: heading(26, 320, accent.slice(1)),
        heading3: heading(21, 160),
      },
    },
    sections: [
      {
        properties: {
          page: { size: { width: 11906, height: 16838 }, margin: { top: 1417, bottom: MARGIN, left: MARGIN, right: MARGIN } },
        },
        ...furnitureOf(sheet),
        children,
      },
    ],
  });
  return new Uint8Array(await Packer.toBuffer(document));
}
