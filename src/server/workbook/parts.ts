/** The fixed parts of the workbooks we write (ECMA-376, transitional), and the escaping their texts need. */

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DOC = 'http://schemas.openxmlformats.org/officeDocument/2006';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** Most characters Excel takes in a cell; a file with more is "repaired" on opening. */
export const CELL_LIMIT = 32_767;

/** Indexes into cellXfs of `styles()`. */
export const STYLE = {
  general: 0,
  head: 1,
  text: 2,
  quoted: 3,
  number: 4,
  red: 5,
  redQuoted: 6,
  note: 7,
  message: 8,
  redNumber: 9,
} as const;

// XML 1.0 cannot hold these
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
/** Half of a character that needs two; it cannot be written as UTF-8. */
export const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
// The same characters, to be written another way
const NEEDS_CARE = /[&<>"\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/;

/**
 * Text for element content or an attribute. Characters XML cannot hold are written `_xHHHH_`, as Excel does, and a text that
 * happens to look so is protected; nothing is lost on the way back.
 */
export function escapeXml(text: string): string {
  if (!NEEDS_CARE.test(text)) return text;
  return text
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(UNWRITABLE, (c) => `_x${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Whether a spreadsheet could take the text for a formula once it is edited or saved as CSV (`= + - @`, tab, CR, NUL, full width). */
export function looksLikeFormula(text: string): boolean {
  return /^[=+\-@\t\r\0＝＋－＠]/.test(text);
}

/** The letters of a column: 0 is A, 26 is AA. */
export function letters(column: number): string {
  let name = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  return name;
}

/** The part that names the type of every other part. */
export function contentTypes(sheets: number): string {
  const kinds = 'application/vnd.openxmlformats-officedocument';
  const own = Array.from(
    { length: sheets },
    (_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${kinds}.spreadsheetml.worksheet+xml"/>`,
  ).join('');
  return (
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ` +
    `ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="` +
    `${kinds}.spreadsheetml.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${kinds}.spreadsheetml.styles+xml"/>${own}` +
    `<Override PartName="/docProps/custom.xml" ContentType="${kinds}.custom-properties+xml"/></Types>`
  );
}

/** Where the workbook lies within the package. */
export function packageRels(): string {
  return (
    `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOC}` +
    `/relationships/officeDocument" Target="xl/workbook.xml"/>` +
    `<Relationship Id="rId2" Type="${DOC}/relationships/custom-properties" Target="docProps/custom.xml"/></Relationships>`
  );
}

/** `filters` are the filtered areas by sheet, such as `A1:C9`: some programs look for them under this hidden name only. */
export function workbook(names: readonly string[], filters: readonly (string | undefined)[]): string {
  const sheets = names.map((name, i) => `<sheet name="${escapeXml(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('');
  const defined = names.map((name, i) => {
    const area = filters[i]?.replace(/([A-Z]+)(\d+)/g, '$$$1$$$2');
    const sheet = `'${escapeXml(name.replaceAll("'", "''"))}'`;
    return area ? `<definedName name="_xlnm._FilterDatabase" localSheetId="${i}" hidden="1">${sheet}!${area}</definedName>` : '';
  });
  return (
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${DOC}/relationships"><bookViews><workbookView activeTab="0"/></bookViews>` +
    `<sheets>${sheets}</sheets>${defined.some(Boolean) ? `<definedNames>${defined.join('')}</definedNames>` : ''}</workbook>`
  );
}

/** Where the sheets and styles of the workbook lie. */
export function workbookRels(sheets: number): string {
  const own = Array.from(
    { length: sheets },
    (_, i) => `<Relationship Id="rId${i + 1}" Type="${DOC}/relationships/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
  ).join('');
  return (
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">${own}<Relationship Id="rId${sheets + 1}" Type="${DOC}` +
    `/relationships/styles" Target="styles.xml"/></Relationships>`
  );
}

/** `docProps/custom.xml`: who took the file out, when, under which number. */
export function customProperties(properties: Readonly<Record<string, string>>): string {
  const own = Object.entries(properties)
    .map(
      ([name, value], i) =>
        `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="${i + 2}" name="${escapeXml(name)}"><vt:lpwstr>` +
        `${escapeXml(value)}</vt:lpwstr></property>`,
    )
    .join('');
  return `${XML}<Properties xmlns="${DOC}/custom-properties" xmlns:vt="${DOC}/docPropsVTypes">${own}</Properties>`;
}

/** Fonts, fills and the cell formats of `STYLE`. Number format 49 is text, so that editing a number keeps its zeros. */
export function styles(): string {
  const font = (extra: string): string => `<font>${extra}<sz val="11"/>`;
  const name = '<name val="等线"/><family val="2"/></font>';
  const fill = (rgb: string): string =>
    `<fill><patternFill patternType="solid"><fgColor rgb="FF${rgb}"/><bgColor indexed="64"/></patternFill></fill>`;
  const xf = (format: number, fontId: number, fillId: number, more = '', inside = ''): string =>
    `<xf numFmtId="${format}" fontId="${fontId}" fillId="${fillId}" borderId="0" xfId="0" applyNumberFormat="1" ` +
    `applyFont="1" applyFill="1"${more}${inside ? `>${inside}</xf>` : '/>'}`;
  const quoted = ' quotePrefix="1"';
  const cells = [
    xf(0, 0, 0),
    xf(49, 1, 2, ' applyAlignment="1"', '<alignment vertical="center"/>'),
    xf(49, 0, 0),
    xf(49, 0, 0, quoted),
    xf(0, 0, 0),
    xf(49, 0, 3),
    xf(49, 0, 3, quoted),
    xf(49, 2, 0),
    xf(49, 3, 0),
    xf(0, 0, 3),
  ];
  return (
    `${XML}<styleSheet xmlns="${MAIN}"><fonts count="4">${font('')}${name}${font('<b/>')}${name}` +
    `${font('<i/>')}<color rgb="FF5F6B7A"/>${name}${font('')}<color rgb="FFB42318"/>${name}</fonts>` +
    `<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/>` +
    `</fill>${fill('E3ECF5')}${fill('FAD4D0')}</fills>` +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" ` +
    `xfId="0" builtinId="0"/></cellStyles></styleSheet>`
  );
}

/** Opening of a worksheet part up to its rows. `frozen` rows stay on screen. */
export function sheetOpening(
  widths: readonly number[],
  columnStyles: readonly number[],
  frozen: number,
  selected: boolean,
): string {
  const cols = widths
    .map(
      (width, i) =>
        `<col min="${i + 1}" max="${i + 1}" width="${width}" style="${columnStyles[i] ?? STYLE.text}" customWidth="1"/>`,
    )
    .join('');
  return (
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView${selected ? ' tabSelected="1"' : ''} workbookViewId="0">` +
    `<pane ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"/>${cols ? `<cols>${cols}</cols>` : ''}<sheetData>`
  );
}
