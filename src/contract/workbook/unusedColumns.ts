import { halfWidth, plainHead } from './column.ts';

/** Why an import does not take a column: the less it takes of a child, the better. */

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(受测者编号|档案号)$/, '已由别的列认出人员，或由系统编号'],
  [/^(心理状态|当前预警|重点关注|测评次数|最近测评|负责人|所属机构|登记时间)$/, '由系统得出，导入不改变'],
  [/孕周|建册日期|建档日期|建卡日期|登记日期|初检日期|入职/, '只用来推算或核对日期，不另存'],
  [/风险|五色/, '妊娠风险分级不自动换成“是否高危”，请核对后另填'],
  [/门诊号|就诊|住院号|病历号|医保|社保/, '就诊号与医保号不采集'],
  [/身高|体重|血压|血糖|心率|腰围|体质|诊断|既往|症状|检查|化验|用药|吸烟|饮酒/, '诊疗和体检指标不采集'],
  [/工资|薪|银行|合同|学历|婚姻|职称|政治/, '与测评无关，不采集'],
  [/身份证|证件/, '证件号不采集，只用来核对出生日期'],
  [/健康|残疾|随班就读|血型|病史|过敏/, '健康信息不从名册采集'],
  [/民族|籍贯|国籍|港澳台|政治面貌|宗教|出生地/, '与测评无关，不采集'],
  [/户口|户籍|住址|地址|邮编|邮政编码/, '住址和户籍不采集'],
  [/独生|孤儿|烈士|优抚|随迁|学前教育|贫困|低保|资助|单亲|离异/, '家庭情况不采集'],
  [/照片|电子信箱|邮箱|主页|曾用名|拼音|特长|有效期/, '与测评无关，不采集'],
  [/工作单位|职务|职业/, '监护人只取姓名、关系和电话'],
  [/成员|监护人|家长/, '只取前两位监护人的姓名、关系和电话'],
  [/班内学号|班内序号|班级学号|座号|座位号/, '只在班内唯一；名单没有学号时，可与班级合成学号'],
  [/^(序号|编号|no\.?|#)$/, '是表格的行号'],
  [/入学|学生来源|学籍号|学籍辅号/, '没有对应的档案项，或已取了更合适的一列'],
];

/** The reason for an unused column, as users read it. */
export const whyUnused = (head: string): string =>
  REASONS.find(([pattern]) => pattern.test(plainHead(head)))?.[1] ?? '没有对应的档案项，可在上面选择含义';

const SENSITIVE = new RegExp(
  [
    '身份证|证件|民族|籍贯|政治面貌|宗教|户口|户籍|住址|地址|独生|孤儿|烈士|优抚|贫困|低保|离异|婚姻',
    '健康|残疾|病史|过敏|身高|体重|血压|血糖|心率|诊断|既往|症状|检查|化验|用药|工资|薪|银行',
  ].join('|'),
);
const IDNO = /(?<!\d)\d{6}((?:19|20)\d{6})\d{3}[\dX](?!\d)/gi;

/**
 * The cell of an unused column as the server stores it: nothing, if the column is about health, home or origin. Of an ID number only
 * the day of birth stays, because it checks the birthday.
 */
export function withoutSensitive(head: string, text: string): string {
  if (!SENSITIVE.test(plainHead(head))) return text;
  const born = [...halfWidth(text).matchAll(IDNO)][0]?.[1];
  return born ? `******${born}****` : '';
}

/** The words that belong to the family member before them: 成员1姓名, 关系, 联系电话, 成员2姓名, 关系 … */
const MEMBER_WORDS = /^(关系|联系电话|电话|手机|是否监护人|身份证件类型|身份证件号|民族|工作单位|职务|现住址|户口所在地)$/;

/** The heads with the family member that they belong to. */
export function qualifyHeads(heads: readonly string[]): string[] {
  let member = '';
  return heads.map((head) => {
    const plain = plainHead(head);
    const name = /^((?:家庭)?成员[0-9一二三四五六])姓名$/.exec(plain)?.[1];
    if (name) member = name;
    if (!name && member && MEMBER_WORDS.test(plain)) return `${member}${plain}`;
    if (!name && plain !== '' && !plain.startsWith(member)) member = '';
    return head;
  });
}
