-- Group reports (decision 0067).

-- A group report: what it is about, and a snapshot of its figures. Making it again adds a version.
create sequence teamreportcode_seq;
create table teamreport (
  teamreportcode text primary key default 'TR' || lpad(nextval('teamreportcode_seq')::text, 8, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  appid text not null references ref.app,
  title text not null,  -- what the report is about, in words
  scope jsonb not null,  -- {kind: task|teams|grade|institution|period, taskcode, teamcodes, gradecode, year, term, begindate, enddate, …}
  teamcodes text[] not null default '{}',  -- the teams of the scope, for their owners
  content jsonb not null,
  datatime timestamptz not null,  -- 数据截至
  fingerprint text not null,  -- of the sheets and rosters at that time; another one means that they changed
  isshow smallint not null default 0,
  status smallint not null default 1,
  createby text not null,
  createname text not null,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  version int not null default 1,
  isdeleted smallint not null default 0
);
create index teamreport_orgpath_createtime_idx on teamreport (orgpath, createtime desc);
select access.follow_tenant('teamreport');

-- The earlier snapshots of a group report.
create table teamreportversion (
  teamreportcode text not null references teamreport on delete cascade,
  version int not null,
  musercode text not null,
  orgpath text collate "C" not null,
  content jsonb not null,
  datatime timestamptz not null,
  createby text not null,
  createname text not null,
  time timestamptz not null,
  primary key (teamreportcode, version)
);
select access.follow_tenant('teamreportversion');

select access.protect('teamreport');
select access.protect('teamreportversion');
-- The owner of a class sees the reports on it that its institution has released to class owners; the server leaves out the results.
create policy restricted_staff on teamreport as restrictive for select to xinli_app using (
  not (select access.is_restricted())
  or (scope ->> 'kind' in ('task', 'teams', 'grade') and exists (
    select from assessteam t where t.teamcode = any (teamcodes) and t.showreport = 1 and t.isdeleted = 0)));
create policy restricted_staff on teamreportversion as restrictive for select to xinli_app using (
  not (select access.is_restricted()));
grant select, insert, update on teamreport to xinli_app;
grant select, insert on teamreportversion to xinli_app;
grant usage on sequence teamreportcode_seq to xinli_app;
