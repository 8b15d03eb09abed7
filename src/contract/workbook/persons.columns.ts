import { column, type Choice } from './column.ts';
import { Gender } from '#domain/base/enums.ts';

/** The columns that the sheets of persons share, with the heads and codes of the national student register (学籍). */

/** The words for the two genders in sheets. */
export const GENDER_CHOICES = [
  { value: Gender.male, label: '男', aliases: ['男性', '男生', 'M', 'male', '1'] },
  { value: Gender.female, label: '女', aliases: ['女性', '女生', 'F', 'female', '2'] },
] as const satisfies readonly Choice[];

/** The heads of a student number, best first: the school's own, then the register's, whose long form contains the ID number. */
export const NUMBER_HEADS = ['学号', '学生编号', '学籍辅号', '学籍号', '全国学籍号', '考号'] as const;
/** The heads of a birthday. */
export const BIRTHDAY_HEADS = ['生日', '出生年月日', '出生年月', '出生时间'] as const;
/** The heads of the person's own telephone. */
export const PHONE_HEADS = ['手机', '手机号', '手机号码', '电话', '电话号码', '联系方式', '本人电话'] as const;

/** The heads of an ID number. */
const IDNO_HEADS = ['身份证号', '身份证号码', '身份证', '证件号', '证件号码', '居民身份证号'] as const;
/** 受测者编号 of our own export: it finds the person first of all keys. */
export const cuseridColumn = column({ key: 'cuserid', head: '受测者编号', kind: 'code', maxlength: 20, isExtra: true });
/** The ID number of an adult. The server keeps its keyed hash only, which finds the person again. */
export const adultIdnoColumn = column({ key: 'idno', head: '身份证件号', kind: 'idno', isExtra: true, aliases: IDNO_HEADS });

const memberHeads = (n: string, digit: string, words: readonly string[]) =>
  [
    `成员${n}`,
    `成员${digit}`,
    `家庭成员${n}`,
    `家庭成员${digit}`,
    `监护人${n}`,
    `监护人${digit}`,
    `家长${n}`,
    `家长${digit}`,
  ].flatMap((member) => words.map((word) => `${member}${word}`));

export const boardingColumn = column({
  key: 'boarding',
  head: '是否寄宿',
  kind: 'yesno',
  example: '是',
  aliases: ['寄宿', '住校', '是否住校', '是否住宿', '就读方式'],
  codes: {
    就读方式: { 1: '否', 走读: '否', 走读生: '否', 2: '是', 住校: '是', 住校生: '是', 寄宿: '是', 寄宿生: '是', 住宿: '是' },
  },
});
const LEFT_BEHIND = {
  0: '否',
  非留守: '否',
  非留守儿童: '否',
  1: '是',
  单亲留守: '是',
  单亲留守儿童: '是',
  2: '是',
  双亲留守: '是',
  双亲留守儿童: '是',
};
export const leftbehindColumn = column({
  key: 'leftbehind',
  head: '是否留守',
  kind: 'yesno',
  example: '否',
  aliases: ['留守', '留守儿童', '是否留守儿童'],
  codes: { 是否留守: LEFT_BEHIND, 留守: LEFT_BEHIND, 留守儿童: LEFT_BEHIND, 是否留守儿童: LEFT_BEHIND },
});

const guardianname = {
  key: 'guardianname',
  head: '监护人姓名',
  kind: 'name',
  maxlength: 50,
  example: '王建国',
  aliases: ['监护人', '家长姓名', '家长', '父亲姓名', '父亲', '爸爸姓名', ...memberHeads('1', '一', ['姓名'])],
} as const;
const guardianrelation = {
  key: 'guardianrelation',
  head: '监护人关系',
  kind: 'text',
  maxlength: 20,
  example: '父亲',
  aliases: ['与监护人关系', '关系', '家长关系', ...memberHeads('1', '一', ['关系'])],
} as const;
const guardianphone = {
  key: 'guardianphone',
  head: '监护人电话',
  kind: 'phone',
  example: '13900000000',
  aliases: [
    '家长电话',
    '监护人联系电话',
    '家长手机',
    '监护人手机号',
    '家长联系电话',
    '父亲电话',
    '父亲手机',
    '父亲联系电话',
    '爸爸电话',
    ...memberHeads('1', '一', ['联系电话', '电话', '手机']),
  ],
} as const;

/** The guardian of the template. */
export const guardianColumns = [column(guardianname), column(guardianrelation), column(guardianphone)] as const;
/** The same guardian in a sheet whose template has none. */
export const extraGuardianColumns = [
  column({ ...guardianname, isExtra: true }),
  column({ ...guardianrelation, isExtra: true }),
  column({ ...guardianphone, isExtra: true }),
] as const;

/** Which member is the guardian, the second guardian, and the ID number, which only checks the birthday. */
export const memberColumns = [
  column({
    key: 'guardianmark',
    head: '监护人标记',
    kind: 'yesno',
    isExtra: true,
    aliases: memberHeads('1', '一', ['是否监护人']),
  }),
  column({
    key: 'guardian2name',
    head: '第二监护人姓名',
    kind: 'name',
    maxlength: 50,
    isExtra: true,
    aliases: ['母亲姓名', '母亲', '妈妈姓名', ...memberHeads('2', '二', ['姓名'])],
  }),
  column({
    key: 'guardian2relation',
    head: '第二监护人关系',
    kind: 'text',
    maxlength: 20,
    isExtra: true,
    aliases: memberHeads('2', '二', ['关系']),
  }),
  column({
    key: 'guardian2phone',
    head: '第二监护人电话',
    kind: 'phone',
    isExtra: true,
    aliases: ['母亲电话', '母亲手机', '母亲联系电话', '妈妈电话', ...memberHeads('2', '二', ['联系电话', '电话', '手机'])],
  }),
  column({
    key: 'guardian2mark',
    head: '第二监护人标记',
    kind: 'yesno',
    isExtra: true,
    aliases: memberHeads('2', '二', ['是否监护人']),
  }),
  column({
    key: 'idno',
    head: '身份证件号',
    kind: 'text',
    isExtra: true,
    isCheckOnly: true,
    aliases: IDNO_HEADS,
  }),
] as const;
