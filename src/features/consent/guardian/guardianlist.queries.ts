import { sql } from 'kysely';
import { paginate } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';

/** Reads of staff about consents. */

interface Filters {
  keyword?: string | undefined;
  kind?: '01' | '02' | undefined;
  status?: number | undefined;
  teamcode?: string | undefined;
  page: number;
  pageSize: number;
}

/** A page of guardians' consents, the oldest first. Without a status: the open ones. */
export async function findGuardianConsents(scope: Scope, filters: Filters) {
  let query = scope.db
    .selectFrom('guardianconsent as g')
    .innerJoin('cuser as c', 'c.cuserid', 'g.cuserid')
    .leftJoin('cuserarchive as a', (join) =>
      join.onRef('a.cuserid', '=', 'c.cuserid').onRef('a.appid', '=', 'c.appid').on('a.iscurrent', '=', 1),
    )
    .leftJoin('sysuser as u', 'u.userid', 'g.verifiedby')
    .where('c.isdeleted', '=', 0)
    .where('g.status', '=', filters.status ?? 0);
  if (filters.kind) query = query.where('g.kind', '=', filters.kind);
  if (filters.teamcode)
    query = query.where((eb) =>
      eb.exists(
        eb
          .selectFrom('teamroster as r')
          .select('r.cuserid')
          .whereRef('r.cuserid', '=', 'g.cuserid')
          .where('r.teamcode', '=', filters.teamcode as string)
          .where('r.status', '=', 1),
      ),
    );
  if (filters.keyword) {
    const prefix = `${filters.keyword.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where((eb) =>
      eb.or([
        eb('c.username', 'like', `%${prefix}`),
        eb('c.pinyin', 'like', prefix),
        eb('c.initials', 'like', prefix),
        eb('a.studentno', '=', filters.keyword as string),
      ]),
    );
  }
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await query
    .select([
      'g.cuserid',
      'c.username',
      'g.musercode',
      'g.kind',
      'g.status',
      'g.sincetime',
      'g.erasedtime',
      'g.codesealed',
      'g.claimedname',
      'g.method',
      'g.verifiedtime',
      'u.realname as verifiedname',
      sql<string>`coalesce(nullif(concat_ws(' ', a.gradename, a.classname), ''), a.unitname, '')`.as('belongs'),
      sql<boolean>`exists (select from guardian k
        where k.cuserid = g.cuserid and k.isdeleted = 0 and k.phonesealed is not null)`.as('hasphone'),
    ])
    .orderBy('g.sincetime')
    .orderBy('g.guardianconsentid')
    .$call(paginate(filters))
    .execute();
  return { total, rows };
}

/** The code that waits for a guardian. */
export const findWaitingCode = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('guardianconsent')
    .select('codesealed')
    .where('cuserid', '=', cuserid)
    .where('status', '=', 0)
    .executeTakeFirst();

/** The enabled entry of an institution. */
export const findEntryOf = (scope: Scope, musercode: string) =>
  scope.db
    .selectFrom('muserclient')
    .select('clientcode')
    .where('musercode', '=', musercode)
    .where('enabled', '=', 1)
    .limit(1)
    .executeTakeFirst();

/** Persons within the caller's reach with their institutions. */
export const findPersons = (scope: Scope, cuserids: readonly string[]) =>
  scope.db
    .selectFrom('cuser')
    .select(['cuserid', 'musercode'])
    .where('cuserid', 'in', cuserids)
    .where('isdeleted', '=', 0)
    .execute();

/** The latest own consent of a person with its text. */
export const findLastConsent = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('consent as k')
    .leftJoin('consenttext as t', (join) =>
      join
        .onRef('t.musercode', '=', 'k.musercode')
        .onRef('t.version', '=', 'k.consentversion')
        .onRef('t.reading', '=', 'k.reading'),
    )
    .select(['k.agreetime', 'k.consentversion', 't.text'])
    .where('k.cuserid', '=', cuserid)
    .where('k.subject', '=', '01')
    .where('k.scope', '=', '01')
    .where('k.agreed', '=', 1)
    .orderBy('k.agreetime', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The latest withdrawal of a person that still applies. */
export const findLastWithdrawal = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('withdrawal')
    .select(['time', 'duetime', 'donetime', 'receipt'])
    .where('cuserid', '=', cuserid)
    .where('resumetime', 'is', null)
    .orderBy('withdrawalid', 'desc')
    .limit(1)
    .executeTakeFirst();
