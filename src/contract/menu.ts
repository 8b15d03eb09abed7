/**
 * The table of permission codes, routes and titles: specification section 2, plus the screens and features of the design.
 * Actions name the keys of this file, never codes. The console builds its routes from it.
 */

export interface Screen {
  /** Permission code, compared as a whole string (`000032` is not `00032`). */
  code: string;
  /** Path below the path of its directory. */
  path: string;
  title: string;
  hidden?: boolean;
}
export interface Directory {
  path: string;
  /** Router name, if the specification has one. */
  name?: string;
  code?: string;
  title: string;
  /** Tabler icon name; the console resolves it. */
  icon: string;
  hidden?: boolean;
  alwaysShow?: boolean;
  screens: Readonly<Record<string, Screen>>;
}

const directory = <const S extends Readonly<Record<string, Screen>>>(value: Omit<Directory, 'screens'> & { screens: S }) => value;

/** All directories with their screens. */
export const menu = {
  data: directory({ path: '/Datastatistics', code: '00051', title: '数据报表', icon: 'report', screens: {
    'data.details': { code: '00052', path: 'Datastatistics', title: '方案授权明细' },
    'data.counts': { code: '00053', path: 'Datastatisticst', title: '方案授权统计' },
  } }),
  statistics1: directory({ path: '/statistics', name: 'statistics1', code: '00010', title: '统计分析', icon: 'chart', screens: {
    'statistics.school': { code: '00011', path: 'statistics', title: '数据分析' },
    'statistics.reports': { code: '00012', path: 'usersReportS', title: '报告分析' },
  } }),
  statisticsN: directory({ path: '/statisticsN', name: 'statisticsN', code: '00010', title: '统计分析', icon: 'chart', screens: {
    'statistics.hospital': { code: '00011', path: 'statisticsN', title: '数据分析' },
  } }),
  individual: directory({ path: '/empower', code: '00018', title: '个体测评', icon: 'user', alwaysShow: true, screens: {
    'individual.maternity': { code: '0000000011', path: 'maternity', title: '孕产妇' },
    'individual.students': { code: '0000000022', path: 'youngsters', title: '学生' },
    'individual.workers': { code: '0000000033', path: 'highPressure', title: '高压职业人群' },
    'individual.elders': { code: '0000000044', path: 'theOld', title: '中老年人' },
    'individual.persons': { code: '001801', path: 'individualAssessment', title: '个体管理' },
    'individual.ai': { code: '001802', path: 'individualReport', title: 'AI个体报告' },
    'individual.maternity1': { code: '000032', path: 'usersReport01', title: '孕产妇1.0' },
  } }),
  group: directory({ path: '/task', code: '00040', title: '团体测评', icon: 'users', screens: {
    'group.teams': { code: '00042', path: 'teamManagement', title: '团体管理' },
    'group.tasks': { code: '00041', path: 'administration', title: '任务管理' },
    'group.ai': { code: '00043', path: 'groupReport', title: 'AI团体报告' },
  } }),
  warning: directory({ path: '/earlyWarning', code: '00013', title: '预警管理', icon: 'alert', screens: {
    'warning.crisis': { code: '00046', path: 'earlyWarningLevel', title: '危机预警' },
  } }),
  archives: directory({ path: '/archives', code: '00008', title: '档案管理', icon: 'archive', screens: {
    'archives.all': { code: '00049', path: 'archives_gl_all', title: '全部' },
    'archives.maternity': { code: '000000001', path: 'archives_gl_yf', title: '孕产妇' },
    'archives.students': { code: '000000002', path: 'archives_gl_ye', title: '学生' },
    'archives.workers': { code: '000000003', path: 'archives_gl_yg', title: '高压职业' },
    'archives.elders': { code: '000000004', path: 'archives_gl_yl', title: '老年人' },
  } }),
  plans: directory({ path: '/evaluating', code: '00001', title: '方案管理', icon: 'clipboard', screens: {
    'plans.library': { code: '00002', path: 'newInstitutionalEvaluation', title: '方案库' },
    'plans.scales': { code: '00003', path: 'evaluationScale', title: '量表库' },
    'plans.comments': { code: '00004', path: 'scaleComments', title: '资料库' },
  } }),
  consult: directory({ path: '/registration', code: '00015', title: '咨询管理', icon: 'message', screens: {
    'consult.forms': { code: '00016', path: 'registrationForm', title: '登记表管理' },
    'consult.followups': { code: '00017', path: 'followUpManagement', title: '随访管理' },
  } }),
  service: directory({ path: '/Service', code: '00020', title: '服务商管理', icon: 'building', screens: {
    'service.institutions': { code: '00021', path: 'terminal', title: '机构管理' },
    'service.providers': { code: '00022', path: 'usersManager', title: '服务商管理' },
  } }),
  authority: directory({ path: '/authority', code: '00023', title: '权限管理', icon: 'shield', screens: {
    'authority.roles': { code: '000311', path: 'roleAdministration', title: '角色管理' },
    'authority.menus': { code: '00031', path: 'earlyWarningC', title: '菜单管理' },
    'authority.audit': { code: '00054', path: 'auditLog', title: '审计日志' },
  } }),
  organization: directory({ path: '/organization', code: '00048', title: '行政管理', icon: 'sitemap', screens: {
    'organization.depts': { code: '000312', path: 'dept', title: '部门管理' },
    'organization.users': { code: '000313', path: 'user', title: '用户管理' },
  } }),
  operations: directory({ path: '/operations', code: '00025', title: '运营管理', icon: 'speakerphone', screens: {
    'operations.goods': { code: '00026', path: 'goodsManagement', title: '商品管理' },
    'operations.articles': { code: '00028', path: 'dashboards', title: '推文管理' },
    'operations.music': { code: '00039', path: 'musicManagement', title: '音乐管理' },
    'operations.courses': { code: '00050', path: 'cloudClassroom', title: '云课堂' },
    'operations.files': { code: '00030', path: 'fileUpload', title: '文件上传' },
    'operations.orders': { code: '00027', path: 'orderManagement', title: '订单管理' },
  } }),
  period: directory({ path: '/period', title: '测评计划管理', icon: 'calendar', hidden: true, screens: {
    'period.plans': { code: '00029', path: 'periodManagement', title: '测评计划管理', hidden: true },
  } }),
} as const; // prettier-ignore

