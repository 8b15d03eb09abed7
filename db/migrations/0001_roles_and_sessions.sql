-- Who may connect, who is signed in, and the functions from which every policy derives its scope.
-- Roles are made by the migrator (server/db/roles.ts), because they belong to the cluster and not to one database:
--   xinli_app     runs every action; owns nothing, bypasses nothing
--   xinli_respondent  answers: reaches one person's rows
--   xinli_authn   looks up accounts and sessions before anybody is signed in; sees no tenant data
--   xinli_stats   counts; has no column that could name a person
--   xinli_sealer  reads the audit trail and writes its seals

create schema auth;
create schema audit;
create schema if not exists ref;
revoke all on schema public from public;
grant usage on schema public to xinli_app, xinli_stats, xinli_respondent;
grant usage on schema auth to xinli_app, xinli_stats, xinli_authn, xinli_respondent;
grant usage on schema audit to xinli_app, xinli_sealer, xinli_respondent;
grant usage on schema ref to xinli_app, xinli_stats, xinli_authn, xinli_respondent;
alter default privileges revoke execute on functions from public;

-- A shadow of muser that policies may read: it holds no personal data and needs no policy of its own.
create table auth.tenant (
  musercode text primary key,
  orgpath text collate "C" not null unique,
  musertype text not null,
  sector text not null,
  provincecode text,
  citycode text,
  districtcode text,
  enabled smallint not null,
  expiredate date
);

-- Every account that can sign in: an institution itself (userid null) or one of its staff.
create table auth.account (
  accountid text primary key,
  musercode text not null references auth.tenant on delete cascade,
  userid text unique,
  loginname text not null unique,
  pwdhash text not null,
  mustchangepwd smallint not null default 0,
  pwdtime timestamptz not null default now(),
  pwdexpire timestamptz,
  enabled smallint not null default 1
);

create table auth.session (
  tokenhash text primary key,
  -- system: the server at work within one institution, for a minute
  kind text not null check (kind in ('staff', 'respondent', 'system')),
  musercode text not null references auth.tenant on delete cascade,
  accountid text references auth.account on delete cascade,
  cuserid text,
  appid text,
  ip text,
  useragent text,
  createtime timestamptz not null default now(),
  lastseen timestamptz not null default now(),
  expiretime timestamptz not null,
  idle interval not null,
  boundhash text,
  stepuptime timestamptz,
  loginasby text,
  loginasreason text,
  revoked timestamptz,
  check ((kind = 'staff') = (accountid is not null)),
  check ((kind = 'respondent') = (cuserid is not null))
);
create index on auth.session (accountid);
create index on auth.session (cuserid);
create index on auth.session (musercode);

-- Failed sign-ins by name and by address; a name nobody has counts like any other.
create table auth.throttle (key text primary key, failures int not null, since timestamptz not null, until timestamptz);
create table auth.loginlog (
  id bigint generated always as identity primary key,
  time timestamptz not null default now(),
  loginname text not null,
  accountid text,
  ok smallint not null,
  reason text not null default '',
  ip text,
  useragent text
);

-- Seeded accounts with powers of their own (specification section 6).
create table auth.specialaccount (
  musercode text primary key,
  issuper smallint not null default 0,
  loginas text not null default '',
  appexempt smallint not null default 0,
  navextra smallint not null default 0
);

-- Entry links of institutions, resolved before anybody is known. The random code is the secret.
create table auth.entry (clientcode text primary key, musercode text not null references auth.tenant on delete cascade, enabled smallint not null, facts jsonb not null);

-- These functions are asked several times by every statement. They are PL/pgSQL because its plans are kept for the length of a
-- connection; the same functions in SQL were planned anew at each call and cost some 400 microseconds every time.

-- The session in force, or no row: expired, revoked, idle, disabled and unknown sessions all look alike. Nobody but the owner's
-- functions may ask it.
create view auth.alive as
  select s.tokenhash, s.musercode, s.cuserid, s.accountid, t.orgpath, a.userid, a.mustchangepwd
  from auth.session s
    join auth.tenant t on t.musercode = s.musercode
    left join auth.account a on a.accountid = s.accountid
  where s.tokenhash = nullif(current_setting('app.session', true), '')
    and s.revoked is null and s.expiretime > now() and s.lastseen + s.idle > now()
    and t.enabled = 1 and (t.expiredate is null or t.expiredate >= (now() at time zone 'Asia/Shanghai')::date)
    and (a.accountid is null or a.enabled = 1)
    -- A respondent's session is worth nothing on any other role, and theirs nothing to staff.
    and (s.kind = 'respondent') = (session_user = 'xinli_respondent')
    -- A session bound to a browser needs the half that scripts cannot read, too.
    and (s.boundhash is null or s.boundhash = current_setting('app.bound', true));

