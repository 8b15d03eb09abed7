-- What the console has told an account: its checklist 开始使用 and its release notes.

create table guide (
  accountid text primary key,  -- a userid, or the institution's own account
  musercode text not null,
  orgpath text collate "C" not null,
  visited text[] not null default '{}',  -- steps that are done when the account has opened their screen
  ishidden smallint not null default 0 check (ishidden in (0, 1)),  -- 1: the account has put its checklist away
  releaseread date  -- the newest release note that the account has opened
);
select access.follow_tenant('guide');
