-- The chain of the case log, and the tables of 零漏报对账 (src/features/warning/reconcile).

-- A copy of the facts of each log line, without a foreign key to the case: it stays when a case and its log are removed.
create table casewitness (
  warningcode text not null,
  seq int not null,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  state text,  -- the new state; null when the line changed no state
  level smallint,  -- the new level; null when the line changed no level
  owneruserid text,
  examcode text,  -- the exam of a trigger
  triggerlevel smallint,
  hash text not null,
  time timestamptz not null,
  primary key (warningcode, seq)
);
create index casewitness_musercode_warningcode_idx on casewitness (musercode, warningcode, seq desc);
create index casewitness_examcode_idx on casewitness (examcode) where examcode is not null;
select access.follow_tenant('casewitness');

-- One comparison of one institution.
create table reconcilerun (
  musercode text not null,
  orgpath text collate "C" not null,
  kind text not null check (kind in ('hourly', 'nightly')),
  fromtime timestamptz not null,
  totime timestamptz not null,
  sheets int not null,
  cases int not null,
  differences int not null,
  difflist jsonb not null default '[]',  -- the differences in words
  tablehash text not null,  -- SHA-256 of the table that judged the answers
  primary key (musercode, totime, kind)
);
select access.follow_tenant('reconcilerun');

-- A difference that a comparison found. It stays open until staff have looked into it.
create table reconcilediff (
  musercode text not null,
  orgpath text collate "C" not null,
  diffkey text not null,  -- the same difference has the same key in every comparison
  kind text not null,
  warningcode text,
  examcode text,
  cuserid text,
  level smallint,  -- the expected level
  content text not null,
  foundtime timestamptz not null,
  raisedcode text,  -- the case that was opened or raised anew
  authoritytime timestamptz,  -- when the authority was notified, 24 hours after the finding
  settletime timestamptz,
  settleby text,
  settlebyname text,
  settlenote text not null default '',
  primary key (musercode, diffkey)
);
create index reconcilediff_settletime_idx on reconcilediff (foundtime) where settletime is null;
select access.follow_tenant('reconcilediff');

-- Returns the SHA-256 of a log line and of the line before it. The path is left out: it changes when an institution moves. Of a sealed
-- text it takes the commitment only, so the text can be sealed again with another key (docs/decisions/0103).
create function access.caselog_hash(line warninglog) returns text language sql stable set search_path = '' as $$
  select encode(sha256(convert_to(regexp_replace(jsonb_build_array(
    line.prevhash, line.warningcode, line.seq, line.cuserid, line.musercode, line.action, line.fromstate, line.tostate,
    line.fromlevel, line.tolevel, line.content, line.attach, line.contactresult, line.detail, line.operator, line.operatorname,
    line.owneruserid, (extract(epoch from line.time) * 1000000)::bigint)::text,
    'sealed\.1\.[A-Za-z0-9_-]{8}\.([A-Za-z0-9_-]{43})\.[A-Za-z0-9_-]+\.', 'sealed.\1', 'g'), 'UTF8')), 'hex')
$$;

-- Trigger: numbers a new line of a case, links it to the line before it and copies its facts to casewitness. It locks the case,
-- so concurrent lines wait for each other. It continues after the last number even when somebody has removed lines.
create function access.chain_caselog() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  caseowner text;
  last record;
begin
  select w.owneruserid into caseowner from public.warning w where w.warningcode = new.warningcode for no key update;
  select s.seq, s.hash, s.owneruserid into last from public.casewitness s
  where s.warningcode = new.warningcode order by s.seq desc limit 1;
  new.seq := coalesce(last.seq, 0) + 1;
  new.prevhash := coalesce(last.hash, '');
  new.owneruserid := coalesce(new.owneruserid, case when new.tostate is null then last.owneruserid else caseowner end);
  new.hash := access.caselog_hash(new);
  insert into public.casewitness (warningcode, seq, cuserid, musercode, orgpath, state, level, owneruserid, examcode, triggerlevel,
    hash, time)
  values (new.warningcode, new.seq, new.cuserid, new.musercode, access.path_of(new.musercode),
    case when new.tostate is distinct from new.fromstate then new.tostate end,
    case when new.tolevel is distinct from new.fromlevel then new.tolevel end,
    new.owneruserid, new.detail->'trigger'->>'examcode', (new.detail->'trigger'->>'level')::smallint, new.hash, new.time);
  return new;
end $$;
create trigger chain_caselog before insert on warninglog for each row execute function access.chain_caselog();

-- Trigger: refuses to remove rows.
create function access.refuse_removal() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'rows of % are never removed', tg_table_name;
end $$;
-- Trigger: refuses every change but a new path, which follows an institution that moves, and new seals of the same texts.
create function access.allow_path_change() returns trigger language plpgsql set search_path = '' as $$
begin
  if to_jsonb(new) - 'orgpath' = to_jsonb(old) - 'orgpath' then return new; end if;
  -- The seals of a line of the log may change. The comparison 零漏报对账 shows a change of what they say.
  if tg_table_name = 'warninglog' and current_setting('app.reseal', true) = 'on' then
    if access.is_resealing() and to_jsonb(new) - '{content,detail}'::text[] = to_jsonb(old) - '{content,detail}'::text[] then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger append_only before update on warninglog for each row execute function access.allow_path_change();
create trigger append_only before update on casewitness for each row execute function access.allow_path_change();
create trigger never_removed before delete on warninglog for each row execute function access.refuse_removal();
create trigger never_removed before delete on casewitness for each row execute function access.refuse_removal();
create trigger never_removed before delete on warning for each row execute function access.refuse_removal();
create trigger never_truncated before truncate on warninglog for each statement execute function access.refuse_removal();
create trigger never_truncated before truncate on casewitness for each statement execute function access.refuse_removal();
create trigger never_truncated before truncate on warning for each statement execute function access.refuse_removal();
