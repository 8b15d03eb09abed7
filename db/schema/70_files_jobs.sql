-- Files, documents of cases, jobs, and the approval of exports.

-- A file in the file store.
create table fileobj (
  fileid uuid primary key default gen_random_uuid(),
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text,
  filename text not null,
  mime text not null,
  size bigint not null,
  sha256 text not null,
  path text not null,
  biztype text not null,
  ispublic smallint not null default 0,
  status smallint not null default 1,
  createby text,
  createtime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  refcode text  -- the object that the file is attached to; null: uploaded but not used yet, deleted after a day
);
create index fileobj_musercode_biztype_createtime_idx on fileobj (musercode, biztype, createtime desc) where isdeleted = 0;
create index fileobj_refcode_idx on fileobj (refcode) where refcode is not null;
select access.follow_tenant('fileobj');
select access.track_edits('fileobj', 'filename,biztype,ispublic');

-- The keys of stored files and of unfinished uploads, encrypted (src/server/storage/fileKeys.ts). Without its row a file is unreadable.
create table auth.filekey (
  path text primary key,  -- the key of the file in the store
  sealed text not null,  -- the path and the key of the file
  createtime timestamptz not null default now()
);

-- Documents of a case: private files. Opening one is a reveal.
create table casefile (
  fileid uuid primary key references fileobj,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  -- 01 guardian notice, 02 referral letter, 03 hospital papers, 04 return assessment, 09 other
  kind text not null check (kind in ('01', '02', '03', '04', '09')),
  createby text not null,
  createbyname text not null,
  createtime timestamptz not null,
  isdeleted smallint not null default 0,
  deletereason text not null default ''
);
create index casefile_warningcode_idx on casefile (warningcode);
select access.follow_tenant('casefile');

-- Jobs: imports, exports and batches that run longer than their request. The download centre shows them.
create table job (
  jobid uuid primary key default gen_random_uuid(),
  musercode text not null,
  orgpath text collate "C" not null,
  accountid text not null,
  kind text not null,
  title text not null,
  status smallint not null default 0,
  progress int not null default 0,
  total int not null default 0,
  request jsonb not null default '{}',
  result jsonb,
  error text,
  createtime timestamptz not null default now(),
  finishtime timestamptz,
  undountil timestamptz,  -- until then an import can be undone
  undonetime timestamptz,
  filename text,
  mime text,
  bytes bigint,
  filekey text,  -- key of a finished export in the file store
  expiretime timestamptz  -- time when the server deletes the file
);
create index job_accountid_createtime_idx on job (accountid, createtime desc);
select access.follow_tenant('job');

-- The queue of jobs: identifiers only. A row is created with its job and deleted when the job ends.
create table auth.jobqueue (
  jobid uuid primary key,
  musercode text not null references auth.tenant on delete cascade,
  accountid text not null references auth.account on delete cascade,
  createtime timestamptz not null default now(),
  attempts smallint not null default 0,
  heartbeat timestamptz,  -- null: no worker has claimed it; old: its worker has crashed
  worker text
);
create index jobqueue_createtime_idx on auth.jobqueue (createtime);
create index jobqueue_accountid_idx on auth.jobqueue (accountid);
-- Adds a job of the caller to the queue. False when the caller already has `most` jobs in it.
create function auth.queue_job(job uuid, most int) returns boolean language plpgsql security definer set search_path = '' as $$
declare
  me auth.session;
begin
  select * into me from auth.current_session() s where s.kind = 'staff' and s.loginasby is null;
  if not found then raise exception 'no staff session, or a session that acts in another account'; end if;
  perform pg_advisory_xact_lock(hashtext('jobqueue ' || me.accountid));
  if (select count(*) from auth.jobqueue q where q.accountid = me.accountid) >= most then return false; end if;
  insert into auth.jobqueue (jobid, musercode, accountid) values (job, me.musercode, me.accountid);
  return true;
end $$;
-- Deletes a job of the caller from the queue. A worker that runs it notices this at its next heartbeat.
create function auth.unqueue_job(job uuid) returns void language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.jobqueue q using auth.current_session() s where q.jobid = job and s.kind = 'staff' and s.accountid = q.accountid;
end $$;

-- Approval to export minors' data for a limited time. One person applies, and a second person decides.
create table accessapproval (
  approvalid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  applicant text not null,
  applicantname text not null,
  call text not null,
  title text not null,
  filter jsonb not null,
  purpose text not null,
  persons int not null,
  minors int not null,
  status smallint not null default 0 check (status between 0 and 3),  -- 0 waiting, 1 approved, 2 refused, 3 withdrawn
  approver text,
  approvername text,
  reason text not null default '',
  decidetime timestamptz,
  validuntil timestamptz,
  downloads int not null default 0,
  lastdownload timestamptz,
  createtime timestamptz not null,
  check (approver is null or approver <> applicant)
);
create index accessapproval_musercode_status_createtime_idx on accessapproval (musercode, status, createtime desc);
create index accessapproval_applicant_createtime_idx on accessapproval (applicant, createtime desc);
select access.follow_tenant('accessapproval');

-- An institution's consent that de-identified facts of its reports go to the AI provider. Without a row it has not agreed.
create table aiconsent (
  musercode text primary key references muser,
  orgpath text collate "C" not null,
  allowed smallint not null check (allowed in (0, 1)),
  accountid text not null,
  updatetime timestamptz not null
);
select access.follow_tenant('aiconsent');

-- A text that the AI provider writes for a report. Its prompt has no name, number or typed text.
create table aijob (
  jobid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  reportcode text references report on delete cascade,
  status smallint not null default 0 check (status in (0, 1, 2, 9)),  -- 0 waiting, 1 running, 2 done, 9 failed
  promptversion text not null,
  inputhash text,  -- of the facts; null until the job runs
  provider text not null,
  model text not null,
  isforced smallint not null default 0,  -- 1: not the text of an earlier job
  iscached smallint not null default 0,  -- 1: the text of an earlier job with the same facts
  output jsonb,
  fault text not null default '',
  requestid text not null default '',
  usage jsonb,
  accountid text not null,
  leasetime timestamptz,
  createtime timestamptz not null,
  donetime timestamptz,
  teamreportcode text references teamreport on delete cascade,  -- of a group report
  teamversion int,  -- the snapshot of the group report that the text is about
  constraint aijob_subject_check check (num_nonnulls(reportcode, teamreportcode) = 1)
);
create unique index aijob_reportcode_key on aijob (orgpath, reportcode) where status in (0, 1);
create unique index aijob_teamreportcode_key on aijob (orgpath, teamreportcode, teamversion) where status in (0, 1);
create index aijob_createtime_idx on aijob (createtime) where status in (0, 1);
create index aijob_donetime_idx on aijob (donetime desc) where donetime is not null and iscached = 0;
create index aijob_musercode_createtime_idx on aijob (musercode, createtime);
create index aijob_inputhash_idx on aijob (inputhash, promptversion, model) where status = 2;
select access.follow_tenant('aijob');
