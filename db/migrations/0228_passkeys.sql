-- Passkeys beside the password and the codes of an authenticator app.

create table auth.passkey (
  passkeyid text primary key default left(replace(gen_random_uuid()::text, '-', ''), 16),
  accountid text not null references auth.account on delete cascade,
  passkeyname text not null,
  credentialid text not null unique,
  publickey text not null,
  userhandle text not null,
  rpid text not null,
  counter bigint not null,
  transports text[] not null default '{}',
  isbackedup smallint not null default 0,
  createtime timestamptz not null default now(),
  lasttime timestamptz
);
create index passkey_accountid_idx on auth.passkey (accountid);

create table auth.passkeychallenge (
  challengehash text primary key,
  purpose text not null check (purpose in ('add', 'signin', 'second', 'stepup')),
  accountid text references auth.account on delete cascade,
  createtime timestamptz not null default now(),
  check ((purpose = 'signin') = (accountid is null))
);
create index passkeychallenge_accountid_idx on auth.passkeychallenge (accountid) where accountid is not null;

grant select, insert, update, delete on auth.passkey, auth.passkeychallenge to xinli_authn;
grant select (accountid) on auth.passkey to xinli_identity;

create or replace function auth.account_states(userids text[])
returns table (accountid text, mustchangepwd smallint, lapsed boolean, secondfactor boolean)
language plpgsql stable security definer set search_path = '' rows 20 as $$
begin
  return query
  select a.accountid, a.mustchangepwd, coalesce(a.pwdexpire < now(), false),
    exists (select from auth.totp f where f.accountid = a.accountid and f.confirmed is not null)
      or exists (select from auth.passkey p where p.accountid = a.accountid)
  from auth.account a join auth.tenant t on t.musercode = a.musercode
  where a.accountid = any (userids) and t.orgpath >= (select access.path_from()) and t.orgpath < (select access.path_to());
end $$;

create or replace function auth.has_second_factor() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from auth.active_session s
    where exists (select from auth.totp f where f.accountid = s.accountid and f.confirmed is not null)
      or exists (select from auth.passkey p where p.accountid = s.accountid));
end $$;

create or replace function auth.reset_second_factor(account text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.account a join auth.tenant t on t.musercode = a.musercode cross join auth.staff_range() r
  where a.accountid = account and t.orgpath >= r.lo and t.orgpath < r.hi
  for no key update of a;
  if not found then raise exception 'no such account'; end if;
  delete from auth.totp where accountid = account;
  delete from auth.recovery where accountid = account;
  delete from auth.passkey where accountid = account;
  delete from auth.passkeychallenge where accountid = account;
  update auth.session set revoked = now() where accountid = account and revoked is null;
end $$;

grant xinli_identity to current_user;
grant create on schema auth to xinli_identity;
create or replace function auth.current_caller(kinds text[] default '{staff}') returns table (
  kind text,
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
  stepupage int,
  secondsleft int,
  loginasby text,
  tokenhash text,
  parenthash text,
  keyid text,
  keyname text,
  keyscopes text[],
  keypermin int
)
language plpgsql stable security definer set search_path = '' rows 1 as $$
begin
  return query
  select s.kind, coalesce(s.accountid, s.musercode), s.musercode, s.userid, coalesce(u.realname, m.realname, m.insname), m.musertype,
    m.sector, m.codes,
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
    coalesce(s.mustchangepwd, 0) = 1,
    m.mustfactor = 1 or coalesce(r.mustfactor, false),
    exists (select from auth.totp f where f.accountid = s.accountid and f.confirmed is not null)
      or exists (select from auth.passkey p where p.accountid = s.accountid),
    ceil(extract(epoch from now() - s.stepuptime))::int,
    greatest(0, extract(epoch from s.expiretime - now()))::int,
    s.loginasby, s.tokenhash, s.parenthash, left(s.tokenhash, 16), k.keyname, k.scopes, k.permin
  from auth.active_session s
    join public.muser m on m.musercode = s.musercode
    left join public.sysuser u on u.userid = s.userid
    left join auth.specialaccount x on x.musercode = s.musercode
    left join auth.apikey k on k.tokenhash = s.tokenhash
    left join lateral (
      select string_agg(array_to_string(o.codes, ','), ',') as codes, bool_or(o.mustfactor = 1) as mustfactor,
        bool_or(o.datascope <> 1) as restricted, bool_or(o.datascope = 5) as ownteamsonly
      from public.sysuserrole ur join public.role o on o.roleid = ur.roleid
      where ur.userid = s.userid and o.enabled = 1 and o.isdeleted = 0
        and (o.isbuiltin = 1 or (o.orgpath >= s.orgpath and o.orgpath < left(s.orgpath, -1) || '/'))) r on true
  where s.kind = any (kinds) and s.kind in ('staff', 'screen', 'key');
end $$;
revoke create on schema auth from xinli_identity;
revoke xinli_identity from current_user;
