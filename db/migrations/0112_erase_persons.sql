-- Anonymises a person with all records that were merged into it: names, numbers, contacts, guardians, archive fields, answers, free texts,
-- signatures and texts of reports go. Age, class, results and levels of the exams stay for statistics. The record of a case that ended
-- at or after `keepsince` stays, because the law requires it; it shows the person without a name. The case log never changes. Refuses
-- a person with an open case.
create or replace function access.anonymize_person(person text, keepsince timestamptz, at timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  people text[];
  old text[];
  one text;
  erased jsonb := '{"schema": "rpt/1", "templatecode": "erased", "title": "报告内容已删除", "generatedat": "", "engine": "",
    "disclaimer": "本报告为筛查结果，不作为诊断依据", "largefont": false, "sections": [{"key": "notice", "title": "报告内容已删除",
    "blocks": [{"type": "text", "text": "本人资料已匿名化，报告文字和作答已删除，不能恢复。", "commentids": []}]}]}';
begin
  perform from public.cuser c where c.cuserid = person and c.isdeleted = 0 for update;
  if not found then raise exception 'no such person'; end if;
  with recursive records as (
    select person as cuserid
    union
    select c.cuserid from public.cuser c join records r on c.mergedinto = r.cuserid)
  select array_agg(r.cuserid) into people from records r;
  if exists (select from public.warning w where w.cuserid = any (people) and w.state not in ('07', '08') and w.isdeleted = 0) then
    raise exception 'the person has an open case';
  end if;
  old := array(select w.warningcode from public.warning w where w.cuserid = any (people) and w.closetime < keepsince);
  foreach one in array people loop
    perform access.clear_third_parties(one);
  end loop;
  update public.cuser set username = '已删除', pinyin = '', initials = '', birthday = null,
    phonesealed = null, phonehash = null, idtype = null, idnosealed = null, idnohash = null, nation = null, education = null,
    marital = null, provincecode = null, citycode = null, districtcode = null, address = null,
    owneruserid = null, scanhash = null, focus = 0, enabled = 0, anonymizedtime = at, updatetime = at, version = version + 1
  where cuserid = any (people);
  update public.cuserarchive set archiveno = 'N' || upper(left(md5(gen_random_uuid()::text), 15)), studentno = null, employeeno = null,
    detail = '{}', summary = null, lmpdate = null, edcdate = null, deliverydate = null, closenote = null, updatetime = at
  where cuserid = any (people);
  update public.guardian set name = '已删除', phonesealed = null, phonehash = null, iscontact = 0, isdeleted = 1
  where cuserid = any (people);
  update public.consent set ip = null, signaturefileid = null where cuserid = any (people);
  update public.guardianconsent set codesealed = null, codehash = null, fileid = null where cuserid = any (people);
  update public.teamroster set status = 0, leavedate = at::date where cuserid = any (people) and status = 1;
  -- The copies of changed rows, which the undo of a merge would need: there is no undo any more.
  update public.cusermerge set reason = '已删除', answer = '', undoreason = '', changes = '{}', pointed = '{}',
    status = case status when '01' then '03' else status end
  where cuserid = any (people) or tocuserid = any (people);
  update public.sheetmove set reason = '已删除', answer = '', status = case status when '01' then '03' else status end
  where cuserid = any (people) or tocuserid = any (people);
  -- Answers with their scores per item. The scores of the forms stay, also those that staff typed in.
  update public.examrecord set ip = null, useragent = null, voidreason = case when voidreason is not null then '已删除' end
  where cuserid = any (people);
  update public.examform set answers = '{}', seqs = '{}', devices = '{}',
    raw = raw || case when raw ? 'itemscores' then '{"itemscores": {}, "notapplicable": []}'::jsonb else '{}' end
  where cuserid = any (people);
  delete from public.examalertanswer where cuserid = any (people);
  delete from public.examlateanswer where cuserid = any (people);
  update public.examreview set content = '', note = '' where cuserid = any (people);
  update public.report set content = erased || '{"audience": "staff"}', selfcontent = erased || '{"audience": "self"}', basis = null,
    conclusion = null, advice = null, aistatus = 0, aicontent = null, isshow = 0
  where cuserid = any (people);
  update public.reportversion set conclusion = '', advice = '', aicontent = null where cuserid = any (people);
  update public.reportcorrection set content = null, selfcontent = null, conclusion = null, advice = null where cuserid = any (people);
  update public.aijob j set output = null, inputhash = null, status = case when j.status in (0, 1) then 9 else j.status end
  from public.report r where r.reportcode = j.reportcode and r.cuserid = any (people);
  update public.followup set content = null where cuserid = any (people) and (warningcode is null or warningcode = any (old));
  update public.interfere set content = '已删除' where cuserid = any (people) and (warningcode is null or warningcode = any (old));
  update public.safetyplan set warningsigns = '', coping = '', distractions = '', importantthings = '' where warningcode = any (old);
  update public.riskassess set plantext = null, note = null, asqskipreason = '',
    lowreason = case when lowreason = '' then '' else '已删除' end
  where warningcode = any (old);
  update public.warningduty set unit = '', receipt = '', content = '' where warningcode = any (old);
  update public.warningconfirm set content = '已删除' where warningcode = any (old);
  update public.secondrequest set act = null, summary = '已删除', answer = '' where warningcode = any (old);
  update public.referral set reason = '已删除', feedback = null where warningcode = any (old);
  update public.returnassess set conditions = '', supportplan = '' where warningcode = any (old);
  update public.warning set alertmsgs = '{}', plantext = '', closenote = '', guardianexempt = '', exemptalternate = '', suspectname = '',
    transferto = '', deathsource = ''
  where warningcode = any (old);
  update public.notification n set content = ''
  from public.warning w
  where w.cuserid = any (people) and (n.warningcode = w.warningcode or n.link = '/earlyWarning/case/' || w.warningcode);
  update public.notification n set content = '' from unnest(people) as p (code) where strpos(n.link, p.code) > 0;
  update public.fileobj set isdeleted = 1, filename = '已删除'
  where cuserid = any (people) and fileid not in (
    select k.fileid from public.casefile k where k.cuserid = any (people) and not k.warningcode = any (old));
end $$;

update cuser set username = '已删除' where anonymizedtime is not null and username = '已匿名';
update guardian set name = '已删除' where isdeleted = 1 and name = '已匿名';
