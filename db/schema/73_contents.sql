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
  begintime timestamptz not null,  -- since then at most twice as many seconds can have been watched
  check ((cuserid is null) <> (accountid is null)),
  unique (orgpath, lessonid, cuserid),
  unique (orgpath, lessonid, accountid)
);
create index lessonprogress_cuserid_idx on lessonprogress (cuserid) where cuserid is not null;
select access.follow_tenant('lessonprogress');

-- Trigger: another video, or the deletion of a lesson, ends what was noted of its learners. Nobody but the learners reads those notes.
create function access.restart_lesson() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from public.lessonprogress where lessonid = new.lessonid;
  return null;
end $$;
create trigger restart_lesson after update of fileid, isdeleted on lesson for each row
  when (new.fileid <> old.fileid or new.isdeleted = 1) execute function access.restart_lesson();

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
  expiretime timestamptz not null,
  fileid uuid references fileobj  -- the file of a finished upload
);
create index upload_musercode_idx on upload (musercode);
create index upload_fileid_idx on upload (fileid) where fileid is not null;
select access.follow_tenant('upload');

-- Counts one opening of a content that the caller can see, remembers nobody.
create function access.count_opening(kind text, id bigint) returns void
language plpgsql volatile security definer set search_path = '' as $$
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
