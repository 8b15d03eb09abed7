import type { ComponentType } from 'react';
import type { Guard, ScreenKey } from '#contract/menu.ts';
import { archivePaths, personScreens, reportPaths, reportScreens } from '#contract/population.ts';
import { lazyPage } from '#ui/router/lazyDialog.tsx';

/** A page of the console. Its code loads when the page is first shown. */
export interface Screen {
  Page: ComponentType;
  /** Loads the code before the page is opened. Opening the page reports errors. */
  prefetch: () => Promise<unknown>;
}

/** Makes a page. `load` imports a file whose default export is the page. */
export const screen = (load: () => Promise<{ default: ComponentType }>): Screen => ({
  Page: lazyPage(load),
  prefetch: () => load().catch(() => undefined),
});

/** The page of each screen in the menu. A screen without a page is not in the menu and has no route. */
export const screens: Partial<Record<ScreenKey, Screen>> = {
  'authority.roles': screen(() => import('#features/access/role/RoleListPage.tsx')),
  'authority.menus': screen(() => import('#features/access/menu/MenuPage.tsx')),
  'authority.audit': screen(() => import('#features/audit/AuditListPage.tsx')),
  'data.details': screen(() => import('#features/assesscount/LedgerPage.tsx')),
  'data.counts': screen(() => import('#features/assesscount/CountListPage.tsx')),
  'statistics.school': screen(() => import('#console/StatisticsOfCaller.tsx')),
  'organization.depts': screen(() => import('#features/org/dept/DeptPage.tsx')),
  'organization.users': screen(() => import('#features/org/user/UserListPage.tsx')),
  'archives.all': screen(() =>
    import('#features/archive/list/ArchiveListPage.tsx').then((file) => ({ default: file.AllArchives })),
  ),
  'archives.maternity': screen(() =>
    import('#features/archive/list/ArchiveListPage.tsx').then((file) => ({ default: file.MaternityArchives })),
  ),
  'archives.students': screen(() =>
    import('#features/archive/list/ArchiveListPage.tsx').then((file) => ({ default: file.StudentArchives })),
  ),
  'archives.workers': screen(() =>
    import('#features/archive/list/ArchiveListPage.tsx').then((file) => ({ default: file.WorkerArchives })),
  ),
  'archives.elders': screen(() =>
    import('#features/archive/list/ArchiveListPage.tsx').then((file) => ({ default: file.ElderArchives })),
  ),
  'individual.maternity': screen(() =>
    import('#features/assess/PopulationPage.tsx').then((file) => ({ default: file.MaternityPage })),
  ),
  'individual.students': screen(() =>
    import('#features/assess/PopulationPage.tsx').then((file) => ({ default: file.StudentsPage })),
  ),
  'individual.workers': screen(() =>
    import('#features/assess/PopulationPage.tsx').then((file) => ({ default: file.WorkersPage })),
  ),
  'individual.elders': screen(() => import('#features/assess/PopulationPage.tsx').then((file) => ({ default: file.EldersPage }))),
  'individual.ai': screen(() =>
    import('#features/report/list/AiReportListPage.tsx').then((file) => ({ default: file.AiReports })),
  ),
  'individual.maternity1': screen(() =>
    import('#features/report/list/AiReportListPage.tsx').then((file) => ({ default: file.MaternityReports })),
  ),
  'individual.persons': screen(() => import('#features/cuser/PersonListPage.tsx')),
  'consult.followups': screen(() => import('#features/care/FollowUpListPage.tsx')),
  'group.ai': screen(() =>
    import('#features/teamreport/TeamReportListPage.tsx').then((file) => ({ default: file.AiTeamReports })),
  ),
  'statistics.reports': screen(() =>
    import('#features/teamreport/TeamReportListPage.tsx').then((file) => ({ default: file.GroupReports })),
  ),
  'group.tasks': screen(() => import('#features/task/TaskListPage.tsx')),
  'group.teams': screen(() => import('#features/team/TeamListPage.tsx')),
  'plans.library': screen(() => import('#features/plan/PlanListPage.tsx')),
  'plans.scales': screen(() => import('#features/form/FormListPage.tsx')),
  'plans.comments': screen(() => import('#features/comments/CommentsPage.tsx')),
  'service.institutions': screen(() => import('#features/muser/list/InstitutionListPage.tsx')),
  'service.providers': screen(() => import('#features/muser/list/ProviderListPage.tsx')),
  'operations.files': screen(() => import('#features/file/FileListPage.tsx')),
  'period.plans': screen(() => import('#features/app/PeriodPage.tsx')),
  'statistics.hospital': screen(() => import('#features/statistics/hospital/HospitalPage.tsx')),
  'warning.crisis': screen(() => import('#features/warning/authority/CrisisPage.tsx')),
};

/** The page of an account without any right. */
export const noRights = {
  path: '/noRights',
  title: '尚未开通功能',
  screen: screen(() => import('#console/shell/frame/NoRights.tsx')),
};

