import { column, defineWorksheet } from './column.ts';
import { checkPersons, deriveTeams } from './personChecks.ts';
import {
  BIRTHDAY_HEADS,
  boardingColumn,
  cuseridColumn,
  extraGuardianColumns,
  GENDER_CHOICES,
  leftbehindColumn,
  memberColumns,
  NUMBER_HEADS,
  PHONE_HEADS,
} from './persons.columns.ts';
import { TeamType } from '#domain/base/enums.ts';

/** The roster of a task: teams and their members in one sheet (importAssessTeamRoster). */
export const rosterWorksheet = defineWorksheet(
  [
    column({
      key: 'teamname',
      head: '团体名称',
      kind: 'text',
      required: true,
      maxlength: 60,
      example: '初一（3）班',
      aliases: ['团体', '班级名称', '部门名称', '部门', '所在部门', '科室'],
    }),
    column({
      key: 'teamtype',
      head: '团体类型',
      kind: 'choice',
      choices: [
        { value: TeamType.class, label: '班级', aliases: ['班'] },
        { value: TeamType.dept, label: '部门', aliases: ['科室', '部门/科室'] },
        { value: TeamType.community, label: '社区', aliases: ['机构', '社区/机构'] },
        { value: TeamType.custom, label: '自定义', aliases: ['其他'] },
      ],
      example: '班级',
    }),
    column({ key: 'year', head: '学年', kind: 'text', maxlength: 20, example: '2025-2026' }),
    column({ key: 'grade', head: '年级', kind: 'text', maxlength: 20, example: '初一', aliases: ['所在年级', '年级名称'] }),
    column({
      key: 'classname',
      head: '班级',
      kind: 'text',
      maxlength: 20,
      example: '3班',
      aliases: ['班', '行政班', '所在班级'],
    }),
    column({
      key: 'username',
      head: '姓名',
      kind: 'name',
      required: true,
      maxlength: 50,
      example: '王小明',
      aliases: ['名字', '学生姓名', '员工姓名', '受测者姓名'],
    }),
    column({
      key: 'cuserno',
      head: '学号/工号',
      kind: 'code',
      maxlength: 32,
      example: '00230101',
      aliases: ['工号', '员工编号', ...NUMBER_HEADS],
    }),
    column({
      key: 'phonenumber',
      head: '联系电话',
      kind: 'phone',
      example: '13800000000',
      aliases: PHONE_HEADS,
    }),
    column({ key: 'gender', head: '性别', kind: 'choice', choices: GENDER_CHOICES, example: '男' }),
    column({
      key: 'birthday',
      head: '出生日期',
      kind: 'date',
      past: true,
      example: '2012-09-01',
      aliases: BIRTHDAY_HEADS,
    }),
    { ...boardingColumn, isExtra: true },
    { ...leftbehindColumn, isExtra: true },
    ...extraGuardianColumns,
    ...memberColumns,
    cuseridColumn,
  ],
  {
    name: '测评名单',
    unique: [['teamname', 'cuserno']],
    alike: [['teamname', 'username']],
    derive: deriveTeams,
    check: checkPersons,
  },
);
