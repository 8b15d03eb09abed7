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
