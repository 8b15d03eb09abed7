import { adminRoleKey } from '#domain/tenant/access.ts';
import { allCodes, codeOf, menu, type Guard } from '#contract/menu.ts';

const codesOfDirectory = (name: keyof typeof menu) => {
  const { code, screens } = menu[name] as { code?: string; screens: Record<string, { code: string }> };
  return [...(code ? [code] : []), ...Object.values(screens).map((screen) => screen.code)];
};
const codes = (...guards: Guard[]) => guards.map(codeOf);
const without = (source: readonly string[], ...removed: string[]) => source.filter((code) => !removed.includes(code));

/** 推文管理, with the directory in which it stands: institutions write articles for their own persons and staff. */
const articleCodes = ['00025', ...codes('operations.articles')];
const institution = [
  ...without(
    allCodes,
    ...codesOfDirectory('service'),
    ...codes('authority.menus', 'account.loginAs', 'order.refund'),
    ...codesOfDirectory('operations'),
  ),
  ...articleCodes,
  ...codes('operations.orders'),
];
const ownTeamsCodes = [
  ...codesOfDirectory('group').filter((code) => code !== '00043'),
  ...codes('team.shortcut'),
  '00013',
  '00046',
];

/** The roles that every institution may assign (conventions.md 0.4). A code that the institution lacks has no effect. */
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
    codes: [...codesOfDirectory('statistics1'), '00013', '00046'],
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
        ...codesOfDirectory('individual'),
        ...codesOfDirectory('group'),
        ...codesOfDirectory('warning'),
        ...codesOfDirectory('archives'),
        ...codesOfDirectory('consult'),
        ...codesOfDirectory('statistics1'),
        ...codesOfDirectory('statisticsN'),
        ...codesOfDirectory('plans'),
        ...articleCodes,
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
    remark: '测评、预警处置、随访、咨询与推文',
  },
  {
    rolekey: 'classteacher',
    rolename: '班主任',
    rolesort: 6,
    datascope: 5,
    codes: ownTeamsCodes,
    remark: '只见自己负责的团体，不见分数与作答',
  },
  {
    rolekey: 'nurse',
    rolename: '护士',
    rolesort: 9,
    datascope: 1,
    codes: [
      '00018',
      '00008',
      '00013',
      '00015',
      ...codes(
        'individual.maternity',
        'individual.elders',
        'archives.maternity',
        'archives.elders',
        'archive.import',
        'grant.persons',
        'warning.crisis',
        'warning.handle',
        'consult.followups',
        'care.edit',
      ),
    ],
    remark: '孕产妇与中老年：建档、测评、预警处置与随访',
  },
  {
    rolekey: 'operator',
    rolename: '运营',
    rolesort: 7,
    datascope: 1,
    codes: [...codesOfDirectory('operations'), ...codes('order.refund')],
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
      '00015',
      '00018',
      ...codes('warning.handle', 'consult.followups', 'care.edit', 'individual.persons', 'person.unmasked'),
    ],
    remark: '夜间与节假日值守',
  },
  {
    rolekey: adminRoleKey,
    rolename: '超级管理员',
    rolesort: 0,
    datascope: 1,
    codes: [...allCodes],
    remark: '本机构已开通的全部页面和功能',
  },
];
