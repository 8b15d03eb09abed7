import { sql } from 'kysely';
import { EXEMPT_REASONS } from '#domain/task/taskprogress.ts';

/** Whether row `r` of taskroster is 免测. */
export const isExempt = sql<boolean>`(r.status = 3 and r.reason = any (${[...EXEMPT_REASONS]}::text[]))`;

/**
 * The columns of `RosterCounts` (domain/task/taskprogress.ts), counted over rows `r` of taskroster without the removed ones. Every
 * figure of 应测, 完成, 作答中, 未开始, 免测 and 缺测 comes from here.
 */
export const rosterCounts = sql`count(*)::int as total,
  count(*) filter (where r.status in (2, 4))::int as finished,
  count(*) filter (where r.status = 1)::int as doing,
  count(*) filter (where r.status = 0)::int as notstarted,
  count(*) filter (where r.status = 3)::int as absent,
  count(*) filter (where ${isExempt})::int as exempt,
  count(*) filter (where r.status = 4)::int as dubious`;
