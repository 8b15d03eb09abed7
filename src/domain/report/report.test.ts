import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { populationOf } from '#domain/person/populations.ts';
import { commentaryLibrary } from '#domain/report/commentary/commentary.library.ts';
import type { ReportContent, SectionKey } from '#domain/report/report.content.ts';
import { closingParagraphFor, sentencesOf, withoutAnswers } from '#domain/report/report.content.ts';
import type { ReportForm } from '#domain/report/report.facts.ts';
import { fillForm, phq9, reportFactsOf } from '#domain/report/report.fixture.ts';
import { reportFrom } from '#domain/report/report.basis.ts';
import { PERSON_OFFER } from '#domain/report/recommended/contents.ts';
import { buildReport } from '#domain/report/report.ts';
import { findForbidden, paragraphLimit } from '#domain/report/forbiddenWording.ts';
import { emptyTemplate } from '#domain/report/template/template.ts';

const section = (content: ReportContent, key: SectionKey) => content.sections.find((candidate) => candidate.key === key);
const textOf = (content: ReportContent, ...keys: (SectionKey | 'ai')[]): string =>
  sentencesOf({ ...content, sections: content.sections.filter((item) => !keys.length || keys.includes(item.key)) })
    .map((sentence) => sentence.text)
    .join('\n');
const scoresShown = (content: ReportContent): string[] =>
  content.sections.flatMap((item) =>
    item.blocks.flatMap((block) => (block.type === 'score' && block.formcode ? [`${block.formcode} ${block.score}`] : [])),
  );
/** The sections between the notice and the support card, as text. */
const middle = (content: ReportContent): string =>
  JSON.stringify(
    content.sections.filter((item) =>
      ['overall', 'forms', 'compare', 'riskfactors', 'suggestion', 'conclusion', 'appendix'].includes(item.key),
    ),
  );

const gad7 = { 8: ['2', '2', '2', '1', '1', '0', '0'], 0: Array<string>(7).fill('0') };

describe('the worked case: a student with PHQ-9 16, item 9 = 1 and GAD-7 8', () => {
  const phq = fillForm('PHQ9', ['2', '2', '2', '2', '2', '2', '2', '1', '1']);
  const { staff, self } = buildReport(reportFactsOf([phq, fillForm('GAD7', gad7[8])]));

  it('invites the student in the calm wording and addresses her with 你', () => {
    expect(textOf(self, 'overall')).toBe(
      '你近期承受了较多困扰，我们希望尽快和你聊一聊。这些感受很多人都经历过，也能够得到帮助。请联系本机构的心理服务人员；任何时候都可以拨打010-82951332。',
    );
    expect(JSON.stringify(self)).not.toContain('您');
  });

  it('hides all numbers of the form with the alert from her and shows the other form', () => {
    expect(scoresShown(self)).toEqual(['GAD7 8']);
    expect(middle(self)).not.toMatch(/\b16\b|16分|中重度|第9题|自杀/);
    expect(textOf(self, 'forms')).toContain('GAD-7得分8分（轻度困扰）。近两周有时紧张、担忧');
    expect(textOf(self, 'forms')).toContain('近两周你的情绪低落、疲倦等感受较为明显');
  });

  it('shows staff the alert with the text of the item', () => {
    const alert = section(staff, 'overall')?.blocks[0];
    expect(alert).toMatchObject({ type: 'alert', level: 2 });
    expect(alert?.type === 'alert' && alert.items).toEqual([
      '第9题（自伤/自杀意念）有阳性回答（好几天），须尽快由专业人员面谈核实',
      'PHQ-9 第9题“有不如死掉或用某种方式伤害自己的念头”：好几天，1分',
    ]);
  });

  it('shows staff the score and, for each sentence, the rule with its values', () => {
    expect(scoresShown(staff)).toEqual(['PHQ9 16', 'GAD7 8']);
    const sentence = sentencesOf(staff).find((paragraph) => paragraph.commentids[0] === 'PHQ3');
    expect(sentence?.text).toBe('PHQ-9 16分（中重度），第9题1分。须按预警流程面谈核实并评估自伤风险，建议转介专科评估。');
    expect(sentence?.because).toEqual(['规则PHQ3：PHQ-9抑郁总分16，等级3（条件：等级≥3）']);
  });

  it('has no alert block, no explanation and no answers in her own version', () => {
    expect(self.sections.flatMap((item) => item.blocks).some((block) => block.type === 'alert')).toBe(false);
    expect(sentencesOf(self).some((sentence) => sentence.because)).toBe(false);
    expect(section(self, 'appendix')).toBeUndefined();
    expect(section(withoutAnswers(staff), 'appendix')).toBeUndefined();
    expect(section(staff, 'appendix')?.blocks).toHaveLength(2);
  });

  it('prints the school on the cover and shows family facts to staff only', () => {
    const facts = reportFactsOf([phq], { archive: { schoolname: '育才中学', leftbehind: 1, singleparent: true } });
    const report = buildReport(facts);
    expect(textOf(report.staff, 'riskfactors')).toContain('留守儿童：落实“一生一策”');
    expect(JSON.stringify(report.self)).not.toMatch(/留守|单亲/);
    expect(JSON.stringify(section(report.self, 'cover'))).toContain('育才中学');
  });
});

