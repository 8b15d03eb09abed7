-- Adds consultation: registrations, bookings, notes, hours of counsellors; owners and results of follow-ups.

-- Consultation: registrations, bookings, the two notes, and the hours of counsellors.

-- btree_gist lets an exclusion constraint compare texts and ranges together.
create schema if not exists extension;
create extension if not exists btree_gist with schema extension;

-- Registration forms (type 03) that an institution offers.
create table consultform (
  musercode text not null,
  orgpath text collate "C" not null,
  formcode text not null references form,
  title text not null default '',  -- the title for persons; '': the title of the form
  enabled smallint not null default 1,
  ordernum int not null default 0,
  updatetime timestamptz not null default now(),
  primary key (musercode, formcode)
);
select access.follow_tenant('consultform');

-- Registrations for a consultation, with their booking and the shared summary.
create table consult (
  consultid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null references cuser,
  source text not null,  -- 01 the person, 02 staff, 03 from a case
  consulttype text not null default '01',
  topics text[] not null default '{}',
  formcode text references form,
  formversion text,
  answers text,  -- sealed JSON of the form's answers
  guardianopen smallint not null default 0,  -- a minor applied while the consent of the guardian was open
  warningcode text references warning,
  status text not null default '01',
  applytime timestamptz not null default now(),
  duetime timestamptz not null,  -- a waiting registration is overdue from then on
  counsellor text references sysuser,
  slotbegin timestamptz,
  slotend timestamptz,
  room text not null default '',  -- '': no room of its own
  seriesid bigint references consult,  -- the first booking of a weekly series
  groupid bigint references consult,  -- the first registration of a group session
  bookedby text,  -- 01 the person, 02 staff
  remindedday smallint not null default 0,  -- the reminder of the day before was sent
  remindedhour smallint not null default 0,  -- the reminder two hours before was sent
  cancelby text,  -- 01 the person, 02 staff
  cancelreason text not null default '',
  donetime timestamptz,
  attendance text,
  currentlevel smallint,
  outcome text,
  nextdate date,
  summary text,  -- sealed
  operator text,
  createtime timestamptz not null default now(),
  updatetime timestamptz,
  isdeleted smallint not null default 0,
  check (status <> '02' or slotbegin < slotend and counsellor is not null),
  -- Nobody and no room is booked twice at a time. The registrations of one group session share counsellor and room.
  constraint consult_counsellor_booked exclude using gist (counsellor extension.gist_text_ops with =,
    tstzrange(slotbegin, slotend) with &&, coalesce(groupid, -consultid) extension.gist_int8_ops with <>)
    where (status = '02' and isdeleted = 0),
  constraint consult_person_booked exclude using gist (cuserid extension.gist_text_ops with =, tstzrange(slotbegin, slotend) with &&)
    where (status = '02' and isdeleted = 0),
  constraint consult_room_booked exclude using gist (musercode extension.gist_text_ops with =, room extension.gist_text_ops with =,
    tstzrange(slotbegin, slotend) with &&, coalesce(groupid, -consultid) extension.gist_int8_ops with <>)
    where (status = '02' and isdeleted = 0 and room <> '')
);
create index consult_orgpath_status_idx on consult (orgpath, status, applytime);
create index consult_cuserid_idx on consult (cuserid);
create index consult_warningcode_idx on consult (warningcode) where warningcode is not null;
create index consult_counsellor_idx on consult (counsellor, slotbegin) where counsellor is not null;
select access.follow_tenant('consult');
select access.track_edits('consult', 'consulttype,topics,attendance,currentlevel,outcome,nextdate,summary', private => true);

-- What happened to a registration: applied, booked, moved, missed, finished, addenda. Rows are only added.
create table consultlog (
  logid bigint generated always as identity primary key,
  consultid bigint not null references consult,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  action text not null,
  content text,  -- sealed
  operator text,
  operatorname text not null,
  time timestamptz not null
);
create index consultlog_consultid_idx on consultlog (consultid);
select access.follow_tenant('consultlog');

-- The private note of a consultation. Only its counsellor reads and writes it (policy own_note).
create table consultnote (
  consultid bigint primary key references consult,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  userid text not null references sysuser,
  note text not null,  -- sealed
  isshared smallint not null default 0,  -- 随案移交: it passes on to the counsellor who takes the person over
  updatetime timestamptz not null
);
select access.follow_tenant('consultnote');

