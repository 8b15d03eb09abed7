-- Answering and handing in, by three functions of a role that can do nothing else (docs/decisions/0013). Asking the session for its
-- reach at every table of every statement cost ten times the work itself; here it is asked once per call and kept in a setting. The
-- setting binds nobody but xinli_handin, as whom only these functions run, and each of them sets it before it reads anything.

-- What a person handed in before is looked up by person.
create index on examform (cuserid, submittime desc) where status = 2;

-- Whose rows this call is about: the session's own. Every function below begins with it.
create function auth.sitter() returns text language plpgsql volatile security definer set search_path = '' as $$
declare
  me record;
begin
  select l.cuserid, l.musercode into me from auth.alive l;
  perform set_config('app.sitter', coalesce(me.cuserid, ''), true), set_config('app.sitterat', coalesce(me.musercode, ''), true);
  return me.cuserid;
end $$;

do $$
declare
  t text;
begin
  foreach t in array array['examrecord', 'examform', 'examanswer', 'examresult', 'report', 'taskroster', 'cuser', 'cuserarchive', 'cuserplan', 'assesscountlog'] loop
    execute format('create policy sitting on public.%I to xinli_handin using (cuserid = current_setting(''app.sitter'', true)) with check (cuserid = current_setting(''app.sitter'', true))', t);
  end loop;
  foreach t in array array['muser', 'muserclient', 'assesscount', 'assesstask', 'warningrule'] loop
    execute format('create policy sitting on public.%I to xinli_handin using (musercode = current_setting(''app.sitterat'', true)) with check (musercode = current_setting(''app.sitterat'', true))', t);
  end loop;
  -- Names of plans and stages are nobody's secret; which one is read follows from the record.
  foreach t in array array['plan', 'examstage'] loop
    execute format('create policy sitting on public.%I for select to xinli_handin using (true)', t);
  end loop;
end $$;
grant usage on schema public, auth to xinli_handin;
grant execute on function auth.sitter() to xinli_handin;
grant select, update on examrecord, examform, taskroster, cuserplan to xinli_handin;
grant select, insert, update on examanswer to xinli_handin;
grant insert on examresult, assesscountlog to xinli_handin;
grant select, insert on report to xinli_handin;
grant select (cuserid, username, gender, birthday, examcount, reportcount, lastexamtime, lastlevel, mentalstate, mentalstatesource, mentalstatetime) on cuser to xinli_handin;
grant update (examcount, reportcount, lastexamtime, lastlevel, mentalstate, mentalstatetime) on cuser to xinli_handin;
grant select on cuserarchive to xinli_handin;
grant select (musercode, insname, sector, abnormalminlevel, settings) on muser to xinli_handin;
grant select (musercode, hotline) on muserclient to xinli_handin;
grant select (musercode, plancode, granted, used, frozen, expired), update (used, frozen) on assesscount to xinli_handin;
grant select (musercode, taskcode, resultshow) on assesstask to xinli_handin;
grant select (rulecode, musercode, name, cond, warninglevel, appid, enabled, isdeleted, ordernum) on warningrule to xinli_handin;
grant select (plancode, planname) on plan to xinli_handin;
grant select (appid, stagecode, stagename) on examstage to xinli_handin;
grant usage on sequence reportcode_seq to xinli_handin;

-- Everything one hand-in depends on, with the record locked until the transaction ends; no row when it is not the caller's. The lock
-- is a statement of its own: one that waited for it would go on reading what was there before it waited, and miss answers saved
-- meanwhile. `fresh` asks for the number of the report to come.
create function auth.load_sitting(code text, fresh boolean) returns table (
  examcode text, status smallint, submitkey uuid, musercode text, cuserid text, appid text, plancode text, planname text, taskcode text,
  cuserplanid bigint, starttime timestamptz, overalllevel smallint, hasalert smallint, username text, gender text, birthday date,
  gradecode text, insname text, sector text, abnormalminlevel smallint, settings jsonb, hotline text, resultshow smallint, rules jsonb,
  stagename text, archive jsonb, forms jsonb, history jsonb, nextreportcode text, reportcode text, isshow smallint
) language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  me text := auth.sitter();
begin
  perform from public.examrecord e where e.examcode = code and e.cuserid = me for update;
  if not found then return; end if;
  return query
  select e.examcode, e.status, e.submitkey, e.musercode, e.cuserid, e.appid, e.plancode, p.planname, e.taskcode, e.cuserplanid, e.starttime, e.overalllevel, e.hasalert,
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
      from public.examform x where x.cuserid = me and x.status = 2 and x.examcode <> code order by x.submittime desc limit 24) h), '[]'),
    case when fresh then 'R' || lpad(nextval('public.reportcode_seq')::text, 10, '0') else '' end, r.reportcode, r.isshow
  from public.examrecord e
    join public.plan p on p.plancode = e.plancode
    join public.cuser c on c.cuserid = e.cuserid
    join public.muser m on m.musercode = e.musercode
    left join public.assesstask t on t.taskcode = e.taskcode
    left join public.muserclient k on k.musercode = e.musercode
    left join public.report r on r.orgpath = e.orgpath and r.examcode = e.examcode
  where e.examcode = code and e.cuserid = me;
end $$;

-- Upserts answers [{examformid, c, value, clientseq}] of the caller's own record while it is open; a lower sequence never overwrites
-- a higher one. What was handed in stays as its results were made from it.
create function auth.save_answers(code text, answers jsonb, at timestamptz) returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  me text := auth.sitter();
begin
  insert into public.examanswer as a (examformid, questionc, musercode, orgpath, cuserid, value, answertime, seq)
  select x.examformid, d.c, x.musercode, x.orgpath, x.cuserid, d.value, at, d.clientseq
  from (select distinct on (examformid, c) * from jsonb_to_recordset(answers) as r (examformid bigint, c text, value jsonb, clientseq bigint) order by examformid, c, clientseq desc) d
    join public.examform x on x.examformid = d.examformid
  where x.examcode = code and x.cuserid = me and exists (select from public.examrecord e where e.examcode = code and e.cuserid = me and e.status = 1)
  on conflict (examformid, questionc) do update set value = excluded.value, answertime = excluded.answertime, seq = excluded.seq,
    changes = a.changes + (a.value is distinct from excluded.value)::int
    where a.seq <= excluded.seq;
