import { codeOf, type ScreenKey } from '#contract/menu.ts';

/**
 * Which populations a member of staff sees: the code of a population's screen opens that population, the codes of 个体管理 and of
 * 档案管理 全部 open all (supplement-people-statistics.md, section 1).
 */

const screensOf: Readonly<Record<string, readonly ScreenKey[]>> = {
  '000000001': ['individual.maternity', 'individual.maternity1', 'archives.maternity'],
  '000000002': ['individual.students', 'archives.students'],
  '000000003': ['individual.workers', 'archives.workers'],
  '000000004': ['individual.elders', 'archives.elders'],
};
/** Screens that show every population; teams and tasks choose their persons themselves. */
const openToAll: readonly ScreenKey[] = ['individual.persons', 'individual.ai', 'archives.all', 'group.teams', 'group.tasks'];

/** The population of a screen; undefined for a screen of all of them. */
export const populationOfScreen = (screen: string): string | undefined =>
  Object.keys(screensOf).find((appid) => (screensOf[appid] as readonly string[] | undefined)?.includes(screen));

/** The app ids of the populations that these codes open; null means all of them. */
export function populationsOf(codes: ReadonlySet<string>): readonly string[] | null {
  if (openToAll.some((screen) => codes.has(codeOf(screen)))) return null;
  return Object.keys(screensOf).filter((appid) => screensOf[appid]?.some((screen) => codes.has(codeOf(screen))));
}

/** The page of a person by population: archivesyh1–4 of the specification, and one for the custom population. */
export const archivePathOf = (appid: string, cuserid: string): string =>
  `/archives/archivesyh${appid === '000000005' ? 'Custom' : appid.slice(-1)}?cuserid=${encodeURIComponent(cuserid)}`;

/** The paths of these pages. */
export const archivePaths: readonly string[] = ['1', '2', '3', '4', 'Custom'].map((n) => `/archives/archivesyh${n}`);

const reportPages: Readonly<Record<string, string>> = {
  '000000001': 'usersReport2',
  '000000002': 'usersReport',
  '000000003': 'usersReport3',
  '000000004': 'usersReport4',
};

/** The page of a report by population: usersReport … usersReport4 of the specification, and usersReportCustom. */
export const reportPathOf = (appid: string, reportcode: string): string =>
  `/empower/${reportPages[appid] ?? 'usersReportCustom'}?reportcode=${encodeURIComponent(reportcode)}`;

/** The paths of these pages. */
export const reportPaths: readonly string[] = [...Object.values(reportPages), 'usersReportCustom'].map(
  (page) => `/empower/${page}`,
);

/** The screens whose holders open the page of a person. */
export const personScreens = [
  'archives.all',
  'archives.maternity',
  'archives.students',
  'archives.workers',
  'archives.elders',
  'individual.persons',
  'individual.maternity',
  'individual.students',
  'individual.workers',
  'individual.elders',
] as const satisfies readonly ScreenKey[];

/** The screens whose holders open a report. A report stands below the first that the account has. */
export const reportScreens = [
  'individual.persons',
  'individual.ai',
  'individual.maternity1',
  'individual.maternity',
  'individual.students',
  'individual.workers',
  'individual.elders',
  'archives.all',
  'archives.maternity',
  'archives.students',
  'archives.workers',
  'archives.elders',
  'warning.crisis',
] as const satisfies readonly [ScreenKey, ...ScreenKey[]];
