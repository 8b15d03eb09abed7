import { addDays, shanghaiDate } from '#domain/base/calendar.ts';
import { schoolYearOf } from '#domain/person/grades.ts';
import { handleCases, findPendingCases, type StaffDesk, type TargetState } from '#seed/demo/events/cases.ts';
import { keepRhythm } from '#seed/demo/events/rhythm.ts';
import { inParallel } from '#seed/demo/calls.ts';
import type { StaffLogin } from '#seed/demo/tenants/institutions.ts';
import { termOf } from '#seed/demo/content/dates.ts';
import type { ClassPlan, Person, Student } from '#seed/demo/tenants/persons.ts';
import type { WarningRow } from '#features/warning/warning.contract.ts';
import { randomOf } from '#seed/demo/content/random.ts';
import { maternityPersonas, personas } from '#seed/demo/content/personas.ts';
import { runTask, type TaskRun } from '#seed/demo/events/tasks.ts';
import type { Size, DemoRun } from '#seed/demo/run.ts';

/** The population of pupils. */
export const students = '000000002';

/**
 * Returns the classes of size `s` or `m`; `s` has the classes that the personas need. The first `screened` classes of a grade have
 * been screened. The others are registered and wait, because a school never screens all classes in the same weeks.
 */
export const classes = (
  seed: number,
  size: Size,
  small: readonly [grade: string, screened: number][],
  medium: readonly [grade: string, screened: number, waiting: number][],
  base: number,
): ClassPlan[] =>
  (size === 's' ? small : medium).flatMap(([gradecode, screened, waiting = 0]) =>
    Array.from({ length: screened + waiting }, (_, index) => ({
      gradecode,
      classno: index + 1,
      isWaiting: index >= screened,
      size: size === 's' ? 6 : base + randomOf(seed, 'size', `${gradecode}${index}${base}`).integer(-2, 3),
    })),
  );

/** A task of one institution, without its common settings. */
export type TaskCourse = Pick<TaskRun, 'key' | 'taskname' | 'begin' | 'end' | 'round' | 'shares' | 'teamcodes' | 'persons'> &
  Partial<TaskRun>;

/** Returns a function that runs tasks of one institution with common settings. */
export const taskRunner =
  (run: DemoRun, options: { by: StaffLogin; clientcode: string; appid: string; plancode: string; name: string }) =>
  (course: TaskCourse) =>
    runTask(run.calls, {
      seed: run.seed,
      ...options,
      stagecode: null,
      now: run.dates.now,
      onProgress: (doneCount, total) => run.log(`正在生成演示数据… ${options.name} ${course.taskname} ${doneCount}/${total}`),
      ...course,
    });

/** Returns the desk of an institution, where one member of staff handles its cases. */
export const deskOf = (run: DemoRun, owner: StaffLogin, clientcode: string, persons: readonly Person[]): StaffDesk => {
  const byName = new Map(persons.map((person) => [person.username, person]));
  // A one-person institution has its second human in the duty of the provider.
  const second: StaffLogin = owner === 'demo_psych' ? 'demo_psych2' : 'demo_duty';
  return { clientcode, owner, second, dates: run.dates, seed: run.seed, find: (username) => byName.get(username) };
};

/** Returns year, term and stage of a task that begins on this day. */
export const termFields = (begin: Date) => ({
  year: schoolYearOf(shanghaiDate(begin)),
  term: termOf(begin).term,
  stagecode: termOf(begin).stagecode,
});
/** Returns the classes of a screening and their students. */
export const screenedOf = (pupils: readonly Student[], codes: ReadonlyMap<string, string>) => {
  const persons = pupils.filter(({ isWaiting }) => !isWaiting);
  return { persons, teamcodes: [...new Set(persons.map(({ teamname }) => codes.get(teamname) as string))] };
};
/** Past screenings are small, so that the start stays short: two classes of two grades. Personas keep their own exams. */
const PAST_GRADES = 2;
const PAST_CLASSES = 2;
/** How much lower the distress was in past terms. */
const PAST_SHIFT = -0.65;

/** Screens some classes in a past term and closes the cases of it. */
export async function screenPastTerm(
  run: DemoRun,
  { play, desk, pupils, codes }: ReturnType<typeof schoolOf>,
  { key, begin, beforeHandling }: { key: string; begin: Date; beforeHandling?: () => Promise<void> },
) {
  const screened = pupils.filter(({ isWaiting }) => !isWaiting);
  const gradecodes = [...new Set(screened.map(({ gradecode }) => gradecode))].slice(-PAST_GRADES);
  const chosen = screened.filter(({ gradecode, classno }) => gradecodes.includes(gradecode) && classno <= PAST_CLASSES);
  const { year, season } = { year: termFields(begin).year, season: termOf(begin).season };
  await play({
    key,
    taskname: `${year}学年${season}学期心理普测`,
    begin,
    end: addDays(begin, 12),
    round: 0,
    shares: { done: 0.94, doing: 0, absent: 0.03 },
    teamcodes: [...new Set(chosen.map(({ teamname }) => codes.get(teamname) as string))],
    persons: chosen.filter(({ persona }) => !persona).map((pupil) => ({ ...pupil, theta: pupil.theta + PAST_SHIFT })),
    ...termFields(begin),
  });
  await beforeHandling?.();
  await handleAll(run, [desk], ['07', '07', '08', '07'], `${season}学期预警个案复测`);
}

/** What the screenings of one school share. */
export const schoolOf = (
  run: DemoRun,
  school: {
    by: StaffLogin;
    clientcode: string;
    plancode: string;
    name: string;
    pupils: readonly Student[];
    codes: ReadonlyMap<string, string>;
  },
) => ({
  play: taskRunner(run, { ...school, appid: students }),
  desk: deskOf(run, school.by, school.clientcode, school.pupils),
  pupils: school.pupils,
  codes: school.codes,
});

/** The autumn and the spring of the school year before the present one, in days before today. */
export const AUTUMN_BEFORE = -375;
export const SPRING_BEFORE = -180;
/** Schools registered their pupils before the first of these screenings. */
export const ENROLMENT = -390;

/** Returns the first year of the present school year. */
export const startOf = (run: DemoRun) => Number(schoolYearOf(shanghaiDate(run.dates.now)).slice(0, 4));

/** Handles all pending cases of the desks, each up to the next target state; `null` leaves a case pending. */
export async function handleAll(
  run: DemoRun,
  desks: readonly StaffDesk[],
  targets: readonly TargetState[] | ((row: WarningRow, index: number) => TargetState | null),
  roundname: string,
) {
  const pending = await findPendingCases(run.calls, desks[0] as StaffDesk);
  run.log(`正在生成演示数据… ${pending[0]?.insname ?? ''} 预警处置 ${pending.length} 例`);
  const personaTargets: Record<string, TargetState | null> = {
    [personas.meng.username]: null,
    [maternityPersonas[0]!.username]: '06',
  };
  const cases = pending.flatMap((row, index) => {
    const target =
      row.username in personaTargets
        ? personaTargets[row.username]
        : typeof targets === 'function'
          ? targets(row, index)
          : targets[index % targets.length];
    return target ? [{ row, target }] : [];
  });
  await handleCases(run.calls, desks, cases, roundname);
  const desksOfCases = cases.map(({ row }, index) => ({ row, desk: desks[index % desks.length] as StaffDesk }));
  await inParallel(desksOfCases, 4, ({ row, desk }) => keepRhythm(run.calls, desk, row));
}
