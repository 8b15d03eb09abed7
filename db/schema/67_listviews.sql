-- Saved views of lists (视图): the filters, order, columns, density and widths of a list under a name.

create table listview (
  viewid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  accountid text not null,  -- its owner: a userid, or the institution's own account
  ownername text not null,
  list text not null,  -- the action of the list
  name text not null,  -- sealed: it may name a person
  state jsonb not null,  -- contract/listView.ts; the texts of its filters are sealed
  isshared smallint not null check (isshared in (0, 1)),  -- 1: the whole institution may open it
  updatetime timestamptz not null
);
create index listview_musercode_idx on listview (musercode, accountid);
select access.follow_tenant('listview');

-- The view with which an account opens a list.
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
