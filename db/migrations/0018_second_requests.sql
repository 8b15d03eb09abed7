-- Requests to a second person: the act that waits, who was asked, and the answer.
create table secondrequest (
  requestid bigint generated always as identity primary key,
  warningcode text not null references warning,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  subject text not null check (subject in ('close', 'exclude', 'transfer', 'lost', 'death', 'exempt', 'conclusion', 'dead')),
  act jsonb,
  summary text not null,
  userids text[] not null default '{}',
  status text not null default '01' check (status in ('01', '02', '03', '04', '05')),
  askuserid text not null,
  askaccount text not null,
  askname text not null,
  askkeys text[] not null check (cardinality(askkeys) > 0),
  asktime timestamptz not null,
  duetime timestamptz not null,
  answername text not null default '',
  answer text not null default '',
  answertime timestamptz
);
create index secondrequest_warningcode_idx on secondrequest (warningcode);
create unique index secondrequest_waits on secondrequest (orgpath, warningcode, subject) where status = '01';
select access.follow_tenant('secondrequest');
select access.protect('secondrequest', person => true, respondent => 'self');
grant select, insert, update on secondrequest to xinli_app;
grant select, update on secondrequest to xinli_respondent;
grant usage on sequence secondrequest_requestid_seq to xinli_app;

-- The anonymisation of a person clears the requests of old cases.
create or replace function access.anonymize_person(person text, keepsince timestamptz, at timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  old text[];
begin
  perform from public.cuser c where c.cuserid = person and c.isdeleted = 0 for update;
  if not found then raise exception 'no such person'; end if;
  if exists (select from public.warning w where w.cuserid = person and w.state not in ('07', '08') and w.isdeleted = 0) then
    raise exception 'the person has an open case';
  end if;
  old := array(select w.warningcode from public.warning w where w.cuserid = person and w.closetime < keepsince);
  update public.cuser set username = '已匿名', pinyin = '', initials = '', birthday = date_trunc('year', birthday)::date,
    phonesealed = null, phonehash = null, idtype = null, idnosealed = null, idnohash = null, nation = null, address = null,
    owneruserid = null, scanhash = null, focus = 0, enabled = 0, anonymizedtime = at, updatetime = at, version = version + 1
  where cuserid = person;
  update public.cuserarchive set archiveno = 'N' || archiveid, studentno = null, employeeno = null, detail = '{}', summary = null,
    updatetime = at
  where cuserid = person;
  update public.guardian set name = '已匿名', phonesealed = null, phonehash = null, iscontact = 0, isdeleted = 1 where cuserid = person;
  update public.consent set ip = null, signaturefileid = null where cuserid = person;
  update public.teamroster set status = 0, leavedate = at::date where cuserid = person and status = 1;
  update public.examrecord set ip = null, useragent = null where cuserid = person;
  -- Answers that the person wrote in words; chosen options and numbers stay.
  update public.examform f set answers = f.answers - array(
    select i->>'c' from public.formversion v, jsonb_array_elements(v.definition->'items') i
    where v.formcode = f.formcode and v.version = f.formversion and i->>'type' = '0'
      and coalesce(i->>'input', '0') not in ('1', '7'))
  where f.cuserid = person;
  delete from public.examlateanswer a
  using public.examform f, public.formversion v, jsonb_array_elements(v.definition->'items') i
  where f.cuserid = person and a.examformid = f.examformid and v.formcode = f.formcode and v.version = f.formversion
    and i->>'c' = a.questionc and i->>'type' = '0' and coalesce(i->>'input', '0') not in ('1', '7');
  update public.report set conclusion = null, advice = null where cuserid = person;
  update public.followup set content = null where cuserid = person and (warningcode is null or warningcode = any (old));
  update public.interfere set content = '已匿名' where cuserid = person and (warningcode is null or warningcode = any (old));
  perform access.clear_third_parties(person);
  update public.safetyplan set warningsigns = '', coping = '', distractions = '', importantthings = '' where warningcode = any (old);
  update public.riskassess set plantext = null, note = null, asqskipreason = '',
    lowreason = case when lowreason = '' then '' else '已匿名' end
  where warningcode = any (old);
  update public.warningduty set unit = '', receipt = '', content = '' where warningcode = any (old);
  update public.warningconfirm set content = '已匿名' where warningcode = any (old);
  update public.secondrequest set act = null, summary = '已匿名', answer = '' where warningcode = any (old);
  update public.referral set reason = '已匿名', feedback = null where warningcode = any (old);
  update public.returnassess set conditions = '', supportplan = '' where warningcode = any (old);
  update public.warning set alertmsgs = '{}', plantext = '', closenote = '', guardianexempt = '', exemptalternate = '', suspectname = '',
    transferto = '', deathsource = ''
  where warningcode = any (old);
  update public.notification n set content = ''
  from public.warning w
  where w.cuserid = person and n.link = '/earlyWarning/case/' || w.warningcode;
  update public.fileobj set isdeleted = 1
  where cuserid = person and fileid not in (
    select k.fileid from public.casefile k where k.cuserid = person and not k.warningcode = any (old));
end $$;
