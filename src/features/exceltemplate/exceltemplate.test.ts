import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import type { Mapping } from '#domain/exceltemplate/mapping.ts';
import { xlsxMime } from '#contract/file.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { Parts } from '#server/workbook/xlsx.ts';
import { publish } from '#features/release/publish.ts';
import * as contract from '#features/exceltemplate/exceltemplate.contract.ts';
import { referenceReader } from '#testing/files/referenceReader.ts';
import { workbookParts, zipOf } from '#testing/files/workbook.ts';
import { sharedServer } from '#testing/server.ts';
import { insertFixtureA } from '#testing/statistics/fixtureA.ts';

/** Fixture A of design/statistics.md 4.3, published: 晨光中学 with 13 pupils on its roster, 东山中学 in the same district without. */
const server = sharedServer();
beforeAll(async () => {
  await insertFixtureA(server());
  await publish(server().services, fromShanghai('2025-10-08 02:00'));
  await publish(server().services, fromShanghai('2026-02-08 02:00'));
});

const autumn = { year: '2025-2026', term: '1' };
const zhou = () => server().as('zhou');
const form = async () => ({
  filename: '月报表.xlsx',
  mime: xlsxMime,
  content: await readFile(new URL('../../testing/files/bureauForm.xlsx', import.meta.url)),
});
const upload = async () => (await zhou()(contract.uploadExcelTemplate, {}, await form())).templateid;
const own: Mapping = { indicator: 'total', place: 'region', placecolumn: '', people: 'all', peoplecolumn: '' };
const choose = (templateid: number, ref: string, mapping: Partial<Mapping>, sheetname = '汇总') =>
  zhou()(contract.insertExcelCell, { ...own, ...mapping, templateid, sheetname, ref });
const bySchool = { place: 'rows:school', placecolumn: 'A' };
const byGrade = { people: 'rows:grade', peoplecolumn: 'A' };

/** A form with all kinds of choices. */
async function chosenForm(): Promise<number> {
  const templateid = await upload();
  await choose(templateid, 'B2', { indicator: 'insname' });
  await choose(templateid, 'F2', { indicator: 'period' });
  for (const [ref, indicator] of Object.entries({
    B5: 'total',
    C5: 'tested',
    D5: 'rate',
    E5: 'valid',
    F5: 'abnormal',
    G5: 'abnormalrate',
  }))
    await choose(templateid, ref, { indicator, ...bySchool });
  await choose(templateid, 'G8', { indicator: 'abnormalrate' });
  await choose(templateid, 'B2', { indicator: 'total', ...byGrade }, '分年级');
  await choose(templateid, 'C2', { indicator: 'valid', people: 'grade:J1' }, '分年级');
  return templateid;
}

const download = async (templateid: number) => {
  const file = await zhou()(contract.exportExcelTemplate, { templateid, ...autumn });
  const body = file.body as Buffer | Readable;
  return { filename: file.filename, bytes: Buffer.isBuffer(body) ? body : await buffer(body) };
};
async function partsOf(bytes: Buffer): Promise<Map<string, string>> {
  const zip = await Parts.open(bytes);
  const read = async (name: string) => [name, (await zip.read(name)).content.toString('latin1')] as const;
  return new Map(await Promise.all(zip.names.map(read)));
}

