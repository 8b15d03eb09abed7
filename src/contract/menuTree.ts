import { features, menu, type Directory, type Feature, type ScreenKey } from '#contract/menu.ts';

/**
 * The menu with numbers: specification section 7 uses `menuid`, and roles store codes. Every entry of `menu.ts` has one fixed
 * number, and no other entry ever gets it. An entry without a number does not compile.
 */

export type DirectoryKey = keyof typeof menu;
export type MenuKey = DirectoryKey | ScreenKey | Feature;

const ids: Record<MenuKey, number> = {
  data: 100,
  'data.details': 101,
  'data.counts': 102,
  statistics1: 200,
  'statistics.school': 201,
  'statistics.reports': 202,
  statisticsN: 250,
  'statistics.hospital': 251,
  individual: 300,
  'individual.maternity': 301,
  'individual.students': 302,
  'individual.workers': 303,
  'individual.elders': 304,
  'individual.persons': 305,
  'individual.ai': 306,
  'individual.maternity1': 307,
  'grant.persons': 351,
  'report.edit': 352,
  'exam.export': 353,
  'exam.answers': 354,
  'person.unmasked': 355,
  group: 400,
  'group.teams': 401,
  'group.tasks': 402,
  'group.ai': 403,
  'task.edit': 451,
  'roster.edit': 452,
  'team.shortcut': 453,
  warning: 500,
  'warning.crisis': 501,
  'warning.handle': 551,
  'warning.rules': 552,
  archives: 600,
  'archives.all': 601,
  'archives.maternity': 602,
  'archives.students': 603,
  'archives.workers': 604,
  'archives.elders': 605,
  'archive.import': 651,
  'archive.export': 652,
  plans: 700,
  'plans.library': 701,
  'plans.scales': 702,
  'plans.comments': 703,
  'plan.edit': 751,
  'form.edit': 752,
  consult: 800,
  'consult.forms': 801,
  'consult.followups': 802,
  'care.edit': 851,
  service: 900,
  'service.institutions': 901,
  'service.providers': 902,
  'grant.institutions': 951,
  'account.loginAs': 952,
  'account.resetQr': 953,
  authority: 1000,
  'authority.roles': 1001,
  'authority.menus': 1002,
  'authority.audit': 1003,
  organization: 1100,
  'organization.depts': 1101,
  'organization.users': 1102,
  operations: 1200,
  'operations.goods': 1201,
  'operations.articles': 1202,
  'operations.music': 1203,
  'operations.courses': 1204,
  'operations.files': 1205,
  'operations.orders': 1206,
  'order.refund': 1251,
  period: 1300,
  'period.plans': 1301,
};

/** The directory of each right without a screen: the tree shows the right below it. */
const directoryOfFeature: Record<Feature, DirectoryKey> = {
  'plan.edit': 'plans',
  'form.edit': 'plans',
  'archive.import': 'archives',
  'archive.export': 'archives',
  'warning.handle': 'warning',
  'warning.rules': 'warning',
  'grant.persons': 'individual',
  'grant.institutions': 'service',
  'account.loginAs': 'service',
  'account.resetQr': 'service',
  'order.refund': 'operations',
  'report.edit': 'individual',
  'exam.export': 'individual',
  'exam.answers': 'individual',
  'person.unmasked': 'individual',
  'task.edit': 'group',
  'roster.edit': 'group',
  'care.edit': 'consult',
  'team.shortcut': 'group',
};

/** M directory, C screen, F right without a screen. */
export type MenuType = 'M' | 'C' | 'F';
export interface MenuEntry {
  menuid: number;
  /** 0 for directories */
  parentid: number;
  key: MenuKey;
  /** '' for the directory 测评计划管理, which has none */
  code: string;
  menutype: MenuType;
  title: string;
  /** full path of a screen or directory; '' for rights */
  path: string;
  icon: string;
  ordernum: number;
  hidden: boolean;
  /** name of the route; '' for rights */
  name: string;
  alwaysShow: boolean;
}

