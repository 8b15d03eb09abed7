import type { Tone } from '#ui/display/badges.tsx';

/** The parts of a definition in Chinese, in the order of the editor. */
export const partTitles: Readonly<Record<string, string>> = {
  form: '基本信息',
  items: '题目',
  optionsets: '选项组',
  scores: '得分',
  bands: '等级',
  alerts: '预警',
  validity: '效度',
  derive: '跳题与换算',
  nextform: '续测',
  norms: '常模',
  licence: '授权',
};

/** The sizes of a change, with what they mean for results. */
export const sizeTexts: Readonly<Record<string, string>> = {
  major: '大改动：同一份答卷的得分、等级或预警可能不同，前后结果不再直接比较',
  minor: '小改动：计分不变，只动了不计分的题目、顺序或限制',
  patch: '文字改动：只改了文字，计分与结果不变',
  none: '没有改动',
};

/** The status of a version: its name and colour. */
export const versionStatuses: Readonly<Record<number, readonly [title: string, tone: Tone]>> = {
  0: ['草稿', 'amber'],
  1: ['现行', 'green'],
  2: ['已被替代', 'gray'],
  3: ['已撤回', 'orange'],
};

/** Returns the path of the editor of a questionnaire. */
export const editorPath = (formcode: string) => `/evaluating/evaluationScale/edit?formcode=${formcode}`;
