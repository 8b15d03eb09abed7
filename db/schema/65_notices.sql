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
  readtime timestamptz,
  warningcode text,  -- the case of a notice about a case
  infokind smallint check (infokind between 2 and 5),  -- how much a notice about a case says: ②–⑤ of clinical-rules.md B
  remindtime timestamptz,  -- when the server last reminded of the unread notice
  remindcount int not null default 0,
  -- when the channels outside the console may take the message; null: taken
  sendtime timestamptz default '-infinity'
);
create index notification_sendtime_idx on notification (sendtime) where sendtime is not null;
create index notification_userid_readtime_createtime_idx on notification (userid, readtime, createtime desc);
create index notification_musercode_userid_createtime_idx on notification (musercode, userid, createtime desc);
create index notification_warningcode_idx on notification (warningcode) where warningcode is not null;
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

-- 待拨清单: short messages and calls that staff make by hand, because the installation has no gateway for them.
create table calllist (
  callid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  userid text not null,  -- the member of staff to reach
  phonemasked text not null default '',  -- the number at that time, covered
  kind text not null check (kind in ('sms', 'call')),
  warningcode text not null,
  text text not null,  -- what to say; names nobody
  createtime timestamptz not null,
  acktime timestamptz,
  ackby text,  -- account
  ackname text not null default ''
);
create index calllist_pending_idx on calllist (orgpath, createtime) where acktime is null;
select access.follow_tenant('calllist');

-- The hours in which an account's messages that are not urgent wait. An account without a row has the default of
-- domain/notice/quietHours.ts.
create table noticequiet (
  accountid text primary key,  -- a userid, or the institution's own account
  musercode text not null,
  orgpath text collate "C" not null,
  ison smallint not null,
  quietfrom text not null,  -- HH:mm, Shanghai
  quietuntil text not null,
  updatetime timestamptz not null default now()
);
select access.follow_tenant('noticequiet');
select access.track_edits('noticequiet', 'ison,quietfrom,quietuntil');

-- A channel of an institution outside the console: mail by SMTP, or a webhook.
create table noticechannel (
  musercode text,
  orgpath text collate "C" not null,
  channel text check (channel in ('mail', 'webhook')),
  enabled smallint not null,
  config jsonb not null,  -- the settings without the secret
  secretsealed text not null,  -- the password or the key of the signature, encrypted
  updatetime timestamptz not null default now(),
  primary key (musercode, channel)
);
select access.follow_tenant('noticechannel');
select access.track_edits('noticechannel', 'enabled,config.*,secretsealed', true);

-- The messages of the channels. A job makes them of new notifications and sends them until one attempt succeeds.
-- Waiting: `nexttime` is set. Sent: `donetime` is set. Neither: the server gave up.
create table channelmessage (
  messageid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  channel text not null check (channel in ('mail', 'webhook')),
  userid text,  -- the recipient of a mail; null: the mailbox of the institution, or a webhook
  noticegroup text not null check (noticegroup in ('warning', 'task', 'approval', 'system')),
  noticecount int not null,  -- new messages; those about one case are one
  createtime timestamptz not null,
  attempts int not null default 0,
  nexttime timestamptz,
  donetime timestamptz,
  lasterror text not null default ''
);
create index channelmessage_nexttime_idx on channelmessage (nexttime) where nexttime is not null;
create index channelmessage_orgpath_createtime_idx on channelmessage (orgpath, createtime desc);
select access.follow_tenant('channelmessage');

-- Background jobs that fail at present, for the operator's workbench. A success deletes the row. `musercode` is the platform.
create table jobfailure (
  jobname text primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  failures int not null,
  firsttime timestamptz not null,
  lasttime timestamptz not null,
  lasterror text not null
);
select access.follow_tenant('jobfailure');

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

-- Returns how closely an authority covers an institution: 4 it stands above it, 3 same district, 2 city, 1 province, 0 not at all.
create function access.authority_rank(authority auth.tenant, institution auth.tenant) returns int
language plpgsql immutable set search_path = '' as $$
begin
  return case
    when authority.musertype <> '003' or authority.musercode = institution.musercode then 0
    when starts_with(institution.orgpath, authority.orgpath) then 4
    when authority.sector <> institution.sector then 0
    when authority.districtcode is not null then case when authority.districtcode = institution.districtcode then 3 else 0 end
    when authority.citycode is not null then case when authority.citycode = institution.citycode then 2 else 0 end
    when authority.provincecode is not null then case when authority.provincecode = institution.provincecode then 1 else 0 end
    else 0 end;
