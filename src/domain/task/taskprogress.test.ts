import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forecastCompletion } from '#domain/task/completionForecast.ts';
import { addStandings, closingStatement, percent, progressWord } from '#domain/task/taskprogress.ts';

const at = (text: string) => new Date(`${text.replace(' ', 'T')}:00+08:00`);

test('按当前速度预计周四 17:00 达 93%', () => {
  // Monday 08:00 to Wednesday 08:00: 35 an hour over the last day; 33 hours to go, 1,155 more of 5,000.
  const hours = Array.from({ length: 24 }, (_, n) => ({
    at: new Date(at('2025-10-07 08:00').getTime() + n * 3_600_000),
    count: 35,
  }));
  const pace = forecastCompletion({
    hours,
    now: at('2025-10-08 08:00'),
    endtime: at('2025-10-09 17:00'),
    total: 5000,
    finished: 3495,
    absent: 20,
  });
  expect(pace).toMatchObject({ perhour: 35, donetime: null, endrate: 93, text: '按当前速度预计周四 17:00 达 93%' });
});

test('a task on time has a forecast date; one without submissions or past its end has none', () => {
  const hours = [{ at: at('2025-10-08 08:00'), count: 50 }];
  const of = { hours, now: at('2025-10-08 10:00'), endtime: at('2025-10-10 17:00'), total: 100, finished: 50, absent: 0 };
  expect(forecastCompletion(of)).toMatchObject({
    perhour: 25,
    donetime: at('2025-10-08 12:00'),
    text: '按当前速度预计今天 12:00 全部完成',
  });
  expect(forecastCompletion({ ...of, finished: 100 })?.text).toBe('应答人员已全部完成');
  expect(forecastCompletion({ ...of, now: at('2025-10-09 12:00') })?.text).toBe('近 24 小时没有人交卷，请催测');
  expect(forecastCompletion({ ...of, hours: [] })).toBeUndefined();
  expect(forecastCompletion({ ...of, now: at('2025-10-10 17:00') })).toBeUndefined();
});

test('a forecast is never above the expected number nor below the submitted number', () => {
  const counts = fc.array(fc.nat(400), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(counts, fc.nat(3000), fc.nat(500), fc.integer({ min: 1, max: 200 }), (each, waiting, absent, left) => {
      const start = at('2025-10-06 08:00').getTime();
      const hours = each.map((count, n) => ({ at: new Date(start + n * 3_600_000), count }));
      const finished = each.reduce((sum, n) => sum + n, 0);
      const now = new Date(start + each.length * 3_600_000);
      const total = finished + waiting + absent;
      const pace = forecastCompletion({
        hours,
        now,
        endtime: new Date(now.getTime() + left * 3_600_000),
        total,
        finished,
        absent,
      });
      if (!pace) return finished === 0;
      expect(pace.endrate).toBeGreaterThanOrEqual(Math.floor((finished * 1000) / total) / 10);
      expect(pace.endrate).toBeLessThanOrEqual(((finished + waiting) * 100) / total);
      if (pace.donetime) expect(pace.donetime.getTime()).toBeLessThanOrEqual(now.getTime() + left * 3_600_000);
      return true;
    }),
  );
});

test('the closing statement of the design: 应测 5,227, 完成 5,204, 免测 22, 未测 1', () => {
  const statement = closingStatement({
    taskname: '2025 秋季普测',
    insname: '云栖市晨光中学',
    planname: '学生心理健康标准方案',
    begintime: at('2025-10-06 08:00'),
    endtime: at('2025-10-10 17:00'),
    at: at('2025-10-10 17:00'),
    reasons: [
      { reason: '休学', count: 9 },
      { reason: '请假', count: 13 },
    ],
    classes: [{ name: '初二3班', total: 5227, finished: 5204, doing: 0, notstarted: 1, absent: 22, dubious: 12 }],
    released: 23,
  });
  expect(statement.text).toBe(
    '应测 5,227 人，完成 5,204 人（其中存疑 12 人），免测/缺测 22 人（请假 13、休学 9），未测 1 人，完成率 99.6%。退回未使用的测评次数 23 次。',
  );
});

const standing = fc
  .record({ finished: fc.nat(5000), doing: fc.nat(5000), notstarted: fc.nat(5000), absent: fc.nat(5000), doubt: fc.nat(5000) })
  .map(({ doubt, ...parts }) => ({
    ...parts,
    dubious: Math.min(doubt, parts.finished),
    total: parts.finished + parts.doing + parts.notstarted + parts.absent,
  }));

test('the statement adds up for any classes', () => {
  fc.assert(
    fc.property(fc.array(standing, { maxLength: 30 }), (classes) => {
      const sum = addStandings(classes);
      expect(sum.total).toBe(sum.finished + sum.doing + sum.notstarted + sum.absent);
      expect(sum.dubious).toBeLessThanOrEqual(sum.finished);
    }),
  );
});

test('a rate has one decimal, half up, and none without people; a cell says in words how far a class is', () => {
  expect([percent(1, 3), percent(2, 3), percent(1, 16), percent(0, 0), percent(7, 7)]).toEqual([33.3, 66.7, 6.3, null, 100]);
  const word = (finished: number, total: number, absent = 0) =>
    progressWord({ total, finished, absent, doing: 0, notstarted: total - finished - absent, dubious: 0 });
  expect([word(0, 40), word(10, 40), word(20, 40), word(36, 40), word(38, 40, 2), word(0, 3, 3)]).toEqual([
    '未开始',
    '刚起步',
    '过半',
    '接近完成',
    '已完成',
    '无人应答',
  ]);
});
