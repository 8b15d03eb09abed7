import type { RequestOf } from '#contract/action.ts';
import { replayChange } from '#features/warning/replay/replay.contract.ts';
import * as rule from '#features/warning/rules/rule.contract.ts';
import type { Call, Calls } from '#seed/demo/calls.ts';
import type { DemoDates } from '#seed/demo/content/dates.ts';

const students = '000000002';
const total = (form: string, gte: number) => ({ form, score: 'total', gte });

/** Replays a rule over the past, as the product requires, and adds it switched on. */
async function addTriedRule(call: Call, request: RequestOf<typeof rule.insertWarningRule>): Promise<void> {
  const { cond, warninglevel, appid } = request;
  await call(replayChange, { kind: 'rule', content: { cond, warninglevel, appid } });
  await call(rule.insertWarningRule, { ...request, enabled: 1 });
}

/** Adds the own warning rules of two schools, dated between two screenings. */
export async function addRules(calls: Calls, { day }: DemoDates): Promise<void> {
  const psychologist = await calls.as('demo_psych', day(-60, '15:30'));
  await addTriedRule(psychologist, {
    name: '情绪与焦虑同时接近界值',
    cond: { all: [total('PHQ9', 9), total('GAD7', 9)] },
    warninglevel: 2,
    appid: students,
    remark: '两项都差一点到界值的学生，上学期有人漏了关注。',
  });
  const secondPsychologist = await calls.as('demo_psych2', day(-58, '10:10'));
  await addTriedRule(secondPsychologist, {
    name: '第 9 题阳性且焦虑明显',
    cond: { all: [{ form: 'PHQ9', item: 'q9', gte: 1 }, total('GAD7', 15)] },
    warninglevel: 3,
    appid: students,
    remark: '当天联系，不等到第二天。',
  });
  const dongshan = await calls.as('demo_dongshan', day(-50, '16:20'));
  await dongshan(rule.insertWarningRule, {
    name: '考前三个月内明显上升',
    cond: { all: [{ delta: { form: 'PHQ9', score: 'total', days: 90 }, gte: 4 }] },
    warninglevel: 2,
    appid: students,
    enabled: 0,
    remark: '先试运行，复测后决定是否启用。',
  });
}
