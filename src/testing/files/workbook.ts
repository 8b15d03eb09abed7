import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** Workbooks assembled part by part, like those of other programs or of an attacker. */

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DOC = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT_TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';

/** Returns a ZIP file of the parts. */
export async function zipOf(parts: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content as string), path);
  zip.end();
  return buffer(zip.outputStream as Readable);
}

/** Returns the parts of a workbook with one worksheet. `data` is the content of `sheetData`. */
export function workbookParts(
  data: string,
  options: { after?: string; shared?: string; xfs?: string; workbookPr?: string; sheets?: string; type?: string } = {},
): Record<string, string> {
  return {
    '[Content_Types].xml':
      `<Types xmlns="${CONTENT_TYPES}">` +
      `<Override PartName="/xl/workbook.xml" ContentType="${options.type ?? TYPE}"/></Types>`,
    '_rels/.rels': `<Relationships><Relationship Id="r" Type="${DOC}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml':
      `<workbook xmlns="${MAIN}" xmlns:r="${DOC}">${options.workbookPr ?? ''}` +
      `<sheets>${options.sheets ?? '<sheet name="名单" sheetId="1" r:id="rId1"/>'}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `<Relationships><Relationship Id="rId1" Type="${DOC}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${DOC}/sharedStrings" Target="sharedStrings.xml"/>` +
      `<Relationship Id="rId3" Type="${DOC}/styles" Target="/xl/styles.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData>${options.after ?? ''}</worksheet>`,
    ...(options.shared === undefined ? {} : { 'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${options.shared}</sst>` }),
    ...(options.xfs === undefined ? {} : { 'xl/styles.xml': `<styleSheet xmlns="${MAIN}">${options.xfs}</styleSheet>` }),
  };
}

/** Returns a workbook with one worksheet. */
export async function workbookOf(...parameters: Parameters<typeof workbookParts>): Promise<Buffer> {
  return zipOf(workbookParts(...parameters));
}

/** Returns a copy of a ZIP file with a forged field in the central directory entry of a part. */
export function forgeEntry(zip: Buffer, path: string, offset: number, write: (entry: Buffer) => void): Buffer {
  const forged = Buffer.from(zip);
  for (
    let index = forged.indexOf('PK\x01\x02', 0, 'latin1');
    index >= 0;
    index = forged.indexOf('PK\x01\x02', index + 4, 'latin1')
  ) {
    const length = forged.readUInt16LE(index + 28);
    if (forged.toString('utf8', index + 46, index + 46 + length) === path) write(forged.subarray(index + offset));
  }
  return forged;
}
