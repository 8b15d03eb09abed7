import { expect, test } from 'vitest';
import * as notice from '#features/notice/notice.contract.ts';
import { insertWarningRule } from '#features/warning/rules/rule.contract.ts';
import { getHandover } from '#features/warning/handover/handover.contract.ts';
import { acceptWarning } from '#features/warning/handling/handling.contract.ts';
import { getWarningDetail, getWarningPageList } from '#features/warning/warning.contract.ts';
import { addStudent, takeExam } from '#testing/exam.ts';
import { setPermission } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';

/** A code of a case or of a rule. */
const CODES = /W\d{10}|\bR\d\d\b|ZR\d+/;

/** A school with a rule of its own, and a case of 林小雨 after PHQ-9 17 with thoughts of death and GAD-7 12. */
async function startCase() {
  const server = await startServer();
  await server.as('chen')(insertWarningRule, {
    name: '考前关注',
    warninglevel: 2,
    cond: { all: [{ form: 'PHQ9', score: 'total', gte: 7 }] },
    appid: '000000002',
  });
  const student = await addStudent(server);
  await takeExam(server, student, { PHQ9: '2 2 2 2 2 2 2 2 1 1', GAD7: '2 2 2 2 2 1 1' });
  const [{ warningcode } = { warningcode: '' }] = (await server.as('chen')(getWarningPageList, {})).rows;
  return { ...server, warningcode };
}

test('a message and the log of a case say the titles of rules and the name of the student, never a code', async () => {
  const { as, warningcode } = await startCase();
  const [line] = (await as('chen')(notice.getNoticePageList, {})).rows;
  expect(line).toMatchObject({ username: '林小雨', title: '新预警，一级预警，待受理', warningcode });
  expect(line?.content).toContain('考前关注');
  expect(line?.content).toContain('PHQ-9');
  expect(`${line?.title}${line?.content}`).not.toMatch(CODES);
  const { full } = await as('chen')(getWarningDetail, { warningcode });
  expect(full?.logs.map((entry) => entry.content).join()).toContain('考前关注');
  expect(full?.logs.map((entry) => entry.content).join()).not.toMatch(CODES);
});

test('staff without 查看未脱敏信息 read the masked name in a message', async () => {
  const server = await startCase();
  await setPermission(server, 'U_LU', '00055', 'deny');
  const [line] = (await server.as('lu')(notice.getNoticePageList, {})).rows;
  expect(line?.username).toBe('林**');
  expect(line?.content).not.toContain('林小雨');
  expect(line?.content).toContain('林**');
});

test('a hand-over names the students to those who read cases, and shows the code of a case to all others', async () => {
  const server = await startCase();
  const { as, warningcode } = server;
  await as('chen')(acceptWarning, { warningcode, owneruserid: 'U_CHEN' });
  expect((await as('chen')(getHandover, {})).cases).toMatchObject([{ warningcode, username: '林小雨' }]);
  for (const code of ['00046', '00014']) await setPermission(server, 'U_MA', code, 'deny');
  expect((await as('ma')(getHandover, { userid: 'U_CHEN' })).cases).toMatchObject([{ warningcode, username: '' }]);
});
