import { expect, test } from 'vitest';
import { allCodes, codesOf, menu, type Directory, type ScreenKey } from '#contract/menu.ts';
import { entryOfKey, type MenuChange, type MenuKey } from '#contract/menuTree.ts';
import { buildNavigation, type Navigation } from '#console/navigation.ts';
import { details } from '#console/screens.tsx';
import { screen } from '#console/lazyScreen.ts';

const page = screen(() => Promise.resolve({ default: () => null }));
const keys = Object.values(menu).flatMap((dir: Directory) => Object.keys(dir.screens)) as ScreenKey[];
const built = {
  screens: Object.fromEntries(keys.map((key) => [key, page])) as Record<ScreenKey, typeof page>,
  details: [
    { path: '/workbench', title: '工作台', screen: page },
    { path: '/earlyWarning/case/:warningcode', title: '预警个案', guard: 'warning.crisis' as const, screen: page },
  ],
};
const school = { loginas: '' as const, without: 'statisticsN' as const };
const paths = (plan: Navigation) => plan.routes.map((route) => route.path);
const titles = (plan: Navigation) => plan.groups.map((group) => group.title);

test('an account with every right sees every visible directory in the order of the menu', () => {
  const plan = buildNavigation(school, new Set(allCodes), built);
  expect(titles(plan)).toEqual([
    '数据报表',
    '统计分析',
    '个体测评',
    '团体测评',
    '预警管理',
    '档案管理',
    '方案管理',
    '咨询管理',
    '服务商管理',
    '权限管理',
    '行政管理',
    '运营管理',
  ]);
  expect(plan.home).toBe('/Datastatistics/Datastatistics');
});

test('assessment plan management is hidden from the menu and can be opened by its address', () => {
  const plan = buildNavigation(school, new Set(allCodes), built);
  expect(titles(plan)).not.toContain('测评计划管理');
  expect(paths(plan)).toContain('/period/periodManagement');
});

test('a school sees statistics1, a hospital statisticsN', () => {
  expect(paths(buildNavigation(school, new Set(allCodes), built))).not.toContain('/statisticsN/statisticsN');
  const hospital = buildNavigation({ loginas: '', without: 'statistics1' }, new Set(allCodes), built);
  expect(paths(hospital)).toContain('/statisticsN/statisticsN');
  expect(paths(hospital)).not.toContain('/statistics/statistics');
});

test('rights are compared as whole codes: 000032 opens 孕产妇1.0, not the screens of 00032', () => {
  const plan = buildNavigation(school, new Set(['00018', '000032']), built);
  expect(plan.groups.map((group) => group.children.map((child) => child.title))).toEqual([['孕产妇1.0']]);
});

test('a screen needs its directory’s code and its own code', () => {
  expect(buildNavigation(school, new Set(['001801']), built).groups).toEqual([]);
  expect(buildNavigation(school, new Set(['00018']), built).groups).toEqual([]);
});

test('a screen without a page is neither in the menu nor a route', () => {
  const plan = buildNavigation(school, new Set(allCodes), { screens: { 'group.teams': page }, details: [] });
  expect(titles(plan)).toEqual(['团体测评']);
  expect(paths(plan)).toEqual(['/task/teamManagement']);
});

test('FW01 lands on /earlyWarning/earlyWarning, which shows 危机预警; JYJ on the statistics, or on its first page without them', () => {
  const duty = buildNavigation({ ...school, loginas: 'FW01' }, new Set(['00013', '00046']), built);
  expect(duty.home).toBe('/earlyWarning/earlyWarning');
  expect(duty.routes.find((route) => route.path === duty.home)?.active).toBe('/earlyWarning/earlyWarningLevel');
  expect(buildNavigation({ ...school, loginas: 'JYJ' }, new Set(allCodes), built).home).toBe('/statistics/statistics');
  expect(buildNavigation({ ...school, loginas: 'JYJ' }, new Set(['00013', '00046']), built).home).toBe(
    '/earlyWarning/earlyWarningLevel',
  );
});

test('a detail page takes right, breadcrumb and menu entry from its screen', () => {
  const plan = buildNavigation(school, new Set(['00013', '00046']), built);
  const detail = plan.routes.find((route) => route.path === '/earlyWarning/case/:warningcode');
  expect(detail?.above.map((item) => item.title)).toEqual(['预警管理', '危机预警']);
  expect(detail?.active).toBe('/earlyWarning/earlyWarningLevel');
  expect(paths(buildNavigation(school, new Set(['00018', '001801']), built))).not.toContain('/earlyWarning/case/:warningcode');
});

test('档案字段 stands below the archives that the account may open', () => {
  const above = (...codes: string[]) =>
    buildNavigation(school, new Set([...codesOf(['organization.users']), '00008', ...codes]))
      .routes.find((route) => route.path === '/archives/fields')
      ?.above.map(({ title }) => title);
  expect(above('00049')).toEqual(['档案管理', '全部']);
  expect(above('000000001')).toEqual(['档案管理', '孕产妇']);
});