describe('the report of an exam', () => {
  it('describes a PHQ-9 of 0 as steady and quotes the score', () => {
    const { self } = buildReport(reportFactsOf([phq9(0)]));
    expect(textOf(self, 'overall')).toBe(
      '近两周你的情绪状态总体平稳，筛查未提示明显的情绪困扰。成长中情绪有起伏很正常，请继续保持规律作息和运动，和信任的人多聊聊开心与不开心的事。',
    );
    expect(textOf(self, 'forms')).toBe(
      'PHQ-9得分0分（平稳）。近两周未见明显的抑郁症状。\n界值来自成人研究。PHQ-9≥15（台北中学生，Tsai 2014），GAD-7≥7（香港15–24岁，2022），以面谈为准。',
    );
    expect(section(self, 'overall')?.blocks[0]).toMatchObject({ type: 'score', scorecode: 'overall', level: 0, label: '平稳' });
  });

  it('describes a low total with a positive item 9 as low and invites the person to talk', () => {
    const { self, staff } = buildReport(reportFactsOf([phq9(1, 1)]));
    expect(textOf(self, 'overall')).toContain('你的总体得分不高，但部分回答让我们希望多了解一些你的近况。');
    expect(textOf(staff, 'overall')).toContain('综合等级由条目预警抬升，请以面谈核实为准。');
    expect(scoresShown(self)).toEqual([]);
  });

  it('has no explanation and no score for an invalid exam, but an invitation after an alert', () => {
    const exam = { ...reportFactsOf([]).exam, valid: false, invalidreason: '规律作答' };
    const { self, staff } = buildReport(reportFactsOf([phq9(16, 1)], { exam }));
    expect(textOf(self, 'overall')).toMatch(
      /^本次作答效度不足（规律作答），不作解释，建议择期重测。\n部分回答让我们希望尽快和你聊一聊近况。/,
    );
    expect(middle(self)).not.toMatch(/16|PHQ/);
    expect(section(staff, 'overall')?.blocks.map((block) => block.type)).toEqual(['alert', 'text', 'text']);
    expect(JSON.stringify(section(staff, 'forms'))).toContain('无效问卷');
    const quiet = buildReport(reportFactsOf([phq9(16)], { exam })).self;
    expect(textOf(quiet, 'overall')).toBe('本次作答效度不足（规律作答），不作解释，建议择期重测。');
    expect(textOf(quiet, 'suggestion')).toBe(PERSON_OFFER);
  });

  it('compares only with the last valid exam and names the published change value', () => {
    const earlier = (examcode: string, submittime: string, total: number, valid = true) => ({
      examcode,
      submittime,
      valid,
      scores: { total },
      levels: { total: 2 as const },
    });
    const previous = [
      earlier('e3', '2025-09-01 09:00:00', 2, false),
      earlier('e2', '2025-06-01 09:00:00', 14),
      earlier('e1', '2024-10-01 09:00:00', 3),
    ];
    const { self, staff } = buildReport(reportFactsOf([{ ...phq9(6), previous }]));
    expect(section(self, 'compare')?.blocks[0]).toEqual({
      type: 'kv',
      items: [{ label: 'PHQ-9', value: '14 → 6（↓8，下降）；达到有临床意义的最小变化' }],
    });
    expect(textOf(self, 'compare')).toBe('与上次（14分）相比下降8分，困扰比上次少，请继续保持有效的做法。');
    expect(textOf(staff, 'compare')).toBe('PHQ-9上次14分，本次6分（-8）：达到有临床意义的最小变化（MCID 5分，Löwe 2004）。');
  });

  it('never mentions the child or violence at home in the own version of a mother who lost her baby', () => {
    const exam = { ...reportFactsOf([]).exam, appid: '000000001', stagename: '产后42天' };
    const archive = { babyoutcome: '04', domesticviolence: '2', deliverydate: '2025-09-01', deliverymode: '01', supportlevel: 1 };
    const { self, staff } = buildReport(
      reportFactsOf([phq9(7)], { exam, archive, person: { name: '周敏', gender: '02', age: 31 } }),
    );
    expect(textOf(staff, 'riskfactors')).toMatch(/家庭暴力筛查阳性[\s\S]*不良妊娠结局/);
    expect(JSON.stringify(self.sections.filter((item) => item.key !== 'basicinfo'))).not.toMatch(
      /宝宝|夜间照护|孕妇学校|暴力|产后\d/,
    );
    expect(textOf(self, 'overall')).toContain('不必独自承受');
  });

  it('prints “未经历相关事件，无需作答” when no item applied', () => {
    expect(textOf(buildReport(reportFactsOf([fillForm('PCPTSD5', ['0'])])).self, 'forms')).toMatch(/^未经历相关事件，无需作答。/);
  });

  it('shows the teacher’s observation to staff only', () => {
    const { self, staff } = buildReport(
      reportFactsOf([phq9(3), fillForm('TEACHOBS', ['2', '0', '2', '2', '1', '0', '0', '0', '0', '0', '0', '1'])]),
    );
    expect(JSON.stringify(self)).not.toContain('教师观察');
    expect(textOf(staff, 'forms')).toContain('教师观察清单 明显条目3个（重点关注）');
  });

  it('contains the required sections with every template', () => {
    const template = {
      ...emptyTemplate(),
      templatecode: 'T1',
      sections: [
        { key: 'cover', on: true },
        { key: 'forms', on: true },
      ] as const,
    };
    const { self } = buildReport(reportFactsOf([phq9(3)], { template }));
    expect(self.sections.map((item) => item.key)).toEqual(['cover', 'forms', 'notice', 'overall', 'support', 'closing']);
  });
});

