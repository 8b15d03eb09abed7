import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sentencesOf, type ReportContent } from '#domain/report/report.content.ts';
import { buildReport, shortFormOf } from '#domain/report/report.ts';
import { examOf, fillForm, phq9, reportFactsOf } from '#domain/report/report.fixture.ts';
import type { ReportFacts } from '#domain/report/report.facts.ts';
import { printReports } from '#server/pdf/render.ts';
import { layOut, renderReports, type ReportSheet } from '#server/pdf/reportPdf.ts';
import { readPdf, type PdfText } from '#testing/pdf/readPdf.ts';
import { anyFacts } from '#testing/report/anyReport.ts';

const printtime = new Date('2025-10-09T08:30:00+08:00');
const sheetOf = (content: ReportContent, more: Partial<ReportSheet> = {}): ReportSheet => ({
  content,
  version: 2,
  accent: '#43a777',
  verify: { url: 'https://xinli.example.cn/c/v/R0000000017-2-7K3M9QXW4T', code: 'R0000000017-2-7K3M9QXW4T' },
  reportcode: 'R0000000017',
  institution: '育才中学',
  reader: '陈老师',
  printtime,
  ...more,
});
const render = async (content: ReportContent, more: Partial<ReportSheet> = {}) =>
  readPdf((await renderReports({ sheets: [sheetOf(content, more)] })).bytes);
const textOf = (texts: readonly PdfText[]) => texts.map(({ text }) => text).join('');
const plain = (text: string) => text.replace(/\s/g, '');
/** The texts between head and foot. */
const bodyOf = (page: readonly PdfText[]) => page.filter(({ y }) => y > 56 && y < 790);

const before = [
  { examcode: 'e1', submittime: '2025-03-01 09:00:00', valid: true, scores: { total: 6 }, levels: { total: 1 as const } },
];
const linFacts = reportFactsOf([{ ...phq9(14, 1), previous: before }, fillForm('GAD7', ['1', '2', '1', '2', '1', '0', '3'])]);
const populations: Record<string, ReportFacts> = {
  students: linFacts,
  maternity: { ...linFacts, exam: examOf('000000001', { gestationaldays: 150 }), person: { ...linFacts.person, age: 29 } },
  workers: { ...linFacts, exam: examOf('000000003'), person: { ...linFacts.person, age: 35 } },
  elders: { ...linFacts, exam: examOf('000000004'), person: { ...linFacts.person, age: 75 } },
  others: {
    ...linFacts,
    exam: examOf('000000005'),
    forms: [
      ...linFacts.forms,
      fillForm(
        'SCL90',
        Array.from({ length: 90 }, () => '2'),
      ),
    ],
  },
};

test('a report of every population gives back all its sentences, in the order of the screen', async () => {
  for (const facts of Object.values(populations)) {
    const report = buildReport(facts);
    for (const content of [report.staff, report.self]) {
      const { pages } = await render(content);
      const text = plain(pages.flatMap((page) => bodyOf(page).map((part) => part.text)).join(''));
      let from = 0;
      for (const sentence of sentencesOf(content)) {
        const at = text.indexOf(plain(sentence.text), from);
        expect(at, sentence.text).toBeGreaterThanOrEqual(0);
        from = at;
      }
    }
  }
});

test('each page has institution, number, disclaimer, times, the printing account and its place among the pages', async () => {
  const { pages, info, fonts } = await render(buildReport(linFacts).staff);
  expect(pages.length).toBeGreaterThan(2);
  pages.forEach((page, index) => {
    const text = textOf(page);
    expect(text).toContain('育才中学');
    expect(text).toContain('报告编号 R0000000017');
    expect(text).toContain('本报告为筛查结果，不作为诊断依据 · 生成于 2025-10-08 10:20 · 陈老师 打印于 2025-10-09 08:30');
    expect(text).toContain(`第 ${index + 1} / ${pages.length} 页`);
  });
  expect(info).toMatchObject({
    Subject: '报告编号 R0000000017，第 2 版',
    Keywords: expect.stringMatching(/^规则版本 rules@/) as string,
  });
  expect(JSON.stringify(info)).not.toContain('林小雨');
  // A subset has six letters before its name.
  expect(fonts.every((name) => /^[A-Z]{6}\+NotoSansSC-(Regular|Bold)$/.test(name))).toBe(true);
});

test('the watermark is a drawing and no text between the sentences', async () => {
  const { pages } = await render(buildReport(linFacts).self);
  expect(textOf(bodyOf(pages[0] ?? []))).not.toContain('陈老师');
  const { bytes } = await renderReports({ sheets: [sheetOf(buildReport(linFacts).self)] });
  expect(Buffer.from(bytes).toString('latin1')).toContain('/PatternType 1');
});

