import { expect, test } from 'vitest';
import * as report from '#features/report/report.contract.ts';
import { startServer } from '#testing/server.ts';
import { addStudent, takeExam } from '#testing/exam.ts';

test('the report mode of the plan decides the type of its reports', async () => {
  const server = await startServer();
  const student = await addStudent(server);
  const typeOf = async (reportmode: string) => {
    await server.sqlAsOwner("update plan set reportmode = $1 where plancode = 'P900002'", [reportmode]);
    const { examcode } = await takeExam(server, student, {});
    const { rows } = await server.as('chen')(report.getCUserReportPageList, { cuserid: student.cuserid });
    return rows.find((row) => row.examcode === examcode)?.reporttype;
  };
  expect(await typeOf('01')).toBe('01');
  expect(await typeOf('02')).toBe('02');
  expect(await typeOf('03')).toBe('04');
});
