import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** Workbooks put together part by part, as other programs or an attacker would. */

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DOC = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';

/** A zip of the given parts. */
export async function zipOf(parts: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content as string), path);
  zip.end();
  return buffer(zip.outputStream as Readable);
}

/** The parts of a workbook with one sheet; `data` is what stands inside `sheetData`. */
export function workbookParts(
  data: string,
  more: { after?: string; shared?: string; xfs?: string; workbookPr?: string; sheets?: string; type?: string } = {},
): Record<string, string> {
  return {
    '[Content_Types].xml':
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override ` +
      `PartName="/xl/workbook.xml" ContentType="${more.type ?? TYPE}"/></Types>`,
    '_rels/.rels': `<Relationships><Relationship Id="r" Type="${DOC}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml':
      `<workbook xmlns="${MAIN}" xmlns:r="${DOC}">${more.workbookPr ?? ''}<sheets>` +
      `${more.sheets ?? '<sheet name="名单" sheetId="1" r:id="rId1"/>'}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `<Relationships><Relationship Id="rId1" Type="${DOC}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${DOC}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="` +
      `${DOC}/styles" Target="/xl/styles.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData>${more.after ?? ''}</worksheet>`,
    ...(more.shared === undefined ? {} : { 'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${more.shared}</sst>` }),
    ...(more.xfs === undefined ? {} : { 'xl/styles.xml': `<styleSheet xmlns="${MAIN}">${more.xfs}</styleSheet>` }),
  };
}

/** A workbook with one sheet. */
export async function workbookOf(...given: Parameters<typeof workbookParts>): Promise<Buffer> {
  return zipOf(workbookParts(...given));
}

/** Changes a field of the central directory entry of a part: what a lying file claims about it. */
export function claim(zip: Buffer, path: string, offset: number, write: (entry: Buffer) => void): Buffer {
  const lying = Buffer.from(zip);
  for (
    let index = lying.indexOf('PK\x01\x02', 0, 'latin1');
    index >= 0;
    index = lying.indexOf('PK\x01\x02', index + 4, 'latin1')
  ) {
    const length = lying.readUInt16LE(index + 28);
    if (lying.toString('utf8', index + 46, index + 46 + length) === path) write(lying.subarray(index + offset));
  }
  return lying;
}
