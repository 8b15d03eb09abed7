import { describe, expect, it } from 'vitest';
import type { RespondentForm } from '#features/respond/respond.contract.ts';
import * as testLink from '#features/respond/entry/testLink.contract.ts';
import * as consult from '#features/consult/person/person.contract.ts';
import * as content from '#features/content/person.contract.ts';
import * as preview from '#features/respond/preview/preview.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { contrast, readable } from '#respondent/colour.ts';
import { setAnswer } from '#respondent/exam/answerMap.ts';
import { fillIn, missingOf, questionsOf, type FormItem } from '#respondent/exam/questions.ts';
import { calls, type CallName } from '#respondent/api/api.ts';
import { wordsFor } from '#respondent/wording.ts';

const yesNo: [string, string][] = [
  ['1', '是'],
  ['0', '否'],
];
const form: RespondentForm = {
  examformid: 7,
  formcode: 'MATREG',
  formname: '孕产妇建档表',
  recall: '',
  instruction: '',
  licencetext: '',
  elsewhere: 0,
  answers: {},
  seqs: {},
  items: [
    { c: 'highrisk', t: '是否被告知为高危妊娠', type: 1, options: yesNo, required: true },
    { c: 'why', t: '高危情况说明', type: 0, input: 0, required: true, showif: { item: 'highrisk', codes: ['1'] } },
    { c: 'elders', t: '是否与老人同住', type: 1, options: yesNo, required: false, showif: { person: 'age', gte: 60 } },
  ],
};

describe('the questions of an exam', () => {
  it('an answer adds the question that depends on it, and another answer removes it', () => {
    const yes = setAnswer({}, 7, 'highrisk', '1');
    expect(questionsOf([form], yes, {}).map((question) => question.item.c)).toEqual(['highrisk', 'why']);
    expect(missingOf(questionsOf([form], yes, {}), yes).map((question) => question.item.c)).toEqual(['why']);
    const no = setAnswer(yes, 7, 'highrisk', '0');
    expect(missingOf(questionsOf([form], no, {}), no)).toEqual([]);
  });

  it('facts about the person decide about questions too', () => {
    expect(questionsOf([form], {}, { age: 71 }).map((question) => question.item.c)).toEqual(['highrisk', 'elders']);
  });
});

describe('typed answers', () => {
  const item = (more: Partial<FormItem>): FormItem => ({ c: 'x', t: '', type: 0, required: true, ...more });
  it.each([
    [item({ input: 1, min: 1, max: 20 }), '3', { value: 3 }],
    [item({ input: 1 }), '3.5', { fault: '请填写整数' }],
    [item({ input: 2, max: 200 }), '201', { fault: '请填写不大于 200 的数字' }],
    [item({ input: 2 }), '1e3', { fault: '请填写数字' }],
    [item({ input: 3 }), '2025-02-30', { fault: '请填写正确的日期，例如 2025-03-08' }],
    [item({ input: 5 }), '2025-03-08T08:30', { value: '2025-03-08 08:30' }],
    [item({ input: 0, maxlen: 4 }), '  𠮷野家店  ', { value: '𠮷野家店' }],
    [item({ input: 0 }), '   ', { value: null }],
    [item({ input: 6 }), '14:00-16:30', { value: '14:00-16:30' }],
    [item({ input: 2 }), '1.23456', { fault: '最多填写 4 位小数' }],
    [item({ input: 4 }), '24:00', { fault: '请填写正确的时间，例如 08:30' }],
    [item({ input: 7, min: 1, max: 10, step: 2 }), '4', { fault: '请从 1 起按 2 递增填写' }],
    [item({ input: 7, min: 1, max: 10, step: 2 }), '5', { value: 5 }],
    [item({ input: 8 }), '320106', { value: '320106' }],
    [item({ input: 8 }), '江苏省', { fault: '请选择地区' }],
    [item({ input: 6 }), '-', { value: null }],
    [item({ input: 6 }), '14:00-', { fault: '请填写开始和结束时间，例如 14:00-16:00' }],
    [item({ input: 6 }), '16:00-14:00', { fault: '结束时间应晚于开始时间' }],
  ])('%#: is an answer or says what is wrong', (one, text, expected) => {
    expect(fillIn(one, text)).toEqual(expected);
  });
});

describe('terms shared with other parts', () => {
  it('the page calls actions by the names of the contract', () => {
    const contract = { ...respond, ...preview, ...testLink, ...consult, ...content };
    for (const name of Object.keys(calls) as CallName[]) expect(calls[name]).toBe(contract[name].name);
  });

  it('pupils are addressed with 你 and a teacher; patients of a hospital with 您 and a doctor', () => {
    expect(wordsFor('edu')).toEqual({ you: '你', helper: '老师', number: '学号' });
    expect(wordsFor('health')).toMatchObject({ you: '您', helper: '医生' });
    expect(wordsFor('unheard-of')).toMatchObject({ you: '您', helper: '工作人员' });
  });

  it.each(['#43a777', '#ffff00', '#000000', '#ffffff', '#c0ffee'])(
    'an institution’s colour %s can be read on both grounds',
    (colour) => {
      expect(contrast(readable(colour, '#ffffff'), '#ffffff')).toBeGreaterThanOrEqual(4.5);
      expect(contrast(readable(colour, '#1c2126'), '#1c2126')).toBeGreaterThanOrEqual(4.5);
    },
  );
});
