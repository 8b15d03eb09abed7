-- Staff, persons and institutions that leave. No open case stays without an owner, and nobody's case stops (clinical-rules.md A).

-- Returns the able members of staff of an institution and of the institutions above it. Able: an enabled account of one named
-- human with 预警处置 (00014), present at that time, of an institution that may handle cases. An ended contract counts for 30
-- more days (收尾模式). A school sees no row of its provider, so this function reads for it.
create function access.able_staff(code text, at timestamptz)
returns table (
  userid text, realname text, musercode text, insname text, musertype text, orgpath text, duty smallint, rolekeys text[])
language plpgsql stable security definer set search_path = '' as $$
declare
  place text := (select i.orgpath from public.muser i
    where i.musercode = code and i.orgpath >= (select access.path_from()) and i.orgpath < (select access.path_to()));
  paths text[] := array(select left(place, n) from generate_series(1, length(place)) n where substr(place, n, 1) = '.');
begin
  return query
  select u.userid, u.realname, m.musercode, m.insname, m.musertype, m.orgpath, u.duty, coalesce(h.rolekeys, '{}')
  from public.muser m
    join public.sysuser u on u.musercode = m.musercode
    cross join lateral (
      select array_agg(r.rolekey) as rolekeys, bool_or('00014' = any (r.codes)) as handles
      from public.sysuserrole ur join public.role r on r.roleid = ur.roleid
      where ur.userid = u.userid and r.enabled = 1 and r.isdeleted = 0) h
  where m.orgpath = any (paths) and m.musertype in ('002', '004', '005') and m.enabled = 1 and m.isdeleted = 0
    and (m.expiredate is null or at = 'infinity' or m.expiredate + 30 >= (at at time zone 'Asia/Shanghai')::date)
    and '00014' = any (m.codes)
    and u.enabled = 1 and u.isdeleted = 0 and u.isshared = 0 and (u.absentuntil is null or u.absentuntil <= at)
    and (h.handles or exists (
      select from public.sysuserpermission p where p.userid = u.userid and p.code = '00014' and p.effect = 'grant'))
    and not exists (
      select from public.sysuserpermission p where p.userid = u.userid and p.code = '00014' and p.effect = 'deny');
end $$;

-- Adds notifications to accounts of the caller's range and of the institutions above it, each key once, and returns the number of
-- new ones. A notification belongs to the institution of its account: the owner of a school's case may work for the provider.
create function access.add_notices(notes jsonb) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  added bigint;
begin
  insert into public.notification (musercode, userid, kind, title, content, link, dedupekey, createtime, warningcode, infokind)
  select coalesce(a.musercode, n.musercode), n.userid, n.kind, n.title, coalesce(n.content, ''), n.link, n.dedupekey, n.createtime,
    n.warningcode, n.infokind
  from jsonb_to_recordset(notes) n (musercode text, userid text, kind text, title text, content text, link text, dedupekey text,
      createtime timestamptz, warningcode text, infokind smallint)
    left join auth.account a on a.userid = n.userid
  on conflict do nothing;
  get diagnostics added = row_count;
  return added;
end $$;

-- Returns the members of staff above the caller's institution who own open cases of its range: their names stand on the cases.
create function access.owners_above() returns setof text
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select u.userid from public.sysuser u
  where u.orgpath = any ((select access.ancestor_paths())::text[]) and u.orgpath <> (select access.path_from())
    and exists (select from public.warning w where w.owneruserid = u.userid and w.isdeleted = 0
      and w.state not in ('07', '08'));
end $$;

-- Returns the last day of 收尾模式 of the caller's institution; null while its contract runs.
create function auth.winddown_until() returns date
language plpgsql stable security definer set search_path = '' as $$
begin
  return (select t.expiredate + 30 from auth.active_session s join auth.tenant t on t.musercode = s.musercode
    where t.expiredate < (now() at time zone 'Asia/Shanghai')::date);
end $$;

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
create function access.anonymize_person(person text, keepsince timestamptz, at timestamptz) returns void
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
    lmpdate = null, edcdate = null, deliverydate = null, closenote = null, updatetime = at
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