/**
 * Pages outside the menu: details of one record, and the workbench. `guard` is the screen or right that they need, or several of
 * which one is enough. A page without a guard is open to every signed-in account.
 */
export const details: readonly {
  path: string;
  title: string;
  guard?: Guard | readonly Guard[];
  /** the screens to which the page belongs in menu and breadcrumb, when the right is another one */
  under?: readonly Guard[];
  /** true: only authorities open the page; false: only others do */
  authority?: boolean;
  screen: Screen;
}[] = [
  {
    path: '/empower/individualAssessment/data',
    title: '测评数据',
    guard: 'individual.persons',
    screen: screen(() => import('#features/examdata/ExamDataPage.tsx')),
  },
  {
    path: '/statistics/stages',
    title: '阶段覆盖人员',
    guard: 'statistics.hospital',
    screen: screen(() => import('#features/statistics/stages/StagePersonsPage.tsx')),
  },
  {
    path: '/statistics/interventions',
    title: '干预记录',
    guard: 'statistics.hospital',
    screen: screen(() => import('#features/statistics/hospital/InterventionsPage.tsx')),
  },
  {
    path: '/statistics/persons',
    title: '统计人员',
    guard: ['statistics.school', 'statistics.hospital'],
    authority: false,
    under: ['statistics.school', 'statistics.hospital'],
    screen: screen(() => import('#features/statistics/persons/StatisticPersonsPage.tsx')),
  },
  {
    path: '/statistics/sheets',
    title: '统计答卷',
    guard: ['statistics.school', 'statistics.hospital'],
    authority: false,
    under: ['statistics.school', 'statistics.hospital'],
    screen: screen(() => import('#features/statistics/sheets/StatisticSheetsPage.tsx')),
  },
  {
    path: '/statistics/excel',
    title: '上报表格',
    guard: 'statistics.school',
    authority: true,
    screen: screen(() => import('#features/exceltemplate/page/ExcelTemplatesPage.tsx')),
  },
  {
    path: '/statistics/excel/:templateid',
    title: '填写上报表格',
    guard: 'statistics.school',
    authority: true,
    screen: screen(() => import('#features/exceltemplate/page/ExcelTemplatePage.tsx')),
  },
  {
    path: '/authority/explain',
    title: '为什么看不到',
    guard: 'authority.roles',
    screen: screen(() => import('#features/access/permission/ExplainPage.tsx')),
  },
  {
    path: '/authority/trail/:cuserid',
    title: '谁看过',
    guard: 'authority.audit',
    screen: screen(() => import('#features/audit/TrailPage.tsx')),
  },
  {
    path: '/authority/loginLog',
    title: '登录日志',
    guard: 'authority.audit',
    screen: screen(() => import('#features/audit/login/LoginListPage.tsx')),
  },
  {
    path: '/evaluating/newInstitutionalEvaluation/edit',
    title: '编辑方案',
    guard: 'plans.library',
    screen: screen(() => import('#features/plan/editor/PlanEditPage.tsx')),
  },
  {
    path: '/task/new',
    title: '新建任务',
    guard: 'group.tasks',
    screen: screen(() => import('#features/task/wizard/TaskWizardPage.tsx')),
  },
  {
    path: '/task/administration/:taskcode/:tab?',
    title: '任务看板',
    guard: 'group.tasks',
    screen: screen(() => import('#features/task/TaskPage.tsx')),
  },
  {
    path: '/task/show/:taskcode',
    title: '投屏二维码',
    guard: 'group.tasks',
    screen: screen(() => import('#features/task/board/TaskShowPage.tsx')),
  },
  {
    path: '/task/print/:taskcode',
    title: '打印二维码',
    guard: 'group.tasks',
    screen: screen(() => import('#features/task/board/TaskPrintPage.tsx')),
  },
  {
    path: '/task/team/:teamcode',
    title: '团体名单',
    guard: 'group.teams',
    screen: screen(() => import('#features/team/TeamPage.tsx')),
  },
  {
    path: '/task/team/:teamcode/qr',
    title: '测评二维码',
    guard: 'group.teams',
    screen: screen(() => import('#features/team/TeamQrPage.tsx')),
  },
  {
    path: '/task/teamReports',
    title: '团体报告',
    guard: 'group.teams',
    screen: screen(() => import('#features/teamreport/TeamReportListPage.tsx')),
  },
  {
    path: '/evaluating/reportTemplates',
    title: '报告模板',
    guard: 'plans.library',
    authority: false,
    screen: screen(() => import('#features/reporttemplate/page/TemplateListPage.tsx')),
  },
  {
    path: '/evaluating/reportTemplates/edit',
    title: '编辑报告模板',
    guard: 'plans.library',
    authority: false,
    screen: screen(() => import('#features/reporttemplate/page/TemplateEditPage.tsx')),
  },
  {
    path: '/statistics/releasedReport',
    title: '团体报告',
    guard: 'statistics.reports',
    authority: true,
    screen: screen(() => import('#features/teamreport/released/ReleasedReportPage.tsx')),
  },
  {
    path: '/task/teamReport/:teamreportcode',
    title: '团体报告',
    guard: ['statistics.reports', 'group.ai', 'group.teams'],
    authority: false,
    screen: screen(() => import('#features/teamreport/TeamReportPage.tsx')),
  },
  {
    path: '/task/guardianConsent',
    title: '监护人同意',
    guard: 'group.teams',
    screen: screen(() => import('#features/consent/guardian/GuardianConsentPage.tsx')),
  },
  {
    path: '/task/guardianConsent/print/:teamcode',
    title: '打印家长二维码',
    guard: 'group.teams',
    screen: screen(() => import('#features/consent/guardian/GuardianPrintPage.tsx')),
  },
  {
    path: '/earlyWarning/case/:warningcode',
    title: '预警个案',
    guard: 'warning.crisis',
    screen: screen(() => import('#features/warning/cases/CasePage.tsx')),
  },
  {
    path: '/earlyWarning/reviews',
    title: '待核对答卷',
    guard: 'warning.crisis',
    screen: screen(() => import('#features/respond/review/ReviewListPage.tsx')),
  },
  {
    path: '/safetyplan/:planid',
    title: '安全计划',
    guard: 'warning.handle',
    screen: screen(() => import('#features/warning/plan/SafetyPlanPage.tsx')),
  },
  {
    path: '/earlyWarning/supervision',
    title: '督办',
    guard: 'warning.handle',
    under: ['warning.crisis'],
    screen: screen(() => import('#features/supervision/SupervisionPage.tsx')),
  },
  {
    path: '/statistics/supervision',
    title: '督办',
    guard: ['statistics.school', 'warning.crisis'],
    under: ['warning.crisis', 'statistics.school'],
    screen: screen(() => import('#features/supervision/SupervisionPage.tsx')),
  },
  {
    path: '/earlyWarning/rules',
    title: '预警规则',
    guard: 'warning.rules',
    screen: screen(() => import('#features/warning/rules/RuleListPage.tsx')),
  },
  {
    path: '/approvals',
    title: '导出审批',
    guard: ['exam.export', 'archive.export', 'group.tasks'],
    screen: screen(() => import('#features/approval/ApprovalPage.tsx')),
  },
  {
    path: '/Service/opening/institutions/:musercode?',
    title: '开通机构',
    guard: 'service.institutions',
    screen: screen(() => import('#features/muser/onboarding/OnboardingPage.tsx')),
  },
  {
    path: '/Service/opening/providers/:musercode?',
    title: '开通服务商',
    guard: 'service.providers',
    screen: screen(() => import('#features/muser/onboarding/OnboardingPage.tsx')),
  },
  {
    path: '/archives/fields',
    title: '档案字段',
    guard: 'organization.users',
    under: ['archives.all', 'archives.maternity', 'archives.students', 'archives.workers', 'archives.elders'],
    screen: screen(() => import('#features/archivefield/ArchiveFieldPage.tsx')),
  },
  ...archivePaths.map((path) => ({
    path,
    title: '个人档案',
    guard: personScreens,
    screen: screen(() => import('#features/archive/page/ArchivePage.tsx')),
  })),
  { path: '/profile/:tab?', title: '个人中心', screen: screen(() => import('#console/profile/ProfilePage.tsx')) },
  { path: '/notices', title: '消息', screen: screen(() => import('#features/notice/NoticeListPage.tsx')) },
  {
    path: '/noticeChannels',
    title: '通知通道',
    guard: 'organization.users',
    screen: screen(() => import('#features/notice/channel/ChannelPage.tsx')),
  },
  { path: '/workbench', title: '工作台', screen: screen(() => import('#features/workbench/WorkbenchPage.tsx')) },
  {
    path: '/evaluating/evaluationScale/edit',
    title: '编辑量表',
    guard: 'form.edit',
    under: ['plans.scales'],
    authority: false,
    screen: screen(() => import('#features/scaleeditor/page/EditorPage.tsx')),
  },
  {
    path: '/evaluating/scale/:formcode',
    title: '量表详情',
    guard: 'plans.scales',
    screen: screen(() => import('#features/form/FormPage.tsx')),
  },
  { path: '/reports', title: '个体报告', screen: screen(() => import('#features/report/list/ReportListPage.tsx')) },
  ...reportPaths.map((path) => ({
    path,
    title: '个体报告',
    guard: reportScreens,
    screen: screen(() => import('#features/report/page/ReportPage.tsx')),
  })),
  { path: '/report/:reportcode', title: '个体报告', screen: screen(() => import('#features/report/page/ReportPage.tsx')) },
  { path: '/echarts/web', title: '图表详情', screen: screen(() => import('#features/statistics/page/ChartPage.tsx')) },
  { path: '/trend/:cuserid', title: '得分趋势', screen: screen(() => import('#features/trend/TrendPage.tsx')) },
];
