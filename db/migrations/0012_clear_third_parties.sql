-- 匿名化 and the deletion after a withdrawal also clear late answers, and what names other people: safety plans, the consent of the
-- guardian, reasons.

-- Clears the names, telephones and words of other people that stand in a person's safety plans, consent of the guardian and
-- withdrawals. The plans of an open case stay, because its handlers work with them; returns whether such a plan stays.
create function access.clear_third_parties(person text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  open text[];
begin
  perform from public.cuser c
  where c.cuserid = person and c.orgpath >= (select access.path_from()) and c.orgpath < (select access.path_to());
  if not found then raise exception 'no such person'; end if;
  open := array(
    select w.warningcode from public.warning w
    where w.cuserid = person and w.state not in ('07', '08') and w.isdeleted = 0);
  update public.safetyplan s
  set helpers = '[]', services = '[]', copies = '',
    means = (select coalesce(jsonb_agg(m || '{"keeper": "", "note": ""}'), '[]') from jsonb_array_elements(s.means) m)
  where s.cuserid = person and not s.warningcode = any (open);
  update public.guardianconsent set claimedname = null, claimedrelation = null, remark = null where cuserid = person;
  update public.withdrawal set reason = '' where cuserid = person;
  return exists (select from public.safetyplan s where s.warningcode = any (open));
end $$;

-- Anonymises a person: replaces names, numbers, contacts and free texts, deletes guardians and ends memberships. Scores and chosen
-- answers stay for statistics. The record of a case that ended at or after `keepsince` stays, because the law requires it; it
-- shows the person without a name. The case log never changes. Refuses a person with an open case.
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

-- Deletes answers, results and reports of a person and voids the exams, up to `until`. Exams of an open case stay: its handlers need
-- them. With `onlywithheld` it deletes only what waits for the guardian. Returns the numbers of deleted and kept exams.
create or replace function access.erase_answers(code text, onlywithheld boolean, until timestamptz) returns table (erased bigint, kept bigint)
language plpgsql volatile security definer set search_path = '' as $$
declare
  codes text[];
begin
  select array_agg(e.examcode) into codes
  from public.examrecord e
  where e.cuserid = code and e.status <> 4 and e.starttime <= until and (not onlywithheld or e.withheld = 1);
  kept := coalesce(array_length(codes, 1), 0);
  codes := array(select c from unnest(codes) c where c not in (select x from access.open_case_exams(code) x));
  erased := coalesce(array_length(codes, 1), 0);
  kept := kept - erased;
  delete from public.report r where r.examcode = any (codes);
  delete from public.examresult r where r.examcode = any (codes);
  delete from public.examalertanswer a using public.examform f where f.examformid = a.examformid and f.examcode = any (codes);
  delete from public.examlateanswer a using public.examform f where f.examformid = a.examformid and f.examcode = any (codes);
  update public.examreview v set content = '', note = '' where v.examcode = any (codes);
  update public.examform f
  set status = 4, answers = '{}', seqs = '{}', raw = null, valid = null, overalllevel = null, answertime = null
  where f.examcode = any (codes);
  update public.examrecord e
  set status = 4, valid = null, invalidreason = null, overalllevel = null, mentalstate = null, hasalert = 0, alertlevel = 0,
    isabnormal = 0
  where e.examcode = any (codes);
  if erased > 0 then
    update public.cuser c
    set
      reportcount = (select count(*) from public.report r where r.cuserid = code and r.isdeleted = 0),
      examcount = (select count(*) from public.examrecord e where e.cuserid = code and e.status = 2),
      lastlevel = null,
      mentalstate = case when c.mentalstatesource = 'auto' then 0 else c.mentalstate end
    where c.cuserid = code;
  end if;
  return next;
end $$;

grant execute on function access.clear_third_parties(text) to xinli_app;
