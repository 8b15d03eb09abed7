-- Messages leave the console by mail and webhook; quiet hours of each account; approvals are a group of their own.
alter table notification add column sendtime timestamptz;
alter table notification alter column sendtime set default '-infinity';
create index notification_sendtime_idx on notification (sendtime) where sendtime is not null;
alter table notification no force row level security;
update notification set kind = 'approval' where kind = 'system' and link = '/approvals';
alter table notification force row level security;

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

select access.protect('noticequiet');
select access.protect('noticechannel');
select access.protect('channelmessage');
select access.protect('jobfailure');
grant select, insert, update, delete on noticequiet, noticechannel, channelmessage, jobfailure to xinli_app;
grant usage on sequence channelmessage_messageid_seq to xinli_app;

-- Counts a reminder of the unread full notices (④) about a case in the institutions above, if the last one is older than `before`.
create or replace function access.remind_above(casecode text, before timestamptz, at timestamptz) returns bigint
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
