-- Texts of the AI provider (decision 0061).

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
  reportcode text not null references report on delete cascade,
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
  donetime timestamptz
);
create unique index aijob_reportcode_key on aijob (reportcode) where status in (0, 1);
create index aijob_createtime_idx on aijob (createtime) where status in (0, 1);
create index aijob_donetime_idx on aijob (donetime desc) where donetime is not null and iscached = 0;
create index aijob_musercode_createtime_idx on aijob (musercode, createtime);
create index aijob_inputhash_idx on aijob (inputhash, promptversion, model) where status = 2;
select access.follow_tenant('aijob');

select access.protect('aiconsent');
select access.protect('aijob');
grant select, insert, update, delete on aiconsent, aijob to xinli_app;
grant usage on sequence aijob_jobid_seq to xinli_app;
