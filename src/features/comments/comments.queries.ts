import { sql, type RawBuilder } from 'kysely';
import type { z } from 'zod';
import type { StoredCommentary } from '#domain/report/commentary/stored.ts';
import { limitOffset, toLikePattern } from '#server/db/pagination.ts';
import type { Scope } from '#server/db/scope.ts';
import type { getCommentPageList } from '#features/comments/comments.contract.ts';

/** A paragraph in force with its owner. */
export interface CommentRecord extends StoredCommentary {
  commentid: string;
  version: number;
  musercode: string;
  isplatform: number;
  enabled: number;
  originid: string | null;
  validfrom: Date;
  formname: string | null;
  quotaname: string | null;
  insname: string | null;
  isoutdated: number;
}

const columns = sql`c.commentid, c.version, c.musercode, c.isplatform, c.section, c.audience, c.reader, c.appid, c.formcode, c.quotacode,
  c.level, c.gender, c.agemin, c.agemax, c.priority, c.cond, c.template, c.tier, c.excl, c.enabled, c.originid, c.validfrom`;

/** Rows in force that the reports of an institution read: its own and those above. A row of an institution below is not among them. */
const inForce = (musercode: string): RawBuilder<unknown> => sql`c.validto is null and (c.musercode = ${musercode}
  or (c.orgpath = any ((select access.ancestor_paths())::text[]) and c.enabled = 1))`;

/** Returns a page of the paragraphs in force. */
export async function findComments(
  scope: Scope,
  musercode: string,
  filters: z.output<(typeof getCommentPageList)['request']>,
): Promise<{ total: number; rows: CommentRecord[] }> {
  const { keyword, section, audience, appid, formcode, quotacode, level, owner, enabled } = filters;
  const where = sql`${inForce(musercode)}
    ${keyword ? sql`and (c.template like ${toLikePattern(keyword)} or c.commentid = ${keyword})` : sql``}
    ${section ? sql`and c.section = ${section}` : sql``}
    ${audience ? sql`and c.audience = ${audience}` : sql``}
    ${appid ? sql`and c.appid = ${appid}` : sql``}
    ${formcode ? sql`and c.formcode = ${formcode}` : sql``}
    ${quotacode ? sql`and c.quotacode = ${quotacode}` : sql``}
    ${level === undefined ? sql`` : sql`and c.level = ${level}`}
    ${enabled === undefined ? sql`` : sql`and c.enabled = ${enabled}`}
    ${owner === 'own' ? sql`and c.musercode = ${musercode}` : sql``}
    ${owner === 'above' ? sql`and c.musercode <> ${musercode} and c.isplatform = 0` : sql``}
    ${owner === 'platform' ? sql`and c.isplatform = 1` : sql``}`;
  const { rows } = await sql<CommentRecord & { total: number }>`
    select ${columns}, f.formname, q.quotaname, m.insname, (count(*) over ())::int as total,
      (c.originid is not null and not exists (
        select from commentary o where o.commentid = c.originid and o.validto is null and o.validfrom = c.origintime))::int as isoutdated
    from commentary c
      left join form f on f.formcode = c.formcode
      left join quota q on q.quotacode = c.quotacode
      left join muser m on m.musercode = c.musercode
    where ${where}
    order by (c.musercode = ${musercode}) desc, c.isplatform, c.section, c.formcode nulls first, c.quotacode, c.level, c.priority desc,
      c.commentid
    ${limitOffset(filters)}`.execute(scope.db);
  return { total: rows[0]?.total ?? 0, rows };
}

/** Locks and returns the row of a paragraph in force, own or above. */
export const lockComment = async (scope: Scope, musercode: string, commentid: string): Promise<CommentRecord | undefined> => {
  const { rows } = await sql<CommentRecord>`select ${columns} from commentary c
    where c.commentid = ${commentid} and ${inForce(musercode)}
    for update`.execute(scope.db);
  if (rows[0]) return rows[0];
  // Only the owner may lock a row; a row from above is read.
  const above = await sql<CommentRecord>`select ${columns} from commentary c
    where c.commentid = ${commentid} and ${inForce(musercode)}`.execute(scope.db);
  return above.rows[0];
};

/** The own copy in force of a row from above. */
export const findCopy = async (scope: Scope, musercode: string, originid: string): Promise<string | undefined> =>
  (
    await sql<{ commentid: string }>`select commentid from commentary
      where musercode = ${musercode} and originid = ${originid} and validto is null`.execute(scope.db)
  ).rows[0]?.commentid;

interface NewRow extends StoredCommentary {
  musercode: string;
  isplatform: number;
  enabled: number;
  updateby: string;
  validfrom: Date;
  version: number;
  /** absent: a new paragraph */
  commentid?: string;
  originid?: string | null;
}

/** Adds a row and returns its paragraph. A copy remembers which state of its origin it knows. */
export async function addComment(scope: Scope, { cond, originid = null, ...row }: NewRow): Promise<string> {
  const { rows } = await sql<{ commentid: string }>`
    insert into commentary (${sql.join(Object.keys(row).map((name) => sql.ref(name)))}, cond, originid, origintime)
    values (${sql.join(Object.values(row))}, ${cond === null ? null : JSON.stringify(cond)}::jsonb, ${originid},
      (select o.validfrom from commentary o where o.commentid = ${originid} and o.validto is null and o.musercode <> ${row.musercode}))
    returning commentid`.execute(scope.db);
  return rows[0]?.commentid ?? '';
}

/** Ends the own row in force. Returns undefined when there is none. */
export const closeComment = async (
  scope: Scope,
  { musercode, commentid, updateby, now }: { musercode: string; commentid: string; updateby: string; now: Date },
): Promise<string | undefined> =>
  (
    await sql<{ commentid: string }>`
      update commentary set validto = greatest(validfrom, ${now}), updateby = ${updateby}
      where musercode = ${musercode} and commentid = ${commentid} and validto is null
      returning commentid`.execute(scope.db)
  ).rows[0]?.commentid;

/** The form of a score; undefined when the caller sees no such score. */
export const findFormOfQuota = async (scope: Scope, quotacode: string): Promise<string | undefined> =>
  (await scope.db.selectFrom('quota').select('formcode').where('quotacode', '=', quotacode).executeTakeFirst())?.formcode;

/** The institution's path, for the texts in force. */
export const findOrgpath = async (scope: Scope, musercode: string): Promise<string> =>
  (await scope.db.selectFrom('muser').select('orgpath').where('musercode', '=', musercode).executeTakeFirstOrThrow()).orgpath;

/** The populations that an institution uses; empty: all. */
export const findPopulations = async (scope: Scope, musercode: string): Promise<string[]> =>
  (await scope.db.selectFrom('muserapp').select('appid').where('musercode', '=', musercode).execute()).map(({ appid }) => appid);
