-- Adds the sessions of screens (数据大屏) and the codes that open them.
alter table auth.session add column screenname text;  -- the name that its account gave to a screen
alter table auth.session
  drop constraint session_kind_check,
  drop constraint session_check,
  add constraint session_kind_check check (kind in ('staff', 'respondent', 'system', 'screen')),
  add constraint session_check check ((kind in ('staff', 'screen')) = (accountid is not null)),
  add constraint session_check3 check ((kind = 'screen') = (screenname is not null));

-- Codes that open a screen, each once and for some minutes. The code itself is not stored.
create table auth.screencode (
  codehash text primary key,
  accountid text not null references auth.account on delete cascade,
  screenname text not null,
  createtime timestamptz not null default now(),
  expiretime timestamptz not null
);
create index screencode_accountid_idx on auth.screencode (accountid);
grant select, insert, update, delete on auth.screencode to xinli_authn;

drop function auth.current_caller();
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
  parenthash text
)
language plpgsql stable security definer set search_path = '' rows 1 as $$
begin
  return query
  select s.kind, s.accountid, s.musercode, s.userid, coalesce(u.realname, m.realname, m.insname), m.musertype, m.sector, m.codes,
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
    ceil(extract(epoch from now() - s.stepuptime))::int,
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
  where s.kind = any (kinds) and s.kind in ('staff', 'screen');
end $$;
grant execute on function auth.current_caller(text[]) to xinli_app;
grant xinli_identity to current_user;
grant create on schema auth to xinli_identity;
alter function auth.current_caller(text[]) owner to xinli_identity;
revoke create on schema auth from xinli_identity;
revoke xinli_identity from current_user;
