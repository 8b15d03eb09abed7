import { shanghaiDate } from '#domain/base/calendar.ts';
import { schoolYearOf } from '#domain/person/grades.ts';
import { readNotice } from '#features/notice/notice.contract.ts';
import * as plan from '#features/plan/plan.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { handleCases, findPendingCases, type StaffDesk, type TargetState } from '#seed/demo/events/cases.ts';
import { keepRhythm } from '#seed/demo/events/rhythm.ts';
import { inParallel } from '#seed/demo/calls.ts';
import { enrolStudents, enrolWomen } from '#seed/demo/tenants/enrolment.ts';
import type { StaffLogin } from '#seed/demo/tenants/institutions.ts';
import { minuteOf, termOf } from '#seed/demo/content/dates.ts';
import {
  createStudents,
  createWomen,
  type ClassPlan,
  type Person,
  type Student,
  type Woman,
} from '#seed/demo/tenants/persons.ts';
import type { WarningRow } from '#features/warning/warning.contract.ts';
import { randomOf } from '#seed/demo/content/random.ts';
import { maternityPersonas, personas, type Persona } from '#seed/demo/content/personas.ts';
import { runTask, type TaskRun } from '#seed/demo/events/tasks.ts';
import { addRules } from '#seed/demo/events/rules.ts';
import type { Size, DemoRun } from '#seed/demo/run.ts';
import { createScriptedCases } from '#seed/demo/events/scriptedCases.ts';

const students = '000000002';

/**
 * Returns the classes of size `s` or `m`; `s` has the classes that the personas need. The first `screened` classes of a grade have
 * been screened. The others are registered and wait, because a school never screens all classes in the same weeks.
 */
const classes = (
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
      waits: index >= screened,
      size: size === 's' ? 6 : base + randomOf(seed, 'size', `${gradecode}${index}${base}`).integer(-2, 3),
    })),
  );

/** Creates the persons, exams and cases of every institution through the product's actions. */
export async function fillDataset(run: DemoRun): Promise<void> {
  await createPlans(run);
  await fillChenguang(run);
  await fillDongshan(run);
  await fillQinglan(run);
  await fillRenai(run);
}

/** Creates the plans of the provider and of a school, in addition to the common plans. */
async function createPlans({ calls, dates }: DemoRun) {
  const plans: readonly [StaffLogin, string, string, readonly string[], string][] = [
    ['demo_fws', '孕产妇情绪快筛（PHQ-9）', '000000001', ['PHQ9'], '门诊候诊时使用，约 2 分钟。'],
    ['demo_fws', '学生焦虑专项（GAD-7）', students, ['GAD7'], '考试前后使用，约 2 分钟。'],
    ['demo_fws', '职工心理困扰快筛（K10）', '000000003', ['K10'], '年度体检时使用，约 3 分钟。'],
    ['demo_fws', '老年情绪快筛（GDS-15）', '000000004', ['GDS15'], '随老年人健康体检使用，约 4 分钟。'],
    ['demo_fws', '考前情绪快筛（PHQ-9）', students, ['PHQ9'], '考前一个月使用，约 2 分钟。'],
    ['demo_fws', '产后访视组合（GAD-7 + PHQ-9）', '000000001', ['GAD7', 'PHQ9'], '产后访视时使用，约 5 分钟。'],
    ['demo_psych', '个案复测（PHQ-9 + GAD-7）', students, ['PHQ9', 'GAD7'], '预警个案四周复测，约 5 分钟。'],
    ['demo_psych', '新生适应筛查（K10 + PHQ-9）', students, ['K10', 'PHQ9'], '入学一个月内使用，约 6 分钟。'],
  ];
  for (const [by, planname, appid, forms, introduce] of plans)
    await (
      await calls.as(by, dates.day(-210, '10:00'))
    )(plan.insertMUserExamPlan, { planname, appid, forms: forms.map((formcode) => ({ formcode })), introduce });
}

type TaskCourse = Pick<TaskRun, 'key' | 'taskname' | 'begin' | 'end' | 'round' | 'shares' | 'teamcodes' | 'persons'> &
  Partial<TaskRun>;

/** Returns a function that runs tasks of one institution with common settings. */
const taskRunner =
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

const deskOf = (run: DemoRun, owner: StaffLogin, clientcode: string, persons: readonly Person[]): StaffDesk => {
  const byName = new Map(persons.map((person) => [person.username, person]));
  // A one-person institution has its second human in the duty of the provider.
  const second: StaffLogin = owner === 'demo_psych' ? 'demo_psych2' : 'demo_duty';
  return { clientcode, owner, second, dates: run.dates, seed: run.seed, find: (username) => byName.get(username) };
};

