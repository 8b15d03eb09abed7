-- Tasks, exams, answers, results, reports.

-- A task: teams answer a plan within a period.
create sequence taskcode_seq;
create table assesstask (
  taskcode text primary key default 'T' || lpad(nextval('taskcode_seq')::text, 6, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  taskname text not null,
  appid text not null references ref.app,
  plancode text not null references plan,
  stagecode text,
  year text,
  term text,
  begintime timestamptz not null,
  endtime timestamptz not null,
  resultshow smallint not null default 0,
  remindrule jsonb not null default '{}',
  status smallint not null default 1,
  closetime timestamptz,
  closestatement jsonb,
  parenttaskcode text,
  round text not null default '01',
  createby text,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  version int not null default 1,
  check (endtime > begintime)
);
select access.follow_tenant('assesstask');
select access.track_edits('assesstask', 'taskname,year,term,begintime,endtime,resultshow,remindrule,status');

-- Teams of a task.
create table taskteam (
  taskcode text references assesstask,
  teamcode text references assessteam,
  musercode text not null,
  orgpath text collate "C" not null,
  -- The time slot in which the team begins to answer; null: the whole period of the task.
  begintime timestamptz,
  endtime timestamptz,
  primary key (taskcode, teamcode),
  check (num_nulls(begintime, endtime) in (0, 2) and endtime > begintime)
);
select access.follow_tenant('taskteam');

-- The versions of the questionnaires of a task, frozen when the task opens.
create table taskform (
  taskcode text references assesstask,
  formcode text references form,
  formversion text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  primary key (taskcode, formcode)
);
select access.follow_tenant('taskform');

-- Persons of a task.
create table taskroster (
  taskcode text references assesstask,
  cuserid text references cuser,
  teamcode text references assessteam,
  musercode text not null,
  orgpath text collate "C" not null,
  examcode text,
  status smallint not null default 0,
  reason text,  -- why the person is excused
  reasonby text,
  remindcount int not null default 0,
  lastremind timestamptz,
  starttime timestamptz,
  submittime timestamptz,
  primary key (taskcode, cuserid)
);
create index taskroster_taskcode_status_idx on taskroster (taskcode, status);
create index taskroster_cuserid_idx on taskroster (cuserid);
select access.follow_tenant('taskroster');

-- An exam of a person, who answers one plan once.
create sequence examcode_seq;
create table examrecord (
  examcode text primary key default 'E' || lpad(nextval('examcode_seq')::text, 10, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null references cuser,
  appid text not null,
  plancode text not null references plan,
  stagecode text,
  taskcode text references assesstask,
  teamcode text,
  cuserplanid bigint references cuserplan,
  scenecode text not null default '01',
  status smallint not null default 1,  -- 0 not started, 1 open, 2 submitted, 3 timed out, 4 void
  starttime timestamptz not null default now(),
  submittime timestamptz,
  duration int,
  valid smallint,
  invalidreason text,
  overalllevel smallint,
  mentalstate smallint,
  hasalert smallint not null default 0,
  alertlevel smallint not null default 0,
  alertchanged smallint not null default 0,  -- 1: the person took back an answer that had raised an alert
  judgedtime timestamptz,  -- when the server judged the open sheets of this exam; a new answer makes it null
  isabnormal smallint not null default 0,
  gestationaldays int,
  age smallint,
  gradecode text,
  gradename text,
  classname text,
  unitname text,
  gender text,
  consentid bigint references consent,
  submitkey uuid,  -- identifies the submission: a repeated call gets the same answer
  useragent text,
  ip text,
  withheld smallint not null default 0,  -- 1: waits for the consent of the guardian; staff see no score
  movetime timestamptz,  -- when the sheet moved to this person from another one (87_identity.sql)
  -- When and why staff declared the sheet void (status 4); null for a sheet that was erased after a withdrawal.
  voidtime timestamptz,
  voidby text,
  voidname text,
  voidreason text,
  -- How staff typed the sheet in: 01 他评, 02 分数, 03 纸质; null for a sheet that the person answered.
  entryway text,
  entryby text,
  entryname text,
  entrytime timestamptz,
  isdouble smallint not null default 0,  -- 1: the sheet was typed in twice and compared
  check ((status = 2) = (submittime is not null) or status = 4)
);
create index examrecord_orgpath_submittime_idx on examrecord (orgpath, submittime desc);
create index examrecord_taskcode_status_idx on examrecord (taskcode, status);
create index examrecord_cuserid_submittime_idx on examrecord (cuserid, submittime desc);
create index examrecord_musercode_overalllevel_submittime_idx on examrecord (musercode, overalllevel, submittime);
create index examrecord_musercode_examcode_idx on examrecord (musercode, examcode);  -- the pages of 零漏报对账
create index examrecord_musercode_idx on examrecord (musercode) where hasalert = 1;
create index examrecord_withheld on examrecord (orgpath) where withheld = 1 and status = 2;  -- 待补同意
create index examrecord_open_sheets_idx on examrecord (starttime) where status = 1 and judgedtime is null;
-- An authorization of a task allows one exam.
create unique index examrecord_once on examrecord (orgpath, cuserplanid) where status <> 4 and taskcode is not null;
-- Another authorization allows `total` exams, but only one open exam at a time.
create unique index examrecord_open on examrecord (orgpath, cuserplanid) where status in (0, 1) and taskcode is null;
select access.follow_tenant('examrecord');

-- A questionnaire of an exam.
create table examform (
  examformid bigint generated by default as identity primary key,
  examcode text not null references examrecord,
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null,
  formcode text not null references form,
  formversion text not null,
  ordernum int not null,
  status smallint not null default 0,
  starttime timestamptz,
  submittime timestamptz,
  valid smallint,
  overalllevel smallint,
  raw jsonb,
  staffby text,
  answers jsonb not null default '{}',  -- {question: value}
  seqs jsonb not null default '{}',  -- {question: number}: the client's sequence; a lower number never overwrites a higher one
  devices jsonb not null default '{}',  -- {question: code of the device that gave the answer}; only that device gets it back
  answertime timestamptz,  -- time of the last answer
  entered jsonb,  -- {score: value} that staff read off a licensed paper scale; then `answers` has only the items of alerts
  bandsets jsonb,  -- {score: [bandsetid]} of the stricter bands that judged the sheet, nearest first; null: the definition
  unique (orgpath, examcode, formcode)
);
create index examform_examcode_idx on examform (examcode);
-- Earlier exams of a person, for trends.
create index examform_cuserid_submittime_idx on examform (cuserid, submittime desc) where status = 2;
-- Positive short forms are followed by the longer one; a job looks for those that were not.
create index examform_short on examform (submittime) where status = 2 and formcode in ('PHQ2', 'GAD2');
select access.follow_tenant('examform');

-- Every version of an answer to an item that can raise an alert. examform.answers has the last version only.
create table examalertanswer (
  id bigint generated always as identity primary key,
  examformid bigint not null references examform,
  questionc text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null,
  value jsonb not null,
  seq bigint not null,
  answertime timestamptz not null
);
create index examalertanswer_examformid_questionc_idx on examalertanswer (examformid, questionc);
select access.follow_tenant('examalertanswer');

-- Answers that arrived after the submission. They change no result; alerts and rules judge them with the submitted answers.
create table examlateanswer (
  id bigint generated always as identity primary key,
  examformid bigint not null references examform,
  questionc text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null,
  value jsonb not null,
  seq bigint not null,
  answertime timestamptz not null
);
create index examlateanswer_examformid_idx on examlateanswer (examformid);
select access.follow_tenant('examlateanswer');

-- Sheets that staff must look at: stopped at a question about self-harm, doubtful but high, or never submitted but high.
create table examreview (
  reviewid bigint generated by default as identity primary key,
  examcode text not null references examrecord,
  kind text not null check (kind in ('01', '02', '03')),
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null,
  content text not null default '',
  createtime timestamptz not null,
  duetime timestamptz not null,
  telltime timestamptz,  -- when the psychologists got the notice
  donetime timestamptz,
  doneby text,
  donename text,
  note text not null default '',
  unique (orgpath, examcode, kind)
);
create index examreview_musercode_duetime_idx on examreview (musercode, duetime) where donetime is null;
select access.follow_tenant('examreview');

-- Scores of a submitted questionnaire.
create table examresult (
  examformid bigint references examform,
  quotacode text references quota,
  examcode text not null,  -- copied from examform; only examformid has a foreign key
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null,
  score numeric(8,2),
  level smallint,
  levelname text,
  missing int not null default 0,
  domain text not null,
  isprimary smallint not null,
  submittime timestamptz not null,
  withheld smallint not null default 0,
  deflevel smallint,  -- the level by the bands of the definition; figures over several institutions use it
  primary key (examformid, quotacode)
);
create index examresult_musercode_domain_submittime_idx on examresult (musercode, domain, submittime);
create index examresult_cuserid_quotacode_submittime_idx on examresult (cuserid, quotacode, submittime);
create index examresult_examcode_idx on examresult (examcode);
-- Sheets that stricter bands judged, for figures over several institutions.
create index examresult_raised_idx on examresult (examcode) where deflevel < level;
select access.follow_tenant('examresult');

-- The report of an exam. The server writes its text from `basis` and the rows of the exam: at the first reading, or some minutes
-- after the submission. Then the text never changes.
create sequence reportcode_seq;
create table report (
  reportcode text primary key default 'R' || lpad(nextval('reportcode_seq')::text, 10, '0'),
  examcode text not null references examrecord,
  cuserid text not null references cuser,
  musercode text not null,
  orgpath text collate "C" not null,
  appid text not null,
  reporttype text not null default '01',
  title text not null,
  content jsonb,
  selfcontent jsonb,
  overalllevel smallint,
  status smallint not null default 1,
  isshow smallint not null default 0,
  conclusion text,
  advice text,
  reviewby text,
  reviewtime timestamptz,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  version int not null default 1,
  isdeleted smallint not null default 0,
  basis jsonb,
  withheld smallint not null default 0,
  aistatus smallint not null default 0 check (aistatus in (0, 1, 2, 3, 9)),  -- 0 none, 1 being written, 2 written, 3 reviewed, 9 failed
  aicontent jsonb,  -- the text of the AI provider
  aimodel text,
  aitime timestamptz,
  unique (orgpath, examcode),
  check (content is not null or basis is not null)
);
create index report_orgpath_createtime_idx on report (orgpath, createtime desc);
create index report_cuserid_idx on report (cuserid);
create index report_createtime_idx on report (createtime) where content is null;
select access.follow_tenant('report');

-- Trigger: the report mode of the plan says the type of the report: 01 report, 02 AI report, 03 maternity 1.0, 04 custom report.
-- It runs with the rights of the submission, which reads the public plans of institutions above.
create function access.set_reporttype() returns trigger language plpgsql set search_path = '' as $$
begin
  new.reporttype := coalesce((
    select case p.reportmode when '02' then case new.appid when '000000001' then '03' else '02' end when '03' then '04' else '01' end
    from public.examrecord e join public.plan p on p.plancode = e.plancode where e.examcode = new.examcode), '01');
  return new;
end $$;
create trigger set_reporttype before insert on report for each row execute function access.set_reporttype();

-- Each later version of a report: what staff wrote, who and when. Version 1 is the report as it was made.
create table reportversion (
  reportcode text not null references report on delete cascade,
  version int not null,
  cuserid text not null references cuser,  -- the person of that version
  musercode text not null,
  orgpath text collate "C" not null,
  conclusion text not null,
  advice text not null,
  status smallint not null,
  aistatus smallint not null,
  aicontent jsonb,
  accountid text,  -- null: the server itself
  username text not null,
  time timestamptz not null,
  primary key (reportcode, version)
);
create index reportversion_cuserid_idx on reportversion (cuserid);
select access.follow_tenant('reportversion');

-- Trigger: stores the new version of a report with its writer.
create function access.add_report_version() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.reportversion (
    reportcode, version, cuserid, musercode, conclusion, advice, status, aistatus, aicontent, accountid, username, time)
  select new.reportcode, new.version, new.cuserid, new.musercode, coalesce(new.conclusion, ''), coalesce(new.advice, ''), new.status,
    new.aistatus, new.aicontent, s.accountid, coalesce(u.realname, m.insname, ''), new.updatetime
  from (values (1)) as one
    left join auth.active_session s on s.kind <> 'system'
    left join public.sysuser u on u.userid = s.userid
    left join public.muser m on m.musercode = s.musercode;
  return null;
end $$;
create trigger add_report_version after update of version on report for each row when (new.version <> old.version)
  execute function access.add_report_version();

-- Trigger: a report that moves to another person loses the AI text, which was written about the former one. A merge keeps it: there
-- the person is the same and the version stays.
create function access.drop_moved_ai_text() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.aistatus := 0;
  new.aicontent := null;
  new.aimodel := null;
  new.aitime := null;
  return new;
end $$;
create trigger drop_moved_ai_text before update on report for each row
  when (new.cuserid <> old.cuserid and new.version <> old.version) execute function access.drop_moved_ai_text();

-- Trigger: an anonymised person keeps no words of staff in old versions.
create function access.clear_report_versions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.reportversion set conclusion = '', advice = '', aicontent = null where cuserid = new.cuserid;
  return null;
end $$;
create trigger clear_report_versions after update of anonymizedtime on cuser
  for each row when (new.anonymizedtime is not null and old.anonymizedtime is null) execute function access.clear_report_versions();

-- A group report: what it is about, and a snapshot of its figures. Making it again adds a version.
create sequence teamreportcode_seq;
create table teamreport (
  teamreportcode text primary key default 'TR' || lpad(nextval('teamreportcode_seq')::text, 8, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  appid text not null references ref.app,
  title text not null,  -- what the report is about, in words
  scope jsonb not null,  -- {kind: task|teams|grade|institution|period, taskcode, teamcodes, gradecode, year, term, begindate, enddate, …}
  teamcodes text[] not null default '{}',  -- the teams of the scope, for their owners
  content jsonb not null,
  datatime timestamptz not null,  -- 数据截至
  fingerprint text not null,  -- of the sheets and rosters at that time; another one means that they changed
  isshow smallint not null default 0,
  status smallint not null default 1,
  createby text not null,
  createname text not null,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  version int not null default 1,
  isdeleted smallint not null default 0,
  aifacts jsonb,  -- what the AI provider may know of this snapshot: numbers and words of the platform; null with few results
  aistatus smallint not null default 0 check (aistatus in (0, 1, 2, 3, 9)),  -- AiStatus: of the text on this snapshot
  aicontent jsonb,
  aimodel text,
  aitime timestamptz,
  aireviewby text,  -- the account that reviewed the text
  aireviewname text,
  aireviewtime timestamptz
);
create index teamreport_orgpath_createtime_idx on teamreport (orgpath, createtime desc);
select access.follow_tenant('teamreport');

-- The earlier snapshots of a group report.
create table teamreportversion (
  teamreportcode text not null references teamreport on delete cascade,
  version int not null,
  musercode text not null,
  orgpath text collate "C" not null,
  content jsonb not null,
  datatime timestamptz not null,
  createby text not null,
  createname text not null,
  time timestamptz not null,
  aicontent jsonb,  -- the reviewed text of the AI provider on this snapshot
  primary key (teamreportcode, version)
);
select access.follow_tenant('teamreportversion');
