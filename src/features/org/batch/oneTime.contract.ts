import { z } from 'zod';

/** The choices for how many days a one-time password is valid. The first is the default. */
export const VALID_DAYS = [1, 7, 30] as const;
export type ValidDays = (typeof VALID_DAYS)[number];
export const validDaysOptions = VALID_DAYS.map((days) => ({ value: days, label: `${days} 天` }));

/** How many days the one-time password is valid. */
export const validdays = z.literal(VALID_DAYS).default(VALID_DAYS[0]).describe('初始密码有效期');

/**
 * The server answers this password once and stores only its hash. It works for one sign-in until `validuntil`; the user must change it.
 */
export const onetime = z.object({ onetime: z.string(), validuntil: z.string() });
