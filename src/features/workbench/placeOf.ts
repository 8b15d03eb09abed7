import { describePregnancy } from '#domain/person/gestation.ts';
import type { PersonPlace } from '#features/workbench/workbench.queries.ts';

/** Class or unit; for a pregnancy the week and the stage. */
export const placeOf = ({ belongs, ...dates }: PersonPlace, now: Date): string => {
  const { gestation, stage } = describePregnancy(dates, now);
  return gestation ? [gestation, gestation.startsWith(stage) ? '' : stage].filter(Boolean).join(' · ') : belongs;
};
