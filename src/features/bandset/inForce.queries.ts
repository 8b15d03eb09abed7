import { sql, type RawBuilder } from 'kysely';
import type { BandSet } from '#domain/scoring/scale.ts';
import type { Scope } from '#server/db/scope.ts';

/** A set as JSON, as `BandSet` has it. */
const bandsetJson = sql`jsonb_build_object('bandsetid', b.bandsetid, 'quotacode', b.quotacode, 'formcode', b.formcode,
  'orgpath', b.orgpath, 'appid', b.appid, 'gender', b.gender, 'agemin', b.agemin,
  'agemax', b.agemax, 'options', b.options)`;

/** SQL: the sets of bands in force at a time for the exam `e`, of its institution and of those above, as submission.load_exam has them. */
export const bandsetsOf = (time: RawBuilder<unknown>): RawBuilder<BandSet[]> => sql`coalesce((
  select jsonb_agg(${bandsetJson} order by length(b.orgpath) desc, b.bandsetid)
  from bandset b
  where b.formcode in (select bx.formcode from examform bx where bx.examcode = e.examcode)
    and b.validfrom <= ${time} and (b.validto is null or b.validto > ${time})
    and (b.isplatform = 1 or starts_with(e.orgpath, b.orgpath)) and (b.appid is null or b.appid = e.appid)), '[]')`;

/** The sets that judged a form at its hand-in, by score, from the ids that the form keeps. */
export async function findJudgingBandsets(
  scope: Scope,
  bandsets: Readonly<Record<string, readonly number[]>> | null,
): Promise<Record<string, BandSet[]>> {
  const ids = Object.values(bandsets ?? {}).flat();
  if (ids.length === 0) return {};
  const { rows } = await sql<{ set: BandSet }>`
    select ${bandsetJson} as set from bandset b where b.bandsetid = any (${ids}::bigint[])`.execute(scope.db);
  const byId = new Map(rows.map(({ set }) => [set.bandsetid, set]));
  return Object.fromEntries(
    Object.entries(bandsets ?? {}).map(([code, list]) => [code, list.flatMap((id) => byId.get(id) ?? [])]),
  );
}
