import { sql } from 'kysely';
import { addDays } from '#domain/base/calendar.ts';
import type { EnteredScores } from '#domain/exam/enteredScores.ts';
import type { FormWording } from '#domain/scoring/licence.ts';
import type { Scale } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';
import { isNotSuspect } from '#server/security/suspect.ts';
import type { EntryWay } from '#features/staffexam/staffexam.contract.ts';

/** A person as staff entry needs it. */
export const findPerson = (scope: Scope, cuserid: string) =>
  scope.db
    .selectFrom('cuser as c')
    .innerJoin('muser as m', 'm.musercode', 'c.musercode')
    .leftJoin('cuserarchive as a', (join) =>
      join.onRef('a.cuserid', '=', 'c.cuserid').onRef('a.appid', '=', 'c.appid').on('a.iscurrent', '=', 1),
    )
    .select(['c.cuserid', 'c.musercode', 'm.orgpath', 'c.appid', 'c.gender', 'c.birthday', 'c.enabled', 'c.deathtime'])
    .select(['c.anonymizedtime', 'a.gradecode'])
    .select([
      'm.insname',
      'a.checkupno',
      'a.studentno',
      'a.employeeno',
      'a.archiveno',
      'a.gradename',
      'a.classname',
      'a.unitname',
    ])
    .where('c.cuserid', '=', cuserid)
    .where('c.isdeleted', '=', 0)
    .executeTakeFirst();

/** Whether the person is a member of a team that the account owns. */
export const isInOwnTeam = async (scope: Scope, cuserid: string, userid: string): Promise<boolean> =>
  (await scope.db
    .selectFrom('teamroster as r')
    .innerJoin('assessteam as t', 't.teamcode', 'r.teamcode')
    .select('r.cuserid')
    .where('r.cuserid', '=', cuserid)
    .where('r.status', '=', 1)
    .where('t.isdeleted', '=', 0)
    .where('t.owneruserid', '=', userid)
    .executeTakeFirst()) !== undefined;

/** A published questionnaire with the licence of an institution. */
export interface EntryForm {
  formcode: string;
  formname: string;
  version: string;
  definition: Scale;
  accepted: number | null;
  wording: FormWording | null;
}
/** The observation forms and the licensed paper scales of a population; with `formcode` only that one. */
export async function findForms(
  scope: Scope,
  { musercode, appid, formcode }: { musercode: string; appid: string; formcode?: string | undefined },
): Promise<EntryForm[]> {
  let query = scope.db
    .selectFrom('form as f')
    .innerJoin('formversion as v', (join) =>
      join.onRef('v.formcode', '=', 'f.formcode').onRef('v.version', '=', 'f.currentversion'),
    )
    .leftJoin('formlicence as l', (join) => join.onRef('l.formcode', '=', 'f.formcode').on('l.musercode', '=', musercode))
    .select(['f.formcode', 'f.formname', 'v.version', 'v.definition', 'l.accepted', 'l.wording'])
    .where('f.isdeleted', '=', 0)
    .where('f.status', '=', 1)
    .where('f.enabled', '=', 1)
    .where(sql<boolean>`(f.appids = '{}' or ${appid} = any (f.appids))`)
    .where((eb) =>
      eb.or([
        eb.and([eb('f.formtype', '=', '04'), sql<boolean>`f.appids <> '{}'`]),
        eb.and([eb('f.formtype', '=', '01'), eb('f.tier', '=', 'C')]),
      ]),
    )
    .orderBy('f.ordernum')
    .orderBy('f.formcode');
  if (formcode) query = query.where('f.formcode', '=', formcode);
  return query.$castTo<EntryForm>().execute();
}

/** The plan of one questionnaire at an institution. Staff entry makes it; lists of plans leave it out. */
export async function findOrCreatePlan(
  scope: Scope,
  { musercode, appid, formcode, formname }: { musercode: string; appid: string; formcode: string; formname: string },
): Promise<string> {
  const find = () =>
    scope.db
      .selectFrom('plan')
      .select('plancode')
      .where('musercode', '=', musercode)
      .where('appid', '=', appid)
      .where('formcode', '=', formcode)
      .executeTakeFirst();
  const known = await find();
  if (known) return known.plancode;
  const made = await scope.db
    .insertInto('plan')
    .values({ musercode, appid, planname: formname, formcode })
    .onConflict((conflict) => conflict.doNothing())
    .returning('plancode')
    .executeTakeFirst();
  // Another entry made it meanwhile.
  if (!made) return ((await find()) as { plancode: string }).plancode;
  await scope.db.insertInto('planform').values({ plancode: made.plancode, formcode, musercode, ordernum: 1 }).execute();
  return made.plancode;
}

