import type pg from 'pg';
import { commentaryLibrary } from '#domain/report/commentary/commentary.library.ts';
import { toStored, type StoredCommentary } from '#domain/report/commentary/stored.ts';
import { groupTexts } from '#domain/teamreport/advice.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';

/** Earlier than every hand-in: the first texts also make the reports of sheets that came before them. */
const ALWAYS = '2000-01-01T00:00:00Z';

const groupRow = (template: string): StoredCommentary => ({
  section: 'group',
  audience: 'group',
  reader: null,
  appid: null,
  formcode: null,
  quotacode: null,
  level: null,
  gender: null,
  agemin: null,
  agemax: null,
  priority: 0,
  cond: null,
  template,
  tier: null,
  excl: null,
});

/** The shipped texts of this version, by their id. */
export const shippedTexts: ReadonlyMap<string, StoredCommentary> = new Map([
  ...commentaryLibrary.map((row) => [row.id, toStored(row)] as const),
  ...groupTexts.map(({ id, text }) => [id, groupRow(text)] as const),
]);

const columns = Object.keys(groupRow('')) as (keyof StoredCommentary)[];
const isSame = (a: StoredCommentary, b: StoredCommentary): boolean =>
  columns.every((column) => JSON.stringify(sortKeys(a[column])) === JSON.stringify(sortKeys(b[column])));

/** The value with the keys of its objects in order: the database stores them in an order of its own. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );
}

/**
 * Writes the shipped texts as rows of the platform. A changed text closes the row of the last release and adds one. A row that the
 * platform itself changed or deleted stays as it is.
 */
export async function seedCommentary(client: pg.ClientBase): Promise<void> {
  type Row = StoredCommentary & { commentid: string; updateby: string | null; validto: Date | null };
  const { rows } = await client.query<Row>(
    `select distinct on (commentid) commentid, updateby, validto, ${columns.join(', ')}
     from commentary
     where musercode = $1
     order by commentid, validfrom desc`,
    [platformCode],
  );
  const newest = new Map(rows.map((row) => [row.commentid, row]));
  const changed = [...shippedTexts].filter(([id, text]) => {
    const row = newest.get(id);
    return !row || (row.updateby === null && (row.validto !== null || !isSame(row, text)));
  });
  const dropped = rows.filter((row) => row.updateby === null && !shippedTexts.has(row.commentid));
  await client.query(
    'update commentary set validto = now() where musercode = $1 and validto is null and updateby is null and commentid = any ($2)',
    [platformCode, [...changed.map(([id]) => id), ...dropped.map((row) => row.commentid)]],
  );
  const added = changed.map(([commentid, text]) => ({ commentid, ...text }));
  await client.query(
    `insert into commentary (commentid, validfrom, musercode, isplatform, version, ${columns.join(', ')})
     select t.commentid, case when $3 then $4::timestamptz else now() end, $1, 1,
       coalesce((select max(c.version) + 1 from commentary c where c.commentid = t.commentid), 1),
       ${columns.map((name) => `t.${name}`).join(', ')}
     from jsonb_to_recordset($2::jsonb) as t (commentid text, section text, audience text, reader text, appid text, formcode text,
       quotacode text, level smallint, gender text, agemin int, agemax int, priority int, cond jsonb, template text, tier smallint,
       excl text)`,
    [platformCode, JSON.stringify(added), rows.length === 0, ALWAYS],
  );
}