const termFields = (begin: Date) => ({
  year: schoolYearOf(shanghaiDate(begin)),
  term: termOf(begin).term,
  stagecode: termOf(begin).stagecode,
});
/** Returns the classes of a screening and their students. */
const screenedOf = (pupils: readonly Student[], codes: ReadonlyMap<string, string>) => {
  const persons = pupils.filter(({ isWaiting }) => !isWaiting);
  return { persons, teamcodes: [...new Set(persons.map(({ teamname }) => codes.get(teamname) as string))] };
};
const startOf = (run: DemoRun) => Number(schoolYearOf(shanghaiDate(run.dates.now)).slice(0, 4));

async function fillChenguang(run: DemoRun) {
  const { calls, dates, seed } = run;
  const { day } = dates;
  const schoolPersonas: Persona[] = [
    { ...personas.lin, birthday: shanghaiDate(day(-186 - 365 * 14 - 97)) },
    { ...personas.xu, birthday: shanghaiDate(day(-40 - 365 * 13)) },
    personas.zhao,
    personas.he,
    personas.wu,
    personas.meng,
    personas.gao,
  ];
  const plans = classes(
    seed,
    run.size,
    [
      ['J1', 1],
      ['J2', 3],
      ['J3', 3],
    ],
    [
      ['J1', 3, 5],
      ['J2', 3, 3],
      ['J3', 3, 3],
    ],
    34,
  );
  const pupils = createStudents(seed, {
    prefix: '1',
    start: startOf(run),
    boarding: 0.35,
    classes: plans,
    personas: schoolPersonas,
  });
  const codes = await enrolStudents(calls, {
    by: 'demo_school',
    time: day(-200, '09:20'),
    year: `${startOf(run)}-${startOf(run) + 1}`,
    students: pupils,
    owners: { '初二(3)班': 'demo_teacher', '初二(1)班': 'demo_teacher2', '初三(1)班': 'demo_teacher2' },
  });
  run.log(`正在生成演示数据… 云栖市晨光中学 ${pupils.length} 名学生`);
  const play = taskRunner(run, {
    by: 'demo_psych',
    clientcode: 'demo-chenguang',
    appid: students,
    plancode: 'P900002',
    name: '晨光中学',
  });
  const desk = deskOf(run, 'demo_psych', 'demo-chenguang', pupils);
  const screenedPupils = pupils.filter(({ isWaiting }) => !isWaiting);
  const upper = screenedPupils.filter(({ gradecode }) => gradecode !== 'J1');
  const teamsOf = (students: readonly Student[]) => [...new Set(students.map(({ teamname }) => codes.get(teamname) as string))];

  const spring = day(-186);
  await play({
    key: 'spring',
    taskname: `${termFields(spring).year}学年${termOf(spring).season}学期心理普测`,
    begin: spring,
    end: day(-172, '18:00'),
    round: 0,
    shares: { done: 0.93, doing: 0, absent: 0.03 },
    teamcodes: teamsOf(upper),
    persons: upper,
    ...termFields(spring),
  });
  await createScriptedCases.afterSpring(run, desk);
  await handleAll(
    run,
    [desk, { ...desk, owner: 'demo_psych2', second: 'demo_psych' }],
    ['07', '07', '07', '08', '07', '07'],
    '春季学期预警个案复测',
  );
  await createOtherTasks(run, teamsOf(upper.slice(0, 1)));
  await addRules(calls, dates);

  const running = day(-6);
  const taskcode = await play({
    key: 'now',
    taskname: `${termFields(running).year}学年${termOf(running).season}学期心理复查`,
    begin: running,
    end: day(8, '18:00'),
    round: 1,
    shares: { done: 0.7, doing: 0.03, absent: 0.02 },
    teamcodes: teamsOf(screenedPupils),
    persons: screenedPupils,
    ...termFields(running),
  });
  // The staff have read their messages up to yesterday.
  for (const login of ['demo_psych', 'demo_psych2', 'demo_school'] as const)
    await (
      await calls.as(login, day(-1, '16:00'))
    )(readNotice, {});
  await createScriptedCases.now(run, desk, pupils, codes, taskcode);
  // Staff have handled the overdue cases. Some of the others wait for the psychologist who signs in now.
  const recentTarget = (row: WarningRow, index: number) =>
    (row.isoverdue ? (['04', '06', '05', '04', '06'] as const) : ([null, '02', null, '03', '04'] as const))[index % 5] ?? null;
  await handleAll(run, [desk, { ...desk, owner: 'demo_psych2', second: 'demo_psych' }], recentTarget, '');
}

/** Creates a task that is cancelled, and one that is being prepared. */
async function createOtherTasks({ calls, dates }: DemoRun, teamcodes: readonly string[]) {
  const common = {
    appid: students,
    plancode: 'P900002',
    stagecode: 'XS03',
    teamcodes: [...teamcodes],
    cuserids: [],
    resultshow: 0,
  };
  const then = await calls.as('demo_psych', dates.day(-95, '10:00'));
  const { taskcode } = await then(task.insertAssessTask, {
    ...common,
    taskname: '考前专项测评',
    begintime: minuteOf(dates.day(-90)),
    endtime: minuteOf(dates.day(-85, '18:00')),
    status: 0,
  });
  await then(task.updateAssessTask, { taskcode, status: 3 });
  const lately = await calls.as('demo_psych', dates.day(-7, '10:00'));
  await lately(task.insertAssessTask, {
    ...common,
    taskname: '考前专项测评（筹备）',
    begintime: minuteOf(dates.day(30)),
    endtime: minuteOf(dates.day(40, '18:00')),
    status: 0,
  });
}

