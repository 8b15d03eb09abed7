import { defineEnum } from '#domain/base/enum.ts';

/** The state of a background export. */
export const ExportStatus = defineEnum({
  waiting: [0, '等待中'],
  running: [1, '正在导出'],
  done: [2, '已完成'],
  failed: [3, '未完成'],
  cancelled: [4, '已取消'],
  expired: [5, '已过期'],
});

/** The server keeps the file of a finished export for 48 hours. */
export const exportRetentionHours = 48;
/** The most exports of one account that may wait or run at the same time. */
export const maxPendingExports = 5;
/** A longer list is always exported in the background, because a direct answer would take seconds. */
export const maxDirectExportRows = 5_000;
