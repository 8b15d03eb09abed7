import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReportContent } from '#domain/report/report.content.ts';
import { sentencesOf } from '#domain/report/report.content.ts';
import { withCase } from '#domain/report/report.case.ts';
import type { ReportFacts } from '#domain/report/report.facts.ts';
import { blocksOf, examOf, fillForm, phq9, reportFactsOf, sectionsOf, textOf } from '#domain/report/report.fixture.ts';
import { withViolenceFound } from '#domain/report/report.review.ts';
import { buildReport } from '#domain/report/report.ts';
import { askedTopicsOf } from '#domain/report/report.risks.ts';
import { violenceScreenOf } from '#domain/report/violence.ts';
import { anyFacts } from '#testing/report/anyReport.ts';

const maternity = '000000001';
const elders = '000000004';

/** A reader would take these words for a partner, a spouse, the parents or the family. */
const family =
  /伴侣|配偶|爱人|丈夫|妻子|老公|老婆|家人|家属|家长|父母|父亲|母亲|爸爸|妈妈|子女|亲友|监护人|照护人|家庭(?!暴力|医生)/;
const caution = /单独询问，勿邀家人共同参与/;

/** The advice that a reader sees; titles of forms, questions and archive facts are quotations. */
const adviceOf = (content: ReportContent): string[] =>
  sentencesOf({
    ...content,
    sections: content.sections.map((section) => ({
      ...section,
      blocks: section.blocks.filter((block) => !(block.type === 'list' && block.title === '值得询问的条目')),
    })),
  }).map(({ text }) => text);

describe('violence', () => {
  it('not asked or positive: no sentence of either version names the partner, parents or family (L29)', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const screen = violenceScreenOf(facts);
        fc.pre(screen !== 'denied');
        const { staff, self } = buildReport(facts);
        for (const text of adviceOf(self)) expect(text).not.toMatch(family);
        for (const text of adviceOf(staff)) if (!caution.test(text)) expect(text).not.toMatch(family);
        // The person's own version has no family fact at all.
        expect(JSON.stringify(self)).not.toMatch(family);
        const reason = screen === 'positive' ? '阳性' : '未询问';
        expect(textOf(staff, 'suggestion')).toContain(`${reason}：单独询问，勿邀家人共同参与`);
        expect(JSON.stringify(self)).not.toMatch(/家暴|侵害|暴力/);
      }),
      { numRuns: 400 },
    );
  });

  it('denied: the mother may be encouraged to ask her partner for help', () => {
    const exam = examOf(maternity);
    const facts = (domesticviolence?: string) =>
      reportFactsOf([phq9(7)], {
        exam,
        archive: { domesticviolence, supportlevel: 1 },
        person: { name: '周敏', gender: '02', age: 31 },
      });
    const denied = buildReport(facts('1'));
    expect(textOf(denied.self, 'suggestion')).toContain('请伴侣分担夜间照护');
    expect(textOf(denied.staff, 'riskfactors')).toContain('邀请伴侣或家人共同参与');
    expect(textOf(denied.staff, 'suggestion')).not.toMatch(caution);
    const unasked = buildReport(facts());
    expect(textOf(unasked.self, 'suggestion')).not.toMatch(family);
    expect(textOf(unasked.self, 'suggestion')).toContain('您信任的人');
    expect(textOf(unasked.staff, 'riskfactors')).toContain('单独了解谁可以依靠');
  });

  it('found after the report: both versions lose each sentence about the family, and staff read why', () => {
    const { staff, self } = buildReport(
      reportFactsOf([phq9(12)], {
        exam: examOf(maternity),
        archive: { domesticviolence: '1', supportlevel: 1 },
        person: { name: '周敏', gender: '02', age: 31 },
      }),
    );
    expect(textOf(self)).toMatch(family);
    expect(textOf(withViolenceFound(self))).not.toMatch(family);
    expect(textOf(withViolenceFound(self), 'suggestion')).toContain('您信任的人');
    const known = withViolenceFound(staff);
    expect(adviceOf(known).filter((text) => family.test(text) && !caution.test(text))).toEqual([]);
    expect(textOf(known, 'suggestion')).toMatch(/^家暴与侵害——阳性：单独询问，勿邀家人共同参与。/);
    expect(textOf(known, 'riskfactors')).toContain('家暴与侵害（测评后已知阳性）');
    // A question that names the family is a quotation, and staff need the answer to it.
    const quoted = buildReport(reportFactsOf([fillForm('PHQ9', ['0', '0', '0', '0', '0', '3', '0', '0', '0'])])).staff;
    expect(textOf(withViolenceFound(quoted), 'forms')).toContain('让自己、家人失望');
    const unasked = buildReport(reportFactsOf([phq9(12)])).staff;
    expect(textOf(withViolenceFound(unasked), 'suggestion').match(/单独询问，勿邀/g)).toHaveLength(1);
  });

  it('is not asked after an empty answer or a refusal, and positive when a teacher saw wounds', () => {
    const matreg = (code: string | null) => {
      const form = fillForm('MATREG', []);
      return { ...form, answers: { ...form.answers, domesticviolence: code } };
    };
    const archive = { domesticviolence: '1' };
    expect(violenceScreenOf({ forms: [], archive: {} })).toBe('notasked');
    expect(violenceScreenOf({ forms: [], archive })).toBe('denied');
    expect(violenceScreenOf({ forms: [matreg('0')], archive })).toBe('notasked');
    expect(violenceScreenOf({ forms: [matreg(null)], archive })).toBe('notasked');
    expect(violenceScreenOf({ forms: [matreg('1')], archive: { domesticviolence: '2' } })).toBe('positive');
    const wound = fillForm('TEACHOBS', ['0', '0', '0', '0', '0', '0', '0', '0', '0', '0', '1', '0']);
    const none = fillForm('TEACHOBS', Array<string>(12).fill('0'));
    expect(violenceScreenOf({ forms: [wound] })).toBe('positive');
    expect(violenceScreenOf({ forms: [none] })).toBe('notasked');
  });
});

