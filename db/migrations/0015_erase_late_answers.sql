-- Answers that arrive after a deletion are deleted too.
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
  set status = 4, answers = '{}', seqs = '{}', raw = null, valid = null, overalllevel = null, answertime = null
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
