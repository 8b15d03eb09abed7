// The fixed parts of an exported workbook (ECMA-376, transitional), and the escaping of their texts.

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DOC = 'http://schemas.openxmlformats.org/officeDocument/2006';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** The maximum number of characters in a cell. Excel "repairs" a file that has more. */
export const CELL_LIMIT = 32_767;

/** The cell formats: indexes into cellXfs of `styles()`. */
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

// Characters that XML 1.0 does not allow.
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
/** A lone surrogate, which UTF-8 cannot encode. */
export const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
// A quick test for texts that need escaping at all.
const NEEDS_ESCAPING = /[&<>"\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/;

/**
 * Returns a text for element content or an attribute. Like Excel it writes characters that XML does not allow as `_xHHHH_`.
 * It escapes a text that already looks so, so that a reader gets the original text.
 */
export function escapeXml(text: string): string {
  if (!NEEDS_ESCAPING.test(text)) return text;
  return text
    .replace(LONE_SURROGATE, '\ufffd')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(UNWRITABLE, (c) => `_x${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * True when a spreadsheet program could take the text for a formula after editing or in a CSV file:
 * it begins with `= + - @` (also full width), tab, CR or NUL.
 */
export function looksLikeFormula(text: string): boolean {
  return /^[=+\-@\t\r\0＝＋－＠]/.test(text);
}

/** Returns the letters of a column: 0 is A, 26 is AA. */
export function letters(column: number): string {
  let name = '';
  for (let number = column + 1; number > 0; number = Math.floor((number - 1) / 26))
    name = String.fromCharCode(65 + ((number - 1) % 26)) + name;
  return name;
}

/** Returns the part that lists the types of all other parts. */
export function contentTypes(sheets: number): string {
  const kinds = 'application/vnd.openxmlformats-officedocument';
  const worksheets = Array.from(
    { length: sheets },
    (_, i) => `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="${kinds}.spreadsheetml.worksheet+xml"/>`,
  ).join('');
  return (
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${kinds}.spreadsheetml.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${kinds}.spreadsheetml.styles+xml"/>${worksheets}` +
    `<Override PartName="/docProps/custom.xml" ContentType="${kinds}.custom-properties+xml"/></Types>`
  );
}

/** Returns the part that names the workbook part of the package. */
export function packageRels(): string {
  return (
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${DOC}/relationships/officeDocument" Target="xl/workbook.xml"/>` +
    `<Relationship Id="rId2" Type="${DOC}/relationships/custom-properties" Target="docProps/custom.xml"/></Relationships>`
  );
}

/**
 * Returns the workbook part.
 * @param filters the filtered area of each sheet, such as `A1:C9`; some programs look for it under this hidden name only
 */
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

/** Returns the part that names the worksheets and styles of the workbook. */
export function workbookRels(sheets: number): string {
  const worksheets = Array.from(
    { length: sheets },
    (_, i) => `<Relationship Id="rId${i + 1}" Type="${DOC}/relationships/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
  ).join('');
  return (
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">${worksheets}` +
    `<Relationship Id="rId${sheets + 1}" Type="${DOC}/relationships/styles" Target="styles.xml"/></Relationships>`
  );
}

/** Returns `docProps/custom.xml`: the account that exported the file, the time and the export number. */
export function customProperties(properties: Readonly<Record<string, string>>): string {
  const elements = Object.entries(properties)
    .map(
      ([name, value], i) =>
        `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="${i + 2}" name="${escapeXml(name)}">` +
        `<vt:lpwstr>${escapeXml(value)}</vt:lpwstr></property>`,
    )
    .join('');
  return `${XML}<Properties xmlns="${DOC}/custom-properties" xmlns:vt="${DOC}/docPropsVTypes">${elements}</Properties>`;
}

/** Returns fonts, fills and the cell formats of `STYLE`. Number format 49 is text, so that editing a number keeps its zeros. */
export function styles(): string {
  const fontStart = (extra: string): string => `<font>${extra}<sz val="11"/>`;
  const name = '<name val="等线"/><family val="2"/></font>';
  const fill = (rgb: string): string =>
    `<fill><patternFill patternType="solid"><fgColor rgb="FF${rgb}"/><bgColor indexed="64"/></patternFill></fill>`;
  const xf = (format: number, fontId: number, fillId: number, more = '', inside = ''): string =>
    `<xf numFmtId="${format}" fontId="${fontId}" fillId="${fillId}" borderId="0" xfId="0"` +
    ` applyNumberFormat="1" applyFont="1" applyFill="1"${more}${inside ? `>${inside}</xf>` : '/>'}`;
  const quotePrefix = ' quotePrefix="1"';
  const cells = [
    xf(0, 0, 0),
    xf(49, 1, 2, ' applyAlignment="1"', '<alignment vertical="center"/>'),
    xf(49, 0, 0),
    xf(49, 0, 0, quotePrefix),
    xf(0, 0, 0),
    xf(49, 0, 3),
    xf(49, 0, 3, quotePrefix),
    xf(49, 2, 0),
    xf(49, 3, 0),
    xf(0, 0, 3),
  ];
  return (
    `${XML}<styleSheet xmlns="${MAIN}"><fonts count="4">${fontStart('')}${name}${fontStart('<b/>')}${name}` +
    `${fontStart('<i/>')}<color rgb="FF5F6B7A"/>${name}${fontStart('')}<color rgb="FFB42318"/>${name}</fonts>` +
    '<fills count="4"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
    `${fill('E3ECF5')}${fill('FAD4D0')}</fills>` +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${cells.length}">${cells.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
  );
}

/** Returns a worksheet part up to its rows. The first `frozenRows` rows do not scroll. */
export function sheetOpening(
  widths: readonly number[],
  columnStyles: readonly number[],
  frozenRows: number,
  isSelected: boolean,
): string {
  const cols = widths
    .map(
      (width, i) =>
        `<col min="${i + 1}" max="${i + 1}" width="${width}" style="${columnStyles[i] ?? STYLE.text}" customWidth="1"/>`,
    )
    .join('');
  return (
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView${isSelected ? ' tabSelected="1"' : ''} workbookViewId="0">` +
    `<pane ySplit="${frozenRows}" topLeftCell="A${frozenRows + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"/>${cols ? `<cols>${cols}</cols>` : ''}<sheetData>`
  );
}
