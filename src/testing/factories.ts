import { createHash } from 'node:crypto';
import type { Scale } from '#domain/scoring/scale.ts';
import { phq2 } from '#domain/scoring/scales/phq2.ts';
import { anonymizeCUser, answerAnonymization } from '#features/anonymize/anonymize.contract.ts';
import { insertCUser } from '#features/cuser/cuser.contract.ts';
import * as team from '#features/team/team.contract.ts';
import type { Person } from '#testing/people.ts';
import { addClass } from '#testing/school.ts';
import type { TestServer } from '#testing/server.ts';
import { addStudent } from '#testing/exam.ts';

/**
 * Factories create the data that a test needs at its start. A factory calls the product if the product can create the state.
 * It writes rows only for states that need days, another person's call or another process.
 */
type Database = Pick<TestServer, 'sqlAsOwner'>;

/** Creates a class of 晨光中学 with its students. */
export const aClass = (server: TestServer, options: Partial<Parameters<typeof addClass>[1]> = {}) =>
  addClass(server, { teamname: '初二3班', names: ['林小雨'], ...options });

/** Creates a class of 晨光中学 with existing students. */
export async function aClassOf(
  { as }: TestServer,
  cuserids: string[],
  options: { teamname?: string; owneruserid?: string; who?: Person } = {},
): Promise<{ teamcode: string }> {
  const { teamname = '初二3班', owneruserid = null, who = 'chen' } = options;
  const { teamcode } = await as(who)(team.insertAssessTeam, { teamname, teamtype: '01', appid: '000000002', owneruserid });
  await as(who)(team.insertAssessTeamCUser, { teamcode, cuserids });
  return { teamcode };
}

/** Creates a student of 晨光中学 with an archive. */
export const aStudent = addStudent;

/** Creates a pregnant woman of 仁爱妇幼保健院 with the dates of her archive. */
export const aWoman = (
  { as }: TestServer,
  options: { username: string; archive: Readonly<Record<string, string | number | string[]>> },
) => as('lin')(insertCUser, { appid: '000000001', gender: '02', birthday: '1995-03-02', guardian: [], ...options });

/** Creates a begun exam as a bare row, for code that only needs its number. Returns the number. */
export async function aBareExam({ sqlAsOwner }: Database, cuserid: string, examcode?: string): Promise<string> {
  const [exam] = await sqlAsOwner<{ examcode: string }>(
    `insert into examrecord (examcode, musercode, cuserid, appid, plancode)
     select coalesce($2, 'E' || (select count(*) from examrecord)), musercode, cuserid, appid, 'P900002'
     from cuser
     where cuserid = $1
     returning examcode`,
    [cuserid, examcode ?? null],
  );
  return exam?.examcode as string;
}

/**
 * Creates a form that 晨光中学 made: two questions of 0–3 and one primary score whose levels reach 4. The product cannot make forms yet.
 */
export async function aHomeForm(
  { sqlAsOwner }: Database,
  options: { formcode: string; formname: string; bands?: Scale['bands'] },
): Promise<void> {
  const { formcode, formname } = options;
  const bands = options.bands ?? { total: [[0, 2, 0, '平稳'] as const, [3, 4, 3, '偏高'] as const, [5, 6, 4, '很高'] as const] };
  const { nextform: _nextform, appids: _appids, ...base } = phq2;
  const definition: Scale = { ...base, formcode, title: formname, tier: 'S', bands };
  await sqlAsOwner(
    `insert into form (formcode, musercode, formname, formtype, tier, itemcount, minutes, currentversion)
     values ($1, 'M_CHENGUANG', $2, '01', 'S', 2, 1, $3)`,
    [formcode, formname, definition.version],
  );
  await sqlAsOwner(
    "insert into formversion (formcode, version, musercode, definition, definitionhash) values ($1, $2, 'M_CHENGUANG', $3, '')",
    [formcode, definition.version, JSON.stringify(definition)],
  );
  await sqlAsOwner(
    `insert into quota (quotacode, formcode, musercode, scorecode, quotaname, kind, domain, isprimary, better, ordernum)
     values ($1, $2, 'M_CHENGUANG', 'total', '总分', '01', '08', 1, 'low', 1)`,
    [`${formcode}.total`, formcode],
  );
}

/** Creates a follow-up appointment with any time and state; the time may be in the past. */
export const aFollowUp = ({ sqlAsOwner }: Database, cuserid: string, options: { duetime: string; status: string }) =>
  sqlAsOwner(
    `insert into followup (cuserid, musercode, duetime, status, method)
     select cuserid, musercode, $2, $3, '02' from cuser where cuserid = $1`,
    [cuserid, options.duetime, options.status],
  );

