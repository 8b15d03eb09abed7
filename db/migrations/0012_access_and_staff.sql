-- Data scopes 2–4, the menu as the platform arranges it, and the only door through which a member of staff gets an account.

-- Staff whose persons and teams the caller may see; asked only of accounts with a narrowing role. Several roles narrow each other:
-- a union of roles never widens the scope. 2: the departments the role names; 3: the own department; 4: it and those below; 5: oneself.
-- Without a department scopes 3 and 4 reach nobody.
create function auth.owners_of(who text) returns setof text language sql stable security definer set search_path = '' as $$
  with me as (select u.userid, u.musercode, u.deptid from public.sysuser u where u.userid = who and u.orgpath >= auth.lo() and u.orgpath < auth.hi()),
    narrowing as (
      select r.datascope, r.deptids from public.sysuserrole ur join public.role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0
      where ur.userid = who and r.datascope <> 1),
    below as (
      select d.deptid from public.dept d, me
      where d.musercode = me.musercode and (d.deptid = me.deptid or me.deptid::text = any (string_to_array(d.ancestors, ','))))
  select u.userid from public.sysuser u, me
  where u.musercode = me.musercode and exists (select from narrowing) and not exists (
    select from narrowing n where not coalesce(case n.datascope
      when 2 then u.deptid = any (n.deptids)
      when 3 then u.deptid = me.deptid
      when 4 then u.deptid in (select b.deptid from below b)
      else u.userid = me.userid end, false))
$$;
create function auth.owners() returns setof text language sql stable security definer set search_path = '' as $$
  select auth.owners_of(auth.userid())
$$;

-- Narrowed in any way: scopes 2–5.
create or replace function auth.narrowed() returns boolean language plpgsql stable security definer set search_path = '' as $$
declare
  me text := auth.userid();
begin
  if me is null then return false; end if;
  return exists (
    select 1 from public.sysuserrole ur join public.role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0
    where ur.userid = me and r.datascope <> 1);
end $$;
-- Narrowed to own teams (scope 5): class teachers and nurses, who see neither scores nor reports.
create function auth.teams_only() returns boolean language plpgsql stable security definer set search_path = '' as $$
declare
  me text := auth.userid();
begin
  if me is null then return false; end if;
  return exists (
    select 1 from public.sysuserrole ur join public.role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0
    where ur.userid = me and r.datascope = 5);
end $$;
-- Staff whose own persons (not only teams) are seen: nobody under scope 5, which is about teams alone.
create function auth.person_owners() returns setof text language sql stable security definer set search_path = '' as $$
  select o from auth.owners() o where not auth.teams_only()
$$;
create function auth.cusers_of(who text) returns setof text language sql stable security definer set search_path = '' as $$
  select r.cuserid from public.teamroster r join public.assessteam t on t.teamcode = r.teamcode
    where r.status = 1 and t.isdeleted = 0 and t.owneruserid in (select auth.owners_of(who))
  union
  select c.cuserid from public.cuser c
    where c.owneruserid in (select auth.owners_of(who)) and not exists (
      select 1 from public.sysuserrole ur join public.role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0
      where ur.userid = who and r.datascope = 5)
$$;
create or replace function auth.own_cusers() returns setof text language sql stable security definer set search_path = '' as $$
  select auth.cusers_of(auth.userid())
$$;
grant execute on function auth.owners(), auth.teams_only(), auth.person_owners() to xinli_app, xinli_stats;
grant execute on function auth.owners_of(text), auth.cusers_of(text) to xinli_app;

drop policy entrusted on assessteam;
create policy entrusted on assessteam as restrictive for select to xinli_app
  using (not (select auth.narrowed()) or owneruserid in (select auth.owners()));
-- A person's own owner counts by the row itself: whoever adds a person in their own care can read what they have just written.
drop policy entrusted on cuser;
create policy entrusted on cuser as restrictive for select to xinli_app
  using (not (select auth.narrowed()) or owneruserid in (select auth.person_owners()) or cuserid in (select auth.own_cusers()));