end $$;

-- Writes a judged sitting: answers, record, forms, results, report, roster, person and, last because a whole school waits for it,
-- the count it uses. False when the grant was taken back meanwhile (the task was closed, the person removed): the caller then refuses
-- and nothing stays.
create function auth.hand_in(code text, answers jsonb, record jsonb, forms jsonb, results jsonb, newreport jsonb, content jsonb, selfcontent jsonb, at timestamptz)
returns boolean language plpgsql volatile security definer set search_path = '' as $$
declare
  me text;
  e record;
  r record;
  wallet text;
  free int;
begin
  if answers <> '[]' then perform auth.save_answers(code, answers, at); end if;
  me := auth.sitter();
  select * into r from jsonb_to_record(record) as j (submitkey uuid, duration int, valid smallint, invalidreason text, overalllevel smallint, mentalstate smallint,
    hasalert smallint, alertlevel smallint, isabnormal smallint, age smallint, gestationaldays int);
  update public.examrecord x set status = 2, submitkey = r.submitkey, submittime = at, duration = r.duration, valid = r.valid, invalidreason = r.invalidreason,
    overalllevel = r.overalllevel, mentalstate = r.mentalstate, hasalert = r.hasalert, alertlevel = r.alertlevel, isabnormal = r.isabnormal,
    age = r.age, gestationaldays = r.gestationaldays
  where x.examcode = code and x.cuserid = me and x.status = 1
  returning x.examcode, x.musercode, x.orgpath, x.appid, x.taskcode, x.cuserplanid into e;
  if not found then return false; end if;
  update public.cuserplan g set used = g.used + 1, frozen = greatest(g.frozen - 1, 0), status = case when g.used + 1 >= g.total then 2 else g.status end
  where g.cuserplanid = e.cuserplanid and g.status = 1 returning g.walletcode into wallet;
  if not found then return false; end if;
  update public.examform x set status = 2, submittime = at, valid = d.valid, overalllevel = d.overalllevel, raw = d.raw
  from jsonb_to_recordset(forms) as d (examformid bigint, valid smallint, overalllevel smallint, raw jsonb)
  where x.examformid = d.examformid and x.examcode = code;
  insert into public.examresult (examformid, quotacode, examcode, musercode, orgpath, cuserid, score, level, levelname, missing, domain, isprimary, submittime)
  select d.examformid, d.quotacode, code, e.musercode, e.orgpath, me, d.score, d.level, d.levelname, d.missing, d.domain, d.isprimary, at
  from jsonb_to_recordset(results) as d (examformid bigint, quotacode text, score numeric, level smallint, levelname text, missing int, domain text, isprimary smallint)
    -- A result belongs to a form of this very record.
    join public.examform x on x.examformid = d.examformid and x.examcode = code;
  insert into public.report (reportcode, examcode, cuserid, musercode, orgpath, appid, title, content, selfcontent, overalllevel, isshow, createtime, updatetime)
  values (newreport->>'reportcode', code, me, e.musercode, e.orgpath, e.appid, newreport->>'title', content, selfcontent, r.overalllevel, (newreport->>'isshow')::smallint, at, at);
  if e.taskcode is not null then
    update public.taskroster t set status = case r.valid when 1 then 2 else 4 end, examcode = code, submittime = at where t.taskcode = e.taskcode and t.cuserid = me;
  end if;
  update public.cuser c set examcount = c.examcount + 1, reportcount = c.reportcount + 1, lastexamtime = at, mentalstatetime = at,
    lastlevel = case r.valid when 1 then r.overalllevel else c.lastlevel end,
    mentalstate = case when r.valid = 1 and c.mentalstatesource = 'auto' then r.mentalstate else c.mentalstate end
  where c.cuserid = me;
  update public.assesscount w set used = w.used + 1, frozen = w.frozen - 1
  where w.musercode = e.musercode and w.plancode = wallet and w.frozen > 0 returning w.granted - w.used - w.frozen - w.expired into free;
  if found then
    insert into public.assesscountlog (musercode, orgpath, plancode, cuserid, examcode, kind, qty, balance, time) values (e.musercode, e.orgpath, wallet, me, code, '04', -1, free, at);
  end if;
  return true;
end $$;

grant execute on function auth.load_sitting(text, boolean), auth.save_answers(text, jsonb, timestamptz),
  auth.hand_in(text, jsonb, jsonb, jsonb, jsonb, jsonb, jsonb, jsonb, timestamptz) to xinli_respondent;

-- Handing over takes membership, for the length of this migration only.
grant xinli_handin to current_user;
grant create on schema auth to xinli_handin;
alter function auth.load_sitting(text, boolean) owner to xinli_handin;
alter function auth.save_answers(text, jsonb, timestamptz) owner to xinli_handin;
alter function auth.hand_in(text, jsonb, jsonb, jsonb, jsonb, jsonb, jsonb, jsonb, timestamptz) owner to xinli_handin;
revoke create on schema auth from xinli_handin;
revoke xinli_handin from current_user;
-- What the functions do, a respondent's own statements no longer may.
revoke insert, update on examanswer, examresult, report from xinli_respondent;
revoke insert on assesscountlog from xinli_respondent;
revoke update on assesscount from xinli_respondent;
