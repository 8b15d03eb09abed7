import { expect, test } from 'vitest';
import * as rule from '#features/warning/rules/rule.contract.ts';
import { replayChange } from '#features/warning/replay/replay.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';
import { takeExam } from '#testing/exam.ts';

/** PHQ-9 8 and GAD-7 0: the platform sees level 1, which opens no case. */
const mild = { PHQ9: '1 1 1 1 1 1 1 1 0 0', GAD7: '0 0 0 0 0 0 0' };
const customRule = {
  name: '考前关注',
  warninglevel: 2,
  cond: { all: [{ form: 'PHQ9', score: 'total', gte: 7 }] },
  appid: '000000002',
};

async function school() {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明'], birthday: '2011-07-08' });
  return { ...server, chen: server.as('chen'), lin: pupils[0]!, zhou: pupils[1]! };
}
const findCases = async ({ chen }: Awaited<ReturnType<typeof school>>) => (await chen(warning.getWarningPageList, {})).rows;

test('a school tries a custom rule on past exams and enables it, and only matching new exams open a case', async () => {
  const server = await school();
  const { chen, as } = server;
  await takeExam(server, server.lin, mild);
  expect(await findCases(server)).toEqual([]);
  const tried = await chen(rule.testWarningRule, { cond: customRule.cond, warninglevel: 2 });
  expect(tried).toMatchObject({
    hit: true,
    warninglevel: 2,
    checked: 1,
    hits: 1,
    persons: 1,
    more: 1,
    samples: [{ username: '林小雨', before: 1, scores: 'PHQ-9 8，GAD-7 0' }],
  });
  expect(await findCases(server)).toEqual([]);

  // Without a replay the rule stays off: the psychologist has to see first which pupils it would flag.
  await expect(chen(rule.insertWarningRule, customRule)).rejects.toMatchObject({ code: 140001, data: { trial: 'rule' } });
  const { cond, warninglevel, appid } = customRule;
  const replayed = await chen(replayChange, { kind: 'rule', content: { cond, warninglevel, appid } });
  expect(replayed).toMatchObject({
    sittings: 1,
    before: 0,
    after: 1,
    added: 1,
    removed: 0,
    levels: [{}, { before: 0, after: 1 }, {}, {}],
    hoursperweek: { before: 0, after: 0 },
    persons: [{ username: '林小雨', before: 0, after: 2 }],
  });
  expect(await findCases(server)).toEqual([]);
  const { rulecode } = await chen(rule.insertWarningRule, customRule);
  expect(await chen(rule.testWarningRule, { cond: customRule.cond, warninglevel: 2 })).toMatchObject({ hits: 1, more: 0 });
  await takeExam(server, server.zhou, mild);
  expect(await findCases(server)).toMatchObject([{ username: '周明', level: 2, triggers: expect.stringContaining('考前关注') }]);
  expect((await as('qiao')(rule.getWarningRuleList, {})).some((row) => row.rulecode === rulecode)).toBe(false);
  await expect(as('qiao')(rule.deleteWarningRule, { rulecode })).rejects.toMatchObject({ code: 130001 });

  // A disabled or deleted rule opens no case. The open case still names the rule.
  await chen(rule.updateWarningRule, { rulecode, enabled: 0 });
  await takeExam(server, server.lin, mild);
  expect(await findCases(server)).toHaveLength(1);
  await chen(rule.deleteWarningRule, { rulecode });
  expect((await findCases(server))[0]?.triggers).toContain('考前关注');
});

test('platform rules cannot be changed, and no custom rule gives level 4', async () => {
  const server = await school();
  const { chen, as } = server;
  const rules = await chen(rule.getWarningRuleList, {});
  expect(rules.filter(({ builtin }) => builtin === 1).map(({ rulecode }) => rulecode)).toEqual([
    'R01',
    'R02',
    'R03',
    'R04',
    'R05',
    'R06',
    'R07',
    'R08',
    'R09',
    'R10',
    'R11',
    'R00',
  ]);
  for (const work of [
    () => chen(rule.updateWarningRule, { rulecode: 'R02', enabled: 0 }),
    () => chen(rule.deleteWarningRule, { rulecode: 'R08' }),
  ])
    await expect(work()).rejects.toMatchObject({ code: 130003, message: '平台规则是所有机构的底线，不能修改、停用或删除' });
  await expect(chen(rule.insertWarningRule, { ...customRule, warninglevel: 4 })).rejects.toMatchObject({
    code: 120002,
    message: '自定义规则不能定为最高等级',
  });
  await expect(
    chen(rule.insertWarningRule, { ...customRule, cond: { all: [{ form: 'PHQ9', item: 'q77', gte: 1 }] } }),
  ).rejects.toMatchObject({ code: 120002 });
  await expect(as('wang')(rule.insertWarningRule, customRule)).rejects.toMatchObject({ code: 110004 });
});

test('a second concurrent edit of a rule is refused as outdated', async () => {
  const { chen, as } = await school();
  const { rulecode } = await chen(rule.insertWarningRule, customRule);
  await chen(rule.updateWarningRule, { rulecode, version: 1, name: '考前一个月' });
  await expect(as('lu')(rule.updateWarningRule, { rulecode, version: 1, name: '考试周' })).rejects.toMatchObject({
    code: 140002,
  });
  expect((await chen(rule.getWarningRuleList, {})).at(-1)).toMatchObject({
    name: '考前一个月',
    words: 'PHQ-9 总分 ≥ 7',
    version: 2,
  });
});
