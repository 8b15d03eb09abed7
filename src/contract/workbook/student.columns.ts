import { column, defineWorksheet } from './column.ts';
import { checkPersons, derivePhases } from './personChecks.ts';
import {
  BIRTHDAY_HEADS,
  boardingColumn,
  GENDER_CHOICES,
  guardianColumns,
  leftbehindColumn,
  memberColumns,
  NUMBER_HEADS,
  PHONE_HEADS,
} from './persons.columns.ts';
import { EduPhase } from '#domain/base/enums.ts';

/** Template A, the student register (importZLBCUserFromExcel). */
export const studentWorksheet = defineWorksheet(
  [
    column({
      key: 'studentno',
      head: '学号',
      kind: 'code',
      maxlength: 32,
      example: '00230101',
      aliases: ['学号/工号', ...NUMBER_HEADS.slice(1)],
    }),
    column({
      key: 'username',
      head: '姓名',
      kind: 'name',
      required: true,
      maxlength: 50,
      example: '王小明',
      aliases: ['名字', '学生姓名'],
    }),
    column({ key: 'gender', head: '性别', kind: 'choice', required: true, choices: GENDER_CHOICES, example: '男' }),
    column({
      key: 'birthday',
      head: '出生日期',
      kind: 'date',
      past: true,
      example: '2012-09-01',
      aliases: BIRTHDAY_HEADS,
    }),
    column({
      key: 'eduphase',
      head: '学段',
      kind: 'choice',
      required: true,
      choices: [
        { value: EduPhase.primary, label: '小学' },
        { value: EduPhase.junior, label: '初中', aliases: ['初级中学'] },
        { value: EduPhase.senior, label: '高中', aliases: ['普通高中', '高级中学'] },
        { value: EduPhase.vocational, label: '中职', aliases: ['职高', '中专', '技校', '职业高中'] },
        { value: EduPhase.university, label: '大学', aliases: ['高校', '大专', '高职', '本科'] },
      ],
      example: '初中',
    }),
    column({
      key: 'grade',
      head: '年级',
      kind: 'text',
      required: true,
      maxlength: 20,
      example: '初一',
      aliases: ['所在年级', '年级名称'],
    }),
    column({
      key: 'classname',
      head: '班级',
      kind: 'text',
      required: true,
      maxlength: 20,
      example: '3班',
      aliases: ['班', '行政班', '班级名称', '所在班级'],
    }),
    column({ key: 'college', head: '院系', kind: 'text', maxlength: 60, aliases: ['学院', '系', '院系名称'] }),
    column({ key: 'dorm', head: '宿舍', kind: 'text', maxlength: 60, aliases: ['寝室', '宿舍号'] }),
    boardingColumn,
    leftbehindColumn,
    column({
      key: 'phonenumber',
      head: '联系电话',
      kind: 'phone',
      example: '13800000000',
      aliases: PHONE_HEADS,
    }),
    ...guardianColumns,
    column({ key: 'headteacher', head: '班主任账号', kind: 'code', maxlength: 50, aliases: ['班主任', '班主任帐号'] }),
    column({ key: 'remark', head: '备注', kind: 'text', maxlength: 500, aliases: ['说明', '注'] }),
    ...memberColumns,
  ],
  {
    name: '学生名册',
    unique: [['studentno']],
    alike: [['classname', 'grade', 'username']],
    derive: derivePhases,
    check: checkPersons,
  },
);
