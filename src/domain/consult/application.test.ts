import { expect, test } from 'vitest';
import { applicableAnswers, findAnswerFaults, findApplicationTrigger, topicsOf } from '#domain/consult/application.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { consultreg } from '#domain/scoring/scales/consultreg.ts';

/** A form whose second question is asked only after 有, and alarms at the given level. */
const form = (level: 1 | 2 | 3 | 4): Scale => ({
  ...consultreg,
  formcode: 'F1',
  optionsets: {
    yn: [
      ['0', '没有', 0],
      ['1', '有', 1],
    ],
  },
  items: [
    { c: 'q1', o: 'yn', scored: false, t: '最近有没有想过伤害自己' },
    { c: 'q2', type: 0, input: 1, min: 0, max: 30, t: '最近几天', showif: { item: 'q1', gte: 1 } },
  ],
  alerts: [{ c: 'SI', when: { item: 'q1', gte: 1 }, level, msg: '想过伤害自己' }],
});
const about = { person: {}, minlevel: 2, formname: '来访登记' } as const;

test('an alert of a registration sets at most level 3, and level 1 only where the institution opens cases from it', () => {
  const levelOf = (level: 1 | 2 | 3 | 4, minlevel: 1 | 2) =>
    findApplicationTrigger(form(level), { q1: '1' }, { ...about, minlevel })?.level;
  expect([levelOf(4, 2), levelOf(3, 2), levelOf(2, 2), levelOf(1, 2), levelOf(1, 1)]).toEqual([3, 3, 2, undefined, 1]);
  expect(findApplicationTrigger(form(3), { q1: '0' }, about)).toBeNull();
  expect(findApplicationTrigger(form(3), { q1: '1' }, about)).toMatchObject({
    source: '05',
    itemtrigger: true,
    alertmsgs: ['咨询登记“来访登记”：想过伤害自己'],
  });
});

test('a hidden question needs no answer, and an answer to it is dropped', () => {
  expect(findAnswerFaults(form(3), { q1: '0' }, {})).toEqual({});
  expect(applicableAnswers(form(3), { q1: '0', q2: 3 }, {})).toEqual({ q1: '0' });
  expect(findAnswerFaults(form(3), { q1: '1' }, {})).toEqual({ q2: '请填写这一题' });
  expect(findAnswerFaults(form(3), { q1: '1', q2: 31 }, {})).toEqual({ q2: '请填写不大于 30 的数字' });
  expect(findAnswerFaults(form(3), { q1: '2' }, {})).toEqual({ q1: '请在选项中选择' });
});

test('the topics come from the question 困扰 only when its options are the topics of the product', () => {
  expect(topicsOf({ topics: ['02', '99'] })).toEqual(['02', '99']);
  expect(topicsOf({ topics: ['02', 'a'] })).toEqual([]);
  expect(topicsOf({ topics: '03' })).toEqual(['03']);
  expect(topicsOf({})).toEqual([]);
});
