import type { Scope } from '#server/db/scope.ts';

/** The registrations of the respondent behind the session. This role reads no answers, no summary and no note. */

const OWN = ['consultid', 'cuserid', 'musercode', 'status', 'consulttype', 'applytime', 'slotbegin', 'slotend', 'room'] as const;

/** The person's own registrations, the latest first. */
export const findOwnConsults = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('consult as k')
    .leftJoin('sysuser as u', 'u.userid', 'k.counsellor')
    .leftJoin('form as f', 'f.formcode', 'k.formcode')
    .select(OWN.map((name) => `k.${name}` as const))
    .leftJoin('consultform as x', (join) => join.onRef('x.formcode', '=', 'k.formcode').onRef('x.musercode', '=', 'k.musercode'))
    .select(['x.title', 'k.seriesid', 'k.groupid', 'u.realname as counsellorname', 'f.formname'])
    .where('k.cuserid', '=', cuserid)
    .where('k.isdeleted', '=', 0)
    .orderBy('k.applytime', 'desc')
    .orderBy('k.slotbegin', 'desc')
    .orderBy('k.consultid', 'desc')
    .limit(50)
    .execute();

/** One own registration, locked until the transaction ends; undefined without one. */
export const lockOwnConsult = (scope: Scope, cuserid: string, consultid: number) =>
  scope.db
    .selectFrom('consult')
    .select([...OWN, 'counsellor', 'warningcode', 'groupid'])
    .where('consultid', '=', consultid)
    .where('cuserid', '=', cuserid)
    .where('isdeleted', '=', 0)
    .forUpdate()
    .executeTakeFirst();

/** The hotline that the institution names. */
export const findHotline = async (scope: Scope, musercode: string): Promise<string> =>
  (await scope.db.selectFrom('muserclient').select('hotline').where('musercode', '=', musercode).executeTakeFirst())?.hotline ??
  '12356';
