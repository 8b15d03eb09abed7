import { sql } from 'kysely';
import type { WarningLevelCode } from '#domain/warning/warningfacts.ts';
import type { Scope } from '#server/db/scope.ts';
import { pending } from '#features/warning/warninglist.queries.ts';

/** The last full notice (④) of one handler about a case that waits for acceptance. */
export interface LastNotice {
  id: number;
  userid: string;
  warningcode: string;
  cuserid: string;
  level: WarningLevelCode;
  itemtrigger: number;
  title: string;
  content: string;
  createtime: Date;
  readtime: Date | null;
  remindtime: Date | null;
  remindcount: number;
  suspectuserids: string[];
  /** the notice stands for news or for a hand-over; false: it told the next able person of news that nobody had read */
  isNews: boolean;
}

/** The last full notice of each handler about each case of an institution that waits for acceptance. */
export const findLastNotices = async (scope: Scope, musercode: string): Promise<LastNotice[]> =>
  (
    await sql<LastNotice>`
      select distinct on (n.warningcode, n.userid) n.id, n.userid, n.warningcode, w.cuserid, w.level, w.itemtrigger,
        n.title, n.content, n.createtime, n.readtime, n.remindtime, n.remindcount, w.suspectuserids,
        n.dedupekey not like 'unopened:%' as "isNews"
      from warning w
        join notification n on n.warningcode = w.warningcode
      where w.musercode = ${musercode} and w.isdeleted = 0 and ${pending} and n.musercode = w.musercode
        and w.deathtime is null and n.kind = 'warning' and n.infokind = 4 and n.userid is not null
        and n.dedupekey ~ '^(warning|handover|unopened):' and n.dedupekey not like '%:joined:%'
      order by n.warningcode, n.userid, n.createtime desc, n.id desc`.execute(scope.db)
  ).rows;

/**
 * Counts a reminder of an unread notice. Returns false when another server has counted it at the same time or the notice was read.
 */
export const markReminded = async (scope: Scope, { id, remindcount }: LastNotice, now: Date): Promise<boolean> =>
  (await scope.db
    .updateTable('notification')
    .set({ remindtime: now, remindcount: remindcount + 1, sendtime: now })
    .where('id', '=', id)
    .where('remindcount', '=', remindcount)
    .where('readtime', 'is', null)
    .returning('id')
    .executeTakeFirst()) !== undefined;

/** A case that waits for acceptance. */
export type PendingCase = Pick<LastNotice, 'warningcode' | 'level' | 'itemtrigger'>;

/** The cases of an institution that wait for acceptance. */
export const findPendingCases = async (scope: Scope, musercode: string): Promise<PendingCase[]> =>
  (
    await sql<PendingCase>`
      select w.warningcode, w.level, w.itemtrigger from warning w
      where w.musercode = ${musercode} and w.isdeleted = 0 and w.deathtime is null and ${pending}
      order by w.warningcode`.execute(scope.db)
  ).rows;

/** Repeats the unread full notices of a case in the institutions above that are older than `before`. Returns their number. */
export const remindAbove = async (scope: Scope, warningcode: string, before: Date, now: Date): Promise<number> =>
  (await sql<{ n: number }>`select access.remind_above(${warningcode}, ${before}, ${now})::int as n`.execute(scope.db)).rows[0]
    ?.n ?? 0;
