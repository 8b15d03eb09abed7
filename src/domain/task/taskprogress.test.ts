import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forecastCompletion } from '#domain/task/completionForecast.ts';
import { sumRosterCounts, closingStatement, percent, progressLabel, rateOfDue, findNextAct } from '#domain/task/taskprogress.ts';

const time = (text: string) => new Date(`${text.replace(' ', 'T')}:00+08:00`);

test('a task that will not finish in time gets the rate forecast for its end', () => {
  // Monday 08:00 to Wednesday 08:00: 35 an hour over the last day; 33 hours to go, 1,155 more of 5,000.
  const hours = Array.from({ length: 24 }, (_, n) => ({
    at: new Date(time('2025-10-07 08:00').getTime() + n * 3_600_000),
    count: 35,
  }));
  const forecast = forecastCompletion({
    hours,
    now: time('2025-10-08 08:00'),
    endtime: time('2025-10-09 17:00'),
    total: 5000,
    finished: 3495,
    absent: 20,
  });
  expect(forecast).toMatchObject({ perhour: 35, donetime: null, endrate: 93, text: '按当前速度预计周四 17:00 达 93%' });
});

test('a task on time has a forecast date; without submissions or after its end there is no forecast', () => {
  const hours = [{ at: time('2025-10-08 08:00'), count: 50 }];
  const options = {
    hours,
    now: time('2025-10-08 10:00'),
    endtime: time('2025-10-10 17:00'),
    total: 100,
    finished: 50,
    absent: 0,
  };
  expect(forecastCompletion(options)).toMatchObject({
    perhour: 25,
    donetime: time('2025-10-08 12:00'),
    text: '按当前速度预计今天 12:00 全部完成',
  });
  expect(forecastCompletion(options)?.endcount).toBe(100);
  expect(forecastCompletion({ ...options, finished: 100 })?.text).toBe('应答人员已全部完成');
  expect(forecastCompletion({ ...options, now: time('2025-10-09 12:00') })?.text).toBe('近 24 小时没有人交卷，请催测');
  expect(forecastCompletion({ ...options, hours: [] })).toBeUndefined();
  expect(forecastCompletion({ ...options, now: time('2025-10-10 17:00') })).toBeUndefined();
});

test('a forecast is never above the expected number nor below the submitted number', () => {
  const counts = fc.array(fc.nat(400), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(counts, fc.nat(3000), fc.nat(500), fc.integer({ min: 1, max: 200 }), (counts, waiting, absent, left) => {
      const start = time('2025-10-06 08:00').getTime();
      const hours = counts.map((count, n) => ({ at: new Date(start + n * 3_600_000), count }));
      const finished = counts.reduce((sum, n) => sum + n, 0);
      const now = new Date(start + counts.length * 3_600_000);
      const total = finished + waiting + absent;
      const forecast = forecastCompletion({
        hours,
        now,
        endtime: new Date(now.getTime() + left * 3_600_000),
        total,
        finished,
        absent,
      });
      if (!forecast) return finished === 0;
      expect(forecast.endrate).toBeGreaterThanOrEqual(Math.floor((finished * 1000) / total) / 10);
      expect(forecast.endrate).toBeLessThanOrEqual(((finished + waiting) * 100) / total);
      if (forecast.donetime) expect(forecast.donetime.getTime()).toBeLessThanOrEqual(now.getTime() + left * 3_600_000);
      return true;
    }),
  );
});

test('the closing statement names 免测 apart from 缺测 and the denominator of each rate', () => {
  const statement = closingStatement({
    taskname: '2025 秋季普测',
    insname: '云栖市晨光中学',
    planname: '学生心理健康标准方案',
    begintime: time('2025-10-06 08:00'),
    endtime: time('2025-10-10 17:00'),
    at: time('2025-10-10 17:00'),
    reasons: [
      { reason: '休学', count: 9 },
      { reason: '请假', count: 13 },
    ],
    classes: [{ name: '初二3班', total: 5227, finished: 5204, doing: 0, notstarted: 1, absent: 22, exempt: 9, dubious: 12 }],
    released: 23,
  });
  expect(statement.text).toBe(
    '应测 5,227 人，完成 5,204 人（其中存疑 12 人），免测 9 人（休学 9），缺测 13 人（请假 13），未测 1 人，完成率 99.6%（完成/应测），扣除免测后 99.7%（完成/（应测−免测））。退回未使用的测评次数 23 次。',
  );
});

const rosterCounts = fc
  .record({
    finished: fc.nat(5000),
    doing: fc.nat(5000),
    notstarted: fc.nat(5000),
    absent: fc.nat(5000),
    excused: fc.nat(5000),
    doubt: fc.nat(5000),
  })
  .map(({ doubt, excused, ...parts }) => ({
    ...parts,
    exempt: Math.min(excused, parts.absent),
    dubious: Math.min(doubt, parts.finished),
    total: parts.finished + parts.doing + parts.notstarted + parts.absent,
  }));

test('the numbers of a closing statement add up for any classes', () => {
  fc.assert(
    fc.property(fc.array(rosterCounts, { maxLength: 30 }), (classes) => {
      const sum = sumRosterCounts(classes);
      expect(sum.total).toBe(sum.finished + sum.doing + sum.notstarted + sum.absent);
      expect(sum.dubious).toBeLessThanOrEqual(sum.finished);
      expect(rateOfDue(sum) ?? 100).toBeGreaterThanOrEqual(percent(sum.finished, sum.total) ?? 0);
      expect(rateOfDue(sum) ?? 100).toBeLessThanOrEqual(100);
    }),
  );
});

test('a rate has one decimal, rounded half up, and is null without people; a label tells the progress of a class', () => {
  expect([percent(1, 3), percent(2, 3), percent(1, 16), percent(0, 0), percent(7, 7)]).toEqual([33.3, 66.7, 6.3, null, 100]);
  const labelOf = (finished: number, total: number, absent = 0) => progressLabel({ total, finished, absent });
  expect([labelOf(0, 40), labelOf(10, 40), labelOf(20, 40), labelOf(36, 40), labelOf(38, 40, 2), labelOf(0, 3, 3)]).toEqual([
    '未开始',
    '刚起步',
    '过半',
    '接近完成',
    '已完成',
    '无人应答',
  ]);
});

test('the next act of a task is to publish, tell the classes, show the QR code, remind, and only then to end it', () => {
  const task = { status: 1, begintime: '2025-10-06 08:00:00' };
  const counts = { total: 40, finished: 0, doing: 0, absent: 2 };
  const at = '2025-10-06 09:00:00';
  expect(findNextAct({ ...task, status: 0 }, counts, at)).toBe('publish');
  expect(findNextAct(task, counts, '2025-10-05 20:00:00')).toBe('notify');
  expect(findNextAct(task, counts, at)).toBe('show');
  expect(findNextAct(task, { ...counts, finished: 30 }, at)).toBe('remind');
  expect(findNextAct(task, { ...counts, finished: 38 }, at)).toBe('close');
  expect(findNextAct({ ...task, status: 2 }, counts, at)).toBeNull();
});
