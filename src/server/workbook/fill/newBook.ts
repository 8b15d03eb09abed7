import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { contentTypes, customProperties, escapeXml, letters, packageRels, workbook, workbookRels } from '../parts.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The looks of a cell of a form: indexes into the formats of `formStyles`. */
export const LOOK = {
  plain: 0,
  title: 1,
  label: 2,
  head: 3,
  text: 4,
  count: 5,
  percent: 6,
  total: 7,
  totalPercent: 8,
  note: 9,
} as const;

/** A cell of a form: a text, a formula (without "="), or an empty one that only has its look. */
export interface FormCell {
  look: number;
  text?: string;
  formula?: string;
}
/** A worksheet of a form: cells from A1, merged blocks such as `A1:C1`, and the rows that each printed page repeats. */
export interface FormSheet {
  name: string;
  widths: readonly number[];
  rows: readonly { height?: number; cells: readonly FormCell[] }[];
  merges: readonly string[];
  headrows: readonly [number, number];
}

/** Returns a workbook with forms to fill in: A4 in landscape, one page wide. */
export async function newFormBook(sheets: readonly FormSheet[], properties: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile();
  const mtime = new Date('2020-01-01T00:00:00Z');
  const add = (path: string, xml: string) => zip.addBuffer(Buffer.from(xml, 'utf8'), path, { mtime });
  add('[Content_Types].xml', contentTypes(sheets.length));
  add('_rels/.rels', packageRels());
  add('docProps/custom.xml', customProperties(properties));
  add(
    'xl/workbook.xml',
    withPrintTitles(
      workbook(
        sheets.map(({ name }) => name),
        [],
      ),
      sheets,
    ),
  );
  add('xl/_rels/workbook.xml.rels', workbookRels(sheets.length));
  add('xl/styles.xml', formStyles());
  for (const [index, sheet] of sheets.entries()) add(`xl/worksheets/sheet${index + 1}.xml`, sheetXml(sheet));
  zip.end();
  return buffer(zip.outputStream as Readable);
}

const withPrintTitles = (xml: string, sheets: readonly FormSheet[]): string => {
  const names = sheets.map(
    ({ name, headrows: [first, last] }, index) =>
      `<definedName name="_xlnm.Print_Titles" localSheetId="${index}">'${escapeXml(name)}'!$${first}:$${last}</definedName>`,
  );
  return xml.replace('</workbook>', `<definedNames>${names.join('')}</definedNames></workbook>`);
};

function sheetXml({ widths, rows, merges, headrows }: FormSheet): string {
  const cols = widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`).join('');
  const body = rows.map(({ height, cells }, index) => {
    const r = index + 1;
    const size = height ? ` ht="${height}" customHeight="1"` : '';
    return `<row r="${r}"${size}>${cells.map((cell, column) => cellXml(`${letters(column)}${r}`, cell)).join('')}</row>`;
  });
  const merged = merges.map((ref) => `<mergeCell ref="${ref}"/>`).join('');
  const top = headrows[1];
  return (
    `${XML}<worksheet xmlns="${MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>` +
    `<sheetViews><sheetView workbookViewId="0"><pane ySplit="${top}" topLeftCell="A${top + 1}" activePane="bottomLeft" state="frozen"/>` +
    `</sheetView></sheetViews><sheetFormatPr defaultRowHeight="18"/><cols>${cols}</cols><sheetData>${body.join('')}</sheetData>` +
    `<mergeCells count="${merges.length}">${merged}</mergeCells>` +
    '<printOptions horizontalCentered="1"/><pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/>' +
    '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>' +
    '<headerFooter><oddFooter>&amp;C第 &amp;P 页，共 &amp;N 页</oddFooter></headerFooter></worksheet>'
  );
}

function cellXml(ref: string, { look, text, formula }: FormCell): string {
  if (formula !== undefined) return `<c r="${ref}" s="${look}"><f>${escapeXml(formula)}</f></c>`;
  if (text === undefined || text === '') return `<c r="${ref}" s="${look}"/>`;
  return `<c r="${ref}" s="${look}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`;
}

/** Fonts, fills, borders and the formats of `LOOK`. 164 is a percentage with one decimal. */
function formStyles(): string {
  const font = (size: number, extra = ''): string =>
    `<font>${extra}<sz val="${size}"/><name val="等线"/><family val="2"/></font>`;
  const fill = (rgb: string): string =>
    `<fill><patternFill patternType="solid"><fgColor rgb="FF${rgb}"/><bgColor indexed="64"/></patternFill></fill>`;
  const side = (name: string): string => `<${name} style="thin"><color rgb="FF8A94A6"/></${name}>`;
  const xf = (format: number, fontId: number, fillId: number, borderId: number, alignment: string): string =>
    `<xf numFmtId="${format}" fontId="${fontId}" fillId="${fillId}" borderId="${borderId}" xfId="0" applyNumberFormat="1" applyFont="1"` +
    ` applyFill="1" applyBorder="1" applyAlignment="1"><alignment vertical="center" wrapText="1"${alignment}/></xf>`;
  const center = ' horizontal="center"';
  const right = ' horizontal="right"';
  const cells = [
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
    xf(0, 2, 0, 0, center),
    xf(0, 0, 0, 0, ''),
    xf(0, 1, 2, 1, center),
    xf(0, 0, 0, 1, ''),
    xf(3, 0, 0, 1, right),
    xf(164, 0, 0, 1, right),
    xf(3, 1, 3, 1, right),
    xf(164, 1, 3, 1, right),
    xf(0, 3, 0, 0, ' horizontal="left"'),
  ];
  return (
    `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="0.0%"/></numFmts>` +
    `<fonts count="4">${font(11)}${font(11, '<b/>')}${font(18, '<b/>')}${font(10, '<color rgb="FF4A5568"/>')}</fonts>` +
    '<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
    `${fill('E3ECF5')}${fill('F3F6FA')}</fills>` +
    '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>' +
    `<border>${['left', 'right', 'top', 'bottom'].map(side).join('')}<diagonal/></border></borders>` +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  );
}
