-- db/schema/00_roles.sql

-- Roles, schemas, and the schemas that a role may use.
--
-- The migration creates the roles (src/server/db/roles.ts), because they belong to the cluster and not to one database.
--
--   role              signs in  task
--   xinli_app         yes       runs every action of the console; owns no table, bypasses no policy
--   xinli_respondent  yes       runs the actions of respondents; sees one person's rows
--   xinli_authn       yes       finds accounts and sessions before the caller is known; sees no tenant data
--   xinli_stats       yes       computes statistics; may read no column that could name a person
--   xinli_sealer      yes       reads and chains the audit log, and updates the rollups
--   xinli_identity    no        owns auth.current_caller(): reads rows of accounts and rights, no person's
--   xinli_submission  no        owns the functions of schema submission: reads and writes one person's exam
--
-- The role that migrates owns every table. Row-level security is forced, so the policies bind it too.

create schema auth;        -- accounts, sessions, second factors
create schema access;      -- who sees which row
create schema audit;       -- the audit log and its chain
create schema rollup;      -- sums of the audit log and of the ledger
create schema submission;  -- saving answers and submitting an exam
create schema if not exists ref;
revoke all on schema public from public;
grant usage on schema public to xinli_app, xinli_stats, xinli_respondent, xinli_submission, xinli_identity, xinli_sealer;
grant usage on schema auth to xinli_app, xinli_stats, xinli_authn, xinli_respondent, xinli_submission, xinli_identity;
grant usage on schema access to xinli_app, xinli_stats, xinli_respondent;
grant usage on schema audit to xinli_app, xinli_sealer, xinli_respondent;
grant usage on schema rollup to xinli_app, xinli_sealer;
grant usage on schema submission to xinli_respondent, xinli_submission;
grant usage on schema ref to xinli_app, xinli_stats, xinli_authn, xinli_respondent;
alter default privileges revoke execute on functions from public;

-- JIT compilation of a statement takes a second and saves nothing on pages of twenty rows. It is off on the embedded server
-- but may be on at an operator's own one. Before version 18 that one compiles every statement under `enable_sort = off`,
-- because its cost looks high.
alter role xinli_app set jit = off;
alter role xinli_respondent set jit = off;
alter role xinli_authn set jit = off;
alter role xinli_stats set jit = off;
alter role xinli_sealer set jit = off;

-- Some functions read tables of later files.
set local check_function_bodies = off;

-- db/schema/10_auth.sql

-- Institutions for sign-in, accounts, sessions, second factors, and the functions that identify the caller.

-- The columns of an institution that policies and sign-in need. It contains no personal data and has no policy.
-- A trigger on muser updates it (30_tenants.sql).
create table auth.tenant (
  musercode text primary key,
  -- codes of all institutions above and of this one, the platform's first, each followed by '.'
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
  mustchangepwd smallint not null default 0,  -- a one-time password: the account must choose another
  pwdtime timestamptz not null default now(),
  pwdexpire timestamptz,  -- end of a one-time password
  enabled smallint not null default 1
);

-- Sessions.
create table auth.session (
  tokenhash text primary key,  -- SHA-256 of the token; the token itself is not stored
  -- system: the server works within one institution, for five minutes at most
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
  idle interval not null,  -- longest pause between two calls
  boundhash text,  -- SHA-256 of the cookie, for a session bound to a browser
  stepuptime timestamptz,  -- time of the last step-up
  loginasby text,  -- the account that acts in this one
  loginasreason text,
  revoked timestamptz,
  parenthash text,  -- the session that started acting
  -- names the session on screens; stays the same when the token changes; is no secret
  sessionid text not null default left(replace(gen_random_uuid()::text, '-', ''), 16),
  check ((kind = 'staff') = (accountid is not null)),
  check ((kind = 'respondent') = (cuserid is not null)),
  check ((parenthash is null) = (loginasby is null))
);
create index session_accountid_idx on auth.session (accountid);
create index session_cuserid_idx on auth.session (cuserid);
create index session_musercode_idx on auth.session (musercode);
create index session_parenthash_idx on auth.session (parenthash) where parenthash is not null;

-- Failed sign-ins by name and by address. An unknown name counts like any other.
create table auth.throttle (
  key text primary key,
  failures int not null,
  since timestamptz not null,
  until timestamptz
);

-- Attempts to sign in.
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
create index loginlog_accountid_time_idx on auth.loginlog (accountid, time desc);

-- Special rights of seeded institutions (specification section 6).
create table auth.specialaccount (
  musercode text primary key,
  issuper smallint not null default 0,
  loginas text not null default '',
  appexempt smallint not null default 0,
  navextra smallint not null default 0
);

-- Entry links of institutions, found before the caller is known. The random code is the secret.
-- A trigger on muserclient updates it (42_entries.sql).
create table auth.entry (
  clientcode text primary key,
  musercode text not null references auth.tenant on delete cascade,
  enabled smallint not null,
  facts jsonb not null
);

-- Time-based codes. The seed is encrypted with the server's key.
create table auth.totp (
  accountid text primary key references auth.account on delete cascade,
  sealed text not null,
  createtime timestamptz not null default now(),
  confirmed timestamptz,  -- null until a first code has shown that the telephone has the seed
  laststep bigint not null default 0  -- half minute of the last accepted code; no code is accepted twice
);

-- Recovery codes. Each is valid for one sign-in.
create table auth.recovery (
  accountid text references auth.account on delete cascade,
  codehash text,
  used timestamptz,
  primary key (accountid, codehash)
);

-- Sign-ins that wait for the second factor, for three minutes. The server notifies the account of a sign-in that stopped here.
create table auth.challenge (
  challengehash text primary key,
  accountid text not null references auth.account on delete cascade,
  createtime timestamptz not null default now(),
  ip text,
  useragent text,
  done timestamptz,
  told timestamptz
);
create index challenge_createtime_idx on auth.challenge (createtime) where done is null and told is null;
create index challenge_accountid_idx on auth.challenge (accountid);

-- The live session of the transaction, or no row when it is unknown, expired, revoked, idle or disabled.
-- The server names the session by two settings of its transaction: app.session (hash of the token) and app.bound (hash of
-- the cookie). Both are hashes of secrets, and no role that runs requests can write auth.session. So a forged
-- setting finds no row, and no row means no access.
create view auth.active_session as
  select s.tokenhash, s.kind, s.musercode, s.accountid, s.cuserid, a.userid, a.mustchangepwd, t.orgpath,
    s.loginasby, s.parenthash, s.expiretime, s.stepuptime
  from auth.session s
    join auth.tenant t on t.musercode = s.musercode
    left join auth.account a on a.accountid = s.accountid
  where s.tokenhash = nullif(current_setting('app.session', true), '')
    and s.revoked is null and s.expiretime > now() and s.lastseen + s.idle > now()
    and t.enabled = 1 and (t.expiredate is null or t.expiredate >= (now() at time zone 'Asia/Shanghai')::date)
    and (a.accountid is null or a.enabled = 1)
    -- A respondent's session works under the role of respondents only; a staff session never works under it.
    and (s.kind = 'respondent') = (session_user = 'xinli_respondent')
    -- A session bound to a browser also needs the cookie, which scripts cannot read.
    and (s.boundhash is null or s.boundhash = current_setting('app.bound', true));

-- Returns the respondent of the live session; no row for other kinds of session.
create function auth.current_respondent() returns table (cuserid text, musercode text)
language plpgsql stable security definer set search_path = '' rows 1 as $$
begin
  return query select s.cuserid, s.musercode from auth.active_session s where s.kind = 'respondent';
end $$;

-- Returns the live session.
create function auth.current_session() returns setof auth.session
language plpgsql stable security definer set search_path = '' rows 1 as $$
begin
  return query select s.* from auth.session s join auth.active_session l on l.tokenhash = s.tokenhash;
end $$;

-- Returns the account of the live session with its current rights; no row unless the session belongs to staff.
-- `rolecodes` are the codes of all roles; src/server/dispatch/caller.ts computes the effective codes.
create function auth.current_caller() returns table (
  accountid text,
  musercode text,
  userid text,
  name text,
  musertype text,
  sector text,
  mcodes text[],
  rolecodes text[],
  granted text[],
  denied text[],
  issuper smallint,
  loginas text,
  appexempt smallint,
  navextra smallint,
  menusoff int[],
  restricted boolean,
  ownteamsonly boolean,
  isleaf boolean,
  seedetail boolean,
  mustchangepwd boolean,
  mustfactor boolean,
  hasfactor boolean,
  verified boolean,
  secondsleft int,
  loginasby text,
  tokenhash text,
  parenthash text
)
language plpgsql stable security definer set search_path = '' rows 1 as $$
begin
  return query
  select s.accountid, s.musercode, s.userid, coalesce(u.realname, m.realname, m.insname), m.musertype, m.sector, m.codes,
    array(select distinct c from unnest(string_to_array(r.codes, ',')) c),
    array(select p.code from public.sysuserpermission p where p.userid = s.userid and p.effect = 'grant'),
    array(select p.code from public.sysuserpermission p where p.userid = s.userid and p.effect = 'deny'),
    case when s.userid is null then coalesce(x.issuper, 0::smallint) else 0::smallint end,
    coalesce(x.loginas, ''), coalesce(x.appexempt, 0::smallint), coalesce(x.navextra, 0::smallint),
    array(select o.menuid from public.menuoverride o where o.isplatform = 1 and o.enabled = 0),
    coalesce(r.restricted, false),
    coalesce(r.ownteamsonly, false),
    not exists (select from public.muser below where below.parentmusercode = s.musercode),
    m.seedetail = 1,
    s.mustchangepwd = 1,
    m.mustfactor = 1 or coalesce(r.mustfactor, false),
    exists (select from auth.totp f where f.accountid = s.accountid and f.confirmed is not null),
    coalesce(s.stepuptime > now() - interval '5 minutes', false),
    greatest(0, extract(epoch from s.expiretime - now()))::int,
    s.loginasby, s.tokenhash, s.parenthash
  from auth.active_session s
    join public.muser m on m.musercode = s.musercode
    left join public.sysuser u on u.userid = s.userid
    left join auth.specialaccount x on x.musercode = s.musercode
    left join lateral (
      select string_agg(array_to_string(o.codes, ','), ',') as codes, bool_or(o.mustfactor = 1) as mustfactor,
        bool_or(o.datascope <> 1) as restricted, bool_or(o.datascope = 5) as ownteamsonly
      from public.sysuserrole ur join public.role o on o.roleid = ur.roleid
      where ur.userid = s.userid and o.enabled = 1 and o.isdeleted = 0
        and (o.isbuiltin = 1 or (o.orgpath >= s.orgpath and o.orgpath < left(s.orgpath, -1) || '/'))) r on true
  where s.kind = 'staff';
end $$;

-- db/schema/11_accounts.sql

-- The only functions by which the console writes accounts. It can store the hash of a password but can never read one.
-- Each function checks that staff is signed in and that the account is within the caller's range.

-- Returns the range of the caller as `lo` and `hi`; null unless staff is signed in.
create function auth.staff_range(out lo text, out hi text)
language plpgsql stable security definer set search_path = '' as $$
begin
  select s.orgpath, left(s.orgpath, -1) || '/' into lo, hi from auth.active_session s where s.kind = 'staff';
end $$;

-- Creates the account of an institution below the caller, or gives it a new one-time password.
create function auth.create_tenant_account(code text, login text, hash text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.tenant t, auth.staff_range() r where t.musercode = code and t.orgpath > r.lo and t.orgpath < r.hi;
  if not found then raise exception 'not below the caller'; end if;
  insert into auth.account (accountid, musercode, loginname, pwdhash, mustchangepwd)
  values (code, code, lower(login), hash, 1)
  on conflict (accountid) do update set pwdhash = excluded.pwdhash, mustchangepwd = 1, pwdtime = now();
  update auth.session set revoked = now() where accountid = code and revoked is null;
end $$;

-- Creates the accounts of members of staff, each with a one-time password.
create function auth.create_accounts(userids text[], hashes text[], lasts interval) returns void
language plpgsql security definer set search_path = '' as $$
declare
  created int;
begin
  insert into auth.account (accountid, musercode, userid, loginname, pwdhash, mustchangepwd, pwdexpire)
  select u.userid, u.musercode, u.userid, lower(u.sysusername), n.hash, 1, now() + lasts
  from unnest(userids, hashes) n (userid, hash) join public.sysuser u on u.userid = n.userid cross join auth.staff_range() r
  where u.isdeleted = 0 and u.orgpath >= r.lo and u.orgpath < r.hi;
  get diagnostics created = row_count;
  if created <> cardinality(userids) then raise exception 'no such members of staff'; end if;
end $$;

-- Creates the account of one member of staff.
create function auth.create_account(account text, hash text, lasts interval) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform auth.create_accounts(array[account], array[hash], lasts);
end $$;

-- Gives a member of staff a new one-time password and ends their sessions.
create function auth.reset_account(account text, hash text, lasts interval) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update auth.account a set pwdhash = hash, mustchangepwd = 1, pwdtime = now(), pwdexpire = now() + lasts
  from public.sysuser u, auth.staff_range() r
  where a.userid = account and u.userid = account and u.isdeleted = 0 and u.orgpath >= r.lo and u.orgpath < r.hi;
  if not found then raise exception 'no such member of staff'; end if;
  update auth.session set revoked = now() where accountid = account and revoked is null;
end $$;

-- Gives new one-time passwords to those members of staff who have never signed in. Returns their userids.
create function auth.renew_one_time_passwords(userids text[], hashes text[], lasts interval) returns setof text
language plpgsql security definer set search_path = '' as $$
begin
  return query
  update auth.account a set pwdhash = n.hash, mustchangepwd = 1, pwdtime = now(), pwdexpire = now() + lasts
  from unnest(userids, hashes) n (userid, hash) join public.sysuser u on u.userid = n.userid cross join auth.staff_range() r
  where a.userid = n.userid and a.mustchangepwd = 1 and u.isdeleted = 0 and u.orgpath >= r.lo and u.orgpath < r.hi
    and not exists (select from auth.loginlog l where l.accountid = a.accountid and l.ok = 1)
  returning a.userid;
end $$;

-- Returns the members of staff who have signed in or set a password. It locks the accounts, so that this stays true until
-- the transaction ends.
create function auth.accounts_in_use(userids text[]) returns setof text
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.account a where a.userid = any (userids) order by a.userid for update;
  return query
  select a.userid from auth.account a join public.sysuser u on u.userid = a.userid
  where a.userid = any (userids) and u.orgpath >= (select access.path_from()) and u.orgpath < (select access.path_to())
    and (a.mustchangepwd = 0 or exists (select from auth.loginlog l where l.accountid = a.accountid and l.ok = 1));
end $$;

-- Returns the state of accounts within the caller's range: one-time password unchanged, that password expired, second factor on.
create function auth.account_states(userids text[])
returns table (accountid text, mustchangepwd smallint, lapsed boolean, secondfactor boolean)
language plpgsql stable security definer set search_path = '' rows 20 as $$
begin
  return query
  select a.accountid, a.mustchangepwd, coalesce(a.pwdexpire < now(), false),
    exists (select from auth.totp f where f.accountid = a.accountid and f.confirmed is not null)
  from auth.account a join auth.tenant t on t.musercode = a.musercode
  where a.accountid = any (userids) and t.orgpath >= (select access.path_from()) and t.orgpath < (select access.path_to());
end $$;

-- True when the caller's own account has a second factor.
create function auth.has_second_factor() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from auth.active_session s join auth.totp f on f.accountid = s.accountid where f.confirmed is not null);
end $$;

