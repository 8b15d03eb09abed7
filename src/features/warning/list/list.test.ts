import { expect, test } from 'vitest';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { getWarningDetail, getWarningPageList } from '#features/warning/warning.contract.ts';
import { crisisSchool } from '#testing/crisisCase.ts';
import { addStudent, takeExam } from '#testing/exam.ts';
import { aStudent } from '#testing/factories.ts';
import { startServer } from '#testing/server.ts';

/** PHQ-9 18 with item 9 at 2, and GAD-7 7. */
const SEVERE_ANSWERS = { PHQ9: '2 2 2 2 2 2 2 2 2 1', GAD7: '1 1 1 1 1 1 1' };

test('the list shows overdue cases, then those that nobody has accepted, then those due today, then the rest', async () => {
  const school = await crisisSchool('2026-11-18 09:00');
  const { as, at, accept, report } = school;
  const openFor = async (username: string, studentno: string, level: number) => {
    const { cuserid } = await aStudent(school, { username, studentno });
    const content = '课堂上情绪低落，趴桌哭泣';
    return (await as('chen')(handling.insertWarning, { cuserid, level, content })).warningcode;
  };
  await report(4);
  const rest = await openFor('周明', '20230302', 2);
  await accept(rest);
  await openFor('吴桐', '20230303', 1);
  at('2026-11-18 13:00');
  const today = await openFor('郑好', '20230304', 4);
  await accept(today);
  const { rows } = await as('chen')(getWarningPageList, {});
  expect(rows.map(({ username }) => username)).toEqual(['林小雨', '吴桐', '郑好', '周明']);
});

test('the reasons of a case name the item with its theme and the scores of the forms', async () => {
  const server = await startServer();
  const student = await addStudent(server);
  await takeExam(server, student, SEVERE_ANSWERS);
  const [row] = (await server.as('chen')(getWarningPageList, {})).rows;
  expect(row?.triggers).toContain('PHQ-9 18 分');
  expect(row?.triggers).toContain('PHQ-9 第9题');
  // Rules that only repeat the scores are left out of the line, and none shows its code.
  expect(row?.triggers).not.toContain('任一');
  expect(row?.triggers).not.toMatch(/R\d\d/);
  const detail = await server.as('chen')(getWarningDetail, { warningcode: row?.warningcode ?? '' });
  // The case shows every rule, the strongest first.
  expect(detail.full?.triggers[0]).toMatch(/第9题/);
  expect(detail.full?.triggers.at(-1)).toMatch(/轻度|界值/);
});
