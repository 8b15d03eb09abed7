import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Scale } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { xlsxMime, type Upload } from '#contract/file.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { insertForm, updateForm } from '#features/scaleeditor/scaleeditor.contract.ts';
import { exportForm, importFormText } from '#features/scaleexchange/scaleexchange.contract.ts';
import { readPdf } from '#testing/pdf/readPdf.ts';
import { sharedServer } from '#testing/server.ts';

const server = sharedServer();
const chen = () => server().as('chen');
const exportAs = async (kind: 'json' | 'xlsx' | 'pdf', formcode?: string, version?: string) => {
  const { body, ...rest } = await chen()(exportForm, {
    kind,
    ...(formcode ? { formcode } : {}),
    ...(version ? { version } : {}),
  });
  return { ...rest, bytes: Buffer.from(body as Uint8Array) };
};
const uploadOf = (content: Uint8Array | string, filename: string): Upload => ({
  filename,
  mime: filename.endsWith('.xlsx') ? xlsxMime : 'text/plain',
  content: Buffer.from(content),
});
const read = (content: Uint8Array | string, filename: string) => chen()(importFormText, {}, uploadOf(content, filename));
const csv = (...lines: string[]) => read(lines.join('\n'), '题目.csv');

test('a psychologist exports a form as JSON and Excel and reads both back unchanged', async () => {
  const phq9 = scaleOf('PHQ9') as Scale;
  const json = await exportAs('json', 'PHQ9');
  expect(json.filename).toMatch(/\.json$/);
  expect(await read(json.bytes, json.filename)).toMatchObject({ source: 'json', definition: phq9, faults: [], faultfile: '' });
  const book = await exportAs('xlsx', 'PHQ9');
  const back = await read(book.bytes, book.filename);
  expect(back).toMatchObject({ source: 'xlsx', faults: [], faultfile: '' });
  expect(back.definition).toEqual(phq9);
});

test('another program opens the exported workbook, and no cell of it is a formula', async () => {
  const { formcode } = await chen()(insertForm, { formname: '公式测试' });
  const definition: Scale = {
    ...{ schema: 'asds/1', formcode, version: 'draft', formtype: '01', tier: 'S' },
    ...{ title: '=HYPERLINK("http://x")', optionsets: {}, scores: [], bands: {} },
    items: [{ c: 'q1', t: '=1+1', type: 0, input: 0 }],
  };
  await chen()(updateForm, { formcode, rowversion: 1, definition });
  const { bytes } = await exportAs('xlsx', formcode);
  const folder = mkdtempSync(join(tmpdir(), 'book-'));
  writeFileSync(join(folder, 'book.xlsx'), bytes);
  execFileSync('unzip', ['-q', 'book.xlsx'], { cwd: folder });
  const items = readFileSync(join(folder, 'xl/worksheets/sheet2.xml'), 'utf8');
  rmSync(folder, { recursive: true });
  expect(items).toContain('<t>=1+1</t>');
  expect(items).not.toContain('<f>');
  const back = await read(bytes, 'book.xlsx');
  expect(back.definition).toEqual(definition);
});

test('the template with its example becomes a form with 总分 and a score for each factor', async () => {
  const { bytes, filename } = await exportAs('xlsx');
  expect(filename).toBe('量表模板.xlsx');
  const { definition, faults } = await read(bytes, filename);
  expect(faults.filter(({ kind }) => kind === 'error')).toEqual([]);
  expect(definition).toMatchObject({
    title: '近期感受小问卷（示例）',
    appids: ['000000002'],
    reverse: ['q1'],
    optionsets: {
      选项1: [
        ['0', '从不', 0],
        ['1', '偶尔', 1],
        ['2', '经常', 2],
        ['3', '总是', 3],
      ],
    },
    scores: [
      { c: 'total', n: '总分', op: 'sum', of: 'q1..q3' },
      { c: 'f1', n: '精力', op: 'sum', of: 'q1,q2' },
      { c: 'f2', n: '睡眠', op: 'sum', of: 'q3' },
    ],
    alerts: [{ c: 'A1', when: { item: 'q3', gte: 3 }, level: 1 }],
  });
});

test('only 题目 is required; full-width signs, numbers as text and repeated options are understood', async () => {
  const { definition, faults } = await csv(
    '题干,题号,选项,反向,必答',
    '感到紧张,1.0,否＝０；是＝１,√,',
    '　睡不好　,2,,,×',
    '说明,3,,,',
  );
  expect(faults).toEqual([]);
  expect(definition?.items).toEqual([
    { c: 'q1', t: '感到紧张', o: '选项1' },
    { c: 'q2', t: '睡不好', o: '选项1', required: false },
    { c: 'q3', t: '说明', o: '选项1' },
  ]);
  expect(definition).toMatchObject({ title: '题目', reverse: ['q1'], scores: [{ c: 'total', of: 'q1..q3' }] });
});

test('faults come back on the list and in the author’s own sheet, at their rows', async () => {
  const { bytes } = await exportAs('xlsx', 'GAD7');
  const book = await readWorkbook(bytes, 'gad7.xlsx');
  const items = (book.others ?? []).find(({ sheetname }) => sheetname === '题目')?.rows ?? [];
  const broken = items.map((cells, row) => cells.map((cell, column) => (row === 3 && column === 2 ? '单选多选' : cell)));
  const text = broken.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n');
  const { definition, faults, faultfile } = await read(text, '题目.csv');
  expect(definition).toBeNull();
  const named = faults.filter(({ column }) => column === '题型');
  expect(named).toEqual([
    {
      kind: 'error',
      sheet: expect.any(String) as string,
      row: 4,
      column: '题型',
      message: '看不懂“单选多选”，请写 单选、多选 或 填空',
    },
  ]);
  const returned = await readWorkbook(Buffer.from(faultfile, 'base64'), 'returned.xlsx');
  expect(returned.others?.find(({ sheetname }) => sheetname === '错误')?.rows[1]?.length).toBeGreaterThan(2);
});

