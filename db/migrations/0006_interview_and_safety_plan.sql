-- The interview: result of the ASQ, suggestion, low conclusions and the level that counts. The structured safety plan.

alter table riskassess
  add column asqresult text,
  add column asqskipreason text not null default '',
  add column suggestedlevel smallint,
  add column suggestreasons text[] not null default '{}',
  add column isfinished smallint not null default 1,
  add column lowreason text not null default '',
  add column confirmedby text,
  add column confirmedname text,
  add column confirmtime timestamptz,
  add column effectivelevel smallint not null generated always as (
    case when lowreason <> '' and confirmtime is null then greatest(conclusionlevel, suggestedlevel) else conclusionlevel end) stored;

create table safetyplan (
  planid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  version int not null,
  assessid bigint references riskassess,
  warningsigns text not null default '',
  coping text not null default '',
  distractions text not null default '',
  helpers jsonb not null default '[]',
  services jsonb not null default '[]',
  means jsonb not null default '[]',
  importantthings text not null default '',
  copies text not null default '',
  reviewdate date,
  iscomplete smallint not null,
  hasopenmeans smallint not null,
  operator text not null,
  operatorname text not null,
  time timestamptz not null
);
create unique index safetyplan_version on safetyplan (orgpath, warningcode, version);
select access.follow_tenant('safetyplan');
select access.protect('safetyplan', person => true, respondent => 'self');
grant select, insert on safetyplan to xinli_app;
grant usage on sequence safetyplan_planid_seq to xinli_app;
grant select (warningcode, cuserid, orgpath, version, time, iscomplete, hasopenmeans) on safetyplan to xinli_respondent;
