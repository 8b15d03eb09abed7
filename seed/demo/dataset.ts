import { shanghaiDate } from '#domain/base/calendar.ts';
import { schoolYearOf } from '#domain/person/grades.ts';
import * as plan from '#features/plan/plan.contract.ts';
import * as task from '#features/task/task.contract.ts';
import { handleCases, pendingCases, type Desk, type Goal } from '#seed/demo/events/cases.ts';
import { enrolStudents, enrolWomen } from '#seed/demo/tenants/enrolment.ts';
import type { StaffLogin } from '#seed/demo/tenants/institutions.ts';
import { minuteOf, termOf } from '#seed/demo/content/dates.ts';
import { studentsOf, womenOf, type ClassPlan, type Person, type Student, type Woman } from '#seed/demo/tenants/persons.ts';
import type { WarningRow } from '#features/warning/warning.contract.ts';
import { chanceOf } from '#seed/demo/content/random.ts';
import { maternityScripts, scripts, type Script } from '#seed/demo/content/personas.ts';
import { playTask, type Play } from '#seed/demo/events/tasks.ts';
import { addRules } from '#seed/demo/events/rules.ts';
import type { Size, World } from '#seed/demo/run.ts';
import { tellStories } from '#seed/demo/events/scriptedCases.ts';

const students = '000000002';

/**
 * Classes of the sizes `s` and `m`; in `s` as many as the stories need. Of a grade the first `asked` classes have been screened, the
 * others are on the register and wait: a school never asks everybody in the same weeks.
 */
const classes = (
  seed: number,
  size: Size,
  small: readonly [grade: string, asked: number][],
  medium: readonly [grade: string, asked: number, waiting: number][],
  base: number,
): ClassPlan[] =>
  (size === 's' ? small : medium).flatMap(([gradecode, screened, waiting = 0]) =>
    Array.from({ length: screened + waiting }, (_, at) => ({
      gradecode,
      classno: at + 1,
      waits: at >= screened,
      size: size === 's' ? 6 : base + chanceOf(seed, 'size', `${gradecode}${at}${base}`).whole(-2, 3),
    })),
  );

/** Makes every institution's persons, tests and cases through the product's actions. */
export async function fillWorld(world: World): Promise<void> {
  await makePlans(world);
  await fillChenguang(world);
  await fillDongshan(world);
  await fillQinglan(world);
  await fillRenai(world);
}

/** Plans of the provider and of a school beside those everybody shares. */
async function makePlans({ calls, moments }: World) {
  const own: readonly [StaffLogin, string, string, readonly string[], string][] = [
    ['demo_fws', '孕产妇情绪快筛（PHQ-9）', '000000001', ['PHQ9'], '门诊候诊时使用，约 2 分钟。'],
    ['demo_fws', '学生焦虑专项（GAD-7）', students, ['GAD7'], '考试前后使用，约 2 分钟。'],
    ['demo_fws', '职工心理困扰快筛（K10）', '000000003', ['K10'], '年度体检时使用，约 3 分钟。'],
    ['demo_fws', '老年情绪快筛（GDS-15）', '000000004', ['GDS15'], '随老年人健康体检使用，约 4 分钟。'],
    ['demo_fws', '考前情绪快筛（PHQ-9）', students, ['PHQ9'], '考前一个月使用，约 2 分钟。'],
    ['demo_fws', '产后访视组合（GAD-7 + PHQ-9）', '000000001', ['GAD7', 'PHQ9'], '产后访视时使用，约 5 分钟。'],
    ['demo_psych', '个案复测（PHQ-9 + GAD-7）', students, ['PHQ9', 'GAD7'], '预警个案四周复测，约 5 分钟。'],
    ['demo_psych', '新生适应筛查（K10 + PHQ-9）', students, ['K10', 'PHQ9'], '入学一个月内使用，约 6 分钟。'],
  ];
  for (const [by, planname, appid, forms, introduce] of own)
    await (
      await calls.as(by, moments.day(-210, '10:00'))
    )(plan.insertMUserExamPlan, { planname, appid, forms: forms.map((formcode) => ({ formcode })), introduce });
}

type Course = Pick<Play, 'key' | 'taskname' | 'begin' | 'end' | 'round' | 'shares' | 'teamcodes' | 'persons'> & Partial<Play>;

/** What tasks of one institution have in common. */
const playing =
  (world: World, options: { by: StaffLogin; clientcode: string; appid: string; plancode: string; name: string }) =>
  (course: Course) =>
    playTask(world.calls, {
      seed: world.seed,
      ...options,
      stagecode: null,
      now: world.moments.now,
      say: (doneCount, all) => world.say(`正在生成演示数据… ${options.name} ${course.taskname} ${doneCount}/${all}`),
      ...course,
    });

