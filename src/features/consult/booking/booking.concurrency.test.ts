import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as booking from '#features/consult/booking/booking.contract.ts';
import { addColleague } from '#testing/staff.ts';
import { aConsult } from '#testing/factories.ts';
import { addClass } from '#testing/school.ts';
import { sizeOf } from '#testing/size.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** 晨光中学 with the waiting registrations of some students. */
async function waitingStudents(names: string[]) {
  const server = await startServer({ now: '2025-10-08T02:00:00Z' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names, birthday: '2011-07-08' });
  const consultids = [];
  for (const { cuserid } of pupils) consultids.push(await aConsult(server, cuserid));
  return { server, consultids, cuserids: pupils.map(({ cuserid }) => cuserid) };
}

/** Runs the calls at once, each on its own connection. Returns '' for the winner and the message of each refusal. */
const race = (calls: (() => Promise<unknown>)[]) =>
  Promise.all(
    calls.map((call) =>
      call().then(
        () => '',
        ({ message }: Error) => message,
      ),
    ),
  );

/** Pairs of bookings that overlap in time and share counsellor, person, or a room of the institution. */
const findOverlaps = ({ sqlAsOwner }: TestServer) =>
  sqlAsOwner(`
    select a.consultid, b.consultid as other
    from consult a join consult b on a.consultid < b.consultid
      and tstzrange(a.slotbegin, a.slotend) && tstzrange(b.slotbegin, b.slotend)
      and (a.counsellor = b.counsellor or a.cuserid = b.cuserid or a.musercode = b.musercode and a.room = b.room and a.room <> '')
    where a.status = '02' and b.status = '02' and a.isdeleted = 0 and b.isdeleted = 0
      and (a.groupid is null or b.groupid is null or a.groupid <> b.groupid)`);

const clocktime = { slotbegin: '2025-10-09 14:00', slotend: '2025-10-09 14:50' };
const rounds = sizeOf(4, 40);
const dayOf = (round: number) => {
  const date = new Date(Date.UTC(2025, 9, 9 + round)).toISOString().slice(0, 10);
  return { slotbegin: `${date} 14:00`, slotend: `${date} 14:50` };
};

test('of six staff who book one counsellor for the same time at once, exactly one wins', async () => {
  const { server, consultids } = await waitingStudents(['林小雨', '周明', '沈航', '方可', '杜月', '梁晨']);
  for (let round = 0; round < rounds; round += 1) {
    const results = await race(
      consultids.map(
        (consultid, index) => () =>
          server.as(index % 2 ? 'ma' : 'chen')(booking.appointConsult, { consultid, counsellor: 'U_CHEN', ...dayOf(round) }),
      ),
    );
    // From the second round on, the winner of the round before moves its booking.
    expect(results.filter((message) => message === '')).toHaveLength(1);
    expect(new Set(results.filter((message) => message !== ''))).toEqual(new Set(['该咨询师在这个时间已有预约']));
    expect(await findOverlaps(server)).toEqual([]);
  }
  expect(server.errors).toEqual([]);
});

test('of two counsellors who book one student for the same time at once, exactly one wins', async () => {
  const { server, consultids, cuserids } = await waitingStudents(['林小雨']);
  const second = await aConsult(server, cuserids[0]!);
  const results = await race([
    () => server.as('chen')(booking.appointConsult, { consultid: consultids[0]!, counsellor: 'U_CHEN', ...clocktime }),
    () => server.as('lu')(booking.appointConsult, { consultid: second, counsellor: 'U_LU', ...clocktime }),
  ]);
  expect(results.toSorted()).toEqual(['', '该受测者在这个时间已有预约']);
  expect(await findOverlaps(server)).toEqual([]);
});

