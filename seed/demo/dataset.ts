import * as plan from '#features/plan/plan.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { shanghaiDate } from '#domain/base/calendar.ts';
import { readNotice } from '#features/notice/notice.contract.ts';
import { enrolStudents } from '#seed/demo/tenants/enrolment.ts';
import type { StaffLogin } from '#seed/demo/tenants/institutions.ts';
import { minuteOf, termOf } from '#seed/demo/content/dates.ts';
import { createStudents, type Student } from '#seed/demo/tenants/persons.ts';
import type { WarningRow } from '#features/warning/warning.contract.ts';
import { personas, type Persona } from '#seed/demo/content/personas.ts';
import { addRules } from '#seed/demo/events/rules.ts';
import type { DemoRun } from '#seed/demo/run.ts';
import { holdConsultations } from '#seed/demo/events/consultations.ts';
import { createScriptedCases } from '#seed/demo/events/scriptedCases.ts';
import { superviseSchool } from '#seed/demo/events/supervisions.ts';
import {
  students,
  classes,
  termFields,
  screenPastTerm,
  schoolOf,
  AUTUMN_BEFORE,
  ENROLMENT,
  startOf,
  handleAll,
} from '#seed/demo/screenings.ts';
import { fillShelf, useShelf } from '#seed/demo/shelf/shelf.ts';
import { playOrders } from '#seed/demo/shop/counter.ts';
import { fillDongshan, fillQinglan, fillZhishu } from '#seed/demo/schools.ts';
import { fillRenai } from '#seed/demo/hospital.ts';

/** Creates the persons, exams and cases of every institution through the product's actions. */
export async function fillDataset(run: DemoRun): Promise<void> {
  await createPlans(run);
  await fillShelf(run);
  await playOrders(run);
  await fillChenguang(run);
  await fillDongshan(run);
  await fillQinglan(run);
  await fillZhishu(run);
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
    time: day(ENROLMENT, '09:20'),
    year: `${startOf(run)}-${startOf(run) + 1}`,
    students: pupils,
    owners: { '初二(3)班': 'demo_teacher', '初二(1)班': 'demo_teacher2', '初三(1)班': 'demo_teacher2' },
  });
  run.log(`正在生成演示数据… 云栖市晨光中学 ${pupils.length} 名学生`);
  const school = schoolOf(run, {
    by: 'demo_psych',
    clientcode: 'demo-chenguang',
    plancode: 'P900002',
    name: '晨光中学',
    pupils,
    codes,
  });
  const { play, desk } = school;
  const screenedPupils = pupils.filter(({ isWaiting }) => !isWaiting);
  const upper = screenedPupils.filter(({ gradecode }) => gradecode !== 'J1');
  const teamsOf = (students: readonly Student[]) => [...new Set(students.map(({ teamname }) => codes.get(teamname) as string))];

  await screenPastTerm(run, school, { key: 'autumn', begin: day(AUTUMN_BEFORE) });
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
  await superviseSchool(run, 'chenguang');
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
  await holdConsultations(run, screenedPupils);
  await useShelf(run, 'demo-chenguang', screenedPupils);
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