describe('a bureau fills its own form', () => {
  test('with the published numbers of its schools, row by row, and hides small ones', async () => {
    const { filename, bytes } = await download(await chosenForm());
    expect(filename).toBe('月报表_2025-2026学年秋季学期_2025-10-08.xlsx');
    const { rows, others } = await readWorkbook(bytes, filename);
    expect(rows[1]?.slice(0, 6)).toEqual(['填报单位', '云栖市教育局', '', '', '统计时段', '2025-2026学年秋季学期']);
    // Nine pupils of 初一 and four of 初二 are rounded down by grade; nine valid sheets; the count of 需关注 is small.
    expect(rows[4]?.slice(0, 7)).toEqual(['云栖市晨光中学', '5', '5', '1', '9', '不公布', '—']);
    expect(rows[5]?.slice(0, 4)).toEqual(['云栖市东山中学', '0', '0', '—']);
    // The third row names no school of the bureau and stays empty.
    expect(rows[6]).toEqual(['云栖市 晨光中学(分校)']);
    expect(others?.[0]?.rows.slice(1, 3)).toEqual([
      ['七年级', '5', '不公布'],
      ['八年级', '0'],
    ]);
  });

  test('and every number stands on a further sheet with its definition, persons and 数据截至', async () => {
    const { bytes } = await download(await chosenForm());
    const { others } = await readWorkbook(bytes, 'a.xlsx');
    const trace = others?.find(({ sheetname }) => sheetname === '数据来源')?.rows ?? [];
    expect(trace[3]).toEqual(['数据截至', '结果 2026-02-08 02:00；参测 2026-02-08 02:00']);
    const head = trace.findIndex((row) => row[0] === '工作表');
    const rows = trace.slice(head + 1);
    // Two facts, six columns of two schools, one sum, four grades, one grade.
    expect(rows).toHaveLength(2 + 6 * 2 + 1 + 4 + 1);
    const valid = rows.find(([, ref, title]) => ref === 'E5' && title === '有效');
    expect(valid).toEqual([
      '工作表“汇总”',
      'E5',
      '有效',
      '范围：云栖市晨光中学',
      '9',
      '2026-02-08 02:00',
      '',
      '有有效结果的人数',
    ]);
    const small = rows.find(([, ref]) => ref === 'F5');
    expect(small?.slice(3, 7)).toEqual(['范围：云栖市晨光中学', '“不公布”', '2026-02-08 02:00', '为保护个人，不公布']);
    expect(JSON.stringify(trace)).not.toMatch(/c01|陈静怡/);
  });

  test('the rest of the file is byte for byte the uploaded one, and another program calculates its formulas', async () => {
    const templateid = await chosenForm();
    const { bytes } = await download(templateid);
    const [before, after] = [await partsOf((await form()).content), await partsOf(bytes)];
    const unchanged = [...before].filter(([name, content]) => after.get(name) === content).map(([name]) => name);
    expect(unchanged).toEqual(
      expect.arrayContaining(['xl/styles.xml', 'xl/sharedStrings.xml', 'docProps/app.xml', 'docProps/core.xml', '_rels/.rels']),
    );
    const sheet = (xml: string | undefined) => xml!.slice(xml!.indexOf('</sheetData>'));
    for (const path of ['xl/worksheets/sheet1.xml', 'xl/worksheets/sheet2.xml'])
      expect(sheet(after.get(path))).toBe(sheet(before.get(path)));
    const { name, read } = referenceReader();
    console.log(`${name} reads the filled form`);
    if (name.endsWith('.ts')) {
      expect(after.get('xl/worksheets/sheet1.xml')).not.toMatch(/<\/f><v>/);
      return;
    }
    const rows = (await read(new Map([['form', bytes]]))).get('form')!;
    expect(rows[7]?.slice(0, 6)).toEqual(['合计', '5', '5', '100%', '9', '0']);
  });

  test('a preview says what would stand where, which rows name nobody, and which schools have no row', async () => {
    const templateid = await upload();
    await choose(templateid, 'B6', { indicator: 'total', ...bySchool });
    const preview = await zhou()(contract.previewExcelTemplate, { templateid, ...autumn });
    expect(preview.cells.map(({ ref, text, state, persons }) => [ref, text, state, persons])).toEqual([
      ['B6', '0', 'shown', '云栖市东山中学'],
    ]);
    expect(preview.unmatched).toEqual([{ sheetname: '汇总', ref: 'A7', text: '云栖市 晨光中学(分校)' }]);
    expect(preview.unlisted).toEqual(['云栖市晨光中学']);
    expect(preview.waiting).toEqual([]);
  });

  test('chooses among the periods, schools, districts and grades that are published', async () => {
    const options = await zhou()(contract.getExcelOptions, { templateid: await upload() });
    expect(options.periods).toEqual([
      { year: '2025-2026', term: '2', periodname: '2025-2026学年春季学期', datatime: '' },
      { ...autumn, periodname: '2025-2026学年秋季学期', datatime: '2026-02-08 02:00:00' },
    ]);
    expect(options.districts.map(({ code }) => code)).toEqual(['330106']);
    expect(options.schools.map(({ name }) => name)).toEqual(['云栖市东山中学', '云栖市晨光中学']);
    expect(options.grades.slice(0, 2)).toEqual([
      { code: 'P1', name: '小学一年级' },
      { code: 'P2', name: '小学二年级' },
    ]);
  });

  test('before the release a form shows the effort only, and says for which schools it waits', async () => {
    const templateid = await upload();
    await choose(templateid, 'B5', { indicator: 'total', ...bySchool });
    await choose(templateid, 'E5', { indicator: 'valid', ...bySchool });
    const preview = await zhou()(contract.previewExcelTemplate, { templateid, year: '2025-2026', term: '2' });
    expect(preview.cells.map(({ ref, text, state }) => [ref, text, state])).toEqual([
      ['B5', '0', 'shown'],
      ['B6', '0', 'shown'],
      ['E5', '—', 'waiting'],
      ['E6', '—', 'waiting'],
    ]);
    expect([preview.datatime, preview.waiting]).toEqual(['', ['云栖市东山中学', '云栖市晨光中学']]);
    const elsewhere = zhou()(contract.previewExcelTemplate, { templateid, year: '2019-2020', term: '1' });
    await expect(elsewhere).rejects.toThrow('这个时段没有数据');
  });
});

