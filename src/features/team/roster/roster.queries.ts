import { sql } from 'kysely';
import type { ArchiveValue } from '#domain/person/archive.ts';
import type { Scope } from '#server/db/scope.ts';
import type { KnownPerson, KnownTeam, Records } from '#features/team/roster/records.ts';

/**
 * Finds an institution at or below the caller's. The caller can read the rows of higher institutions too, for their names, so the
 * query checks the path.
 */
export const findOwnInstitution = async (scope: Scope, musercode: string) =>
  (
    await sql<{ musercode: string }>`
      select musercode
      from muser
      where musercode = ${musercode} and isdeleted = 0
        and orgpath >= (select access.path_from()) and orgpath < (select access.path_to())`.execute(scope.db)
  ).rows[0];

/** Finds a team with its institution and population. */
export const findTeam = (scope: Scope, teamcode: string) =>
  scope.db
    .selectFrom('assessteam')
    .select(['teamcode', 'teamname', 'musercode', 'appid', 'year'])
    .where('teamcode', '=', teamcode)
    .where('isdeleted', '=', 0)
    .executeTakeFirst();

/** Finds the populations of an institution; most have only one. */
export const findApps = async (scope: Scope, musercode: string): Promise<string[]> =>
  (
    await scope.db
      .selectFrom('muserapp')
      .select('appid')
      .where('musercode', '=', musercode)
      .where('enabled', '=', 1)
      .orderBy('appid')
      .execute()
  ).map(({ appid }) => appid);

interface PersonRow extends Omit<KnownPerson, 'archive' | 'guardians' | 'teams' | 'merged'> {
  mergedcodes: string[] | null;
  mergedidnos: string[] | null;
  mergednumbers: string[] | null;
  columns: Record<string, string | null>;
  detail: Record<string, ArchiveValue>;
  guardians: string[] | null;
  teams: KnownPerson['teams'] | null;
}

/**
 * Finds the persons that rows may match by number, telephone or name. It also finds the teams of the rows and the responsible
 * staff. It needs three statements for any number of rows.
 */