type Directories = typeof menu;
export type ScreenKey = { [D in keyof Directories]: keyof Directories[D]['screens'] }[keyof Directories] & string;

/** Rights without a screen (design: conventions.md 0.4). */
export const features = {
  'plan.edit': { code: '00005', title: '方案新增/修改/删除' },
  'form.edit': { code: '00006', title: '量表编辑/发布' },
  'archive.import': { code: '00007', title: '档案导入' },
  'archive.export': { code: '00009', title: '档案导出' },
  'warning.handle': { code: '00014', title: '预警处置' },
  'warning.rules': { code: '00045', title: '预警规则配置' },
  'grant.persons': { code: '00019', title: '授权发放/清零' },
  'grant.institutions': { code: '00036', title: '机构次数发放/测评码' },
  'account.loginAs': { code: '00024', title: '代登录' },
  'account.resetQr': { code: '00037', title: '二维码重置' },
  'order.refund': { code: '00032', title: '订单退款' },
  'report.edit': { code: '00033', title: '报告编辑/显示隐藏' },
  'exam.export': { code: '00034', title: '测评数据导出' },
  'exam.answers': { code: '00035', title: '查看原始作答' },
  'person.unmasked': { code: '00055', title: '查看未脱敏信息' },
  'task.edit': { code: '00038', title: '任务新增/修改/删除' },
  'roster.edit': { code: '00044', title: '名册导入/删除' },
  'care.edit': { code: '00047', title: '干预/随访/咨询记录编辑' },
  'team.shortcut': { code: '0000901', title: '名册快捷入口' },
} as const;
export type Feature = keyof typeof features;
export type Guard = ScreenKey | Feature;

const codes = new Map<string, string>([
  ...Object.values(menu).flatMap((dir: Directory) =>
    Object.entries(dir.screens).map(([key, screen]): [string, string] => [key, screen.code]),
  ),
  ...Object.entries(features).map(([key, feature]): [string, string] => [key, feature.code]),
]);

/** The permission code of a screen or a feature. */
export const codeOf = (guard: Guard): string => codes.get(guard) as string;
/** The permission codes of several screens or features. */
export const codesOf = (guards: readonly Guard[]): string[] => guards.map(codeOf);

/** All codes. The super account has them when it signs in as itself and not as a member of staff. */
export const allCodes: readonly string[] = [
  ...new Set([
    ...Object.values(menu).flatMap((dir: Directory) => [
      ...(dir.code ? [dir.code] : []),
      ...Object.values(dir.screens).map((screen) => screen.code),
    ]),
    ...Object.values(features).map((feature) => feature.code),
  ]),
];

/** The full path of a screen. */
export function pathOf(key: ScreenKey): string {
  for (const dir of Object.values(menu) as Directory[]) {
    const screen = dir.screens[key];
    if (screen) return `${dir.path}/${screen.path}`;
  }
  throw new RangeError(key);
}
