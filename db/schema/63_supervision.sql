-- 督办 (docs/decisions/0071): an authority asks an institution with overdue duties to settle them, and the institution answers.
-- The rows belong to the institution; the authority sees its own too. No row names a person.

create table supervision (
  supervisionid bigint generated always as identity primary key,
  musercode text not null,  -- the institution that answers
  orgpath text collate "C" not null,
  authoritycode text not null,
  authoritypath text collate "C" not null,
  authorityname text not null,
  state text not null check (state in ('01', '02', '03')),  -- 01 待回复, 02 已回复, 03 已办结
  duedate date not null,  -- the last day for the answer
  createtime timestamptz not null,
  replytime timestamptz,  -- of the last answer
  islate smallint not null default 0,  -- 1: an answer came after its last day
  closetime timestamptz,
  foreign key (authoritycode, authoritypath) references muser (musercode, orgpath) on update cascade
);
-- A second 督办 joins the open one.
create unique index supervision_open on supervision (orgpath, authoritycode) where state <> '03';
create index supervision_authoritypath_idx on supervision (authoritypath, createtime desc);
select access.follow_tenant('supervision');

-- The steps of a 督办, only added.
create table supervisionstep (
  stepid bigint generated always as identity primary key,
  supervisionid bigint not null references supervision,
  musercode text not null,
  orgpath text collate "C" not null,
  authoritycode text not null,
  authoritypath text collate "C" not null,
  kind text not null check (kind in ('open', 'join', 'reply', 'return', 'close')),
  content text not null,
  duedate date,  -- the last day that the step sets
  islate smallint not null default 0,
  insname text not null,
  operatorname text not null,
  time timestamptz not null,
  foreign key (authoritycode, authoritypath) references muser (musercode, orgpath) on update cascade
);
create index supervisionstep_supervisionid_idx on supervisionstep (supervisionid, stepid);
select access.follow_tenant('supervisionstep');

-- The overdue duties of the institution when the 督办 was opened. The authority adds the row and cannot read it.
create table supervisioncount (
  supervisionid bigint primary key references supervision,
  musercode text not null,
  orgpath text collate "C" not null,
  overdue int not null
);
select access.follow_tenant('supervisioncount');

-- Returns the accounts of an institution that get a 督办: its own, its administrators and its staff with 预警处置. Runs as
-- xinli_identity: without policies.
create function access.supervised_accounts(code text) returns table (musercode text, userid text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select code, null::text
  union all
  select u.musercode, u.userid from public.sysuser u
  where u.musercode = code and u.enabled = 1 and u.isdeleted = 0
    and (exists (select from public.sysuserrole ur join public.role r on r.roleid = ur.roleid
        where ur.userid = u.userid and r.enabled = 1 and r.isdeleted = 0 and (r.rolekey = 'insadmin' or '00014' = any (r.codes)))
      or exists (select from public.sysuserpermission p where p.userid = u.userid and p.code = '00014' and p.effect = 'grant'))
    and not exists (select from public.sysuserpermission p where p.userid = u.userid and p.code = '00014' and p.effect = 'deny');
end $$;

-- Notifies the accounts of an institution of the authority's region, each once per key.
create function access.notify_supervised(code text, notetitle text, notecontent text, notelink text, key text, at timestamptz)
returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.notification (musercode, userid, kind, title, content, link, dedupekey, createtime)
  select a.musercode, a.userid, 'supervision', notetitle, notecontent, notelink,
    notify_supervised.key || ':' || coalesce(a.userid, a.musercode), at
  from access.supervised_accounts(code) a
  where a.musercode in (select access.region_musercodes())
  on conflict do nothing;
end $$;

-- Notifies the accounts of an authority of the caller's institution, each once per key.
create function access.notify_supervisor(code text, notetitle text, notecontent text, notelink text, key text, at timestamptz)
returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.notification (musercode, userid, kind, title, content, link, dedupekey, createtime)
  select a.musercode, a.userid, 'supervision', notetitle, notecontent, notelink,
    notify_supervisor.key || ':' || coalesce(a.userid, a.musercode), at
  from auth.account a
    join auth.tenant t on t.musercode = a.musercode and t.musertype = '003'
  where a.musercode = code and a.enabled = 1
  on conflict do nothing;
end $$;

-- Returns what a text says of persons of the caller's institution: their names, numbers, and the names of their guardians. The text
-- has no spaces. Data scopes do not restrict it: an answer names nobody, whether its author sees the person or not.
create function access.persons_named(words text) returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select distinct n.name
  from (
    select regexp_replace(c.username, '[\s·•.]', '', 'g') as name from public.cuser c
    where c.musercode = access.current_musercode() and c.anonymizedtime is null
    union all
    select regexp_replace(g.name, '[\s·•.]', '', 'g') from public.guardian g where g.musercode = access.current_musercode()
    union all
    select a.studentno from public.cuserarchive a where a.musercode = access.current_musercode() and length(a.studentno) >= 5) n
  where length(n.name) >= 2 and strpos(words, n.name) > 0;
end $$;
