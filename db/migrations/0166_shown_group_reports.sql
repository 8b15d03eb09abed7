-- An authority finds the group reports that institutions of its region show to it (decision 0074). It reads no figure of theirs.
create policy shown_stats on teamreport for select to xinli_stats using (
  isshow = 1 and isdeleted = 0 and not (select access.is_restricted()) and musercode in (select access.region_musercodes()));
grant select (teamreportcode, musercode, orgpath, appid, scope, isshow, isdeleted, datatime, updatetime) on teamreport to xinli_stats;
