-- Freezes the versions of a task for follow-up forms, and gives earlier results their version.

create policy submission_institution on taskform to xinli_submission using (musercode = current_setting('app.musercode', true));
create policy submission_names on formversion for select to xinli_submission using (true);
grant select (orgpath, isplatform) on form to xinli_submission;
grant select (formcode, version, status) on formversion to xinli_submission;
grant select (musercode, taskcode, formcode, formversion) on taskform to xinli_submission;

-- The owner xinli_submission replaces its functions: this needs membership and the right to create, for these lines only.
grant xinli_submission to current_user;
grant create on schema submission to xinli_submission;

create or replace function submission.load_exam(code text, at timestamptz) returns table (
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

create or replace function submission.add_forms(code text, formcodes text[], age int, at timestamptz)
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

revoke create on schema submission from xinli_submission;
revoke xinli_submission from current_user;
