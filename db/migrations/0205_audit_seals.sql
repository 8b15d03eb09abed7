-- The seals of the audit log become HMACs of single rows, with a key outside of the database (docs/decisions/0101).

-- What the server took over: the rows from before, their last id, and the last hash of the old chain.
create table audit.chainstart (
  rows bigint not null,
  lastid bigint not null,
  oldhash text not null
);
alter table audit.log no force row level security;
insert into audit.chainstart (rows, lastid, oldhash)
select count(*), coalesce(max(l.id), 0), coalesce((select s.hash from audit.seal s order by s.seq desc limit 1), '') from audit.log l;

drop table audit.seal;
create table audit.seal (
  seq bigint primary key,
  id bigint not null unique,
  orgpath text collate "C",
  hmac text not null
);
create trigger append_only before update or delete or truncate on audit.seal for each statement execute function audit.reject_change();

create table audit.unsealed (
  id bigint primary key
);
insert into audit.unsealed (id) select l.id from audit.log l;
alter table audit.log force row level security;
create function audit.queue_row() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into audit.unsealed (id) values (new.id);
  return null;
end $$;
create trigger queue_row after insert on audit.log for each row execute function audit.queue_row();

-- The proof that the server wrote the row.
alter table audit.log add column origin text;
create or replace function audit.add(entry jsonb) returns void language plpgsql volatile set search_path = '' as $$
begin
  insert into audit.log (musercode, accountid, loginasby, loginasname, action, title, kind, cuserids, minors, objectid, detail, ip, origin)
  select r.musercode, r.accountid, r.loginasby, r.loginasname, r.action, r.title, r.kind, r.cuserids, r.minors, r.objectid, r.detail, r.ip,
    r.origin
  from jsonb_to_record(entry) as r (musercode text, accountid text, loginasby text, loginasname text, action text, title text,
    kind text, cuserids text[], minors smallint, objectid text, detail jsonb, ip text, origin text);
end $$;

grant select on audit.chainstart to xinli_sealer;
grant select, insert on audit.seal to xinli_sealer;
grant select, delete on audit.unsealed to xinli_sealer;
