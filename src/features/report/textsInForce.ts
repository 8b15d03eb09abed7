import { createHash } from 'node:crypto';
import type { Commentary } from '#domain/report/commentary/commentary.ts';
import { commentaryVersion } from '#domain/report/commentary/commentary.library.ts';
import { fromStored } from '#domain/report/commentary/stored.ts';
import type { TextsInForce } from '#domain/report/report.basis.ts';
import type { Scope } from '#server/db/scope.ts';
import { findTextRows, type TextRow } from '#features/report/texts.queries.ts';

/** The texts of an institution at a moment: those of the platform, of the institutions above and its own. */
export type ReadTexts = (orgpath: string, at: Date) => Promise<TextsInForce>;

type PersonRow = TextRow & { section: Commentary['section'] };

const isInForce = ({ validfrom, validto, enabled }: TextRow, at: Date): boolean =>
  enabled === 1 && validfrom <= at && (validto === null || validto > at);

const originsOf = (rows: readonly TextRow[]): ReadonlyMap<string, string> =>
  new Map(rows.flatMap(({ commentid, originid }) => (originid === null ? [] : [[commentid, originid] as const])));

/** The first row of a chain of copies. */
function findOrigin(row: TextRow, origins: ReadonlyMap<string, string>): string | undefined {
  let origin = row.originid ?? undefined;
  for (let next = origin && origins.get(origin); next; next = origins.get(next)) origin = next;
  return origin;
}

/** Reads the rows of each institution once, so that many reports of one institution cost one query. */
export function textReader(scope: Scope): ReadTexts {
  const rowsByPath = new Map<string, { row: TextRow; text: Commentary }[]>();
  return async (orgpath, at) => {
    let texts = rowsByPath.get(orgpath);
    if (!texts) rowsByPath.set(orgpath, (texts = toTexts(await findTextRows(scope, orgpath))));
    const inForce = texts.filter(({ row }) => isInForce(row, at));
    const mark = createHash('sha256');
    for (const { row } of inForce) mark.update(`${row.commentid}@${row.validfrom.getTime()} `);
    return { rows: inForce.map(({ text }) => text), version: `${commentaryVersion}+${mark.digest('hex').slice(0, 8)}` };
  };
}

function toTexts(rows: readonly TextRow[]): { row: TextRow; text: Commentary }[] {
  const origins = originsOf(rows);
  return rows
    .filter((row): row is PersonRow => row.section !== 'group')
    .map((row) => {
      const origin = findOrigin(row, origins);
      const depth = row.isplatform === 1 ? undefined : row.orgpath.split('.').length - 1;
      return { row, text: fromStored(row.commentid, row, { ...(depth && { depth }), ...(origin !== undefined && { origin }) }) };
    });
}

/** The words of the advice of group reports in force, by the id of the shipped rule; a copy of the nearest institution wins. */
export async function findGroupWords(scope: Scope, musercode: string, at: Date): Promise<ReadonlyMap<string, string>> {
  const owner = await scope.db.selectFrom('muser').select('orgpath').where('musercode', '=', musercode).executeTakeFirst();
  const rows = owner ? await findTextRows(scope, owner.orgpath) : [];
  const origins = originsOf(rows);
  // The rows of the platform have the shortest path, so the nearest institution comes last and stays.
  return new Map(
    rows
      .filter((row) => row.section === 'group' && isInForce(row, at))
      .sort((a, b) => a.orgpath.length - b.orgpath.length)
      .map((row) => [findOrigin(row, origins) ?? row.commentid, row.template]),
  );
}
