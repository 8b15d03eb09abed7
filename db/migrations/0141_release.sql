-- Adds what authorities read: the nightly effort and the outcome that is released once (decision 0069).

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

-- The last nightly count for authorities.
alter table rollup.watermark add column release timestamptz;

-- Returns the sector and the region of an authority, such as 'edu/3/330106' (3 district, 2 city, 1 province); null for other callers.
-- While another account acts in the authority's account, its range must hold every institution of the region.
create function access.own_region() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select me.sector || '/' || coalesce('3/' || me.districtcode, '2/' || me.citycode, '1/' || me.provincecode)
    from auth.active_session s
      join auth.tenant me on me.musercode = s.musercode and me.musertype = '003'
    where s.loginasby is null or not exists (
      select from auth.tenant t
      where t.musertype in ('004', '005') and t.sector = me.sector
        and case
          when me.districtcode is not null then t.districtcode = me.districtcode
          when me.citycode is not null then t.citycode = me.citycode
          else t.provincecode = me.provincecode end
        and t.musercode not in (select access.region_musercodes())));
end $$;

-- What is published: institutions as `tenant` and those of the authority's region; regions only for their authority.
select access.protect('publishedunit', stats => 'tenant');
select access.protect('publishedeffort', stats => 'tenant');
select access.protect('publishedcount', stats => 'tenant');
select access.protect('publishedregion');
create policy restricted_stats on publishedunit as restrictive for select to xinli_stats using (not (select access.is_restricted()));
create policy restricted_stats on publishedeffort as restrictive for select to xinli_stats using (not (select access.is_restricted()));
create policy restricted_stats on publishedcount as restrictive for select to xinli_stats using (not (select access.is_restricted()));
create policy authority_stats on publishedregion for select to xinli_stats using (
  not (select access.is_restricted())
  and (select access.own_region()) in (sector || '/3/' || districtcode, sector || '/2/' || citycode, sector || '/1/' || provincecode));

grant select, insert, update, delete on publishedunit, publishedeffort to xinli_app;
grant select, insert on publishedcount, publishedregion to xinli_app;
grant update (release) on rollup.watermark to xinli_app;
grant select on publishedunit, publishedeffort, publishedcount, publishedregion to xinli_stats;
grant execute on function access.own_region() to xinli_app, xinli_stats;
