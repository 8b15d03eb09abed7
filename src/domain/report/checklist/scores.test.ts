import { describe, expect, it } from 'vitest';
import type { Block, ReportContent } from '#domain/report/report.content.ts';
import { checkedContents, checkedReports, pairsOf } from '#domain/report/checklist/cases.fixture.ts';
import { isWithheld, primaryScores, shortNameOf } from '#domain/report/report.facts.ts';
import { blocksOf, sectionsOf, textOf } from '#domain/report/report.fixture.ts';
import { personalLabelOf } from '#domain/report/reader.ts';
import { MentalState } from '#domain/base/enums.ts';
import { mentalStateOf, recordLevel } from '#domain/scoring/mentalState.ts';

type Score = Extract<Block, { type: 'score' }>;
const scoresOf = (content: ReportContent): Score[] =>
  content.sections.flatMap(({ blocks }) => blocks.filter((block): block is Score => block.type === 'score'));
const formScoresOf = (content: ReportContent) => scoresOf(content).filter(({ formcode }) => formcode !== '');

describe('the clinician’s checklist: scores and levels', () => {
  it('10 shows the scores that the answers have', () => {
    for (const { content, report, name } of checkedContents)
      for (const bar of formScoresOf(content)) {
        const form = report.facts.forms.find(({ scale }) => scale.formcode === bar.formcode);
        expect(bar.score, name).toBe(form?.result.scores[bar.scorecode] ?? null);
        expect(bar.level, name).toBe(form?.result.levels[bar.scorecode] ?? null);
      }
  });

  it('11 says the clinical level to staff and the soft one to the person, once for each score', () => {
    for (const { content, report, name } of checkedContents)
      for (const bar of formScoresOf(content)) {
        const form = report.facts.forms.find(({ scale }) => scale.formcode === bar.formcode);
        const label = content.audience === 'staff' ? form?.result.labels[bar.scorecode] : personalLabelOf(bar.level);
        expect(bar.label, name).toBe(label ?? '未计分');
      }
  });

  it('12 shows the overall level of the valid forms in the gauge', () => {
    for (const { staff, facts, summary, name } of checkedReports.filter((report) => report.summary.valid)) {
      const level = recordLevel(
        facts.forms.filter(({ scale, result }) => scale.scores.length > 0 && result.valid).map(({ result }) => result),
      );
      expect(scoresOf(staff)[0], name).toMatchObject({ level, label: MentalState.label(mentalStateOf(level)) });
      expect(summary.overall, name).toBe(level);
    }
  });

  it('13 prints ranges and references of each form that it explains to staff', () => {
    for (const { staff, facts, summary, name } of checkedReports.filter((report) => report.summary.valid)) {
      const pairs = pairsOf(sectionsOf(staff, 'forms'));
      for (const { scale } of facts.forms) {
        for (const { n } of primaryScores(scale))
          expect(
            pairs.some(({ label }) => label === `${n}参考范围`),
            name,
          ).toBe(true);
        if (scale.citation)
          expect(
            pairs.some(({ label, value }) => label === '参考文献' && value === scale.citation),
            name,
          ).toBe(true);
      }
      expect(summary.valid).toBe(true);
    }
  });

  it('14 compares with the last valid exam only, and with its true difference', () => {
    const compared = checkedReports.filter(({ situation }) => situation === 'denied' || situation === 'special');
    for (const { staff, facts, appid, name } of compared) {
      const line = pairsOf(sectionsOf(staff, 'compare')).find(({ label }) => label === 'PHQ-9');
      if (appid === '000000005') expect(line, name).toBeUndefined();
      else expect(line?.value, name).toMatch(new RegExp(`^10 → ${facts.forms[0]?.result.scores.total}（`));
      expect(JSON.stringify(blocksOf(staff, 'compare')), name).not.toContain('27 →');
    }
  });

  it('15 names the published change value, or says that none is published', () => {
    for (const { staff, name } of checkedReports)
      for (const { label, value } of pairsOf(sectionsOf(staff, 'compare')))
        if (label === 'PHQ-9' || label === 'GAD-7') expect(value, name).toMatch(/MCID|RCI|未达到公布的变化界值/);
  });

  it('16 gives no score and no level to a form with too many empty answers', () => {
    for (const { self, staff, name } of checkedReports.filter(({ situation }) => situation === 'unanswered')) {
      for (const content of [self, staff])
        expect(
          formScoresOf(content).filter(({ formcode, score }) => formcode === 'GAD7' && score !== null),
          name,
        ).toEqual([]);
      expect(textOf(staff, 'forms'), name).toContain('未答题目超过允许数量');
    }
  });

  it('17 gives the person of an invalid exam no score, and says why', () => {
    for (const { self, staff, facts, name } of checkedReports.filter(({ situation }) => situation === 'invalid')) {
      expect(scoresOf(self), name).toEqual([]);
      expect(textOf(staff, 'overall'), name).toContain('本次作答效度不足（作答时间过短）');
      for (const { scale } of facts.forms)
        expect(JSON.stringify(blocksOf(staff, 'forms')), `${name} ${shortNameOf(scale)}`).toContain('得分仅存档，不作解释');
    }
  });

  it('18 says below 18 that the cut-offs come from adults', () => {
    for (const { content, report, name } of checkedContents.filter(({ report }) => report.summary.valid)) {
      const { age } = report.facts.person;
      const isShown =
        content.audience === 'staff' ||
        report.facts.forms.some(
          (form) => !isWithheld(form) && form.scale.formtype !== '04' && form.scale.capturemode !== 'staff',
        );
      if (isShown) expect(/成人研究/.test(textOf(content, 'forms')), name).toBe(age !== null && age < 18);
    }
  });
});
