-- The queue of probable duplicates remembers who is not the same person (supplement-people-statistics.md, section 5).
-- Two persons that staff have compared and found to be different (不是同一人). The smaller code comes first.
create table cuserdistinct (
  cuserid text not null references cuser,
  othercuserid text not null references cuser,
  musercode text not null,
  orgpath text collate "C" not null,
  operator text not null,
  operatorname text not null,
  time timestamptz not null,
  primary key (cuserid, othercuserid),
  check (cuserid < othercuserid)
);
select access.follow_tenant('cuserdistinct');
select access.protect('cuserdistinct', person => true);
grant select, insert on cuserdistinct to xinli_app;
