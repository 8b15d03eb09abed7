import type { ResponseOf } from '#contract/action.ts';
import type { getCounsellorList, getCounsellorTimeList } from '#features/consult/schedule/schedule.contract.ts';

export type Hours = ResponseOf<typeof getCounsellorTimeList>['times'][number];
export type Off = ResponseOf<typeof getCounsellorTimeList>['offs'][number];
export type Counsellor = ResponseOf<typeof getCounsellorList>[number];