create function auth.live() returns setof auth.session
language plpgsql stable security definer set search_path = '' rows 1 as $$
begin
  return query select s.* from auth.session s join auth.alive l on l.tokenhash = s.tokenhash;
end $$;
create function auth.lo() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select l.orgpath from auth.alive l);
end $$;
-- '/' is the character after '.': the range [path, path with its last dot raised) is the whole subtree.
create function auth.hi() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select left(l.orgpath, -1) || '/' from auth.alive l);
end $$;
create function auth.musercode() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select l.musercode from auth.alive l);
end $$;
create function auth.cuserid() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select l.cuserid from auth.alive l);
end $$;
create function auth.userid() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select l.userid from auth.alive l);
end $$;
-- The account behind the session, with what only the auth schema knows of it.
create function auth.who() returns table (userid text, mustchangepwd smallint, issuper smallint, loginas text, appexempt smallint, navextra smallint)
language plpgsql stable security definer set search_path = '' rows 1 as $$
begin
  return query
  select a.userid, a.mustchangepwd, case when a.userid is null then coalesce(x.issuper, 0::smallint) else 0::smallint end,
    coalesce(x.loginas, ''), coalesce(x.appexempt, 0::smallint), coalesce(x.navextra, 0::smallint)
  from auth.alive a left join auth.specialaccount x on x.musercode = a.musercode;
end $$;
-- Own path and those of all ancestors: what a tenant may read of common plans and shared settings.
create function auth.ancestors() returns setof text language plpgsql stable security definer set search_path = '' rows 4 as $$
declare
  own text := auth.lo();
begin
  for at in 1 .. coalesce(length(own), 0) loop
    if substr(own, at, 1) = '.' then return next left(own, at); end if;
  end loop;
end $$;
-- Institutions of an authority's region and sector; empty for everybody who is no authority.
create function auth.region() returns setof text language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select t.musercode from auth.tenant t, (select m.* from auth.tenant m where m.musercode = auth.musercode() and m.musertype = '003') me
  where t.musertype in ('004', '005') and t.sector = me.sector
    and case when me.districtcode is not null then t.districtcode = me.districtcode
             when me.citycode is not null then t.citycode = me.citycode
             when me.provincecode is not null then t.provincecode = me.provincecode
             else false end;
end $$;
create function auth.path_of(code text) returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select t.orgpath from auth.tenant t where t.musercode = code);
end $$;
-- A row's tenant path always follows from its musercode; a caller can neither choose nor forget it.
create function auth.stamp() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.orgpath := auth.path_of(new.musercode);
  return new;
end $$;

grant execute on function auth.live(), auth.lo(), auth.hi(), auth.musercode(), auth.cuserid(), auth.userid(), auth.who(), auth.ancestors(), auth.region()
  to xinli_app, xinli_stats, xinli_respondent;
grant select, insert, update, delete on auth.session, auth.throttle to xinli_authn;
grant select, insert on auth.loginlog to xinli_authn;
grant select, insert, update, delete on auth.account to xinli_authn;
grant select on auth.tenant, auth.specialaccount, auth.entry to xinli_authn;

-- Audit: rows are only ever added; the chain is written afterwards by the sealer.
create table audit.log (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  time timestamptz not null default now(),
  musercode text,
  orgpath text collate "C",
  accountid text,
  loginasby text,
  action text not null,
  title text not null,
  kind text not null,
  cuserids text[] not null default '{}',
  minors smallint not null default 0,
  objectid text,
  detail jsonb not null default '{}',
  ip text,
  result int not null default 0
);
create index on audit.log (orgpath, time desc);
create index on audit.log using gin (cuserids);
create index on audit.log (xid);
create table audit.seal (
  seq bigint primary key,
  time timestamptz not null default now(),
  xidfrom xid8 not null,
  xidto xid8 not null,
  rows int not null,
  prevhash text not null,
  hash text not null
);
create function audit.refuse() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'the audit trail is append-only';
end $$;
create trigger append_only before update or delete or truncate on audit.log for each statement execute function audit.refuse();
create trigger append_only before update or delete or truncate on audit.seal for each statement execute function audit.refuse();
create trigger stamp before insert on audit.log for each row when (new.musercode is not null) execute function auth.stamp();
alter table audit.log enable row level security;
alter table audit.log force row level security;
create policy add on audit.log for insert to xinli_app, xinli_respondent with check (true);
create policy scope on audit.log for select
  using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()));
create policy seal on audit.log for select to xinli_sealer using (true);
grant insert, select on audit.log to xinli_app;
grant insert on audit.log to xinli_respondent;
grant select on audit.log to xinli_sealer;
grant select, insert on audit.seal to xinli_sealer;
grant select on audit.seal to xinli_app;
