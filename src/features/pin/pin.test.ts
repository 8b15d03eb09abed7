import { expect, test } from 'vitest';
import { getAssessTeamPageList } from '#features/team/team.contract.ts';
import { getPins, MOST_PINS, setPin, type PinKind } from '#features/pin/pin.contract.ts';
import { insertAssessTask } from '#features/task/task.contract.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import { addClass, screening } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

/** 初二3班 with 林小雨, her case, and a task of the class. */
async function school() {
  const server = await startServer();
  const { pupils, teamcode } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明'], owneruserid: 'U_WANG' });
  const { cuserid } = pupils[0]!;
  const { warningcode } = await server.as('chen')(insertWarning, { cuserid, level: 2, content: '课堂上情绪低落，趴桌哭泣' });
  const { taskcode } = await server.as('chen')(insertAssessTask, screening([teamcode]));
  const pin = (who: Parameters<typeof server.as>[0], kind: PinKind, refcode: string, ispinned = true) =>
    server.as(who)(setPin, { kind, refcode, ispinned });
  const titles = async (who: Parameters<typeof server.as>[0]) =>
    (await server.as(who)(getPins, {})).pins.map(({ title }) => title);
  return { ...server, cuserid, teamcode, taskcode, warningcode, pin, titles };
}

test('an account pins a case, a person, a task and a team, and finds them newest first with how they stand', async () => {
  const { as, pin, clock, cuserid, warningcode, taskcode, teamcode } = await school();
  for (const [kind, code] of [
    ['case', warningcode],
    ['person', cuserid],
    ['task', taskcode],
    ['team', teamcode],
  ] as const) {
    clock.now = new Date(clock.now.getTime() + 60_000);
    await pin('chen', kind, code);
    await pin('chen', kind, code);
  }
  const { pins } = await as('chen')(getPins, {});
  expect(pins.map(({ kind, title }) => [kind, title])).toEqual([
    ['team', '初二3班'],
    ['task', expect.any(String)],
    ['person', '林小雨'],
    ['case', '林小雨'],
  ]);
  expect(pins[3]).toMatchObject({ note: '二级预警 · 待受理', path: `/earlyWarning/case/${warningcode}` });
  await pin('chen', 'team', teamcode, false);
  expect((await as('chen')(getPins, {})).pins.map(({ kind }) => kind)).toEqual(['task', 'person', 'case']);
  // Pins are the account's own.
  expect((await as('lu')(getPins, {})).pins).toEqual([]);
});

test('what the account may not read cannot be pinned, and what it may no longer read is not shown', async () => {
  const { as, pin, titles, sqlAsOwner, cuserid, warningcode, teamcode } = await school();
  for (const who of ['qiao', 'lin', 'zhou', 'nobody'] as const)
    for (const [kind, code] of [
      ['case', warningcode],
      ['person', cuserid],
      ['team', teamcode],
    ] as const)
      await expect(pin(who, kind, code)).rejects.toMatchObject({ code: 130001 });
  await pin('chen', 'case', warningcode);
  await pin('chen', 'team', teamcode);
  // A suspected source of harm does not learn of the case.
  await sqlAsOwner("update warning set suspectuserids = '{U_CHEN}'");
  expect(await titles('chen')).toEqual(['初二3班']);
  await expect(pin('chen', 'case', warningcode)).rejects.toMatchObject({ code: 130001 });
  await sqlAsOwner("update warning set suspectuserids = '{}'");
  expect(await titles('chen')).toHaveLength(2);
  await sqlAsOwner('update assessteam set isdeleted = 1');
  expect(await titles('chen')).toEqual(['林小雨']);
  expect((await as('chen')(getAssessTeamPageList, {})).rows).toEqual([]);
});

test(`${MOST_PINS} things can be pinned, and the next one is refused in words`, async () => {
  const server = await startServer();
  const { pupils } = await addClass(server, {
    teamname: '初二3班',
    names: Array.from({ length: MOST_PINS + 1 }, (_, n) => `学生${n}`),
    owneruserid: 'U_WANG',
  });
  for (const { cuserid } of pupils.slice(0, MOST_PINS))
    await server.as('chen')(setPin, { kind: 'person', refcode: cuserid, ispinned: true });
  await expect(
    server.as('chen')(setPin, { kind: 'person', refcode: pupils[MOST_PINS]!.cuserid, ispinned: true }),
  ).rejects.toMatchObject({ code: 140001, message: `最多固定 ${MOST_PINS} 项，请先取消不用的` });
});
