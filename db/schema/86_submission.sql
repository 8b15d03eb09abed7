-- Saving answers and submitting exams, by functions of a role that can do nothing else (docs/decisions/0013, 0020). Each call
-- names the sessions it is for; submission.bind_respondents() finds the persons behind them and keeps their codes in two
-- settings. The settings bind nobody but xinli_submission, as whom only these functions run, and each function sets them
-- before it reads anything.

-- The persons of the call and their institutions.
do $$
declare
  t text;
  persons constant text := 'cuserid = any ((select string_to_array(current_setting(''app.cuserids'', true), '',''))::text[])';
  places constant text := 'musercode = any ((select string_to_array(current_setting(''app.musercodes'', true), '',''))::text[])';
begin
  foreach t in array array['examrecord', 'examform', 'examanswer', 'examresult', 'report', 'taskroster', 'cuser', 'cuserarchive', 'cuserplan', 'assesscountlog'] loop
    execute format('create policy submission_self on %I to xinli_submission using (%s) with check (%2$s)', t, persons);
  end loop;
  foreach t in array array['muser', 'muserclient', 'assesscount', 'assesstask', 'warningrule'] loop
    execute format('create policy submission_self on %I to xinli_submission using (%s) with check (%2$s)', t, places);
  end loop;
  execute format('create policy submission_self on warning for select to xinli_submission using (%s)', persons);
  -- Names of plans and stages are not secret; the record says which one is read.
  execute 'create policy submission_self on plan for select to xinli_submission using (true)';
  execute 'create policy submission_self on examstage for select to xinli_submission using (true)';
  execute 'create policy submission_self on audit.log for insert to xinli_submission with check (true)';
end $$;
grant select, update on examrecord, examform, taskroster, cuserplan to xinli_submission;
grant select, insert, update on examanswer to xinli_submission;
grant insert on examresult, assesscountlog, audit.log to xinli_submission;
grant select, insert on report to xinli_submission;
grant select (cuserid, username, gender, birthday, examcount, reportcount, lastexamtime, lastlevel, mentalstate, mentalstatesource, mentalstatetime) on cuser to xinli_submission;
grant update (examcount, reportcount, lastexamtime, lastlevel, mentalstate, mentalstatetime) on cuser to xinli_submission;
grant select on cuserarchive to xinli_submission;
grant select (musercode, insname, sector, abnormalminlevel, settings) on muser to xinli_submission;
grant select (musercode, hotline) on muserclient to xinli_submission;
grant select (musercode, plancode, granted, used, frozen, expired), update (used, frozen) on assesscount to xinli_submission;
grant select (musercode, taskcode, resultshow) on assesstask to xinli_submission;
grant select (rulecode, musercode, name, cond, warninglevel, appid, enabled, isdeleted, ordernum) on warningrule to xinli_submission;
grant select (plancode, planname) on plan to xinli_submission;
grant select (appid, stagecode, stagename) on examstage to xinli_submission;
grant select (cuserid, state, isdeleted) on warning to xinli_submission;
grant usage on sequence reportcode_seq to xinli_submission;

-- Whose sittings these are: [{n, code, session, bound}] with the person behind each session in force (as auth.active_session has it). Every
-- function below begins with it.
create function submission.bind_respondents(asked jsonb) returns jsonb language plpgsql volatile security definer set search_path = '' set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  mine jsonb;
  persons text;
  places text;
begin
  select coalesce(jsonb_agg(to_jsonb(x)), '[]'), string_agg(distinct x.cuserid, ','), string_agg(distinct x.musercode, ',') into mine, persons, places
  from (
    select d.n, d.code, d.answered, d.seqsum, s.cuserid, s.musercode
    from jsonb_to_recordset(asked) as d (n int, code text, session text, bound text, answered int, seqsum numeric)
      -- Looked up one by one: the planner takes most sessions to be over and would read all of an institution's first.
      cross join lateral (select * from auth.session l where l.tokenhash = d.session offset 0) s
      join auth.tenant t on t.musercode = s.musercode
    where session_user = 'xinli_respondent' and s.kind = 'respondent' and (s.boundhash is null or s.boundhash = d.bound)
      and s.revoked is null and s.expiretime > now() and s.lastseen + s.idle > now()
      and t.enabled = 1 and (t.expiredate is null or t.expiredate >= (now() at time zone 'Asia/Shanghai')::date)) x;
  perform set_config('app.cuserids', coalesce(persons, ''), true), set_config('app.musercodes', coalesce(places, ''), true);
  return mine;
