import { expect, test } from 'vitest';
import { xlsxMime, type Upload } from '#contract/file.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import { LIMITS } from '#server/workbook/refused.ts';
import { workbookParts, zipOf } from '#testing/files/workbook.ts';
import { startServer } from '#testing/server.ts';

/** Hostile files cost their limits of bytes, rows and depth at most; src/server/workbook/malformedFiles.test.ts has more of them. */

const SHEET = 'xl/worksheets/sheet1.xml';
const cell = (text: string) => `<c t="str"><v>${text}</v></c>`;
const heads = `<row>${['姓名', '联系电话', '出生日期', '末次月经'].map(cell).join('')}</row>`;
const woman = `<row>${['李晓雨', '13800000001', '1995-03-02', '2025-03-26'].map(cell).join('')}</row>`;
const file = async (content: Buffer | Promise<Buffer>, filename = '名单.xlsx'): Promise<Upload> => ({
  filename,
  mime: xlsxMime,
  content: await content,
});
const parts = workbookParts(heads + woman);

test.each<[string, () => Promise<Upload>, string]>([
  ['a bomb of zeros', () => file(zipOf({ ...parts, 'xl/media/a.bin': Buffer.alloc(LIMITS.inflated + 1) })), '请'],
  [
    'a million tags inside each other',
    () => file(zipOf({ ...parts, [SHEET]: `<worksheet>${'<a>'.repeat(1_000_000)}${'</a>'.repeat(1_000_000)}</worksheet>` })),
    '请',
  ],
  ['a million empty rows without heads', () => file(zipOf(workbookParts('<row/>'.repeat(1_000_000)))), '没有找到可以识别的列'],
  ['a cell in the last row of Excel', () => file(zipOf(workbookParts(`<row r="1048576">${cell('a')}</row>`))), '请'],
  [
    'a password',
    () =>
      file(
        Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512), Buffer.from('EncryptedPackage', 'utf16le')]),
      ),
    '请取消密码',
  ],
  ['the name of the old Excel and text inside', () => file(Buffer.from('姓名,联系电话'), '名单.xls'), '内容却不是 Excel 工作簿'],
  [
    'the old Excel under a new name',
    () => file(Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)])),
    '旧版 .xls',
  ],
])('an import refuses %s and stores nothing', async (_, upload, why) => {
  const { as, sqlAsOwner } = await startServer();
  await expect(as('lin')(roster.checkZNBCUserFromExcel, {}, await upload())).rejects.toThrow(why);
  expect(
    await sqlAsOwner('select (select count(*)::int from job) as jobs, (select count(*)::int from cuser) as persons'),
  ).toEqual([{ jobs: 0, persons: 0 }]);
});

test('a formula gives its stored result, a link is not followed, and a million empty rows below the list are no rows', async () => {
  const { as } = await startServer();
  const phone = '<c t="str"><f>WEBSERVICE("http://127.0.0.1/")</f><v>13800000002</v></c>';
  const formula = `<row>${cell('王芳')}${phone}${cell('1990-01-01')}${cell('2025-03-26')}</row>`;
  const content = zipOf({
    ...workbookParts(heads + woman + formula + '<row/>'.repeat(1_000_000)),
    'xl/externalLinks/externalLink1.xml': '<externalLink><externalBook/></externalLink>',
  });
  const result = await as('lin')(roster.importZNBCUserFromExcel, {}, await file(content));
  expect(result).toMatchObject({ total: 2, created: 2, failed: 0 });
});
