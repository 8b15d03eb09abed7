import { defineEnum } from '#domain/base/enum.ts';

/** Where a background export stands. */
export const ExportStatus = defineEnum({
  waiting: [0, '等待中'],
  running: [1, '正在导出'],
  done: [2, '已完成'],
  failed: [3, '未完成'],
  cancelled: [4, '已取消'],
  expired: [5, '已过期'],
});

/** A finished export is kept for 48 hours, then its file is removed. */
export const exportKeptHours = 48;
/** How many exports of one account may wait or run at the same time. */
export const exportsAtOnce = 5;
/** A list longer than this is exported in the background without being asked for: a direct answer would take seconds. */
export const exportDirectly = 5_000;
