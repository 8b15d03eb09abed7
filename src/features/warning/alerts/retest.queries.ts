import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';
import { findNewestVersion } from '#features/plan/lineage/lineage.queries.ts';
import { addLog } from '#features/warning/warning.queries.ts';

/** The re-test tasks of a person that were created since `since`, the newest first. */
export const findRetestTasks = (scope: Scope, cuserid: string, since: Date) =>
  scope.db
    .selectFrom('taskroster as r')
    .innerJoin('assesstask as t', 't.taskcode', 'r.taskcode')
    .innerJoin('plan as p', 'p.plancode', 't.plancode')
    .leftJoin('examrecord as e', 'e.examcode', 'r.examcode')
    .select([
      't.taskcode',
      't.taskname',
      'p.planname',
      't.begintime',
      't.endtime',
      't.status as taskstatus',
      'r.status',
      'r.examcode',
      'e.submittime',
    ])
    .where('r.cuserid', '=', cuserid)
    .where('t.round', '=', '03')
    .where('t.isdeleted', '=', 0)
    .where('t.createtime', '>=', since)
    .where('r.status', '<>', 9)
    .orderBy('t.createtime', 'desc')
    .execute();

/** The newest version of the plan that the person submitted last, which a re-test usually repeats; null without one. */
export const findLastPlan = async (scope: Scope, cuserid: string): Promise<string | null> => {
  const last = await scope.db
    .selectFrom('examrecord')
    .select('plancode')
    .where('cuserid', '=', cuserid)
    .where('status', '=', 2)
    .where('plancode', 'in', (eb) => eb.selectFrom('plan').select('plancode').where('formcode', 'is', null))
    .orderBy('submittime', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? findNewestVersion(scope, last.plancode) : null;
};

/** The result of a submitted exam, for the log of the person's open case. */
export interface RetestResult {
  cuserid: string;
  examcode: string;
  valid: boolean;
  /** e.g. `PHQ-9 6 分 轻度` */
  words: string;
  itempositive: boolean;
  time: Date;
}

/**
 * Adds the result of an exam to the log of the person's open case. Runs in the transaction of the submission, in the respondent's session.
 * The exam that opened the case is no re-test. The result also counts for a closing criterion.
 */
export async function noteRetest(
  scope: Scope,
  { cuserid, examcode, valid, words, itempositive, time }: RetestResult,
): Promise<void> {
  const open = await scope.db
    .selectFrom('warning')
    .select(['warningcode', 'cuserid', 'musercode', 'state', 'level'])
    .where('cuserid', '=', cuserid)
    .where('state', 'not in', ['07', '08'])
    .where('isdeleted', '=', 0)
    .where('createtime', '<', time)
    .where(sql<boolean>`examcode is distinct from ${examcode}`)
    .executeTakeFirst();
  if (!open) return;
  await addLog(scope, open, {
    action: '复测',
    time,
    fromstate: open.state,
    tostate: open.state,
    fromlevel: open.level,
    tolevel: open.level,
    content: valid
      ? `${words}。自伤相关条目${itempositive ? '阳性' : '阴性'}`
      : `${words}。作答存疑，不作为结案依据，建议重新安排复测`,
    detail: { examcode },
    operator: null,
    operatorname: '系统',
  });
}
