/** Wrong codes within ten minutes at which a device asks for staff (supplement-people-statistics.md, section 4). */
const MAX_WRONG_CODES = 5;
const WRONG_CODES_MS = 10 * 60_000;

/** The wrong codes of a device that still count. */
export const countWrongCodes = (
  { wrongtries, wrongsince }: { wrongtries: number; wrongsince: Date | null },
  now: Date,
): number => (wrongsince !== null && now.getTime() - wrongsince.getTime() < WRONG_CODES_MS ? wrongtries : 0);

/** Whether a device takes no codes now. */
export const isKioskStopped = (device: { wrongtries: number; wrongsince: Date | null }, now: Date): boolean =>
  countWrongCodes(device, now) >= MAX_WRONG_CODES;
