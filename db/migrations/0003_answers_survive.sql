-- Answers and alarms survive refusals, changes and open sheets; plans that only R00 reads are acknowledged.

create table planacknowledgement (
  acknowledgementid bigint generated always as identity primary key,
  plancode text not null references plan,
  musercode text not null,
  orgpath text collate "C" not null,
  formcodes text[] not null,
  content text not null,
  accountid text not null,
  name text not null,
  createtime timestamptz not null
);
create index planacknowledgement_plancode_idx on planacknowledgement (plancode);
select access.follow_tenant('planacknowledgement');
select access.protect('planacknowledgement');
grant select, insert on planacknowledgement to xinli_app;
grant usage on sequence planacknowledgement_acknowledgementid_seq to xinli_app;
grant usage on sequence planacknowledgement_acknowledgementid_seq to xinli_respondent;
