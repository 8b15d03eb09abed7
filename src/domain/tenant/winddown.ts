/**
 * Days after the end of its contract in which an institution still works on its open cases (收尾模式). Our own rule
 * (clinical-rules.md A); db/schema/10_auth.sql and 66_leaving.sql have the same number.
 */
export const WINDDOWN_DAYS = 30;

/** Days before the end of a contract at which an institution and its provider are told. */
export const EXPIRY_NOTICE_DAYS = [30, 7, 1] as const;

/** The state of a contract: `daysleft` counts to its last day, which is 0; it is negative afterwards. */
export type ContractStage =
  | { kind: 'running' }
  | { kind: 'expiring'; step: (typeof EXPIRY_NOTICE_DAYS)[number] }
  | { kind: 'winddown' }
  | { kind: 'ended' };

/** The stage of a contract with so many days left. After an outage only the nearest step is announced. */
export function contractStage(daysleft: number): ContractStage {
  if (daysleft < -WINDDOWN_DAYS) return { kind: 'ended' };
  if (daysleft < 0) return { kind: 'winddown' };
  const step = [...EXPIRY_NOTICE_DAYS].reverse().find((days) => daysleft <= days);
  return step === undefined ? { kind: 'running' } : { kind: 'expiring', step };
}
