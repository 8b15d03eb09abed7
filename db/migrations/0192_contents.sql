-- Adds the shelf: articles, music, courses with lessons, what learners watched, and uploads that go on after an interruption.

-- The shelf: articles, music, courses, what each learner watched, and unfinished uploads.

create table article (
  articleid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  title text not null,
  coverfileid uuid references fileobj,
  summary text not null default '',
  content text not null default '',  -- sanitised HTML; a picture is <img data-fileid="…" alt="…">
  category text not null,
  audience text not null default '01',
  appids text[] not null default '{}',  -- '{}': every population
  levels smallint[] not null default '{}',  -- overall levels of reports that recommend it; '{}': none does
  author text not null default '',
  source text not null default '',
  status smallint not null default 0 check (status in (0, 1, 2)),  -- 0 draft, 1 published, 2 taken down
  publishtime timestamptz,  -- later than now: scheduled
  offlinetime timestamptz,  -- null: without end
  istop smallint not null default 0,
  viewcount int not null default 0,
  createby text not null,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  check (status <> 1 or publishtime is not null),
  check (offlinetime > publishtime)
);
create index article_orgpath_idx on article (orgpath, publishtime desc) where isdeleted = 0;
select access.follow_tenant('article');
select access.track_edits('article', 'title,coverfileid,summary,content,category,audience,appids,levels,author,source,istop');

create table music (
  musicid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  title text not null,
  coverfileid uuid references fileobj,
  fileid uuid not null references fileobj,
  duration int not null check (duration > 0),  -- seconds
  category text not null,
  audience text not null default '01',
  appids text[] not null default '{}',
  levels smallint[] not null default '{}',
  licence text not null,  -- who made it and what allows its use
  status smallint not null default 0 check (status in (0, 1)),
  playcount int not null default 0,
  ordernum int not null default 0,
  createby text not null,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0
);
create index music_orgpath_idx on music (orgpath, ordernum) where isdeleted = 0;
select access.follow_tenant('music');
select access.track_edits('music', 'title,coverfileid,fileid,duration,category,audience,appids,levels,licence,status,ordernum');

create table course (
  courseid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  title text not null,
  coverfileid uuid references fileobj,
  lecturer text not null default '',
  intro text not null default '',
  audience text not null default '01',
  appids text[] not null default '{}',
  levels smallint[] not null default '{}',
  price int not null default 0 check (price >= 0),  -- 分; display only, goods sell a course
  free smallint not null default 1,  -- 1: everybody in reach learns it; 0: institutions with courseaccess
  status smallint not null default 0 check (status in (0, 1)),
  viewcount int not null default 0,
  ordernum int not null default 0,
  createby text not null,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0
);
create index course_orgpath_idx on course (orgpath, ordernum) where isdeleted = 0;
select access.follow_tenant('course');
select access.track_edits('course', 'title,coverfileid,lecturer,intro,audience,appids,levels,price,free,status,ordernum');

create table lesson (
  lessonid bigint generated always as identity primary key,
  courseid bigint not null references course,
  musercode text not null,
  orgpath text collate "C" not null,
  title text not null,
  fileid uuid not null references fileobj,
  duration int not null check (duration > 0),  -- seconds
  ordernum int not null default 0,
  trial smallint not null default 0,  -- 1: open without courseaccess
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0
);
create index lesson_courseid_idx on lesson (courseid, ordernum) where isdeleted = 0;
select access.follow_tenant('lesson');
select access.track_edits('lesson', 'title,fileid,duration,ordernum,trial');

-- The institutions that may learn a course that is not free.
create table courseaccess (
  accessid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  courseid bigint not null references course,
  orderno text not null default '',
  enddate date,  -- the last day; null: without end
  createtime timestamptz not null default now()
);
create index courseaccess_musercode_courseid_idx on courseaccess (musercode, courseid);
select access.follow_tenant('courseaccess');

-- What one learner watched of a lesson: a person, or an account of staff. Only the learner reads it (policy own_progress).
create table lessonprogress (
  progressid bigint generated always as identity primary key,
  lessonid bigint not null references lesson,
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text references cuser,
  accountid text,
  position int not null default 0,  -- seconds
  watched int4multirange not null default '{}',  -- the seconds that were played
  finishtime timestamptz,
  updatetime timestamptz not null,
  check ((cuserid is null) <> (accountid is null)),
  unique (orgpath, lessonid, cuserid),
  unique (orgpath, lessonid, accountid)
);
create index lessonprogress_cuserid_idx on lessonprogress (cuserid) where cuserid is not null;
select access.follow_tenant('lessonprogress');

