-- Answering and submitting an exam: the functions of the role xinli_submission (docs/decisions/0026).
--
--   submission.load_exam     locks an exam of the caller and reads what scoring, alerts and the report need
--   submission.save_answers  stores answers while the exam is open
--   submission.add_late_answers  keeps answers that arrive after the submission
--   submission.add_forms     adds the longer forms that follow a positive short form
--   submission.submit_exam   stores a scored exam: answers, results, report, roster, person, count
--   submission.finish_entry  completes a sheet that staff typed in, after submit_exam
--
-- xinli_submission cannot sign in and owns these functions only. The role of respondents may call the functions; it may not write
-- answers, results, reports or counts itself. Staff call load_exam, submit_exam and finish_entry for persons within their reach.
--
-- Each function first reads the respondent of the session and stores the result in two settings. The policies compare rows with
-- these settings, so PostgreSQL reads the session once per call instead of once per table. Every role may change the settings,
-- but only policies of xinli_submission use them, and every function sets them before it reads.

-- The rows of the caller and of the caller's institution.
do $$
declare
  t text;
begin
  foreach t in array array[
    'examrecord', 'examform', 'examalertanswer', 'examlateanswer', 'examreview', 'examresult', 'report', 'taskroster', 'cuser',
    'cuserarchive', 'cuserplan', 'assesscountlog'
  ] loop
    execute format(
      'create policy submission_self on public.%I to xinli_submission using (cuserid = current_setting(''app.cuserid'', true))', t);
  end loop;
  foreach t in array array['muser', 'muserclient', 'assesscount', 'assesstask', 'taskform', 'warningrule', 'formlicence'] loop
    execute format(
      'create policy submission_institution on public.%I to xinli_submission
       using (musercode = current_setting(''app.musercode'', true))', t);
  end loop;
  -- Plans, stages, forms, bands and templates of reports are no secret. The exam decides which one is read.
  foreach t in array array['plan', 'examstage', 'form', 'formversion', 'bandset', 'reporttemplate'] loop
    execute format('create policy submission_names on public.%I for select to xinli_submission using (true)', t);
  end loop;
  -- The rules of a plan judge the sheets of every institution that uses the plan.
  create policy submission_planrule on public.warningrule for select to xinli_submission using (plancode is not null);
end $$;

grant select on auth.active_session to xinli_submission;
grant select, update on examrecord, examform, taskroster, cuserplan to xinli_submission;
grant select, insert on examalertanswer, examlateanswer to xinli_submission;
grant insert on examform, examresult, examreview, assesscountlog to xinli_submission;
grant select (formcode, orgpath, isplatform, currentversion, tier, appids, agemin, agemax, status, enabled, isdeleted) on form
  to xinli_submission;
grant select (formcode, version, status) on formversion to xinli_submission;
grant select (musercode, taskcode, formcode, formversion) on taskform to xinli_submission;
grant select (formcode, musercode, accepted, prooffileid, wording) on formlicence to xinli_submission;
grant insert on report to xinli_submission;
grant select (reportcode, examcode, cuserid, withheld), update (withheld) on report to xinli_submission;
grant select (examcode, cuserid, withheld), update (submittime, withheld) on examresult to xinli_submission;
grant usage on sequence reportcode_seq to xinli_submission;
grant select on cuserarchive to xinli_submission;
grant select (
  cuserid, username, gender, birthday, riskflag, examcount, reportcount, lastexamtime, lastlevel, mentalstate, mentalstatesource,
  mentalstatetime
) on cuser to xinli_submission;
grant update (examcount, reportcount, lastexamtime, lastlevel, mentalstate, mentalstatetime) on cuser to xinli_submission;
grant select (musercode, insname, sector, abnormalminlevel, settings) on muser to xinli_submission;
grant select (musercode, hotline) on muserclient to xinli_submission;
grant select (musercode, taskcode, resultshow, status, endtime) on assesstask to xinli_submission;
grant select (rulecode, musercode, orgpath, name, cond, warninglevel, appid, plancode, enabled, isdeleted, ordernum)
  on warningrule to xinli_submission;
grant select (plancode, planname, reportmode, planroot, reporttemplatecode) on plan to xinli_submission;
grant select on bandset to xinli_submission;
grant select (templatecode, templatename, sections, isdeleted) on reporttemplate to xinli_submission;
grant select (appid, stagecode, stagename) on examstage to xinli_submission;
grant select (musercode, plancode, granted, used, frozen, expired), update (used, frozen) on assesscount to xinli_submission;

-- Returns a person within the reach of the session's staff, with the institution; no row for another person.
create function access.person_in_reach(person text) returns table (cuserid text, musercode text)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select c.cuserid, c.musercode from public.cuser c
  where c.cuserid = person and c.isdeleted = 0
    and (not exists (select from access.scopes_of(access.current_userid())) or c.cuserid in (select access.visible_cusers()));
end $$;

-- Returns the respondent of the session; for staff the person whose sheet they type in (`app.person`), when their reach has the person;
-- else null. Every function below calls it first.
create function submission.bind_respondent() returns text
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

-- Returns an exam of the caller with all data for saving and submitting; no row for another person's exam. The exam stays locked
-- until the transaction ends, so no other transaction changes these data before the caller writes.
create function submission.load_exam(code text, at timestamptz) returns table (
  examcode text,
  status smallint,
  submitkey uuid,
  musercode text,
  cuserid text,
  appid text,
  planname text,
  stagename text,
  starttime timestamptz,
  overalllevel smallint,
  hasalert smallint,
  islate boolean,
  gradecode text,
  username text,
  gender text,
  birthday date,
  archive jsonb,
  insname text,
  sector text,
  abnormalminlevel smallint,
  minwarninglevel smallint,
  hotline text,
  resultshow smallint,
  rules jsonb,
  reporttemplate jsonb,
  bandsets jsonb,
  forms jsonb,
  history jsonb,
  opencase boolean
)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  respondent text := submission.bind_respondent();
begin
  -- This is a separate statement: a statement that waits for a lock reads the answers from before the wait.
  perform from public.examrecord e where e.examcode = code and e.cuserid = respondent for update;
  if not found then
    return;
  end if;
  return query
  select
    e.examcode,
    e.status,
    e.submitkey,
    e.musercode,
    e.cuserid,
    e.appid,
    p.planname,
    (select s.stagename from public.examstage s where s.appid = e.appid and s.stagecode = e.stagecode limit 1),
    e.starttime,
    e.overalllevel,
    e.hasalert,
    -- The task is over, or the authorization was used, withdrawn or has expired.
    case when t.taskcode is not null then t.status <> 1 or t.endtime < at
      else g.status <> 1 or coalesce(g.enddate < (at at time zone 'Asia/Shanghai')::date, false) end,
    e.gradecode,
    c.username,
    c.gender,
    c.birthday,
    coalesce(
      (
        select a.detail || jsonb_strip_nulls(jsonb_build_object(
          'gradename', a.gradename, 'classname', a.classname, 'studentno', a.studentno, 'unitname', a.unitname,
          'lmpdate', a.lmpdate, 'edcdate', a.edcdate, 'deliverydate', a.deliverydate))
        from public.cuserarchive a
        where a.cuserid = e.cuserid and a.appid = e.appid and a.iscurrent = 1
      ),
      '{}'
    ),
    m.insname,
    m.sector,
    m.abnormalminlevel,
    -- The lowest level that opens a case.
    case when m.settings->'warnlevelmin' = '1' then 1::smallint else 2::smallint end,
    k.hotline,
    coalesce(t.resultshow, 0::smallint),
    -- The institution's own warning rules, and those of the plan.
    coalesce(
      (
        select jsonb_agg(
          jsonb_build_object(
            'rulecode', w.rulecode, 'name', w.name, 'cond', w.cond, 'warninglevel', w.warninglevel, 'appid', w.appid)
          order by w.ordernum, w.rulecode)
        from public.warningrule w
        where w.enabled = 1 and w.isdeleted = 0
          and case when w.plancode is null then w.musercode = e.musercode
            else w.plancode = p.planroot and starts_with(e.orgpath, w.orgpath) end
      ),
      '[]'
    ),
    (
      select jsonb_build_object('templatecode', r.templatecode, 'templatename', r.templatename, 'sections', r.sections)
      from public.reporttemplate r
      where p.reportmode = '03' and r.templatecode = p.reporttemplatecode
    ),
    -- The bands in force that the institution or one above it switched on, nearest institution first.
    coalesce(
      (
        select jsonb_agg(
          jsonb_build_object('bandsetid', b.bandsetid, 'quotacode', b.quotacode, 'formcode', b.formcode, 'orgpath', b.orgpath,
            'appid', b.appid, 'gender', b.gender, 'agemin', b.agemin, 'agemax', b.agemax, 'options', b.options)
          order by length(b.orgpath) desc, b.bandsetid)
        from public.bandset b
          join public.examform x on x.formcode = b.formcode and x.examcode = e.examcode
        where b.validfrom <= at and (b.validto is null or b.validto > at)
          and (b.isplatform = 1 or starts_with(e.orgpath, b.orgpath)) and (b.appid is null or b.appid = e.appid)
      ),
      '[]'
    ),
    (
      select jsonb_agg(
        jsonb_build_object(
          'examformid', x.examformid, 'formcode', x.formcode, 'formversion', x.formversion,
          'answers', x.answers, 'seqs', x.seqs, 'lateanswers', coalesce(l.answers, '{}'), 'lateseqs', coalesce(l.seqs, '{}'))
        order by x.ordernum)
      from public.examform x
        -- Late answers exist only after the submission.
        left join lateral (
          select
            jsonb_object_agg(a.questionc, a.value order by a.seq, a.id) as answers,
            jsonb_object_agg(a.questionc, a.seq order by a.seq, a.id) as seqs
          from public.examlateanswer a
          where a.examformid = x.examformid and e.status <> 1
        ) l on true
      where x.examcode = e.examcode
    ),
    -- Earlier submissions of the person.
    coalesce(
      (
        select jsonb_agg(h)
        from (
          select
            x.examcode,
            x.formcode,
            to_char(x.submittime at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as submittime,
            x.raw->'scores' as scores,
            x.raw->'levels' as levels,
            x.raw->'labels' as labels,
            x.raw->'itemscores' as itemscores,
            x.formversion,
            x.valid = 1 as valid
          from public.examform x
          where x.cuserid = e.cuserid and x.status = 2 and x.examcode <> e.examcode
          order by x.submittime desc
          limit 24
        ) h
      ),
      '[]'
    ),
    -- The risk flag is the level of the open case.
    c.riskflag <> 0
  from public.examrecord e
    join public.plan p on p.plancode = e.plancode
    join public.cuser c on c.cuserid = e.cuserid
    join public.muser m on m.musercode = e.musercode
    left join public.muserclient k on k.musercode = e.musercode
    left join public.assesstask t on t.taskcode = e.taskcode
    left join public.cuserplan g on g.cuserplanid = e.cuserplanid
  where e.examcode = code and e.cuserid = respondent;
end $$;

-- Adds the new versions of answers to alert items, of forms [{examformid, alertanswers: [{c, value, seq}]}] of one exam.
create function submission.add_alert_answers(code text, forms jsonb, at timestamptz) returns void
language plpgsql volatile set search_path = '' as $$
begin
  insert into public.examalertanswer (examformid, questionc, musercode, orgpath, cuserid, value, seq, answertime)
  select x.examformid, a.c, x.musercode, x.orgpath, x.cuserid, coalesce(a.value, 'null'), a.seq, at
  from jsonb_to_recordset(forms) as f (examformid bigint, alertanswers jsonb)
    join public.examform x on x.examformid = f.examformid and x.examcode = code
    cross join jsonb_to_recordset(f.alertanswers) as a (c text, value jsonb, seq bigint)
  -- A repeated call brings the same versions again.
  where not exists (
    select from public.examalertanswer h
    where h.examformid = x.examformid and h.questionc = a.c and h.seq = a.seq and h.value = coalesce(a.value, 'null')
  );
end $$;

-- Keeps that the answers of an exam raised an alert, and that the person took such an answer back. Both stay for the sitting.
create function submission.mark_alert(code text, alert smallint, changed boolean) returns void
language plpgsql volatile set search_path = '' as $$
begin
  if alert = 0 and not changed then
    return;
  end if;
  update public.examrecord e
  set
    hasalert = greatest(e.hasalert, least(alert, 1)),
    alertlevel = greatest(e.alertlevel, alert),
    alertchanged = case when changed then 1 else e.alertchanged end
  where e.examcode = code;
end $$;

-- Stores the answers of forms [{examformid, answers, seqs, devices, alertanswers}] of an open exam of the caller. False when the exam
-- is not open: after the submission no answer may change, because the results were computed from them.
create function submission.save_answers(code text, forms jsonb, at timestamptz, alert smallint, changed boolean) returns boolean
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

-- Keeps answers of forms [{examformid, late: [{c, value, seq}], alertanswers}] that arrive after the submission of the caller's exam.
create function submission.add_late_answers(code text, forms jsonb, at timestamptz, alert smallint, changed boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  respondent text := submission.bind_respondent();
begin
  insert into public.examlateanswer (examformid, questionc, musercode, orgpath, cuserid, value, seq, answertime)
  select x.examformid, a.c, x.musercode, x.orgpath, x.cuserid, coalesce(a.value, 'null'), a.seq, at
  from jsonb_to_recordset(forms) as f (examformid bigint, late jsonb)
    join public.examform x on x.examformid = f.examformid and x.examcode = code and x.cuserid = respondent
    cross join jsonb_to_recordset(f.late) as a (c text, value jsonb, seq bigint);
  perform submission.add_alert_answers(code, forms, at);
  perform submission.mark_alert(code, alert, changed);
end $$;

-- Adds questionnaires to an open exam of the caller and returns them. It leaves out those that the exam has, that do not suit the
-- person's age (in whole years, null when unknown) or population, and that the institution may not use now.
create function submission.add_forms(code text, formcodes text[], age int, at timestamptz)
returns table (examformid bigint, formcode text, formversion text)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  respondent text := submission.bind_respondent();
begin
  return query
  insert into public.examform as x (examcode, musercode, orgpath, cuserid, formcode, formversion, ordernum, starttime)
  select
    e.examcode, e.musercode, e.orgpath, e.cuserid, f.formcode, v.version,
    (select max(o.ordernum) from public.examform o where o.examcode = code) + array_position(formcodes, f.formcode), at
  from public.examrecord e
    join public.form f on f.formcode = any (formcodes)
    left join public.taskform k on k.taskcode = e.taskcode and k.formcode = f.formcode
    join public.formversion v on v.formcode = f.formcode and v.version = coalesce(k.formversion, f.currentversion)
    left join public.formlicence l on l.formcode = f.formcode and l.musercode = e.musercode
  where e.examcode = code and e.cuserid = respondent and e.status = 1
    -- A task goes on with its versions when the form is retired; a withdrawn version begins nowhere.
    and v.status in (1, 2) and (k.formversion is not null or (f.status = 1 and f.enabled = 1)) and f.isdeleted = 0
    and (f.isplatform = 1 or starts_with(e.orgpath, f.orgpath))
    and (f.appids = '{}' or e.appid = any (f.appids))
    and (age is null or (age >= coalesce(f.agemin, age) and age <= coalesce(f.agemax, age)))
    and case f.tier
      when 'B' then l.accepted = 1
      when 'C' then l.prooffileid is not null and l.wording is not null
      else true
    end
    and not exists (select from public.examform o where o.examcode = code and o.formcode = f.formcode)
  order by array_position(formcodes, f.formcode)
  returning x.examformid, x.formcode, x.formversion;
end $$;

-- Submits an open exam of the caller with its scores and returns the code of its report. Null, without any change, when the exam is
-- not open or its authorization was withdrawn (the task was closed, or the person was removed).
create function submission.submit_exam(code text, scored jsonb, forms jsonb, newreport jsonb, at timestamptz) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  respondent text := submission.bind_respondent();
  exam record;
  score record;
  newcode text;
  available int;
begin
  select e.musercode, e.orgpath, e.appid, e.plancode, e.taskcode, e.cuserplanid, g.walletcode
  into exam
  from public.examrecord e
    join public.cuserplan g on g.cuserplanid = e.cuserplanid and g.status = 1
  where e.examcode = code and e.cuserid = respondent and e.status = 1
  for update;
  if not found then
    return null;
  end if;

  select * into score from jsonb_to_record(scored) as s (
    submitkey uuid,
    duration int,
    valid smallint,
    invalidreason text,
    overalllevel smallint,
    mentalstate smallint,
    hasalert smallint,
    alertlevel smallint,
    isabnormal smallint,
    alertchanged smallint,
    age smallint,
    gestationaldays int
  );
  update public.examrecord e
  set
    status = 2,
    submittime = at,
    submitkey = score.submitkey,
    duration = score.duration,
    valid = score.valid,
    invalidreason = score.invalidreason,
    overalllevel = score.overalllevel,
    mentalstate = score.mentalstate,
    hasalert = greatest(e.hasalert, score.hasalert),
    alertlevel = greatest(e.alertlevel, score.alertlevel),
    alertchanged = greatest(e.alertchanged, score.alertchanged),
    isabnormal = score.isabnormal,
    age = score.age,
    gestationaldays = score.gestationaldays
  where e.examcode = code;

  -- The join with `code` accepts only answers and results of this exam.
  update public.examform x
  set
    status = 2,
    submittime = at,
    answertime = at,
    answers = f.answers,
    seqs = f.seqs,
    valid = f.valid,
    overalllevel = f.overalllevel,
    raw = f.raw,
    bandsets = f.bandsets
  from jsonb_to_recordset(forms) as f (
    examformid bigint,
    answers jsonb,
    seqs jsonb,
    valid smallint,
    overalllevel smallint,
    raw jsonb,
    bandsets jsonb
  )
  where x.examformid = f.examformid and x.examcode = code;

  insert into public.examresult (
    examformid, quotacode, examcode, musercode, orgpath, cuserid, score, level, levelname, missing, domain, isprimary, submittime,
    deflevel
  )
  select
    x.examformid, r.quotacode, x.examcode, x.musercode, x.orgpath, x.cuserid,
    r.score, r.level, r.levelname, r.missing, r.domain, r.isprimary, at, r.deflevel
  from jsonb_to_recordset(forms) as f (examformid bigint, results jsonb)
    join public.examform x on x.examformid = f.examformid and x.examcode = code
    cross join jsonb_to_recordset(f.results) as r (
      quotacode text,
      score numeric,
      level smallint,
      levelname text,
      missing int,
      domain text,
      isprimary smallint,
      deflevel smallint
    );

  perform submission.add_alert_answers(code, forms, at);

  insert into public.report (
    examcode, cuserid, musercode, orgpath, appid, title, basis, overalllevel, isshow, createtime, updatetime
  )
  values (
    code, respondent, exam.musercode, exam.orgpath, exam.appid, newreport->>'title', newreport->'basis', score.overalllevel,
    (newreport->>'isshow')::smallint, at, at
  )
  returning reportcode into newcode;

  -- A doubtful sheet with a high level: staff look at it within the given time.
  insert into public.examreview (examcode, kind, musercode, orgpath, cuserid, content, createtime, duetime)
  select code, '02', exam.musercode, exam.orgpath, respondent, scored->'review'->>'content', at,
    (scored->'review'->>'duetime')::timestamptz
  where scored->'review' <> 'null'
  on conflict do nothing;

  update public.taskroster t
  set status = case score.valid when 1 then 2 else 4 end, examcode = code, submittime = at
  where t.taskcode = exam.taskcode and t.cuserid = respondent;

  update public.cuser c
  set
    examcount = c.examcount + 1,
    reportcount = c.reportcount + 1,
    lastexamtime = at,
    lastlevel = case score.valid when 1 then score.overalllevel else c.lastlevel end,
    mentalstate = case when score.valid = 1 and c.mentalstatesource = 'auto' then score.mentalstate else c.mentalstate end,
    mentalstatetime = at
  where c.cuserid = respondent;

  update public.cuserplan g
  set used = g.used + 1, frozen = greatest(g.frozen - 1, 0), status = case when g.used + 1 >= g.total then 2 else g.status end
  where g.cuserplanid = exam.cuserplanid;

  -- This update is last, because all other submissions of the institution wait for this row until the commit. The wallet may have
  -- no frozen count left, when the platform has taken its counts back.
  update public.assesscount w
  set used = w.used + 1, frozen = w.frozen - 1
  where w.musercode = exam.musercode and w.plancode = exam.walletcode and w.frozen > 0
  returning w.granted - w.used - w.frozen - w.expired into available;
  if found then
    insert into public.assesscountlog (musercode, orgpath, plancode, forplan, cuserid, examcode, kind, qty, balance, time)
    values (exam.musercode, exam.orgpath, exam.walletcode, exam.plancode, respondent, code, '04', -1, available, at);
  end if;
  return newcode;
end $$;

-- Completes a sheet that staff have typed in and submitted: the day of the test, who typed it in and how, entered scores. `hidden`:
-- scores and report wait for a consent; cases do not wait.
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

revoke execute on all functions in schema submission from public;
grant execute on function submission.load_exam(text, timestamptz), submission.save_answers(text, jsonb, timestamptz, smallint, boolean),
  submission.add_late_answers(text, jsonb, timestamptz, smallint, boolean), submission.add_forms(text, text[], int, timestamptz)
  to xinli_respondent;
grant execute on function submission.submit_exam(text, jsonb, jsonb, jsonb, timestamptz) to xinli_respondent;
-- Staff type in the sheets of persons within their reach.
grant usage on schema submission to xinli_app;
grant execute on function submission.load_exam(text, timestamptz), submission.submit_exam(text, jsonb, jsonb, jsonb, timestamptz),
  submission.finish_entry(text, jsonb, jsonb, boolean) to xinli_app;
grant execute on function access.person_in_reach(text) to xinli_submission;
grant usage on schema access to xinli_submission;

-- Changing the owner of the functions needs membership in the role, for these lines only.
grant xinli_submission to current_user;
grant create on schema submission to xinli_submission;
alter function submission.bind_respondent() owner to xinli_submission;
alter function submission.load_exam(text, timestamptz) owner to xinli_submission;
alter function submission.add_alert_answers(text, jsonb, timestamptz) owner to xinli_submission;
alter function submission.mark_alert(text, smallint, boolean) owner to xinli_submission;
alter function submission.save_answers(text, jsonb, timestamptz, smallint, boolean) owner to xinli_submission;
alter function submission.add_late_answers(text, jsonb, timestamptz, smallint, boolean) owner to xinli_submission;
alter function submission.add_forms(text, text[], int, timestamptz) owner to xinli_submission;
alter function submission.submit_exam(text, jsonb, jsonb, jsonb, timestamptz) owner to xinli_submission;
alter function submission.finish_entry(text, jsonb, jsonb, boolean) owner to xinli_submission;
revoke create on schema submission from xinli_submission;
revoke xinli_submission from current_user;