describe('the cells of a form', () => {
  test('are drawn with merged blocks, and each is chosen once', async () => {
    const templateid = await upload();
    const { cellid } = await choose(templateid, 'B5', {});
    const template = await zhou()(contract.getExcelTemplate, { templateid });
    expect(template.sheets.map(({ sheetname }) => sheetname)).toEqual(['汇总', '分年级']);
    expect(template.sheets[0]?.rows[0]?.cells).toEqual([
      { ref: 'A1', text: '云栖市中小学心理健康监测情况报表', colspan: 8, rowspan: 1, isFormula: false },
    ]);
    expect(template.cells).toEqual([{ cellid, version: 1, sheetname: '汇总', ref: 'B5', ...own }]);
    await expect(choose(templateid, 'B5', {})).rejects.toThrow('单元格 B5 的内容已存在');
    await zhou()(contract.deleteExcelCell, { cellid });
    await choose(templateid, 'B5', { indicator: 'tested' });
  });

  test.each([
    ['a formula', 'B8', {}, /公式/],
    ['a cell under a merged block', 'C1', {}, /合并/],
    ['a cell outside the sheet', 'ZZ5', {}, /范围/],
    ['an unknown number', 'B5', { indicator: 'names' }, /请选择指标/],
    ['effort by gender', 'B5', { people: 'gender:01' }, /不按性别公布/],
    ['levels by grade', 'B5', { indicator: 'levels.3', people: 'grade:J1' }, /不按年级公布/],
    ['a school elsewhere', 'B5', { place: 'school:M_RENAI' }, /本地区/],
    ['rows without a column of names', 'B5', { place: 'rows:school' }, /名称所在的列/],
    ['a class', 'B5', { people: 'class:1' }, /请选择人群/],
  ])('refuse %s', async (_, ref, mapping, message) => {
    await expect(choose(await upload(), ref, mapping)).rejects.toThrow(message);
  });

  test('are edited field by field; an edit that saw an older value is refused', async () => {
    const { cellid } = await choose(await upload(), 'B5', {});
    await zhou()(contract.updateExcelCell, { cellid, version: 1, indicator: 'tested' });
    await expect(zhou()(contract.updateExcelCell, { cellid, version: 1, indicator: 'exempt' })).rejects.toThrow(/修改了/);
    await zhou()(contract.updateExcelCell, { cellid, version: 1, people: 'grade:J1' });
  });
});

describe('forms', () => {
  test('are listed, renamed and deleted with their file', async () => {
    const templateid = await upload();
    const find = async () => (await zhou()(contract.getExcelTemplateList, {})).find((row) => row.templateid === templateid);
    expect(await find()).toMatchObject({ title: '月报表', filename: '月报表.xlsx', appid: '000000002', cells: 0 });
    await zhou()(contract.updateExcelTemplate, { templateid, version: 1, title: '2025年月报' });
    expect((await find())?.title).toBe('2025年月报');
    await zhou()(contract.deleteExcelTemplate, { templateid });
    expect(await find()).toBeUndefined();
    const files = await server().sqlAsOwner('select from fileobj where refcode = $1 and isdeleted = 0', [
      `exceltemplate:${templateid}`,
    ]);
    expect(files).toEqual([]);
    await expect(zhou()(contract.getExcelTemplate, { templateid })).rejects.toThrow('表格不存在或已删除');
  });

  test('with macros, links or document type declarations are refused with the reason', async () => {
    const send = async (parts: Record<string, string>) =>
      zhou()(contract.uploadExcelTemplate, {}, { filename: 'a.xlsx', mime: xlsxMime, content: await zipOf(parts) });
    const parts = workbookParts('<row><c t="str"><v>表</v></c></row>');
    await expect(send({ ...parts, 'xl/vbaProject.bin': 'x' })).rejects.toThrow(/宏/);
    await expect(send({ ...parts, 'xl/externalLinks/externalLink1.xml': '<a/>' })).rejects.toThrow(/断开链接/);
    await expect(send({ ...parts, 'docProps/app.xml': '<!DOCTYPE a><a/>' })).rejects.toThrow(/DTD/);
  });

  test('学生心理健康排查统计表 comes with a row for each school and all cells chosen', async () => {
    const { templateid } = await zhou()(contract.copyExcelTemplate, {});
    const { filename, bytes } = await download(templateid);
    expect(filename).toBe('学生心理健康排查统计表_2025-2026学年秋季学期_2025-10-08.xlsx');
    const { rows, others } = await readWorkbook(bytes, filename);
    expect(rows[0]?.[0]).toBe('学生心理健康排查统计表');
    expect(rows[1]?.filter(Boolean)).toEqual([
      '填报单位：',
      '云栖市教育局',
      '统计时段：',
      '2025-2026学年秋季学期',
      '数据截至：',
      '2026-02-08',
    ]);
    expect(rows[4]?.slice(0, 6)).toEqual(['1', '云栖市东山中学', '0', '0', '0', '—']);
    expect(rows[5]?.slice(0, 8)).toEqual(['2', '云栖市晨光中学', '5', '0', '5', '1', '9', '不公布']);
    expect(others?.map(({ sheetname }) => sheetname)).toEqual(['分年级', '分性别', '数据来源']);
    const preview = await zhou()(contract.previewExcelTemplate, { templateid, ...autumn });
    expect([preview.unmatched, preview.unlisted]).toEqual([[], []]);
  });
});
