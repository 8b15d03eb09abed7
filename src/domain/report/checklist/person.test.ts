import { describe, expect, it } from 'vitest';
import { apps, checkedContents, checkedReports, pairsOf, situations } from '#domain/report/checklist/cases.fixture.ts';
import { archiveText, populationOf } from '#domain/person/populations.ts';
import { withCase } from '#domain/report/report.case.ts';
import { isExplained, shortNameOf } from '#domain/report/report.facts.ts';
import { blocksOf, sectionsOf, textOf } from '#domain/report/report.fixture.ts';
import { referencePeriodOf } from '#domain/scoring/scaleEvidence.ts';

const valuesOf = (pairs: readonly { label: string; value: string }[], label: string) =>
  pairs.filter((pair) => pair.label === label).map(({ value }) => value);

describe('the clinician’s checklist: person, time and place', () => {
  it('covers 200 reports of all populations, levels and situations', () => {
    expect(checkedReports).toHaveLength(200);
    expect(new Set(checkedReports.map(({ appid }) => appid)).size).toBe(apps.length);
    expect(new Set(checkedReports.map(({ situation }) => situation)).size).toBe(situations.length);
    expect([0, 1, 2, 3, 4].every((level) => checkedReports.some(({ summary }) => summary.overall === level))).toBe(true);
  });

  it('1 names the right person and nobody else', () => {
    for (const { content, report, name } of checkedContents) {
      expect(new Set(valuesOf(pairsOf(content), '姓名')), name).toEqual(new Set([report.facts.person.name]));
      for (const [found] of JSON.stringify(content).matchAll(/受测者\d+号/g)) expect(found, name).toBe(report.facts.person.name);
    }
  });

  it('2 has its own number and its own day on the cover', () => {
    for (const { content, report, name } of checkedContents) {
      const cover = pairsOf(sectionsOf(content, 'cover'));
      expect(valuesOf(cover, '报告编号'), name).toEqual([report.facts.reportcode]);
      expect(valuesOf(cover, '报告日期'), name).toEqual([report.facts.generatedat.slice(0, 10)]);
    }
  });

  it('3 names the institution of the exam and no other', () => {
    for (const { content, report, name } of checkedContents) {
      expect(valuesOf(pairsOf(sectionsOf(content, 'cover')), '机构'), name).toEqual([report.facts.institution.insname]);
      for (const [found] of JSON.stringify(content).matchAll(/云栖市第\d+机构/g))
        expect(found, name).toBe(report.facts.institution.insname);
    }
  });

  it('4 is drawn as its population, with the cover lines of that population', () => {
    for (const { content, report, name } of checkedContents) {
      const population = populationOf(report.appid);
      expect(content.templatecode, name).toBe(population.page);
      const cover = pairsOf(sectionsOf(content, 'cover'));
      for (const field of population.cover) {
        const value = archiveText(field, report.summary.archive);
        const isHidden = content.audience === 'self' && (field.staffonly || report.summary.lost);
        expect(valuesOf(cover, field.label), name).toEqual(value === null || isHidden ? [] : [value]);
      }
    }
  });

  it('5 states gender and age at the exam, and no age when nobody knows it', () => {
    for (const { content, report, name } of checkedContents.filter(({ content }) => blocksOf(content, 'basicinfo').length)) {
      const { age, gender } = report.facts.person;
      const basic = pairsOf(sectionsOf(content, 'basicinfo'));
      expect(valuesOf(basic, '年龄'), name).toEqual(age === null ? [] : [`${age}岁`]);
      expect(valuesOf(basic, '性别'), name).toEqual([gender === '01' ? '男' : '女']);
    }
  });

  it('6 states plan, stage, time and validity of this exam', () => {
    for (const { content, report, name } of checkedContents.filter(({ content }) => blocksOf(content, 'basicinfo').length)) {
      const basic = pairsOf(sectionsOf(content, 'basicinfo'));
      expect(valuesOf(basic, '测评方案'), name).toEqual([report.facts.exam.planname]);
      expect(valuesOf(basic, '测评阶段'), name).toEqual([report.facts.exam.stagename]);
      expect(valuesOf(basic, '完成时间'), name).toEqual(['2025-10-08 09:58']);
      expect(valuesOf(basic, '作答有效性'), name).toEqual([report.summary.valid ? '有效' : '效度不足']);
    }
  });

  it('7 names the reference period of every form that its reader reads', () => {
    for (const { content, report, name } of checkedContents) {
      const notice = textOf(content, 'notice');
      for (const { scale } of report.facts.forms) {
        const isForStaffOnly = scale.formtype === '04' || scale.capturemode === 'staff';
        const period = referencePeriodOf(scale);
        if (isForStaffOnly && content.audience === 'self') expect(notice, name).not.toContain(shortNameOf(scale));
        else if (!period.startsWith('问卷')) expect(notice, `${name} ${scale.formcode}`).toContain(period);
      }
    }
  });

  it('8 has no clock of its own; the staff version gets the clocks of the open case when it is opened', () => {
    const clocked = {
      warningcode: 'W1',
      levelname: '预警',
      statename: '已受理',
      owner: '陈静',
      clocks: [{ name: '评估', duetime: '2025-10-10 09:58:00' }],
    };
    for (const { content, report, name } of checkedContents) {
      expect(textOf(content, 'overall', 'suggestion', 'conclusion'), name).not.toMatch(/\d+(小时|天)内/);
      expect(JSON.stringify(content), name).not.toContain('时限');
      const opened = JSON.stringify(withCase(content, clocked, '2025-10-09 10:00:00'));
      expect(opened.includes('2025-10-10 09:58前'), name).toBe(content.audience === 'staff' && report.staff === content);
    }
  });

  it('9 explains nothing of a form that the validity check refused', () => {
    for (const { report, name } of checkedContents)
      for (const form of report.facts.forms.filter((item) => !isExplained(report.facts, item)))
        expect(
          report.self.sections.some(({ blocks }) =>
            blocks.some((block) => block.type === 'score' && block.formcode === form.scale.formcode),
          ),
          name,
        ).toBe(false);
  });
});
