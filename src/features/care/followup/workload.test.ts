import { expect, test } from 'vitest';
import { getCUserArchivePageList } from '#features/archive/archive.contract.ts';
import * as care from '#features/care/care.contract.ts';
import * as work from '#features/care/followup/work.contract.ts';
import { getConsultPageList } from '#features/consult/register/register.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { getWarningPageList } from '#features/warning/warning.contract.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

test('the work of each colleague equals the lists that its numbers open, and hides a case from the suspected colleague', async () => {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { as, clock, sqlAsOwner } = server;
  const chen = as('chen');
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明', '赵一', '钱二'] });
  const [lin, zhou, zhao, qian] = pupils.map(({ cuserid }) => cuserid) as [string, string, string, string];
  const warn = (cuserid: string, level: number, more = {}) =>
    chen(handling.insertWarning, { cuserid, level, content: '同学反映常常独自哭泣', ...more });
  const first = await warn(lin, 2);
  await chen(handling.acceptWarning, { warningcode: first.warningcode });
  const second = await warn(zhou, 3);
  await chen(handling.assignWarning, { warningcode: second.warningcode, owneruserid: 'U_LU' });
  await chen(care.insertFollowUp, { cuserid: lin, warningcode: first.warningcode, duetime: '2025-10-11 09:00' });
  await chen(care.insertFollowUp, { cuserid: zhao, duetime: '2025-10-12 09:00', repeat: { everydays: 14, times: 2 } });
  await chen(care.insertFollowUp, { cuserid: qian, duetime: '2025-10-12 18:00', owneruserid: 'U_LU' });
  await as('ma')(care.insertFollowUp, { cuserid: qian, planname: '家访', duetime: '2025-10-20 18:00' });
  await sqlAsOwner("update followup set owneruserid = null where planname = '家访'");
  await sqlAsOwner("update cuser set owneruserid = 'U_CHEN' where cuserid = any ($1)", [[zhao, qian]]);
  await sqlAsOwner(
    `insert into consult (cuserid, musercode, source, status, duetime, counsellor, slotbegin, slotend)
     select $1, 'M_CHENGUANG', '02', '02', '2025-10-20', 'U_LU', t, t + interval '50 minutes'
     from unnest(array['2025-10-12 08:00+08', '2025-10-18 17:00+08', '2025-10-19 09:00+08']::timestamptz[]) t`,
    [qian],
  );
  clock.now = new Date('2025-10-12T02:00:00Z');

  const rows = await chen(work.getWorkload, {});
  const of = (userid: string | null) => rows.find((row) => row.userid === userid)!;
  expect(of('U_CHEN')).toMatchObject({
    cases: [0, 1, 0, 0],
    today: 2,
    overdue: 2,
    waiting: 3,
    bookings: 0,
    persons: 2,
    isself: 1,
  });
  expect(of('U_LU')).toMatchObject({ cases: [0, 0, 1, 0], today: 1, overdue: 0, waiting: 1, bookings: 2, persons: 0 });
  expect(of(null)).toMatchObject({ realname: '无责任人', waiting: 1 });

  for (const row of rows) {
    const owner = row.userid === null ? { noowner: 1 } : { owneruserid: row.userid };
    const count = async (more: object) => (await chen(care.getFollowUpPageList, { ...owner, ...more })).total;
    expect([await count({ view: 'today' }), await count({ view: 'overdue' }), await count({ status: '01' })]).toEqual([
      row.today,
      row.overdue,
      row.waiting,
    ]);
    if (row.userid === null) continue;
    for (const level of [1, 2, 3, 4]) {
      const filter = { owneruserid: row.userid, levels: [level], states: ['01', '02', '03', '04', '05', '06'] };
      expect((await chen(getWarningPageList, filter as never)).total).toBe(row.cases[level - 1]);
    }
    const booked = { view: 'all', status: '02', bookedfrom: '2025-10-12', bookedto: '2025-10-18' } as const;
    expect((await chen(getConsultPageList, { ...booked, counsellor: row.userid })).total).toBe(row.bookings);
    expect((await chen(getCUserArchivePageList, { owneruserid: row.userid })).total).toBe(row.persons);
  }

  await warn(zhao, 2, { suspectuserid: 'U_LU' });
  const seen = await as('lu')(work.getWorkload, {});
  expect(seen.reduce((total, row) => total + row.cases.reduce((sum, n) => sum + n, 0), 0)).toBe(2);
  // 赵一 has follow-ups without a case; the open case suspects 陆远.
  expect(seen.find((row) => row.userid === 'U_CHEN')).toMatchObject({ waiting: of('U_CHEN').waiting - 2 });
  expect((await as('lu')(care.getFollowUpPageList, { cuserid: zhao })).total).toBe(0);
  expect((await chen(care.getFollowUpPageList, { cuserid: zhao })).total).toBe(2);
  const hidden = (await chen(care.getFollowUpPageList, { cuserid: zhao })).rows[0]!;
  await expect(as('lu')(care.cancelFollowUp, { followupid: hidden.followupid, reason: '不再需要' })).rejects.toMatchObject({
    code: 130001,
  });
  await expect(as('wang')(work.getWorkload, {})).rejects.toMatchObject({ code: 110004 });
});