export async function findRecords(
  scope: Scope,
  keys: {
    musercode: string;
    appids: string[];
    numberField: 'studentno' | 'employeeno' | 'checkupno';
    cuserids: string[];
    /** keyed hashes of ID numbers */
    idnos: string[];
    numbers: string[];
    hashes: string[];
    names: string[];
    teamnames: string[];
    /** grade codes and class names, for classes that are written in another way */
    classes: { gradecode: string; classname: string }[];
    teamcode: string | undefined;
    staff: string[];
  },
): Promise<Records> {
  const number = sql.ref(`a.${keys.numberField}`);
  const { rows: persons } = await sql<PersonRow>`
    select c.cuserid, c.username, c.gender, c.birthday, c.phonehash, c.idnohash, c.owneruserid, c.appid,
      a.status as archivestatus, ${number} as number,
      json_build_object('eduphase', a.eduphase, 'gradecode', a.gradecode, 'gradename', a.gradename,
        'classname', a.classname, 'unitname', a.unitname,
        'lmpdate', a.lmpdate, 'edcdate', a.edcdate, 'deliverydate', a.deliverydate) as columns,
      a.detail,
      (select array_agg(b.cuserid) from cuser b where b.mergedinto = c.cuserid) as mergedcodes,
      (select array_agg(b.idnohash) from cuser b where b.mergedinto = c.cuserid and b.idnohash is not null) as mergedidnos,
      (select array_agg(${sql.ref(`x.${keys.numberField}`)}) from cuserarchive x
        where x.cuserid = c.cuserid and x.iscurrent = 0 and x.closereason = '06'
          and ${sql.ref(`x.${keys.numberField}`)} is not null) as mergednumbers,
      (select array_agg(g.name) from guardian g where g.cuserid = c.cuserid and g.isdeleted = 0) as guardians,
      (select json_agg(json_build_object('teamcode', t.teamcode, 'teamname', t.teamname, 'teamtype', t.teamtype,
          'year', coalesce(t.year, '')))
        from teamroster r
          join assessteam t on t.teamcode = r.teamcode and t.isdeleted = 0
        where r.cuserid = c.cuserid and r.status = 1) as teams
    from cuser c
      join cuserarchive a on a.cuserid = c.cuserid and a.appid = c.appid and a.iscurrent = 1 and a.isdeleted = 0
    where c.musercode = ${keys.musercode} and c.isdeleted = 0 and c.cuserid in (
      select cuserid
      from cuserarchive a
      where a.musercode = ${keys.musercode} and a.isdeleted = 0 and ${number} = any(${keys.numbers}::text[])
      union
      select cuserid
      from cuser
      where musercode = ${keys.musercode} and appid = any(${keys.appids}::text[]) and phonehash = any(${keys.hashes}::text[])
      union
      select cuserid
      from cuser
      where musercode = ${keys.musercode} and appid = any(${keys.appids}::text[]) and username = any(${keys.names}::text[])
      union
      select cuserid
      from cuser
      where musercode = ${keys.musercode} and (cuserid = any(${keys.cuserids}::text[]) or idnohash = any(${keys.idnos}::text[]))
      union
      select mergedinto
      from cuser
      where musercode = ${keys.musercode} and mergedinto is not null
        and (cuserid = any(${keys.cuserids}::text[]) or idnohash = any(${keys.idnos}::text[])))`.execute(scope.db);
  const { rows: teams } = await sql<{
    teamcode: string;
    teamname: string;
    teamtype: string;
    year: string;
    gradecode: string;
    gradename: string;
    classname: string;
    members: string[] | null;
    former: string[] | null;
  }>`
    select t.teamcode, t.teamname, t.teamtype, coalesce(t.year, '') as year, coalesce(t.gradecode, '') as gradecode,
      coalesce(t.gradename, '') as gradename, coalesce(t.classname, '') as classname,
      (select array_agg(r.cuserid) from teamroster r where r.teamcode = t.teamcode and r.status = 1) as members,
      (select array_agg(r.cuserid) from teamroster r where r.teamcode = t.teamcode and r.status = 0) as former
    from assessteam t
    where t.musercode = ${keys.musercode} and t.isdeleted = 0
      and (regexp_replace(normalize(t.teamname, NFKC), '[[:space:]]', '', 'g') = any(${keys.teamnames}::text[])
        or t.teamcode = ${keys.teamcode ?? ''}
        or (t.gradecode, t.classname) in (
          select n.gradecode, n.classname
          from jsonb_to_recordset(${JSON.stringify(keys.classes)}::jsonb) as n(gradecode text, classname text)))
    order by t.teamcode`.execute(scope.db);
  const staff = keys.staff.length
    ? (
        await sql<{ name: string; userid: string }>`
          select lower(sysusername) as name, userid
          from sysuser
          where musercode = ${keys.musercode} and isdeleted = 0
            and lower(sysusername) = any(${keys.staff}::text[])`.execute(scope.db)
      ).rows
    : [];
  return {
    persons: persons.map(
      ({ columns, detail, guardians, teams: personTeams, mergedcodes, mergedidnos, mergednumbers, ...person }) => ({
        ...person,
        merged: { codes: mergedcodes ?? [], idnos: mergedidnos ?? [], numbers: mergednumbers ?? [] },
        archive: { ...detail, ...columns },
        guardians: guardians ?? [],
        teams: personTeams ?? [],
      }),
    ),
    teams: teams.map((team): KnownTeam => ({
      ...team,
      members: team.members ?? [],
      former: team.former ?? [],
    })),
    staff: new Map(staff.map((row) => [row.name, row.userid])),
  };
}

/** Takes the next numbers of teams from their sequence. */
export const takeTeamNumbers = async (scope: Scope, count: number): Promise<number[]> =>
  count === 0
    ? []
    : (
        await sql<{ n: number }>`select nextval('teamcode_seq') as n from generate_series(1, ${count}::int)`.execute(scope.db)
      ).rows.map((row) => row.n);

