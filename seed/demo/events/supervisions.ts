import { shanghaiDate } from '#domain/base/calendar.ts';
import * as supervision from '#features/supervision/supervision.contract.ts';
import { codes, type StaffLogin } from '#seed/demo/tenants/institutions.ts';
import type { DemoRun } from '#seed/demo/run.ts';

/** A 督办 of the demonstration. Days count from the anchor. */
interface Course {
  musercode: string;
  by: StaffLogin;
  opened: number;
  due: number;
  content: string;
  steps?: readonly Step[];
}
type Step =
  { kind: 'reply' | 'close'; day: number; content: string } | { kind: 'return'; day: number; due: number; content: string };

/** The 督办 of the schools: one is closed, one is late, one has an answer, and one waits. */
const courses = {
  chenguang: {
    musercode: codes.chenguang,
    by: 'demo_school',
    opened: -165,
    due: -161,
    content: '春季普测后有预警超时未受理，请核对并说明处理安排和完成日期。',
    steps: [
      { kind: 'reply', day: -163, content: '已安排心理教师逐项核对，本周内受理。' },
      { kind: 'return', day: -163, due: -159, content: '请写明完成日期，以及今后如何避免超时。' },
      {
        kind: 'reply',
        day: -160,
        content:
          '超时事项已全部受理，两周内完成首次约谈。今后由德育处每天放学前核对一次待受理预警，心理教师外出时由另一位心理教师代办。',
      },
      { kind: 'close', day: -159, content: '同意，请按此执行。' },
    ],
  },
  dongshan: {
    musercode: codes.dongshan,
    by: 'demo_dongshan',
    opened: -12,
    due: -5,
    content: '秋季普测后有预警超时未受理，请核对原因，说明处理安排。',
  },
  qinglan: {
    musercode: codes.qinglan,
    by: 'demo_qinglan',
    opened: -6,
    due: -1,
    content: '快筛后有预警超时未受理，请说明处理安排和完成日期。',
    steps: [{ kind: 'reply', day: -4, content: '四至六年级的超时事项已全部受理，家长沟通安排在本周内完成。' }],
  },
  zhishu: {
    musercode: codes.special,
    by: 'demo_zhishu',
    opened: -1,
    due: 13,
    content: '普测后有预警超时未受理，请核对并回复处理安排。',
  },
} as const satisfies Record<string, Course>;

/** Opens the 督办 of a school while its cases are overdue, and takes it to its state of today. */
export async function superviseSchool({ calls, dates, withFlag }: DemoRun, school: keyof typeof courses): Promise<void> {
  const course: Course = courses[school];
  const { musercode, content } = course;
  const dueOn = (day: number) => shanghaiDate(dates.day(day));
  const opened = dates.day(course.opened, '09:40');
  const { supervisionid } = await withFlag(musercode, opened, async () =>
    (await calls.as('demo_jyj', opened))(supervision.insertSupervision, { musercode, content, duedate: dueOn(course.due) }),
  );
  const clock = { reply: '11:20', return: '15:10', close: '10:30' } as const;
  for (const step of course.steps ?? []) {
    const words = { supervisionid, content: step.content };
    const call = await calls.as(step.kind === 'reply' ? course.by : 'demo_jyj', dates.day(step.day, clock[step.kind]));
    if (step.kind === 'return') await call(supervision.returnSupervision, { ...words, duedate: dueOn(step.due) });
    else await call(step.kind === 'reply' ? supervision.replySupervision : supervision.closeSupervision, words);
  }
}
