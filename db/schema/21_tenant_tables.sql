-- The functions for rows outside the caller's own range, and the functions that make a table a tenant's table.

-- Returns the paths of the caller's institution and of every institution above it.
create function access.ancestor_paths() returns text[] language plpgsql stable security definer set search_path = '' as $$
declare
  own text := access.path_from();
begin
  return array(select left(own, i) from generate_series(1, length(own)) i where substr(own, i, 1) = '.');
end $$;

-- Returns the institutions of an authority's region and sector; no row for other callers. While another account acts in the
-- authority's account, it returns only institutions within the range of that account.
create function access.region_musercodes() returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select t.musercode
  from auth.active_session s
    join auth.tenant me on me.musercode = s.musercode and me.musertype = '003'
    join auth.tenant t on t.musertype in ('004', '005') and t.sector = me.sector
    left join auth.account actor on actor.accountid = s.loginasby
    left join auth.tenant home on home.musercode = actor.musercode
  where (home.orgpath is null or t.orgpath >= home.orgpath and t.orgpath < left(home.orgpath, -1) || '/')
    and case
      when me.districtcode is not null then t.districtcode = me.districtcode
      when me.citycode is not null then t.citycode = me.citycode
      when me.provincecode is not null then t.provincecode = me.provincecode
      else false end;
end $$;

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

-- Returns the path of an institution.
create function access.path_of(code text) returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select t.orgpath from auth.tenant t where t.musercode = code);
end $$;

-- Trigger: sets a row's path to the path of its institution.
create function access.set_orgpath() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.orgpath := access.path_of(new.musercode);
  return new;
end $$;

-- Makes a table with `musercode` and `orgpath` a tenant's table. The foreign key rejects a wrong path, and updates the path
-- of the rows when an institution moves. A row without a path gets one.
create function access.follow_tenant(tablename text) returns void language plpgsql set search_path = 'public' as $$
begin
  execute format('alter table %I add foreign key (musercode, orgpath) references muser (musercode, orgpath) on update cascade',
    tablename);
  execute format('create trigger set_orgpath before insert on %I for each row when (new.orgpath is null)
    execute function access.set_orgpath()', tablename);
  execute format('create trigger change_orgpath before update of musercode on %I for each row
    execute function access.set_orgpath()', tablename);
end $$;

-- Turns row-level security on for a tenant's table and adds the policies that most tables share.
--   person      the table has a cuserid: restricted staff see only persons in their care
--   respondent  'self': respondents see rows of their own cuserid; 'tenant': rows of their institution; null: none
--   stats       'tenant': statistics count all rows of the range; 'persons': only persons in care; null: none
--   shared      rows with isplatform = 1 are visible to everyone
create function access.protect(
  tablename text,
  person boolean default false,
  respondent text default null,
  stats text default null,
  shared boolean default false
) returns void language plpgsql set search_path = 'public' as $$
declare
  in_range constant text := 'orgpath >= (select access.path_from()) and orgpath < (select access.path_to())';
  in_care constant text := 'not (select access.is_restricted()) or cuserid in (select access.visible_cusers())';
  own constant text := 'cuserid = (select access.current_cuserid())';
begin
  execute format('alter table %I enable row level security', tablename);
  execute format('alter table %I force row level security', tablename);
  execute format('create policy tenant on %I to xinli_app using (%s) with check (%2$s)', tablename, in_range);
  execute format('create policy tenant_owner on %I to %I using (%s) with check (%3$s)', tablename, current_user, in_range);
  if person then
    execute format('create policy restricted_staff on %I as restrictive for select to xinli_app using (%s)', tablename, in_care);
  end if;
  if respondent = 'self' then
    execute format('create policy respondent_self on %I to xinli_respondent using (%s) with check (%2$s)', tablename, own);
  elsif respondent = 'tenant' then
    execute format('create policy respondent_tenant on %I to xinli_respondent using (%s) with check (%2$s)', tablename, in_range);
  end if;
  if stats is not null then
    execute format('create policy tenant_stats on %I for select to xinli_stats
      using ((%s) or musercode in (select access.region_musercodes()))', tablename, in_range);
  end if;
  if stats = 'persons' then
    execute format('create policy restricted_stats on %I as restrictive for select to xinli_stats using (%s)', tablename, in_care);
  end if;
  if shared then
    execute format('create policy platform_library on %I for select to xinli_app, xinli_stats, xinli_respondent
      using (isplatform = 1)', tablename);
  end if;
end $$;
