-- Crisis warnings and the work on them.

-- A case.
create sequence warningcode_seq;
create table warning (
  warningcode text primary key default 'W' || lpad(nextval('warningcode_seq')::text, 10, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null references cuser,
  appid text not null,
  examcode text references examrecord,
  source text not null default '01',
  level smallint not null check (level between 1 and 4),  -- 4: crisis
  initiallevel smallint not null,
  rulecodes text[] not null default '{}',  -- the rules that opened the case
  alertmsgs text[] not null default '{}',
  itemtrigger smallint not null default 0,
  state text not null default '01',
  stateat timestamptz not null,
  owneruserid text,
  accepttime timestamptz,
  acceptno int not null default 0,  -- `newsno` at the acceptance
  acceptduetime timestamptz,
  assesstime timestamptz,
  assessduetime timestamptz,
  guardianduetime timestamptz,
  -- The last news: the opening, a grave or self-harm trigger, a raise, a reopening. Older records count for nothing.
  newstime timestamptz not null default now(),
  newsno int not null default 1,  -- its number: a record with a smaller one is older, also within the same millisecond
  -- Clocks of clinical-rules.md section A. null: the clock does not run.
  contacttime timestamptz,      -- the last contact made
  followduetime timestamptz,    -- F: next contact in 04 to 06
  contactcount int not null default 0,  -- contacts made since the last news, for the rhythm of F
  contactduetime timestamptz,   -- U: reach the person after a failed attempt
  visitduetime timestamptz,     -- V: visit or feedback of the hospital
  secondduetime timestamptz,    -- C: confirmation by a second person
  transferduetime timestamptz,  -- X: receipt of a transfer
  -- The earliest of all pending clocks, follow-ups and duties. An open case always has one.
  nextdue timestamptz,
  nextduekind text,
  peaklevel smallint not null,
  raisedtime timestamptz,
  loweredtime timestamptz,
  reopentime timestamptz,
  contactresult text,
  contacttries jsonb not null default '[]',  -- failed attempts: [{time, channel}]
  interviewtime timestamptz,
  lastacutesign timestamptz,
  guardiannotified smallint not null default 0,
  guardiantime timestamptz,
  -- Why the guardian is not told: a ground 1 to 6, the reason, and who is told instead. Temporary grounds lapse.
  exemptground smallint check (exemptground between 1 and 6),
  guardianexempt text not null default '',
  exemptalternate text not null default '',
  exempttime timestamptz,
  exemptuntil timestamptz,
  exemptby text[] not null default '{}',  -- keys of the human who applied, as in warningconfirm
  guardiansettled smallint not null default 0,
  suspectuserids text[] not null default '{}',  -- staff suspected of harming the person: are told nothing, see nothing
  suspectname text not null default '',
  referred smallint not null default 0,
  plantext text not null default '',
  transferto text not null default '',
  transfertime timestamptz,
  receipttime timestamptz,
  receiptno int not null default 0,  -- `newsno` at the receipt
  islinkedtransfer smallint not null default 0,  -- 1: to an institution of the platform (casetransfer)
  deathtime timestamptz,
  deathby text[] not null default '{}',  -- keys of the human who reported it
  deathsource text not null default '',
  opensign text[] not null default '{}',  -- signs of the reports: attempt, plan, farewell, abuse, injury
  escalatedseq int not null default 0,
  closetime timestamptz,
  closereason text,
  closenote text not null default '',
  closeby text,
  reopencount int not null default 0,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  version int not null default 1,
  isdeleted smallint not null default 0,
  constraint warning_open_is_due check (state in ('07', '08') or (nextdue is not null and nextduekind is not null))
);
-- One open case per person: a new trigger joins it.
create unique index warning_open on warning (orgpath, cuserid) where state not in ('07', '08') and isdeleted = 0;
create index warning_musercode_state_level_acceptduetime_idx on warning (musercode, state, level desc, acceptduetime);
create index warning_orgpath_state_level_acceptduetime_idx on warning (orgpath, state, level desc, acceptduetime);
create index warning_cuserid_idx on warning (cuserid);
create index warning_owneruserid_idx on warning (owneruserid) where state not in ('07', '08') and isdeleted = 0;
create index warning_nextdue_idx on warning (musercode, nextdue) where nextdue is not null;
select access.follow_tenant('warning');

-- Confirmations by a second person. A confirmation is for one subject and loses its force after seven days or with news.
create table warningconfirm (
  confirmid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  subject text not null check (subject in ('close', 'exclude', 'transfer', 'lost', 'death', 'exempt', 'conclusion')),
  objectid text,  -- the interview of a conclusion
  userid text not null,
  username text not null,
  humankeys text[] not null check (cardinality(humankeys) > 0),  -- account, phone, certificate: one of them equal is one human
  content text not null,
  time timestamptz not null,
  newsno int not null default 0  -- of the case at that time
);
create index warningconfirm_warningcode_idx on warningconfirm (warningcode);
select access.follow_tenant('warningconfirm');

-- Requests to a second person. An act that needs a second human waits here, complete, and is done when they agree. A request without
-- an act asks to confirm what is recorded already: an exemption or a low conclusion.
create table secondrequest (
  requestid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  subject text not null check (subject in ('close', 'exclude', 'transfer', 'lost', 'death', 'exempt', 'conclusion', 'dead')),
  act jsonb,  -- the action of domain/warning/decision/warningAction.ts and its log line
  summary text not null,
  userids text[] not null default '{}',  -- the members of staff who were asked
  status text not null default '01' check (status in ('01', '02', '03', '04', '05')),  -- waits, agreed, returned, withdrawn, void
  askuserid text not null,
  askaccount text not null,
  askname text not null,
  askkeys text[] not null check (cardinality(askkeys) > 0),  -- as in warningconfirm
  asktime timestamptz not null,
  duetime timestamptz not null,
  answername text not null default '',
  answer text not null default '',
  answertime timestamptz
);
create index secondrequest_warningcode_idx on secondrequest (warningcode);
create unique index secondrequest_waits on secondrequest (orgpath, warningcode, subject) where status = '01';
select access.follow_tenant('secondrequest');

-- Duties of a case with a clock of their own and a record of who did what, when and with which receipt.
create table warningduty (
  dutyid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  kind text not null check (kind in ('authority', 'abuse', 'injury', 'discharge', 'return', 'postvention', 'means', 'danger')),
  title text not null,
  duetime timestamptz not null,
  donetime timestamptz,
  unit text not null default '',      -- the authority, police station or person that was told
  receipt text not null default '',   -- its number or name
  content text not null default '',
  operator text,
  operatorname text,
  createtime timestamptz not null,
  -- who accompanied the person in danger (精神卫生法 28); null `companionuntil`: still does
  companion text not null default '',
  companionrole text not null default '',
  companionfrom timestamptz,
  companionuntil timestamptz
);
create index warningduty_warningcode_idx on warningduty (warningcode);
select access.follow_tenant('warningduty');

-- The log of a case.
create table warninglog (
  logid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  action text not null,
  fromstate text,
  tostate text,
  fromlevel smallint,
  tolevel smallint,
  content text not null default '',
  attach uuid[] not null default '{}',
  contactresult text,
  detail jsonb not null default '{}',
  operator text,
  operatorname text,
  time timestamptz not null,
  owneruserid text,  -- the owner after the step
  -- the chain of the case (61_caselog.sql): a trigger sets the number of the line and both hashes
  seq int not null default 0,
  prevhash text not null default '',
  hash text not null default ''
);
create index warninglog_warningcode_time_idx on warninglog (warningcode, time);
create unique index warninglog_chain on warninglog (warningcode, seq, orgpath);
select access.follow_tenant('warninglog');

-- Risk assessments of a case.
create table riskassess (
  assessid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  ideation smallint not null,
  plan smallint not null,
  means smallint not null,
  attempthistory smallint not null,
  hopelessness smallint not null,
  support smallint not null,
  psychosis smallint not null default 0,
  substance smallint not null default 0,
  infantharm smallint not null default 0,
  abuse smallint not null default 0,
  protective text[] not null default '{}',
  asqexamformid bigint,
  asqanswers jsonb,
  conclusionlevel smallint not null,
  plantext text,
  note text,
  assessor text not null,
  time timestamptz not null,
  newsno int not null default 0,  -- of the case at that time; an interview that raises the level has the new one
  asqresult text,  -- codes of AsqResult; null: the ASQ was not asked
  asqskipreason text not null default '',  -- why the ASQ was not asked after a form without a self-harm question
  suggestedlevel smallint,  -- null: the row is older than the column
  suggestreasons text[] not null default '{}',
  isfinished smallint not null default 1,  -- 0: the ASQ is unfinished, so the assessment stays due
  lowreason text not null default '',  -- the reason for a low conclusion; '' for other conclusions
  confirmedby text,  -- the second person who confirmed the low conclusion
  confirmedname text,
  confirmtime timestamptz,
  -- the level that counts: the suggestion until a second person has confirmed a low conclusion
  effectivelevel smallint not null generated always as (
    case when lowreason <> '' and confirmtime is null then greatest(conclusionlevel, suggestedlevel) else conclusionlevel end) stored
);
create index riskassess_warningcode_time_idx on riskassess (warningcode, time);
select access.follow_tenant('riskassess');

-- Safety plans. Each change is a new version; no row changes. The telephone numbers are encrypted.
create table safetyplan (
  planid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  version int not null,
  assessid bigint references riskassess,  -- the interview in which it was written
  warningsigns text not null default '',
  coping text not null default '',
  distractions text not null default '',
  helpers jsonb not null default '[]',  -- name, relation, phonesealed, isadult, issuspect
  services jsonb not null default '[]',  -- name, phonenumber, hours
  means jsonb not null default '[]',  -- kind, status, keeper, storeddate, note
  importantthings text not null default '',
  copies text not null default '',  -- who has a copy
  reviewdate date,
  iscomplete smallint not null,  -- 1: no required part is missing
  hasopenmeans smallint not null,  -- 1: nobody has dealt with some of the means
  operator text not null,
  operatorname text not null,
  time timestamptz not null
);
create unique index safetyplan_version on safetyplan (orgpath, warningcode, version);
select access.follow_tenant('safetyplan');

-- Referrals to a hospital.
create table referral (
  referralid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  tohospital text not null,
  todept text,
  reason text not null,
  urgent smallint not null default 0,
  status text not null default '01',
  visitdate date,
  feedback text,
  docfileid uuid,
  operator text,
  time timestamptz not null,
  updatetime timestamptz not null
);
create index referral_warningcode_idx on referral (warningcode);
select access.follow_tenant('referral');

-- Follow-ups, planned and done.
create table followup (
  followupid bigint generated always as identity primary key,
  cuserid text not null references cuser,
  musercode text not null,
  orgpath text collate "C" not null,
  warningcode text references warning,
  planname text not null default '',
  seq int not null default 1,
  duetime timestamptz not null,
  latesttime timestamptz,  -- end of a span: overdue only then (an EPDS re-test: day 14 to 28); null: overdue from `duetime`
  method text not null default '02',
  status text not null default '01',
  donetime timestamptz,
  content text,
  currentlevel smallint,
  phq9total numeric,
  nextduetime timestamptz,
  operator text,
  createtime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  examcode text references examrecord,  -- the re-test of this follow-up
  updatetime timestamptz,
  updateby text
);
create index followup_warningcode_idx on followup (warningcode);
create index followup_orgpath_status_duetime_idx on followup (orgpath, status, duetime);
select access.follow_tenant('followup');
select access.track_edits('followup', 'planname,duetime,method,content,currentlevel', private => true);

-- Interventions.
create table interfere (
  interfereid bigint generated always as identity primary key,
  cuserid text not null references cuser,
  musercode text not null,
  orgpath text collate "C" not null,
  warningcode text references warning,
  kind text not null,
  begintime timestamptz not null,
  minutes int not null default 0,
  content text not null,
  effect smallint,
  operator text,
  createtime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  updatetime timestamptz,
  updateby text
);
create index interfere_cuserid_idx on interfere (cuserid);
create index interfere_warningcode_idx on interfere (warningcode);
select access.follow_tenant('interfere');
select access.track_edits('interfere', 'kind,begintime,minutes,content,effect', private => true);

-- The assessment before a person returns after treatment.
create table returnassess (
  returnid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  assessdate date not null,
  hospital text not null default '',
  -- 01 may return, 02 may return under conditions, 03 not yet
  conclusion text not null check (conclusion in ('01', '02', '03')),
  conditions text not null default '',
  supportplan text not null default '',
  guardianagreed smallint not null default 0,
  returndate date,
  fileids uuid[] not null check (cardinality(fileids) > 0),
  operator text not null,
  operatorname text not null,
  time timestamptz not null
);
create index returnassess_warningcode_idx on returnassess (warningcode);
select access.follow_tenant('returnassess');

-- An institution's own rules. They add to the platform's rules, which always run; no row here lowers a level of theirs.
create sequence warningrule_seq;
create table warningrule (
  rulecode text primary key default 'ZR' || lpad(nextval('warningrule_seq')::text, 6, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  appid text,
  name text not null,
  cond jsonb not null,
  warninglevel smallint not null check (warninglevel between 1 and 3),  -- never 4: a score alone is no crisis
  enabled smallint not null default 1,
  ordernum int not null default 0,
  remark text not null default '',
  updateby text not null,
  createtime timestamptz not null,
  updatetime timestamptz not null,
  version int not null default 1,
  isdeleted smallint not null default 0,
  plancode text  -- the lineage of a plan (planroot) whose sheets the rule judges; null: all sheets of the institution
);
create index warningrule_musercode_idx on warningrule (musercode) where isdeleted = 0;
select access.follow_tenant('warningrule');
select access.track_edits('warningrule', 'name,cond,warninglevel,appid,remark,enabled,plancode');
