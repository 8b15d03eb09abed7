import { fromShanghai } from '#domain/base/calendar.ts';
import * as care from '#features/care/care.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { aClassOf, aStudent } from '#testing/factories.ts';
import type { TestServer } from '#testing/server.ts';

/** Adds a registration as a row; its counsellor and times are given. */
export async function aBooking(
  { sqlAsOwner }: TestServer,
  options: { cuserid: string; counsellor: string; at?: string; status?: string; warningcode?: string },
): Promise<string> {
  const { cuserid, counsellor, at = '2025-10-10 10:00', status = '02', warningcode = null } = options;
  const begin = fromShanghai(at);
  const [row] = await sqlAsOwner<{ consultid: string }>(
    `insert into consult (musercode, cuserid, source, duetime, status, counsellor, slotbegin, slotend, warningcode)
     values ('M_CHENGUANG', $1, '02', $2::timestamptz, $3, $4, $2::timestamptz, $2::timestamptz + interval '50 minutes', $5)
     returning consultid::text`,
    [cuserid, begin, status, counsellor, warningcode],
  );
  return row?.consultid as string;
}

/** The work of 陈静怡: one case with its follow-up, one follow-up without a case, two bookings, two persons and a class. */
export async function theWorkOfChen(server: TestServer) {
  const { as, sqlAsOwner } = server;
  const lin = await aStudent(server);
  const zhou = await aStudent(server, { username: '周明', studentno: '20230302' });
  const { teamcode } = await aClassOf(server, [lin.cuserid, zhou.cuserid], { owneruserid: 'U_CHEN' });
  await sqlAsOwner("update cuser set owneruserid = 'U_CHEN' where cuserid = any ($1)", [[lin.cuserid, zhou.cuserid]]);
  const content = '同学反映她近来常常独自哭泣，不愿说话';
  const { warningcode } = await as('chen')(handling.insertWarning, { cuserid: lin.cuserid, level: 2, content });
  await as('chen')(handling.acceptWarning, { warningcode, owneruserid: 'U_CHEN' });
  const duetime = '2025-10-11 10:00';
  const { followupids } = await as('chen')(care.insertFollowUp, { cuserid: zhou.cuserid, duetime });
  await sqlAsOwner("update followup set owneruserid = 'U_CHEN' where followupid = $1", [followupids[0]]);
  await as('chen')(care.insertFollowUp, { cuserid: lin.cuserid, warningcode, duetime });
  const first = await aBooking(server, { cuserid: lin.cuserid, counsellor: 'U_CHEN', warningcode });
  const second = await aBooking(server, { cuserid: zhou.cuserid, counsellor: 'U_CHEN', at: '2025-10-10 14:00' });
  return { lin, zhou, teamcode, warningcode, bookings: [first, second], followupid: String(followupids[0]) };
}

/** What an account owns now, by kind. */
export const ownedBy = async ({ sqlAsOwner }: TestServer, userid: string) =>
  (
    await sqlAsOwner(
      `select
        (select count(*)::int from warning where owneruserid = $1 and state not in ('07', '08')) as cases,
        (select count(*)::int from followup f left join warning w on w.warningcode = f.warningcode
          where f.status = '01' and coalesce(f.owneruserid, w.owneruserid) = $1) as followups,
        (select count(*)::int from consult where counsellor = $1 and status in ('01', '02', '05')) as bookings,
        (select count(*)::int from cuser where owneruserid = $1) as persons,
        (select count(*)::int from assessteam where owneruserid = $1) as teams`,
      [userid],
    )
  )[0];
