-- The checklist 开始使用 and the release notes of an account.

create table guide (
  accountid text primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  visited text[] not null default '{}',
  ishidden smallint not null default 0 check (ishidden in (0, 1)),
  releaseread date
);
select access.follow_tenant('guide');
select access.protect('guide');
grant select, insert, update, delete on guide to xinli_app;
