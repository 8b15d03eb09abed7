-- Staff type in sheets: observations, scores of licensed paper scales, answers on paper.
alter table plan add column formcode text references form;
create unique index plan_single_form on plan (orgpath, appid, formcode) where formcode is not null;

alter table examrecord add column entryway text;
alter table examrecord add column entryby text;
alter table examrecord add column entryname text;
alter table examrecord add column entrytime timestamptz;
alter table examrecord add column isdouble smallint not null default 0;

alter table examform add column entered jsonb;

create or replace function access.erase_answers(code text, onlywithheld boolean, until timestamptz) returns table (erased bigint, kept bigint)
language plpgsql volatile security definer set search_path = '' as $$
declare
  codes text[];
begin
  select array_agg(e.examcode) into codes
  from public.examrecord e
  where e.cuserid = code and e.starttime <= until and (not onlywithheld or e.withheld = 1)
    -- A void sheet still has its answers. A device that was offline may send answers after the deletion.
    and (e.status <> 4 or exists (
      select from public.examform f where f.examcode = e.examcode and (f.answers <> '{}' or f.raw is not null)) or exists (
      select from public.examlateanswer a join public.examform f on f.examformid = a.examformid where f.examcode = e.examcode));
  kept := coalesce(array_length(codes, 1), 0);
  codes := array(select c from unnest(codes) c where c not in (select x from access.open_case_exams(code) x));
  erased := coalesce(array_length(codes, 1), 0);
  kept := kept - erased;
  delete from public.report r where r.examcode = any (codes);
  delete from public.examresult r where r.examcode = any (codes);
  delete from public.examalertanswer a using public.examform f where f.examformid = a.examformid and f.examcode = any (codes);
  delete from public.examlateanswer a using public.examform f where f.examformid = a.examformid and f.examcode = any (codes);
  update public.examreview v set content = '', note = '' where v.examcode = any (codes);
  update public.examform f
  set status = 4, answers = '{}', seqs = '{}', devices = '{}', entered = null, raw = null, valid = null, overalllevel = null,
    answertime = null
  where f.examcode = any (codes);
  update public.examrecord e
  set status = 4, voidreason = null, valid = null, invalidreason = null, overalllevel = null, mentalstate = null, hasalert = 0,
    alertlevel = 0, isabnormal = 0
  where e.examcode = any (codes);
  if erased > 0 then
    update public.cuser c
    set
      reportcount = (select count(*) from public.report r where r.cuserid = code and r.isdeleted = 0),
      examcount = (select count(*) from public.examrecord e where e.cuserid = code and e.status = 2),
      lastlevel = null,
      mentalstate = case when c.mentalstatesource = 'auto' then 0 else c.mentalstate end
    where c.cuserid = code;
  end if;
  return next;
end $$;

create or replace function access.show_moved_sheets() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  codes text[] := array(
    select e.examcode from public.examrecord e
    where e.cuserid = new.cuserid and (e.movetime is not null or e.entryway is not null) and e.consentid is null and e.withheld = 1);
begin
  if codes = '{}' or exists (
    select from public.guardianconsent g where g.cuserid = new.cuserid and g.kind = '01' and g.status <> 1) then
    return null;
  end if;
  update public.examrecord e set withheld = 0, consentid = new.consentid where e.examcode = any (codes);
  update public.examresult r set withheld = 0 where r.examcode = any (codes);
  update public.report r set withheld = 0 where r.examcode = any (codes);
  return null;
end $$;


grant usage on schema submission to xinli_app;
grant usage on schema access to xinli_submission;
grant select (reportcode, examcode, cuserid, withheld), update (withheld) on report to xinli_submission;
grant select (examcode, cuserid, withheld), update (submittime, withheld) on examresult to xinli_submission;

grant xinli_submission to current_user;
grant create on schema submission to xinli_submission;

create function access.person_in_reach(person text) returns table (cuserid text, musercode text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select c.cuserid, c.musercode from public.cuser c
  where c.cuserid = person and c.isdeleted = 0
    and (not exists (select from access.scopes_of(access.current_userid())) or c.cuserid in (select access.visible_cusers()));
end $$;

grant execute on function access.person_in_reach(text) to xinli_submission;

create or replace function submission.bind_respondent() returns text
language plpgsql volatile set search_path = '' as $$
declare
  respondent record;
begin
  select s.cuserid, s.musercode into respondent from auth.active_session s;
  if respondent.cuserid is null then
    select p.cuserid, p.musercode into respondent from access.person_in_reach(nullif(current_setting('app.person', true), '')) p;
  end if;
  perform
    set_config('app.cuserid', coalesce(respondent.cuserid, ''), true),
    set_config('app.musercode', coalesce(respondent.musercode, ''), true);
  return respondent.cuserid;
end $$;

create function submission.finish_entry(code text, facts jsonb, forms jsonb, hidden boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  respondent text := submission.bind_respondent();
  tested timestamptz := (facts->>'testtime')::timestamptz;
begin
  update public.examrecord e
  set
    starttime = tested, submittime = tested, duration = null, withheld = greatest(e.withheld, hidden::int),
    entryby = facts->>'entryby', entryname = facts->>'entryname', entrytime = (facts->>'entrytime')::timestamptz,
    isdouble = (facts->>'isdouble')::smallint
  where e.examcode = code and e.cuserid = respondent and e.status = 2 and e.entryway is not null;
  if not found then
    return;
  end if;
  update public.examform x
  set starttime = tested, submittime = tested, staffby = facts->>'entryby', entered = f.entered
  from jsonb_to_recordset(forms) as f (examformid bigint, entered jsonb)
  where x.examformid = f.examformid and x.examcode = code;
  update public.examresult r set submittime = tested, withheld = greatest(r.withheld, hidden::int) where r.examcode = code;
  update public.report r set withheld = greatest(r.withheld, hidden::int) where r.examcode = code;
  update public.taskroster t set submittime = tested where t.examcode = code and t.cuserid = respondent;
end $$;

revoke execute on function submission.finish_entry(text, jsonb, jsonb, boolean) from public;
grant execute on function submission.load_exam(text, timestamptz), submission.submit_exam(text, jsonb, jsonb, jsonb, timestamptz),
  submission.finish_entry(text, jsonb, jsonb, boolean) to xinli_app;
alter function submission.finish_entry(text, jsonb, jsonb, boolean) owner to xinli_submission;
revoke create on schema submission from xinli_submission;
revoke xinli_submission from current_user;
