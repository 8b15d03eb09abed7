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
  expiredate date,
  trustdevice smallint not null default 0
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
create index account_musercode_idx on auth.account (musercode);

-- Sessions.
create table auth.session (
  tokenhash text primary key,  -- SHA-256 of the token; the token itself is not stored
  -- system: the server works within one institution, for five minutes at most; screen: a display of figures (数据大屏);
  -- key: another system with an API key (对接密钥) of an institution
  kind text not null check (kind in ('staff', 'respondent', 'system', 'screen', 'key')),
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
  stepuptime timestamptz,  -- time of the last step-up, or of the last use within its minutes
  loginasby text,  -- the account that acts in this one
  loginasreason text,
  revoked timestamptz,
  parenthash text,  -- the session that started acting
  -- names the session on screens; stays the same when the token changes; is no secret
  sessionid text not null default left(replace(gen_random_uuid()::text, '-', ''), 16),
  screenname text,  -- the name that its account gave to a screen
  check ((kind in ('staff', 'screen')) = (accountid is not null)),
  check ((kind = 'respondent') = (cuserid is not null)),
  check ((parenthash is null) = (loginasby is null)),
  check ((kind = 'screen') = (screenname is not null))
);
create index session_accountid_idx on auth.session (accountid);
create index session_cuserid_idx on auth.session (cuserid);
create index session_musercode_idx on auth.session (musercode);
create index session_parenthash_idx on auth.session (parenthash) where parenthash is not null;

-- API keys (对接密钥): sessions of another system, which acts as the institution. The key itself is not stored.
create table auth.apikey (
  tokenhash text primary key references auth.session on delete cascade,
  keyname text not null,
  prefix text not null,  -- the first characters, by which the institution tells its keys apart
  scopes text[] not null,  -- groups of calls: src/contract/apikey/openToKeys.ts
  permin int not null check (permin between 1 and 600),  -- most calls in a minute
  createby text not null  -- the name of the account that made it
);

-- Codes that open a screen, each once and for some minutes. The code itself is not stored.
create table auth.screencode (
  codehash text primary key,
  accountid text not null references auth.account on delete cascade,
  screenname text not null,
  createtime timestamptz not null default now(),
  expiretime timestamptz not null
);
create index screencode_accountid_idx on auth.screencode (accountid);

-- The address of an account's calendar for other programs (iCalendar). A new address ends the former.
create table auth.calendarfeed (
  accountid text primary key references auth.account on delete cascade,
  secrethash text not null unique,  -- SHA-256 of the secret in the address
  createtime timestamptz not null default now(),
  lasttime timestamptz  -- when a program last read it
);

-- Failed sign-ins by name and by address. An unknown name counts like any other.
create table auth.throttle (
  key text primary key,
  failures int not null,
  since timestamptz not null,
  until timestamptz
);

-- What is left for calls that prove something before a sign-in, by address and name. All servers share it.
create table auth.callbudget (
  key text primary key,  -- keyed hash: neither address nor name can be read
  tokens double precision not null,
  time timestamptz not null
);

-- Work that one server at a time does: a recurring job, writing to an upload. A holder that died loses it at expiretime.
create table auth.lease (
  name text primary key,
  holder uuid not null,
  expiretime timestamptz not null,
  isasked boolean not null default false  -- somebody else waits for it
);

-- A value that only the key of the data folder gives. The server refuses to start with another key.
create table auth.keycheck (
  isonly boolean primary key default true check (isonly),
  value text not null,
  resealed text,  -- the key state and lists for which every row is sealed; null until the first pass has ended
  since timestamptz  -- since when the present key is the current one; null for the first key
);

