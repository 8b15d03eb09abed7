-- The receipt of an erasure stays with its request, in numbers without a name.
alter table anonymization add column receipt jsonb;

-- The erasure also empties messages that repeat the purpose of an approval, or name who declined or withdrew.
create or replace function access.anonymize_person(person text, keepsince timestamptz, at timestamptz) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  people text[];
  old text[];
  words text[];
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
  -- Names and numbers by which filters of exports may have asked for the person.
  words := array(
    select w.word from public.cuser c
      left join public.cuserarchive a on a.cuserid = c.cuserid
      cross join lateral unnest(array[c.cuserid, c.username, a.archiveno, a.studentno, a.employeeno]) w (word)
    where c.cuserid = any (people) and length(w.word) > 1 and w.word <> '已删除');
  -- The messages that ask for the approval repeat its purpose.
  with approvals as (
    update public.accessapproval p set filter = '{"erased": 1}', purpose = '已删除', reason = '', validuntil = null,
      status = case p.status when 0 then 3 else p.status end
    where exists (select from unnest(words) w (word) where strpos(concat_ws(' ', p.filter, p.purpose, p.reason), w.word) > 0)
    returning p.approvalid)
  update public.notification n set content = '' from approvals e
  where starts_with(n.dedupekey, 'approval:' || e.approvalid || ':');
  foreach one in array people loop
    perform access.clear_third_parties(one);
  end loop;
  update public.cuserarchive a set studentno = null, employeeno = null, detail = '{}', summary = null, lmpdate = null, edcdate = null,
    deliverydate = null, closenote = null, updatetime = at,
    archiveno = case when c.anonymizedtime is null then 'N' || upper(left(md5(gen_random_uuid()::text), 15)) else a.archiveno end
  from public.cuser c
  where c.cuserid = a.cuserid and a.cuserid = any (people);
  update public.cuser set username = '已删除', pinyin = '', initials = '', birthday = null,
    phonesealed = null, phonehash = null, idtype = null, idnosealed = null, idnohash = null, nation = null, education = null,
    marital = null, provincecode = null, citycode = null, districtcode = null, address = null,
    owneruserid = null, scanhash = null, focus = 0, enabled = 0, updatetime = at,
    anonymizedtime = coalesce(anonymizedtime, at), erasedsince = keepsince, version = version + 1
  where cuserid = any (people);
  update public.guardian set name = '已删除', phonesealed = null, phonehash = null, iscontact = 0, isdeleted = 1
  where cuserid = any (people);
  update public.consent set ip = null, signaturefileid = null where cuserid = any (people);
  update public.guardianconsent set codesealed = null, codehash = null, fileid = null where cuserid = any (people);
  delete from public.lessonprogress where cuserid = any (people);
  update public.teamroster set status = 0, leavedate = at::date where cuserid = any (people) and status = 1;
  -- The copies of changed rows, which the undo of a merge would need: there is no undo any more.
  update public.cusermerge set reason = '已删除', answer = '', undoreason = '', changes = '{}', pointed = '{}',
    status = case status when '01' then '03' else status end
  where cuserid = any (people) or tocuserid = any (people);
  update public.anonymization set reason = '已删除', answer = '' where cuserid = any (people);
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
  update public.followup set status = '05' where cuserid = any (people) and status in ('01', '03');
  update public.interfere set content = '已删除' where cuserid = any (people) and (warningcode is null or warningcode = any (old));
  update public.consult set answers = null, summary = null, topics = '{}', cancelreason = '', attendance = null, currentlevel = null,
    outcome = null, nextdate = null, status = case when status in ('01', '02') then '04' else status end, updatetime = at
  where cuserid = any (people) and (warningcode is null or warningcode = any (old));
  update public.consultlog l set content = null from public.consult c
  where c.consultid = l.consultid and c.cuserid = any (people) and (c.warningcode is null or c.warningcode = any (old));
  delete from public.consultnote where cuserid = any (people);
  update public.safetyplan set warningsigns = '', coping = '', distractions = '', importantthings = '' where warningcode = any (old);
  update public.riskassess set plantext = null, note = null, asqskipreason = '', asqanswers = null, protective = '{}',
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
  update auth.session set ip = null, useragent = null where cuserid = any (people);
  update public.casefile set deletereason = '' where warningcode = any (old);
  update public.casetransfer set personsealed = '' where cuserid = any (people);
  update public.reconcilediff set settlenote = '' where cuserid = any (people);
  update public.notification n set content = ''
  from public.warning w
  where w.cuserid = any (people) and (n.warningcode = w.warningcode or n.link = '/earlyWarning/case/' || w.warningcode);
  update public.notification n set content = '' from unnest(people) as p (code)
  where strpos(n.link, p.code) > 0 or strpos(n.dedupekey, p.code) > 0;
  update public.notification n set content = '' from public.withdrawal w
  where w.cuserid = any (people) and starts_with(n.dedupekey, 'consent:withdrawal:' || w.withdrawalid || ':');
  update public.fileobj set isdeleted = 1, filename = '已删除'
  where cuserid = any (people) and fileid not in (
    select k.fileid from public.casefile k where k.cuserid = any (people) and not k.warningcode = any (old));
end $$;
