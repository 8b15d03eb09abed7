-- What lists of a nation count and add up is kept instead of counted anew at every page (docs/decisions/0017).

-- What the ledger adds up to is looked up: the same tally as the trail's, for the lines of counts.

-- Whose transaction wrote a line, so that the tally knows which lines it has.
alter table assesscountlog add column xid xid8 not null default pg_current_xact_id();
create index on assesscountlog (xid);

-- Lines of each kind and what they add up to: of every institution over all days, which the day -infinity stands for; and for the platform,
-- which alone reads everybody's, of all institutions by day as well (`everybody`). Lines of transactions before the fence are in.
create table counttally (
  musercode text not null, orgpath text collate "C" not null, everybody smallint not null, day date not null, kind text not null,
  lines bigint not null, qty bigint not null,
  primary key (musercode, everybody, day, kind),
  foreign key (musercode, orgpath) references muser (musercode, orgpath) on update cascade
);
create index on counttally (orgpath, everybody, day);
alter table auth.tallyfence add column ledger xid8 not null default '0';

-- Takes lines of finished transactions into the tally; answers how many. An institution that is being moved is taken in when it has arrived.
create function auth.fold_ledger() returns bigint language plpgsql volatile set search_path = '' as $$
declare
  since xid8;
  upto xid8;
  portion xid8;
  folded bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('xinli tally')) then return 0; end if;
  select f.ledger, pg_snapshot_xmin(pg_current_snapshot()) into since, upto from auth.tallyfence f;
  select l.xid into portion from public.assesscountlog l where l.xid > since and l.xid < upto order by l.xid offset 20000 limit 1;
  upto := coalesce(portion, upto);
  with fresh as (
    select l.musercode, l.orgpath, (l.time at time zone 'Asia/Shanghai')::date as day, l.kind, count(*) as lines, sum(l.qty) as qty from public.assesscountlog l
    where l.xid >= since and l.xid < upto group by 1, 2, 3, 4),
  parts as (
    select f.musercode, f.orgpath, 0 as everybody, '-infinity'::date as day, f.kind, f.lines, f.qty from fresh f
    union all select split_part(f.orgpath, '.', 1), split_part(f.orgpath, '.', 1) || '.', 1, d, f.kind, f.lines, f.qty from fresh f, unnest(array[f.day, '-infinity'::date]) d),
  added as (
    insert into public.counttally as t (musercode, orgpath, everybody, day, kind, lines, qty)
    select p.musercode, p.orgpath, p.everybody, p.day, p.kind, sum(p.lines), sum(p.qty) from parts p group by 1, 2, 3, 4, 5
    on conflict (musercode, everybody, day, kind) do update set lines = t.lines + excluded.lines, qty = t.qty + excluded.qty)
  select coalesce(sum(f.lines), 0) into folded from fresh f;
  if folded > 0 or portion is not null then update auth.tallyfence set ledger = upto; end if;
  return folded;
exception when foreign_key_violation then
  return 0;
end $$;
revoke execute on function auth.fold_ledger() from public;
grant execute on function auth.fold_ledger() to xinli_sealer;
grant usage on schema public to xinli_sealer;
grant select (musercode, orgpath, kind, qty, time, xid) on assesscountlog to xinli_sealer;
create policy tally on assesscountlog for select to xinli_sealer using (true);
grant select, insert, update on counttally to xinli_sealer;
grant select on counttally to xinli_app;
alter table counttally enable row level security;
alter table counttally force row level security;
create policy scope on counttally for select to xinli_app using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()));
-- Whoever sees some persons only adds up the lines of these, and the tally knows nobody.
create policy entrusted on counttally as restrictive for select to xinli_app using (not (select auth.narrowed()));
create policy tally on counttally to xinli_sealer using (true) with check (true);
do $$
begin
  execute format('create policy owner_scope on counttally to %I
    using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))
    with check (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))', current_user);
end $$;

-- How many institutions stand directly under each is kept where the tree is kept. Whatever changes a place in the tree changes the figures of
-- those above it in the order of their codes, so that two who do so at once wait for each other and do not lock each other out.
create index muser_children on muser (parentmusercode, insname) where isdeleted = 0;
alter table auth.tenant add column children int not null default 0;
-- The owner sees every institution for the length of this statement.
alter table muser no force row level security;
update auth.tenant t set children = c.n from (select parentmusercode, count(*) as n from muser where isdeleted = 0 group by 1) c where t.musercode = c.parentmusercode;
alter table muser force row level security;
create function auth.count_children() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  parents text[];
  news int[];
begin
  if tg_op = 'INSERT' then
    select array_agg(c.code order by c.code), array_agg(c.n order by c.code) into parents, news from (
      select a.parentmusercode as code, count(*) as n from added a where a.isdeleted = 0 and a.parentmusercode is not null group by 1) c;
  else
    select array_agg(c.code order by c.code), array_agg(c.n order by c.code) into parents, news from (
      select b.code, sum(b.n) as n from (
        select a.parentmusercode as code, 1 as n from added a where a.isdeleted = 0
        union all select r.parentmusercode, -1 from removed r where r.isdeleted = 0) b
      where b.code is not null group by 1 having sum(b.n) <> 0) c;
  end if;
  if parents is null then return null; end if;
  perform from auth.tenant t where t.musercode = any (parents) order by t.musercode for no key update;
  update auth.tenant t set children = t.children + c.n from unnest(parents, news) c (code, n) where t.musercode = c.code;
  return null;
end $$;
create trigger children_added after insert on muser referencing new table as added for each statement execute function auth.count_children();
create trigger children_changed after update on muser referencing old table as removed new table as added for each statement execute function auth.count_children();

-- The same for institutions of the caller's reach.
create function auth.children_of(codes text[]) returns table (musercode text, children int) language plpgsql stable security definer set search_path = '' rows 20 as $$
begin
  -- By their codes first: the reach, whose ends are unknown to the planner, would be taken for the shorter way.
  return query with asked as materialized (select t.musercode, t.children, t.orgpath from auth.tenant t where t.musercode = any (codes))
  select a.musercode, a.children from asked a where a.orgpath >= (select auth.lo()) and a.orgpath < (select auth.hi());
end $$;
grant execute on function auth.children_of(text[]) to xinli_app;