describe('a report says only what was asked', () => {
  it('“未见” stands only before a topic that was asked', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { staff, self } = buildReport(facts);
        const { unseen, unasked } = askedTopicsOf(facts, { violence: violenceScreenOf(facts) });
        const said = textOf(staff, 'riskfactors');
        for (const label of unasked) expect(said).toMatch(new RegExp(`未询问：[^。]*${label}`));
        for (const [, list] of said.matchAll(/已询问未见：([^；。]*)/g))
          for (const label of list?.split('、') ?? []) expect(unseen).toContain(label);
        const isTopicAsked = {
          抑郁: facts.forms.some(({ scale }) => ['PHQ9'].includes(scale.formcode)),
          焦虑: facts.forms.some(({ scale }) => scale.formcode === 'GAD7'),
          低落: facts.forms.some(({ scale }) => scale.formcode === 'GDS15'),
        };
        for (const content of [staff, self])
          for (const text of adviceOf(content).filter((line) => line.includes('未见') && !line.includes('已询问未见'))) {
            const topics = Object.entries(isTopicAsked).filter(([word]) => text.slice(text.indexOf('未见')).includes(word));
            expect(topics.length, text).toBeGreaterThan(0);
            expect(
              topics.every(([, isAsked]) => isAsked),
              text,
            ).toBe(true);
          }
      }),
      { numRuns: 300 },
    );
  });

  it('a plan without a self-harm item says that nobody asked about self-harm', () => {
    const { staff } = buildReport(reportFactsOf([fillForm('GAD7', Array<string>(7).fill('0'))]));
    expect(textOf(staff, 'riskfactors')).toContain('未询问：伤害自己的念头');
    const withItem9 = buildReport(reportFactsOf([phq9(3)])).staff;
    expect(textOf(withItem9, 'riskfactors')).toContain('已询问未见：伤害自己的念头');
    expect(textOf(buildReport(reportFactsOf([phq9(3, 1)])).staff, 'riskfactors')).not.toContain('伤害自己的念头');
  });

  it('an empty answer is 未作答, neither 未见 nor 未询问', () => {
    const skipped = fillForm('PHQ9', [...Array<string>(8).fill('0'), null]);
    const said = textOf(buildReport(reportFactsOf([skipped])).staff, 'riskfactors');
    expect(said).toContain('已询问未作答：伤害自己的念头');
    expect(said).not.toMatch(/(未见|未询问)：[^；]*伤害自己/);
    const asq = (...codes: (string | null)[]) =>
      textOf(buildReport(reportFactsOf([fillForm('ASQ', codes)])).staff, 'riskfactors');
    expect(asq('0', '0', null, '0')).toContain('已询问未作答：伤害自己的念头');
    expect(asq('0', '0', '0', '0')).toContain('已询问未见：伤害自己的念头');
  });

  it('“近一年亲人离世” is said when the form asked so, and 丧偶 never', () => {
    const reportOf = (archive: ReportFacts['archive']) =>
      buildReport(
        reportFactsOf([phq9(3)], {
          exam: examOf(elders),
          archive: archive ?? {},
          person: { name: '陈桂兰', gender: '02', age: 70 },
        }),
      );
    expect(textOf(reportOf({ livewith: '01' }).staff, 'riskfactors')).toContain('独居：');
    expect(textOf(reportOf({ livewith: '01' }).staff, 'riskfactors')).toMatch(/未询问：[^。]*近一年亲人离世/);
    expect(textOf(reportOf({ bereaved12m: 1 }).staff, 'riskfactors')).toContain('近一年亲人离世：了解哀伤情况');
    expect(textOf(reportOf({ bereaved12m: 0 }).staff, 'riskfactors')).toMatch(/已询问未见：[^；]*近一年亲人离世/);
    expect(JSON.stringify(reportOf({ bereaved12m: 1 }).staff)).not.toContain('丧偶');
  });

  it('each form has its own reference period, and the overall text names a period only when all share it', () => {
    const gds = fillForm('GDS15', Array<string>(15).fill('0'));
    const person = { name: '陈桂兰', gender: '02' as const, age: 70 };
    const { self } = buildReport(reportFactsOf([phq9(1), gds], { exam: examOf(elders), person }));
    expect(textOf(self, 'notice')).toContain('参考期：PHQ-9为过去两周；GDS-15为过去一周。');
    expect(textOf(self, 'overall')).toMatch(/^近期您/);
    expect(textOf(self)).not.toContain('参考期为两周');
    expect(textOf(buildReport(reportFactsOf([phq9(1)])).self, 'overall')).toMatch(/^近两周/);
  });

  it('no sentence contains 显著', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { staff, self } = buildReport(facts);
        expect(JSON.stringify([staff, self])).not.toContain('显著');
      }),
      { numRuns: 200 },
    );
  });

  it('the report names no deadline of its own', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { staff } = buildReport(facts);
        expect(adviceOf(sectionsOf(staff, 'overall', 'suggestion', 'conclusion')).join('\n')).not.toMatch(/\d+(小时|天)内/);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the case in the staff version', () => {
  const { staff, self } = buildReport(reportFactsOf([phq9(16, 1)]));
  const openCase = {
    warningcode: 'W0000000007',
    levelname: '预警',
    statename: '已受理',
    owner: '陈静',
    clocks: [
      { name: '受理', duetime: '2025-10-09 09:58:00', settledtime: '2025-10-08 11:20:00' },
      { name: '评估', duetime: '2025-10-10 09:58:00' },
      { name: '告知监护人', duetime: '2025-10-09 08:00:00' },
      { name: '下一步', duetime: null },
    ],
  };

  it('shows owner, state and the clocks that the case has, after the alert', () => {
    const blocks = blocksOf(withCase(staff, openCase, '2025-10-09 10:00:00'), 'overall');
    expect(blocks[0]?.type).toBe('alert');
    expect(blocks[1]).toEqual({
      type: 'kv',
      title: '危机个案',
      items: [
        { label: '个案', value: 'W0000000007（截至2025-10-09 10:00）' },
        { label: '级别', value: '预警' },
        { label: '状态', value: '已受理' },
        { label: '负责人', value: '陈静' },
        { label: '受理时限', value: '已于2025-10-08 11:20完成' },
        { label: '评估时限', value: '2025-10-10 09:58前' },
        { label: '告知监护人时限', value: '2025-10-09 08:00前，已超时' },
      ],
    });
  });

  it('says that there is none, without any deadline', () => {
    const content = withCase(staff, null, '2025-10-09 10:00:00');
    expect(textOf(content, 'overall')).toContain('截至2025-10-09 10:00，没有进行中的个案。');
    expect(JSON.stringify(content)).not.toContain('时限');
  });

  it('never stands in the person’s own version', () => {
    expect(withCase(self, openCase, '2025-10-09 10:00:00')).toEqual(self);
  });
});
