-- 固定: what an account keeps at hand.

create table pin (
  accountid text,  -- a userid, or the institution's own account
  kind text check (kind in ('case', 'person', 'task', 'team')),
  refcode text,  -- warningcode, cuserid, taskcode or teamcode
  musercode text not null,
  orgpath text collate "C" not null,
  createtime timestamptz not null,
  primary key (accountid, kind, refcode)
);
select access.follow_tenant('pin');
