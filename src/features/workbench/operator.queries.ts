import { sql } from 'kysely';
import { LOW_RATIO } from '#domain/counts/wallet.ts';
import type { Scope } from '#server/db/scope.ts';
import { countAndFetch } from '#features/workbench/workbench.queries.ts';

// The operator's day: institutions and their counts, channels and jobs. No row names a person who is assessed.
const MAX_ROWS = 5;

/** An institution below the caller whose opening is not finished, or whose contract ends. */
export interface InstitutionRow {
  musercode: string;
  insname: string;
  musertype: string;
  /** the step that comes next, for openings */
  step: string;
  expiredate: string | null;
  createtime: Date;
}

const below = sql<boolean>`(m.isdeleted = 0 and m.orgpath <> (select access.path_from()))`;
const fields = sql`m.musercode, m.insname, m.musertype, coalesce(m.settings -> 'opening' ->> 'step', '') as step,
  m.expiredate, m.createtime, count(*) over ()::int as total`;

/** The institutions whose opening has begun and is not finished, the oldest first. */
export const findOpenings = (scope: Scope) =>
  countAndFetch<InstitutionRow>(
    scope,
    sql`
      select ${fields}, 0 as more from muser m
      where ${below} and m.settings -> 'opening' ->> 'step' <> 'done'
      order by m.createtime, m.musercode limit ${MAX_ROWS}`,
  );

/** The enabled institutions whose contract ends by `until` or has ended. `more` counts those whose contract has ended. */
export const findEndingContracts = (scope: Scope, today: string, until: string) =>
  countAndFetch<InstitutionRow>(
    scope,
    sql`
      select ${fields}, count(*) filter (where m.expiredate < ${today}::date) over ()::int as more from muser m
      where ${below} and m.enabled = 1 and m.expiredate <= ${until}::date
      order by m.expiredate, m.musercode limit ${MAX_ROWS}`,
  );

/** A wallet of an institution below the caller of which less than a tenth is free. */
export interface LowWallet {
  musercode: string;
  insname: string;
  planname: string | null;
  granted: number;
  free: number;
}
/** The wallets that run low, the emptiest first. `more` counts those without any free count. */
export const findLowWallets = (scope: Scope) =>
  countAndFetch<LowWallet>(
    scope,
    sql`
      select w.musercode, m.insname, p.planname, w.granted, w.free, count(*) over ()::int as total,
        count(*) filter (where w.free <= 0) over ()::int as more
      from (select *, granted - used - frozen - expired as free from assesscount) w
        join muser m on m.musercode = w.musercode
        left join plan p on p.plancode = w.plancode
      where ${below} and m.enabled = 1 and w.granted > 0 and w.free < w.granted * ${LOW_RATIO}::float
      order by w.free, m.musercode, w.plancode limit ${MAX_ROWS}`,
  );

/** A channel of an institution in the caller's range that has failed and not succeeded since. */
export interface FailingChannel {
  insname: string;
  channel: string;
  lasterror: string;
  createtime: Date;
}
/** The enabled channels whose last message failed. */
export const findFailingChannels = (scope: Scope) =>
  countAndFetch<FailingChannel>(
    scope,
    sql`
      select m.insname, c.channel, s.lasterror, s.createtime, count(*) over ()::int as total, 0 as more
      from noticechannel c
        join muser m on m.musercode = c.musercode
        cross join lateral (
          select x.lasterror, x.createtime, x.donetime from channelmessage x
          where x.musercode = c.musercode and x.channel = c.channel and (x.donetime is not null or x.lasterror <> '')
          order by x.messageid desc limit 1) s
      where c.enabled = 1 and s.donetime is null
      order by s.createtime, m.musercode limit ${MAX_ROWS}`,
  );

/** A background job that fails at present. */
export interface FailingJob {
  jobname: string;
  failures: number;
  firsttime: Date;
  lasterror: string;
}
/** The background jobs that fail at present; only the platform sees them. */
export const findFailingJobs = (scope: Scope) =>
  countAndFetch<FailingJob>(
    scope,
    sql`
      select j.jobname, j.failures, j.firsttime, j.lasterror, count(*) over ()::int as total, 0 as more
      from jobfailure j order by j.firsttime, j.jobname`,
  );
