import fc from 'fast-check';
import { startServer } from '#testing/server.ts';
import { insertPerson, insertRosterRow, insertSheet, insertTask, type Sheet } from '#testing/statistics/sheets.ts';

/**
 * A generated population of 晨光中学: re-tests, voided, invalid and withheld sheets, persons who moved to another class, absent and exempt
 * pupils, and sheets outside tasks.
 */

export const CLASSES = ['J1-1', 'J1-2', 'J2-1'].map((teamcode) => ({
  teamcode,
  gradecode: teamcode.slice(0, 2),
  classname: `${teamcode.slice(3)}班`,
}));
export const TASKS = [
  { taskcode: 'T1', begin: '2025-09-01', end: '2025-09-30', year: '2025-2026', term: '1' },
  { taskcode: 'T2', begin: '2026-03-01', end: '2026-03-31', year: '2025-2026', term: '2' },
];

export interface Roster {
  taskcode: string;
  cuserid: string;
  teamcode: string;
  status: number;
  reason?: string;
}
export interface Population {
  genders: Map<string, string>;
  roster: Roster[];
  sheets: Required<Sheet>[];
}

const sheetFacts = fc.record({
  day: fc.integer({ min: 1, max: 28 }),
  phq9: fc.integer({ min: 0, max: 27 }),
  gad7: fc.integer({ min: 0, max: 21 }),
  item9: fc.constantFrom(0, 0, 0, 0, 1, 2),
  valid: fc.constantFrom(1, 1, 1, 1, 0),
  status: fc.constantFrom(2, 2, 2, 4),
  withheld: fc.constantFrom(0, 0, 0, 0, 1),
});
const personFacts = fc.record({
  gender: fc.constantFrom('01', '02', '00'),
  first: fc.option(fc.record({ team: fc.integer({ min: 0, max: 2 }), status: fc.constantFrom(0, 1, 2, 2, 2, 3, 9) })),
  second: fc.option(fc.record({ team: fc.integer({ min: 0, max: 2 }), status: fc.constantFrom(0, 2, 2, 3) })),
  reason: fc.constantFrom('请假', '休学', '家长不同意', '身体原因'),
  sheets: fc.tuple(sheetFacts, sheetFacts, sheetFacts),
  isolated: fc.boolean(),
});

function toPopulation(facts: readonly (typeof personFacts extends fc.Arbitrary<infer T> ? T : never)[]): Population {
  const population: Population = { genders: new Map(), roster: [], sheets: [] };
  for (const [index, person] of facts.entries()) {
    const cuserid = `W${String(index).padStart(3, '0')}`;
    population.genders.set(cuserid, person.gender);
    const add = (
      no: number,
      taskcode: string | null,
      month: string,
      place: { gradecode: string; classname: string } | undefined,
    ) => {
      const { day, ...facts } = person.sheets[no] as (typeof person.sheets)[0];
      const submit = `${month}-${String(day).padStart(2, '0')}`;
      population.sheets.push({
        ...{ examcode: `E${index}-${no}`, cuserid, taskcode, submit, scene: taskcode ? '01' : '02', gender: person.gender },
        ...facts,
        gradecode: place?.gradecode ?? (null as never),
        classname: place?.classname ?? (null as never),
      });
    };
    for (const [no, enrolment] of [person.first, person.second].entries()) {
      if (!enrolment) continue;
      const team = CLASSES[enrolment.team] as (typeof CLASSES)[0];
      const taskcode = TASKS[no]?.taskcode as string;
      const { status } = enrolment;
      population.roster.push({
        ...{ taskcode, cuserid, teamcode: team.teamcode, status },
        ...(status === 3 ? { reason: person.reason } : {}),
      });
      if (status === 2) add(no, taskcode, no === 0 ? '2025-09' : '2026-03', team);
    }
    if (person.isolated) add(2, null, '2025-11', undefined);
  }
  return population;
}

/** A server with a generated population. */
export async function startWithPopulation(count = 60) {
  const server = await startServer({ now: '2026-04-01T02:00:00Z' });
  const population = toPopulation(fc.sample(personFacts, count));
  for (const task of TASKS) await insertTask(server, task, CLASSES);
  for (const [cuserid, gender] of population.genders) await insertPerson(server, cuserid, gender);
  for (const row of population.roster) await insertRosterRow(server, row);
  for (const sheet of population.sheets) await insertSheet(server, sheet);
  return { server, population, as: server.as('chen') };
}
