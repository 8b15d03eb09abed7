import type { startServer } from '#testing/server.ts';

type Server = Pick<Awaited<ReturnType<typeof startServer>>, 'sqlAsOwner'>;

/** A wallet that is not what its ledger, its grants and its codes say. */
export interface Disagreement {
  musercode: string;
  plancode: string;
  what: string;
  wallet: number;
  story: number;
}

/**
 * Every wallet beside what the ledger's lines add up to and what live grants and unused codes hold; one statement, so one moment.
 * Empty while granted = used + frozen + expired + free holds everywhere and each of these is accounted for.
 */
export const disagreements = (server: Server): Promise<Disagreement[]> =>
  server.sqlAsOwner<Disagreement>(`
    with story as (
      select w.*, granted - used - frozen - expired as free,
        coalesce((select sum(qty) from assesscountlog l
        where l.musercode = w.musercode and l.plancode = w.plancode and kind in ('01', '02', '06', '08')), 0) as lgranted,
        coalesce((select -sum(qty) from assesscountlog l
        where l.musercode = w.musercode and l.plancode = w.plancode and kind = '04'), 0) as lused,
        coalesce((select -sum(qty) from assesscountlog l
        where l.musercode = w.musercode and l.plancode = w.plancode and kind = '07'), 0) as lexpired,
        coalesce((select sum(qty) from assesscountlog l
        where l.musercode = w.musercode and l.plancode = w.plancode and kind <> '04'), 0) as lfree,
        coalesce((select sum(g.frozen) from cuserplan g where g.musercode = w.musercode and g.walletcode = w.plancode), 0)
          + (select count(*) from assesscode c where c.musercode = w.musercode and c.walletcode = w.plancode and c.status = 0) as held,
        coalesce((select sum(t.free) from countlot t where t.musercode = w.musercode and t.plancode = w.plancode), 0) as lotsfree,
        coalesce((select min(t.granted) from countlot t where t.musercode = w.musercode and t.plancode = w.plancode), 0) as leastlot
      from assesscount w)
    select musercode, plancode, what, wallet::int, told::int as story from story cross join lateral (values
      ('granted', granted, lgranted), ('used', used, lused), ('expired', expired, lexpired), ('free', free, lfree),
      ('frozen', frozen, held),
      ('free by last day', free, lotsfree),
      ('not below nothing', least(granted, used, frozen, expired, free, leastlot, 0), 0)) v(what, wallet, told)
    where wallet <> told`);