const entries = (Object.entries(menu) as [DirectoryKey, Directory][]).flatMap(
  ([dir, { screens, ...directory }], index): MenuEntry[] => {
    const parentid = ids[dir];
    const entry = (
      key: MenuKey,
      more: Pick<MenuEntry, 'code' | 'menutype' | 'title' | 'path' | 'ordernum'> & { hidden?: boolean | undefined },
    ): MenuEntry => ({
      icon: '',
      parentid,
      menuid: ids[key],
      key,
      ...more,
      hidden: more.hidden ?? false,
      name: more.menutype === 'F' ? '' : key,
      alwaysShow: false,
    });
    return [
      {
        ...entry(dir, {
          code: directory.code ?? '',
          menutype: 'M',
          title: directory.title,
          path: directory.path,
          ordernum: index + 1,
          hidden: directory.hidden,
        }),
        parentid: 0,
        icon: directory.icon,
        name: directory.name ?? dir,
        alwaysShow: directory.alwaysShow ?? false,
      },
      ...Object.entries(screens).map(([key, screen], index) =>
        entry(key as ScreenKey, {
          code: screen.code,
          menutype: 'C',
          title: screen.title,
          path: `${directory.path}/${screen.path}`,
          ordernum: index + 1,
          hidden: screen.hidden,
        }),
      ),
      ...(Object.entries(features) as [Feature, (typeof features)[Feature]][])
        .filter(([key]) => directoryOfFeature[key] === dir)
        .map(([key, feature], index) =>
          entry(key, { code: feature.code, menutype: 'F', title: feature.title, path: '', ordernum: index + 51 }),
        ),
    ];
  },
);

/** All entries; each directory comes before its children. */
export const menuEntries: readonly MenuEntry[] = entries;
const byId = new Map(entries.map((entry) => [entry.menuid, entry]));
const byKey = new Map(entries.map((entry) => [entry.key, entry]));

/** The entry with this number, if there is one. */
export const entryOf = (menuid: number): MenuEntry | undefined => byId.get(menuid);
/** The entry with this key, if there is one. */
export const entryOfKey = (key: string): MenuEntry | undefined => byKey.get(key as MenuKey);

/** The codes of menu numbers. A screen adds the code of its directory, which its route needs. Unknown numbers are ignored. */
export function codesOfMenus(menuids: readonly number[]): string[] {
  const entries = menuids.flatMap((menuid) => {
    const entry = byId.get(menuid);
    return entry
      ? [entry, ...(entry.menutype === 'C' && byId.get(entry.parentid) ? [byId.get(entry.parentid) as MenuEntry] : [])]
      : [];
  });
  return [...new Set(entries.map((entry) => entry.code).filter(Boolean))].sort();
}

/** The numbers of all entries whose code is in `codes`. The two statistics directories have the same code. */
export const menusOfCodes = (codes: ReadonlySet<string>): number[] =>
  entries.filter((entry) => entry.code !== '' && codes.has(entry.code)).map((entry) => entry.menuid);

/** The codes that are switched off: all entries with the code are off, or their directory is. */
export function codesSwitchedOff(off: ReadonlySet<number>): Set<string> {
  if (off.size === 0) return new Set();
  const isOff = (entry: MenuEntry) => off.has(entry.menuid) || off.has(entry.parentid);
  const alive = new Set(entries.filter((entry) => !isOff(entry)).map((entry) => entry.code));
  return new Set(
    entries.filter((entry) => entry.code !== '' && isOff(entry) && !alive.has(entry.code)).map((entry) => entry.code),
  );
}

/** The platform's changes of an entry; null means as declared. */
export interface MenuChange {
  menuid: number;
  title: string | null;
  icon: string | null;
  ordernum: number | null;
  hidden: number | null;
  enabled: number;
}
