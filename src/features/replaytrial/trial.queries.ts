import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** Whether there is a sitting to replay. */
export const hasSittings = async (
  scope: Scope,
  filters: { musercode: string | undefined; since: Date; formcode: string | undefined },
): Promise<boolean> => {
  const ofForm = filters.formcode
    ? sql`and exists (select from examform y where y.examcode = e.examcode and y.formcode = ${filters.formcode})`
    : sql``;
  const { rows } = await sql<{ exists: boolean }>`
    select exists (
      select from examrecord e
      where e.status = 2 and e.submittime >= ${filters.since}
        ${filters.musercode ? sql`and e.musercode = ${filters.musercode}` : sql``}
        ${ofForm}
    ) as exists`.execute(scope.db);
  return rows[0]?.exists ?? false;
};

/** Stores a trial and returns its number. */
export async function addTrial(
  scope: Scope,
  row: {
    musercode: string;
    kind: string;
    contenthash: string;
    content: unknown;
    result: unknown;
    createby: string;
    createtime: Date;
  },
): Promise<number> {
  const { trialid } = await scope.db
    .insertInto('replaytrial')
    .values({ ...row, content: JSON.stringify(row.content), result: JSON.stringify(row.result) })
    .returning('trialid')
    .executeTakeFirstOrThrow();
  return Number(trialid);
}

/** Whether the institution tried this content since a time. */
export const hasTrial = async (scope: Scope, musercode: string, contenthash: string, since: Date): Promise<boolean> =>
  Boolean(
    await scope.db
      .selectFrom('replaytrial')
      .select('trialid')
      .where('musercode', '=', musercode)
      .where('contenthash', '=', contenthash)
      .where('createtime', '>=', since)
      .executeTakeFirst(),
  );
