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

/**
 * SQL condition: registration `k` is there, and neither its case nor the person's open case suspects the human behind the session.
 * A suspected colleague learns neither that the person asked for help nor when they meet.
 */
export const isVisibleConsult = sql<boolean>`(k.isdeleted = 0 and not exists (
  select from warning w
  where w.cuserid = k.cuserid and w.isdeleted = 0 and (w.warningcode = k.warningcode or w.state not in ('07', '08'))
    and not ${isNotSuspect}))`;

/**
 * SQL condition: neither the case of follow-up or intervention `f` nor the person's open case suspects the human behind the session. A
 * follow-up without a case would tell a suspected colleague that somebody looks after the person.
 */
export const isVisibleCare = sql<boolean>`not exists (
  select from warning w
  where w.cuserid = f.cuserid and w.isdeleted = 0 and (w.warningcode = f.warningcode or w.state not in ('07', '08'))
    and not ${isNotSuspect})`;
