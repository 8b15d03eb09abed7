-- Row-level security for every table of the schema, in the one shape that stays fast (docs/decisions/0004):
-- a range over the tenant path whose ends are looked up once per statement.

-- Persons a narrowed member of staff (data scope 5) is responsible for.
create function auth.narrowed() returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select exists (
      select 1 from public.sysuserrole ur join public.role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0
      where ur.userid = auth.userid() and r.datascope = 5));
end $$;
create function auth.own_cusers() returns setof text language sql stable security definer set search_path = '' as $$
  select c.cuserid from public.teamroster c join public.assessteam t on t.teamcode = c.teamcode
    where c.status = 1 and t.isdeleted = 0 and t.owneruserid = auth.userid()
$$;
grant execute on function auth.narrowed(), auth.own_cusers() to xinli_app, xinli_stats;

do $$
declare
  t record;
  has_cuser boolean;
  is_shared boolean;
begin
  for t in select c.oid, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r'
  loop
    select exists (select 1 from pg_attribute where attrelid = t.oid and attname = 'cuserid' and not attisdropped) into has_cuser;
    select exists (select 1 from pg_attribute where attrelid = t.oid and attname = 'isplatform' and not attisdropped) into is_shared;
    execute format('alter table public.%I enable row level security', t.relname);
    execute format('alter table public.%I force row level security', t.relname);
    execute format('grant select, insert, update, delete on public.%I to xinli_app', t.relname);
    execute format('create policy scope on public.%I to xinli_app
      using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))
      with check (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))', t.relname);
    -- Definer functions run as the owner, who is bound by the same range.
    execute format('create policy owner_scope on public.%I to %I
      using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))
      with check (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))', t.relname, current_user);
    execute format('create policy counting on public.%I for select to xinli_stats
      using ((orgpath >= (select auth.lo()) and orgpath < (select auth.hi())) or musercode in (select auth.region()))', t.relname);
    if not has_cuser then
      execute format('create policy institution on public.%I to xinli_respondent
        using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))
        with check (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))', t.relname);
    end if;
    if is_shared then
      execute format('create policy library on public.%I for select to xinli_app, xinli_stats, xinli_respondent using (isplatform = 1)', t.relname);
    end if;
    if has_cuser then
      -- A respondent comes in by a role of their own and reaches one person's rows. One look-up a table keeps the hand-in fast.
      execute format('create policy own on public.%I to xinli_respondent using (cuserid = (select auth.cuserid())) with check (cuserid = (select auth.cuserid()))', t.relname);
      execute format('grant select, insert, update on public.%I to xinli_respondent', t.relname);
      execute format('create policy entrusted on public.%I as restrictive for select to xinli_app
        using (not (select auth.narrowed()) or cuserid in (select auth.own_cusers()))', t.relname);
    end if;
    if t.relname <> 'muser' then
      -- A path that is given is held to by the foreign key below; one that is not is looked up.
      execute format('create trigger stamp before insert on public.%I for each row when (new.orgpath is null) execute function auth.stamp()', t.relname);
      execute format('create trigger restamp before update of musercode on public.%I for each row execute function auth.stamp()', t.relname);
      execute format('alter table public.%I add foreign key (musercode, orgpath) references public.muser (musercode, orgpath) on update cascade', t.relname);
    end if;
  end loop;
end $$;

create policy entrusted on assessteam as restrictive for select to xinli_app using (not (select auth.narrowed()) or owneruserid = (select auth.userid()));
-- Plans an ancestor shares with everyone below it.
create policy common_plan on plan for select to xinli_app, xinli_stats, xinli_respondent using (iscommon = 1 and orgpath in (select auth.ancestors()));
create policy common_planform on planform for select to xinli_app, xinli_stats, xinli_respondent using (orgpath in (select auth.ancestors()));
create policy common_planstage on planstage for select to xinli_app, xinli_stats, xinli_respondent using (orgpath in (select auth.ancestors()));
-- Built-in roles belong to the platform and may be given by every institution.
create policy builtin on role for select using (isbuiltin = 1);
-- An institution may know who stands above it (names of provider and authority), not what they hold.
create policy ancestors on muser for select to xinli_app using (orgpath in (select auth.ancestors()));

-- What counting may see: no names, no contacts, no free text.
grant select (musercode, orgpath, insname, shortname, musertype, sector, enabled, isdeleted, abnormalminlevel, provincecode, citycode, districtcode, categorylevel) on muser to xinli_stats;
grant select (cuserid, musercode, orgpath, appid, gender, birthday, mentalstate, riskflag, focus, lastexamtime, createtime, isdeleted) on cuser to xinli_stats;
grant select (examcode, musercode, orgpath, cuserid, appid, plancode, stagecode, taskcode, teamcode, cuserplanid, scenecode, status, starttime, submittime, duration, valid, overalllevel, mentalstate, hasalert, alertlevel, isabnormal, gradecode, gradename, classname, unitname, gender, age) on examrecord to xinli_stats;
grant select on examresult, assesstask, taskteam, taskroster, assessteam, teamroster, plan, planstage, assesscount, assesscountlog, cuserplan, muserapp, examstage, form, quota to xinli_stats;
grant select (warningcode, musercode, orgpath, cuserid, appid, source, level, initiallevel, state, stateat, owneruserid, accepttime, acceptduetime, assesstime, assessduetime, guardianduetime, nextfollowtime, guardiannotified, referred, closetime, closereason, createtime, isdeleted) on warning to xinli_stats;
grant select (followupid, musercode, orgpath, cuserid, warningcode, duetime, status, donetime, isdeleted) on followup to xinli_stats;
grant usage on all sequences in schema public to xinli_app, xinli_respondent;

-- Besides their own rows respondents read how their task is set up, spend a count and cause a notice.
grant select on muser, muserclient, sysuser, role, sysuserrole, setting, form, formversion, quota, plan, planform, planstage, examstage, assesstask, taskteam, assessteam, assesscount to xinli_respondent;
grant update (used, frozen) on assesscount to xinli_respondent;
grant insert on notification, outbox to xinli_respondent;
grant select on notification, outbox to xinli_respondent;
