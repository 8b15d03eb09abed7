-- The case machine of clinical-rules.md: news, clocks, the next due time, confirmations and duties.

-- The owner updates existing rows below, so row security does not bind it until the end of this file.
alter table warning no force row level security;
alter table followup no force row level security;

alter table warning
  drop column guardiansettled,
  drop column nextfollowtime,
  drop column confirmby,
  drop column confirmtime,
  add column newstime timestamptz not null default now(),
  add column contacttime timestamptz,
  add column followduetime timestamptz,
  add column contactcount int not null default 0,
  add column contactduetime timestamptz,
  add column visitduetime timestamptz,
  add column secondduetime timestamptz,
  add column transferduetime timestamptz,
  add column nextdue timestamptz,
  add column nextduekind text,
  add column contacttries jsonb not null default '[]',
  add column exemptground smallint check (exemptground between 1 and 6),
  add column exemptalternate text not null default '',
  add column exempttime timestamptz,
  add column exemptuntil timestamptz,
  add column exemptby text[] not null default '{}',
  add column guardiansettled smallint not null default 0,
  add column suspectuserid text,
  add column suspectname text not null default '',
  add column transferto text not null default '',
  add column transfertime timestamptz,
  add column receipttime timestamptz,
  add column deathtime timestamptz,
  add column deathby text[] not null default '{}',
  add column deathsource text not null default '',
  add column opensign text[] not null default '{}';

update warning set
  newstime = greatest(createtime, raisedtime, reopentime),
  contacttime = case when contactresult in ('01', '02') then coalesce(interviewtime, stateat) end,
  guardiansettled = guardiannotified,
  contacttries = coalesce(
    (select jsonb_agg(jsonb_build_object('time', t, 'channel', '01')) from unnest(contactattempts) t), '[]'),
  followduetime = case when state in ('04', '05', '06') then
    coalesce(
      (select min(f.duetime) from followup f
       where f.warningcode = warning.warningcode and f.status in ('01', '03') and f.isdeleted = 0),
      stateat + interval '14 days') end;
-- An earlier exemption has no ground, so the guardian is due again in one day.
update warning set guardianduetime = now() + interval '1 day', guardianexempt = ''
where guardianexempt <> '' and state not in ('07', '08');
update warning set
  nextdue = coalesce(
    least(
      case when accepttime is null or accepttime < raisedtime then acceptduetime end,
      case when guardiansettled = 0 then guardianduetime end,
      case when assesstime is null then assessduetime end,
      followduetime),
    now() + interval '1 day'),
  nextduekind = 'followup'
where state not in ('07', '08');

alter table warning
  drop column contactattempts,
  add constraint warning_open_is_due check (state in ('07', '08') or (nextdue is not null and nextduekind is not null));
create index warning_nextdue_idx on warning (musercode, nextdue) where nextdue is not null;
alter table warning force row level security;
alter table followup force row level security;
grant select (guardiansettled, nextdue, nextduekind, newstime) on warning to xinli_stats;

create table warningconfirm (
  confirmid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  subject text not null check (subject in ('close', 'exclude', 'transfer', 'lost', 'death', 'exempt', 'conclusion')),
  objectid text,
  userid text not null,
  username text not null,
  humankeys text[] not null check (cardinality(humankeys) > 0),
  content text not null,
  time timestamptz not null
);
create index warningconfirm_warningcode_idx on warningconfirm (warningcode);
select access.follow_tenant('warningconfirm');
select access.protect('warningconfirm', person => true, respondent => 'self');
grant select, insert on warningconfirm to xinli_app;
grant select on warningconfirm to xinli_respondent;
grant usage on sequence warningconfirm_confirmid_seq to xinli_app;

create table warningduty (
  dutyid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  kind text not null check (kind in ('authority', 'abuse', 'injury', 'discharge', 'return', 'postvention', 'means')),
  title text not null,
  duetime timestamptz not null,
  donetime timestamptz,
  unit text not null default '',
  receipt text not null default '',
  content text not null default '',
  operator text,
  operatorname text,
  createtime timestamptz not null
);
create index warningduty_warningcode_idx on warningduty (warningcode);
select access.follow_tenant('warningduty');
select access.protect('warningduty', person => true, respondent => 'self');
grant select, insert, update on warningduty to xinli_app;
grant select, insert, update on warningduty to xinli_respondent;
grant usage on sequence warningduty_dutyid_seq to xinli_app, xinli_respondent;

alter table sysuser
  add column absentuntil timestamptz,
  add column isshared smallint not null default 0;
alter table cuser add column deathtime timestamptz;
