-- Staff, persons and institutions that leave. No open case stays without an owner, and nobody's case stops (clinical-rules.md A).

-- Returns the able members of staff of an institution and of the institutions above it. Able: an enabled account of one named
-- human with 预警处置 (00014), present at that time, of an institution that may handle cases. An ended contract counts for 30
-- more days (收尾模式). A school sees no row of its provider, so this function reads for it.
create function access.able_staff(code text, at timestamptz)
returns table (
  userid text, realname text, musercode text, insname text, musertype text, orgpath text, duty smallint, rolekeys text[])
language plpgsql stable security definer set search_path = '' as $$
declare
  place text := (select i.orgpath from public.muser i
    where i.musercode = code and i.orgpath >= (select access.path_from()) and i.orgpath < (select access.path_to()));
  paths text[] := array(select left(place, n) from generate_series(1, length(place)) n where substr(place, n, 1) = '.');
begin
  return query
  select u.userid, u.realname, m.musercode, m.insname, m.musertype, m.orgpath, u.duty, coalesce(h.rolekeys, '{}')
  from public.muser m
    join public.sysuser u on u.musercode = m.musercode
    cross join lateral (
      select array_agg(r.rolekey) as rolekeys, bool_or('00014' = any (r.codes)) as handles
      from public.sysuserrole ur join public.role r on r.roleid = ur.roleid
      where ur.userid = u.userid and r.enabled = 1 and r.isdeleted = 0) h
  where m.orgpath = any (paths) and m.musertype in ('002', '004', '005') and m.enabled = 1 and m.isdeleted = 0
    and (m.expiredate is null or at = 'infinity' or m.expiredate + 30 >= (at at time zone 'Asia/Shanghai')::date)
    and '00014' = any (m.codes)
    and u.enabled = 1 and u.isdeleted = 0 and u.isshared = 0 and (u.absentuntil is null or u.absentuntil <= at)
    and (h.handles or exists (
      select from public.sysuserpermission p where p.userid = u.userid and p.code = '00014' and p.effect = 'grant'))
    and not exists (
      select from public.sysuserpermission p where p.userid = u.userid and p.code = '00014' and p.effect = 'deny');
end $$;

-- Adds notifications to accounts of the caller's range and of the institutions above it, each key once, and returns the number of
-- new ones. A notification belongs to the institution of its account: the owner of a school's case may work for the provider.
create function access.add_notices(notes jsonb) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  added bigint;
begin
  insert into public.notification (musercode, userid, kind, title, content, link, dedupekey, createtime, warningcode, infokind)
  select coalesce(a.musercode, n.musercode), n.userid, n.kind, n.title, coalesce(n.content, ''), n.link, n.dedupekey, n.createtime,
    n.warningcode, n.infokind
  from jsonb_to_recordset(notes) n (musercode text, userid text, kind text, title text, content text, link text, dedupekey text,
      createtime timestamptz, warningcode text, infokind smallint)
    left join auth.account a on a.userid = n.userid
  on conflict do nothing;
  get diagnostics added = row_count;
  return added;
end $$;

-- Returns the members of staff above the caller's institution who own open cases of its range: their names stand on the cases.
create function access.owners_above() returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select u.userid from public.sysuser u
  where u.orgpath = any ((select access.ancestor_paths())::text[]) and u.orgpath <> (select access.path_from())
    and exists (select from public.warning w where w.owneruserid = u.userid and w.isdeleted = 0
      and w.state not in ('07', '08'));
end $$;

-- Returns the last day of 收尾模式 of the caller's institution; null while its contract runs.
create function auth.winddown_until() returns date
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select t.expiredate + 30 from auth.active_session s join auth.tenant t on t.musercode = s.musercode
    where t.expiredate < (now() at time zone 'Asia/Shanghai')::date);
end $$;