-- The keys of each running server, for a change of the key. A server writes its row every few seconds.
create table auth.keyserver (
  serverid uuid primary key,
  name text not null,  -- host and process, for messages
  knows text[] not null,  -- check values of its keys
  current text not null,  -- check value of the key that it writes with
  seentime timestamptz not null
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

-- Passkeys (WebAuthn). Only the public half is here; the device holds the private one.
create table auth.passkey (
  passkeyid text primary key default left(replace(gen_random_uuid()::text, '-', ''), 16),
  accountid text not null references auth.account on delete cascade,
  passkeyname text not null,  -- the name that its owner gave it
  credentialid text not null unique,  -- chosen by the device, base64url
  publickey text not null,  -- COSE key, base64url
  userhandle text not null,  -- random, the same for all passkeys of an account: the device returns it
  rpid text not null,  -- host for which the device made it
  counter bigint not null,  -- uses that the device reported last; 0 for devices that do not count
  transports text[] not null default '{}',
  isbackedup smallint not null default 0,  -- the device copies it to the owner's other devices
  createtime timestamptz not null default now(),
  lasttime timestamptz
);
create index passkey_accountid_idx on auth.passkey (accountid);

-- Trusted devices (可信设备): browsers in which the password alone signs an account in, for 30 days from a second factor. A change of the
-- password ends them, because createtime is then before account.pwdtime.
create table auth.trusteddevice (
  deviceid text primary key default left(replace(gen_random_uuid()::text, '-', ''), 16),
  accountid text not null references auth.account on delete cascade,
  cookiehash text not null,  -- SHA-256 of the cookie that the last sign-in in that browser set
  ip text,
  useragent text,
  createtime timestamptz not null default now(),
  lasttime timestamptz not null default now(),
  unique (accountid, cookiehash)
);
create index trusteddevice_cookiehash_idx on auth.trusteddevice (cookiehash);

-- Challenges that a passkey signs, each once and within three minutes.
create table auth.passkeychallenge (
  challengehash text primary key,
  purpose text not null check (purpose in ('add', 'signin', 'second', 'stepup')),
  accountid text references auth.account on delete cascade,  -- null for a sign-in without a name
  createtime timestamptz not null default now(),
  check ((purpose = 'signin') = (accountid is null))
);
create index passkeychallenge_accountid_idx on auth.passkeychallenge (accountid) where accountid is not null;

-- The live session of the transaction, or no row when it is unknown, expired, revoked, idle or disabled.
-- The server names the session by two settings of its transaction: app.session (hash of the token) and app.bound (hash of
-- the cookie). Both are hashes of secrets, and no role that runs requests can write auth.session. So a forged
-- setting finds no row, and no row means no access.
-- A session or a step-up from the future began while the clock was ahead. It is void: otherwise it would last until the clock is there.
create view auth.active_session as
  select s.tokenhash, s.kind, s.musercode, s.accountid, s.cuserid, a.userid, a.mustchangepwd, t.orgpath,
    s.loginasby, s.parenthash, s.expiretime,
    case when s.stepuptime <= now() + interval '1 minute' then s.stepuptime end as stepuptime
  from auth.session s
    join auth.tenant t on t.musercode = s.musercode
    left join auth.account a on a.accountid = s.accountid
  where s.tokenhash = nullif(current_setting('app.session', true), '')
    and s.revoked is null and s.expiretime > now() and s.lastseen + s.idle > now()
    and s.createtime <= now() + interval '5 minutes'
    -- The server itself works on while cases are open. Staff have 30 more days for their cases (收尾模式).
    and (s.kind = 'system' or t.enabled = 1 and (t.expiredate is null
      or t.expiredate + case s.kind when 'staff' then 30 else 0 end >= (now() at time zone 'Asia/Shanghai')::date))
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

-- Returns a mark of the caller with its rights and range, which changes when one of them does; null without a live session of staff or of
-- a screen or a key. A replica with another mark does not know the session or its rights yet (src/server/replica/replica.ts).
create function auth.caller_mark() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select md5(concat(to_jsonb(c) - 'stepupage' - 'secondsleft', (select s.orgpath from auth.active_session s)))
    from auth.current_caller('{staff,screen,key}') c);
end $$;
