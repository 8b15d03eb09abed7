import { describe, expect, it } from 'vitest';
import {
  changeText,
  changeValuesOf,
  evidenceOf,
  findingsOf,
  plainChangeText,
  referencePeriodOf,
} from '#domain/scoring/scaleEvidence.ts';
import { library, scaleOf } from '#domain/scoring/scales/library.ts';
import { who5 } from '#domain/scoring/scales/who5.ts';

const textOf = (formcode: string, absdelta: number) => changeText(findingsOf(formcode, 'total', absdelta));

describe('the published change values', () => {
  it('are those of the clinical rules, with their kind and source', () => {
    const known = library.flatMap(({ formcode, scores }) =>
      scores.flatMap((score) =>
        changeValuesOf(formcode, score.c).map(({ kind, points, source }) => `${formcode}.${score.c} ${points} ${kind} ${source}`),
      ),
    );
    expect(known).toEqual([
      'PHQ9.total 5 MCID Löwe 2004',
      'GAD7.total 4 MCID Toussaint 2020',
      'GAD7.total 6 RCI Bischoff 2020',
      'K6.total 9 SDC 日本成人研究 2023',
      'WHO5.total 10 MCID Topp 2015',
      'PSS10.total 11 MCID Eskildsen 2015',
      'EPDS.total 4 RCI Matthey 2004',
    ]);
  });

  it('of the GAD-7 are two, and the text says both', () => {
    expect(textOf('GAD7', 3)).toBe(
      '未达到公布的变化界值（MCID 4分，Toussaint 2020）；未达到公布的变化界值（RCI 6分，Bischoff 2020）',
    );
    expect(textOf('GAD7', 4)).toBe(
      '达到有临床意义的最小变化（MCID 4分，Toussaint 2020）；未达到公布的变化界值（RCI 6分，Bischoff 2020）',
    );
    expect(textOf('GAD7', 6)).toBe(
      '达到有临床意义的最小变化（MCID 4分，Toussaint 2020）；变化超出测量误差（RCI 6分，Bischoff 2020）',
    );
  });

  it('are plain words for the person, each once', () => {
    expect(plainChangeText(findingsOf('GAD7', 'total', 3))).toBe('未达到公布的变化界值');
    expect(plainChangeText(findingsOf('GAD7', 'total', 6))).toBe('达到有临床意义的最小变化；变化超出测量误差');
    expect(plainChangeText(findingsOf('CESD', 'total', 6))).toBe('暂无公布界值');
  });

  it('of a smallest detectable change speak of measurement error', () => {
    expect(textOf('K6', 9)).toBe('变化超出测量误差（SDC 9分，日本成人研究 2023）');
    expect(textOf('K6', 8)).toMatch(/^未达到公布的变化界值/);
    expect(textOf('EPDS', 4)).toBe('变化超出测量误差（RCI 4分，Matthey 2004）');
  });

  it('are missing for a form without one, and the text says so', () => {
    for (const formcode of ['CESD', 'PHQ2', 'DASS21', 'SCL90', 'OWN_FORM']) expect(textOf(formcode, 30)).toBe('暂无公布界值');
  });
});

describe('the reference period', () => {
  it('is the own one of each form with scores, with its source', () => {
    for (const scale of library.filter(({ scores }) => scores.length > 0))
      expect([scale.formcode, Boolean(evidenceOf(scale.formcode)?.recallsource)]).toEqual([scale.formcode, true]);
    const periods = ['PHQ9', 'GDS15', 'PHQ15', 'PCPTSD5', 'EPDS']
      .map((code) => scaleOf(code))
      .filter((scale) => scale !== undefined);
    expect(periods.map(referencePeriodOf)).toEqual(['过去两周', '过去一周', '过去四周', '过去一个月', '过去七天']);
  });

  it('of a form without one is not invented', () => {
    const mht = scaleOf('MHT');
    expect(mht && referencePeriodOf(mht)).toBe('问卷未限定时间');
  });
});

it('the WHO-5 has the licence line of 2024 and is free of charge', () => {
  expect(who5.licencetext).toContain('© WHO 2024，CC BY-NC-SA 3.0 IGO');
  expect(who5.licencetext).toContain('仅限免费使用');
});
