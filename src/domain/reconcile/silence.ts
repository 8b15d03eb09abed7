/** A comparison that is older is silence: the hourly pass has failed at least once. */
const SILENT_AFTER_HOURS = 2;

/** Whether the last successful comparison of an institution is too old. Before the first one, the age of the institution counts. */
export const isSilent = (last: Date | null, createtime: Date, now: Date): boolean =>
  now.getTime() - (last ?? createtime).getTime() > SILENT_AFTER_HOURS * 3_600_000;