test('a JSON file with an unknown key is refused with its path', async () => {
  const { bytes } = await exportAs('json', 'PHQ9');
  const value = JSON.parse(bytes.toString()) as { items: object[] };
  value.items[2] = { ...value.items[2], colour: 'red' };
  const { definition, faults } = await read(JSON.stringify(value), 'phq9.json');
  expect(definition).toBeNull();
  expect(faults).toEqual([{ kind: 'error', sheet: '', row: 0, column: 'items.2', message: '有不认识的内容：colour' }]);
});

test('pasted text becomes a definition, and each line says how it was taken', async () => {
  const { definition, lines, source } = await chen()(importFormText, { text: '小问卷\n选项：否=0；是=1\n1. 紧张\n2. 难过' });
  expect(source).toBe('text');
  expect(lines.map(({ use }) => use)).toEqual(['标题', '共用选项', '题目', '题目']);
  expect(definition).toMatchObject({ title: '小问卷', items: [{ c: 'q1' }, { c: 'q2' }], scores: [{ c: 'total' }] });
});

test('files of another kind, larger ones and empty requests are refused', async () => {
  await expect(read(Buffer.alloc(5 * 1024 * 1024 + 1, 65), 'big.json')).rejects.toMatchObject({
    code: 160002,
    message: '量表文件不超过 5 MB',
  });
  await expect(read('abc', 'form.docx')).rejects.toMatchObject({ code: 160002 });
  await expect(read('PK', 'form.xlsx')).rejects.toMatchObject({ code: 160002 });
  await expect(chen()(importFormText, {})).rejects.toMatchObject({ code: 120001 });
});

test('the wording of a licensed form leaves only for an institution that may use it', async () => {
  const book = await exportAs('xlsx', 'WHO5');
  const { definition } = await read(book.bytes, 'who5.xlsx');
  expect(definition?.items.map(({ t }) => t)).toEqual(['', '', '', '', '']);
  await expect(exportAs('pdf', 'WHO5')).rejects.toMatchObject({ code: 150002 });
});

test('a school with a licence proof uploads the wording of a form without texts', async () => {
  const { sqlAsOwner } = server();
  const text = Array.from({ length: 20 }, (_, index) => `${index + 1}. 授权题目${index + 1}`).join('\n');
  const upload = () => chen()(importFormText, { formcode: 'SDS', text: `卷\n选项：a=1；b=2；c=3；d=4\n${text}` });
  await expect(upload()).rejects.toMatchObject({ code: 150002, message: '请先上传授权证明，再上传题目文字' });
  await sqlAsOwner(
    `insert into formlicence (formcode, musercode, orgpath, prooffileid)
     select 'SDS', musercode, orgpath, gen_random_uuid() from muser where musercode = 'M_CHENGUANG'`,
  );
  expect((await upload()).stored).toBe(20);
  const { definition } = await read((await exportAs('json', 'SDS')).bytes, 'sds.json');
  expect(definition?.items[19]?.t).toBe('授权题目20');
  await expect(chen()(importFormText, { formcode: 'SDS', text: '卷\n选项：a=1；b=2\n1. 一\n2. 二' })).rejects.toMatchObject({
    code: 120002,
    message: '《抑郁自评量表（SDS）》有 20 题，文件里有 2 题，请核对',
  });
  await expect(chen()(importFormText, { formcode: 'PHQ9', text: '卷\n1. 一\nA. a\nB. b' })).rejects.toMatchObject({
    code: 140001,
  });
});

test('a draft leaves for its owner only, and authorities export nothing', async () => {
  const { formcode } = await chen()(insertForm, { formname: '不外传的草稿' });
  expect((await exportAs('json', formcode, 'draft')).bytes.toString()).toContain('不外传的草稿');
  await expect(server().as('lin')(exportForm, { formcode, kind: 'json' })).rejects.toMatchObject({ code: 130001 });
  await expect(server().as('zhou')(exportForm, { formcode: 'PHQ9', kind: 'json' })).rejects.toMatchObject({ code: 110004 });
});

test('the blank form on paper has questions, boxes, code and licence, and names no disorder', async () => {
  const { bytes, filename } = await exportAs('pdf', 'PHQ9');
  const { pages } = readPdf(bytes);
  const text = pages
    .flat()
    .map((part) => part.text)
    .join('');
  const phq9 = scaleOf('PHQ9') as Scale;
  for (const { t } of phq9.items) expect(text.replace(/\s/g, '')).toContain(t.replace(/\s/g, ''));
  expect(text).toContain(`PHQ9@${phq9.version}`);
  for (const word of ['编号', '姓名', '日期', '第 1 / ']) expect(text).toContain(word);
  expect(text.replace(/\s/g, '')).toContain((phq9.licencetext ?? '').replace(/\s/g, ''));
  expect(filename).not.toMatch(/抑郁|焦虑/);
  expect(text).not.toMatch(/抑郁|焦虑|Depress/i);
});
