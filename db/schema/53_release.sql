-- What authorities read (docs/decisions/0069). A nightly job writes these tables from the rows; authorities read nothing else about
-- persons. A period is a school term ('2026-2027', '1') or a quarter ('2026', 'Q3'). null in a measure: hidden. The outcome of one
-- closed system (sector, region, population, period) is released once; after that nothing of its period changes but `hasoverdue`.

-- An institution with a population in a period: its region when it was counted last, and whether its outcome is released.
create table publishedunit (
  musercode text not null,
  orgpath text collate "C" not null,
  appid text not null,
  year text not null,
  term text not null,
  sector text not null,
  provincecode text not null default '',
  citycode text not null default '',
  districtcode text not null default '',
  hasoverdue boolean not null default false,  -- 有超时: a duty of a case is overdue
  lasttaskend timestamptz,  -- null: no task in the period
  datatime timestamptz not null,  -- of the last count of the effort
  releasetime timestamptz,  -- of the outcome; null: not released
  primary key (musercode, appid, year, term)
);
create index publishedunit_period_idx on publishedunit (appid, year, term, orgpath);
select access.follow_tenant('publishedunit');

-- 应测, 免测 and 实测 of a grade, each rounded down to a multiple of 5.
create table publishedeffort (
  musercode text not null,
  orgpath text collate "C" not null,
  appid text not null,
  year text not null,
  term text not null,
  gradecode text not null,  -- '': without a grade
  total int not null check (total % 5 = 0),
  exempt int not null check (exempt % 5 = 0),
  tested int not null check (tested % 5 = 0),
  primary key (musercode, appid, year, term, gradecode)
);
select access.follow_tenant('publishedeffort');

-- The outcome of an institution: all persons, a grade, or a gender.
create table publishedcount (
  musercode text not null,
  orgpath text collate "C" not null,
  appid text not null,
  year text not null,
  term text not null,
  groupkind text not null check (groupkind in ('all', 'grade', 'gender')),
  groupcode text not null,
  valid int,
  abnormal int,
  alert int,
  levels int[],  -- persons at level 0 to 4; all five or null
  depressed int[],
  anxious int[],
  opened int,  -- cases opened in the period
  settled int,  -- of these: closed, or open without an overdue duty
  closed int,
  primary key (musercode, appid, year, term, groupkind, groupcode)
);
select access.follow_tenant('publishedcount');

-- The outcome of a region: its district, else city, else province. The platform owns the rows.
create table publishedregion (
  musercode text not null,
  orgpath text collate "C" not null,
  sector text not null,
  provincecode text not null default '',
  citycode text not null default '',
  districtcode text not null default '',
  appid text not null,
  year text not null,
  term text not null,
  groupkind text not null check (groupkind in ('all', 'grade', 'gender')),
  groupcode text not null,
  valid int,
  abnormal int,
  alert int,
  levels int[],
  depressed int[],
  anxious int[],
  opened int,
  settled int,
  closed int,
  datatime timestamptz not null,  -- of the release
  primary key (sector, provincecode, citycode, districtcode, appid, year, term, groupkind, groupcode)
);
create index publishedregion_period_idx on publishedregion (appid, year, term);
select access.follow_tenant('publishedregion');