test('menu and breadcrumbs use the names, order and visibility that the platform set', () => {
  const change = (key: MenuKey, as: Partial<MenuChange>): MenuChange => ({
    menuid: entryOfKey(key)?.menuid as number,
    title: null,
    icon: null,
    ordernum: null,
    hidden: null,
    enabled: 1,
    ...as,
  });
  const menu = [
    change('warning', { title: '危机干预', ordernum: 0, icon: 'shield' }),
    change('warning.crisis', { title: '危机个案' }),
    change('group.tasks', { ordernum: 0 }),
    change('group.ai', { hidden: 1 }),
    change('archives', { hidden: 1 }),
    change('operations', { enabled: 0 }),
    change('period', { hidden: 0 }),
    change('period.plans', { hidden: 0 }),
  ];
  const plan = buildNavigation({ ...school, menu }, new Set(allCodes), built);
  expect(titles(plan)[0]).toBe('危机干预');
  expect(plan.home).toBe('/earlyWarning/earlyWarningLevel');
  expect(plan.groups[0]?.icon).toBe('shield');
  expect(plan.groups.find((group) => group.path === '/task')?.children.map((child) => child.title)).toEqual([
    '任务管理',
    '团体管理',
  ]);
  expect(titles(plan)).not.toContain('档案管理');
  expect(titles(plan)).toContain('测评计划管理');
  // A hidden screen can still be opened; a disabled one cannot.
  expect(paths(plan)).toContain('/archives/archives_gl_all');
  expect(paths(plan)).toContain('/task/groupReport');
  expect(paths(plan)).not.toContain('/operations/goodsManagement');
  const detail = plan.routes.find((route) => route.path === '/earlyWarning/case/:warningcode');
  expect(detail?.above.map((item) => item.title)).toEqual(['危机干预', '危机个案']);
});

test('pages below a directory of the menu need a right; opening an institution or a provider needs its list', () => {
  const below = Object.values(menu).map((dir) => `${dir.path}/`);
  expect(details.filter((detail) => detail.guard === undefined && below.some((path) => detail.path.startsWith(path)))).toEqual(
    [],
  );
  expect(
    paths(buildNavigation(school, new Set(['00020', '00021']))).filter((path) => path.startsWith('/Service/opening')),
  ).toEqual(['/Service/opening/institutions/:musercode?']);
});

test('an account without any screen lands on the workbench', () => {
  expect(buildNavigation(school, new Set(['00033']), built).home).toBe('/workbench');
});

test('an account without any right has a page that names the administrators, its own profile and the shelf', () => {
  const plan = buildNavigation(school, new Set());
  expect(plan.home).toBe('/noRights');
  expect(plan.groups).toEqual([]);
  expect(paths(plan)).toEqual(['/noRights', '/profile/:tab?', '/content', '/content/article', '/content/course']);
});

test('the menu of a school has its pupils and nobody else’s population; the other pages can still be opened', () => {
  const pupils = { ...school, appids: ['000000002'] };
  const { groups, routes, home } = buildNavigation(pupils, new Set(allCodes));
  const titles = groups.filter(({ path }) => ['/empower', '/archives'].includes(path)).flatMap(({ children }) => children);
  expect(titles.map(({ title }) => title)).toEqual(['学生', '个体管理', 'AI个体报告', '全部', '学生']);
  expect(routes.map(({ path }) => path)).toContain('/empower/maternity');
  expect(home).not.toBe('/empower/maternity');
});

test('only an authority opens its forms and released reports, and it opens no list of persons behind a number', () => {
  const authority = paths(buildNavigation({ ...school, musertype: '003' }, new Set(allCodes)));
  const others = paths(buildNavigation({ ...school, musertype: '005' }, new Set(allCodes)));
  for (const path of ['/statistics/excel', '/statistics/excel/:templateid', '/statistics/releasedReport']) {
    expect(authority).toContain(path);
    expect(others).not.toContain(path);
  }
  for (const path of ['/statistics/persons', '/statistics/sheets', '/task/teamReport/:teamreportcode']) {
    expect(others).toContain(path);
    expect(authority).not.toContain(path);
  }
});

test('资讯与课程 is open to staff without any right, and closed to authorities and in 收尾模式', () => {
  const shelf = ['/content', '/content/article', '/content/course'];
  const shelfOf = (user: object, codes: readonly string[]) =>
    paths(buildNavigation({ ...school, ...user }, new Set(codes))).filter((path) => path.startsWith('/content'));
  expect(shelfOf({ musertype: '004' }, [])).toEqual(shelf);
  expect(shelfOf({ musertype: '004' }, allCodes)).toEqual(shelf);
  expect(shelfOf({ musertype: '002' }, allCodes)).toEqual(shelf);
  expect(shelfOf({ musertype: '003' }, allCodes)).toEqual([]);
  expect(shelfOf({ musertype: '003' }, [])).toEqual([]);
  expect(shelfOf({ musertype: '004', winddownuntil: '2026-01-01' }, allCodes)).toEqual([]);
});

test('an article stands below 资讯与课程 in the breadcrumb', () => {
  const plan = buildNavigation({ ...school, musertype: '004' }, new Set(allCodes));
  const article = plan.routes.find(({ path }) => path === '/content/article');
  expect(article?.above).toEqual([{ title: '资讯与课程', path: '/content' }]);
});
