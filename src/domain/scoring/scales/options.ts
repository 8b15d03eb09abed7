import type { OptionRow } from '#domain/scoring/scale.ts';

/** Options of the PHQ and GAD family. The zero option is “not at all”; the common “not at all sure” is an error. */
export const twoWeeks: readonly OptionRow[] = [
  ['0', '完全不会', 0],
  ['1', '好几天', 1],
  ['2', '一半以上的天数', 2],
  ['3', '几乎每天', 3],
];

/** Options of the Zung scales. */
export const zungFrequency: readonly OptionRow[] = [
  ['1', '没有或很少时间', 1],
  ['2', '小部分时间', 2],
  ['3', '相当多时间', 3],
  ['4', '绝大部分或全部时间', 4],
];

/** Yes and no of a registration form, without a score. */
export const yesOrNo: readonly OptionRow[] = [
  ['1', '是', null],
  ['0', '否', null],
];
