-- Saved views of lists (视图).

create table listview (
  viewid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  accountid text not null,
  ownername text not null,
  list text not null,
  name text not null,
  state jsonb not null,
  isshared smallint not null check (isshared in (0, 1)),
  updatetime timestamptz not null
);
create index listview_musercode_idx on listview (musercode, accountid);
select access.follow_tenant('listview');

create table listviewdefault (
  accountid text,
  list text,
  viewid bigint not null references listview on delete cascade,
  musercode text not null,
  orgpath text collate "C" not null,
  primary key (accountid, list)
);
create index listviewdefault_viewid_idx on listviewdefault (viewid);
select access.follow_tenant('listviewdefault');

select access.protect('listview');
select access.protect('listviewdefault');
grant select, insert, update, delete on listview, listviewdefault to xinli_app;
grant usage on sequence listview_viewid_seq to xinli_app;
