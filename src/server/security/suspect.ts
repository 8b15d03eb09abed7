import { sql } from 'kysely';

/**
 * SQL condition: the human behind the session is not among those that the case `w` suspects of harm. Two accounts with one telephone are
 * one human, and so is the account that acts in another one (代登录). Also true without a case.
 */
export const isNotSuspect = sql<boolean>`not (coalesce(w.suspectuserids, '{}') && (select access.own_accounts()))`;

/** The risk flag of person `c` as the caller may see it: 0 while the open case suspects the human behind the session. */
export const visibleRiskflag = sql<number>`(case when c.riskflag > 0 and exists (
  select from warning w
  where w.cuserid = c.cuserid and w.state not in ('07', '08') and w.isdeleted = 0 and not ${isNotSuspect}) then 0 else c.riskflag end)`;
