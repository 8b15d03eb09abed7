import { describe, expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import { chooseHotlines, formatHours, isOpenNow, type Hotline } from '#domain/exam/hotline.ts';
import { contactText, supportText } from '#domain/exam/support.ts';

const national: Hotline = {
  number: '12356',
  name: '心理援助热线',
  hours: '每天至少18小时，各地不同',
  checkedon: '2026-11-20',
};
const beijing: Hotline = { number: '010-82951332', name: '北京心理援助热线', hours: '00:00-24:00', checkedon: '2026-11-20' };
const jinzhong: Hotline = { ...national, hours: '08:00-02:00' };
const noon = fromShanghai('2026-11-22 12:00');
const night = fromShanghai('2026-11-23 01:00');

describe('the order of hotlines', () => {
  test('by day 12356 comes first, at one at night the 24-hour line', () => {
    expect(chooseHotlines([national, beijing], noon).map(({ number }) => number)).toEqual([
      '12356',
      '010-82951332',
      '120',
      '110',
    ]);
    expect(chooseHotlines([national, beijing], night).map(({ number }) => number)).toEqual([
      '010-82951332',
      '12356',
      '120',
      '110',
    ]);
  });

  test('a line that is closed now comes after the lines that answer, and 120 and 110 always stay', () => {
    const office: Hotline = { number: '0571-8888', name: '学校心理室', hours: '08:30-17:00', checkedon: '2026-11-01' };
    expect(chooseHotlines([office, beijing], fromShanghai('2026-11-22 17:00')).map(({ number }) => number)).toEqual([
      '010-82951332',
      '0571-8888',
      '120',
      '110',
    ]);
    expect(chooseHotlines([], night).map(({ number }) => number)).toEqual(['120', '110']);
  });

  test('晋中 answers from 08:00 until 02:00 of the next day', () => {
    expect(isOpenNow(jinzhong, night)).toBe(true);
    expect(isOpenNow(jinzhong, fromShanghai('2026-11-23 02:00'))).toBe(false);
    expect(isOpenNow(jinzhong, fromShanghai('2026-11-23 08:00'))).toBe(true);
    expect(formatHours(jinzhong, noon)).toBe('08:00–次日02:00');
  });

  test('hours that were checked more than 180 days ago are not repeated', () => {
    expect(formatHours({ ...beijing, checkedon: '2026-05-26' }, noon)).toBe('24小时');
    expect(formatHours({ ...beijing, checkedon: '2026-05-25' }, noon)).toBe('时间以当地公布为准');
    expect(formatHours({ ...national, checkedon: '' }, noon)).toBe('时间以当地公布为准');
  });
});

describe('the words of the support card', () => {
  const lines = [national, beijing];
  const acceptBy = fromShanghai('2026-11-24 01:00');

  test('at 01:00 a pupil reads the deadline of the case and what helps at night', () => {
    const words = '已收到，老师会在明天 01:00 前联系你。现在需要帮助：010-82951332、120、110，或叫醒身边的大人。';
    expect(supportText({ sector: 'edu', you: '你', now: night, lines, acceptBy })).toBe(words);
    expect(contactText({ sector: 'edu', you: '你', now: night, lines, acceptBy })).toBe(words);
  });

  test('an adult reads 您 and 工作人员', () => {
    expect(supportText({ sector: 'health', you: '您', now: night, lines, acceptBy })).toBe(
      '已收到，工作人员会在明天 01:00 前联系您。现在需要帮助：010-82951332、120、110，或叫醒身边信任的人。',
    );
  });

  test('no text promises an hour that nobody keeps', () => {
    for (const now of [noon, night, fromShanghai('2026-11-22 22:00'), fromShanghai('2026-11-23 06:59')])
      for (const due of [null, acceptBy, fromShanghai('2026-11-20 08:00')])
        for (const sector of ['edu', 'health', 'enterprise'])
          for (const words of [supportText, contactText])
            expect(words({ sector, you: '你', now, lines, acceptBy: due })).not.toMatch(/全天|随时|尽快|马上|立即/);
    expect(contactText({ sector: 'edu', you: '你', now: noon, lines, acceptBy: null })).toBe(
      '已收到，老师能看到。如果等不及，可以直接拨打下面的电话。',
    );
  });
});
