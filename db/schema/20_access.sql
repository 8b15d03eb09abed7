-- Who sees a row. For each table, 90_policies.sql declares some of these policies:
--
--   policy             caller                visible rows
--   tenant             staff                 their institution's and those of the institutions below it
--   restricted_staff   staff                 of these, only persons in their care, if a role has data scope 2–5
--   tenant_stats       statistics            as `tenant`; for an authority also the institutions of its region
--   restricted_stats   statistics            as `restricted_staff`
--   respondent_self    respondents           their own
--   respondent_tenant  respondents           settings and plans of their institution
--   submission_self    schema submission     those of the respondents bound to the call (86_submission.sql)
--   tenant_owner       functions as owner    as `tenant`: definer functions do not escape the caller's range
--   platform_library   everyone              questionnaires, stages and menu that the platform shares
--   ancestor_plan…     everyone              plans that an institution above shares
--   ancestor_names     staff                 the institutions above
--   builtin_roles      everyone              the platform's built-in roles
--   oncall_above_…     functions as owner    staff on call in the institutions above, to notify them
--   authority_notify   functions as owner    notices to the authorities of the institutions in the range
--   account_rights     xinli_identity        accounts and rights of all institutions, for a few functions
--   own_drafts         staff                 drafts of questionnaires: only their own institution's
--   no_drafts          statistics, persons   no draft of a questionnaire
--   receiver           staff                 transfers of cases to their institution
--   from_above         staff, persons        published contents of the institutions above
--   of_contents        staff, persons        the files of contents of the institutions above
--   counted_above      functions as owner    contents of the institutions above, to count their openings
--   own_progress       staff                 what they watched themselves
--   own_note           staff                 the private notes that they wrote themselves
--   suspect_stats      statistics            no case that suspects the caller
--   authority_stats    statistics            what is published about the authority's region
--   shown_stats        statistics            the group reports that the institutions of an authority's region show to it
--
-- An institution's path is 'AS000001.M001.'. Paths below begin with it, so they lie in ['AS000001.M001.', 'AS000001.M001/'):
-- '/' is the character after '.'.
-- Without a live session these functions return null, false or no row, and no row of a table is visible.
-- Policies call them as `(select f())`: once per statement, not once per row. They are written in PL/pgSQL because PostgreSQL
-- keeps its plans. Before version 18 it plans a function in SQL again at every call.

create function access.path_from() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select s.orgpath from auth.active_session s);
end $$;
create function access.path_to() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select left(s.orgpath, -1) || '/' from auth.active_session s);
end $$;
create function access.current_musercode() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select s.musercode from auth.active_session s);
end $$;
create function access.current_userid() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select s.userid from auth.active_session s);
end $$;
create function access.current_cuserid() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select s.cuserid from auth.active_session s);
end $$;

-- True when a role restricts the caller to persons in their care (data scopes 2–5). Runs as xinli_identity: without policies.
create function access.is_restricted() returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from auth.active_session s
      join public.sysuserrole ur on ur.userid = s.userid
      join public.role r on r.roleid = ur.roleid
    where r.enabled = 1 and r.isdeleted = 0 and r.datascope <> 1
      and (r.isbuiltin = 1 or (r.orgpath >= s.orgpath and r.orgpath < left(s.orgpath, -1) || '/')));
end $$;

-- Returns the accounts of the human behind the session: the account itself, the account that acts in it (代登录), and those with the
-- same telephone (its last 11 digits) or certificate. A case that suspects one of them shows them nothing. A key of an institution is no
-- human, and anybody there may read with it: it gets all staff. Runs as xinli_identity: without policies.
create function access.own_accounts() returns text[] language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select other.userid from auth.active_session s
      join public.sysuser me on me.userid in (s.userid, s.loginasby)
      join public.sysuser other on other.userid = me.userid
        or right(regexp_replace(other.phonenumber, '\D', '', 'g'), 11)
          = nullif(right(regexp_replace(me.phonenumber, '\D', '', 'g'), 11), '')
        or upper(other.certno) = nullif(upper(me.certno), '')
    union all
    select u.userid from auth.active_session s
      join public.muser m on m.orgpath >= s.orgpath and m.orgpath < left(s.orgpath, -1) || '/'
      join public.sysuser u on u.musercode = m.musercode
    where s.kind = 'key');
end $$;

-- Returns the data scopes of an account's roles that restrict it.
create function access.scopes_of(account text) returns table (datascope smallint, deptids bigint[])
language plpgsql stable security definer set search_path = '' rows 1 as $$
begin
  return query
  select r.datascope, r.deptids from public.sysuserrole ur join public.role r on r.roleid = ur.roleid
  where ur.userid = account and r.enabled = 1 and r.isdeleted = 0 and r.datascope <> 1;
end $$;
-- True when an account sees only members of teams that it owns (data scope 5): class teachers and nurses.
create function access.own_teams_only(account text default access.current_userid()) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from access.scopes_of(account) s where s.datascope = 5);
end $$;

-- Returns the owners of the persons and teams that a restricted account sees. Each of its scopes must allow an owner.
-- 2: departments of the role; 3: the account's department; 4: it and those below it; 5: the account itself.
create function access.visible_owners(account text default access.current_userid()) returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with me as (
    select u.userid, u.musercode, u.deptid from public.sysuser u
    where u.userid = account and u.orgpath >= (select access.path_from()) and u.orgpath < (select access.path_to())),
  scopes as (select s.datascope, s.deptids from access.scopes_of(account) s),
  below as (
    select d.deptid from public.dept d, me
    where d.musercode = me.musercode and (d.deptid = me.deptid or me.deptid::text = any (string_to_array(d.ancestors, ','))))
  select u.userid from public.sysuser u, me
  where u.musercode = me.musercode and exists (select from scopes) and not exists (
    select from scopes s where not coalesce(case s.datascope
      when 2 then u.deptid = any (s.deptids)
      when 3 then u.deptid = me.deptid
      when 4 then u.deptid in (select b.deptid from below b)
      else u.userid = me.userid end, false));
end $$;
-- Returns the persons in a restricted account's care: members of teams of visible owners and, except for scope 5, persons they own.
create function access.visible_cusers(account text default access.current_userid()) returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  with owners as materialized (select o.userid from access.visible_owners(account) o (userid))
  select r.cuserid from public.teamroster r join public.assessteam t on t.teamcode = r.teamcode
  where r.status = 1 and t.isdeleted = 0 and t.owneruserid in (select o.userid from owners o)
  union
  select c.cuserid from public.cuser c
  where c.owneruserid in (select o.userid from owners o) and not (select access.own_teams_only(account));
end $$;
