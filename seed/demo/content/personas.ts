/**
 * People whose story is told on purpose, so that every screen of the demonstration has somebody to look at. The numbers are
 * symptom categories of the items, in order.
 */
export interface Script {
  username: string;
  gender: '01' | '02';
  teamname: string;
  birthday?: string;
  /** how they answer in the earlier and in the running task of their school; `null`: not at all */
  spring?: Sheets | null;
  now?: Sheets | null;
}
export interface Sheets {
  PHQ9: readonly number[];
  GAD7: readonly number[];
  /** seconds for the whole sheet, when it matters */
  seconds?: number;
  /** hours before now, when it matters */
  hoursago?: number;
}

/** An answer to all nine and seven items; `phq(16, 1)`: a total of 16 with 1 on item 9. */
export function sheets(phq: number, item9: number, gad: number, more: Pick<Sheets, 'seconds' | 'hoursago'> = {}): Sheets {
  return { PHQ9: [...spread(phq - item9, 8), item9], GAD7: spread(gad, 7), ...more };
}
/** A total spread evenly over items of at most 3 each, more on the first ones. */
function spread(total: number, items: number): number[] {
  const each = Math.floor(total / items);
  const rest = total - each * items;
  return Array.from({ length: items }, (_, at) => each + (at < rest ? 1 : 0));
}

/** Scripted pupils of 云栖市晨光中学; ages are those of their grade unless a birthday is given by `birthdayFor`. */
export const scripts = {
  /** the whole way of a case, from a red answer to its closing */
  lin: {
    username: '林小雨',
    gender: '02',
    teamname: '初三(1)班',
    spring: { PHQ9: [2, 2, 2, 2, 2, 2, 2, 1, 1], GAD7: [2, 1, 1, 1, 1, 1, 1] },
    now: sheets(4, 0, 3),
  },
  /** level 4 by an acute interview */
  zhao: {
    username: '赵一鸣',
    gender: '01',
    teamname: '初三(2)班',
    spring: sheets(6, 0, 5),
    now: sheets(21, 2, 15, { hoursago: 126 }),
  },
  /** answers in doubt, twice */
  he: {
    username: '何子墨',
    gender: '01',
    teamname: '初二(2)班',
    spring: sheets(9, 0, 7, { seconds: 7 }),
    now: sheets(9, 0, 7, { seconds: 5 }),
  },
  /** five tests on the way down */
  wu: { username: '吴桐', gender: '01', teamname: '初三(3)班', spring: sheets(18, 0, 12), now: sheets(4, 0, 3) },
  /** thirteen years old, and no guardian agreed */
  xu: { username: '许诺', gender: '02', teamname: '初一(1)班', now: null },
  /** nobody took the case over in time */
  meng: {
    username: '孟晓彤',
    gender: '02',
    teamname: '初二(1)班',
    spring: sheets(3, 0, 2),
    now: sheets(12, 1, 9, { hoursago: 54 }),
  },
  /** a wrong tick */
  gao: { username: '高宇航', gender: '01', teamname: '初二(3)班', spring: sheets(3, 1, 1), now: sheets(2, 0, 1) },
} as const satisfies Record<string, Script>;

/** 产后42天, in follow-up. */
export const maternityScripts: readonly Script[] = [
  { username: '陈静', gender: '02', teamname: '产后访视', spring: sheets(14, 1, 9) },
];
/** Somebody who never sat a test. */
export const untested = { username: '罗一诺', gender: '02', teamname: '初一(1)班' } as const;
