import { allCodes, codeOf, menu, type Guard } from '#contract/menu.ts';

const dir = (name: keyof typeof menu) => {
  const { code, screens } = menu[name] as { code?: string; screens: Record<string, { code: string }> };
  return [...(code ? [code] : []), ...Object.values(screens).map((screen) => screen.code)];
};
const codes = (...guards: Guard[]) => guards.map(codeOf);
const without = (all: readonly string[], ...removed: string[]) => all.filter((code) => !removed.includes(code));

const institution = without(
  allCodes,
  ...dir('service'),
  ...codes('authority.menus', 'account.loginAs', 'order.refund'),
  ...dir('operations'),
);
const narrowed = [...dir('group').filter((code) => code !== '00043'), ...codes('team.shortcut'), '00013', '00046'];

/** The roles every institution may give out (conventions.md 0.4). A code the institution lacks stays without effect. */
export const roles = [
  { rolekey: 'platformadmin', rolename: '平台管理员', rolesort: 1, datascope: 1, codes: [...allCodes], remark: '全部权限' },
  {
    rolekey: 'provideradmin',
    rolename: '服务商管理员',
    rolesort: 2,
    datascope: 1,
    codes: without(allCodes, ...codes('authority.menus')),
    remark: '管理下级机构',
  },
  {
    rolekey: 'authorityviewer',
    rolename: '主管部门查看',
    rolesort: 3,
    datascope: 1,
    codes: [...dir('statistics1'), ...dir('data'), '00013', '00046'],
    remark: '查看统计，不见姓名',
  },
  { rolekey: 'insadmin', rolename: '机构管理员', rolesort: 4, datascope: 1, codes: institution, remark: '本机构全部业务与人员' },
  {
    rolekey: 'psychologist',
    rolename: '心理教师/医生',
    rolesort: 5,
    datascope: 1,
    codes: [
      ...new Set([
        ...dir('individual'),
        ...dir('group'),
        ...dir('warning'),
        ...dir('archives'),
        ...dir('consult'),
        ...dir('statistics1'),
        ...dir('statisticsN'),
        ...dir('plans'),
        ...codes(
          'warning.handle',
          'warning.rules',
          'care.edit',
          'report.edit',
          'exam.answers',
          'exam.export',
          'person.unmasked',
          'task.edit',
          'roster.edit',
          'grant.persons',
          'archive.import',
          'archive.export',
          'plan.edit',
          'form.edit',
        ),
      ]),
    ],
    remark: '测评、预警处置、随访与咨询',
  },
  {
    rolekey: 'classteacher',
    rolename: '班主任/护士',
    rolesort: 6,
    datascope: 5,
    codes: narrowed,
    remark: '只见自己负责的团体，不见分数与作答',
  },
  {
    rolekey: 'operator',
    rolename: '运营',
    rolesort: 7,
    datascope: 1,
    codes: [...dir('operations'), ...codes('order.refund')],
    remark: '商品、内容与订单',
  },
  {
    rolekey: 'warningduty',
    rolename: '预警值守',
    rolesort: 8,
    datascope: 1,
    codes: [
      '00013',
      '00046',
      ...codes('warning.handle', 'consult.followups', 'care.edit', 'individual.persons', 'person.unmasked'),
    ],
    remark: '夜间与节假日值守',
  },
];
