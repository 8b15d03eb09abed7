import { describe, expect, test } from 'vitest';
import { expand } from '#domain/scoring/condition.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import { phq9 } from '#domain/scoring/scales/phq9.ts';
import { divideRange, mergeBand, setBandMode, setLimit, splitBand } from '#features/scaleeditor/page/edits/bandEdits.ts';
import { editHistory, startHistory } from '#features/scaleeditor/page/edits/history.ts';
import {
  addItems,
  itemsOfScore,
  moveItem,
  removeItems,
  setMembers,
  setReverse,
} from '#features/scaleeditor/page/edits/itemEdits.ts';
import { splitQuestions } from '#features/scaleeditor/page/edits/pasteText.ts';
import { renameSet } from '#features/scaleeditor/page/edits/readySets.ts';
import { addFactor, addTotal, removeScore, setOperation } from '#features/scaleeditor/page/edits/scoreEdits.ts';

const empty: Scale = {
  schema: 'asds/1',
  formcode: 'F000001',
  version: 'draft',
  formtype: '01',
  title: '睡眠问卷',
  tier: 'S',
  optionsets: {
    频率: [
      ['0', '从不', 0],
      ['1', '经常', 1],
    ],
  },
  items: [],
  scores: [],
  bands: {},
};
const five = addTotal(addItems(empty, 0, ['一', '二', '三', '四', '五'], '频率'));
const membersOf = (scale: Scale, code: string) => {
  const score = scale.scores.find(({ c }) => c === code);
  return score ? itemsOfScore(scale, score) : [];
};

describe('the questions of a draft', () => {
  test('get the codes q1, q2 … by themselves and keep them when they are moved', () => {
    expect(five.items.map(({ c, o }) => [c, o])).toEqual(['q1', 'q2', 'q3', 'q4', 'q5'].map((c) => [c, '频率']));
    expect(moveItem(five, 4, 0).items.map(({ c }) => c)).toEqual(['q5', 'q1', 'q2', 'q3', 'q4']);
  });

  test('that are added after a question take its options and join its scores', () => {
    const next = addItems(five, 2, ['新题']);
    expect(next.items[2]).toEqual({ c: 'q6', t: '新题', o: '频率' });
    expect(membersOf(next, 'total')).toContain('q6');
  });

  test('that are moved into a range join no factor and leave none', () => {
    const { scale } = addFactor(five, '入睡', ['q1', 'q2', 'q3']);
    expect(membersOf(moveItem(scale, 4, 1), 'f1')).toEqual(['q1', 'q2', 'q3']);
    expect(membersOf(moveItem(scale, 0, 4), 'f1')).toEqual(['q1', 'q2', 'q3']);
  });

  test('that are removed leave scores, weights, reverse and skip rules', () => {
    const weighted = setOperation(setReverse(five, ['q2', 'q3'], true), 'total', 'weighted');
    const next = removeItems({ ...weighted, derive: [{ if: { item: 'q1', eq: 0 }, set: { q2: '0', q4: '0' } }] }, ['q2']);
    expect(next.reverse).toEqual(['q3']);
    expect(next.derive?.[0]?.set).toEqual({ q4: '0' });
    expect(membersOf(next, 'total')).toEqual(['q1', 'q3', 'q4', 'q5']);
    expect(next.scores[0]?.w).toHaveLength(4);
  });

  test('that counted in a condition by a range still do after another one is moved away', () => {
    const moved = moveItem(phq9, 8, 0);
    const condition = moved.items.at(-1)?.showif;
    expect(condition && 'count' in condition && [...expand(condition.count, moved.items)].sort()).toEqual([
      'q1',
      'q2',
      'q3',
      'q4',
      'q5',
      'q6',
      'q7',
      'q8',
      'q9',
    ]);
  });

  test('leave a factor and come back in the order of the questionnaire', () => {
    const without = setMembers(five, 'total', ['q2'], false);
    expect(membersOf(without, 'total')).toEqual(['q1', 'q3', 'q4', 'q5']);
    expect(membersOf(setMembers(without, 'total', ['q2'], true), 'total')).toEqual(['q1', 'q2', 'q3', 'q4', 'q5']);
  });
});

test('a pasted text becomes one question a line, without its numbers', () => {
  const text =
    '1. 我难以入睡\n2、我容易醒\r\n（3） 我起得太早\n第4题：我白天困\n⑤ 我做噩梦\n\n6．我睡 7.5 小时\n3 年来我睡得不好\nQ8. 我打鼾';
  expect(splitQuestions(text)).toEqual([
    '我难以入睡',
    '我容易醒',
    '我起得太早',
    '我白天困',
    '我做噩梦',
    '我睡 7.5 小时',
    '3 年来我睡得不好',
    '我打鼾',
  ]);
});

test('a renamed option set takes its questions along', () => {
  const next = renameSet(five, '频率', '两周频率');
  expect(Object.keys(next.optionsets)).toEqual(['两周频率']);
  expect(new Set(next.items.map(({ o }) => o))).toEqual(new Set(['两周频率']));
});

test('a removed score takes its bands along', () => {
  const next = removeScore({ ...five, bands: { total: [[0, 5, 0, '正常']] }, bandmode: { total: 'closed' } }, 'total');
  expect(next).toMatchObject({ scores: [], bands: {} });
  expect(next).not.toHaveProperty('bandmode');
});

describe('bands', () => {
  test('of a range cover it without gaps', () => {
    expect(divideRange(0, 60, 4, false, false)).toEqual([
      [0, 14, 0, '正常'],
      [15, 30, 1, '轻度'],
      [31, 45, 2, '中度'],
      [46, 60, 3, '中重度'],
    ]);
    expect(divideRange(1, 5, 2, true, true)).toEqual([
      [1, 3, 2, '中度'],
      [3, null, 0, '正常'],
    ]);
  });

  test('are split and joined, and a limit takes the neighbour along', () => {
    const split = splitBand([[0, 60, 0, '正常']], 0, false, [0, 60]);
    expect(split.map(([lo, hi]) => [lo, hi])).toEqual([
      [0, 30],
      [31, 60],
    ]);
    expect(setLimit(split, 0, 1, 19, false).map(([lo, hi]) => [lo, hi])).toEqual([
      [0, 19],
      [20, 60],
    ]);
    expect(mergeBand(split, 0)).toEqual([[0, 60, 0, '正常']]);
  });

  test('keep touching when they stop including their upper limit', () => {
    const closed: Scale = { ...five, bands: { total: divideRange(0, 5, 2, false, false) } };
    const open = setBandMode(closed, 'total', 'halfopen');
    expect(open.bands['total']?.map(([lo, hi]) => [lo, hi])).toEqual([
      [0, 3],
      [3, null],
    ]);
  });
});

test('undo takes back a whole word that was typed in one go, and redo brings it back', () => {
  const type = (title: string, time: number) =>
    ({ kind: 'change', to: (scale: Scale) => ({ ...scale, title }), tag: 'title', time }) as const;
  const typed = [type('睡', 0), type('睡眠', 400), type('睡眠质', 800)].reduce(editHistory, startHistory(empty));
  const later = editHistory(typed, type('睡眠质量', 5000));
  expect(editHistory(later, { kind: 'undo' }).present.title).toBe('睡眠质');
  const first = editHistory(editHistory(later, { kind: 'undo' }), { kind: 'undo' });
  expect(first.present.title).toBe('睡眠问卷');
  expect(editHistory(first, { kind: 'redo' }).present.title).toBe('睡眠质');
});
