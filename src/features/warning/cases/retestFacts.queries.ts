import { sql, type Selectable } from 'kysely';
import type { WarningTable } from '#db/generated/tables.ts';
import type { Level } from '#domain/scoring/scale.ts';
import type { WarningFacts } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';

/**
 * The exams submitted since the warning was opened, without the exam that opened it. `level` is the highest level of the primary
 * scores. `itempositive` is true for PHQ-9 item 9 or EPDS item 10 above 0, and for any other alert.
 */
export async function findRetests(
  scope: Scope,
  { cuserid, createtime, examcode }: Pick<Selectable<WarningTable>, 'cuserid' | 'createtime' | 'examcode'>,
): Promise<WarningFacts['retests']> {
  const { rows } = await sql<{ time: Date; valid: number | null; level: Level | null; itempositive: boolean }>`
    select e.submittime as time, e.valid,
      (select max(r.level) from examresult r where r.examcode = e.examcode and r.isprimary = 1)::int as level,
      e.hasalert = 1 or exists (
        select from examform f
        where f.examcode = e.examcode
          and (case f.formcode
            when 'PHQ9' then f.raw->'itemscores'->>'q9'
            when 'EPDS' then f.raw->'itemscores'->>'q10' end)::numeric > 0) as itempositive
    from examrecord e
    where e.cuserid = ${cuserid} and e.status = 2 and e.submittime > ${createtime}
      and e.examcode is distinct from ${examcode}`.execute(scope.db);
  return rows.map(({ time, valid, level, itempositive }) => ({
    time,
    level: valid === 0 ? null : level,
    itempositive,
    valid: valid !== 0,
  }));
}
