-- How many institutions stand below each, by what lists of them are usually asked for, so that a page of twenty does not count five thousand
-- (docs/decisions/0023). Kept by what changes the tree, exact at every moment.
create table auth.below (
  musercode text not null references auth.tenant on delete cascade,
  musertype text not null,
  sector text not null,
  enabled smallint not null,
  n int not null,
  primary key (musercode, musertype, sector, enabled)
);
-- The institutions on the way to one, itself last, with their paths.
create function auth.way_to(orgpath text) returns table (code text, path text) language plpgsql immutable strict set search_path = '' rows 5 as $$
declare
  at int := 1;
begin
  while split_part(orgpath, '.', at) <> '' loop
    code := split_part(orgpath, '.', at);
    path := coalesce(path, '') || code || '.';
    return next;
    at := at + 1;
  end loop;
end $$;
-- The owner sees every institution for the length of this statement.
alter table muser no force row level security;
insert into auth.below select w.code, m.musertype, m.sector, m.enabled, count(*) from muser m, auth.way_to(m.orgpath) w where m.isdeleted = 0 and w.code <> m.musercode group by 1, 2, 3, 4;
alter table muser force row level security;

create function auth.count_below() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  -- In the order of codes, and so from the top: whoever changes the tree at the same time waits there.
  if tg_op = 'INSERT' then
    insert into auth.below as b select w.code, a.musertype, a.sector, a.enabled, count(*) from added a, auth.way_to(a.orgpath) w where a.isdeleted = 0 and w.code <> a.musercode group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (musercode, musertype, sector, enabled) do update set n = b.n + excluded.n;
  else
    insert into auth.below as b select d.code, d.musertype, d.sector, d.enabled, sum(d.n) from (
      select w.code, a.musertype, a.sector, a.enabled, 1 as n from added a, auth.way_to(a.orgpath) w where a.isdeleted = 0 and w.code <> a.musercode
      union all select w.code, r.musertype, r.sector, r.enabled, -1 from removed r, auth.way_to(r.orgpath) w where r.isdeleted = 0 and w.code <> r.musercode) d
    group by 1, 2, 3, 4 having sum(d.n) <> 0 order by 1, 2, 3, 4
    on conflict (musercode, musertype, sector, enabled) do update set n = b.n + excluded.n;
  end if;
  return null;
end $$;
create trigger below_added after insert on muser referencing new table as added for each statement execute function auth.count_below();
create trigger below_changed after update on muser referencing old table as removed new table as added for each statement execute function auth.count_below();

-- How many institutions stand below the caller's, of these types, this sector, enabled or not; what is null is not asked for.
create function auth.below_me(types text[], ofsector text, isenabled int) returns int language plpgsql stable security definer set search_path = '' as $$
begin
  return (select coalesce(sum(b.n), 0)::int from auth.below b where b.musercode = auth.musercode()
    and (types is null or b.musertype = any (types)) and (ofsector is null or b.sector = ofsector) and (isenabled is null or b.enabled = isenabled));
end $$;
grant execute on function auth.below_me(text[], text, int) to xinli_app;

-- Institutions of one type, the newest first: providers are one in a hundred. What stands on earlier pages is passed over in the index.
create index muser_newest_of_type on muser (musertype, createtime desc nulls last, musercode desc) include (orgpath) where isdeleted = 0;
drop index muser_newest;
create index muser_newest on muser (createtime desc nulls last, musercode desc) include (orgpath, musertype) where isdeleted = 0;
-- How many stand directly under each of these of the caller's reach, by their codes: looked up once for a page.
drop function auth.children_of(text[]);
create function auth.children_of(codes text[]) returns jsonb language plpgsql stable security definer set search_path = '' as $$
begin
  return (with asked as materialized (select t.musercode, t.children, t.orgpath from auth.tenant t where t.musercode = any (codes))
    select jsonb_object_agg(a.musercode, a.children) from asked a where a.orgpath >= (select auth.lo()) and a.orgpath < (select auth.hi()));
end $$;
grant execute on function auth.children_of(text[]) to xinli_app;

-- How many persons (01) and staff (02) an institution has, and how many wallets (03) it and those below it have. A page of twenty schools
-- would read a hundred thousand persons to say it. Whoever adds some only adds a row, so nobody waits for anybody: the sum is exact
-- at every moment, and a job adds rows up (`auth.fold_heads`).
create table headcount (
  id bigint generated always as identity primary key,
  musercode text not null, orgpath text collate "C" not null,
  what text not null check (what in ('01', '02', '03')),
  n int not null,
  foreign key (musercode, orgpath) references muser (musercode, orgpath) on update cascade
);
create index headcount_of on headcount (musercode, what) include (n, orgpath);
alter table cuser no force row level security;
alter table sysuser no force row level security;
alter table assesscount no force row level security;
insert into headcount (musercode, orgpath, what, n) select musercode, orgpath, '01', count(*) from cuser where isdeleted = 0 group by 1, 2;
insert into headcount (musercode, orgpath, what, n) select musercode, orgpath, '02', count(*) from sysuser where isdeleted = 0 group by 1, 2;
insert into headcount (musercode, orgpath, what, n)
  select t.musercode, t.orgpath, '03', count(*) from assesscount w join auth.tenant t on starts_with(w.orgpath, t.orgpath) group by 1, 2;