end $$;

-- Returns the paths of the authorities of the institutions in the caller's range.
create function access.authority_paths() returns text[] language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select a.orgpath
    from auth.tenant a
    where a.musertype = '003' and exists (
      select from auth.tenant t
      where t.orgpath >= (select access.path_from()) and t.orgpath < (select access.path_to()) and access.authority_rank(a, t) > 0));
end $$;

-- Returns the accounts that get an institution's notices at a node above it. The institution must lie in the caller's range.
--   provider   the nearest provider, or the platform: its staff on duty, else its able staff, else its own account
--   operator   the platform, in the same order
--   authority  the accounts of the authority that covers the institution most closely
create function access.receivers_above(code text, target text, at timestamptz) returns table (musercode text, userid text)
language plpgsql stable security definer set search_path = '' as $$
declare
  own auth.tenant;
  above auth.tenant;
begin
  select t.* into own from auth.tenant t
  where t.musercode = code and t.orgpath >= access.path_from() and t.orgpath < access.path_to();
  if own.musercode is null then
    return;
  end if;
  if target = 'authority' then
    select a.* into above from auth.tenant a
    where a.musertype = '003' and a.enabled = 1 and access.authority_rank(a, own) > 0
    order by access.authority_rank(a, own) desc, a.musercode
    limit 1;
    return query select a.musercode, a.userid from auth.account a where a.musercode = above.musercode and a.enabled = 1;
    return;
  end if;
  select t.* into above from auth.tenant t
  where starts_with(own.orgpath, t.orgpath) and t.musercode <> own.musercode
    and (t.musertype = '001' or (t.musertype = '002' and t.enabled = 1 and target = 'provider'))
  order by length(t.orgpath) desc
  limit 1;
  if above.musercode is null then
    return;
  end if;
  return query
  with able as (
    select u.userid, u.duty = 1 or bool_or(r.rolekey = 'warningduty') as onduty
    from public.sysuser u
      join public.sysuserrole ur on ur.userid = u.userid
      join public.role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0 and '00014' = any (r.codes)
    where u.musercode = above.musercode and u.enabled = 1 and u.isdeleted = 0 and u.isshared = 0
      and (u.absentuntil is null or u.absentuntil <= at)
    group by u.userid, u.duty)
  select above.musercode, a.userid from able a where a.onduty or not exists (select from able b where b.onduty)
  union all select above.musercode, null::text where not exists (select from able);
end $$;

-- Notifies the accounts at a node above an institution, each once per key. Returns the number of new notices.
create function access.notify_above(
  code text,
  target text,
  notekind text,
  notetitle text,
  notecontent text,
  notelink text,
  key text,
  at timestamptz,
  casecode text,
  contentkind smallint
) returns bigint language plpgsql volatile security definer set search_path = '' as $$
declare
  notified bigint;
begin
  insert into public.notification (musercode, userid, kind, title, content, link, dedupekey, createtime, warningcode, infokind)
  select r.musercode, r.userid, notekind, notetitle, notecontent, notelink,
    notify_above.key || ':' || coalesce(r.userid, r.musercode), at, casecode, contentkind
  from access.receivers_above(code, target, at) r
  on conflict do nothing;
  get diagnostics notified = row_count;
  return notified;
end $$;

-- Counts a reminder of the unread full notices (④) about a case in the institutions above, if the last one is older than `before`.
create function access.remind_above(casecode text, before timestamptz, at timestamptz) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  reminded bigint;
begin
  update public.notification n set remindtime = at, remindcount = n.remindcount + 1, sendtime = at
  where n.warningcode = casecode and n.kind = 'warning' and n.infokind = 4 and n.readtime is null
    and coalesce(n.remindtime, n.createtime) <= before
    and n.orgpath = any ((select access.ancestor_paths())::text[]) and n.orgpath <> (select access.path_from());
  get diagnostics reminded = row_count;
  return reminded;
end $$;
