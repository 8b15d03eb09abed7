-- Texts of the AI provider on group reports (decision 0074).
alter table teamreport
  add column aifacts jsonb,
  add column aistatus smallint not null default 0 check (aistatus in (0, 1, 2, 3, 9)),
  add column aicontent jsonb,
  add column aimodel text,
  add column aitime timestamptz,
  add column aireviewby text,
  add column aireviewname text,
  add column aireviewtime timestamptz;
alter table teamreportversion add column aicontent jsonb;

alter table aijob
  alter column reportcode drop not null,
  add column teamreportcode text references teamreport on delete cascade,
  add column teamversion int,
  add constraint aijob_subject_check check (num_nonnulls(reportcode, teamreportcode) = 1);
create unique index aijob_teamreportcode_key on aijob (orgpath, teamreportcode, teamversion) where status in (0, 1);