describe('every report', () => {
  const totals = [0, 7, 12, 17, 24];
  const apps = ['000000001', '000000002', '000000003', '000000004'];
  const archive = {
    ...{
      leftbehind: 1,
      boarding: 1,
      domesticviolence: '2',
      supportlevel: 1,
      babyoutcome: '02',
      weeklyhours: 60,
      nightshifts: 9,
      incident: 1,
    },
    ...{
      livewith: '01',
      falls12m: 2,
      chronic: ['高血压', '糖尿病'],
      cognitivecomplaint: 1,
      psychhistory: 1,
      highrisk: 1,
      planned: 0,
    },
  };
  const all = totals.flatMap((total, level) =>
    [0, 1, 2].flatMap((q9) =>
      apps.flatMap((appid) => {
        const phq = phq9(Math.max(total, q9), q9);
        const exam = { ...reportFactsOf([]).exam, appid };
        const { staff, self } = buildReport(reportFactsOf([phq, fillForm('GAD7', gad7[8])], { exam, archive }));
        return [
          { name: `level ${level}, item 9 = ${q9}, ${appid}, self`, content: self, phq, call: '你' },
          { name: `level ${level}, item 9 = ${q9}, ${appid}, staff`, content: staff, phq, call: populationOf(appid).person },
        ];
      }),
    ),
  );

  it.each(all)('has correct wording, length, placeholders and numbers ($name)', ({ content, phq, call }) => {
    for (const { text } of sentencesOf(content)) {
      expect(findForbidden(text, content.audience)).toEqual([]);
      expect(text.length).toBeLessThanOrEqual(paragraphLimit);
      expect(text).not.toMatch(/[{}]|undefined|null|NaN/);
    }
    expect(content.sections.at(-1)).toMatchObject({
      key: 'closing',
      blocks: [{ text: closingParagraphFor({ isChild: false, call }) }],
    });
    expect(textOf(content, 'notice')).toContain('本报告为筛查结果，不作为诊断依据');
    expect(textOf(content, 'overall')).not.toBe('');
    const withheld = phq.result.alerts.length > 0 || (phq.result.overalllevel ?? 0) >= 3;
    if (content.audience === 'self' && withheld) {
      expect(scoresShown(content)).toEqual(['GAD7 8']);
      expect(
        sentencesOf(content).some((sentence) => sentence.commentids[0]?.startsWith('OV') && /聊一聊/.test(sentence.text)),
      ).toBe(true);
      expect(middle(content)).not.toMatch(/PHQ-9得分|\b(17|24)\b/);
    }
  });

  it('has a comment for every self-report form of the library at every possible level', () => {
    const sheets: ReportForm[] = [
      ...['0', '1', '2', '3'].map((code) => fillForm('GAD7', Array<string>(7).fill(code))),
      ...['0', '1', '2', '3'].flatMap((code) =>
        ['PHQ2', 'GAD2', 'PHQ4', 'CESD', 'DASS21'].map((form) =>
          fillForm(
            form,
            Array<string>(21)
              .fill(code)
              .slice(0, form === 'DASS21' ? 21 : form === 'CESD' ? 20 : form === 'PHQ4' ? 4 : 2),
          ),
        ),
      ),
      ...['1', '2', '3', '4', '5'].flatMap((code) => [
        fillForm('K10', Array<string>(10).fill(code)),
        fillForm('WHO5', Array<string>(5).fill(code)),
      ]),
      ...['0', '1', '2'].map((code) => fillForm('PHQ15', Array<string>(15).fill(code))),
      ...['0', '50', '75', '100'].map((code) => fillForm('CBI', Array<string>(13).fill(code))),
      ...['0', '1', '2', '3', '4'].flatMap((code) => [
        fillForm('PSS10', Array<string>(10).fill(code)),
        fillForm('K6', Array<string>(6).fill(code)),
      ]),
      ...['1', '2', '3', '4'].flatMap((code) => [
        fillForm('EPDS', Array<string>(10).fill(code)),
        fillForm('SDS', Array<string>(20).fill(code)),
      ]),
      ...['0', '1'].flatMap((code) => [
        fillForm('GDS15', Array<string>(15).fill(code)),
        fillForm('PCPTSD5', ['1', ...Array<string>(5).fill(code)]),
      ]),
      fillForm('SCL90', Array<string>(90).fill('3')),
    ];
    for (const sheet of sheets) {
      const { self, staff } = buildReport(reportFactsOf([sheet], { person: { name: '陈桂兰', gender: '02', age: 66 } }));
      for (const content of [self, staff]) {
        const textBlocks = section(content, 'forms')?.blocks.filter((block) => block.type === 'text') ?? [];
        expect(textBlocks.length, sheet.scale.formcode).toBeGreaterThan(0);
        for (const { text } of sentencesOf(content)) {
          expect(findForbidden(text, content.audience), text).toEqual([]);
          expect(text.length, text).toBeLessThanOrEqual(paragraphLimit);
        }
      }
    }
  });

  it('does not depend on the order of the library and never shows a withheld total', () => {
    const code = fc.constantFrom('0', '1', '2', '3');
    fc.assert(
      fc.property(
        fc.array(code, { minLength: 9, maxLength: 9 }),
        fc.constantFrom(...apps),
        fc.boolean(),
        (codes, appid, valid) => {
          const facts = reportFactsOf([fillForm('PHQ9', codes)], { exam: { ...reportFactsOf([]).exam, appid, valid }, archive });
          const report = buildReport(facts);
          expect(buildReport(structuredClone(facts), [...commentaryLibrary].reverse())).toEqual(report);
          const total = facts.forms[0]?.result.scores.total ?? 0;
          if (!valid || total >= 15 || codes[8] !== '0') {
            expect(scoresShown(report.self)).toEqual([]);
            expect(textOf(report.self, 'overall', 'forms', 'compare')).not.toContain(`${total}分`);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('earlier tests', () => {
  const codes = ['1', '1', '1', '1', '1', '1', '0', '0', '1'];
  const { itemscores, scores, levels } = fillForm('PHQ9', codes).result;
  const before = { examcode: 'e1', submittime: '2025-03-01T23:30:00Z', valid: true, scores, levels, itemscores };
  const { reportcode, forms, ...basis } = reportFactsOf([fillForm('PHQ9', [...codes.slice(0, 8), '0'])]);
  const { staff, self } = reportFrom(reportcode, { ...basis, previous: { PHQ9: [before] } }, forms, {
    rows: commentaryLibrary,
    version: '1',
  });
  const pointsOf = (content: ReportContent) =>
    (section(content, 'compare')?.blocks ?? []).flatMap((block) => (block.type === 'line' ? block.points : []));

  it('have a ring in the comparison of staff when they raised an alert, and none for the person', () => {
    expect(pointsOf(staff).map(({ ring }) => ring)).toEqual([true, false]);
    expect(pointsOf(self).some(({ ring }) => ring)).toBe(false);
  });

  it('have Shanghai days also in stored facts with UTC times', () => {
    expect(pointsOf(staff).map(({ time }) => time)).toEqual(['2025-03-02', '2025-10-08']);
  });
});

describe('a questionnaire that the institution made', () => {
  const phq = phq9(3).scale;
  const own: ReportForm = {
    ...phq9(3),
    scale: {
      ...phq,
      formcode: 'F000001',
      tier: 'S',
      title: '开学适应问卷',
      items: phq.items.map((item, index) => (index === 3 ? { ...item, t: '有时想伤害自己' } : item)),
    },
  };

  it('is not called standardised in the last paragraph', () => {
    const { self, staff } = buildReport(reportFactsOf([own]));
    for (const content of [self, staff]) expect(textOf(content, 'closing')).toContain('依据机构自编问卷的自评结果');
    expect(textOf(buildReport(reportFactsOf([own, phq9(3)])).self, 'closing')).toContain('依据标准化量表的自评结果');
  });

  it('counts as having asked about self-harm where one of its questions does', () => {
    expect(textOf(buildReport(reportFactsOf([own])).staff, 'riskfactors')).not.toContain('未询问：伤害自己的念头');
    const silent = { ...own, scale: { ...own.scale, items: phq.items.map((item) => ({ ...item, t: '近来的心情' })) } };
    expect(textOf(buildReport(reportFactsOf([silent])).staff, 'riskfactors')).toContain('未询问：伤害自己的念头');
  });
});
