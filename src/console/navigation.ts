import { landingPathOf } from '#domain/tenant/access.ts';
import { menu, type Directory, type Guard, type ScreenKey, codeOf, codesOf } from '#contract/menu.ts';
import { populationOfScreen } from '#contract/population.ts';
import type { UserRecord } from '#contract/userRecord.ts';
import { entryOfKey, type MenuChange } from '#contract/menuTree.ts';
import { matchPath } from '#ui/router/path.ts';
import { details, noRights, screens } from '#console/screens.tsx';
import type { Screen } from '#console/lazyScreen.ts';

/** One page of the console that the signed-in account may open. */
export interface Route {
  path: string;
  title: string;
  /** The titles above it, for the breadcrumb. */
  above: readonly { title: string; path?: string }[];
  screen: Screen;
  /** The menu entry that is highlighted while the page is open. */
  active: string;
}
export interface MenuGroup {
  path: string;
  title: string;
  icon: string;
  children: readonly { path: string; title: string; screen: Screen }[];
}

/** The console of one account: the items of its menu and the paths that it may open. */
export interface Navigation {
  groups: readonly MenuGroup[];
  routes: readonly Route[];
  home: string;
}

/** The pages that exist. */
interface Built {
  screens: typeof screens;
  details: typeof details;
}

/** Other paths of a screen. FW01 lands on the first (specification section 2). */
const ALIASES: readonly (readonly [path: string, key: ScreenKey])[] = [['/earlyWarning/earlyWarning', 'warning.crisis']];

/** Finds the page at a path without a check of rights: its code can load while the server returns the account. */
export function screenForPath(pathname: string): Screen | undefined {
  for (const dir of Object.values(menu) as Directory[])
    for (const [key, screen] of Object.entries(dir.screens))
      if (matchPath(`${dir.path}/${screen.path}`, pathname)) return screens[key as ScreenKey];
  const alias = ALIASES.find(([path]) => matchPath(path, pathname));
  return alias ? screens[alias[1]] : details.find(({ path }) => matchPath(path, pathname))?.screen;
}

/** The default of a menu item, or its setting in 菜单管理. */
function arranged(changes: readonly MenuChange[]) {
  const byId = new Map(changes.map((change) => [change.menuid, change]));
  return (key: string) => {
    const entry = entryOfKey(key);
    const change = entry && byId.get(entry.menuid);
    return {
      title: change?.title ?? entry?.title ?? '',
      icon: change?.icon ?? entry?.icon ?? '',
      ordernum: change?.ordernum ?? entry?.ordernum ?? 0,
      hidden: change?.hidden == null ? (entry?.hidden ?? false) : change.hidden === 1,
      off: change?.enabled === 0,
    };
  };
}
const byOrder = (a: { ordernum: number }, b: { ordernum: number }) => a.ordernum - b.ordernum;

/**
 * Screens that a type of account never has, whatever its codes. The platform reads no registrations of persons. An authority reads
 * figures of schools only after their release (design/supplement-people-statistics.md 9), which these pages lack.
 */
const NOT_FOR_TYPE: Readonly<Record<string, ReadonlySet<string>>> = {
  '001': new Set(codesOf(['consult.forms'])),
  '003': new Set(codesOf(['group.ai', 'data.details', 'data.counts'])),
};

type AccountFacts = Partial<Pick<UserRecord, 'winddownuntil' | 'musertype'>>;
const isOfShelf = ({ path }: { path: string }): boolean => path === '/content' || path.startsWith('/content/');
/** Whether a page is for this type of account. 收尾模式 has no 资讯与课程. */
const isForAccount = (detail: { path: string; authority?: boolean }, { musertype, winddownuntil }: AccountFacts): boolean =>
  (detail.authority === undefined || detail.authority === (musertype === '003')) && !(winddownuntil && isOfShelf(detail));

/**
 * Builds the menu and the routes of an account from its codes. A directory and its screens each need their own code. The statistics
 * page of other account types is left out. The menu hides populations without an application of the institution. Screens hidden from
 * the menu can still be opened. An account without any code has one page, its
 * own account and 资讯与课程.
 */
