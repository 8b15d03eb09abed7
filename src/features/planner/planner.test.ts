import { expect, test } from 'vitest';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { insertFollowUp } from '#features/care/care.contract.ts';
import { createCalendarFile } from '#features/planner/calendarFile.ts';
import { createCalendarFeed, deleteCalendarFeed, getCalendarFeed } from '#features/planner/planner.contract.ts';
import { addStudent, takeExam } from '#testing/exam.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const secretOf = (url: string) => /\/calendar\/([\w-]{43})\.ics$/.exec(url)?.[1] ?? '';
const read = ({ services, clock }: TestServer, url: string) => createCalendarFile(services, secretOf(url), clock.now);

test('the calendar of the owner has the deadline of her case and her follow-up, and names nobody', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  // 林小雨 has a red answer, so her case has a deadline, and 陈静怡 plans a follow-up for her.
  const student = await addStudent(server, { studentno: '20250731' });
  const { cuserid } = student;
  await takeExam(server, student, { PHQ9: '2 2 2 2 2 2 2 2 3 1' });
  const due = new Date(server.clock.now.getTime() + 2 * 86_400_000);
  await as('chen')(insertFollowUp, { cuserid, duetime: shanghaiTime(due) });
  const [warning] = await sqlAsOwner<{ warningcode: string; owneruserid: string }>(
    'select warningcode, owneruserid from warning',
  );
  expect(warning?.owneruserid).toBe('U_CHEN');
  const { url } = await as('chen')(createCalendarFeed, {});
  const file = (await read(server, url)) ?? '';
  expect(file).toMatch(/^BEGIN:VCALENDAR\r\n/);
  expect(file.match(/SUMMARY:.*/g)?.map((line) => line.trim())).toEqual(
    expect.arrayContaining(['SUMMARY:随访', expect.stringMatching(/^SUMMARY:时限：/)]),
  );
  for (const word of ['林小雨', '20250731', cuserid, warning?.warningcode ?? '', '晨光', '预警'])
    expect(file).not.toContain(word);
  // A colleague who owns nothing has an empty calendar.
  const other = await as('qiao')(createCalendarFeed, {});
  expect(await read(server, other.url)).not.toContain('VEVENT');
});

test('an address ends with a new one, with 停用, and with the account', async () => {
  const server = await startServer();
  const { as, sqlAsOwner } = server;
  expect(await as('chen')(getCalendarFeed, {})).toBeNull();
  const first = await as('chen')(createCalendarFeed, {});
  expect(await as('chen')(getCalendarFeed, {})).toMatchObject({ lasttime: null });
  expect(await read(server, first.url)).toBeDefined();
  expect((await as('chen')(getCalendarFeed, {}))?.lasttime).not.toBeNull();
  const second = await as('chen')(createCalendarFeed, {});
  expect(await read(server, first.url)).toBeUndefined();
  expect(await read(server, second.url)).toBeDefined();
  await sqlAsOwner("update auth.account set enabled = 0 where userid = 'U_CHEN'");
  expect(await read(server, second.url)).toBeUndefined();
  await sqlAsOwner("update auth.account set enabled = 1 where userid = 'U_CHEN'");
  await as('chen')(deleteCalendarFeed, {});
  expect(await read(server, second.url)).toBeUndefined();
  // The database keeps no secret that opens the calendar.
  const third = await as('chen')(createCalendarFeed, {});
  const [row] = await sqlAsOwner<{ secrethash: string }>('select secrethash from auth.calendarfeed');
  expect(row?.secrethash).not.toContain(secretOf(third.url));
});

test('the account of an institution has no calendar', async () => {
  const { as } = await startServer();
  await expect(as('super')(createCalendarFeed, {})).rejects.toMatchObject({ code: 140001 });
});
