import type { ComponentType } from 'react';
import type { Guard, ScreenKey } from '#contract/menu.ts';

/** Fetches a page's code; its default export is the page. */
export type Load = () => Promise<{ default: ComponentType }>;

/** What each screen of the menu shows. A screen that is not here is not in the menu and has no route. */
export const screens: Partial<Record<ScreenKey, Load>> = {
  'authority.roles': () => import('#features/access/RoleListPage.tsx'),
  'authority.menus': () => import('#features/access/MenuPage.tsx'),
  'authority.audit': () => import('#features/audit/AuditListPage.tsx'),
  'data.details': () => import('#features/count/LedgerPage.tsx'),
  'data.counts': () => import('#features/count/CountListPage.tsx'),
  'organization.depts': () => import('#features/org/DeptPage.tsx'),
  'organization.users': () => import('#features/org/UserListPage.tsx'),
  'individual.persons': () => import('#features/cuser/PersonListPage.tsx'),
  'consult.followups': () => import('#features/care/FollowUpListPage.tsx'),
  'group.tasks': () => import('#features/task/TaskListPage.tsx'),
  'group.teams': () => import('#features/team/TeamListPage.tsx'),
  'plans.library': () => import('#features/plan/PlanListPage.tsx'),
  'plans.scales': () => import('#features/form/FormListPage.tsx'),
  'service.institutions': () => import('#features/muser/InstitutionListPage.tsx'),
  'service.providers': () => import('#features/muser/ProviderListPage.tsx'),
  'operations.files': () => import('#features/file/FileListPage.tsx'),
  'period.plans': () => import('#features/app/PeriodPage.tsx'),
  'warning.crisis': () => import('#features/warning/WarningListPage.tsx'),
};

/**
 * Pages that stand in no menu: details of one thing, and the workbench. `guard` is the screen or right they belong to; a page
 * without one is open to everybody who is signed in.
 */
export const details: readonly { path: string; title: string; guard?: Guard; load: Load }[] = [
  {
    path: '/authority/explain',
    title: '为什么看不到',
    guard: 'authority.roles',
    load: () => import('#features/access/ExplainPage.tsx'),
  },
  {
    path: '/authority/trail/:cuserid',
    title: '谁看过',
    guard: 'authority.audit',
    load: () => import('#features/audit/TrailPage.tsx'),
  },
  { path: '/task/new', title: '新建任务', guard: 'group.tasks', load: () => import('#features/task/TaskWizardPage.tsx') },
  {
    path: '/task/administration/:taskcode/:tab?',
    title: '任务看板',
    guard: 'group.tasks',
    load: () => import('#features/task/TaskPage.tsx'),
  },
  {
    path: '/task/show/:taskcode',
    title: '投屏二维码',
    guard: 'group.tasks',
    load: () => import('#features/task/TaskShowPage.tsx'),
  },
  { path: '/task/team/:teamcode', title: '团体名单', guard: 'group.teams', load: () => import('#features/team/TeamPage.tsx') },
  {
    path: '/task/team/:teamcode/qr',
    title: '测评二维码',
    guard: 'group.teams',
    load: () => import('#features/team/TeamQrPage.tsx'),
  },
  {
    path: '/earlyWarning/case/:warningcode',
    title: '预警个案',
    guard: 'warning.crisis',
    load: () => import('#features/warning/CasePage.tsx'),
  },
  {
    path: '/earlyWarning/rules',
    title: '预警规则',
    guard: 'warning.rules',
    load: () => import('#features/warning/RuleListPage.tsx'),
  },
  { path: '/approvals', title: '导出审批', guard: 'exam.export', load: () => import('#features/approval/ApprovalPage.tsx') },
  {
    path: '/Service/opening/institutions/:musercode?',
    title: '开通机构',
    guard: 'service.institutions',
    load: () => import('#features/muser/OpeningPage.tsx'),
  },
  {
    path: '/Service/opening/providers/:musercode?',
    title: '开通服务商',
    guard: 'service.providers',
    load: () => import('#features/muser/OpeningPage.tsx'),
  },
  { path: '/profile/:tab?', title: '个人中心', load: () => import('#console/profile/ProfilePage.tsx') },
  { path: '/workbench', title: '工作台', load: () => import('#features/workbench/WorkbenchPage.tsx') },
  {
    path: '/evaluating/scale/:formcode',
    title: '量表详情',
    guard: 'plans.scales',
    load: () => import('#features/form/FormPage.tsx'),
  },
  { path: '/reports', title: '个体报告', load: () => import('#features/report/ReportListPage.tsx') },
  { path: '/report/:reportcode', title: '个体报告', load: () => import('#features/report/ReportPage.tsx') },
  { path: '/trend/:cuserid', title: '得分趋势', load: () => import('#features/report/TrendPage.tsx') },
];
