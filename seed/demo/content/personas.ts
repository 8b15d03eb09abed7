/**
 * A scripted person. The personas make sure that every screen of the demonstration has an example.
 * The numbers are symptom categories of the items, in order.
 */
export interface Persona {
  username: string;
  gender: '01' | '02';
  teamname: string;
  birthday?: string;
  /** answers in the earlier and in the running task of the school; `null`: none */
  spring?: PersonaAnswers | null;
  now?: PersonaAnswers | null;
}
/** The answers of a persona in one exam. */
export interface PersonaAnswers {
  PHQ9: readonly number[];
  GAD7: readonly number[];
  /** seconds for all answers; default: by the number of items */
  seconds?: number;
  /** hours before now; default: a random time */
  hoursago?: number;
}

/** Returns answers to all items of PHQ-9 and GAD-7, by the totals and the value of PHQ-9 item 9. */
export function personaAnswers(
  phq: number,
  item9: number,
  gad: number,
  more: Pick<PersonaAnswers, 'seconds' | 'hoursago'> = {},
): PersonaAnswers {
  return { PHQ9: [...spread(phq - item9, 8), item9], GAD7: spread(gad, 7), ...more };
}
/** Returns a total distributed evenly over items of at most 3 each, more on the first items. */
function spread(total: number, items: number): number[] {
  const base = Math.floor(total / items);
  const remainder = total - base * items;
  return Array.from({ length: items }, (_, index) => base + (index < remainder ? 1 : 0));
}

/** The personas of 云栖市晨光中学. Their ages fit their grades, unless dataset.ts sets a birthday. */
export const personas = {
  /** a whole case, from an alert answer to its closing */
  lin: {
    username: '林小雨',
    gender: '02',
    teamname: '初三(1)班',
    spring: { PHQ9: [2, 2, 2, 2, 2, 2, 2, 1, 1], GAD7: [2, 1, 1, 1, 1, 1, 1] },
    now: personaAnswers(4, 0, 3),
  },
  /** level 4 after an interview with acute risk */
  zhao: {
    username: '赵一鸣',
    gender: '01',
    teamname: '初三(2)班',
    spring: personaAnswers(6, 0, 5),
    now: personaAnswers(21, 2, 15, { hoursago: 126 }),
  },
  /** invalid answers, twice */
  he: {
    username: '何子墨',
    gender: '01',
    teamname: '初二(2)班',
    spring: personaAnswers(9, 0, 7, { seconds: 7 }),
    now: personaAnswers(9, 0, 7, { seconds: 5 }),
  },
  /** five exams with falling totals */
  wu: { username: '吴桐', gender: '01', teamname: '初三(3)班', spring: personaAnswers(18, 0, 12), now: personaAnswers(4, 0, 3) },
  /** thirteen years old, without a guardian's consent */
  xu: { username: '许诺', gender: '02', teamname: '初一(1)班', now: null },
  /** a case that was not accepted in time */
  meng: {
    username: '孟晓彤',
    gender: '02',
    teamname: '初二(1)班',
    spring: personaAnswers(3, 0, 2),
    now: personaAnswers(12, 1, 9, { hoursago: 54 }),
  },
  /** a false alarm: a wrong answer by mistake */
  gao: { username: '高宇航', gender: '01', teamname: '初二(3)班', spring: personaAnswers(3, 1, 1), now: personaAnswers(2, 0, 1) },
} as const satisfies Record<string, Persona>;

/** The personas of the hospital: 产后42天, in follow-up. */
export const maternityPersonas: readonly Persona[] = [
  { username: '陈静', gender: '02', teamname: '产后访视', spring: personaAnswers(14, 1, 9) },
];
/** A person who has never taken an exam. */
export const personWithoutExam = { username: '罗一诺', gender: '02', teamname: '初一(1)班' } as const;
