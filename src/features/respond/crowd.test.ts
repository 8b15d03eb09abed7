import { expect, test } from 'vitest';
import { addClass, enter } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

test('a class of forty signs in at the same moment, through fewer connections than there are pupils', async () => {
  const server = await startServer();
  const names = Array.from({ length: 40 }, (_, at) => `学生${at + 1}`);
  const { pupils } = await addClass(server, { teamname: '初三1班', names });
  const inside = await Promise.all(pupils.map((pupil) => enter(server, pupil).then(() => pupil.username)));
  expect(inside).toEqual(names);
  expect(server.errors).toEqual([]);
}, 60_000);
