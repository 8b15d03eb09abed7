import { HEADS, SHEET_NAMES, type Sheet, type SheetName } from '#domain/scoring/exchange/sheets.ts';

/** The rows of the example, by the heads of their sheets. */
const EXAMPLE: Readonly<Partial<Record<SheetName, readonly Readonly<Record<string, string>>[]>>> = {
  量表: [
    {
      ...{ 名称: '近期感受小问卷（示例）', 类型: '自评量表', 适用人群: '学生' },
      ...{ 指导语: '请按最近两周的实际感受选择。', 时间范围: '最近两周', 时长: '2', 最小年龄: '12', 来源: '自编' },
    },
  ],
  题目: [
    { 题号: '1', 题干: '感到精力充沛', 题型: '单选', 选项: '从不=0；偶尔=1；经常=2；总是=3', 反向: '是', 因子: '精力' },
    { 题号: '2', 题干: '做事提不起劲', 因子: '精力' },
    {
      ...{ 题号: '3', 题干: '难以入睡', 因子: '睡眠', 预警条件: '>=3', 预警等级: '1' },
      预警说明: '睡眠困难持续，请关注',
    },
    { 题号: '4', 题干: '还有什么想告诉老师的', 题型: '填空', 输入类型: '纯文本', 必答: '否' },
  ],
};

const GUIDE: readonly (readonly [string, string])[] = [
  ['量表', '名称、类型、适用人群等，写在第 2 行'],
  ['题目', '只有这张表必填。一题一行；选项空着时与上一题相同；也可以写“选项组”里的名称'],
  ['选项组', '多题共用的选项，一个选项一行；不计分的选项，分值写“不计分”'],
  ['得分', '不填时自动生成总分，并为每个因子生成一个得分。算法：求和、平均、最大、最小、计数>=2、加权、引用、比值'],
  ['等级', '每个得分的分段：0 无 · 1 轻 · 2 中 · 3 重 · 4 极重。下限、上限都包含在内时，边界写“闭”'],
  ['常模', '按性别、年龄的均值和标准差，用于换算标准分'],
  ['规则', '预警、效度、跳题、续测。条件例如 q3>=2 且 总分<10；一个条件里只用一种连接词'],
];

/** The empty workbook that authors fill: all sheets with their heads, an example, and a guide. */
export const templateSheets = (): Sheet[] => [
  ...SHEET_NAMES.map((name) => ({
    name: name as string,
    rows: [HEADS[name], ...(EXAMPLE[name] ?? []).map((cells) => HEADS[name].map((head) => cells[head.replace('*', '')] ?? ''))],
  })),
  { name: '填写说明', rows: [['工作表', '怎么填'], ...GUIDE] },
];
