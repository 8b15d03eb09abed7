-- What raising and escalating a warning needs beyond the caller's own reach. A respondent raises warnings with their answers and
-- sees only their own rows; a school sees nothing of its provider. Each function answers one question or does one thing.

-- Work nobody signed in for (escalation, reconciliation) runs in the reach of one institution, under a session of its own kind:
-- it belongs to no account, so no action of the wire accepts it.
alter table auth.session drop constraint session_kind_check;
alter table auth.session add constraint session_kind_check check (kind in ('staff', 'respondent', 'system'));

-- How many open cases each member of staff holds: the new one goes to whoever has the fewest.
create function auth.open_cases(code text) returns table (userid text, n bigint) language sql stable security definer set search_path = '' as $$
  select w.owneruserid, count(*) from public.warning w
  where w.musercode = code and w.owneruserid is not null and w.state not in ('07', '08') and w.isdeleted = 0
  group by w.owneruserid
$$;

-- The definer may find the night staff above the institution and leave them a note; the application role may not.
create policy duty_above on sysuser for select to current_user using (orgpath in (select auth.ancestors()));
create policy duty_above on sysuserrole for select to current_user using (orgpath in (select auth.ancestors()));
create policy note_above on notification for insert to current_user with check (orgpath in (select auth.ancestors()));

-- Tells the duty staff (role warningduty) of the institutions above; once per key and person. Answers how many were told.
create function auth.notify_duty_above(notekind text, notetitle text, notecontent text, notelink text, key text, at timestamptz)
returns bigint language sql volatile security definer set search_path = '' as $$
  with told as (
    insert into public.notification (musercode, userid, kind, title, content, link, dedupekey, createtime)
    select distinct u.musercode, u.userid, notekind, notetitle, notecontent, notelink, key || ':' || u.userid, at
    from public.sysuser u
      join public.sysuserrole ur on ur.userid = u.userid
      join public.role r on r.roleid = ur.roleid and r.rolekey = 'warningduty' and r.enabled = 1 and r.isdeleted = 0
    where u.enabled = 1 and u.isdeleted = 0 and u.orgpath in (select auth.ancestors()) and u.orgpath <> auth.lo()
    on conflict do nothing
    returning 1)
  select count(*) from told
$$;
grant execute on function auth.open_cases(text), auth.notify_duty_above(text, text, text, text, text, timestamptz) to xinli_app, xinli_respondent;

-- What counting overdue cases needs, without the reason a guardian was not told.
alter table warning add column guardiansettled smallint not null generated always as (case when guardiannotified = 1 or guardianexempt <> '' then 1 else 0 end) stored;
grant select (raisedtime, reopentime, peaklevel, guardiansettled, updatetime) on warning to xinli_stats;
grant select (warningcode, musercode, orgpath, cuserid, time, conclusionlevel) on riskassess to xinli_stats;
