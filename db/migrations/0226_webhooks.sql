-- 事件推送: the events of an institution for its own systems, and their deliveries.

-- An address of an institution that gets its events.
create table webhook (
  webhookid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  url text not null,
  events text[] not null check (events <@ array['sheet.submitted', 'case.opened', 'case.closed']),
  enabled smallint not null default 1 check (enabled in (0, 1)),
  disabledwhy text not null default '' check (disabledwhy in ('', 'staff', 'gone', 'failing')),
  secretsealed text not null,  -- the key of the signature, encrypted
  oldsecretsealed text,  -- the earlier key, which signs too until `oldsecretuntil`
  oldsecretuntil timestamptz,
  failingsince timestamptz,  -- since when no attempt has succeeded
  successtime timestamptz,
  createtime timestamptz not null
);
create index webhook_musercode_idx on webhook (musercode);
select access.follow_tenant('webhook');
select access.track_edits('webhook', 'url,events,enabled');

-- What an address gets. The transaction of the event writes it; a job sends it until one attempt succeeds.
-- Waiting: `nexttime` is set. Sent: `donetime` is set. Neither: the server gave up.
create table webhookdelivery (
  deliveryid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  webhookid bigint not null references webhook on delete cascade,
  eventid text not null,  -- the same in every attempt
  event text not null,
  eventtime timestamptz not null,
  facts jsonb not null,  -- ids and a level; no name, score, contact or text
  attempts int not null default 0,
  nexttime timestamptz,
  donetime timestamptz,
  answer smallint,  -- the status of the last HTTP answer; null without one
  lasterror text not null default ''
);
create index webhookdelivery_nexttime_idx on webhookdelivery (nexttime) where nexttime is not null;
create index webhookdelivery_webhookid_idx on webhookdelivery (webhookid, eventtime desc);
create index webhookdelivery_orgpath_idx on webhookdelivery (orgpath, eventtime desc);
select access.follow_tenant('webhookdelivery');

select access.protect('webhook');
select access.protect('webhookdelivery');
grant select, insert, update, delete on webhook, webhookdelivery to xinli_app;
grant usage on sequence webhook_webhookid_seq, webhookdelivery_deliveryid_seq to xinli_app;

-- Adds an event for the addresses of an institution that ask for it. A respondent's session must add it too, so it runs as the owner.
create function access.add_event(code text, name text, facts jsonb, at timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  newid text := 'evt_' || replace(gen_random_uuid()::text, '-', '');
begin
  insert into public.webhookdelivery (musercode, orgpath, webhookid, eventid, event, eventtime, facts, nexttime)
  select h.musercode, h.orgpath, h.webhookid, newid, add_event.name, at, jsonb_strip_nulls(add_event.facts), at
  from public.webhook h
  where h.musercode = code and h.enabled = 1 and add_event.name = any (h.events);
end $$;

-- A sheet is handed in.
create function access.add_sheet_event() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform access.add_event(new.musercode, 'sheet.submitted', jsonb_build_object('taskid', new.taskcode, 'sheetid', new.examcode),
    coalesce(new.submittime, now()));
  return null;
end $$;
create trigger add_event after update of status on examrecord for each row when (old.status in (0, 1) and new.status = 2)
  execute function access.add_sheet_event();

-- A case is opened, opened again, or closed. A case that suspects a colleague is left out: the colleague may read the other system.
create function access.add_case_event() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if cardinality(new.suspectuserids) = 0 then
    perform access.add_event(new.musercode, case when new.state in ('07', '08') then 'case.closed' else 'case.opened' end,
      jsonb_build_object('caseid', new.warningcode, 'sheetid', new.examcode, 'level', new.level), new.stateat);
  end if;
  return null;
end $$;
create trigger add_opened after insert on warning for each row execute function access.add_case_event();
create trigger add_changed after update of state on warning for each row
  when ((old.state in ('07', '08')) <> (new.state in ('07', '08'))) execute function access.add_case_event();