-- Removes the second factor of an account within the caller's range and ends its sessions, when a telephone was lost.
create function auth.reset_second_factor(account text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.account a join auth.tenant t on t.musercode = a.musercode cross join auth.staff_range() r
  where a.accountid = account and t.orgpath >= r.lo and t.orgpath < r.hi;
  if not found then raise exception 'no such account'; end if;
  delete from auth.totp where accountid = account;
  delete from auth.recovery where accountid = account;
  update auth.session set revoked = now() where accountid = account and revoked is null;
end $$;

-- db/schema/20_access.sql

-- Who sees a row. For each table, 90_policies.sql declares some of these policies:
--
--   policy             caller                visible rows
--   tenant             staff                 their institution's and those of the institutions below it
--   restricted_staff   staff                 of these, only persons in their care, if a role has data scope 2–5
--   tenant_stats       statistics            as `tenant`; for an authority also the institutions of its region
--   restricted_stats   statistics            as `restricted_staff`
--   respondent_self    respondents           their own
--   respondent_tenant  respondents           settings and plans of their institution
--   submission_self    schema submission     those of the respondents bound to the call (86_submission.sql)
--   tenant_owner       functions as owner    as `tenant`: definer functions do not escape the caller's range
--   platform_library   everyone              questionnaires, stages and menu that the platform shares
--   ancestor_plan…     everyone              plans that an institution above shares
--   ancestor_names     staff                 the institutions above
--   builtin_roles      everyone              the platform's built-in roles
--   oncall_above_…     functions as owner    staff on call in the institutions above, to notify them
--   account_rights     xinli_identity        accounts and rights of all institutions, for two functions
--
-- An institution's path is 'AS000001.M001.'. Paths below begin with it, so they lie in ['AS000001.M001.', 'AS000001.M001/'):
-- '/' is the character after '.'.
-- Without a live session these functions return null, false or no row, and no row of a table is visible.
-- Policies call them as `(select f())`: once per statement, not once per row. They are written in PL/pgSQL because PostgreSQL
-- keeps its plans. Before version 18 it plans a function in SQL again at every call.

create function access.path_from() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select s.orgpath from auth.active_session s);
end $$;
create function access.path_to() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select left(s.orgpath, -1) || '/' from auth.active_session s);
end $$;
create function access.current_musercode() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select s.musercode from auth.active_session s);
end $$;
create function access.current_userid() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select s.userid from auth.active_session s);
end $$;
create function access.current_cuserid() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select s.cuserid from auth.active_session s);
end $$;

-- True when a role restricts the caller to persons in their care (data scopes 2–5). Runs as xinli_identity: without policies.
create function access.is_restricted() returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from auth.active_session s
      join public.sysuserrole ur on ur.userid = s.userid
      join public.role r on r.roleid = ur.roleid
    where r.enabled = 1 and r.isdeleted = 0 and r.datascope <> 1
      and (r.isbuiltin = 1 or (r.orgpath >= s.orgpath and r.orgpath < left(s.orgpath, -1) || '/')));
end $$;

-- Returns the data scopes of an account's roles that restrict it.
create function access.scopes_of(account text) returns table (datascope smallint, deptids bigint[])
language plpgsql stable security definer set search_path = '' rows 1 as $$
begin
  return query
  select r.datascope, r.deptids from public.sysuserrole ur join public.role r on r.roleid = ur.roleid
  where ur.userid = account and r.enabled = 1 and r.isdeleted = 0 and r.datascope <> 1;
end $$;
-- True when an account sees only members of teams that it owns (data scope 5): class teachers and nurses.
create function access.own_teams_only(account text default access.current_userid()) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from access.scopes_of(account) s where s.datascope = 5);
end $$;

-- Returns the owners of the persons and teams that a restricted account sees. Each of its scopes must allow an owner.
-- 2: departments of the role; 3: the account's department; 4: it and those below it; 5: the account itself.
create function access.visible_owners(account text default access.current_userid()) returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with me as (
    select u.userid, u.musercode, u.deptid from public.sysuser u
    where u.userid = account and u.orgpath >= (select access.path_from()) and u.orgpath < (select access.path_to())),
  scopes as (select s.datascope, s.deptids from access.scopes_of(account) s),
  below as (
    select d.deptid from public.dept d, me
    where d.musercode = me.musercode and (d.deptid = me.deptid or me.deptid::text = any (string_to_array(d.ancestors, ','))))
  select u.userid from public.sysuser u, me
  where u.musercode = me.musercode and exists (select from scopes) and not exists (
    select from scopes s where not coalesce(case s.datascope
      when 2 then u.deptid = any (s.deptids)
      when 3 then u.deptid = me.deptid
      when 4 then u.deptid in (select b.deptid from below b)
      else u.userid = me.userid end, false));
end $$;
-- Returns the persons in a restricted account's care: members of teams of visible owners and, except for scope 5, persons they own.
create function access.visible_cusers(account text default access.current_userid()) returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with owners as materialized (select o.userid from access.visible_owners(account) o (userid))
  select r.cuserid from public.teamroster r join public.assessteam t on t.teamcode = r.teamcode
  where r.status = 1 and t.isdeleted = 0 and t.owneruserid in (select o.userid from owners o)
  union
  select c.cuserid from public.cuser c
  where c.owneruserid in (select o.userid from owners o) and not (select access.own_teams_only(account));
end $$;

-- db/schema/21_tenant_tables.sql

-- The functions for rows outside the caller's own range, and the functions that make a table a tenant's table.

-- Returns the paths of the caller's institution and of every institution above it.
create function access.ancestor_paths() returns text[] language plpgsql stable security definer set search_path = '' as $$
declare
  own text := access.path_from();
begin
  return array(select left(own, i) from generate_series(1, length(own)) i where substr(own, i, 1) = '.');
end $$;

-- Returns the institutions of an authority's region and sector; no row for other callers. While another account acts in the
-- authority's account, it returns only institutions within the range of that account.
create function access.region_musercodes() returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select t.musercode
  from auth.active_session s
    join auth.tenant me on me.musercode = s.musercode and me.musertype = '003'
    join auth.tenant t on t.musertype in ('004', '005') and t.sector = me.sector
    left join auth.account actor on actor.accountid = s.loginasby
    left join auth.tenant home on home.musercode = actor.musercode
  where (home.orgpath is null or t.orgpath >= home.orgpath and t.orgpath < left(home.orgpath, -1) || '/')
    and case
      when me.districtcode is not null then t.districtcode = me.districtcode
      when me.citycode is not null then t.citycode = me.citycode
      when me.provincecode is not null then t.provincecode = me.provincecode
      else false end;
end $$;

-- Returns the path of an institution.
create function access.path_of(code text) returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select t.orgpath from auth.tenant t where t.musercode = code);
end $$;

-- Trigger: sets a row's path to the path of its institution.
create function access.set_orgpath() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.orgpath := access.path_of(new.musercode);
  return new;
end $$;

