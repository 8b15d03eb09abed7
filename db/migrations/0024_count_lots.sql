-- Counts that are given keep the last day they were given with. It stands on the lines of the ledger that make up `granted` (01, 02, 06,
-- 08) and on those of what ran out (07); a wallet has no last day of its own any more. `forplan` says of a line of a wallet for any plan
-- which plan its counts were frozen and used for.
alter table assesscountlog add column enddate date, add column forplan text;

-- What was given before ends when its wallet did. The owner sees every institution for the length of this statement.
alter table assesscountlog no force row level security;
alter table assesscount no force row level security;
alter table assesscountlog disable trigger append_only;
update assesscountlog l set enddate = w.enddate from assesscount w
  where w.musercode = l.musercode and w.plancode = l.plancode and w.enddate is not null and l.kind in ('01', '02', '06', '07', '08');
alter table assesscountlog enable trigger append_only;
alter table assesscount force row level security;
alter table assesscountlog force row level security;

alter table assesscount drop column enddate;
create index assesscountlog_lots on assesscountlog (musercode, plancode, enddate) include (qty) where kind in ('01', '02', '06', '08');

-- The counts of a wallet by last day. Whatever is frozen, used or run out took first what ends soonest, so `free` is what is left of each.
create view countlot with (security_invoker = true) as
  select w.musercode, w.orgpath, w.plancode, l.enddate, l.qty as granted,
    greatest(0, least(l.qty, sum(l.qty) over (partition by w.musercode, w.plancode order by l.enddate nulls last) - w.used - w.frozen - w.expired))::int as free
  from assesscount w join (
    select musercode, plancode, enddate, sum(qty)::int as qty from assesscountlog where kind in ('01', '02', '06', '08') group by 1, 2, 3
  ) l on l.musercode = w.musercode and l.plancode = w.plancode;
grant select on countlot to xinli_app, xinli_stats;

create index assesscountlog_forplan on assesscountlog (forplan, musercode) where forplan is not null and plancode = '*';