export function buildNavigation(
  user: Pick<UserRecord, 'loginas' | 'without'> & Partial<Pick<UserRecord, 'menu' | 'winddownuntil' | 'musertype' | 'appids'>>,
  granted: ReadonlySet<string>,
  built: Built = { screens, details },
): Navigation {
  const barred = NOT_FOR_TYPE[user.musertype ?? ''];
  const codes = barred ? new Set([...granted].filter((code) => !barred.has(code))) : granted;
  if (codes.size === 0) {
    const open = built.details.filter(
      (detail) => detail.path.startsWith('/profile') || (isOfShelf(detail) && isForAccount(detail, user)),
    );
    const routes = [noRights, ...open].map((page) => ({ ...page, above: [], active: '' }));
    return { groups: [], routes, home: noRights.path };
  }
  const look = arranged(user.menu ?? []);
  const appids = user.appids ?? [];
  const isForeign = (key: string): boolean => {
    const population = populationOfScreen(key);
    return appids.length > 0 && population !== undefined && !appids.includes(population);
  };
  const groups: (MenuGroup & { hidden: boolean; ordernum: number })[] = [];
  const routes: Route[] = [];
  for (const [dirKey, declared] of Object.entries(menu) as [string, Directory][]) {
    const { off, ...fields } = look(dirKey);
    const dir = { ...declared, ...fields };
    if (off || dir.name === user.without || (dir.code && !codes.has(dir.code))) continue;
    const open = Object.entries(dir.screens)
      .flatMap(([key, { code, path }]) => {
        const screen = built.screens[key as ScreenKey];
        const { off: screenOff, ...as } = look(key);
        return screen && !screenOff && codes.has(code) ? [{ key, path: `${dir.path}/${path}`, ...as, screen }] : [];
      })
      .sort(byOrder);
    for (const { path, title, screen } of open)
      routes.push({
        path,
        title,
        above: open.length > 1 || dir.title !== title ? [{ title: dir.title }] : [],
        screen,
        active: path,
      });
    for (const [path, key] of ALIASES) {
      const target = open.find((candidate) => candidate.key === key);
      if (target)
        routes.push({ path, title: target.title, above: [{ title: dir.title }], screen: target.screen, active: target.path });
    }
    const children = open.filter((screen) => !screen.hidden && !isForeign(screen.key));
    if (children.length > 0)
      groups.push({ path: dir.path, title: dir.title, icon: dir.icon, children, hidden: dir.hidden, ordernum: dir.ordernum });
  }
  const shownGroups = groups.filter((group) => !group.hidden).sort(byOrder);
  for (const detail of built.details) {
    // 收尾模式 leaves the crisis warnings only.
    if (user.winddownuntil && detail.path === '/workbench') continue;
    if (!isForAccount(detail, user)) continue;
    const guards: readonly Guard[] = detail.guard === undefined ? [] : [detail.guard].flat();
    const guard = guards.find((candidate) => codes.has(codeOf(candidate)));
    if (guards.length > 0 && !guard) continue;
    const parent = [detail.within]
      .concat([...(detail.under ?? []), ...(guard ? [guard] : [])].map(pathOfGuard))
      .map((path) => routes.find((route) => route.path === path))
      .find((route) => route !== undefined);
    routes.push({
      path: detail.path,
      title: detail.title,
      above: parent ? [...parent.above, { title: parent.title, path: parent.path }] : [],
      screen: detail.screen,
      active: parent?.path ?? detail.path,
    });
  }
  const landingPath = landingPathOf(user.loginas, shownGroups[0]?.children[0]?.path);
  const workbench = routes.some((route) => route.path === '/workbench') ? '/workbench' : '/404';
  const first = shownGroups[0]?.children[0]?.path ?? workbench;
  return {
    groups: shownGroups,
    routes,
    home:
      landingPath !== shownGroups[0]?.children[0]?.path && routes.some((route) => route.path === landingPath)
        ? landingPath
        : first,
  };
}

function pathOfGuard(guard: Guard): string | undefined {
  for (const dir of Object.values(menu) as Directory[]) {
    const screen = dir.screens[guard];
    if (screen) return `${dir.path}/${screen.path}`;
  }
  return undefined;
}
