import { describe, expect, it } from 'vitest';
import { checkedReports, pairsOf } from '#domain/report/checklist/cases.fixture.ts';
import { childSentenceLimit } from '#domain/report/reader.ts';
import { sentencesOf } from '#domain/report/report.content.ts';
import { isWithheld } from '#domain/report/report.facts.ts';
import { sectionsOf, textOf } from '#domain/report/report.fixture.ts';

describe('the clinician’s checklist: the person’s own version', () => {
  it('19 has no alert box', () => {
    for (const { self, name } of checkedReports)
      expect(
        self.sections.some(({ blocks }) => blocks.some(({ type }) => type === 'alert')),
        name,
      ).toBe(false);
  });

  it('20 has no reasons of rules, because they quote scores', () => {
    for (const { self, name } of checkedReports)
      expect(
        sentencesOf(self).some(({ because }) => because),
        name,
      ).toBe(false);
  });

  it('21 has neither answers nor a conclusion for staff', () => {
    for (const { self, name } of checkedReports)
      expect(
        self.sections.some(({ key }) => key === 'appendix' || key === 'conclusion'),
        name,
      ).toBe(false);
  });

  it('22 says nothing of what teachers or carers observed', () => {
    for (const { self, name } of checkedReports) expect(JSON.stringify(self), name).not.toMatch(/观察清单|TEACHOBS|CAREOBS/);
  });

  it('23 has no number of a form with an alert or of level 3', () => {
    for (const { self, facts, name } of checkedReports)
      for (const { scale } of facts.forms.filter(isWithheld)) {
        const blocks = self.sections.flatMap((section) => section.blocks);
        expect(
          blocks.some((block) => 'formcode' in block && block.formcode === scale.formcode),
          name,
        ).toBe(false);
      }
  });

  it('24 invites the person in a calm way after an alert or at level 3', () => {
    for (const { self, summary, name } of checkedReports.filter((report) => report.summary.usesSupportiveText)) {
      expect(textOf(self, 'overall'), name).toMatch(/聊/);
      expect(
        self.sections.find(({ key }) => key === 'overall')?.blocks.some(({ type }) => type === 'score'),
        name,
      ).toBe(false);
      expect(summary.usesSupportiveText).toBe(true);
    }
  });

  it('25 tells nothing of the family, the home or violence', () => {
    for (const { self, name } of checkedReports) {
      const labels = pairsOf(sectionsOf(self, 'cover', 'basicinfo')).map(({ label }) => label);
      for (const label of ['留守', '单亲', '寄宿', '居住方式', '照护者', '近一年亲人离世'])
        expect(labels, name).not.toContain(label);
      expect(JSON.stringify(self), name).not.toMatch(/留守|单亲|家暴|侵害|暴力|丧偶/);
    }
  });

  it('26 spares a mother who lost her child every word of birth and baby', () => {
    for (const { self, name } of checkedReports.filter(
      ({ appid, situation }) => appid === '000000001' && situation === 'special',
    ))
      expect(JSON.stringify(self.sections), name).not.toMatch(/宝宝|夜间照护|孕妇学校|产后\d|预产期|恭喜|祝贺|母婴/);
  });

  it('27 addresses students and everybody below 18 with 你, other adults with 您', () => {
    for (const { self, facts, appid, name } of checkedReports) {
      const { age } = facts.person;
      const isInformal = appid === '000000002' || (age !== null && age < 18);
      const text = textOf(self).replaceAll('你不是', '');
      expect(text.includes('您'), name).toBe(!isInformal);
      expect(text.includes('你'), name).toBe(isInformal);
    }
  });

  it('28 speaks in short and simple sentences to a pupil of primary school', () => {
    for (const { self, name } of checkedReports.filter(({ summary }) => summary.reader.isChild)) {
      for (const { text } of sentencesOf(self))
        for (const sentence of text.split(/[。！？；：\n]/))
          expect(sentence.length, `${name} ${sentence}`).toBeLessThanOrEqual(childSentenceLimit);
      expect(JSON.stringify(self), name).not.toMatch(/抑郁|焦虑|参考文献/);
    }
  });

  it('29 uses 关注 and soft labels, never 异常 or a clinical grade', () => {
    for (const { self, name } of checkedReports)
      expect(JSON.stringify(self), name).not.toMatch(/异常|中度|重度|中重度|轻度(?!困扰)|筛查阳性|自杀/);
  });
});
