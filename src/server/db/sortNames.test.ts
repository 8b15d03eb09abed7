import { expect, test } from 'vitest';
import { compareGrades, grades } from '#domain/person/grades.ts';
import { sharedServer } from '#testing/server.ts';

/** db/schema/23_sort_names.sql sorts names; the grades are those of src/domain/person/grades.ts. */
const getServer = sharedServer();
const sortKeysOf = async (names: readonly string[]) =>
  (
    await getServer().sqlAsOwner<{ key: string }>(
      'select access.sort_name(x) as key from unnest($1::text[]) with ordinality u (x, n) order by n',
      [names],
    )
  ).map(({ key }) => key);
const sortNames = async (names: readonly string[]) =>
  (
    await getServer().sqlAsOwner<{ x: string }>('select x from unnest($1::text[]) x order by access.sort_name(x) collate "C"', [
      names,
    ])
  ).map(({ x }) => x);

test('classes stand in school order and by the value of their number, however a school writes them', async () => {
  const inOrder = [
    '一年级2班',
    '一年级10班',
    '二年级1班',
    '小学六年级（3）班',
    '初一（2）班',
    '初一（10）班',
    '八年级二班',
    '初二十班',
    '初三1班',
    '高一（九）班',
    '高一十二班',
    '高三1班',
    '2班',
    '十班',
    '二十一班',
    '2024级3班',
    '火箭班',
  ];
  expect(await sortNames([...inOrder].reverse())).toEqual(inOrder);
});

test('institutions stand by the value of their number', async () => {
  const inOrder = [
    '杭州市第二中学',
    '杭州市第9中学',
    '杭州市第十中学',
    '杭州市第十三中学',
    '杭州市第二十中学',
    '杭州市第一百零三中学',
  ];
  expect(await sortNames([...inOrder].reverse())).toEqual(inOrder);
});

test('two spellings of one class have one key; a long number keeps its figures', async () => {
  const [a, b, c] = await sortKeysOf(['初二（10）班', '八年级十班', '初二 十 班']);
  expect([b, c]).toEqual([a, a]);
  expect(await sortKeysOf(['', '百色', '007', '13800138000123456789'])).toEqual(['', '百色', '00000007', '13800138000123456789']);
});

test('every spelling of every grade has the place of its grade', async () => {
  const spellings = grades.flatMap(({ code, name, aliases }) => [name, ...aliases].map((word) => ({ code, word })));
  const keys = await sortKeysOf(spellings.map(({ word }) => word));
  const sorted = spellings.map((spelling, index) => ({ ...spelling, key: keys[index] as string }));
  for (const a of sorted)
    for (const b of sorted)
      expect([a.word, b.word, Math.sign(compare(a.key, b.key))]).toEqual([
        a.word,
        b.word,
        Math.sign(compareGrades(a.code, b.code)),
      ]);
});
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