-- The files that contents use. A used file can be neither changed nor deleted.
create table contentfile (
  fileid uuid not null references fileobj,
  refcode text not null,  -- article:ID, music:ID, course:ID, lesson:ID
  musercode text not null,
  orgpath text collate "C" not null,
  primary key (refcode, fileid)
);
create index contentfile_fileid_idx on contentfile (fileid);
select access.follow_tenant('contentfile');

-- Uploads that are not finished (src/features/file/upload). Only the account that began one goes on with it.
create table upload (
  uploadid uuid primary key default gen_random_uuid(),
  musercode text not null,
  orgpath text collate "C" not null,
  accountid text not null,
  biztype text not null,
  ispublic smallint not null default 0,
  filename text not null,
  size bigint not null check (size > 0),
  createtime timestamptz not null,
  expiretime timestamptz not null
);
create index upload_musercode_idx on upload (musercode);
select access.follow_tenant('upload');

-- Counts one opening of a content that the caller can see, remembers nobody.
create function access.count_opening(kind text, id bigint) returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  case kind
    when 'article' then
      update public.article set viewcount = viewcount + 1
      where articleid = id and status = 1 and isdeleted = 0 and orgpath = any (access.ancestor_paths());
    when 'music' then
      update public.music set playcount = playcount + 1
      where musicid = id and status = 1 and isdeleted = 0 and orgpath = any (access.ancestor_paths());
    when 'course' then
      update public.course set viewcount = viewcount + 1
      where courseid = id and status = 1 and isdeleted = 0 and orgpath = any (access.ancestor_paths());
  end case;
end $$;

-- The learners of the lessons of courses in the caller's range: how many began and how many finished. Fewer than 5 are null.
create function access.lesson_totals(courses bigint[]) returns table (courseid bigint, lessonid bigint, learners int, finished int)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select l.courseid, l.lessonid,
    case when count(*) >= 5 then count(*)::int end,
    case when count(p.finishtime) >= 5 then count(p.finishtime)::int end
  from public.lesson l join public.lessonprogress p on p.lessonid = l.lessonid
  where l.courseid = any (courses) and l.isdeleted = 0
    and p.orgpath >= (select access.path_from()) and p.orgpath < (select access.path_to())
  group by l.courseid, l.lessonid;
end $$;

-- The shelf: everybody reads what the own institution and those above it have published.
select access.protect('article');
select access.protect('music');
select access.protect('course');
select access.protect('lesson');
select access.protect('courseaccess', respondent => 'tenant');
select access.protect('contentfile');
select access.protect('upload');
select access.protect('lessonprogress', respondent => 'self');
create policy from_above on article for select to xinli_app, xinli_respondent
  using (status = 1 and isdeleted = 0 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy from_above on music for select to xinli_app, xinli_respondent
  using (status = 1 and isdeleted = 0 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy from_above on course for select to xinli_app, xinli_respondent
  using (status = 1 and isdeleted = 0 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy from_above on lesson for select to xinli_app, xinli_respondent
  using (isdeleted = 0 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy of_contents on fileobj for select to xinli_app, xinli_respondent
  using (biztype in ('article', 'music', 'course') and isdeleted = 0 and orgpath = any ((select access.ancestor_paths())::text[]));
-- Functions as owner count the openings of contents from above, and join the lessons of courses from above.
create policy counted_above on article to current_user using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy counted_above on music to current_user using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy counted_above on course to current_user using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy counted_above on lesson for select to current_user using (orgpath = any ((select access.ancestor_paths())::text[]));
-- What somebody watched is this account's alone, also while another account acts in it. Institutions read totals (access.lesson_totals).
create policy own_progress on lessonprogress as restrictive to xinli_app
  using (accountid = coalesce((select access.current_userid()), (select access.current_musercode())) and not (select access.is_acting()))
  with check (accountid = coalesce((select access.current_userid()), (select access.current_musercode()))
    and not (select access.is_acting()));

grant select, insert, update, delete on article, music, course, lesson, courseaccess, lessonprogress, contentfile, upload to xinli_app;
grant usage on all sequences in schema public to xinli_app;
-- A person reads the shelf and notes what it watched.
grant select on article, music, course, lesson, courseaccess to xinli_respondent;
grant select, insert, update on lessonprogress to xinli_respondent;
grant usage on sequence lessonprogress_progressid_seq to xinli_respondent;
grant execute on function access.lesson_totals(bigint[]) to xinli_app;
grant execute on function access.count_opening(text, bigint) to xinli_app, xinli_respondent;

-- The erasure of a person deletes what it watched.
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
  update public.notification n set content = '' from unnest(people) as p (code) where strpos(n.link, p.code) > 0;
  update public.fileobj set isdeleted = 1, filename = '已删除'
  where cuserid = any (people) and fileid not in (
    select k.fileid from public.casefile k where k.cuserid = any (people) and not k.warningcode = any (old));
end $$;
