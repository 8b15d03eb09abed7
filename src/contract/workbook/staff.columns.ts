import { column, defineWorksheet } from './column.ts';
import { GENDER_CHOICES } from './persons.columns.ts';

/** The staff of an institution in one sheet (bulk creation in 用户管理). */
export const staffWorksheet = defineWorksheet(
  [
    column({
      key: 'sysusername',
      head: '登录账号',
      kind: 'code',
      required: true,
      maxlength: 32,
      example: 'chenjy',
      aliases: ['账号', '用户名'],
    }),
    column({
      key: 'realname',
      head: '姓名',
      kind: 'name',
      required: true,
      maxlength: 32,
      example: '陈静怡',
      aliases: ['名字', '员工姓名', '教师姓名'],
    }),
    column({
      key: 'deptname',
      head: '部门',
      kind: 'text',
      maxlength: 30,
      example: '心理健康中心',
      aliases: ['所属部门', '科室'],
    }),
    column({
      key: 'rolenames',
      head: '角色',
      kind: 'text',
      required: true,
      maxlength: 200,
      example: '心理教师/医生',
      aliases: ['角色名称'],
    }),
    column({ key: 'phonenumber', head: '联系电话', kind: 'phone', example: '13800000000', aliases: ['手机', '手机号', '电话'] }),
    column({ key: 'gender', head: '性别', kind: 'choice', choices: GENDER_CHOICES, example: '女' }),
    column({ key: 'post', head: '职务', kind: 'text', maxlength: 32, example: '心理教师', aliases: ['岗位'] }),
    column({ key: 'duty', head: '接收预警', kind: 'yesno', example: '否', aliases: ['值班'] }),
  ],
  { name: '用户名单', unique: [['sysusername']], alike: [['realname', 'deptname']] },
);