/** Creates a person without an archive, with a chosen number. */
export const aBarePerson = ({ sqlAsOwner }: Database, cuserid: string) =>
  sqlAsOwner(
    "insert into cuser (cuserid, musercode, username, gender, appid) values ($1, 'M_CHENGUANG', '林小雨', '02', '000000002')",
    [cuserid],
  );

/** Creates a valid session of a respondent with a chosen token. Returns the hash that the database stores. */
export async function aRespondentSession({ sqlAsOwner }: Database, cuserid: string, token: string): Promise<string> {
  const hash = createHash('sha256').update(token).digest('hex');
  await sqlAsOwner(
    `insert into auth.session (tokenhash, kind, musercode, cuserid, expiretime, idle)
     select $1, 'respondent', musercode, cuserid, now() + interval '1 hour', '1 hour'
     from cuser
     where cuserid = $2`,
    [hash, cuserid],
  );
  return hash;
}

/** Creates a member of staff who never signs in, e.g. to receive messages. */
export async function aColleague(
  server: Database,
  options: { userid: string; musercode: string; realname: string; rolekey: string },
): Promise<void> {
  const { userid, musercode, realname, rolekey } = options;
  await server.sqlAsOwner('insert into sysuser (userid, musercode, sysusername, realname) values ($1, $2, lower($1), $3)', [
    userid,
    musercode,
    realname,
  ]);
  await giveRole(server, userid, rolekey);
}

/** Creates an institution's own account. The institutions of the tests have none. */
export const anInstitutionAccount = ({ sqlAsOwner }: Database, musercode: string, loginname: string) =>
  sqlAsOwner("insert into auth.account (accountid, musercode, loginname, pwdhash) values ($1, $1, $2, '')", [
    musercode,
    loginname,
  ]);

/** Gives a member of staff a built-in role. */
export const giveRole = ({ sqlAsOwner }: Database, userid: string, rolekey: string) =>
  sqlAsOwner(
    `insert into sysuserrole (userid, roleid, musercode)
     select userid, roleid, sysuser.musercode
     from sysuser, role
     where userid = $1 and rolekey = $2 and isbuiltin = 1`,
    [userid, rolekey],
  );

/** Grants or denies one permission to a member of staff, in addition to their roles. */
export const setPermission = ({ sqlAsOwner }: Database, userid: string, code: string, effect: 'grant' | 'deny') =>
  sqlAsOwner(
    `insert into sysuserpermission (userid, musercode, code, effect)
     select userid, musercode, $2, $3 from sysuser where userid = $1
     on conflict do nothing`,
    [userid, code, effect],
  );

/** Lets the step-up verification of an account expire. */
export const expireStepUp = ({ sqlAsOwner }: Database, accountid: string) =>
  sqlAsOwner("update auth.session set stepuptime = now() - interval '16 minutes' where accountid = $1", [accountid]);

/** 陈静怡 asks for the 匿名化 of 林小雨, and 陆远 agrees. */
export async function anonymizeLin(
  { as }: Pick<TestServer, 'as'>,
  cuserid: string,
  { asker = 'chen', second = 'lu' }: { asker?: 'chen' | 'ma'; second?: 'chen' | 'lu' } = {},
): Promise<void> {
  const request = { cuserid, confirmtext: '匿名化林小雨', reason: '家长书面申请删除' };
  const { anonymizationid } = await as(asker)(anonymizeCUser, request);
  await as(second)(answerAnonymization, { anonymizationid, agreed: 1 });
}

/** Adds a registration for a consultation of 晨光中学, booked for the morning of 8 October 2025 if it has a counsellor. */
export async function aConsult(
  { sqlAsOwner }: Database,
  cuserid: string,
  options: { counsellor?: string; status?: string; warningcode?: string; slotbegin?: string } = {},
): Promise<number> {
  const { counsellor = null, status = '01', warningcode = null, slotbegin = '2025-10-08 09:00+08' } = options;
  const [row] = await sqlAsOwner<{ consultid: number }>(
    `insert into consult (musercode, cuserid, source, status, applytime, duetime, counsellor, slotbegin, slotend, warningcode)
     select c.musercode, c.cuserid, '02', $2, timestamptz '2025-10-07 09:00+08', timestamptz '2025-10-10 09:00+08', $3::text,
       case when $3::text is not null then $5::timestamptz end, case when $3::text is not null then $5::timestamptz + interval '50 min' end,
       $4
     from cuser c where c.cuserid = $1
     returning consultid::int`,
    [cuserid, status, counsellor, warningcode, slotbegin],
  );
  return row?.consultid as number;
}
