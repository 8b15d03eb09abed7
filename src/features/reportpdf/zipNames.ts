import { groupRows } from '#server/export/inChunks.ts';
import type { PrintRow } from '#features/reportpdf/reportpdf.queries.ts';

/** The names of folders and files in a ZIP of reports. */

const NAME_LENGTH = 40;
/** Signs that Windows refuses in names, marks of direction and controls. */
const REFUSED = /[\\/:*?"<>|\p{Cc}\p{Cf}]/gu;
/** Names that Windows keeps for devices. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/i;
const order = new Intl.Collator('zh', { numeric: true });

/** The text as a part of a path; `other` when nothing is left of it. */
export function toFileName(text: string, other: string): string {
  const clean = [...text.normalize('NFC').replace(REFUSED, ' ').replace(/\s+/g, ' ').trim()].slice(0, NAME_LENGTH).join('');
  const name = clean.replace(/^[. ]+|[. ]+$/g, '');
  return name === '' || RESERVED.test(name) ? other : name;
}

/** The folder of a report: the stage of pregnancy, else the class or unit at the time of the test. */
export const folderOf = ({ appid, belongs, stagename }: PrintRow): string =>
  toFileName(appid === '000000001' ? stagename || belongs : belongs || stagename, '未分组');

/** A file of the ZIP with its reports. */
export interface ZipStep {
  path: string;
  rows: PrintRow[];
  /** the title of a print file */
  title?: string;
}

/** The reports of one print file at most. */
const PRINT_FILE = 50;

/** The files of a ZIP: a folder a class with a file a report, or a print file a class; in the order of classes and numbers. */
export function toSteps(rows: readonly PrintRow[], layout: 'person' | 'class'): ZipStep[] {
  const sorted = rows
    .map((row) => ({ row, folder: folderOf(row) }))
    .sort(
      (a, b) =>
        order.compare(a.folder, b.folder) ||
        order.compare(a.row.personno, b.row.personno) ||
        order.compare(a.row.reportcode, b.row.reportcode),
    );
  if (layout === 'person')
    return sorted.map(({ row, folder }) => {
      const number = toFileName(row.personno || row.cuserid, row.cuserid);
      return { path: `${folder}/${number}_${toFileName(row.username, '未命名')}_${row.reportcode}.pdf`, rows: [row] };
    });
  const groups = groupRows(sorted, ({ folder }) => folder);
  return [...groups].flatMap(([folder, members]) => {
    const count = Math.ceil(members.length / PRINT_FILE);
    return Array.from({ length: count }, (_, index) => ({
      path: `${folder}${count > 1 ? `_${index + 1}` : ''}.pdf`,
      rows: members.slice(index * PRINT_FILE, (index + 1) * PRINT_FILE).map(({ row }) => row),
      title: `${folder}${count > 1 ? `（${index + 1}/${count}）` : ''}`,
    }));
  });
}
