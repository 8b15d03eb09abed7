import type { OptionRow, Scale } from '#domain/scoring/scale.ts';

const rows = (first: number, labels: readonly string[]): OptionRow[] =>
  labels.map((label, index) => [String(first + index), label, first + index]);

/** Option sets that many questionnaires use. The author adds one and changes its words. */
export const readySets: readonly { name: string; rows: readonly OptionRow[] }[] = [
  { name: '频率 0–3', rows: rows(0, ['从不', '偶尔', '经常', '总是']) },
  { name: '两周频率 0–3', rows: rows(0, ['完全不会', '好几天', '一半以上的天数', '几乎每天']) },
  { name: '频率 0–4', rows: rows(0, ['从不', '很少', '有时', '经常', '总是']) },
  { name: '频率 1–4', rows: rows(1, ['没有或很少', '有时', '经常', '绝大部分时间']) },
  { name: '同意 1–5', rows: rows(1, ['非常不同意', '不同意', '不确定', '同意', '非常同意']) },
  { name: '符合 1–5', rows: rows(1, ['完全不符合', '比较不符合', '不确定', '比较符合', '完全符合']) },
  { name: '程度 0–4', rows: rows(0, ['没有', '轻微', '中等', '较重', '严重']) },
  { name: '满意 1–5', rows: rows(1, ['非常不满意', '不满意', '一般', '满意', '非常满意']) },
  {
    name: '是／否',
    rows: [
      ['1', '是', 1],
      ['0', '否', 0],
    ],
  },
];

/** Returns a name that no option set of the scale has. */
export function freeSetName(scale: Scale, wish: string): string {
  let name = wish;
  for (let number = 2; name in scale.optionsets; number++) name = `${wish} ${number}`;
  return name;
}

/** Renames an option set; its questions follow. The order of the sets stays. */
export function renameSet(scale: Scale, from: string, to: string): Scale {
  if (to === from || to === '' || to in scale.optionsets) return scale;
  const optionsets = Object.fromEntries(Object.entries(scale.optionsets).map(([name, set]) => [name === from ? to : name, set]));
  return { ...scale, optionsets, items: scale.items.map((item) => (item.o === from ? { ...item, o: to } : item)) };
}

/** Changes the options of a set. */
export const changeSet = (scale: Scale, name: string, set: readonly OptionRow[]): Scale => ({
  ...scale,
  optionsets: { ...scale.optionsets, [name]: set },
});

/** Removes a set. Questions that used it lose it and become faults. */
export function removeSet(scale: Scale, name: string): Scale {
  const { [name]: _removed, ...optionsets } = scale.optionsets;
  return {
    ...scale,
    optionsets,
    items: scale.items.map((item) => {
      const { o, ...rest } = item;
      return o === name ? rest : item;
    }),
  };
}