-- Clears the names, telephones and words of other people that stand in a person's safety plans, consent of the guardian and
-- withdrawals. The plans of an open case stay, because its handlers work with them; returns whether such a plan stays. A legal hold
-- keeps everything.
create function access.clear_third_parties(person text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  open text[];
begin
  perform from public.cuser c
  where c.cuserid = person and c.orgpath >= (select access.path_from()) and c.orgpath < (select access.path_to());
  if not found then raise exception 'no such person'; end if;
  if access.is_held(person) then return true; end if;
  open := array(
    select w.warningcode from public.warning w
    where w.cuserid = person and w.state not in ('07', '08') and w.isdeleted = 0);
  update public.safetyplan s
  set helpers = '[]', services = '[]', copies = '',
    means = (select coalesce(jsonb_agg(m || '{"keeper": "", "note": ""}'), '[]') from jsonb_array_elements(s.means) m)
  where s.cuserid = person and not s.warningcode = any (open);
  update public.guardianconsent set claimedname = null, claimedrelation = null, remark = null where cuserid = person;
  update public.withdrawal set reason = '' where cuserid = person;
  return exists (select from public.safetyplan s where s.warningcode = any (open));
end $$;

-- 匿名化: one person asks with a reason, and a second human answers, because nobody can undo it (decision 0062).
create table anonymization (
  anonymizationid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null references cuser,
  status text not null check (status in ('01', '02', '03', '04', '05')),  -- 01 waits, 02 done, 03 returned, 04 withdrawn, 05 expired
  reason text not null,
  askuserid text not null,
  askname text not null,
  askkeys text[] not null,  -- keys of the human, as in warningconfirm
  asktime timestamptz not null,
  duetime timestamptz not null,  -- afterwards nobody can agree any more
  answerby text,
  answername text not null default '',
  answer text not null default '',
  answertime timestamptz,
  -- what was erased and what stays, in numbers without a name (src/domain/retention/receipt.ts); null until it is done
  receipt jsonb
);
create index anonymization_cuserid_idx on anonymization (cuserid);
create index anonymization_duetime_idx on anonymization (duetime) where status = '01';
create unique index anonymization_waits on anonymization (orgpath, cuserid) where status = '01';
select access.follow_tenant('anonymization');

-- Anonymises a person with all records that were merged into it: names, numbers, contacts, guardians, archive fields, answers, free texts,
-- signatures and texts of reports go. Age, class, results and levels of the exams stay for statistics. The record of a case that ended
-- at or after `keepsince` stays, because the law requires it; it shows the person without a name. The case log never changes. Refuses
-- a person with an open case. A second call erases what the first one kept or did not know (cuser.erasedsince).
create function access.anonymize_person(person text, keepsince timestamptz, at timestamptz) returns void
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
  -- The messages that ask for the approval repeat its purpose.
  with approvals as (
    update public.accessapproval p set filter = '{"erased": 1}', purpose = '已删除', reason = '', validuntil = null,
      status = case p.status when 0 then 3 else p.status end
    where exists (select from unnest(words) w (word) where strpos(concat_ws(' ', p.filter, p.purpose, p.reason), w.word) > 0)
    returning p.approvalid)
  update public.notification n set content = '' from approvals e
  where starts_with(n.dedupekey, 'approval:' || e.approvalid || ':');
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
  delete from public.lessonprogress where cuserid = any (people);
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
  update public.followup set status = '05' where cuserid = any (people) and status in ('01', '03');
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
  update public.notification n set content = '' from unnest(people) as p (code)
  where strpos(n.link, p.code) > 0 or strpos(n.dedupekey, p.code) > 0;
  update public.notification n set content = '' from public.withdrawal w
  where w.cuserid = any (people) and starts_with(n.dedupekey, 'consent:withdrawal:' || w.withdrawalid || ':');
  update public.fileobj set isdeleted = 1, filename = '已删除'
  where cuserid = any (people) and fileid not in (
    select k.fileid from public.casefile k where k.cuserid = any (people) and not k.warningcode = any (old));
end $$;

-- 保全: while a hold stands, no job and nobody erases records of the person, for example for a lawsuit.
create table legalhold (
  holdid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null references cuser,
  reason text not null,
  begintime timestamptz not null,
  beginby text not null,
  beginname text not null,
  endtime timestamptz,
  endby text,
  endname text not null default '',
  endreason text not null default ''
);
create unique index legalhold_stands on legalhold (orgpath, cuserid) where endtime is null;
create index legalhold_cuserid_idx on legalhold (cuserid);
select access.follow_tenant('legalhold');

-- What the job of terms has erased (src/features/retention/retentionJob.ts): numbers without a person.
create table retentionrun (
  runid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  time timestamptz not null,
  kind text not null,  -- key of src/domain/retention/retention.ts
  affected int not null
);
create index retentionrun_musercode_time_idx on retentionrun (musercode, time desc);
select access.follow_tenant('retentionrun');

-- Returns whether a hold stands for a person or for a record merged into it.
create function access.is_held(person text) returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    with recursive records as (
      select person as cuserid
      union
      select c.cuserid from public.cuser c join records r on c.mergedinto = r.cuserid)
    select from public.legalhold h join records r on r.cuserid = h.cuserid where h.endtime is null);
end $$;

-- Trigger: refuses to erase a person under a hold, and erases the reasons of holds that have ended.
create function access.refuse_held() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if access.is_held(new.cuserid) then raise exception 'the records of the person are under a legal hold'; end if;
  update public.legalhold set reason = '已删除', endreason = '' where cuserid = new.cuserid;
  return new;
end $$;
create trigger refuse_held before update of erasedsince on cuser
  for each row when (new.erasedsince is distinct from old.erasedsince) execute function access.refuse_held();