-- Makes a table with `musercode` and `orgpath` a tenant's table. The foreign key rejects a wrong path, and updates the path
-- of the rows when an institution moves. A row without a path gets one.
create function access.follow_tenant(tablename text) returns void language plpgsql set search_path = 'public' as $$
begin
  execute format('alter table %I add foreign key (musercode, orgpath) references muser (musercode, orgpath) on update cascade',
    tablename);
  execute format('create trigger set_orgpath before insert on %I for each row when (new.orgpath is null)
    execute function access.set_orgpath()', tablename);
  execute format('create trigger change_orgpath before update of musercode on %I for each row
    execute function access.set_orgpath()', tablename);
end $$;

-- Turns row-level security on for a tenant's table and adds the policies that most tables share.
--   person      the table has a cuserid: restricted staff see only persons in their care
--   respondent  'self': respondents see rows of their own cuserid; 'tenant': rows of their institution; null: none
--   stats       'tenant': statistics count all rows of the range; 'persons': only persons in care; null: none
--   shared      rows with isplatform = 1 are visible to everyone
create function access.protect(
  tablename text,
  person boolean default false,
  respondent text default null,
  stats text default null,
  shared boolean default false
) returns void language plpgsql set search_path = 'public' as $$
declare
  in_range constant text := 'orgpath >= (select access.path_from()) and orgpath < (select access.path_to())';
  in_care constant text := 'not (select access.is_restricted()) or cuserid in (select access.visible_cusers())';
  own constant text := 'cuserid = (select access.current_cuserid())';
begin
  execute format('alter table %I enable row level security', tablename);
  execute format('alter table %I force row level security', tablename);
  execute format('create policy tenant on %I to xinli_app using (%s) with check (%2$s)', tablename, in_range);
  execute format('create policy tenant_owner on %I to %I using (%s) with check (%3$s)', tablename, current_user, in_range);
  if person then
    execute format('create policy restricted_staff on %I as restrictive for select to xinli_app using (%s)', tablename, in_care);
  end if;
  if respondent = 'self' then
    execute format('create policy respondent_self on %I to xinli_respondent using (%s) with check (%2$s)', tablename, own);
  elsif respondent = 'tenant' then
    execute format('create policy respondent_tenant on %I to xinli_respondent using (%s) with check (%2$s)', tablename, in_range);
  end if;
  if stats is not null then
    execute format('create policy tenant_stats on %I for select to xinli_stats
      using ((%s) or musercode in (select access.region_musercodes()))', tablename, in_range);
  end if;
  if stats = 'persons' then
    execute format('create policy restricted_stats on %I as restrictive for select to xinli_stats using (%s)', tablename, in_care);
  end if;
  if shared then
    execute format('create policy platform_library on %I for select to xinli_app, xinli_stats, xinli_respondent
      using (isplatform = 1)', tablename);
  end if;
end $$;

-- db/schema/30_tenants.sql

-- Reference lists; institutions, departments, staff, roles and rights.

-- Regions of China (GB/T 2260).
create table ref.district (
  districtcode text primary key,
  parentcode text not null default '',
  districtname text not null,
  level smallint not null,  -- 1 province, 2 city, 3 district
  fullname text not null,
  enabled smallint not null default 1
);
create index district_parentcode_idx on ref.district (parentcode);

-- Applications: one for each population.
create table ref.app (
  appid text primary key,
  appname text not null,
  scenecode text not null,
  iconurl text not null,
  ordernum int not null,
  enabled smallint not null default 1
);

-- Categories of exams of an application.
create table ref.examcategory (
  categoryid text primary key,
  appid text not null references ref.app,
  categoryname text not null,
  ordernum int not null
);

-- An institution, provider or authority. It is a tenant and also an account.
create sequence musercode_seq;
create table muser (
  musercode text primary key default 'M' || lpad(nextval('musercode_seq')::text, 8, '0'),
  orgpath text collate "C" not null unique,
  username text not null,
  -- 001 platform, 002 provider, 003 authority, 004 and 005 institutions
  musertype text not null check (musertype in ('001', '002', '003', '004', '005')),
  insname text not null,
  shortname text,
  realname text,
  phonenumber text,
  sector text not null,
  parentmusercode text references muser,  -- the institution directly above
  categorycode text not null,
  categorylevel smallint not null check (categorylevel between 0 and 5),  -- depth in the tree
  categorycode0 text not null default '',
  categorycode1 text not null default '',
  categorycode2 text not null default '',
  categorycode3 text not null default '',
  categorycode4 text not null default '',
  categorycode5 text not null default '',
  provincecode text,
  citycode text,
  districtcode text,
  regionname text,
  address text,
  logo text,
  enabled smallint not null default 1,
  expiredate date,
  seedetail smallint not null default 0,  -- 1: its staff may read details of single persons
  abnormalminlevel smallint not null default 2,  -- from this level a result counts as abnormal
  showreportdefault smallint not null default 0,
  codes text[] not null default '{}',  -- permissions of the institution
  settings jsonb not null default '{}',
  contractno text,
  remark text,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  version int not null default 1,  -- each change adds 1; a change based on an older version is refused
  -- everyone who signs in here needs a second factor; an institution above decides it
  mustfactor smallint not null default 0 check (mustfactor in (0, 1)),
  unique (musercode, orgpath)
);
create unique index muser_insname on muser (orgpath, insname) where isdeleted = 0;
create index muser_parentmusercode_idx on muser (parentmusercode);
create index muser_name on muser (insname, musercode);
create index muser_children on muser (parentmusercode, insname) where isdeleted = 0;
create index muser_newest_of_type on muser (musertype, createtime desc nulls last, musercode desc) include (orgpath) where isdeleted = 0;
create index muser_newest on muser (createtime desc nulls last, musercode desc) include (orgpath, musertype) where isdeleted = 0;

-- Trigger: copies the columns that policies and sign-in need into auth.tenant. It also ends sessions and accounts.
-- Triggers fire in the order of their names, and the cascades of foreign keys are triggers called 'RI_…'. This one is called
-- '0_…', because access.path_of() must know the new path before the cascades update the rows of an institution that moves.
create function auth.sync_tenant() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  open smallint := case when new.isdeleted = 1 then 0 else new.enabled end;
begin
  insert into auth.tenant (musercode, orgpath, musertype, sector, provincecode, citycode, districtcode, enabled, expiredate)
  values (new.musercode, new.orgpath, new.musertype, new.sector, new.provincecode, new.citycode, new.districtcode, open, new.expiredate)
  on conflict (musercode) do update set orgpath = excluded.orgpath, musertype = excluded.musertype, sector = excluded.sector,
    provincecode = excluded.provincecode, citycode = excluded.citycode, districtcode = excluded.districtcode,
    enabled = excluded.enabled, expiredate = excluded.expiredate;
  if tg_op = 'UPDATE' then
    -- The sessions of the institution and its staff end. Institutions below it have sessions of their own.
    if open = 0 then update auth.session set revoked = now() where musercode = new.musercode and revoked is null; end if;
    -- A new account may use the sign-in name of a deleted institution.
    if new.isdeleted = 1 then delete from auth.account where musercode = new.musercode and userid is null; end if;
    if new.insname <> old.insname or new.sector <> old.sector then
      update auth.entry set facts = facts || jsonb_build_object('insname', new.insname, 'sector', new.sector)
      where musercode = new.musercode;
    end if;
  end if;
  return null;
end $$;
create trigger "0_sync_tenant" after insert or update on muser for each row execute function auth.sync_tenant();

-- A department. `ancestors` lists the departments above it, separated by commas.
create table dept (
  deptid bigint generated by default as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  parentid bigint not null default 0,
  ancestors text collate "C" not null default '0',
  deptname text not null,
  ordernum int not null default 0,
  leader text,
  phonenumber text,
  email text,
  enabled smallint not null default 1,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0
);
create unique index dept_name on dept (orgpath, parentid, deptname) where isdeleted = 0;
select access.follow_tenant('dept');

-- A member of staff of an institution.
create sequence userid_seq;
create table sysuser (
  userid text primary key default 'U' || lpad(nextval('userid_seq')::text, 8, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  deptid bigint references dept,
  sysusername text not null,
  realname text not null,
  phonenumber text,
  email text,
  gender text,
  post text,
  titles text,
  certno text,
  enabled smallint not null default 1,
  duty smallint not null default 0,
  lastlogintime timestamptz,
  lastloginip text,
  remark text,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0
);
create index sysuser_musercode_deptid_enabled_idx on sysuser (musercode, deptid, enabled);
create index sysuser_present on sysuser (musercode) include (orgpath) where isdeleted = 0;
select access.follow_tenant('sysuser');
-- Trigger: updates the account of a member of staff. It ends the sessions of staff who are disabled or deleted.
create function auth.sync_account() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update auth.account set enabled = case when new.isdeleted = 1 then 0 else new.enabled end, loginname = lower(new.sysusername)
  where userid = new.userid;
  if new.enabled = 0 or new.isdeleted = 1 then
    update auth.session set revoked = now() where accountid = new.userid and revoked is null;
  end if;
  return null;
end $$;
create trigger sync_account after update on sysuser for each row execute function auth.sync_account();

-- A role: permissions and a data scope.
create table role (
  roleid bigint generated by default as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  rolename text not null,
  rolekey text not null,
  rolesort int not null default 0,
  -- 1 all persons; 2 departments of the role; 3 own department; 4 own department and below; 5 own teams
  datascope smallint not null default 1 check (datascope between 1 and 5),
  codes text[] not null default '{}',
  deptids bigint[] not null default '{}',
  isbuiltin smallint not null default 0,  -- a role of the platform; every institution may assign it
  enabled smallint not null default 1,
  remark text,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  mustfactor smallint not null default 0 check (mustfactor in (0, 1))  -- holders of the role need a second factor
);
create unique index role_key on role (orgpath, rolekey) where isdeleted = 0;
select access.follow_tenant('role');

-- Roles of staff.
create table sysuserrole (
  userid text references sysuser,
  roleid bigint references role,
  musercode text not null,
  orgpath text collate "C" not null,
  primary key (userid, roleid)
);
create index sysuserrole_roleid_idx on sysuserrole (roleid);
select access.follow_tenant('sysuserrole');

-- Permissions granted or denied to a member of staff, in addition to the roles.
create table sysuserpermission (
  userid text references sysuser,
  code text,
  effect text not null check (effect in ('grant', 'deny')),
  musercode text not null,
  orgpath text collate "C" not null,
  primary key (userid, code)
);
select access.follow_tenant('sysuserpermission');

-- Applications that an institution may use.
create table muserapp (
  musercode text,
  orgpath text collate "C" not null,
  appid text references ref.app,
  begindate date,
  enddate date,
  enabled smallint not null default 1,
  primary key (musercode, appid)
);
select access.follow_tenant('muserapp');

-- The platform's changes to items of the menu in src/contract/menu.ts. They never change permissions.
create table menuoverride (
  menuid int primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  isplatform smallint not null default 1,
  title text,
  icon text,
  ordernum int,
  hidden smallint,
  enabled smallint not null default 1,
  remark text,
  updatetime timestamptz not null default now()
);
select access.follow_tenant('menuoverride');

-- Settings of an institution.
create table setting (
  musercode text,
  orgpath text collate "C" not null,
  key text,
  value jsonb not null,
  updatetime timestamptz not null default now(),
  primary key (musercode, key)
);
select access.follow_tenant('setting');

-- db/schema/31_people.sql

-- Persons with their archives and consents; teams.

-- A person who is assessed. Telephone and ID number are encrypted (src/server/security/fieldCipher.ts). Hashes serve only for search.
create sequence cuserid_seq;
create table cuser (
  cuserid text primary key default 'C' || lpad(nextval('cuserid_seq')::text, 10, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  appid text not null references ref.app,
  username text not null,
  pinyin text not null default '',
  initials text not null default '',
  -- GB/T 2261.1; 00 unknown: the person entered with a one-time code or without a name
  gender text not null check (gender in ('00', '01', '02')),
  birthday date,
  phonesealed text,
  phonehash text,
  idtype text,
  idnosealed text,
  idnohash text,
  nation text,
  education text,
  marital text,
  provincecode text,
  citycode text,
  districtcode text,
  address text,
  mentalstate smallint not null default 0,
  mentalstatesource text not null default 'auto',  -- 'auto' or set by staff
  mentalstatetime timestamptz,
  riskflag smallint not null default 0,
  focus smallint not null default 0,
  owneruserid text,  -- the member of staff responsible
  lastexamtime timestamptz,
  lastlevel smallint,
  examcount int not null default 0,
  reportcount int not null default 0,
  source text not null default '01',
  enabled smallint not null default 1,
  importjob uuid,
  createtime timestamptz not null default now(),
  createby text,
  updatetime timestamptz not null default now(),
  updateby text,
  isdeleted smallint not null default 0,
  version int not null default 1,
  -- hash of the browser tab of a person without a name (entry mode 04); prevents a second person for a second tap
  scanhash text
);
create unique index cuser_idno on cuser (orgpath, idnohash) where idnohash is not null and isdeleted = 0;
create index cuser_musercode_appid_createtime_idx on cuser (musercode, appid, createtime desc);
create index cuser_phonehash_idx on cuser (phonehash);
create index cuser_musercode_username_idx on cuser (musercode, username);
create unique index cuser_scan_uq on cuser (orgpath, scanhash) where scanhash is not null;
-- The list of persons, the newest first. With owneruserid in the index PostgreSQL checks restricted callers without the row.
create index cuser_list on cuser (orgpath, createtime desc nulls last, cuserid desc) include (owneruserid) where isdeleted = 0;
select access.follow_tenant('cuser');

-- One archive per person and population. `detail` has the fields of the population; the server checks them.
create sequence archiveno_seq;
create table cuserarchive (
  archiveid bigint generated by default as identity primary key,
  cuserid text not null references cuser,
  musercode text not null,
  orgpath text collate "C" not null,
  appid text not null references ref.app,
  archiveno text not null,
  studentno text,
  employeeno text,
  eduphase text,
  gradecode text,
  gradename text,
  classname text,
  unitname text,
  detail jsonb not null default '{}',
  summary text,
  status smallint not null default 1,
  opendate date not null,
  closedate date,
  closereason text,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  unique (orgpath, cuserid, appid),
  unique (orgpath, archiveno)
);
create index cuserarchive_cuserid_idx on cuserarchive (cuserid);
create unique index archive_studentno on cuserarchive (orgpath, studentno) where studentno is not null and isdeleted = 0;
create unique index archive_employeeno on cuserarchive (orgpath, employeeno) where employeeno is not null and isdeleted = 0;
select access.follow_tenant('cuserarchive');

-- Guardians of a person.
create table guardian (
  guardianid bigint generated by default as identity primary key,
  cuserid text not null references cuser,
  musercode text not null,
  orgpath text collate "C" not null,
  name text not null,
  relation text not null default '03',
  phonesealed text,
  phonehash text,
  iscontact smallint not null default 1,
  isdeleted smallint not null default 0
);
create index guardian_cuserid_idx on guardian (cuserid);
select access.follow_tenant('guardian');

-- Consents, one row for each decision.
create table consent (
  consentid bigint generated by default as identity primary key,
  cuserid text not null references cuser,
  musercode text not null,
  orgpath text collate "C" not null,
  scope text not null,
  consentversion text not null,
  subject text not null,
  guardianid bigint references guardian,
  method text not null,
  signaturefileid uuid,
  agreed smallint not null,
  agreetime timestamptz not null,
  withdrawtime timestamptz,
  ip text
);
create index consent_cuserid_scope_agreetime_idx on consent (cuserid, scope, agreetime desc);
select access.follow_tenant('consent');

-- A team: a class, a ward, a department.
create sequence teamcode_seq;
create table assessteam (
  teamcode text primary key default 'G' || lpad(nextval('teamcode_seq')::text, 6, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  teamname text not null,
  teamtype text not null default '01',
  appid text not null references ref.app,
  year text,
  gradecode text,
  gradename text,
  classname text,
  owneruserid text,  -- the member of staff who leads it
  membercount int not null default 0,
  showreport smallint not null default 0,
  remark text,
  importjob uuid,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0
);
create unique index team_name on assessteam (orgpath, year, teamname) where isdeleted = 0;
create index assessteam_owneruserid_idx on assessteam (owneruserid) where owneruserid is not null;
select access.follow_tenant('assessteam');

-- Members of teams.
create table teamroster (
  teamcode text references assessteam,
  cuserid text references cuser,
  musercode text not null,
  orgpath text collate "C" not null,
  joindate date not null default current_date,
  leavedate date,
  status smallint not null default 1,  -- 1 member
  importjob uuid,
  primary key (teamcode, cuserid)
);
create index teamroster_cuserid_idx on teamroster (cuserid);
select access.follow_tenant('teamroster');

-- db/schema/40_plans.sql

-- Questionnaires, the stages of a population, and plans. Rows with isplatform = 1 are the platform's and visible to everyone.

-- A questionnaire.
create table form (
  formcode text primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  isplatform smallint not null default 0,
  formname text not null,
  entitle text,
  formtype text not null,
  tier text not null,
  appids text[] not null default '{}',
  itemcount int not null,
  minutes int not null default 3,
  agemin int,
  agemax int,
  recall text,
  introduce text,
  citation text,
  licencetext text,
  currentversion text not null,
  status smallint not null default 1,
  enabled smallint not null default 1,
  ordernum int not null default 0,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0
);
select access.follow_tenant('form');

-- A published version of a questionnaire. It never changes; a change is a new version.
create table formversion (
  formcode text references form,
  version text,
  musercode text not null,
  orgpath text collate "C" not null,
  isplatform smallint not null default 0,
  definition jsonb not null,
  definitionhash text not null,
  status smallint not null default 1,
  publishtime timestamptz not null default now(),
  publishby text,
  changelog text,
  primary key (formcode, version)
);
select access.follow_tenant('formversion');

-- A score of a questionnaire.
create table quota (
  quotacode text primary key,
  formcode text not null references form,
  musercode text not null,
  orgpath text collate "C" not null,
  isplatform smallint not null default 0,
  scorecode text not null,
  quotaname text not null,
  kind text not null,
  domain text not null,
  isprimary smallint not null,
  minscore numeric,
  maxscore numeric,
  better text not null,
  ordernum int not null
);
select access.follow_tenant('quota');

-- An institution's acceptance of a questionnaire's licence.
create table formlicence (
  formcode text references form,
  musercode text,
  orgpath text collate "C" not null,
  accepted smallint not null default 0,
  acceptby text,
  accepttime timestamptz,
  prooffileid uuid,
  wording jsonb,
  note text,
  primary key (formcode, musercode)
);
select access.follow_tenant('formlicence');

-- Stages of a population, such as a term or a week of pregnancy.
create table examstage (
  stageid bigint generated by default as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  isplatform smallint not null default 0,
  appid text not null references ref.app,
  categoryid text references ref.examcategory,
  stagecode text not null,
  stagename text not null,
  ordernum int not null default 0,
  autorule jsonb,
  enabled smallint not null default 1,
  isdeleted smallint not null default 0,
  unique (orgpath, appid, stagecode)
);
select access.follow_tenant('examstage');

-- The stages that an institution has chosen. No row for an application means all of its stages.
create table muserstage (
  musercode text,
  orgpath text collate "C" not null,
  appid text references ref.app,
  stagecode text,
  primary key (musercode, appid, stagecode)
);
select access.follow_tenant('muserstage');

-- Questionnaires of a stage: the platform's, or an institution's own, which replace them.
create table stageform (
  stageid bigint references examstage,
  formcode text references form,
  musercode text,
  orgpath text collate "C" not null,
  isplatform smallint not null default 0,
  ordernum int not null,
  required smallint not null default 1,
  primary key (stageid, formcode, musercode)
);
select access.follow_tenant('stageform');

-- A plan: the questionnaires that a person answers.
create sequence plancode_seq;
create table plan (
  plancode text primary key default 'P' || lpad(nextval('plancode_seq')::text, 6, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  planname text not null,
  appid text not null references ref.app,
  categoryid text,
  iscommon smallint not null default 0,  -- 1: institutions below may use it
  retestdays int,
  reportmode text not null default '01',
  price int not null default 0,
  introduce text,
  status smallint not null default 1,
  usedcount int not null default 0,
  validbegin date,
  validend date,
  copyfrom text,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  version int not null default 1
);
select access.follow_tenant('plan');

-- Questionnaires of a plan.
create table planform (
  plancode text references plan,
  formcode text references form,
  stagecode text default '',
  musercode text not null,
  orgpath text collate "C" not null,
  formversion text,
  ordernum int not null,
  required smallint not null default 1,
  primary key (plancode, formcode, stagecode)
);
select access.follow_tenant('planform');

-- Stages of a plan.
create table planstage (
  plancode text references plan,
  stagecode text,
  ordernum int not null,
  musercode text not null,
  orgpath text collate "C" not null,
  primary key (plancode, stagecode)
);
select access.follow_tenant('planstage');

-- db/schema/41_counts.sql

-- Counts that an institution may spend: wallets, the ledger, grants and one-time codes.

-- A wallet. plancode '*' means any plan. At any time granted = used + frozen + expired + free.
create table assesscount (
  musercode text,
  orgpath text collate "C" not null,
  plancode text default '*',
  granted int not null default 0,
  used int not null default 0,
  frozen int not null default 0,
  expired int not null default 0,
  check (granted >= used + frozen + expired),
  check (least(granted, used, frozen, expired) >= 0),
  primary key (musercode, plancode)
);
select access.follow_tenant('assesscount');

-- The ledger. Lines are only added.
create table assesscountlog (
  logid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  plancode text not null,
  cuserid text,
  examcode text,
  orderno text,
  -- 01 granted, 02 ordered, 03 frozen, 04 used, 05 released, 06 taken back, 07 expired, 08 corrected
  kind text not null,
  qty int not null,
  balance int not null,
  operator text,
  remark text,
  time timestamptz not null default now(),
  partycode text,  -- the other institution; empty for the platform, whose counts are unlimited
  enddate date,  -- last day of these counts
  forplan text,  -- the plan for which a line of a wallet '*' froze or used counts
  -- the transaction that wrote the line; the rollup uses it to find new lines
  xid xid8 not null default pg_current_xact_id(),
  constraint assesscountlog_kind check (kind in ('01', '02', '03', '04', '05', '06', '07', '08')),
  constraint assesscountlog_qty check (qty <> 0)
);
create index assesscountlog_musercode_time_idx on assesscountlog (musercode, time);
create index assesscountlog_time_logid_idx on assesscountlog (time desc, logid desc);
create index assesscountlog_party on assesscountlog (musercode, plancode, partycode) where partycode is not null;
create index assesscountlog_list on assesscountlog (orgpath, time desc, logid desc) include (kind, qty, cuserid);
create index assesscountlog_persons on assesscountlog (orgpath, cuserid) where kind = '03' and cuserid is not null;
create index assesscountlog_forplan on assesscountlog (forplan, musercode) where forplan is not null and plancode = '*';
create index assesscountlog_xid_idx on assesscountlog (xid);
-- Each row of the list of wallets reads its lines from these indexes alone. Without them the planner reads the whole ledger
-- for every wallet.
create index assesscountlog_wallet on assesscountlog (musercode, plancode, kind, time) include (qty, forplan, cuserid, orgpath);
create index assesscountlog_people on assesscountlog (musercode, plancode, cuserid) include (time, orgpath) where kind = '03';
create index assesscountlog_lots on assesscountlog (musercode, plancode, enddate) include (qty, cuserid, orgpath)
  where kind in ('01', '02', '06', '08');
select access.follow_tenant('assesscountlog');
-- Trigger: the ledger is append-only. The application's roles may not change a line anyway (91_grants.sql); the trigger also binds
-- the owner. Only the path may change, when an institution moves.
create function access.reject_ledger_change() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'orgpath' = to_jsonb(old) - 'orgpath' then return new; end if;
  raise exception 'the ledger is only ever added to' using errcode = 'restrict_violation';
end $$;
create trigger append_only before update or delete on assesscountlog for each row execute function access.reject_ledger_change();

-- Counts of a wallet by last day. Freezing, using and expiring take counts from the lot that ends first.
-- `free` is the rest of each lot.
create view countlot with (security_invoker = true) as
  select w.musercode, w.orgpath, w.plancode, l.enddate, l.qty as granted,
    greatest(0, least(l.qty, sum(l.qty) over (partition by w.musercode, w.plancode order by l.enddate nulls last)
      - w.used - w.frozen - w.expired))::int as free
  from assesscount w
    join (
      select musercode, plancode, enddate, sum(qty)::int as qty
      from assesscountlog
      where kind in ('01', '02', '06', '08')
      group by musercode, plancode, enddate) l on l.musercode = w.musercode and l.plancode = w.plancode;

-- An authorization: a person may answer a plan `total` times.
create table cuserplan (
  cuserplanid bigint generated by default as identity primary key,
  cuserid text not null references cuser,
  musercode text not null,
  orgpath text collate "C" not null,
  plancode text not null references plan,
  appid text not null,
  stagecode text,
  taskcode text,
  total int not null default 1,
  used int not null default 0,
  frozen int not null default 1,
  begindate date,
  enddate date,
  status smallint not null default 1,  -- 1 live, 2 used up, 3 cleared; only a live authorization freezes counts
  grantby text,
  walletcode text not null default '*',  -- the wallet with its frozen counts: the plan's own, or '*'
  createtime timestamptz not null default now(),
  constraint cuserplan_held check (status = 1 or frozen = 0),
  constraint cuserplan_least check (least(used, frozen) >= 0)
);
create index cuserplan_cuserid_status_idx on cuserplan (cuserid, status);
create index cuserplan_plancode_idx on cuserplan (plancode);
create index cuserplan_taskcode_idx on cuserplan (taskcode);
create unique index cuserplan_task on cuserplan (orgpath, taskcode, cuserid) where taskcode is not null;
-- Outside tasks a person has at most one live authorization for a plan at a stage, also when two callers authorize at once.
create unique index cuserplan_live on cuserplan (orgpath, cuserid, plancode, coalesce(stagecode, '')) where taskcode is null and status = 1;
create index cuserplan_ending on cuserplan (enddate) where taskcode is null and status = 1;
select access.follow_tenant('cuserplan');

-- One-time codes. A person who enters one answers its plan. Each has one frozen count until it is used or void.
create table assesscode (
  code text primary key check (code ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
  musercode text not null,
  orgpath text collate "C" not null,
  batchno text not null,
  appid text not null references ref.app,
  plancode text not null references plan,
  stagecode text,
  walletcode text not null,
  cuserid text references cuser,
  status smallint not null default 0 check (status in (0, 1, 3)),  -- 0 unused, 1 bound to a person, 3 void
  expiredate date,
  createby text,
  createtime timestamptz not null default now(),
  bindtime timestamptz,
  check ((status = 1) = (cuserid is not null))
);
create index assesscode_musercode_batchno_status_idx on assesscode (musercode, batchno, status);
create index assesscode_cuserid_idx on assesscode (cuserid);
create index assesscode_ending on assesscode (expiredate) where status = 0;
select access.follow_tenant('assesscode');

-- db/schema/42_entries.sql

-- The entry of an institution for respondents.

-- The entry that the QR code of an institution opens.
create table muserclient (
  clientcode text primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  clienttitle text not null,
  welcome text not null default '',
  loginmode text not null check (loginmode in ('01', '02', '03', '04')),  -- 04: without a name
  consentversion text not null default '1',
  needguardian smallint not null default 0,
  needsignature smallint not null default 0,
  hotline text not null default '12356',
  themecolor text not null default '#43a777',
  showreport smallint not null default 0,
  enabled smallint not null default 1,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  plancode text references plan,  -- the plan of an entry without names
  stagecode text,
  unique (musercode, orgpath)
);
select access.follow_tenant('muserclient');
-- Trigger: copies the public facts of an entry to auth.entry: the institution, and how a respondent identifies.
create function auth.sync_entry() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' and (tg_op = 'DELETE' or old.clientcode <> new.clientcode) then
    delete from auth.entry where clientcode = old.clientcode;
  end if;
  if tg_op <> 'DELETE' then
    insert into auth.entry (clientcode, musercode, enabled, facts)
    select new.clientcode, new.musercode, new.enabled,
      jsonb_build_object('clienttitle', new.clienttitle, 'welcome', new.welcome, 'insname', m.insname, 'sector', m.sector,
        'loginmode', new.loginmode, 'themecolor', new.themecolor, 'hotline', new.hotline,
        'needsignature', new.needsignature, 'consentversion', new.consentversion)
    from public.muser m where m.musercode = new.musercode
    on conflict (clientcode) do update set musercode = excluded.musercode, enabled = excluded.enabled, facts = excluded.facts;
  end if;
  return null;
end $$;
create trigger sync_entry after insert or update or delete on muserclient for each row execute function auth.sync_entry();

-- db/schema/50_exams.sql

-- Tasks, exams, answers, results, reports.

-- A task: teams answer a plan within a period.
create sequence taskcode_seq;
create table assesstask (
  taskcode text primary key default 'T' || lpad(nextval('taskcode_seq')::text, 6, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  taskname text not null,
  appid text not null references ref.app,
  plancode text not null references plan,
  stagecode text,
  year text,
  term text,
  begintime timestamptz not null,
  endtime timestamptz not null,
  resultshow smallint not null default 0,
  remindrule jsonb not null default '{}',
  status smallint not null default 1,
  closetime timestamptz,
  closestatement jsonb,
  parenttaskcode text,
  round text not null default '01',
  createby text,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  version int not null default 1,
  check (endtime > begintime)
);
select access.follow_tenant('assesstask');

-- Teams of a task.
create table taskteam (
  taskcode text references assesstask,
  teamcode text references assessteam,
  musercode text not null,
  orgpath text collate "C" not null,
  primary key (taskcode, teamcode)
);
select access.follow_tenant('taskteam');

-- Persons of a task.
create table taskroster (
  taskcode text references assesstask,
  cuserid text references cuser,
  teamcode text references assessteam,
  musercode text not null,
  orgpath text collate "C" not null,
  examcode text,
  status smallint not null default 0,
  reason text,  -- why the person is excused
  reasonby text,
  remindcount int not null default 0,
  lastremind timestamptz,
  starttime timestamptz,
  submittime timestamptz,
  primary key (taskcode, cuserid)
);
create index taskroster_taskcode_status_idx on taskroster (taskcode, status);
create index taskroster_cuserid_idx on taskroster (cuserid);
select access.follow_tenant('taskroster');

-- An exam of a person, who answers one plan once.
create sequence examcode_seq;
create table examrecord (
  examcode text primary key default 'E' || lpad(nextval('examcode_seq')::text, 10, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null references cuser,
  appid text not null,
  plancode text not null references plan,
  stagecode text,
  taskcode text references assesstask,
  teamcode text,
  cuserplanid bigint references cuserplan,
  scenecode text not null default '01',
  status smallint not null default 1,  -- 0 not started, 1 open, 2 submitted, 3 timed out, 4 void
  starttime timestamptz not null default now(),
  submittime timestamptz,
  duration int,
  valid smallint,
  invalidreason text,
  overalllevel smallint,
  mentalstate smallint,
  hasalert smallint not null default 0,
  alertlevel smallint not null default 0,
  isabnormal smallint not null default 0,
  gestationaldays int,
  age smallint,
  gradecode text,
  gradename text,
  classname text,
  unitname text,
  gender text,
  consentid bigint references consent,
  submitkey uuid,  -- identifies the submission: a repeated call gets the same answer
  useragent text,
  ip text,
  check ((status = 2) = (submittime is not null) or status = 4)
);
create index examrecord_orgpath_submittime_idx on examrecord (orgpath, submittime desc);
create index examrecord_taskcode_status_idx on examrecord (taskcode, status);
create index examrecord_cuserid_submittime_idx on examrecord (cuserid, submittime desc);
create index examrecord_musercode_overalllevel_submittime_idx on examrecord (musercode, overalllevel, submittime);
create index examrecord_musercode_idx on examrecord (musercode) where hasalert = 1;
-- An authorization of a task allows one exam.
create unique index examrecord_once on examrecord (orgpath, cuserplanid) where status <> 4 and taskcode is not null;
-- Another authorization allows `total` exams, but only one open exam at a time.
create unique index examrecord_open on examrecord (orgpath, cuserplanid) where status in (0, 1) and taskcode is null;
select access.follow_tenant('examrecord');

-- A questionnaire of an exam.
create table examform (
  examformid bigint generated by default as identity primary key,
  examcode text not null references examrecord,
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null,
  formcode text not null references form,
  formversion text not null,
  ordernum int not null,
  status smallint not null default 0,
  starttime timestamptz,
  submittime timestamptz,
  valid smallint,
  overalllevel smallint,
  raw jsonb,
  staffby text,
  answers jsonb not null default '{}',  -- {question: value}
  seqs jsonb not null default '{}',  -- {question: number}: the client's sequence; a lower number never overwrites a higher one
  answertime timestamptz,  -- time of the last answer
  unique (orgpath, examcode, formcode)
);
create index examform_examcode_idx on examform (examcode);
-- Earlier exams of a person, for trends.
create index examform_cuserid_submittime_idx on examform (cuserid, submittime desc) where status = 2;
select access.follow_tenant('examform');

-- Every version of an answer to an item that can raise an alert. examform.answers has the last version only.
create table examalertanswer (
  id bigint generated always as identity primary key,
  examformid bigint not null references examform,
  questionc text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null,
  value jsonb not null,
  seq bigint not null,
  answertime timestamptz not null
);
create index examalertanswer_examformid_questionc_idx on examalertanswer (examformid, questionc);
select access.follow_tenant('examalertanswer');

-- Scores of a submitted questionnaire.
create table examresult (
  examformid bigint references examform,
  quotacode text references quota,
  examcode text not null,  -- copied from examform; only examformid has a foreign key
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null,
  score numeric(8,2),
  level smallint,
  levelname text,
  missing int not null default 0,
  domain text not null,
  isprimary smallint not null,
  submittime timestamptz not null,
  primary key (examformid, quotacode)
);
create index examresult_musercode_domain_submittime_idx on examresult (musercode, domain, submittime);
create index examresult_cuserid_quotacode_submittime_idx on examresult (cuserid, quotacode, submittime);
create index examresult_examcode_idx on examresult (examcode);
select access.follow_tenant('examresult');

-- The report of an exam. The server writes its text from `basis` and the rows of the exam: at the first reading, or some minutes
-- after the submission. Then the text never changes.
create sequence reportcode_seq;
create table report (
  reportcode text primary key default 'R' || lpad(nextval('reportcode_seq')::text, 10, '0'),
  examcode text not null references examrecord,
  cuserid text not null references cuser,
  musercode text not null,
  orgpath text collate "C" not null,
  appid text not null,
  reporttype text not null default '01',
  title text not null,
  content jsonb,
  selfcontent jsonb,
  overalllevel smallint,
  status smallint not null default 1,
  isshow smallint not null default 0,
  conclusion text,
  advice text,
  reviewby text,
  reviewtime timestamptz,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  version int not null default 1,
  isdeleted smallint not null default 0,
  basis jsonb,
  unique (orgpath, examcode),
  check (content is not null or basis is not null)
);
create index report_orgpath_createtime_idx on report (orgpath, createtime desc);
create index report_cuserid_idx on report (cuserid);
create index report_createtime_idx on report (createtime) where content is null;
select access.follow_tenant('report');

-- db/schema/60_warnings.sql

-- Crisis warnings and the work on them.

-- A case.
create sequence warningcode_seq;
create table warning (
  warningcode text primary key default 'W' || lpad(nextval('warningcode_seq')::text, 10, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null references cuser,
  appid text not null,
  examcode text references examrecord,
  source text not null default '01',
  level smallint not null check (level between 1 and 4),  -- 4: crisis
  initiallevel smallint not null,
  rulecodes text[] not null default '{}',  -- the rules that opened the case
  alertmsgs text[] not null default '{}',
  itemtrigger smallint not null default 0,
  state text not null default '01',
  stateat timestamptz not null,
  owneruserid text,
  accepttime timestamptz,
  acceptduetime timestamptz,
  assesstime timestamptz,
  assessduetime timestamptz,
  guardianduetime timestamptz,
  nextfollowtime timestamptz,
  peaklevel smallint not null,
  raisedtime timestamptz,
  loweredtime timestamptz,
  reopentime timestamptz,
  contactresult text,
  contactattempts timestamptz[] not null default '{}',
  interviewtime timestamptz,
  lastacutesign timestamptz,
  guardiannotified smallint not null default 0,
  guardiantime timestamptz,
  guardianexempt text not null default '',
  referred smallint not null default 0,
  plantext text not null default '',
  confirmby text,
  confirmtime timestamptz,
  escalatedseq int not null default 0,
  closetime timestamptz,
  closereason text,
  closenote text not null default '',
  closeby text,
  reopencount int not null default 0,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  version int not null default 1,
  isdeleted smallint not null default 0,
  -- 1: the guardian was notified, or notification is not needed
  guardiansettled smallint not null generated always as (case when guardiannotified = 1 or guardianexempt <> '' then 1 else 0 end) stored
);
-- One open case per person: a new trigger joins it.
create unique index warning_open on warning (orgpath, cuserid) where state not in ('07', '08') and isdeleted = 0;
create index warning_musercode_state_level_acceptduetime_idx on warning (musercode, state, level desc, acceptduetime);
create index warning_orgpath_state_level_acceptduetime_idx on warning (orgpath, state, level desc, acceptduetime);
create index warning_cuserid_idx on warning (cuserid);
create index warning_owneruserid_idx on warning (owneruserid) where state not in ('07', '08') and isdeleted = 0;
select access.follow_tenant('warning');

-- The log of a case.
create table warninglog (
  logid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  action text not null,
  fromstate text,
  tostate text,
  fromlevel smallint,
  tolevel smallint,
  content text not null default '',
  attach uuid[] not null default '{}',
  contactresult text,
  detail jsonb not null default '{}',
  operator text,
  operatorname text,
  time timestamptz not null
);
create index warninglog_warningcode_time_idx on warninglog (warningcode, time);
select access.follow_tenant('warninglog');

-- Risk assessments of a case.
create table riskassess (
  assessid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  ideation smallint not null,
  plan smallint not null,
  means smallint not null,
  attempthistory smallint not null,
  hopelessness smallint not null,
  support smallint not null,
  psychosis smallint not null default 0,
  substance smallint not null default 0,
  infantharm smallint not null default 0,
  abuse smallint not null default 0,
  protective text[] not null default '{}',
  asqexamformid bigint,
  asqanswers jsonb,
  conclusionlevel smallint not null,
  plantext text,
  note text,
  assessor text not null,
  time timestamptz not null
);
create index riskassess_warningcode_time_idx on riskassess (warningcode, time);
select access.follow_tenant('riskassess');

-- Referrals to a hospital.
create table referral (
  referralid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  tohospital text not null,
  todept text,
  reason text not null,
  urgent smallint not null default 0,
  status text not null default '01',
  visitdate date,
  feedback text,
  docfileid uuid,
  operator text,
  time timestamptz not null,
  updatetime timestamptz not null
);
create index referral_warningcode_idx on referral (warningcode);
select access.follow_tenant('referral');

-- Follow-ups, planned and done.
create table followup (
  followupid bigint generated always as identity primary key,
  cuserid text not null references cuser,
  musercode text not null,
  orgpath text collate "C" not null,
  warningcode text references warning,
  planname text not null default '',
  seq int not null default 1,
  duetime timestamptz not null,
  method text not null default '02',
  status text not null default '01',
  donetime timestamptz,
  content text,
  currentlevel smallint,
  phq9total numeric,
  nextduetime timestamptz,
  operator text,
  createtime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  examcode text references examrecord,  -- the re-test of this follow-up
  updatetime timestamptz,
  updateby text
);
create index followup_warningcode_idx on followup (warningcode);
create index followup_orgpath_status_duetime_idx on followup (orgpath, status, duetime);
select access.follow_tenant('followup');

-- Interventions.
create table interfere (
  interfereid bigint generated always as identity primary key,
  cuserid text not null references cuser,
  musercode text not null,
  orgpath text collate "C" not null,
  warningcode text references warning,
  kind text not null,
  begintime timestamptz not null,
  minutes int not null default 0,
  content text not null,
  effect smallint,
  operator text,
  createtime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  updatetime timestamptz,
  updateby text
);
create index interfere_cuserid_idx on interfere (cuserid);
create index interfere_warningcode_idx on interfere (warningcode);
select access.follow_tenant('interfere');

-- The assessment before a person returns after treatment.
create table returnassess (
  returnid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  assessdate date not null,
  hospital text not null default '',
  -- 01 may return, 02 may return under conditions, 03 not yet
  conclusion text not null check (conclusion in ('01', '02', '03')),
  conditions text not null default '',
  supportplan text not null default '',
  guardianagreed smallint not null default 0,
  returndate date,
  fileids uuid[] not null check (cardinality(fileids) > 0),
  operator text not null,
  operatorname text not null,
  time timestamptz not null
);
create index returnassess_warningcode_idx on returnassess (warningcode);
select access.follow_tenant('returnassess');

-- An institution's own rules. They add to the platform's rules, which always run; no row here lowers a level of theirs.
create sequence warningrule_seq;
create table warningrule (
  rulecode text primary key default 'ZR' || lpad(nextval('warningrule_seq')::text, 6, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  appid text,
  name text not null,
  cond jsonb not null,
  warninglevel smallint not null check (warninglevel between 1 and 3),  -- never 4: a score alone is no crisis
  enabled smallint not null default 1,
  ordernum int not null default 0,
  remark text not null default '',
  updateby text not null,
  createtime timestamptz not null,
  updatetime timestamptz not null,
  version int not null default 1,
  isdeleted smallint not null default 0
);
create index warningrule_musercode_idx on warningrule (musercode) where isdeleted = 0;
select access.follow_tenant('warningrule');

-- db/schema/65_notices.sql

-- Notifications, and alerts that wait for delivery.

-- Messages to staff.
create table notification (
  id bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  userid text,  -- null: for the institution's own account
  kind text not null,
  title text not null,
  content text not null default '',
  link text,
  dedupekey text,
  createtime timestamptz not null default now(),
  readtime timestamptz
);
create index notification_userid_readtime_createtime_idx on notification (userid, readtime, createtime desc);
create index notification_musercode_userid_createtime_idx on notification (musercode, userid, createtime desc);
-- A message with a key is created once.
create unique index notification_once on notification (orgpath, dedupekey) where dedupekey is not null;
select access.follow_tenant('notification');

-- Alerts that wait for delivery. The transaction of the answer writes them; the server delivers each at least once.
create table outbox (
  id bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  kind text not null,
  refcode text not null,
  payload jsonb not null default '{}',
  createtime timestamptz not null default now(),
  donetime timestamptz,
  attempts int not null default 0
);
create index outbox_id_idx on outbox (id) where donetime is null;
select access.follow_tenant('outbox');

-- Opening and escalating a case needs two functions outside the caller's range. A respondent's session sees one person's rows,
-- and a school sees no row of its provider.

-- Returns the number of open cases of each member of staff. A new case goes to the member with the fewest.
create function access.open_case_counts(code text) returns table (userid text, n bigint)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select w.owneruserid, count(*) from public.warning w
  where w.musercode = code and w.owneruserid is not null and w.state not in ('07', '08') and w.isdeleted = 0
  group by w.owneruserid;
end $$;

-- Notifies the staff on call (role warningduty) of the institutions above, each person once per key. Returns their number.
create function access.notify_oncall_above(notekind text, notetitle text, notecontent text, notelink text, key text, at timestamptz)
returns bigint language plpgsql volatile security definer set search_path = '' as $$
declare
  notified bigint;
begin
  insert into public.notification (musercode, userid, kind, title, content, link, dedupekey, createtime)
  select distinct u.musercode, u.userid, notekind, notetitle, notecontent, notelink, notify_oncall_above.key || ':' || u.userid, at
  from public.sysuser u
    join public.sysuserrole ur on ur.userid = u.userid
    join public.role r on r.roleid = ur.roleid and r.rolekey = 'warningduty' and r.enabled = 1 and r.isdeleted = 0
  where u.enabled = 1 and u.isdeleted = 0
    and u.orgpath = any ((select access.ancestor_paths())::text[]) and u.orgpath <> (select access.path_from())
  on conflict do nothing;
  get diagnostics notified = row_count;
  return notified;
end $$;

-- db/schema/70_files_jobs.sql

-- Files, documents of cases, jobs, and the approval of exports.

-- A file in the file store.
create table fileobj (
  fileid uuid primary key default gen_random_uuid(),
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text,
  filename text not null,
  mime text not null,
  size bigint not null,
  sha256 text not null,
  path text not null,
  biztype text not null,
  ispublic smallint not null default 0,
  status smallint not null default 1,
  createby text,
  createtime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  refcode text  -- the object that the file is attached to; null: uploaded but not used yet, deleted after a day
);
create index fileobj_musercode_biztype_createtime_idx on fileobj (musercode, biztype, createtime desc) where isdeleted = 0;
create index fileobj_refcode_idx on fileobj (refcode) where refcode is not null;
select access.follow_tenant('fileobj');

-- Documents of a case: private files. Opening one is a reveal.
create table casefile (
  fileid uuid primary key references fileobj,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  -- 01 guardian notice, 02 referral letter, 03 hospital papers, 04 return assessment, 09 other
  kind text not null check (kind in ('01', '02', '03', '04', '09')),
  createby text not null,
  createbyname text not null,
  createtime timestamptz not null,
  isdeleted smallint not null default 0,
  deletereason text not null default ''
);
create index casefile_warningcode_idx on casefile (warningcode);
select access.follow_tenant('casefile');

-- Jobs: imports, exports and batches that run longer than their request. The download centre shows them.
create table job (
  jobid uuid primary key default gen_random_uuid(),
  musercode text not null,
  orgpath text collate "C" not null,
  accountid text not null,
  kind text not null,
  title text not null,
  status smallint not null default 0,
  progress int not null default 0,
  total int not null default 0,
  request jsonb not null default '{}',
  result jsonb,
  error text,
  createtime timestamptz not null default now(),
  finishtime timestamptz,
  undountil timestamptz,  -- until then an import can be undone
  undonetime timestamptz,
  filename text,
  mime text,
  bytes bigint,
  filekey text,  -- key of a finished export in the file store
  expiretime timestamptz  -- time when the server deletes the file
);
create index job_accountid_createtime_idx on job (accountid, createtime desc);
select access.follow_tenant('job');

-- The queue of jobs: identifiers only. A row is created with its job and deleted when the job ends.
create table auth.jobqueue (
  jobid uuid primary key,
  musercode text not null references auth.tenant on delete cascade,
  accountid text not null references auth.account on delete cascade,
  createtime timestamptz not null default now(),
  attempts smallint not null default 0,
  heartbeat timestamptz,  -- null: no worker has claimed it; old: its worker has crashed
  worker text
);
create index jobqueue_createtime_idx on auth.jobqueue (createtime);
create index jobqueue_accountid_idx on auth.jobqueue (accountid);
-- Adds a job of the caller to the queue. False when the caller already has `most` jobs in it.
create function auth.queue_job(job uuid, most int) returns boolean language plpgsql security definer set search_path = '' as $$
declare
  me auth.session;
begin
  select * into me from auth.current_session() s where s.kind = 'staff' and s.loginasby is null;
  if not found then raise exception 'no staff session, or a session that acts in another account'; end if;
  perform pg_advisory_xact_lock(hashtext('jobqueue ' || me.accountid));
  if (select count(*) from auth.jobqueue q where q.accountid = me.accountid) >= most then return false; end if;
  insert into auth.jobqueue (jobid, musercode, accountid) values (job, me.musercode, me.accountid);
  return true;
end $$;
-- Deletes a job of the caller from the queue. A worker that runs it notices this at its next heartbeat.
create function auth.unqueue_job(job uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.jobqueue q using auth.current_session() s where q.jobid = job and s.kind = 'staff' and s.accountid = q.accountid;
end $$;

-- Approval to export minors' data for a limited time. One person applies, and a second person decides.
create table accessapproval (
  approvalid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  applicant text not null,
  applicantname text not null,
  call text not null,
  title text not null,
  filter jsonb not null,
  purpose text not null,
  persons int not null,
  minors int not null,
  status smallint not null default 0 check (status between 0 and 3),  -- 0 waiting, 1 approved, 2 refused, 3 withdrawn
  approver text,
  approvername text,
  reason text not null default '',
  decidetime timestamptz,
  validuntil timestamptz,
  downloads int not null default 0,
  lastdownload timestamptz,
  createtime timestamptz not null,
  check (approver is null or approver <> applicant)
);
create index accessapproval_musercode_status_createtime_idx on accessapproval (musercode, status, createtime desc);
create index accessapproval_applicant_createtime_idx on accessapproval (applicant, createtime desc);
select access.follow_tenant('accessapproval');

-- db/schema/80_audit.sql

-- The audit log: rows are only added. The sealer chains them afterwards (src/server/dispatch/audit.ts).

-- One row for each write, reveal, export and import.
create table audit.log (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),  -- the transaction that wrote the row; the chain and the rollup use it as their order
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
  result int not null default 0,
  -- name of the account that acted in this one; the institution cannot read the staff of the institution above
  loginasname text
);
create index log_cuserids_idx on audit.log using gin (cuserids);
create index log_xid_idx on audit.log (xid);
create index log_accountid_time_idx on audit.log (accountid, time desc);
create index log_orgpath_time_id_idx on audit.log (orgpath, time desc, id desc);
create index log_time_id_idx on audit.log (time desc, id desc);

-- A link of the chain: the rows of transactions from xidfrom up to xidto.
create table audit.seal (
  seq bigint primary key,
  time timestamptz not null default now(),
  xidfrom xid8 not null,
  xidto xid8 not null,
  rows int not null,
  prevhash text not null,
  hash text not null
);

-- Adds one row from a JSON value (src/server/dispatch/audit.ts).
create function audit.add(entry jsonb) returns void language plpgsql volatile set search_path = '' as $$
begin
  insert into audit.log (musercode, accountid, loginasby, loginasname, action, title, kind, cuserids, minors, objectid, detail, ip)
  select r.musercode, r.accountid, r.loginasby, r.loginasname, r.action, r.title, r.kind, r.cuserids, r.minors, r.objectid, r.detail, r.ip
  from jsonb_to_record(entry) as r (musercode text, accountid text, loginasby text, loginasname text, action text, title text,
    kind text, cuserids text[], minors smallint, objectid text, detail jsonb, ip text);
end $$;

-- Trigger: refuses the statement.
create function audit.reject_change() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'the audit log is append-only';
end $$;
-- Trigger: allows a change of the path only, to the path of the row's institution.
create function audit.allow_path_change() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if to_jsonb(new) - 'orgpath' = to_jsonb(old) - 'orgpath' and new.orgpath = access.path_of(new.musercode) then return new; end if;
  raise exception 'the audit log is append-only';
end $$;
create trigger append_only before delete or truncate on audit.log for each statement execute function audit.reject_change();
create trigger append_only before update or delete or truncate on audit.seal for each statement execute function audit.reject_change();
create trigger allow_path_change before update on audit.log for each row execute function audit.allow_path_change();
-- audit.log has no foreign key, so the trigger sets the path of every row.
create trigger set_orgpath before insert on audit.log for each row when (new.musercode is not null) execute function access.set_orgpath();

-- Trigger: updates the path of the rows of an institution that moves. It and the institutions now above it read its old rows;
-- the institutions formerly above it no longer do. The path is not part of the chain, so the chain stays valid.
create function audit.move_tenant() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtext('xinli rollup'));
  update audit.log set orgpath = new.orgpath where orgpath = old.orgpath;
  update rollup.audit_by_tenant set orgpath = new.orgpath where orgpath = old.orgpath;
  return null;
end $$;
create trigger move_audit after update of orgpath on auth.tenant
  for each row when (old.orgpath is distinct from new.orgpath) execute function audit.move_tenant();

-- db/schema/85_rollups.sql

-- Sums of the audit log and of the ledger, so that no page counts millions of rows (docs/decisions/0017).
-- Each has two tables: one by institution and kind, and one by day and kind for the platform.
-- The sums contain the rows of transactions before rollup.watermark. A reader adds the newer rows, so the sum is always exact.
-- The job that chains the audit log calls both functions.

create table rollup.watermark (
  audit xid8 not null,
  ledger xid8 not null
);
insert into rollup.watermark (audit, ledger) values ('0', '0');

create table rollup.audit_by_tenant (
  orgpath text collate "C" not null,
  kind text not null,
  rows bigint not null,
  primary key (orgpath, kind)
);
-- orgpath is the platform's path.
create table rollup.audit_by_day (
  orgpath text collate "C" not null,
  day date not null,
  kind text not null,
  rows bigint not null,
  primary key (orgpath, day, kind)
);

create table rollup.ledger_by_tenant (
  musercode text not null,
  orgpath text collate "C" not null,
  kind text not null,
  lines bigint not null,
  qty bigint not null,
  primary key (musercode, kind),
  foreign key (musercode, orgpath) references muser (musercode, orgpath) on update cascade
);
create index ledger_by_tenant_orgpath_idx on rollup.ledger_by_tenant (orgpath);
-- orgpath is the platform's path.
create table rollup.ledger_by_day (
  orgpath text collate "C" not null,
  day date not null,
  kind text not null,
  lines bigint not null,
  qty bigint not null,
  primary key (orgpath, day, kind)
);

-- Adds the rows of finished transactions to the sums of the audit log. Returns their number. It takes at most about 20,000 rows
-- at a time, but always all rows of a transaction. It takes the lock first, because the next statement must see all rows that
-- were committed before.
create function rollup.refresh_audit() returns bigint language plpgsql volatile set search_path = '' as $$
declare
  since xid8;
  upto xid8;
  portion xid8;
  added bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('xinli rollup')) then return 0; end if;
  select w.audit, pg_snapshot_xmin(pg_current_snapshot()) into since, upto from rollup.watermark w;
  select l.xid into portion from audit.log l where l.xid > since and l.xid < upto order by l.xid offset 20000 limit 1;
  upto := coalesce(portion, upto);
  with fresh as (
    select l.orgpath, (l.time at time zone 'Asia/Shanghai')::date as day, l.kind, count(*) as rows
    from audit.log l
    where l.xid >= since and l.xid < upto
    group by 1, 2, 3),
  by_tenant as (
    insert into rollup.audit_by_tenant as t (orgpath, kind, rows)
    select f.orgpath, f.kind, sum(f.rows) from fresh f where f.orgpath is not null group by 1, 2
    on conflict (orgpath, kind) do update set rows = t.rows + excluded.rows),
  by_day as (
    insert into rollup.audit_by_day as t (orgpath, day, kind, rows)
    select split_part(f.orgpath, '.', 1) || '.', f.day, f.kind, sum(f.rows) from fresh f where f.orgpath is not null group by 1, 2, 3
    on conflict (orgpath, day, kind) do update set rows = t.rows + excluded.rows)
  select coalesce(sum(f.rows), 0) into added from fresh f;
  -- Without new rows the watermark can stay, because a reader has no more rows to add.
  if added > 0 or portion is not null then update rollup.watermark set audit = upto; end if;
  return added;
end $$;

-- Does the same for the ledger. While an institution is being moved it adds nothing; the next run adds the rows.
create function rollup.refresh_ledger() returns bigint language plpgsql volatile set search_path = '' as $$
declare
  since xid8;
  upto xid8;
  portion xid8;
  added bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('xinli rollup')) then return 0; end if;
  select w.ledger, pg_snapshot_xmin(pg_current_snapshot()) into since, upto from rollup.watermark w;
  select l.xid into portion from public.assesscountlog l where l.xid > since and l.xid < upto order by l.xid offset 20000 limit 1;
  upto := coalesce(portion, upto);
  with fresh as (
    select l.musercode, l.orgpath, (l.time at time zone 'Asia/Shanghai')::date as day, l.kind, count(*) as lines, sum(l.qty) as qty
    from public.assesscountlog l
    where l.xid >= since and l.xid < upto
    group by 1, 2, 3, 4),
  by_tenant as (
    insert into rollup.ledger_by_tenant as t (musercode, orgpath, kind, lines, qty)
    select f.musercode, f.orgpath, f.kind, sum(f.lines), sum(f.qty) from fresh f group by 1, 2, 3
    on conflict (musercode, kind) do update set lines = t.lines + excluded.lines, qty = t.qty + excluded.qty),
  by_day as (
    insert into rollup.ledger_by_day as t (orgpath, day, kind, lines, qty)
    select split_part(f.orgpath, '.', 1) || '.', f.day, f.kind, sum(f.lines), sum(f.qty) from fresh f group by 1, 2, 3
    on conflict (orgpath, day, kind) do update set lines = t.lines + excluded.lines, qty = t.qty + excluded.qty)
  select coalesce(sum(f.lines), 0) into added from fresh f;
  if added > 0 or portion is not null then update rollup.watermark set ledger = upto; end if;
  return added;
exception when foreign_key_violation then
  return 0;
end $$;

-- db/schema/86_submission.sql

-- Answering and submitting an exam: three functions of the role xinli_submission (docs/decisions/0026).
--
--   submission.load_exam     locks an exam of the caller and reads what scoring, alerts and the report need
--   submission.save_answers  stores answers while the exam is open
--   submission.submit_exam   stores a scored exam: answers, results, report, roster, person, count
--
-- xinli_submission cannot sign in and owns these functions only. The role of respondents may call the functions; it may not write
-- answers, results, reports or counts itself.
--
-- Each function first reads the respondent of the session and stores the result in two settings. The policies compare rows with
-- these settings, so PostgreSQL reads the session once per call instead of once per table. Every role may change the settings,
-- but only policies of xinli_submission use them, and every function sets them before it reads.

-- The rows of the caller and of the caller's institution.
do $$
declare
  t text;
begin
  foreach t in array array[
    'examrecord', 'examform', 'examalertanswer', 'examresult', 'report', 'taskroster', 'cuser', 'cuserarchive', 'cuserplan',
    'assesscountlog'
  ] loop
    execute format(
      'create policy submission_self on public.%I to xinli_submission using (cuserid = current_setting(''app.cuserid'', true))', t);
  end loop;
  foreach t in array array['muser', 'muserclient', 'assesscount', 'assesstask', 'warningrule'] loop
    execute format(
      'create policy submission_institution on public.%I to xinli_submission
       using (musercode = current_setting(''app.musercode'', true))', t);
  end loop;
  -- Names of plans and stages are no secret. The exam decides which one is read.
  foreach t in array array['plan', 'examstage'] loop
    execute format('create policy submission_names on public.%I for select to xinli_submission using (true)', t);
  end loop;
end $$;

grant select on auth.active_session to xinli_submission;
grant select, update on examrecord, examform, taskroster, cuserplan to xinli_submission;
grant insert on examalertanswer, examresult, assesscountlog to xinli_submission;
grant insert on report to xinli_submission;
grant select (reportcode) on report to xinli_submission;
grant usage on sequence reportcode_seq to xinli_submission;
grant select on cuserarchive to xinli_submission;
grant select (
  cuserid, username, gender, birthday, riskflag, examcount, reportcount, lastexamtime, lastlevel, mentalstate, mentalstatesource,
  mentalstatetime
) on cuser to xinli_submission;
grant update (examcount, reportcount, lastexamtime, lastlevel, mentalstate, mentalstatetime) on cuser to xinli_submission;
grant select (musercode, insname, sector, abnormalminlevel, settings) on muser to xinli_submission;
grant select (musercode, hotline) on muserclient to xinli_submission;
grant select (musercode, taskcode, resultshow) on assesstask to xinli_submission;
grant select (rulecode, musercode, name, cond, warninglevel, appid, enabled, isdeleted, ordernum) on warningrule to xinli_submission;
grant select (plancode, planname) on plan to xinli_submission;
grant select (appid, stagecode, stagename) on examstage to xinli_submission;
grant select (musercode, plancode, granted, used, frozen, expired), update (used, frozen) on assesscount to xinli_submission;

-- Returns the respondent of the session; null without a live session of a respondent. Every function below calls it first.
create function submission.bind_respondent() returns text
language plpgsql volatile set search_path = '' as $$
declare
  respondent record;
begin
  select s.cuserid, s.musercode into respondent from auth.active_session s;
  perform
    set_config('app.cuserid', coalesce(respondent.cuserid, ''), true),
    set_config('app.musercode', coalesce(respondent.musercode, ''), true);
  return respondent.cuserid;
end $$;

-- Returns an exam of the caller with all data for saving and submitting; no row for another person's exam. The exam stays locked
-- until the transaction ends, so no other transaction changes these data before the caller writes.
create function submission.load_exam(code text) returns table (
  examcode text,
  status smallint,
  submitkey uuid,
  musercode text,
  cuserid text,
  appid text,
  planname text,
  stagename text,
  starttime timestamptz,
  overalllevel smallint,
  hasalert smallint,
  gradecode text,
  username text,
  gender text,
  birthday date,
  archive jsonb,
  insname text,
  sector text,
  abnormalminlevel smallint,
  minwarninglevel smallint,
  hotline text,
  resultshow smallint,
  rules jsonb,
  forms jsonb,
  history jsonb,
  opencase boolean
)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  respondent text := submission.bind_respondent();
begin
  -- This is a separate statement: a statement that waits for a lock reads the answers from before the wait.
  perform from public.examrecord e where e.examcode = code and e.cuserid = respondent for update;
  if not found then
    return;
  end if;
  return query
  select
    e.examcode,
    e.status,
    e.submitkey,
    e.musercode,
    e.cuserid,
    e.appid,
    p.planname,
    (select s.stagename from public.examstage s where s.appid = e.appid and s.stagecode = e.stagecode limit 1),
    e.starttime,
    e.overalllevel,
    e.hasalert,
    e.gradecode,
    c.username,
    c.gender,
    c.birthday,
    coalesce(
      (
        select a.detail || jsonb_strip_nulls(jsonb_build_object(
          'gradename', a.gradename, 'classname', a.classname, 'studentno', a.studentno, 'unitname', a.unitname))
        from public.cuserarchive a
        where a.cuserid = e.cuserid and a.appid = e.appid
      ),
      '{}'
    ),
    m.insname,
    m.sector,
    m.abnormalminlevel,
    -- The lowest level that opens a case.
    case when m.settings->'warnlevelmin' = '1' then 1::smallint else 2::smallint end,
    k.hotline,
    coalesce(t.resultshow, 0::smallint),
    -- The institution's own warning rules.
    coalesce(
      (
        select jsonb_agg(
          jsonb_build_object(
            'rulecode', w.rulecode, 'name', w.name, 'cond', w.cond, 'warninglevel', w.warninglevel, 'appid', w.appid)
          order by w.ordernum, w.rulecode)
        from public.warningrule w
        where w.musercode = e.musercode and w.enabled = 1 and w.isdeleted = 0
      ),
      '[]'
    ),
    (
      select jsonb_agg(
        jsonb_build_object(
          'examformid', x.examformid, 'formcode', x.formcode, 'formversion', x.formversion, 'answers', x.answers, 'seqs', x.seqs)
        order by x.ordernum)
      from public.examform x
      where x.examcode = e.examcode
    ),
    -- Earlier submissions of the person.
    coalesce(
      (
        select jsonb_agg(h)
        from (
          select
            x.examcode,
            x.formcode,
            to_char(x.submittime at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as submittime,
            x.raw->'scores' as scores,
            x.raw->'levels' as levels,
            x.raw->'labels' as labels,
            x.raw->'itemscores' as itemscores,
            x.valid = 1 as valid
          from public.examform x
          where x.cuserid = e.cuserid and x.status = 2 and x.examcode <> e.examcode
          order by x.submittime desc
          limit 24
        ) h
      ),
      '[]'
    ),
    -- The risk flag is the level of the open case.
    c.riskflag <> 0
  from public.examrecord e
    join public.plan p on p.plancode = e.plancode
    join public.cuser c on c.cuserid = e.cuserid
    join public.muser m on m.musercode = e.musercode
    left join public.muserclient k on k.musercode = e.musercode
    left join public.assesstask t on t.taskcode = e.taskcode
  where e.examcode = code and e.cuserid = respondent;
end $$;

-- Adds the new versions of answers to alert items, of forms [{examformid, alertanswers: [{c, value, seq}]}] of one exam.
create function submission.add_alert_answers(code text, forms jsonb, at timestamptz) returns void
language plpgsql volatile set search_path = '' as $$
begin
  insert into public.examalertanswer (examformid, questionc, musercode, orgpath, cuserid, value, seq, answertime)
  select x.examformid, a.c, x.musercode, x.orgpath, x.cuserid, coalesce(a.value, 'null'), a.seq, at
  from jsonb_to_recordset(forms) as f (examformid bigint, alertanswers jsonb)
    join public.examform x on x.examformid = f.examformid and x.examcode = code
    cross join jsonb_to_recordset(f.alertanswers) as a (c text, value jsonb, seq bigint);
end $$;

-- Stores the answers of forms [{examformid, answers, seqs, alertanswers}] of an open exam of the caller. False when the exam is not
-- open: after the submission no answer may change, because the results were computed from them.
create function submission.save_answers(code text, forms jsonb, at timestamptz) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  respondent text := submission.bind_respondent();
begin
  perform from public.examrecord e where e.examcode = code and e.cuserid = respondent and e.status = 1 for update;
  if not found then
    return false;
  end if;
  update public.examform x
  set answers = f.answers, seqs = f.seqs, answertime = at
  from jsonb_to_recordset(forms) as f (examformid bigint, answers jsonb, seqs jsonb)
  where x.examformid = f.examformid and x.examcode = code;
  perform submission.add_alert_answers(code, forms, at);
  return true;
end $$;

-- Submits an open exam of the caller with its scores and returns the code of its report. Null, without any change, when the exam is
-- not open or its authorization was withdrawn (the task was closed, or the person was removed).
create function submission.submit_exam(code text, scored jsonb, forms jsonb, newreport jsonb, at timestamptz) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  respondent text := submission.bind_respondent();
  exam record;
  score record;
  newcode text;
  available int;
begin
  select e.musercode, e.orgpath, e.appid, e.plancode, e.taskcode, e.cuserplanid, g.walletcode
  into exam
  from public.examrecord e
    join public.cuserplan g on g.cuserplanid = e.cuserplanid and g.status = 1
  where e.examcode = code and e.cuserid = respondent and e.status = 1
  for update;
  if not found then
    return null;
  end if;

  select * into score from jsonb_to_record(scored) as s (
    submitkey uuid,
    duration int,
    valid smallint,
    invalidreason text,
    overalllevel smallint,
    mentalstate smallint,
    hasalert smallint,
    alertlevel smallint,
    isabnormal smallint,
    age smallint,
    gestationaldays int
  );
  update public.examrecord e
  set
    status = 2,
    submittime = at,
    submitkey = score.submitkey,
    duration = score.duration,
    valid = score.valid,
    invalidreason = score.invalidreason,
    overalllevel = score.overalllevel,
    mentalstate = score.mentalstate,
    hasalert = score.hasalert,
    alertlevel = score.alertlevel,
    isabnormal = score.isabnormal,
    age = score.age,
    gestationaldays = score.gestationaldays
  where e.examcode = code;

  -- The join with `code` accepts only answers and results of this exam.
  update public.examform x
  set
    status = 2,
    submittime = at,
    answertime = at,
    answers = f.answers,
    seqs = f.seqs,
    valid = f.valid,
    overalllevel = f.overalllevel,
    raw = f.raw
  from jsonb_to_recordset(forms) as f (
    examformid bigint,
    answers jsonb,
    seqs jsonb,
    valid smallint,
    overalllevel smallint,
    raw jsonb
  )
  where x.examformid = f.examformid and x.examcode = code;

  insert into public.examresult (
    examformid, quotacode, examcode, musercode, orgpath, cuserid, score, level, levelname, missing, domain, isprimary, submittime
  )
  select
    x.examformid, r.quotacode, x.examcode, x.musercode, x.orgpath, x.cuserid,
    r.score, r.level, r.levelname, r.missing, r.domain, r.isprimary, at
  from jsonb_to_recordset(forms) as f (examformid bigint, results jsonb)
    join public.examform x on x.examformid = f.examformid and x.examcode = code
    cross join jsonb_to_recordset(f.results) as r (
      quotacode text,
      score numeric,
      level smallint,
      levelname text,
      missing int,
      domain text,
      isprimary smallint
    );

  perform submission.add_alert_answers(code, forms, at);

  insert into public.report (
    examcode, cuserid, musercode, orgpath, appid, title, basis, overalllevel, isshow, createtime, updatetime
  )
  values (
    code, respondent, exam.musercode, exam.orgpath, exam.appid, newreport->>'title', newreport->'basis', score.overalllevel,
    (newreport->>'isshow')::smallint, at, at
  )
  returning reportcode into newcode;

  update public.taskroster t
  set status = case score.valid when 1 then 2 else 4 end, examcode = code, submittime = at
  where t.taskcode = exam.taskcode and t.cuserid = respondent;

  update public.cuser c
  set
    examcount = c.examcount + 1,
    reportcount = c.reportcount + 1,
    lastexamtime = at,
    lastlevel = case score.valid when 1 then score.overalllevel else c.lastlevel end,
    mentalstate = case when score.valid = 1 and c.mentalstatesource = 'auto' then score.mentalstate else c.mentalstate end,
    mentalstatetime = at
  where c.cuserid = respondent;

  update public.cuserplan g
  set used = g.used + 1, frozen = greatest(g.frozen - 1, 0), status = case when g.used + 1 >= g.total then 2 else g.status end
  where g.cuserplanid = exam.cuserplanid;

  -- This update is last, because all other submissions of the institution wait for this row until the commit. The wallet may have
  -- no frozen count left, when the platform has taken its counts back.
  update public.assesscount w
  set used = w.used + 1, frozen = w.frozen - 1
  where w.musercode = exam.musercode and w.plancode = exam.walletcode and w.frozen > 0
  returning w.granted - w.used - w.frozen - w.expired into available;
  if found then
    insert into public.assesscountlog (musercode, orgpath, plancode, forplan, cuserid, examcode, kind, qty, balance, time)
    values (exam.musercode, exam.orgpath, exam.walletcode, exam.plancode, respondent, code, '04', -1, available, at);
  end if;
  return newcode;
end $$;

revoke execute on all functions in schema submission from public;
grant execute on function submission.load_exam(text), submission.save_answers(text, jsonb, timestamptz) to xinli_respondent;
grant execute on function submission.submit_exam(text, jsonb, jsonb, jsonb, timestamptz) to xinli_respondent;

-- Changing the owner of the functions needs membership in the role, for these lines only.
grant xinli_submission to current_user;
grant create on schema submission to xinli_submission;
alter function submission.bind_respondent() owner to xinli_submission;
alter function submission.load_exam(text) owner to xinli_submission;
alter function submission.add_alert_answers(text, jsonb, timestamptz) owner to xinli_submission;
alter function submission.save_answers(text, jsonb, timestamptz) owner to xinli_submission;
alter function submission.submit_exam(text, jsonb, jsonb, jsonb, timestamptz) owner to xinli_submission;
revoke create on schema submission from xinli_submission;
revoke xinli_submission from current_user;

-- db/schema/90_policies.sql

-- The policies of each table. 20_access.sql explains them; access.protect() in 21_tenant_tables.sql creates them.

-- Institutions, staff, rights
select access.protect('muser', respondent => 'tenant', stats => 'tenant');
select access.protect('dept');
select access.protect('sysuser', respondent => 'tenant');
select access.protect('role', respondent => 'tenant');
select access.protect('sysuserrole', respondent => 'tenant');
select access.protect('sysuserpermission');
select access.protect('muserapp', stats => 'tenant');
select access.protect('menuoverride', shared => true);
select access.protect('setting', respondent => 'tenant');
select access.protect('notification', respondent => 'tenant');

-- Persons and teams
select access.protect('cuser', respondent => 'self', stats => 'persons');
select access.protect('cuserarchive', person => true, respondent => 'self');
select access.protect('guardian', person => true, respondent => 'self');
select access.protect('consent', person => true, respondent => 'self');
select access.protect('assessteam', respondent => 'tenant', stats => 'tenant');
select access.protect('teamroster', person => true, respondent => 'self', stats => 'persons');

-- Questionnaires, plans, entries
select access.protect('form', respondent => 'tenant', stats => 'tenant', shared => true);
select access.protect('formversion', respondent => 'tenant', shared => true);
select access.protect('quota', respondent => 'tenant', stats => 'tenant', shared => true);
select access.protect('formlicence');
select access.protect('examstage', respondent => 'tenant', stats => 'tenant', shared => true);
select access.protect('muserstage');
select access.protect('stageform', shared => true);
select access.protect('plan', respondent => 'tenant', stats => 'tenant');
select access.protect('planform', respondent => 'tenant');
select access.protect('planstage', respondent => 'tenant', stats => 'tenant');
select access.protect('muserclient', respondent => 'tenant');

-- Counts
select access.protect('assesscount', respondent => 'tenant', stats => 'tenant');
select access.protect('assesscountlog', person => true, respondent => 'self', stats => 'tenant');
select access.protect('cuserplan', person => true, respondent => 'self', stats => 'persons');
select access.protect('assesscode', person => true);

-- Exams
select access.protect('assesstask', respondent => 'tenant', stats => 'tenant');
select access.protect('taskteam', respondent => 'tenant', stats => 'tenant');
select access.protect('taskroster', person => true, respondent => 'self', stats => 'persons');
select access.protect('examrecord', person => true, respondent => 'self', stats => 'persons');
select access.protect('examform', person => true, respondent => 'self');
select access.protect('examalertanswer', person => true);
select access.protect('examresult', person => true, respondent => 'self', stats => 'persons');
select access.protect('report', person => true, respondent => 'self');

-- Warnings and the work on them
select access.protect('warning', person => true, respondent => 'self', stats => 'persons');
select access.protect('warninglog', person => true, respondent => 'self');
select access.protect('riskassess', person => true, respondent => 'self', stats => 'tenant');
select access.protect('referral', person => true, respondent => 'self');
select access.protect('followup', person => true, respondent => 'self', stats => 'persons');
select access.protect('interfere', person => true, respondent => 'self');
select access.protect('returnassess', person => true);
select access.protect('warningrule');
select access.protect('outbox', respondent => 'tenant');

-- Files, jobs, approvals
select access.protect('fileobj', respondent => 'self');
select access.protect('casefile', person => true);
select access.protect('job');
select access.protect('accessapproval');

-- Restricted staff also see a person by the owner in the row itself, so they can read a person that they have just added.
create policy restricted_staff on cuser as restrictive for select to xinli_app using (
  not (select access.is_restricted())
  or (owneruserid in (select access.visible_owners()) and not (select access.own_teams_only()))
  or cuserid in (select access.visible_cusers()));
create policy restricted_staff on assessteam as restrictive for select to xinli_app using (
  not (select access.is_restricted()) or owneruserid in (select access.visible_owners()));
-- A file of no person is visible to the account that uploaded it.
create policy restricted_staff on fileobj as restrictive for select to xinli_app using (
  not (select access.is_restricted())
  or cuserid in (select access.visible_cusers())
  or (cuserid is null and createby = (select access.current_userid())));

-- An institution sees the names of the institutions above it and the plans that they share.
create policy ancestor_names on muser for select to xinli_app using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy ancestor_plan on plan for select to xinli_app, xinli_stats, xinli_respondent
  using (iscommon = 1 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy ancestor_planform on planform for select to xinli_app, xinli_stats, xinli_respondent
  using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy ancestor_planstage on planstage for select to xinli_app, xinli_stats, xinli_respondent
  using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy builtin_roles on role for select using (isbuiltin = 1);

-- access.notify_oncall_above() finds staff on call in the institutions above, and notifies them.
create policy oncall_above_read on sysuser for select to current_user using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy oncall_above_read on sysuserrole for select to current_user using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy oncall_above_notify on notification for insert to current_user
  with check (orgpath = any ((select access.ancestor_paths())::text[]));

-- auth.current_caller() and access.is_restricted() read the rights of the live session.
create policy account_rights on muser for select to xinli_identity using (true);
create policy account_rights on sysuser for select to xinli_identity using (true);
create policy account_rights on sysuserrole for select to xinli_identity using (true);
create policy account_rights on role for select to xinli_identity using (true);
create policy account_rights on sysuserpermission for select to xinli_identity using (true);
create policy account_rights on menuoverride for select to xinli_identity using (true);

-- The audit log: every role of a request adds rows; staff read their range; only the owner's trigger moves rows.
alter table audit.log enable row level security;
alter table audit.log force row level security;
create policy add on audit.log for insert to xinli_app, xinli_respondent with check (true);
create policy tenant on audit.log for select using (orgpath >= (select access.path_from()) and orgpath < (select access.path_to()));
create policy tenant_owner on audit.log for update to current_user
  using (orgpath >= (select access.path_from()) and orgpath < (select access.path_to()))
  with check (orgpath >= (select access.path_from()) and orgpath < (select access.path_to()));
create policy seal on audit.log for select to xinli_sealer using (true);

-- Rollups: the sealer writes them, staff read their range.
create policy rollup on assesscountlog for select to xinli_sealer using (true);
do $$
declare
  in_range constant text := 'orgpath >= (select access.path_from()) and orgpath < (select access.path_to())';
  tablename text;
begin
  foreach tablename in array array['audit_by_tenant', 'audit_by_day', 'ledger_by_tenant', 'ledger_by_day'] loop
    execute format('alter table rollup.%I enable row level security', tablename);
    execute format('alter table rollup.%I force row level security', tablename);
    execute format('create policy tenant on rollup.%I for select to xinli_app using (%s)', tablename, in_range);
    execute format('create policy tenant_owner on rollup.%I to %I using (%s) with check (%3$s)', tablename, current_user, in_range);
    execute format('create policy rollup on rollup.%I to xinli_sealer using (true) with check (true)', tablename);
  end loop;
end $$;
-- Restricted staff see no sums, because the sums do not distinguish persons. The server adds up the lines that they may see.
create policy restricted_staff on rollup.ledger_by_tenant as restrictive for select to xinli_app
  using (not (select access.is_restricted()));
create policy restricted_staff on rollup.ledger_by_day as restrictive for select to xinli_app
  using (not (select access.is_restricted()));

-- db/schema/91_grants.sql

-- The rights of each role on tables, columns and functions. Policies decide the rows.

-- xinli_app: all tables; it may not change rows of append-only tables.
grant select, insert, update, delete on all tables in schema public to xinli_app;
revoke update, delete on assesscountlog from xinli_app;
revoke insert, update, delete on examalertanswer from xinli_app;
revoke delete on accessapproval, casefile, returnassess, warningrule from xinli_app;
revoke insert, update, delete on countlot from xinli_app;
grant select, insert on audit.log to xinli_app;
grant select on audit.seal to xinli_app;
grant select on all tables in schema rollup to xinli_app;
grant usage on all sequences in schema public to xinli_app;

-- Everyone reads the reference lists.
grant select on all tables in schema ref to xinli_app, xinli_stats, xinli_authn, xinli_respondent;

-- xinli_respondent: the settings of the task, the person's own rows, and notifications to staff. The functions of schema
-- submission write answers, results, reports and counts.
grant select on muser, muserclient, sysuser, role, sysuserrole, setting, form, formversion, quota, plan, planform, planstage, examstage,
  assesstask, taskteam, assessteam, assesscount, assesscountlog, examform, examresult, report to xinli_respondent;
grant insert on examform to xinli_respondent;
grant select, insert, update on cuser, cuserarchive, guardian, consent, teamroster, cuserplan, taskroster, examrecord,
  warning, warninglog, riskassess, referral, followup, interfere, fileobj to xinli_respondent;
grant select, insert on notification, outbox to xinli_respondent;
grant insert on audit.log to xinli_respondent;
grant usage on all sequences in schema public to xinli_respondent;
revoke usage on sequence accessapproval_approvalid_seq, returnassess_returnid_seq, warningrule_seq from xinli_respondent;

-- xinli_authn: accounts and sessions, before the caller is known.
grant select, insert, update, delete on auth.account, auth.session, auth.throttle, auth.totp, auth.recovery, auth.challenge to xinli_authn;
grant select, update, delete on auth.jobqueue to xinli_authn;
grant select, insert on auth.loginlog to xinli_authn;
grant select on auth.tenant, auth.specialaccount, auth.entry to xinli_authn;

-- xinli_stats: no names, no contacts, no free text.
grant select on assesstask, taskteam, taskroster, assessteam, teamroster, plan, planstage, assesscount, assesscountlog, countlot,
  cuserplan, muserapp, examstage, form, quota, examresult to xinli_stats;
grant select (musercode, orgpath, insname, shortname, musertype, sector, enabled, isdeleted, abnormalminlevel,
  provincecode, citycode, districtcode, categorylevel) on muser to xinli_stats;
grant select (cuserid, musercode, orgpath, appid, gender, birthday, mentalstate, riskflag, focus, lastexamtime,
  createtime, isdeleted) on cuser to xinli_stats;
grant select (examcode, musercode, orgpath, cuserid, appid, plancode, stagecode, taskcode, teamcode, cuserplanid, scenecode, status,
  starttime, submittime, duration, valid, overalllevel, mentalstate, hasalert, alertlevel, isabnormal, age,
  gradecode, gradename, classname, unitname, gender) on examrecord to xinli_stats;
grant select (warningcode, musercode, orgpath, cuserid, appid, source, level, initiallevel, peaklevel, state, stateat, owneruserid,
  accepttime, acceptduetime, assesstime, assessduetime, guardianduetime, guardiannotified, guardiansettled, nextfollowtime,
  raisedtime, reopentime, referred, closetime, closereason, createtime, updatetime, isdeleted) on warning to xinli_stats;
grant select (warningcode, musercode, orgpath, cuserid, time, conclusionlevel) on riskassess to xinli_stats;
grant select (followupid, musercode, orgpath, cuserid, warningcode, duetime, status, donetime, isdeleted) on followup to xinli_stats;

-- xinli_sealer: chains the audit log and updates the rollups.
grant select on audit.log to xinli_sealer;
grant select, insert on audit.seal to xinli_sealer;
grant select (musercode, orgpath, kind, qty, time, xid) on assesscountlog to xinli_sealer;
grant select, update on rollup.watermark to xinli_sealer;
grant select, insert, update on rollup.audit_by_tenant, rollup.audit_by_day, rollup.ledger_by_tenant, rollup.ledger_by_day to xinli_sealer;

-- xinli_identity: accounts and rights, no person.
grant select on auth.active_session to xinli_identity;
grant select (accountid, confirmed) on auth.totp to xinli_identity;
grant select on auth.specialaccount to xinli_identity;
grant select (musercode, parentmusercode, insname, realname, musertype, sector, codes, seedetail, mustfactor) on muser to xinli_identity;
grant select (userid, realname) on sysuser to xinli_identity;
grant select (userid, roleid) on sysuserrole to xinli_identity;
grant select (roleid, codes, datascope, mustfactor, enabled, isdeleted, isbuiltin, orgpath) on role to xinli_identity;
grant select (userid, code, effect) on sysuserpermission to xinli_identity;
grant select (menuid, enabled, isplatform) on menuoverride to xinli_identity;

-- Functions. By the default privileges no role may execute a new function.
grant execute on function access.path_from(), access.path_to(), access.current_musercode(), access.current_userid(),
  access.current_cuserid(), access.ancestor_paths(), auth.current_session(), auth.has_second_factor()
  to xinli_app, xinli_stats, xinli_respondent;
grant execute on function auth.current_respondent() to xinli_respondent;
grant execute on function access.is_restricted(), access.own_teams_only(text), access.visible_owners(text), access.visible_cusers(text),
  access.region_musercodes() to xinli_app, xinli_stats;
grant execute on function access.open_case_counts(text), access.notify_oncall_above(text, text, text, text, text, timestamptz)
  to xinli_app, xinli_respondent;
grant execute on function auth.current_caller(), auth.create_tenant_account(text, text, text), auth.create_account(text, text, interval),
  auth.create_accounts(text[], text[], interval), auth.reset_account(text, text, interval),
  auth.renew_one_time_passwords(text[], text[], interval), auth.accounts_in_use(text[]), auth.account_states(text[]),
  auth.reset_second_factor(text), auth.queue_job(uuid, int), auth.unqueue_job(uuid) to xinli_app;
grant execute on function audit.add(jsonb) to xinli_app, xinli_respondent;
grant execute on function rollup.refresh_audit(), rollup.refresh_ledger() to xinli_sealer;

-- Two functions run as xinli_identity. Changing their owner needs membership in the role, for these lines only.
grant xinli_identity to current_user;
grant create on schema auth, access to xinli_identity;
alter function auth.current_caller() owner to xinli_identity;
alter function access.is_restricted() owner to xinli_identity;
revoke create on schema auth, access from xinli_identity;
revoke xinli_identity from current_user;
