import { Appid } from '#domain/base/enums.ts';

/** Populations a task can be made for; 自定义报告 is no population. */
export const populations = Appid.options.filter((option) => option.value !== Appid.custom);

/** Where one task is looked at; `tab` is one of its pages. */
export const taskPath = (taskcode: string, tab?: 'roster' | 'chase') => `/task/administration/${taskcode}${tab ? `/${tab}` : ''}`;
export const showPath = (taskcode: string, teamcode?: string | null) =>
  `/task/show/${taskcode}${teamcode ? `?teamcode=${teamcode}` : ''}`;
export const newTaskPath = '/task/new';

/** 2025-09-01 08:00 of what the wire sends with seconds. */
export const minute = (time: string) => time.slice(0, 16);

/** School years to choose from: the present one (they begin in August), the next and the two before. */
export function yearOptions(today: Date) {
  const first = today.getMonth() >= 7 ? today.getFullYear() : today.getFullYear() - 1;
  return [first + 1, first, first - 1, first - 2].map((year) => ({
    value: `${year}-${year + 1}`,
    label: `${year}-${year + 1}学年`,
  }));
}