end $$;
revoke execute on function submission.bind_respondents(jsonb) from public;
grant execute on function submission.bind_respondents(jsonb) to xinli_submission;

-- Everything one hand-in depends on.
create type submission.exam as (
  n int, examcode text, status smallint, submitkey uuid, musercode text, cuserid text, appid text, plancode text, planname text, taskcode text,
  cuserplanid bigint, starttime timestamptz, overalllevel smallint, hasalert smallint, username text, gender text, birthday date,
  gradecode text, insname text, sector text, abnormalminlevel smallint, settings jsonb, hotline text, resultshow smallint, rules jsonb,
  stagename text, archive jsonb, forms jsonb, history jsonb, opencase boolean, reportcode text, isshow smallint
);

-- The sittings asked for; no row for one that is not its caller's. `hold` locks their records until the transaction ends. The lock is
-- a statement of its own: one that waited for it would go on reading what was there before it waited, and miss answers saved meanwhile.
create function submission.load_exams(asked jsonb, hold boolean) returns setof submission.exam language plpgsql volatile security definer set search_path = '' set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
#variable_conflict use_column
declare
  mine jsonb := submission.bind_respondents(asked);
begin
  if hold then
    perform from public.examrecord e join jsonb_to_recordset(mine) as d (code text, cuserid text) on e.examcode = d.code and e.cuserid = d.cuserid for update of e;
  end if;
  return query
  select d.n, e.examcode, e.status, e.submitkey, e.musercode, e.cuserid, e.appid, e.plancode, p.planname, e.taskcode, e.cuserplanid, e.starttime, e.overalllevel, e.hasalert,
    c.username, c.gender, c.birthday, e.gradecode, m.insname, m.sector, m.abnormalminlevel, m.settings, k.hotline, coalesce(t.resultshow, 0::smallint),
    coalesce((select jsonb_agg(jsonb_build_object('rulecode', w.rulecode, 'name', w.name, 'cond', w.cond, 'warninglevel', w.warninglevel, 'appid', w.appid) order by w.ordernum, w.rulecode)
      from public.warningrule w where w.musercode = e.musercode and w.enabled = 1 and w.isdeleted = 0), '[]'),
    (select s.stagename from public.examstage s where s.appid = e.appid and s.stagecode = e.stagecode limit 1),
    coalesce((select a.detail || jsonb_strip_nulls(jsonb_build_object('gradename', a.gradename, 'classname', a.classname, 'studentno', a.studentno, 'unitname', a.unitname))
      from public.cuserarchive a where a.cuserid = e.cuserid and a.appid = e.appid), '{}'),
    (select jsonb_agg(jsonb_build_object('examformid', x.examformid, 'formcode', x.formcode, 'formversion', x.formversion, 'ordernum', x.ordernum,
        'answers', coalesce(q.answers, '{}'), 'seqs', coalesce(q.seqs, '{}')) order by x.ordernum)
      from public.examform x left join lateral (select jsonb_object_agg(a.questionc, a.value) as answers, jsonb_object_agg(a.questionc, a.seq) as seqs
        from public.examanswer a where a.examformid = x.examformid) q on true
      where x.examcode = e.examcode),
    coalesce((select jsonb_agg(h) from (
      select x.examcode, x.formcode, to_char(x.submittime at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as submittime, x.raw->'scores' as scores,
        x.raw->'levels' as levels, x.raw->'labels' as labels, x.raw->'itemscores' as itemscores, x.valid = 1 as valid
      from public.examform x where x.cuserid = e.cuserid and x.status = 2 and x.examcode <> e.examcode order by x.submittime desc limit 24) h), '[]'),
    exists (select from public.warning w where w.cuserid = e.cuserid and w.state not in ('07', '08') and w.isdeleted = 0),
    r.reportcode, r.isshow
  from jsonb_to_recordset(mine) as d (n int, code text, cuserid text)
    join public.examrecord e on e.examcode = d.code and e.cuserid = d.cuserid
    join public.plan p on p.plancode = e.plancode
    join public.cuser c on c.cuserid = e.cuserid
    join public.muser m on m.musercode = e.musercode
    left join public.assesstask t on t.taskcode = e.taskcode
    left join public.muserclient k on k.musercode = e.musercode
    left join public.report r on r.orgpath = e.orgpath and r.examcode = e.examcode;
end $$;

-- Upserts answers [{examformid, c, value, clientseq}] of open records, and says which entries these were; a lower sequence never
-- overwrites a higher one. What was handed in stays as its results were made from it. Where `patient`, a record somebody else holds is
-- waited for, else it is left out.
create function submission.save_answers(asked jsonb, patient boolean) returns setof int language plpgsql volatile security definer set search_path = '' set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  mine jsonb := submission.bind_respondents(asked);
  held jsonb;
begin
  if patient then
    select jsonb_agg(to_jsonb(x)) into held from (
      select d.n, e.examcode, e.cuserid from jsonb_to_recordset(mine) as d (n int, code text, cuserid text)
        join public.examrecord e on e.examcode = d.code and e.cuserid = d.cuserid where e.status = 1 for update of e) x;
  else
    select jsonb_agg(to_jsonb(x)) into held from (
      select d.n, e.examcode, e.cuserid from jsonb_to_recordset(mine) as d (n int, code text, cuserid text)
        join public.examrecord e on e.examcode = d.code and e.cuserid = d.cuserid where e.status = 1 for update of e skip locked) x;
  end if;
  if held is null then return; end if;
  perform submission.write_answers(asked, held);
  perform audit.add(d.audit) from jsonb_to_recordset(held) as h (n int) join jsonb_to_recordset(asked) as d (n int, audit jsonb) on d.n = h.n where d.audit is not null;
  return query select h.n from jsonb_to_recordset(held) as h (n int);
end $$;

-- The rows of both functions that write answers, for records that are locked.
create function submission.write_answers(asked jsonb, held jsonb) returns void language plpgsql volatile set search_path = '' set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  insert into public.examanswer as a (examformid, questionc, musercode, orgpath, cuserid, value, answertime, seq)
  select distinct on (x.examformid, r.c) x.examformid, r.c, x.musercode, x.orgpath, x.cuserid, r.value, d.at, r.clientseq
  from jsonb_to_recordset(held) as h (n int, examcode text, cuserid text)
    join jsonb_to_recordset(asked) as d (n int, answers jsonb, at timestamptz) on d.n = h.n
    cross join jsonb_to_recordset(d.answers) as r (examformid bigint, c text, value jsonb, clientseq bigint)
    -- An answer belongs to a form of this very record.
    join public.examform x on x.examformid = r.examformid and x.examcode = h.examcode and x.cuserid = h.cuserid
  order by x.examformid, r.c, r.clientseq desc
  on conflict (examformid, questionc) do update set value = excluded.value, answertime = excluded.answertime, seq = excluded.seq,
    changes = a.changes + (a.value is distinct from excluded.value)::int
    where a.seq <= excluded.seq;
end $$;

-- Writes judged sittings: answers, records, forms, results, reports, roster, persons, the trail of a bundle and, last because a whole
-- school waits for it, the counts they use. Says which entries are done, with the code of their report. Not done is what was handed in
-- already, what lost its grant meanwhile (the task was closed, the person removed) and, unless `patient`, what somebody else holds, a
-- second sitting of the same person, and what was judged from other answers than are stored now (`answered`, `seqsum`).
create function submission.submit_exams(asked jsonb, patient boolean) returns table (n int, reportcode text) language plpgsql volatile security definer set search_path = '' set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
#variable_conflict use_column
declare
  mine jsonb := submission.bind_respondents(asked);
  held jsonb;
  wallets int;
  paid int;
begin
  if patient then
    select jsonb_agg(to_jsonb(x)) into held from (
      select d.n, e.examcode, e.cuserid, e.musercode, e.orgpath, e.appid, e.taskcode, e.cuserplanid, e.plancode, g.walletcode
      from (select distinct on (m.cuserid) m.n, m.code, m.cuserid from jsonb_to_recordset(mine) as m (n int, code text, cuserid text) order by m.cuserid, m.n) d
        join public.examrecord e on e.examcode = d.code and e.cuserid = d.cuserid and e.status = 1
        join public.cuserplan g on g.cuserplanid = e.cuserplanid and g.status = 1
      for update of e, g) x;
  else
    select jsonb_agg(to_jsonb(x)) into held from (
      select d.n, e.examcode, e.cuserid, e.musercode, e.orgpath, e.appid, e.taskcode, e.cuserplanid, e.plancode, g.walletcode, d.answered, d.seqsum
      from (select distinct on (m.cuserid) m.n, m.code, m.cuserid, m.answered, m.seqsum
          from jsonb_to_recordset(mine) as m (n int, code text, cuserid text, answered int, seqsum numeric) order by m.cuserid, m.n) d
        join public.examrecord e on e.examcode = d.code and e.cuserid = d.cuserid and e.status = 1
        join public.cuserplan g on g.cuserplanid = e.cuserplanid and g.status = 1
        join public.cuser c on c.cuserid = e.cuserid
      for update of e, g, c skip locked) x;
    select jsonb_agg(to_jsonb(h)) into held
    from jsonb_to_recordset(held) as h (n int, examcode text, cuserid text, musercode text, orgpath text, appid text, taskcode text, cuserplanid bigint, plancode text, walletcode text, answered int, seqsum numeric)
      cross join lateral (select count(*) as answered, coalesce(sum(a.seq), 0) as seqsum from public.examform x join public.examanswer a on a.examformid = x.examformid where x.examcode = h.examcode) s
    where s.answered = h.answered and s.seqsum = h.seqsum;
  end if;
  if held is null then return; end if;
  perform submission.write_answers(asked, held);
  update public.examrecord e set status = 2, submitkey = r.submitkey, submittime = d.at, duration = r.duration, valid = r.valid, invalidreason = r.invalidreason,
    overalllevel = r.overalllevel, mentalstate = r.mentalstate, hasalert = r.hasalert, alertlevel = r.alertlevel, isabnormal = r.isabnormal,
    age = r.age, gestationaldays = r.gestationaldays
  from jsonb_to_recordset(held) as h (n int, examcode text)
    join jsonb_to_recordset(asked) as d (n int, record jsonb, at timestamptz) on d.n = h.n
    cross join jsonb_to_record(d.record) as r (submitkey uuid, duration int, valid smallint, invalidreason text, overalllevel smallint, mentalstate smallint,
      hasalert smallint, alertlevel smallint, isabnormal smallint, age smallint, gestationaldays int)
  where e.examcode = h.examcode;
  update public.cuserplan g set used = g.used + 1, frozen = greatest(g.frozen - 1, 0), status = case when g.used + 1 >= g.total then 2 else g.status end
  from jsonb_to_recordset(held) as h (cuserplanid bigint) where g.cuserplanid = h.cuserplanid;
  update public.examform x set status = 2, submittime = d.at, valid = r.valid, overalllevel = r.overalllevel, raw = r.raw
  from jsonb_to_recordset(held) as h (n int, examcode text)
    join jsonb_to_recordset(asked) as d (n int, forms jsonb, at timestamptz) on d.n = h.n
    cross join jsonb_to_recordset(d.forms) as r (examformid bigint, valid smallint, overalllevel smallint, raw jsonb)
  where x.examformid = r.examformid and x.examcode = h.examcode;
  insert into public.examresult (examformid, quotacode, examcode, musercode, orgpath, cuserid, score, level, levelname, missing, domain, isprimary, submittime)
  select r.examformid, r.quotacode, h.examcode, h.musercode, h.orgpath, h.cuserid, r.score, r.level, r.levelname, r.missing, r.domain, r.isprimary, d.at
  from jsonb_to_recordset(held) as h (n int, examcode text, musercode text, orgpath text, cuserid text)
    join jsonb_to_recordset(asked) as d (n int, results jsonb, at timestamptz) on d.n = h.n
    cross join jsonb_to_recordset(d.results) as r (examformid bigint, quotacode text, score numeric, level smallint, levelname text, missing int, domain text, isprimary smallint)
    -- A result belongs to a form of this very record.
    join public.examform x on x.examformid = r.examformid and x.examcode = h.examcode;
  update public.taskroster t set status = case (d.record->>'valid')::int when 1 then 2 else 4 end, examcode = h.examcode, submittime = d.at
  from jsonb_to_recordset(held) as h (n int, examcode text, cuserid text, taskcode text)
    join jsonb_to_recordset(asked) as d (n int, record jsonb, at timestamptz) on d.n = h.n
  where t.taskcode = h.taskcode and t.cuserid = h.cuserid;
  update public.cuser c set examcount = c.examcount + 1, reportcount = c.reportcount + 1, lastexamtime = d.at, mentalstatetime = d.at,
    lastlevel = case r.valid when 1 then r.overalllevel else c.lastlevel end,
    mentalstate = case when r.valid = 1 and c.mentalstatesource = 'auto' then r.mentalstate else c.mentalstate end
  from jsonb_to_recordset(held) as h (n int, cuserid text)
    join jsonb_to_recordset(asked) as d (n int, record jsonb, at timestamptz) on d.n = h.n
    cross join jsonb_to_record(d.record) as r (valid smallint, overalllevel smallint, mentalstate smallint)
  where c.cuserid = h.cuserid;
  return query
  with written as (
    insert into public.report (examcode, cuserid, musercode, orgpath, appid, title, basis, overalllevel, isshow, createtime, updatetime)
    select h.examcode, h.cuserid, h.musercode, h.orgpath, h.appid, d.report->>'title', d.report->'basis', (d.record->>'overalllevel')::smallint, (d.report->>'isshow')::smallint, d.at, d.at
    from jsonb_to_recordset(held) as h (n int, examcode text, cuserid text, musercode text, orgpath text, appid text)
      join jsonb_to_recordset(asked) as d (n int, record jsonb, report jsonb, at timestamptz) on d.n = h.n
    returning examcode, reportcode)
  select h.n, w.reportcode from written w join jsonb_to_recordset(held) as h (n int, examcode text) on h.examcode = w.examcode;
  perform audit.add(d.audit) from jsonb_to_recordset(held) as h (n int) join jsonb_to_recordset(asked) as d (n int, audit jsonb) on d.n = h.n where d.audit is not null;
  with used as (
    select h.musercode, h.orgpath, h.walletcode, count(*)::int as qty from jsonb_to_recordset(held) as h (musercode text, orgpath text, walletcode text)
    where h.walletcode is not null group by 1, 2, 3),
  changed as (
    update public.assesscount w set used = w.used + u.qty, frozen = w.frozen - u.qty from used u
    where w.musercode = u.musercode and w.plancode = u.walletcode and w.frozen >= u.qty
    returning w.musercode, w.plancode, w.granted - w.used - w.frozen - w.expired as free),
  logged as (
    -- Which plan it was used for stands beside the wallet it was paid from (41_counts.sql). A use takes from what was frozen, so what is free is the same after each of them.
    insert into public.assesscountlog (musercode, orgpath, plancode, forplan, cuserid, examcode, kind, qty, balance, time)
    select h.musercode, h.orgpath, h.walletcode, h.plancode, h.cuserid, h.examcode, '04', -1, w.free, d.at
    from jsonb_to_recordset(held) as h (n int, examcode text, cuserid text, musercode text, orgpath text, plancode text, walletcode text)
      join jsonb_to_recordset(asked) as d (n int, at timestamptz) on d.n = h.n
      join changed w on w.musercode = h.musercode and w.plancode = h.walletcode)
  select (select count(*) from used), (select count(*) from changed) into wallets, paid;
  -- A bundle either is paid for in full or is not written; one alone may have nothing left to pay with (its counts were taken back).
  if not patient and paid < wallets then raise exception 'a wallet cannot pay for the bundle'; end if;
end $$;

revoke execute on function submission.load_exams(jsonb, boolean), submission.save_answers(jsonb, boolean), submission.write_answers(jsonb, jsonb), submission.submit_exams(jsonb, boolean) from public;
grant execute on function submission.load_exams(jsonb, boolean), submission.save_answers(jsonb, boolean), submission.submit_exams(jsonb, boolean) to xinli_respondent;
grant xinli_submission to current_user;
grant create on schema submission to xinli_submission;
alter function submission.load_exams(jsonb, boolean) owner to xinli_submission;
alter function submission.save_answers(jsonb, boolean) owner to xinli_submission;
alter function submission.write_answers(jsonb, jsonb) owner to xinli_submission;
alter function submission.submit_exams(jsonb, boolean) owner to xinli_submission;
revoke create on schema submission from xinli_submission;
revoke xinli_submission from current_user;