const deskOf = (world: World, owner: StaffLogin, clientcode: string, persons: readonly Person[]): Desk => {
  const byName = new Map(persons.map((person) => [person.username, person]));
  return { clientcode, owner, moments: world.moments, seed: world.seed, find: (username) => byName.get(username) };
};

const termFields = (begin: Date) => ({
  year: schoolYearOf(shanghaiDate(begin)),
  term: termOf(begin).term,
  stagecode: termOf(begin).stagecode,
});
/** The classes a screening asks, and who is in them. */
const askedOf = (pupils: readonly Student[], codes: ReadonlyMap<string, string>) => {
  const persons = pupils.filter(({ waits }) => !waits);
  return { persons, teamcodes: [...new Set(persons.map(({ teamname }) => codes.get(teamname) as string))] };
};
const startOf = (world: World) => Number(schoolYearOf(shanghaiDate(world.moments.now)).slice(0, 4));

async function fillChenguang(world: World) {
  const { calls, moments, seed } = world;
  const { day } = moments;
  const toldScripts: Script[] = [
    { ...scripts.lin, birthday: shanghaiDate(day(-186 - 365 * 14 - 97)) },
    { ...scripts.xu, birthday: shanghaiDate(day(-40 - 365 * 13)) },
    scripts.zhao,
    scripts.he,
    scripts.wu,
    scripts.meng,
    scripts.gao,
  ];
  const plans = classes(
    seed,
    world.size,
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
  const pupils = studentsOf(seed, { prefix: '1', start: startOf(world), boarding: 0.35, classes: plans, scripts: toldScripts });
  const codes = await enrolStudents(calls, {
    by: 'demo_school',
    at: day(-200, '09:20'),
    year: `${startOf(world)}-${startOf(world) + 1}`,
    students: pupils,
    owners: { '初二(3)班': 'demo_teacher', '初二(1)班': 'demo_teacher2', '初三(1)班': 'demo_teacher2' },
  });
  world.say(`正在生成演示数据… 云栖市晨光中学 ${pupils.length} 名学生`);
  const play = playing(world, {
    by: 'demo_psych',
    clientcode: 'demo-chenguang',
    appid: students,
    plancode: 'P900002',
    name: '晨光中学',
  });
  const desk = deskOf(world, 'demo_psych', 'demo-chenguang', pupils);
  const askedPupils = pupils.filter(({ waits }) => !waits);
  const upper = askedPupils.filter(({ gradecode }) => gradecode !== 'J1');
  const teamsOf = (of: readonly Student[]) => [...new Set(of.map(({ teamname }) => codes.get(teamname) as string))];

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
  await tellStories.afterSpring(world, desk);
  await handleAll(world, [desk, { ...desk, owner: 'demo_psych2' }], ['07', '07', '07', '08', '07', '07'], '春季学期预警个案复测');
  await otherTasks(world, teamsOf(upper.slice(0, 1)));
  await addRules(calls, moments);

  const running = day(-6);
  const taskcode = await play({
    key: 'now',
    taskname: `${termFields(running).year}学年${termOf(running).season}学期心理复查`,
    begin: running,
    end: day(8, '18:00'),
    round: 1,
    shares: { done: 0.7, doing: 0.03, absent: 0.02 },
    teamcodes: teamsOf(askedPupils),
    persons: askedPupils,
    ...termFields(running),
  });
  await tellStories.now(world, desk, pupils, codes, taskcode);
  // What is late was mostly dealt with; of what is not, some waits for the psychologist who signs in now.
  const young = (row: WarningRow, at: number) =>
    (row.isoverdue ? (['04', '06', '05', '04', '02'] as const) : ([null, '02', null, '03', '04'] as const))[at % 5] ?? null;
  await handleAll(world, [desk, { ...desk, owner: 'demo_psych2' }], young, '');
}

/** A task that was called off, and one that is being prepared. */
async function otherTasks({ calls, moments }: World, teamcodes: readonly string[]) {
  const common = {
    appid: students,
    plancode: 'P900002',
    stagecode: 'XS03',
    teamcodes: [...teamcodes],
    cuserids: [],
    resultshow: 0,
  };
  const then = await calls.as('demo_psych', moments.day(-95, '10:00'));
  const { taskcode } = await then(task.insertAssessTask, {
    ...common,
    taskname: '考前专项测评',
    begintime: minuteOf(moments.day(-90)),
    endtime: minuteOf(moments.day(-85, '18:00')),
    status: 0,
  });
  await then(task.updateAssessTask, { taskcode, status: 3 });
  const lately = await calls.as('demo_psych', moments.day(-7, '10:00'));
  await lately(task.insertAssessTask, {
    ...common,
    taskname: '考前专项测评（筹备）',
    begintime: minuteOf(moments.day(30)),
    endtime: minuteOf(moments.day(40, '18:00')),
    status: 0,
  });
}

async function fillDongshan(world: World) {
  const { calls, moments, seed } = world;
  const plans = classes(
    seed,
    world.size,
    [['S1', 1]],
    [
      ['S1', 2, 3],
      ['S2', 1, 3],
      ['S3', 1, 3],
    ],
    38,
  );
  const pupils = studentsOf(seed, { prefix: '2', start: startOf(world), boarding: 0.6, classes: plans, scripts: [] });
  const year = `${startOf(world)}-${startOf(world) + 1}`;
  const codes = await enrolStudents(calls, { by: 'demo_dongshan', at: moments.day(-60, '10:00'), year, students: pupils });
  const begin = moments.day(-45);
  await playing(world, {
    by: 'demo_dongshan',
    clientcode: 'demo-dongshan',
    appid: students,
    plancode: 'P900002',
    name: '东山高中',
  })({
    key: 'dongshan',
    taskname: `${year}学年心理普测`,
    begin,
    end: moments.day(-31, '18:00'),
    round: 0,
    shares: { done: 0.93, doing: 0, absent: 0.03 },
    ...askedOf(pupils, codes),
    ...termFields(begin),
  });
  await handleAll(
    world,
    [deskOf(world, 'demo_dongshan', 'demo-dongshan', pupils)],
    ['06', '07', '05', '06', '04', '07', '08', '06'],
    '预警个案复测',
  );
}

async function fillQinglan(world: World) {
  const { calls, moments, seed } = world;
  const plans = classes(
    seed,
    world.size,
    [['P5', 1]],
    [
      ['P4', 1, 1],
      ['P5', 1, 1],
      ['P6', 1, 1],
    ],
    34,
  );
  const pupils = studentsOf(seed, { prefix: '3', start: startOf(world), boarding: 0, classes: plans, scripts: [] });
  const year = `${startOf(world)}-${startOf(world) + 1}`;
  const codes = await enrolStudents(calls, { by: 'demo_qinglan', at: moments.day(-30, '10:00'), year, students: pupils });
  const begin = moments.day(-20);
  await playing(world, {
    by: 'demo_qinglan',
    clientcode: 'demo-qinglan',
    appid: students,
    plancode: 'P900005',
    name: '青蓝小学',
  })({
    key: 'qinglan',
    taskname: `${year}学年心理困扰快筛`,
    begin,
    end: moments.day(-10, '18:00'),
    round: 0,
    shares: { done: 0.93, doing: 0, absent: 0.03 },
    ...askedOf(pupils, codes),
    ...termFields(begin),
  });
  await handleAll(world, [deskOf(world, 'demo_qinglan', 'demo-qinglan', pupils)], ['06', '04', '08', '05', '06'], '');
}

async function fillRenai(world: World) {
  const { calls, moments, seed } = world;
  const women = womenOf(seed, world.size === 's' ? 6 : 60, moments.now, maternityScripts);
  const teamOf = ({ gestation }: Woman) => (gestation >= 281 ? '产后访视' : gestation >= 196 ? '孕晚期门诊' : '孕产期建册');
  const codes = await enrolWomen(calls, { by: 'demo_hospital', at: moments.day(-40, '09:00'), women, teamOf });
  const play = playing(world, {
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
      begin: moments.day(-25),
      end: teamname === '孕产期建册' ? moments.day(5, '18:00') : moments.day(-4, '18:00'),
      round: 0,
      shares: { done: 0.86, doing: 0.02, absent: 0.03 },
      teamcodes: [teamcode],
      persons: women.filter((woman) => teamOf(woman) === teamname),
      stagecode: stage[teamname] ?? null,
      hours: [8, 9, 10],
    });
  await handleAll(world, [deskOf(world, 'demo_hospital', 'demo-renai00', women)], ['06', '04', '06', '05'], '');
}

/** Handles everything that waits at a desk, each case as far as the next goal says; `null` leaves it waiting. */
async function handleAll(
  world: World,
  desks: readonly Desk[],
  goals: readonly Goal[] | ((row: WarningRow, at: number) => Goal | null),
  roundname: string,
) {
  const open = await pendingCases(world.calls, desks[0] as Desk);
  world.say(`正在生成演示数据… ${open[0]?.insname ?? ''} 预警处置 ${open.length} 例`);
  const inStory: Record<string, Goal | null> = { [scripts.meng.username]: null, [maternityScripts[0]!.username]: '06' };
  const cases = open.flatMap((row, index) => {
    const goal =
      row.username in inStory
        ? inStory[row.username]
        : typeof goals === 'function'
          ? goals(row, index)
          : goals[index % goals.length];
    return goal ? [{ row, goal }] : [];
  });
  await handleCases(world.calls, desks, cases, roundname);
}