test('a chart is drawn as vectors with its numbers as text', async () => {
  const content = buildReport(linFacts).staff;
  const { pages, strokes } = await render(content);
  const index = pages.findIndex((page) => textOf(page).includes('PHQ-9抑郁总分变化'));
  expect(textOf(pages[index] ?? [])).toContain('25-03-01');
  expect(strokes[index]).toBeGreaterThan(20);
  expect(Buffer.from((await renderReports({ sheets: [sheetOf(content)] })).bytes).toString('latin1')).not.toContain(
    '/Subtype /Image',
  );
});

test('no heading stands alone at the foot of a page, in any report', async () => {
  await fc.assert(
    fc.asyncProperty(anyFacts, fc.constantFrom('staff' as const, 'self' as const), async (facts, audience) => {
      const { pages } = await render(buildReport(facts)[audience]);
      for (const page of pages.slice(0, -1)) {
        const last = bodyOf(page).reduce<PdfText | undefined>((low, text) => (!low || text.y < low.y ? text : low), undefined);
        expect(last && last.font.endsWith('Bold') && last.size >= 11, last?.text).toBe(false);
      }
    }),
    { numRuns: 25 },
  );
});

test('nothing stands outside the margins, and no line begins with a closing sign', async () => {
  await fc.assert(
    fc.asyncProperty(anyFacts, async (facts) => {
      for (const page of (await render(buildReport(facts).staff)).pages)
        for (const { text, x, y } of page) {
          expect(x, text).toBeGreaterThan(50);
          expect(y).toBeGreaterThan(30);
          expect(text.length > 1 && /^[，。、；：？！）】》”’]/.test(text), text).toBe(false);
        }
    }),
    { numRuns: 15 },
  );
});

test('the short form of 孕产妇1.0 has exactly two pages, whatever it contains', () => {
  fc.assert(
    fc.property(anyFacts, fc.constantFrom('staff' as const, 'self' as const), (facts, audience) => {
      const content = shortFormOf(buildReport(facts)[audience]);
      expect(layOut(sheetOf(content))).toHaveLength(2);
    }),
    { numRuns: 40 },
  );
});

test('the short form has two pages with eight questionnaires and a long name too, and with an invalid exam', () => {
  const forms = [
    phq9(27, 3),
    fillForm(
      'GAD7',
      Array.from({ length: 7 }, () => '3'),
    ),
    fillForm('EPDS', ['2', '2', '2', '1', '2', '1', '1', '2', '3', '4']),
    fillForm(
      'PHQ15',
      Array.from({ length: 15 }, () => '2'),
    ),
    fillForm(
      'GDS15',
      Array.from({ length: 15 }, () => '1'),
    ),
    fillForm(
      'SCL90',
      Array.from({ length: 90 }, () => '3'),
    ),
  ];
  const person = { name: '林'.repeat(50), gender: '02' as const, age: 29 };
  for (const valid of [true, false])
    for (const audience of ['staff', 'self'] as const) {
      const facts = reportFactsOf(forms, { person, exam: examOf('000000001', { valid }) });
      expect(layOut(sheetOf(shortFormOf(buildReport(facts)[audience])))).toHaveLength(2);
    }
});

test('a long table breaks between its rows and repeats its head on each page', async () => {
  const { pages } = await render(buildReport(populations['others'] as ReportFacts).staff);
  const heads = pages.map((page) => bodyOf(page).filter(({ text }) => text === '题号').length);
  expect(heads.filter((count) => count > 0).length).toBeGreaterThan(1);
});

/** The rows of the answers on each page: the numbers at the left margin in small print below a head. */
const rowsOf = (page: readonly PdfText[], after = 0) =>
  bodyOf(page).filter(({ text, x, size }) => x < 65 && size < 9 && /^\d+$/.test(text) && Number(text) > after).length;

test('at least three rows of a table stand at a foot and at a head', async () => {
  const base = buildReport(linFacts).staff;
  for (let lines = 0; lines < 60; lines++) {
    const filler = Array.from({ length: lines }, () => ({ type: 'text' as const, text: '一行。', commentids: [] }));
    const rows = Array.from({ length: 10 }, (_, index) => [index + 1, '题目', '回答', 1]);
    const table = { type: 'table' as const, title: '答卷', columns: ['题号', '题目', '回答', '得分'], rows };
    const content: ReportContent = { ...base, sections: [{ key: 'appendix', title: '附录', blocks: [...filler, table] }] };
    for (const boxes of (await render(content)).pages) {
      const count = rowsOf(boxes);
      expect(count === 0 || count >= 3, `${lines} lines: ${count} rows`).toBe(true);
    }
  }
});

test('a long plan name keeps the other basic facts in two columns', async () => {
  const exam = examOf('000000002', { planname: '云栖市晨光中学2026-2027学年秋季学期心理健康复查测评方案' });
  const { pages } = await render(buildReport({ ...linFacts, exam }).self);
  const texts = (pages[0] ?? []).filter(({ text }) => ['性别', '作答有效性', '测评方案'].includes(text));
  expect(texts.find(({ text }) => text === '性别')?.x).toBeGreaterThan(200);
  expect(texts.find(({ text }) => text === '测评方案')?.x).toBeLessThan(100);
});

