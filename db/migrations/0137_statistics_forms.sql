-- Comparing two terms needs the forms of their sheets with the versions. The statistics read no answers.
grant select (examcode, musercode, orgpath, cuserid, formcode, formversion) on examform to xinli_stats;
create policy tenant_stats on examform for select to xinli_stats
  using ((orgpath >= (select access.path_from()) and orgpath < (select access.path_to()))
    or musercode in (select access.region_musercodes()));
create policy restricted_stats on examform as restrictive for select to xinli_stats
  using (not (select access.is_restricted()) or cuserid in (select access.visible_cusers()));
