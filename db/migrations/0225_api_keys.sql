-- API keys of institutions (对接密钥): sessions of another system.

alter table auth.session
  drop constraint session_kind_check,
  add constraint session_kind_check check (kind in ('staff', 'respondent', 'system', 'screen', 'key'));

create table auth.apikey (
  tokenhash text primary key references auth.session on delete cascade,
  keyname text not null,
  prefix text not null,
  scopes text[] not null,
  permin int not null check (permin between 1 and 600),
  createby text not null
);
grant select, insert, update, delete on auth.apikey to xinli_authn;
grant select on auth.apikey to xinli_identity;

grant xinli_identity to current_user;
grant create on schema auth to xinli_identity;
drop function auth.current_caller(text[]);
-- Returns the account of the live session with its current rights; no row unless the session is of one of these kinds.
-- `rolecodes` are the codes of all roles; src/server/dispatch/caller.ts computes the effective codes.
create function auth.current_caller(kinds text[] default '{staff}') returns table (
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
    exists (select from auth.totp f where f.accountid = s.accountid and f.confirmed is not null),
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
grant execute on function auth.current_caller(text[]) to xinli_app;
alter function auth.current_caller(text[]) owner to xinli_identity;

create or replace function auth.caller_mark() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select md5(concat(to_jsonb(c) - 'stepupage' - 'secondsleft', (select s.orgpath from auth.active_session s)))
    from auth.current_caller('{staff,screen,key}') c);
end $$;
revoke create on schema auth from xinli_identity;
revoke xinli_identity from current_user;