async function fillDongshan(run: DemoRun) {
  const { calls, dates, seed } = run;
  const plans = classes(
    seed,
    run.size,
    [['S1', 1]],
    [
      ['S1', 2, 3],
      ['S2', 1, 3],
      ['S3', 1, 3],
    ],
    38,
  );
  const pupils = createStudents(seed, { prefix: '2', start: startOf(run), boarding: 0.6, classes: plans, personas: [] });
  const year = `${startOf(run)}-${startOf(run) + 1}`;
  const codes = await enrolStudents(calls, { by: 'demo_dongshan', time: dates.day(-60, '10:00'), year, students: pupils });
  const begin = dates.day(-45);
  await taskRunner(run, {
    by: 'demo_dongshan',
    clientcode: 'demo-dongshan',
    appid: students,
    plancode: 'P900002',
    name: '东山高中',
  })({
    key: 'dongshan',
    taskname: `${year}学年心理普测`,
    begin,
    end: dates.day(-31, '18:00'),
    round: 0,
    shares: { done: 0.93, doing: 0, absent: 0.03 },
    ...screenedOf(pupils, codes),
    ...termFields(begin),
  });
  await handleAll(
    run,
    [deskOf(run, 'demo_dongshan', 'demo-dongshan', pupils)],
    ['06', '07', '05', '06', '04', '07', '08', '06'],
    '预警个案复测',
  );
}

async function fillQinglan(run: DemoRun) {
  const { calls, dates, seed } = run;
  const plans = classes(
    seed,
    run.size,
    [['P5', 1]],
    [
      ['P4', 1, 1],
      ['P5', 1, 1],
      ['P6', 1, 1],
    ],
    34,
  );
  const pupils = createStudents(seed, { prefix: '3', start: startOf(run), boarding: 0, classes: plans, personas: [] });
  const year = `${startOf(run)}-${startOf(run) + 1}`;
  const codes = await enrolStudents(calls, { by: 'demo_qinglan', time: dates.day(-30, '10:00'), year, students: pupils });
  const begin = dates.day(-20);
  await taskRunner(run, {
    by: 'demo_qinglan',
    clientcode: 'demo-qinglan',
    appid: students,
    plancode: 'P900005',
    name: '青蓝小学',
  })({
    key: 'qinglan',
    taskname: `${year}学年心理困扰快筛`,
    begin,
    end: dates.day(-10, '18:00'),
    round: 0,
    shares: { done: 0.93, doing: 0, absent: 0.03 },
    ...screenedOf(pupils, codes),
    ...termFields(begin),
  });
  await handleAll(run, [deskOf(run, 'demo_qinglan', 'demo-qinglan', pupils)], ['06', '04', '08', '05', '06'], '');
}

async function fillRenai(run: DemoRun) {
  const { calls, dates, seed } = run;
  const women = createWomen(seed, run.size === 's' ? 6 : 60, dates.now, maternityPersonas);
  const teamOf = ({ gestation }: Woman) => (gestation >= 281 ? '产后访视' : gestation >= 196 ? '孕晚期门诊' : '孕产期建册');
  const codes = await enrolWomen(calls, { by: 'demo_hospital', time: dates.day(-40, '09:00'), women, teamOf });
  const play = taskRunner(run, {
    by: 'demo_hospital',
    clientcode: 'demo-renai00',
    appid: '000000001',
    plancode: 'P900001',
    name: '仁爱妇幼',
  });
  const stage = { 孕产期建册: 'YC02', 孕晚期门诊: 'YC03', 产后访视: 'YC42' } as Record<string, string>;
  for (const [teamname, teamcode] of codes)
    await play({
      key: teamname,
      taskname: `${teamname}心理测评`,
      begin: dates.day(-25),
      end: teamname === '孕产期建册' ? dates.day(5, '18:00') : dates.day(-4, '18:00'),
      round: 0,
      shares: { done: 0.86, doing: 0.02, absent: 0.03 },
      teamcodes: [teamcode],
      persons: women.filter((woman) => teamOf(woman) === teamname),
      stagecode: stage[teamname] ?? null,
      hours: [8, 9, 10],
    });
  await handleAll(run, [deskOf(run, 'demo_hospital', 'demo-renai00', women)], ['06', '04', '06', '05'], '');
}

/** Handles all pending cases of the desks, each up to the next target state; `null` leaves a case pending. */
async function handleAll(
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