test('of three counsellors who book one room for the same time at once, exactly one wins', async () => {
  const { server, consultids } = await waitingStudents(['林小雨', '周明', '沈航']);
  const role = await server.sqlAsOwner<{ roleid: number }>(
    "select roleid from role where rolekey = 'psychologist' and isbuiltin = 1",
  );
  const third = await addColleague(server, { sysusername: 'he_room', realname: '何老师', roleids: [Number(role[0]?.roleid)] });
  const results = await race(
    ['U_CHEN', 'U_LU', third.userid].map(
      (counsellor, index) => () =>
        server.as('ma')(booking.appointConsult, { consultid: consultids[index]!, counsellor, room: '咨询室1', ...clocktime }),
    ),
  );
  expect(results.toSorted()).toEqual(['', '该咨询室在这个时间已有预约', '该咨询室在这个时间已有预约']);
  expect(await findOverlaps(server)).toEqual([]);
});

test('two series that meet in one week at once: one is booked as a whole, the other books nothing', async () => {
  const { server, consultids } = await waitingStudents(['林小雨', '周明']);
  const [first, second] = consultids as [number, number];
  // The third week of the first series is the first week of the second.
  const results = await race([
    () => server.as('chen')(booking.appointConsult, { consultid: first, counsellor: 'U_CHEN', ...clocktime, weeks: 3 }),
    () => server.as('lu')(booking.appointConsult, { consultid: second, counsellor: 'U_CHEN', ...dayOf(14), weeks: 5 }),
  ]);
  expect(results.filter((message) => message === '')).toHaveLength(1);
  const booked = await server.sqlAsOwner<{ cuserid: string; n: number }>(
    "select cuserid, count(*)::int as n from consult where status = '02' group by cuserid",
  );
  expect(booked.map(({ n }) => n)).toEqual([results[0] === '' ? 3 : 5]);
  expect(results.find((message) => message !== '')).toMatch(/^第 [13] 周（2025-10-23 14:00–14:50）：该咨询师在这个时间已有预约$/);
});

test('no sequence of bookings, moves, groups and cancellations leaves two bookings at one time', async () => {
  const { server, consultids } = await waitingStudents(['林小雨', '周明', '沈航', '方可']);
  const step = fc.record({
    who: fc.constantFrom('chen' as const, 'lu' as const, 'ma' as const),
    index: fc.nat({ max: consultids.length - 1 }),
    counsellor: fc.constantFrom('U_CHEN', 'U_LU'),
    begin: fc.nat({ max: 5 }),
    minutes: fc.constantFrom(20, 50, 80),
    room: fc.constantFrom('', '咨询室1'),
    consulttype: fc.constantFrom('01' as const, '04' as const),
    weeks: fc.constantFrom(1, 1, 1, 2),
    join: fc.option(fc.nat({ max: consultids.length - 1 }), { freq: 3 }),
    isCancel: fc.boolean(),
  });
  /** `2025-10-09 HH:mm`, so many minutes after nine. */
  const shanghaiMinute = (minutes: number) =>
    `2025-10-09 ${String(9 + Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  let booked = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 6 }),
      async (batches) => {
        await server.sqlAsOwner('update consult set isdeleted = 1 where seriesid is not null and seriesid <> consultid');
        await server.sqlAsOwner(
          `update consult set status = '01', counsellor = null, slotbegin = null, slotend = null, seriesid = null, groupid = null
           where isdeleted = 0`,
        );
        for (const batch of batches) {
          const results = await race(
            batch.map(({ who, index, begin, minutes, join, isCancel, ...request }) => () => {
              const consultid = consultids[index]!;
              const slotbegin = shanghaiMinute(begin * 30);
              const slotend = shanghaiMinute(begin * 30 + minutes);
              if (!isCancel || begin > 2)
                return server.as(who)(booking.appointConsult, {
                  consultid,
                  ...request,
                  slotbegin,
                  slotend,
                  ...(join !== null && { groupid: consultids[join]! }),
                });
              return server.as('ma')(booking.cancelConsult, { consultid, reason: '改日', series: 1 });
            }),
          );
          booked += results.filter((message) => message === '').length;
          expect(await findOverlaps(server)).toEqual([]);
        }
      },
    ),
    { numRuns: sizeOf(12, 200) },
  );
  expect(booked).toBeGreaterThan(10);
  expect(server.errors).toEqual([]);
});