-- What a narrowed account counts are its own persons, too.
do $$
declare
  name text;
begin
  foreach name in array array['cuser', 'examrecord', 'examresult', 'taskroster', 'teamroster', 'cuserplan', 'warning', 'followup'] loop
    execute format('create policy entrusted_count on public.%I as restrictive for select to xinli_stats
      using (not (select auth.narrowed()) or cuserid in (select auth.own_cusers()))', name);
  end loop;
end $$;

-- How the platform shows an entry of the menu: overrides of what contract/menu.ts declares. Codes are never stored here.
create table menuoverride (
  menuid int primary key,
  musercode text not null, orgpath text collate "C" not null, isplatform smallint not null default 1,
  title text, icon text, ordernum int, hidden smallint, enabled smallint not null default 1, remark text,
  updatetime timestamptz not null default now()
);
alter table menuoverride enable row level security;
alter table menuoverride force row level security;
grant select, insert, update, delete on menuoverride to xinli_app;
do $$
begin
  execute 'create policy scope on public.menuoverride to xinli_app
    using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))
    with check (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))';
  execute format('create policy owner_scope on public.menuoverride to %I
    using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))
    with check (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))', current_user);
  execute 'create policy library on public.menuoverride for select to xinli_app, xinli_stats using (isplatform = 1)';
end $$;
create trigger stamp before insert or update of musercode on menuoverride for each row execute function auth.stamp();
alter table menuoverride add foreign key (musercode, orgpath) references muser (musercode, orgpath) on update cascade;

-- A member of staff and their account come and go together: both are written in the request's own transaction. The application can
-- write a password's hash through these functions and can never read one. Both reach only staff within the caller's range, which is
-- asked for here because the owner of the functions also sees the duty staff above it; and only for somebody signed in as staff.
create function auth.open_account(who text, hash text, lasts interval) returns void language plpgsql security definer set search_path = '' as $$
begin
  insert into auth.account (accountid, musercode, userid, loginname, pwdhash, mustchangepwd, pwdexpire)
  select u.userid, u.musercode, u.userid, lower(u.sysusername), hash, 1, now() + lasts from public.sysuser u
  where u.userid = who and u.isdeleted = 0 and u.orgpath >= auth.lo() and u.orgpath < auth.hi() and exists (select from auth.live() s where s.kind = 'staff');
  if not found then raise exception 'no such member of staff'; end if;
end $$;
create function auth.reset_account(who text, hash text, lasts interval) returns void language plpgsql security definer set search_path = '' as $$
begin
  update auth.account a set pwdhash = hash, mustchangepwd = 1, pwdtime = now(), pwdexpire = now() + lasts from public.sysuser u
  where a.userid = who and u.userid = who and u.isdeleted = 0 and u.orgpath >= auth.lo() and u.orgpath < auth.hi()
    and exists (select from auth.live() s where s.kind = 'staff');
  if not found then raise exception 'no such member of staff'; end if;
  update auth.session set revoked = now() where accountid = who and revoked is null;
end $$;
grant execute on function auth.open_account(text, text, interval), auth.reset_account(text, text, interval) to xinli_app;
-- Whether an account waits for its first password or has let it lapse; nothing else of it is told.
create function auth.account_state(who text) returns table (mustchangepwd smallint, lapsed boolean) language sql stable security definer set search_path = '' rows 1 as $$
  select a.mustchangepwd, coalesce(a.pwdexpire < now(), false) from auth.account a join public.sysuser u on u.userid = a.userid
  where a.userid = who and u.orgpath >= auth.lo() and u.orgpath < auth.hi()
$$;
grant execute on function auth.account_state(text) to xinli_app;
create index on auth.loginlog (accountid, time desc);
create index on audit.log (accountid, time desc);
create index on sysuserrole (roleid);
