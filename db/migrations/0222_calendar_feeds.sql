-- The address of an account's calendar for other programs.

create table auth.calendarfeed (
  accountid text primary key references auth.account on delete cascade,
  secrethash text not null unique,
  createtime timestamptz not null default now(),
  lasttime timestamptz
);
grant select, insert, update, delete on auth.calendarfeed to xinli_authn;