/** The running tasks in whose roster the person has no sheet yet, with the authorization of each. */
export const findTaskGrants = (scope: Scope, cuserid: string, now: Date) =>
  scope.db
    .selectFrom('cuserplan as g')
    .innerJoin('assesstask as t', 't.taskcode', 'g.taskcode')
    .innerJoin('taskroster as r', (join) => join.onRef('r.taskcode', '=', 'g.taskcode').onRef('r.cuserid', '=', 'g.cuserid'))
    .select(['g.cuserplanid', 't.taskcode', 't.taskname', 't.plancode', 't.stagecode'])
    .where('g.cuserid', '=', cuserid)
    .where('g.status', '=', 1)
    .where('t.status', '=', 1)
    .where('t.isdeleted', '=', 0)
    .where('t.begintime', '<=', now)
    .where('t.endtime', '>', now)
    .where('r.status', 'in', [0, 1])
    .orderBy('t.endtime')
    .execute();

/** Makes an open sheet the caller's to type in. False when the person has answered some of it. */
export async function claimSheet(scope: Scope, examcode: string, way: EntryWay, scenecode: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update examrecord e set entryway = ${way}, scenecode = ${scenecode}
    where e.examcode = ${examcode} and e.status = 1
      and not exists (select from examform f where f.examcode = e.examcode and f.answers <> '{}')`.execute(scope.db);
  return numAffectedRows === 1n;
}

/** A sheet that staff have opened, locked. */
export const lockEntry = (scope: Scope, examcode: string) =>
  scope.db
    .selectFrom('examrecord')
    .select(['examcode', 'cuserid', 'appid', 'status', 'submitkey', 'entryway', 'withheld'])
    .where('examcode', '=', examcode)
    .forUpdate()
    .executeTakeFirst();

/** Binds the person whose sheet the caller types in to the functions of schema submission, for this transaction. */
export const bindPerson = (scope: Scope, cuserid: string) =>
  sql`select set_config('app.person', ${cuserid}, true)`.execute(scope.db);

/** Stores when and how a sheet was typed in. `isHidden`: scores and report wait for a consent. */
export const finishEntry = (
  scope: Scope,
  examcode: string,
  facts: { testtime: Date; entryby: string; entryname: string; entrytime: Date; isdouble: 0 | 1 },
  forms: readonly { examformid: number; entered: EnteredScores | null }[],
  isHidden: boolean,
) =>
  sql`select submission.finish_entry(${examcode}, ${JSON.stringify(facts)}::jsonb, ${JSON.stringify(forms)}::jsonb,
    ${isHidden}::boolean)`.execute(scope.db);

/** The day of the person's next planned re-test; undefined without one. */
export const findRetest = async (scope: Scope, cuserid: string, now: Date) =>
  (
    await scope.db
      .selectFrom('followup')
      .select('duetime')
      .where('cuserid', '=', cuserid)
      .where('method', '=', '05')
      .where('status', 'in', ['01', '03'])
      .where('isdeleted', '=', 0)
      .where('duetime', '>', addDays(now, -1))
      .orderBy('duetime')
      .limit(1)
      .executeTakeFirst()
  )?.duetime;

/** Whether a case does not suspect the caller of harm. */
export const mayReadCase = async (scope: Scope, warningcode: string): Promise<boolean> =>
  (await scope.db
    .selectFrom('warning as w')
    .select('w.warningcode')
    .where('w.warningcode', '=', warningcode)
    .where(isNotSuspect)
    .executeTakeFirst()) !== undefined;

/** The result of a sheet, for the card after the hand-in. */
export async function findResult(scope: Scope, examcode: string) {
  const { rows } = await sql<{
    reportcode: string | null;
    valid: number | null;
    invalidreason: string | null;
    overalllevel: number | null;
    withheld: number;
    forms: {
      formname: string;
      scores: { name: string; score: number | null; level: number | null; levelname: string | null }[];
    }[];
  }>`
    select r.reportcode, e.valid, e.invalidreason, e.overalllevel, e.withheld,
      (select coalesce(jsonb_agg(jsonb_build_object(
          'formname', f.formname,
          'scores', (
            select coalesce(jsonb_agg(jsonb_build_object(
              'name', q.quotaname, 'score', v.score, 'level', v.level, 'levelname', v.levelname) order by q.ordernum), '[]')
            from examresult v join quota q on q.quotacode = v.quotacode
            where v.examformid = x.examformid)) order by x.ordernum), '[]')
        from examform x join form f on f.formcode = x.formcode where x.examcode = e.examcode) as forms
    from examrecord e left join report r on r.examcode = e.examcode and r.isdeleted = 0
    where e.examcode = ${examcode}`.execute(scope.db);
  return rows[0];
}