-- The weekly hours of counsellors.
create table counsellortime (
  timeid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  userid text not null references sysuser,
  weekday smallint not null check (weekday between 1 and 7),  -- 1: Monday
  begintime text collate "C" not null check (begintime ~ '^([01]\d|2[0-3]):[0-5]\d$'),  -- 'HH:mm' in Asia/Shanghai
  endtime text collate "C" not null check (endtime ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  minutes smallint not null default 50,
  pause smallint not null default 10,
  room text not null default '',
  validfrom date not null,
  validto date,  -- the last day; null: without end
  check (begintime < endtime),
  check (validto is null or validfrom <= validto)
);
create index counsellortime_userid_idx on counsellortime (userid);
select access.follow_tenant('counsellortime');
select access.track_edits('counsellortime', 'weekday,begintime,endtime,minutes,pause,room,validfrom,validto');

-- Times at which a counsellor offers no hours.
create table counselloroff (
  offid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  userid text not null references sysuser,
  begintime timestamptz not null,
  endtime timestamptz not null,
  reason text not null default '',
  check (begintime < endtime)
);
create index counselloroff_userid_idx on counselloroff (userid);
select access.follow_tenant('counselloroff');

-- Returns the named staff of an institution who hold all of these rights now, the absent ones too.
create function access.staff_holding(code text, rights text[])
returns table (userid text, realname text, absentuntil timestamptz, rolekeys text[])
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select u.userid, u.realname, u.absentuntil, coalesce(h.rolekeys, '{}')
  from public.muser m
    join public.sysuser u on u.musercode = m.musercode
    cross join lateral (
      select array_agg(r.rolekey) as rolekeys
      from public.sysuserrole ur join public.role r on r.roleid = ur.roleid
      where ur.userid = u.userid and r.enabled = 1 and r.isdeleted = 0) h
  where m.musercode = code and m.orgpath >= (select access.path_from()) and m.orgpath < (select access.path_to())
    and m.enabled = 1 and m.isdeleted = 0 and rights <@ m.codes
    and u.enabled = 1 and u.isdeleted = 0 and u.isshared = 0
    and not exists (
      select from unnest(rights) as needed (code)
      where exists (
          select from public.sysuserpermission p where p.userid = u.userid and p.code = needed.code and p.effect = 'deny')
        or not (exists (
            select from public.sysuserrole ur join public.role r on r.roleid = ur.roleid
            where ur.userid = u.userid and r.enabled = 1 and r.isdeleted = 0 and needed.code = any (r.codes))
          or exists (
            select from public.sysuserpermission p where p.userid = u.userid and p.code = needed.code and p.effect = 'grant')));
end $$;

-- Returns the booked times of the counsellors and rooms of an institution, without the persons.
create function access.booked_times(code text, fromtime timestamptz, totime timestamptz)
returns table (consultid bigint, counsellor text, room text, slotbegin timestamptz, slotend timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select c.consultid, c.counsellor, c.room, c.slotbegin, c.slotend
  from public.consult c
  where c.musercode = code and c.status = '02' and c.isdeleted = 0 and c.slotbegin < totime and c.slotend > fromtime;
end $$;

-- True while another account acts in the caller's account (代登录).
create function access.is_acting() returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from auth.active_session s where s.loginasby is not null);
end $$;

-- Follow-ups have an owner, a result and perhaps a re-test; interventions and follow-ups may come from a consultation.
alter table followup add column owneruserid text references sysuser;  -- null: the owner of the case
alter table followup add column outcome text;
alter table followup add column consultid bigint references consult;
alter table followup add column cuserplanid bigint references cuserplan;  -- the right to answer its re-test
alter table interfere add column consultid bigint references consult;
create index followup_owneruserid_idx on followup (owneruserid) where owneruserid is not null;

-- Consultation
select access.protect('consultform', respondent => 'tenant');
select access.protect('consult', person => true, respondent => 'self');
select access.protect('consultlog', person => true, respondent => 'self');
select access.protect('consultnote', person => true);
select access.protect('counsellortime', respondent => 'tenant');
select access.protect('counselloroff', respondent => 'tenant');
-- A private note is its counsellor's alone, also against administrators and while somebody acts in the account.
create policy own_note on consultnote as restrictive to xinli_app
  using (userid = (select access.current_userid()) and not (select access.is_acting()))
  with check (userid = (select access.current_userid()) and not (select access.is_acting()));

grant select, insert, update, delete on consultform, consult, consultlog, consultnote, counsellortime, counselloroff to xinli_app;
revoke update, delete on consultlog from xinli_app;
revoke delete on consult from xinli_app;
grant usage on all sequences in schema public to xinli_app;
grant select on consultform, counsellortime to xinli_respondent;
grant select (userid, musercode, orgpath, begintime, endtime) on counselloroff to xinli_respondent;
grant select (consultid, musercode, orgpath, cuserid, source, consulttype, topics, formcode, formversion, warningcode, status, applytime,
  duetime, counsellor, slotbegin, slotend, room, groupid, seriesid, bookedby, cancelby, isdeleted), insert,
  update (status, counsellor, slotbegin, slotend, room, bookedby, cancelby, cancelreason, warningcode, duetime, updatetime)
  on consult to xinli_respondent;
grant insert on consultlog to xinli_respondent;
grant usage on sequence consult_consultid_seq, consultlog_logid_seq to xinli_respondent;
grant execute on function access.is_acting() to xinli_app;
grant execute on function access.staff_holding(text, text[]), access.booked_times(text, timestamptz, timestamptz)
  to xinli_app, xinli_respondent;

-- The merge and the erasure of persons know consultations.
create or replace function access.anonymize_person(person text, keepsince timestamptz, at timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  people text[];
  old text[];
  words text[];
  one text;
  erased jsonb := '{"schema": "rpt/1", "templatecode": "erased", "title": "报告内容已删除", "generatedat": "", "engine": "",
    "disclaimer": "本报告为筛查结果，不作为诊断依据", "largefont": false, "sections": [{"key": "notice", "title": "报告内容已删除",
    "blocks": [{"type": "text", "text": "本人资料已匿名化，报告文字和作答已删除，不能恢复。", "commentids": []}]}]}';
begin
  perform from public.cuser c where c.cuserid = person and c.isdeleted = 0 for update;
  if not found then raise exception 'no such person'; end if;
  with recursive records as (
    select person as cuserid
    union
    select c.cuserid from public.cuser c join records r on c.mergedinto = r.cuserid)
  select array_agg(r.cuserid) into people from records r;
  if exists (select from public.warning w where w.cuserid = any (people) and w.state not in ('07', '08') and w.isdeleted = 0) then
    raise exception 'the person has an open case';
  end if;
  old := array(select w.warningcode from public.warning w where w.cuserid = any (people) and w.closetime < keepsince);
  -- Names and numbers by which filters of exports may have asked for the person.
  words := array(
    select w.word from public.cuser c
      left join public.cuserarchive a on a.cuserid = c.cuserid
      cross join lateral unnest(array[c.cuserid, c.username, a.archiveno, a.studentno, a.employeeno]) w (word)
    where c.cuserid = any (people) and length(w.word) > 1 and w.word <> '已删除');
  update public.accessapproval p set filter = '{"erased": 1}', purpose = '已删除', reason = '', validuntil = null,
    status = case p.status when 0 then 3 else p.status end
  where exists (select from unnest(words) w (word) where strpos(concat_ws(' ', p.filter, p.purpose, p.reason), w.word) > 0);
  foreach one in array people loop
    perform access.clear_third_parties(one);
  end loop;
  update public.cuserarchive a set studentno = null, employeeno = null, detail = '{}', summary = null, lmpdate = null, edcdate = null,
    deliverydate = null, closenote = null, updatetime = at,
    archiveno = case when c.anonymizedtime is null then 'N' || upper(left(md5(gen_random_uuid()::text), 15)) else a.archiveno end
  from public.cuser c
  where c.cuserid = a.cuserid and a.cuserid = any (people);
  update public.cuser set username = '已删除', pinyin = '', initials = '', birthday = null,
    phonesealed = null, phonehash = null, idtype = null, idnosealed = null, idnohash = null, nation = null, education = null,
    marital = null, provincecode = null, citycode = null, districtcode = null, address = null,
    owneruserid = null, scanhash = null, focus = 0, enabled = 0, updatetime = at,
    anonymizedtime = coalesce(anonymizedtime, at), erasedsince = keepsince, version = version + 1
  where cuserid = any (people);
  update public.guardian set name = '已删除', phonesealed = null, phonehash = null, iscontact = 0, isdeleted = 1
  where cuserid = any (people);
  update public.consent set ip = null, signaturefileid = null where cuserid = any (people);
  update public.guardianconsent set codesealed = null, codehash = null, fileid = null where cuserid = any (people);
  update public.teamroster set status = 0, leavedate = at::date where cuserid = any (people) and status = 1;
  -- The copies of changed rows, which the undo of a merge would need: there is no undo any more.
  update public.cusermerge set reason = '已删除', answer = '', undoreason = '', changes = '{}', pointed = '{}',
    status = case status when '01' then '03' else status end
  where cuserid = any (people) or tocuserid = any (people);
  update public.anonymization set reason = '已删除', answer = '' where cuserid = any (people);
  update public.sheetmove set reason = '已删除', answer = '', status = case status when '01' then '03' else status end
  where cuserid = any (people) or tocuserid = any (people);
  -- Answers with their scores per item. The scores of the forms stay, also those that staff typed in.
  update public.examrecord set ip = null, useragent = null, voidreason = case when voidreason is not null then '已删除' end
  where cuserid = any (people);
  update public.examform set answers = '{}', seqs = '{}', devices = '{}',
    raw = raw || case when raw ? 'itemscores' then '{"itemscores": {}, "notapplicable": []}'::jsonb else '{}' end
  where cuserid = any (people);
  delete from public.examalertanswer where cuserid = any (people);
  delete from public.examlateanswer where cuserid = any (people);
  update public.examreview set content = '', note = '' where cuserid = any (people);
  update public.report set content = erased || '{"audience": "staff"}', selfcontent = erased || '{"audience": "self"}', basis = null,
    conclusion = null, advice = null, aistatus = 0, aicontent = null, isshow = 0
  where cuserid = any (people);
  update public.reportversion set conclusion = '', advice = '', aicontent = null where cuserid = any (people);
  update public.reportcorrection set content = null, selfcontent = null, conclusion = null, advice = null where cuserid = any (people);
  update public.aijob j set output = null, inputhash = null, status = case when j.status in (0, 1) then 9 else j.status end
  from public.report r where r.reportcode = j.reportcode and r.cuserid = any (people);
  update public.followup set content = null where cuserid = any (people) and (warningcode is null or warningcode = any (old));
  update public.interfere set content = '已删除' where cuserid = any (people) and (warningcode is null or warningcode = any (old));
  update public.consult set answers = null, summary = null, topics = '{}', cancelreason = '', attendance = null, currentlevel = null,
    outcome = null, nextdate = null, status = case when status in ('01', '02') then '04' else status end, updatetime = at
  where cuserid = any (people) and (warningcode is null or warningcode = any (old));
  update public.consultlog l set content = null from public.consult c
  where c.consultid = l.consultid and c.cuserid = any (people) and (c.warningcode is null or c.warningcode = any (old));
  delete from public.consultnote where cuserid = any (people);
  update public.safetyplan set warningsigns = '', coping = '', distractions = '', importantthings = '' where warningcode = any (old);
  update public.riskassess set plantext = null, note = null, asqskipreason = '', asqanswers = null, protective = '{}',
    lowreason = case when lowreason = '' then '' else '已删除' end
  where warningcode = any (old);
  update public.warningduty set unit = '', receipt = '', content = '' where warningcode = any (old);
  update public.warningconfirm set content = '已删除' where warningcode = any (old);
  update public.secondrequest set act = null, summary = '已删除', answer = '' where warningcode = any (old);
  update public.referral set reason = '已删除', feedback = null where warningcode = any (old);
  update public.returnassess set conditions = '', supportplan = '' where warningcode = any (old);
  update public.warning set alertmsgs = '{}', plantext = '', closenote = '', guardianexempt = '', exemptalternate = '', suspectname = '',
    transferto = '', deathsource = ''
  where warningcode = any (old);
  update auth.session set ip = null, useragent = null where cuserid = any (people);
  update public.casefile set deletereason = '' where warningcode = any (old);
  update public.casetransfer set personsealed = '' where cuserid = any (people);
  update public.reconcilediff set settlenote = '' where cuserid = any (people);
  update public.notification n set content = ''
  from public.warning w
  where w.cuserid = any (people) and (n.warningcode = w.warningcode or n.link = '/earlyWarning/case/' || w.warningcode);
  update public.notification n set content = '' from unnest(people) as p (code) where strpos(n.link, p.code) > 0;
  update public.fileobj set isdeleted = 1, filename = '已删除'
  where cuserid = any (people) and fileid not in (
    select k.fileid from public.casefile k where k.cuserid = any (people) and not k.warningcode = any (old));
end $$;
create or replace function access.point_person(fromcode text, tocode text, keys jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  item record;
  ids jsonb;
  moved jsonb := '{}';
  own jsonb := case when keys is not null then '{"examrecord": [], "warning": [], "cuserarchive": [], "guardian": [],
    "guardianconsent": [], "consent": [], "withdrawal": [], "cuserplan": [], "assesscode": [], "testlink": [], "followup": [],
    "interfere": [], "consult": [], "fileobj": []}'::jsonb || keys end;
begin
  perform from public.cuser s join public.cuser t on t.musercode = s.musercode
  where s.cuserid = fromcode and t.cuserid = tocode and (s.mergedinto = tocode or t.mergedinto = fromcode)
    and s.orgpath >= (select access.path_from()) and s.orgpath < (select access.path_to());
  if not found then raise exception 'these records are not merged'; end if;
  -- Rows with a key of their own.
  for item in select * from (values
    ('examrecord', 'examcode'), ('warning', 'warningcode'), ('cuserarchive', 'archiveid'), ('guardian', 'guardianid'),
    ('guardianconsent', 'guardianconsentid'), ('consent', 'consentid'), ('withdrawal', 'withdrawalid'), ('cuserplan', 'cuserplanid'),
    ('assesscode', 'code'), ('testlink', 'linkid'), ('followup', 'followupid'), ('interfere', 'interfereid'),
    ('consult', 'consultid'), ('fileobj', 'fileid')
  ) as v (name, key) loop
    execute format(
      'with m as (update public.%I x set cuserid = $2
         where x.cuserid = $1 and ($3 is null or $3 ? x.%I::text)
           -- One consent of the guardian a person: the better one stays with the record that stays.
           and (%L <> ''guardianconsent'' or not exists (select from public.guardianconsent g where g.cuserid = $2))
         returning x.%2$I as key)
       select coalesce(jsonb_agg(m.key::text), ''[]'') from m', item.name, item.key, item.name)
    into ids using fromcode, tocode, own->item.name;
    moved := moved || jsonb_build_object(item.name, ids);
  end loop;
  -- Rows that belong to a sheet, also those that came after the merge.
  for item in select * from (values ('examform'), ('examresult'), ('examreview'), ('report')) as v (name) loop
    execute format('update public.%I x set cuserid = $2 where x.cuserid = $1 and ($3 is null or $3 ? x.examcode)', item.name)
    using fromcode, tocode, own->'examrecord';
  end loop;
  for item in select * from (values ('examalertanswer'), ('examlateanswer')) as v (name) loop
    execute format('update public.%I x set cuserid = $2 from public.examform f
      where f.examformid = x.examformid and x.cuserid = $1 and ($3 is null or $3 ? f.examcode)', item.name)
    using fromcode, tocode, own->'examrecord';
  end loop;
  update public.reportcorrection x set cuserid = tocode from public.report r
  where r.reportcode = x.reportcode and x.cuserid = fromcode and (own is null or own->'examrecord' ? r.examcode);
  update public.reportversion x set cuserid = tocode from public.report r
  where r.reportcode = x.reportcode and x.cuserid = fromcode and (own is null or own->'examrecord' ? r.examcode);
  -- Rows that belong to a case.
  for item in select * from (values
    ('warningconfirm'), ('secondrequest'), ('warningduty'), ('riskassess'), ('safetyplan'), ('referral'), ('returnassess'),
    ('casetransfer'), ('casefile'), ('followup'), ('interfere'), ('consult')
  ) as v (name) loop
    execute format('update public.%I x set cuserid = $2 where x.cuserid = $1 and ($3 is null or $3 ? x.warningcode)', item.name)
    using fromcode, tocode, own->'warning';
  end loop;
  -- Rows that belong to a registration for a consultation.
  update public.consultlog x set cuserid = tocode from public.consult c
  where c.consultid = x.consultid and x.cuserid = fromcode and c.cuserid = tocode;
  update public.consultnote x set cuserid = tocode from public.consult c
  where c.consultid = x.consultid and x.cuserid = fromcode and c.cuserid = tocode;
  return moved;
end $$;