alter table cuser force row level security;
alter table sysuser force row level security;
alter table assesscount force row level security;
alter table headcount enable row level security;
alter table headcount force row level security;
grant select on headcount to xinli_app;
create policy scope on headcount for select to xinli_app using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()));
-- Whoever sees some persons only counts these.
create policy entrusted on headcount as restrictive for select to xinli_app using (what <> '01' or not (select auth.narrowed()));

-- Rows are written by the triggers below for whoever may write what they count, those of a wallet for institutions above the writer's too;
-- the job that adds them up only sees sums.
do $$
begin
  execute format('create policy kept on headcount to %I using (true) with check (true)', current_user);
end $$;

create function auth.count_heads() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  of text := tg_argv[0];
begin
  if tg_level = 'ROW' then
    insert into public.headcount (musercode, orgpath, what, n)
    select d.musercode, d.orgpath, of, sum(d.n) from (values (old.musercode, old.orgpath, old.isdeleted - 1), (new.musercode, new.orgpath, 1 - new.isdeleted)) d (musercode, orgpath, n)
    group by 1, 2 having sum(d.n) <> 0;
  elsif tg_op = 'INSERT' then
    insert into public.headcount (musercode, orgpath, what, n) select a.musercode, a.orgpath, of, count(*) from added a where a.isdeleted = 0 group by 1, 2;
  else
    insert into public.headcount (musercode, orgpath, what, n) select r.musercode, r.orgpath, of, -count(*) from removed r where r.isdeleted = 0 group by 1, 2;
  end if;
  return null;
end $$;
create trigger heads_added after insert on cuser referencing new table as added for each statement execute function auth.count_heads('01');
create trigger heads_removed after delete on cuser referencing old table as removed for each statement execute function auth.count_heads('01');
create trigger heads_changed after update on cuser for each row when (old.isdeleted <> new.isdeleted or old.musercode <> new.musercode) execute function auth.count_heads('01');
create trigger heads_added after insert on sysuser referencing new table as added for each statement execute function auth.count_heads('02');
create trigger heads_removed after delete on sysuser referencing old table as removed for each statement execute function auth.count_heads('02');
create trigger heads_changed after update on sysuser for each row when (old.isdeleted <> new.isdeleted or old.musercode <> new.musercode) execute function auth.count_heads('02');

create function auth.count_wallets() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    insert into public.headcount (musercode, orgpath, what, n)
    select w.code, w.path, '03', count(*) from added a, auth.way_to(a.orgpath) w group by 1, 2;
  elsif tg_op = 'DELETE' then
    insert into public.headcount (musercode, orgpath, what, n)
    select w.code, w.path, '03', -count(*) from removed r, auth.way_to(r.orgpath) w group by 1, 2;
  else
    -- Its institution, or one above it, has moved.
    insert into public.headcount (musercode, orgpath, what, n)
    select d.code, max(d.path), '03', sum(d.n)
    from (select w.code, w.path, 1 as n from auth.way_to(new.orgpath) w union all select w.code, w.path, -1 from auth.way_to(old.orgpath) w) d
    group by 1 having sum(d.n) <> 0;
  end if;
  return null;
end $$;
create trigger wallets_added after insert on assesscount referencing new table as added for each statement execute function auth.count_wallets();
create trigger wallets_removed after delete on assesscount referencing old table as removed for each statement execute function auth.count_wallets();
create trigger wallets_moved after update on assesscount for each row when (old.orgpath <> new.orgpath) execute function auth.count_wallets();

-- Adds up what has gathered; answers how many rows it found. Whoever reads meanwhile sees the rows or their sum.
create function auth.fold_heads() returns bigint language plpgsql volatile set search_path = '' as $$
declare
  folded bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('xinli heads')) then return 0; end if;
  with many as (select h.musercode, h.what from public.headcount h group by 1, 2 having count(*) > 1 limit 5000),
  gone as (delete from public.headcount h using many m where h.musercode = m.musercode and h.what = m.what returning h.musercode, h.orgpath, h.what, h.n),
  summed as (insert into public.headcount (musercode, orgpath, what, n) select g.musercode, g.orgpath, g.what, sum(g.n) from gone g group by 1, 2, 3)
  select count(*) into folded from gone;
  return folded;
exception when foreign_key_violation then
  return 0;
end $$;
revoke execute on function auth.fold_heads() from public;
grant execute on function auth.fold_heads() to xinli_sealer;
grant select, insert, delete on headcount to xinli_sealer;
create policy tally on headcount to xinli_sealer using (true) with check (true);
