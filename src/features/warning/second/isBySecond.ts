import type { FullCase } from '#features/warning/warning.contract.ts';

/** Whether a step waits for a second person before it is done. */
export const isBySecond = ({ actions }: FullCase, step: string): boolean =>
  actions.some(({ action, bysecond }) => action === step && bysecond === 1);
