-- The statistics of counts for a nation: whoever reads everybody's wallets gets their sums from the tally of the ledger (0027), their number
-- from the figures that are kept (0029), and whom counts were ever frozen for from the one kept here, instead of reading all three anew.

-- Whom counts were frozen for, each once, wherever; and how many they are (04), for the platform, which alone reads everybody's lines.
-- A person who froze counts at two institutions counts once, so these figures of institutions do not add up and are not kept.
create table auth.frozenfor (cuserid text primary key);
alter table headcount drop constraint headcount_what_check, add constraint headcount_what_check check (what in ('01', '02', '03', '04'));
-- The owner sees every institution for the length of this statement.
alter table assesscountlog no force row level security;
insert into auth.frozenfor select distinct cuserid from assesscountlog where kind = '03' and cuserid is not null;
insert into headcount (musercode, orgpath, what, n)
  select t.musercode, t.orgpath, '04', (select count(*) from auth.frozenfor) from auth.tenant t where t.orgpath = t.musercode || '.' and exists (select from auth.frozenfor);
alter table assesscountlog force row level security;

create function auth.count_frozenfor() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- What is used or given concerns nobody new.
  if not exists (select from added a where a.kind = '03' and a.cuserid is not null) then return null; end if;
  -- In the order of persons, so that two who freeze for the same ones wait for each other and do not lock each other out.
  with fresh as (
    insert into auth.frozenfor select distinct a.cuserid from added a where a.kind = '03' and a.cuserid is not null order by 1
    on conflict do nothing returning 1)
  insert into public.headcount (musercode, orgpath, what, n)
  select r.code, r.code || '.', '04', f.n from (select count(*) as n from fresh) f, (select split_part(a.orgpath, '.', 1) as code from added a limit 1) r where f.n > 0;
  return null;
end $$;
create trigger frozenfor after insert on assesscountlog referencing new table as added for each statement execute function auth.count_frozenfor();

-- A wallet's row reads its lines, and only from indexes: for which plans, when last, for whom, until when. Without them the planner
-- takes the caller's reach for a small part of the ledger and reads all of it for every wallet.
create index assesscountlog_wallet on assesscountlog (musercode, plancode, kind, time) include (qty, forplan, cuserid, orgpath);
drop index assesscountlog_people;
create index assesscountlog_people on assesscountlog (musercode, plancode, cuserid) include (time, orgpath) where kind = '03';
drop index assesscountlog_lots;
create index assesscountlog_lots on assesscountlog (musercode, plancode, enddate) include (qty, cuserid, orgpath) where kind in ('01', '02', '06', '08');
