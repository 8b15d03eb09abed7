-- An unfinished sheet goes on at another device without showing the answers given before.
alter table examform add column devices jsonb not null default '{}';

-- The owner xinli_submission replaces its function: create or replace needs membership and the right to create, for these lines.
grant xinli_submission to current_user;
grant create on schema submission to xinli_submission;
create or replace function submission.save_answers(code text, forms jsonb, at timestamptz, alert smallint, changed boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  respondent text := submission.bind_respondent();
begin
  perform from public.examrecord e where e.examcode = code and e.cuserid = respondent and e.status = 1 for update;
  if not found then
    return false;
  end if;
  update public.examform x
  set answers = f.answers, seqs = f.seqs, devices = x.devices || coalesce(f.devices, '{}'), answertime = at
  from jsonb_to_recordset(forms) as f (examformid bigint, answers jsonb, seqs jsonb, devices jsonb)
  where x.examformid = f.examformid and x.examcode = code;
  perform submission.add_alert_answers(code, forms, at);
  perform submission.mark_alert(code, alert, changed);
  -- The job that judges open sheets looks at the exam again.
  update public.examrecord e set judgedtime = null where e.examcode = code and e.judgedtime is not null;
  return true;
end $$;
revoke create on schema submission from xinli_submission;
revoke xinli_submission from current_user;

-- A deletion of answers deletes the devices too.
create or replace function access.erase_answers(code text, onlywithheld boolean, until timestamptz) returns table (erased bigint, kept bigint)
language plpgsql volatile security definer set search_path = '' as $$
declare
  codes text[];
begin
  select array_agg(e.examcode) into codes
  from public.examrecord e
  where e.cuserid = code and e.starttime <= until and (not onlywithheld or e.withheld = 1)
    -- A device that was offline may send answers after the deletion.
    and (e.status <> 4 or exists (
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
  set status = 4, answers = '{}', seqs = '{}', devices = '{}', raw = null, valid = null, overalllevel = null, answertime = null
  where f.examcode = any (codes);
  update public.examrecord e
  set status = 4, valid = null, invalidreason = null, overalllevel = null, mentalstate = null, hasalert = 0, alertlevel = 0,
    isabnormal = 0
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
