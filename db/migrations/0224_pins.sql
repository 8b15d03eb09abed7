-- What an account has pinned.

create table pin (
  accountid text,
  kind text check (kind in ('case', 'person', 'task', 'team')),
  refcode text,
  musercode text not null,
  orgpath text collate "C" not null,
  createtime timestamptz not null,
  primary key (accountid, kind, refcode)
);
select access.follow_tenant('pin');
select access.protect('pin');
grant select, insert, update, delete on pin to xinli_app;
