import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillForm, phq9 } from '#domain/report/report.fixture.ts';
import { changeText } from '#domain/scoring/scaleEvidence.ts';
import type { TrendTest } from '#domain/report/trend.ts';
import { changeOf, lastChange, trendSeries } from '#domain/report/trend.ts';

const { scale } = phq9(0);
const testOf = (examcode: string, submittime: string, total: number, q9 = 0, valid = true): TrendTest => {
  const { result } = phq9(total, q9);
  return { examcode, submittime, planname: '秋季普查', ...result, valid, hasalert: result.alerts.length > 0 };
};

describe('change since the last valid exam', () => {
  it('of the PHQ-9 reaches the published smallest meaningful change from 5 points on', () => {
    const fall = changeOf({ formcode: 'PHQ9' }, 16, 11);
    expect(fall).toMatchObject({ delta: -5, direction: 'down', meaning: 'better', label: '下降' });
    expect(changeText(fall.findings)).toBe('达到有临床意义的最小变化（MCID 5分，Löwe 2004）');
    const rise = changeOf({ formcode: 'PHQ9' }, 6, 10);
    expect(rise).toMatchObject({ delta: 4, meaning: 'worse', label: '上升' });
    expect(changeText(rise.findings)).toBe('未达到公布的变化界值（MCID 5分，Löwe 2004）');
  });

  it('of the WHO-5 is better when it rises', () => {
    expect(changeOf({ formcode: 'WHO5' }, 40, 60, 'high')).toMatchObject({ meaning: 'better', label: '上升' });
  });

  it('has the same size and the opposite sign in the other direction', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 27 }), fc.integer({ min: 0, max: 27 }), (a, b) => {
        const [there, back] = [changeOf({ formcode: 'PHQ9' }, a, b), changeOf({ formcode: 'PHQ9' }, b, a)];
        expect(there.delta).toBe(0 - back.delta);
        expect(there.findings).toEqual(back.findings);
      }),
    );
  });

  it('ignores invalid exams, also in an unsorted list', () => {
    const tests = [testOf('e3', '2025-10-01', 6), testOf('e2', '2025-06-01', 27, 3, false), testOf('e1', '2025-03-01', 16)];
    expect(lastChange(scale, 'total', tests)).toMatchObject({ from: 16, to: 6, label: '下降' });
    expect(lastChange(scale, 'total', tests.slice(0, 2))).toBeNull();
  });
});

describe('the trend page of the PHQ-9', () => {
  const series = trendSeries(
    scale,
    [testOf('e2', '2025-10-01', 6), testOf('e1', '2025-03-01', 16, 1), testOf('e3', '2025-11-01', 20, 0, false)],
    {
      events: [
        { time: '2025-05-01', label: '转介就诊' },
        { time: '2025-04-01', label: '心理辅导' },
      ],
      nextretest: '2025-10-29',
    },
  );

  it('has the range 0–27, five coloured bands, points in order of time and a ring for item 9', () => {
    expect([series.min, series.max, series.bands.length]).toEqual([0, 27, 5]);
    expect(series.points.map((point) => [point.score, point.level, point.label, point.ring])).toEqual([
      [16, 3, '中重度', true],
      [6, 1, '轻度', false],
      [20, null, '无效问卷', false],
    ]);
    expect(series.points[0]?.colour).toBe('#e0553f');
    expect(series.events.map((event) => event.label)).toEqual(['心理辅导', '转介就诊']);
  });

  it('has a heat table of nine items by three exams', () => {
    expect(series.items).toHaveLength(9);
    expect(series.items[8]).toMatchObject({ code: 'q9', max: 3, values: [1, 0, 0] });
  });

  it('has the same structure for other forms', () => {
    const gds = fillForm('GDS15', Array<string>(15).fill('1'));
    expect(trendSeries(gds.scale, [{ examcode: 'e', submittime: '2025-01-01', ...gds.result }])).toMatchObject({
      formcode: 'GDS15',
      max: 15,
      change: null,
    });
  });
});
