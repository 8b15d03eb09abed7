import { Appid, RosterStatus } from '#domain/base/enums.ts';

/** Populations of a task. 自定义报告 is an application, but not a population. */
export const populations = Appid.options.filter((option) => option.value !== Appid.custom);

/** Returns the path of a task's page, or of one of its tabs. */
export const taskPath = (taskcode: string, tab?: 'roster' | 'chase' | 'data') =>
  `/task/administration/${taskcode}${tab ? `/${tab}` : ''}`;
/** The part of a roster that a figure counts; 免测 and 缺测 share a status. */
export type RosterPart = 'doing' | 'notstarted' | 'finished' | 'dubious' | 'exempt' | 'missed';
const FILTERS: Readonly<Record<RosterPart, string>> = {
  notstarted: `status=${RosterStatus.notStarted}`,
  doing: `status=${RosterStatus.doing}`,
  finished: `status=${RosterStatus.finished}`,
  dubious: `status=${RosterStatus.invalid}`,
  exempt: 'exempt=1',
  missed: 'exempt=0',
};
/** Returns the path of the roster with the persons of a figure. */
export const rosterPath = (taskcode: string, part: RosterPart) => `${taskPath(taskcode, 'roster')}?${FILTERS[part]}`;
/** Returns the path of the page that projects the task's QR code. */
export const showPath = (taskcode: string, teamcode?: string | null) =>
  `/task/show/${taskcode}${teamcode ? `?teamcode=${teamcode}` : ''}`;
/** Returns the path of the QR sheets of a task, one page a class. */
export const printPath = (taskcode: string) => `/task/print/${taskcode}`;
/** Returns the path of the respondent's page that shows a plan to staff. */
export const previewPath = (task: {
  plancode: string;
  stagecode?: string | null | undefined;
  musercode: string;
  taskname: string;
  resultshow?: unknown;
}) => {
  const { plancode, stagecode, musercode, taskname, resultshow } = task;
  const params = { plancode, stagecode: stagecode ?? '', musercode, taskname, resultshow: String(resultshow ?? 0) };
  return `/c/preview/task?${new URLSearchParams(params)}`;
};
/** Path of the wizard that creates a task. */
export const newTaskPath = '/task/new';
/** Returns the path of the wizard with the settings of an earlier task. */
export const copyTaskPath = (taskcode: string) => `${newTaskPath}?from=${taskcode}`;

/** Formats a time of the wire without its seconds: 2025-09-01 08:00. */
export const formatMinute = (time: string) => time.slice(0, 16);

/** Returns the school years to choose from: the present one, the next and the two before. A school year begins in August. */
export function yearOptions(today: Date) {
  const first = today.getMonth() >= 7 ? today.getFullYear() : today.getFullYear() - 1;
  return [first + 1, first, first - 1, first - 2].map((year) => ({
    value: `${year}-${year + 1}`,
    label: `${year}-${year + 1}学年`,
  }));
}
