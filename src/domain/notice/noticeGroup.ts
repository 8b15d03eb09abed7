/** The groups of messages to staff, in the order of their tabs. */
export const NOTICE_GROUPS = ['warning', 'task', 'approval', 'system'] as const;
export type NoticeGroup = (typeof NOTICE_GROUPS)[number];

export const NOTICE_GROUP_TITLES: Readonly<Record<NoticeGroup, string>> = {
  warning: '预警',
  task: '任务',
  approval: '审批',
  system: '系统',
};

/** The group of each kind of message. Kinds that are not listed belong to 系统. */
export const GROUP_OF_KIND: Readonly<Record<string, NoticeGroup>> = {
  warning: 'warning',
  overdue: 'warning',
  supervision: 'warning',
  mention: 'warning',
  followup: 'task',
  task: 'task',
  report: 'task',
  approval: 'approval',
};

/** The group of a kind of message. */
export const findNoticeGroup = (kind: string): NoticeGroup => GROUP_OF_KIND[kind] ?? 'system';

/** The facts of a message that leaves the console. It never carries a person's name, a score or a level. */
export interface OutsideNotice {
  insname: string;
  group: NoticeGroup;
  count: number;
}

/** The text of a message that leaves the console: the institution, the group and the number of new messages. */
export const formatOutsideNotice = ({ insname, group, count }: OutsideNotice): string =>
  `${insname}：您有 ${count} 条新的${NOTICE_GROUP_TITLES[group]}消息，请登录查看。`;

/** Minutes until the next attempt after each failed one. The last attempt fails about a day after the first. */
const RETRY_MINUTES = [1, 5, 15, 60, 180, 360, 720] as const;

/** The time of the next attempt after `attempts` failed ones; null when the server gives up. */
export function findRetryTime(attempts: number, now: Date): Date | null {
  const minutes = RETRY_MINUTES[attempts - 1];
  return minutes === undefined ? null : new Date(now.getTime() + minutes * 60_000);
}
