import { sql } from 'kysely';
import type { StoredCommentary } from '#domain/report/commentary/stored.ts';
import type { Scope } from '#server/db/scope.ts';

/** A stored paragraph with its owner and its validity. */
export interface TextRow extends StoredCommentary {
  commentid: string;
  orgpath: string;
  isplatform: number;
  enabled: number;
  originid: string | null;
  validfrom: Date;
  validto: Date | null;
}

/** All paragraphs of the institution with this path and of those above, also those no longer in force. */
export const findTextRows = async (scope: Scope, orgpath: string): Promise<TextRow[]> => {
  const paths = [...orgpath.matchAll(/\./g)].map(({ index }) => orgpath.slice(0, index + 1));
  const { rows } = await sql<TextRow>`
    select commentid, orgpath, isplatform, enabled, originid, validfrom, validto, section, audience, reader, appid, formcode, quotacode,
      level, gender, agemin, agemax, priority, cond, template, tier, excl
    from commentary
    where orgpath = any (${paths}::text[])
    order by commentid, validfrom`.execute(scope.db);
  return rows;
};
