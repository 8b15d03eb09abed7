-- Figures kept for statistics over several institutions (docs/decisions/0068). A job rebuilds them whole; no row names a person.

-- Persons of an institution, counted by what the figures ask. A row belongs to one choice of filters: a population and a plan, or '*'
-- for all; a term, or '' for all time.
create table statcell (
  musercode text not null,
  orgpath text collate "C" not null,
  appid text not null,
  plancode text not null,
  year text not null,
  term text not null,
  gradecode text,
  gradename text,
  persongender text,
  state text not null,  -- valid, invalid: handed in; exempt, absent, open: not handed in
  gender text,  -- of the latest valid sheet, as the columns that follow
  overalllevel smallint,
  depressed smallint,
  anxious smallint,
  isabnormal boolean,
  hasalert smallint,
  persons int not null,
  rosterrows int not null,
  sheets int not null
);
create index statcell_choice_idx on statcell (year, term, appid, plancode, orgpath);
select access.follow_tenant('statcell');

-- Submitted sheets of an institution by day and scene, for the same choices of filters.
create table statday (
  musercode text not null,
  orgpath text collate "C" not null,
  appid text not null,
  plancode text not null,
  year text not null,
  term text not null,
  day date not null,
  scenecode text not null,
  sheets int not null,
  abnormal int not null
);
create index statday_choice_idx on statday (year, term, appid, plancode, orgpath);
select access.follow_tenant('statday');