/** Reads all columns of rows as JSON, so that an undo can write them back. */
export const readImages = async (scope: Scope, table: 'cuser' | 'cuserarchive' | 'teamroster', cuserids: readonly string[]) =>
  (
    await sql<{ image: Record<string, unknown> }>`
      select to_jsonb(t) as image from ${sql.table(table)} t where t.cuserid = any(${cuserids}::text[])`.execute(scope.db)
  ).rows.map((row) => row.image);

export interface PersonChange {
  cuserid: string;
  gender: string | null;
  birthday: string | null;
  phonesealed: string | null;
  phonehash: string | null;
  idnohash: string | null;
  owneruserid: string | null;
}
/** Changes the columns that are not null, and raises the version. So a form that was opened before detects the change. */
export const changePersons = (scope: Scope, rows: readonly PersonChange[], updateby: string) =>
  sql`update cuser c
    set gender = coalesce(n.gender, c.gender), birthday = coalesce(n.birthday, c.birthday),
      phonesealed = coalesce(n.phonesealed, c.phonesealed), phonehash = coalesce(n.phonehash, c.phonehash),
      idnohash = coalesce(n.idnohash, c.idnohash), idtype = case when n.idnohash is null then c.idtype else '01' end,
      owneruserid = coalesce(n.owneruserid, c.owneruserid),
      version = c.version + 1, updatetime = now(), updateby = ${updateby}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n(cuserid text, gender text, birthday date, phonesealed text, phonehash text, idnohash text,
        owneruserid text)
    where c.cuserid = n.cuserid`.execute(scope.db);

export interface ArchiveChange {
  cuserid: string;
  appid: string;
  columns: Record<string, string | null>;
  detail: Record<string, ArchiveValue>;
}
/** Changes the archive values that the import has, and marks them as edited. A new grade name also replaces the grade code. */
export async function changeArchives(scope: Scope, rows: readonly ArchiveChange[]) {
  await sql`update cuser c
    set version = c.version + 1, edits = c.edits || coalesce((
      select jsonb_object_agg('archive.' || k,
        jsonb_build_object('v', c.version + 1, 'by', coalesce(access.current_userid(), access.current_musercode()), 'at', now()))
      from jsonb_object_keys(jsonb_strip_nulls(n.columns) || n.detail) k), '{}')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(cuserid text, columns jsonb, detail jsonb)
    where c.cuserid = n.cuserid`.execute(scope.db);
  await sql`update cuserarchive a
    set studentno = coalesce(n.columns->>'studentno', a.studentno),
      employeeno = coalesce(n.columns->>'employeeno', a.employeeno),
      eduphase = coalesce(n.columns->>'eduphase', a.eduphase),
      gradecode = case when n.columns ? 'gradename' then n.columns->>'gradecode' else a.gradecode end,
      gradename = coalesce(n.columns->>'gradename', a.gradename),
      classname = coalesce(n.columns->>'classname', a.classname),
      unitname = coalesce(n.columns->>'unitname', a.unitname),
      lmpdate = coalesce(n.columns->>'lmpdate', a.lmpdate::text)::date,
      edcdate = coalesce(n.columns->>'edcdate', a.edcdate::text)::date,
      deliverydate = coalesce(n.columns->>'deliverydate', a.deliverydate::text)::date,
      detail = a.detail || n.detail, updatetime = now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(cuserid text, appid text, columns jsonb, detail jsonb)
    where a.cuserid = n.cuserid and a.appid = n.appid and a.iscurrent = 1`.execute(scope.db);
}

/** Makes former members of teams members again. */
export const rejoinMembers = (scope: Scope, pairs: readonly { teamcode: string; cuserid: string }[], joindate: string) =>
  sql`update teamroster r
    set status = 1, joindate = ${joindate}::date, leavedate = null
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as n(teamcode text, cuserid text)
    where r.teamcode = n.teamcode and r.cuserid = n.cuserid`.execute(scope.db);

/** Ends memberships of teams. */
export const endMemberships = (scope: Scope, pairs: readonly { teamcode: string; cuserid: string }[], leavedate: string) =>
  sql`update teamroster r
    set status = 0, leavedate = ${leavedate}::date
    from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as n(teamcode text, cuserid text)
    where r.teamcode = n.teamcode and r.cuserid = n.cuserid and r.status = 1`.execute(scope.db);
