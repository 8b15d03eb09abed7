import { insertPerson, insertRosterRow, insertSheet, insertTask, type Sheet } from '#testing/statistics/sheets.ts';
import type { TestServer } from '#testing/server.ts';

const classOf = (teamcode: string) => ({ gradecode: teamcode.slice(0, 2), classname: `${teamcode.slice(3)}班` });
/** person, gender, class, status on the roster, day, PHQ-9, GAD-7, item 9, valid */
const persons = [
  ['c01', '01', 'J1-1', 2, '2025-09-15', 2, 1, 0, 1],
  ['c02', '02', 'J1-1', 2, '2025-09-15', 6, 5, 0, 1],
  ['c03', '02', 'J1-1', 2, '2025-09-16', 12, 9, 0, 1],
  ['c04', '01', 'J1-1', 0],
  ['c05', '02', 'J1-1', 2, '2025-09-16', 3, 2, 1, 1],
  ['c06', '01', 'J1-2', 2, '2025-09-16', 0, 0, 0, 1],
  ['c07', '01', 'J1-2', 2, '2025-09-17', 4, 10, 0, 1],
  ['c08', '02', 'J1-2', 2, '2025-09-17', 0, 0, 0, 0],
  ['c09', '02', 'J1-2', 3],
  ['c10', '01', 'J2-1', 2, '2025-09-18', 16, 15, 2, 1],
  ['c11', '02', 'J2-1', 2, '2025-09-18', 9, 4, 0, 1],
  ['c12', '02', 'J2-1', 1],
  ['c13', '01', 'J2-1', 2, '2025-09-22', 5, 3, 0, 1],
] as const;

/** Inserts fixture A of design/statistics.md 4.3: 晨光中学 with the task T1, in one district with 东山中学, which has no data. */
export async function insertFixtureA(server: TestServer): Promise<void> {
  await server.sqlAsOwner("update muser set districtcode = case when musertype = '005' then '330106' end");
  const classes = ['J1-1', 'J1-2', 'J2-1'].map((teamcode) => ({ teamcode, ...classOf(teamcode) }));
  await insertTask(server, { taskcode: 'T1', begin: '2025-09-10', end: '2025-09-30' }, classes);
  for (const [cuserid, gender, teamcode, status, submit, phq9, gad7, item9, valid] of persons) {
    await insertPerson(server, cuserid, gender);
    const reason = status === 3 ? { reason: '请假' } : {};
    await insertRosterRow(server, { taskcode: 'T1', cuserid, teamcode, status, ...reason });
    if (submit === undefined) continue;
    const base: Sheet = { examcode: `E-${cuserid}`, cuserid, taskcode: 'T1', submit, phq9, gad7, item9, valid };
    await insertSheet(server, { ...base, gender, ...classOf(teamcode) });
  }
  const again = { cuserid: 'c03', taskcode: null, gender: '02', ...classOf('J1-1') };
  await insertSheet(server, { ...again, examcode: 'E-c03-2', submit: '2025-10-15', phq9: 7, gad7: 4, scene: '02' });
  await insertSheet(server, {
    ...{ examcode: 'E-c13-void', cuserid: 'c13', taskcode: null, submit: '2025-09-18', phq9: 27, gad7: 0, status: 4 },
    ...classOf('J2-1'),
  });
}
