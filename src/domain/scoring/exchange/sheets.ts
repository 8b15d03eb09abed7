/** The worksheets of a scale in Excel: names, heads and the words of their cells (supplement-scales-operations.md, section 1). */

/** A worksheet as texts. Row 1 has the heads. */
export interface Sheet {
  name: string;
  rows: readonly (readonly string[])[];
}

/** A finding about a worksheet. `row` counts as Excel does; 0: the whole sheet. Errors stop the import. */
export interface SheetFault {
  kind: 'error' | 'notice';
  sheet: string;
  row: number;
  /** the head of the column; '' for the whole row */
  column: string;
  message: string;
}

export type SheetName = '量表' | '题目' | '选项组' | '得分' | '等级' | '常模' | '规则';

/** The heads of each sheet; `*` marks those that a row must fill. */
export const HEADS: Readonly<Record<SheetName, readonly string[]>> = {
  量表: ['名称*', '类型', '适用人群', '指导语', '时间范围', '时长', '最小年龄', '最大年龄', '来源', '出处', '其他'],
  题目: [
    ...['题号', '题干*', '题型', '输入类型', '选项', '反向', '因子', '必答', '计分'],
    ...['显示条件', '预警条件', '预警等级', '预警说明', '敏感', '小标题', '其他'],
  ],
  选项组: ['名称*', '编码', '选项*', '分值*'],
  得分: [
    ...['编码', '名称*', '算法*', '题目或得分*', '权重', '缺失上限', '缺失处理', '换算'],
    ...['主要', '领域', '方向', '其他'],
  ],
  等级: ['得分*', '下限', '上限', '等级*', '名称*', '边界'],
  常模: ['名称*', '性别', '年龄下限', '年龄上限', '均值*', '标准差*', '样本量', '年份', '来源*', '其他'],
  规则: ['类型*', '编码', '条件*', '等级或动作', '说明*'],
};
export const SHEET_NAMES = Object.keys(HEADS) as SheetName[];

/** Other words that authors use as heads. */
export const HEAD_WORDS: Readonly<Record<string, string>> = {
  序号: '题号',
  编号: '题号',
  题目: '题干',
  题目内容: '题干',
  问题: '题干',
  内容: '题干',
  条目: '题干',
  类型: '题型',
  选项组: '选项',
  反向计分: '反向',
  维度: '因子',
  分量表: '因子',
  是否必答: '必答',
  必填: '必答',
  量表名称: '名称',
  分数: '分值',
  得分: '分值',
  说明: '预警说明',
};

/** Two directions of the words of a cell: word to value, and value to its first word. */
export interface Words<Value> {
  read: (text: string) => Value | undefined;
  print: (value: Value) => string;
}

/** The words of a list of pairs. The first word of a value is the printed one. */
export function wordsOf<Value>(pairs: readonly (readonly [Value, ...string[]])[]): Words<Value> {
  const values = new Map(pairs.flatMap(([value, ...words]) => words.map((word) => [word, value] as const)));
  const printed = new Map(pairs.map(([value, word]) => [value, word ?? '']));
  return { read: (text) => values.get(text), print: (value) => printed.get(value) ?? '' };
}

export const formTypes = wordsOf<'01' | '02' | '03' | '04'>([
  ['01', '自评量表', '自评', '量表', '01'],
  ['02', '用户档案表', '档案表', '档案', '02'],
  ['03', '登记表', '登记', '03'],
  ['04', '他评量表', '他评', '04'],
]);
export const tiers = wordsOf<'A' | 'B' | 'C' | 'S'>([
  ['S', '自编', '自编量表', 'S', 's'],
  ['A', '公有领域', '可自由使用', 'A', 'a'],
  ['B', '附条件', '附条件使用', 'B', 'b'],
  ['C', '已获授权', '需授权文本', '授权', 'C', 'c'],
]);
/** 单选 is the type of an item that names none. */
export const itemTypes = wordsOf<0 | 1 | 2>([
  [1, '单选', '单选题', '选择', '选择题', '判断', '判断题'],
  [2, '多选', '多选题'],
  [0, '填空', '填空题', '问答', '问答题'],
]);
export const inputTypes = wordsOf<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8>([
  [0, '纯文本', '文本', '文字', '0'],
  [1, '整数', '1'],
  [2, '小数', '数字', '2'],
  [3, '日期', '3'],
  [4, '时间', '4'],
  [5, '日期时间', '5'],
  [6, '时间范围', '时间段', '6'],
  [7, '数字选择器', '滑块', '7'],
  [8, '省市区选择器', '地区', '行政区', '8'],
]);
export const operations = wordsOf<'sum' | 'mean' | 'max' | 'min' | 'count' | 'weighted' | 'ref' | 'ratio'>([
  ['sum', '求和', '总和', '相加', '合计', 'sum'],
  ['mean', '平均', '平均分', '均分', '均值', 'mean'],
  ['max', '最大', '最高', '最大值', 'max'],
  ['min', '最小', '最低', '最小值', 'min'],
  ['count', '计数', '题数', 'count'],
  ['weighted', '加权', '加权求和', 'weighted'],
  ['ref', '引用', '取得分', 'ref'],
  ['ratio', '比值', '相除', 'ratio'],
]);
export const missings = wordsOf<'prorate' | 'zero'>([
  ['prorate', '折算', '按已答折算', '按已答题目换算', 'prorate'],
  ['zero', '计0分', '计0', '按0分', '0', 'zero'],
]);
export const domains = wordsOf<'01' | '02' | '03' | '04' | '05' | '06' | '07' | '08'>([
  ['01', '抑郁', '01', '1'],
  ['02', '焦虑', '02', '2'],
  ['03', '压力', '压力与困扰', '03', '3'],
  ['04', '躯体', '躯体症状', '04', '4'],
  ['05', '睡眠', '05', '5'],
  ['06', '幸福感', '06', '6'],
  ['07', '自杀风险', '07', '7'],
  ['08', '其他', '08', '8'],
]);
export const directions = wordsOf<'low' | 'high'>([
  ['low', '越低越好', '低', '低分为好', '负向'],
  ['high', '越高越好', '高', '高分为好', '正向'],
]);
export const bandModes = wordsOf<'closed' | 'halfopen'>([
  ['closed', '闭', '闭区间'],
  ['halfopen', '半开', '半开区间', '左闭右开'],
]);
export const actions = wordsOf<'invalid' | 'warn'>([
  ['invalid', '作废', '无效', 'invalid'],
  ['warn', '提示', '提醒', 'warn'],
]);
export const genders = wordsOf<'01' | '02'>([
  ['01', '男', '男性', '01', '1'],
  ['02', '女', '女性', '02', '2'],
]);
