import { sql, type Selectable } from 'kysely';
import type { RiskassessTable } from '#db/generated/tables.ts';
import type { Cond, Level, Scale } from '#domain/scoring/scale.ts';
import { scaleOf } from '#domain/scoring/scales/library.ts';
import { AsqResult, isAsqNegative, isSelfHarmAlert, type AsqAnswers } from '#domain/warning/asqTriage.ts';
import type { AssessFact } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';

/** The interviews of a case, the earliest first. */
export const findInterviews = (scope: Scope, warningcode: string) =>
  scope.db.selectFrom('riskassess').selectAll().where('warningcode', '=', warningcode).orderBy('assessid').execute();

/** An interview as the rules of a case read it. */
export const toAssessFact = (row: Selectable<RiskassessTable>): AssessFact => ({
  time: row.time,
  newsno: row.newsno,
  conclusionlevel: row.effectivelevel as Level,
  suggestedlevel: row.suggestedlevel as Level | null,
  finished: row.isfinished === 1,
  islow: row.lowreason !== '',
  needssecond: row.lowreason !== '' && row.confirmtime === null,
  asqnegative: isAsqNegative(row.asqanswers as AsqAnswers | null),
});

/** The items that a condition names. */
function findItems(cond: Cond): string[] {
  if ('all' in cond) return cond.all.flatMap(findItems);
  if ('any' in cond) return cond.any.flatMap(findItems);
  return 'item' in cond && !('form' in cond) ? [cond.item] : [];
}

/** The items of a form that ask the person about suicide or self-harm. */
const findSelfHarmItems = (scale: Scale): string[] =>
  (scale.alerts ?? []).filter(({ c }) => isSelfHarmAlert(c)).flatMap(({ when }) => findItems(when));

/**
 * Whether the next interview of a case begins with the ASQ: forms raised the case, the person has answered no question about
 * suicide or self-harm in them, and no interview of the case has a finished ASQ (clinical-rules D).
 */
export async function needsAsqFirst(scope: Scope, warningcode: string): Promise<boolean> {
  const { rows: forms } = await sql<{ formcode: string; definition: unknown; answers: Record<string, unknown> | null }>`
    select f.formcode, v.definition, f.answers
    from examform f
      left join formversion v on v.formcode = f.formcode and v.version = f.formversion
    where f.examcode in (select l.detail->'trigger'->>'examcode' from warninglog l where l.warningcode = ${warningcode})
      or f.examcode = (select w.examcode from warning w where w.warningcode = ${warningcode})`.execute(scope.db);
  if (forms.length === 0) return false;
  const isAsked = forms.some(({ formcode, definition, answers }) => {
    const scale = (definition as Scale | null) ?? scaleOf(formcode);
    return scale !== undefined && findSelfHarmItems(scale).some((item) => ![undefined, null, ''].includes(answers?.[item] as ''));
  });
  if (isAsked) return false;
  const finished = await scope.db
    .selectFrom('riskassess')
    .select('assessid')
    .where('warningcode', '=', warningcode)
    .where('asqresult', 'is not', null)
    .where('asqresult', 'not in', [AsqResult.unfinished, AsqResult.positiveUnfinished])
    .limit(1)
    .executeTakeFirst();
  return finished === undefined;
}

/** The low conclusions of a case since its last news that wait for a second person, with their interviewers. */
export const findPendingConclusions = (scope: Scope, warningcode: string) =>
  scope.db
    .selectFrom('riskassess as r')
    .innerJoin('warning as w', 'w.warningcode', 'r.warningcode')
    .select(['r.assessid', 'r.assessor', 'r.conclusionlevel', 'r.suggestedlevel', 'r.lowreason'])
    .where('r.warningcode', '=', warningcode)
    .where('r.lowreason', '<>', '')
    .where('r.confirmtime', 'is', null)
    .whereRef('r.time', '>=', 'w.newstime')
    .whereRef('r.newsno', '>=', 'w.newsno')
    .execute();

/** Marks interviews as confirmed by a second person. */
export const saveConfirmation = (
  scope: Scope,
  assessids: readonly number[],
  second: { confirmedby: string; confirmedname: string; confirmtime: Date },
) => scope.db.updateTable('riskassess').set(second).where('assessid', 'in', assessids).execute();
