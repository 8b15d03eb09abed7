import { enrolStudents } from '#seed/demo/tenants/enrolment.ts';
import { createStudents } from '#seed/demo/tenants/persons.ts';
import type { DemoRun } from '#seed/demo/run.ts';
import { superviseSchool } from '#seed/demo/events/supervisions.ts';
import {
  classes,
  termFields,
  screenedOf,
  screenPastTerm,
  schoolOf,
  AUTUMN_BEFORE,
  SPRING_BEFORE,
  ENROLMENT,
  startOf,
  handleAll,
} from '#seed/demo/screenings.ts';

/** Fills the senior school: three terms. */
export async function fillDongshan(run: DemoRun) {
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
  const codes = await enrolStudents(calls, { by: 'demo_dongshan', time: dates.day(ENROLMENT, '10:00'), year, students: pupils });
  const school = schoolOf(run, {
    by: 'demo_dongshan',
    clientcode: 'demo-dongshan',
    plancode: 'P900002',
    name: '东山高中',
    pupils,
    codes,
  });
  await screenPastTerm(run, school, { key: 'dongshan autumn', begin: dates.day(AUTUMN_BEFORE) });
  await screenPastTerm(run, school, { key: 'dongshan spring', begin: dates.day(SPRING_BEFORE) });
  const begin = dates.day(-45);
  await school.play({
    key: 'dongshan',
    taskname: `${year}学年心理普测`,
    begin,
    end: dates.day(-31, '18:00'),
    round: 0,
    shares: { done: 0.93, doing: 0, absent: 0.03 },
    ...screenedOf(pupils, codes),
    ...termFields(begin),
  });
  await superviseSchool(run, 'dongshan');
  await handleAll(run, [school.desk], ['06', '07', '05', '06', '04', '07', '08', '06'], '预警个案复测');
}

/** Fills the primary school: three terms. */
export async function fillQinglan(run: DemoRun) {
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
  const codes = await enrolStudents(calls, { by: 'demo_qinglan', time: dates.day(ENROLMENT, '10:00'), year, students: pupils });
  const school = schoolOf(run, {
    by: 'demo_qinglan',
    clientcode: 'demo-qinglan',
    plancode: 'P900005',
    name: '青蓝小学',
    pupils,
    codes,
  });
  await screenPastTerm(run, school, { key: 'qinglan autumn', begin: dates.day(AUTUMN_BEFORE) });
  await screenPastTerm(run, school, { key: 'qinglan spring', begin: dates.day(SPRING_BEFORE) });
  const begin = dates.day(-20);
  await school.play({
    key: 'qinglan',
    taskname: `${year}学年心理困扰快筛`,
    begin,
    end: dates.day(-10, '18:00'),
    round: 0,
    shares: { done: 0.93, doing: 0, absent: 0.03 },
    ...screenedOf(pupils, codes),
    ...termFields(begin),
  });
  await superviseSchool(run, 'qinglan');
  await handleAll(run, [school.desk], ['06', '04', '08', '05', '06'], '');
}

/** The fourth school: small, with three terms. Its counts have expired since. */
export async function fillZhishu(run: DemoRun) {
  const { calls, dates, seed } = run;
  const plans = classes(
    seed,
    run.size,
    [['J2', 1]],
    [
      ['J2', 2, 1],
      ['J3', 2, 1],
    ],
    22,
  );
  const pupils = createStudents(seed, { prefix: '4', start: startOf(run), boarding: 0.2, classes: plans, personas: [] });
  const year = `${startOf(run)}-${startOf(run) + 1}`;
  const codes = await enrolStudents(calls, {
    by: 'demo_zhishu',
    time: dates.day(ENROLMENT, '10:30'),
    year,
    students: pupils,
  });
  const school = schoolOf(run, {
    by: 'demo_zhishu',
    clientcode: 'demo-zhishu0',
    plancode: 'P900002',
    name: '直属实验',
    pupils,
    codes,
  });
  await screenPastTerm(run, school, { key: 'zhishu autumn', begin: dates.day(AUTUMN_BEFORE) });
  await screenPastTerm(run, school, { key: 'zhishu spring', begin: dates.day(SPRING_BEFORE) });
  await screenPastTerm(run, school, {
    key: 'zhishu now',
    begin: dates.day(-40),
    beforeHandling: () => superviseSchool(run, 'zhishu'),
  });
}
