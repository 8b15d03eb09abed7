-- The audit log: rows are only added. The sealer chains them afterwards (src/server/audit/seal.ts).

-- One row for each write, reveal, export and import.
create table audit.log (
  id bigint generated always as identity primary key,
  -- the transaction that wrote the row; the chain and the rollup use it as their order
  xid xid8 not null default audit.transaction_number(),
  time timestamptz not null default now(),
  musercode text,
  orgpath text collate "C",
  accountid text,
  loginasby text,
  action text not null,
  title text not null,
  kind text not null,
  cuserids text[] not null default '{}',
  minors smallint not null default 0,
  objectid text,
  detail jsonb not null default '{}',
  ip text,
  result int not null default 0,
  -- name of the account that acted in this one; the institution cannot read the staff of the institution above
  loginasname text,
  origin text  -- the proof that the server wrote the row: a random number and an HMAC with a key outside of the database
);
create index log_cuserids_idx on audit.log using gin (cuserids);
create index log_xid_idx on audit.log (xid);
create index log_accountid_time_idx on audit.log (accountid, time desc);
create index log_orgpath_time_id_idx on audit.log (orgpath, time desc, id desc);
create index log_time_id_idx on audit.log (time desc, id desc);

-- A sealed row: its place in the chain, its institution's path at that time, and the HMAC of both, of all columns and of the seal before.
create table audit.seal (
  seq bigint primary key,  -- 1, 2, 3 …
  id bigint not null unique,
  orgpath text collate "C",
  hmac text not null
);
-- The rows that are not sealed yet. A job seals them within a second.
create table audit.unsealed (
  id bigint primary key
);
-- What the server took over from the chain without a key: the rows, their last id, the last hash of the old chain.
create table audit.chainstart (
  rows bigint not null,
  lastid bigint not null,
  oldhash text not null
);
insert into audit.chainstart (rows, lastid, oldhash) values (0, 0, '');
-- Returns the check value of the current key. Runs as the owner: who seals the log reads nothing of schema auth.
create function audit.current_key() returns text language sql stable security definer set search_path = '' as $$
  select k.value from auth.keycheck k
$$;
-- Trigger: lets the job find a new row. Numbers are given by the job, so an aborted transaction leaves no gap in the chain.
create function audit.queue_row() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into audit.unsealed (id) values (new.id);
  return null;
end $$;
create trigger queue_row after insert on audit.log for each row execute function audit.queue_row();

-- Adds one row from a JSON value (src/server/dispatch/audit.ts).
create function audit.add(entry jsonb) returns void language plpgsql volatile set search_path = '' as $$
begin
  insert into audit.log (musercode, accountid, loginasby, loginasname, action, title, kind, cuserids, minors, objectid, detail, ip, origin)
  select r.musercode, r.accountid, r.loginasby, r.loginasname, r.action, r.title, r.kind, r.cuserids, r.minors, r.objectid, r.detail, r.ip,
    r.origin
  from jsonb_to_record(entry) as r (musercode text, accountid text, loginasby text, loginasname text, action text, title text,
    kind text, cuserids text[], minors smallint, objectid text, detail jsonb, ip text, origin text);
end $$;

-- Trigger: refuses the statement.
create function audit.reject_change() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception 'the audit log is append-only';
end $$;
-- Trigger: allows a change of the path only, to the path of the row's institution.
create function audit.allow_path_change() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if to_jsonb(new) - 'orgpath' = to_jsonb(old) - 'orgpath' and new.orgpath = access.path_of(new.musercode) then return new; end if;
  raise exception 'the audit log is append-only';
end $$;
create trigger append_only before delete or truncate on audit.log for each statement execute function audit.reject_change();
create trigger append_only before update or delete or truncate on audit.seal for each statement execute function audit.reject_change();
create trigger allow_path_change before update on audit.log for each row execute function audit.allow_path_change();
-- audit.log has no foreign key, so the trigger sets the path of every row.
create trigger set_orgpath before insert on audit.log for each row when (new.musercode is not null) execute function access.set_orgpath();

-- Trigger: updates the path of the rows of an institution that moves. It and the institutions now above it read its old rows;
-- the institutions formerly above it no longer do. A seal has the path at its time; the audit row of the move explains the new one.
create function audit.move_tenant() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtext('xinli rollup'));
  update audit.log set orgpath = new.orgpath where orgpath = old.orgpath;
  update rollup.audit_by_tenant set orgpath = new.orgpath where orgpath = old.orgpath;
  return null;
end $$;
create trigger move_audit after update of orgpath on auth.tenant
  for each row when (old.orgpath is distinct from new.orgpath) execute function audit.move_tenant();