test('the answers to protected questions stand side by side, without an empty column of questions', async () => {
  const { pages } = await render(buildReport(populations['others'] as ReportFacts).staff);
  const first = pages.find((page) => bodyOf(page).filter(({ text }) => text === '题号').length >= 3);
  const heads = bodyOf(first ?? []).filter(({ text }) => text === '题号');
  expect(new Set(heads.map(({ x }) => Math.round(x))).size).toBe(3);
});

test('fixed texts print without their rules, sentences about the person with them', async () => {
  const { pages } = await render(buildReport(linFacts).staff);
  const text = plain(pages.map(textOf).join(''));
  expect(text).not.toMatch(/规则(NT|SP|CL)_/);
  expect(text).toMatch(/规则OVALERTST2：/);
});

test('three lines never take a page of their own where smaller gaps make room', () => {
  const base = buildReport(linFacts).self;
  const pagesOf = (lines: number) => {
    const text = { type: 'text' as const, text: '一行。', commentids: [] };
    const sections = Array.from({ length: lines }, () => ({ key: 'notice' as const, title: '说明', blocks: [text] }));
    return layOut(sheetOf({ ...base, sections }));
  };
  const onePage = Array.from({ length: 30 }, (_, lines) => lines + 1).filter((lines) => pagesOf(lines).length === 1).length;
  // Headings and lines with their full gaps need 55 points each, and the page has 728.
  expect(onePage).toBeGreaterThanOrEqual(14);
});

test('an answer of two thousand characters breaks over pages and loses nothing', async () => {
  const content = buildReport(linFacts).staff;
  const long = Array.from({ length: 400 }, (_, index) => `第${index}句`).join('，');
  const withLong: ReportContent = {
    ...content,
    sections: content.sections.map((section) =>
      section.key === 'appendix'
        ? { ...section, blocks: [{ type: 'table', columns: ['题号', '回答'], rows: [[1, long]] }] }
        : section,
    ),
  };
  const { pages } = await render(withLong);
  const text = pages.flatMap((page) => bodyOf(page).map((part) => part.text)).join('');
  for (const index of [0, 199, 399]) expect(text).toContain(`第${index}句`);
});

test('names with rare, foreign, emoji and turning signs stay on the page and in the text', async () => {
  for (const name of [
    '𠮷野家𪚥',
    '张😀伟',
    'أحمد',
    '\u202E雨小林',
    '欧阳'.repeat(25),
    '"<b>&',
    '买买提·吐尔逊',
    'é\u0301́́',
    '⼀⼁',
  ]) {
    const facts = reportFactsOf([phq9(4)], { person: { name, gender: '01', age: 30 } });
    const { pages } = await render(buildReport(facts).self);
    const text = plain(textOf(pages[0] ?? []));
    const expected = plain(name.normalize('NFC').replace(/\p{Cf}/gu, ''));
    expect(text, name).toContain(expected.slice(0, 6));
    expect(pages.every((page) => page.every(({ text: part }) => !part.includes('\uFFFD')))).toBe(true);
  }
});

test('older persons read larger print', async () => {
  const sizes = async (facts: ReportFacts | undefined) =>
    (await render(buildReport(facts as ReportFacts).self)).pages.flat().map(({ size }) => size);
  expect(await sizes(populations['students'])).toContain(10.5);
  expect(await sizes(populations['elders'])).toContain(14);
});

test('a print file begins with its title, and each report begins on a new sheet of paper', async () => {
  const self = buildReport(linFacts).self;
  const sheets = [sheetOf(self), sheetOf(buildReport({ ...linFacts, person: { ...linFacts.person, name: '周小宇' } }).self)];
  const { bytes, pages: count } = await printReports({ sheets, title: '初二3班' });
  const { pages, info } = readPdf(bytes);
  expect(pages).toHaveLength(count);
  expect(textOf(pages[0] ?? [])).toContain('初二3班');
  expect(info['Subject']).toBe('共 2 份报告');
  const firsts = pages.flatMap((page, index) => (textOf(page).includes('扫码核验真伪') ? [index] : []));
  expect(firsts).toHaveLength(2);
  expect(firsts.every((index) => index % 2 === 0)).toBe(true);
});

test('a report that cannot be drawn rejects, and the next one is printed', async () => {
  const self = buildReport(linFacts).self;
  const broken = { ...self, sections: [{ ...self.sections[0], blocks: [{ type: 'kv' }] }] } as unknown as ReportContent;
  await expect(printReports({ sheets: [sheetOf(broken)] })).rejects.toThrow();
  expect((await printReports({ sheets: [sheetOf(self)] })).pages).toBeGreaterThan(0);
});
