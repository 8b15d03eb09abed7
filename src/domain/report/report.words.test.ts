import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sentencesOf } from '#domain/report/report.content.ts';
import { blocksOf, examOf, fillForm, phq9, reportFactsOf, textOf } from '#domain/report/report.fixture.ts';
import { childSentenceLimit } from '#domain/report/reader.ts';
import { buildReport } from '#domain/report/report.ts';
import { anyFacts } from '#testing/report/anyReport.ts';

const maternity = '000000001';
const elders = '000000004';

describe('ages 12–17', () => {
  const note = '界值来自成人研究。PHQ-9≥15（台北中学生，Tsai 2014），GAD-7≥7（香港15–24岁，2022），以面谈为准。';
  const reportAt = (age: number | null, forms = [phq9(3)]) =>
    buildReport(reportFactsOf(forms, { person: { name: '林小雨', gender: '02', age } }));

  it('read that the cut-offs come from adults, with the Chinese validation', () => {
    for (const age of [12, 17]) {
      expect(textOf(reportAt(age).staff, 'forms')).toContain(note);
      expect(textOf(reportAt(age).self, 'forms')).toContain(note);
    }
    expect(textOf(reportAt(10).staff, 'forms')).toContain('界值来自成人研究，以面谈为准。');
    for (const age of [null, 18]) expect(textOf(reportAt(age).staff, 'forms')).not.toContain('界值来自成人研究');
  });

  it('name the validation only beside the forms that it is about, and no number of a withheld form', () => {
    const cesd = fillForm('CESD', Array<string>(20).fill('0'));
    expect(textOf(reportAt(14, [cesd]).staff, 'forms')).toContain('界值来自成人研究，以面谈为准。');
    const withheld = reportAt(14, [phq9(16, 1), fillForm('GAD7', Array<string>(7).fill('0'))]).self;
    expect(textOf(withheld, 'forms')).toContain('参考范围来自成人研究，以面谈为准。');
    expect(JSON.stringify(withheld)).not.toContain('≥15');
    const teacher = fillForm('TEACHOBS', Array<string>(12).fill('0'));
    expect(textOf(reportAt(14, [teacher]).staff, 'forms')).not.toContain('成人研究');
  });
});

describe('the words of the person’s own version', () => {
  const labels = ['平稳', '轻度困扰', '需要关心', '希望尽快聊聊'];

  it('have one soft label for one level, in the gauge, in the scores, in the ranges and in the text', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { self } = buildReport(facts);
        for (const { blocks } of self.sections)
          for (const block of blocks) {
            if (block.type === 'score') {
              expect([...labels, '未计分']).toContain(block.label);
              for (const band of block.bands) expect(labels).toContain(band.label);
              const own = block.bands.find((band) => band.level === block.level || block.label === band.label);
              if (block.level !== null) expect(own?.label).toBe(block.label);
            }
            if (block.type === 'line') for (const band of block.bands) expect(labels).toContain(band.label);
          }
        expect(JSON.stringify(self)).not.toMatch(/中度|重度|中重度|轻度(?!困扰)|中等程度|筛查阳性|情绪问题|异常/);
      }),
      { numRuns: 200 },
    );
  });

  it('say 需要关心 for a PHQ-9 of 12 where staff read 中度', () => {
    const { staff, self } = buildReport(reportFactsOf([phq9(12)]));
    expect(textOf(self, 'forms')).toContain('PHQ-9得分12分（需要关心）');
    expect(JSON.stringify(blocksOf(self, 'forms'))).toContain('10–14 需要关心；15–27 希望尽快聊聊');
    expect(textOf(staff, 'forms')).toContain('PHQ-9 12分（中度）');
  });

  it('address everybody under 18 and every student with 你, and other adults with 您', () => {
    const selfOf = (appid: string, age: number | null) =>
      JSON.stringify(
        buildReport(reportFactsOf([phq9(3)], { exam: examOf(appid), person: { name: '某某', gender: '02', age } })).self,
      );
    for (const [appid, age] of [
      ['000000002', null],
      ['000000002', 20],
      [maternity, 17],
      ['000000005', 16],
      ['000000003', 9],
    ] as const)
      expect(selfOf(appid, age), `${appid} ${age}`).not.toContain('您');
    for (const appid of [maternity, '000000003', elders, '000000005'])
      expect(selfOf(appid, 30).replaceAll('你不是', ''), appid).not.toContain('你');
  });

  it('are simple and short for a pupil of primary school, by grade or by age', () => {
    fc.assert(
      fc.property(anyFacts, fc.constantFrom({ age: 9 }, { age: 11 }, { gradename: '六年级' }), (facts, pupil) => {
        const age = 'age' in pupil ? pupil.age : 12;
        const { self } = buildReport({
          ...facts,
          exam: { ...facts.exam, appid: '000000002' },
          person: { ...facts.person, age },
          archive: { ...facts.archive, gradename: 'gradename' in pupil ? pupil.gradename : undefined },
        });
        for (const { text } of sentencesOf(self))
          for (const sentence of text.split(/[。！？；：\n]/))
            expect(sentence.length, sentence).toBeLessThanOrEqual(childSentenceLimit);
        expect(JSON.stringify(self)).not.toMatch(/您|参考文献|作答效度|抑郁|焦虑|诊断测验/);
        expect(textOf(self, 'overall')).not.toBe('');
      }),
      { numRuns: 200 },
    );
  });
});
