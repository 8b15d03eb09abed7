-- One person, one record: sheets that move to the person who answered them.

-- Sheets that were handed in for the wrong person. A grave one waits for a second person before it moves.
create table sheetmove (
  moveid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  kind text not null check (kind in ('01', '02')),  -- 01 moved, 02 swapped with another sheet
  examcode text not null references examrecord,
  otherexamcode text references examrecord,
  cuserid text not null references cuser,  -- the person that the sheet was stored for
  tocuserid text not null references cuser,  -- the person who answered it
  status text not null check (status in ('01', '02', '03')),  -- 01 waits, 02 done, 03 returned
  reason text not null,
  askuserid text not null,
  askname text not null,
  askkeys text[] not null,  -- keys of the human, as in warningconfirm
  asktime timestamptz not null,
  answerby text,
  answername text not null default '',
  answer text not null default '',
  answertime timestamptz,
  check ((kind = '02') = (otherexamcode is not null))
);
create index sheetmove_cuserid_idx on sheetmove (cuserid);
create index sheetmove_tocuserid_idx on sheetmove (tocuserid);
create unique index sheetmove_waits on sheetmove (orgpath, examcode) where status = '01';
select access.follow_tenant('sheetmove');

-- The texts of a report before its sheet moved to another person (已更正).
create table reportcorrection (
  correctionid bigint generated always as identity primary key,
  moveid bigint not null references sheetmove,
  reportcode text not null references report on delete cascade,
  version int not null,
  cuserid text not null references cuser,  -- the person that the text is about
  musercode text not null,
  orgpath text collate "C" not null,
  content jsonb,
  selfcontent jsonb,
  overalllevel smallint,
  conclusion text,
  advice text,
  time timestamptz not null
);
create index reportcorrection_cuserid_idx on reportcorrection (cuserid);
select access.follow_tenant('reportcorrection');

-- Two persons that staff have compared and found to be different (不是同一人). The smaller code comes first.
create table cuserdistinct (
  cuserid text not null references cuser,
  othercuserid text not null references cuser,
  musercode text not null,
  orgpath text collate "C" not null,
  operator text not null,
  operatorname text not null,
  time timestamptz not null,
  primary key (cuserid, othercuserid),
  check (cuserid < othercuserid)
);
select access.follow_tenant('cuserdistinct');

-- Gives a submitted sheet to another person: all its rows, with the scores of that person. The old text of the report stays as a
-- correction, and the report gets a new version. `hidden`: scores and report wait for a consent of the person; cases do not wait.
create function access.move_sheet(
  code text, person text, placed jsonb, scored jsonb, forms jsonb, newreport jsonb, hidden boolean, move bigint, at timestamptz
) returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  exam public.examrecord;
begin
  insert into public.reportcorrection (
    moveid, reportcode, version, cuserid, musercode, content, selfcontent, overalllevel, conclusion, advice, time)
  select move, r.reportcode, r.version, r.cuserid, r.musercode, r.content, r.selfcontent, r.overalllevel, r.conclusion, r.advice, at
  from public.report r where r.examcode = code;
  update public.examrecord e
  set
    cuserid = person,
    cuserplanid = (placed->>'cuserplanid')::bigint,
    teamcode = placed->>'teamcode',
    gradecode = placed->>'gradecode',
    gradename = placed->>'gradename',
    classname = placed->>'classname',
    unitname = placed->>'unitname',
    gender = placed->>'gender',
    consentid = (placed->>'consentid')::bigint,
    age = (scored->>'age')::smallint,
    gestationaldays = (scored->>'gestationaldays')::int,
    valid = (scored->>'valid')::smallint,
    invalidreason = scored->>'invalidreason',
    overalllevel = (scored->>'overalllevel')::smallint,
    mentalstate = (scored->>'mentalstate')::smallint,
    -- The alerts of the sitting stay with its answers.
    hasalert = greatest(e.hasalert, (scored->>'hasalert')::smallint),
    alertlevel = greatest(e.alertlevel, (scored->>'alertlevel')::smallint),
    isabnormal = (scored->>'isabnormal')::smallint,
    withheld = hidden::int,
    movetime = at
  where e.examcode = code and e.status = 2
  returning e.* into strict exam;
  update public.examform x
  set cuserid = person, valid = f.valid, overalllevel = f.overalllevel, raw = f.raw, bandsets = f.bandsets
  from jsonb_to_recordset(forms) as f (examformid bigint, valid smallint, overalllevel smallint, raw jsonb, bandsets jsonb)
  where x.examformid = f.examformid and x.examcode = code;
  update public.examalertanswer a set cuserid = person
  from public.examform x where x.examcode = code and a.examformid = x.examformid;
  update public.examlateanswer a set cuserid = person
  from public.examform x where x.examcode = code and a.examformid = x.examformid;
  update public.examreview v set cuserid = person where v.examcode = code;
  delete from public.examresult r where r.examcode = code;
  insert into public.examresult (
    examformid, quotacode, examcode, musercode, orgpath, cuserid, score, level, levelname, missing, domain, isprimary, submittime,
    deflevel)
  select
    x.examformid, r.quotacode, x.examcode, x.musercode, x.orgpath, person,
    r.score, r.level, r.levelname, r.missing, r.domain, r.isprimary, exam.submittime, r.deflevel
  from jsonb_to_recordset(forms) as f (examformid bigint, results jsonb)
    join public.examform x on x.examformid = f.examformid and x.examcode = code
    cross join jsonb_to_recordset(f.results) as r (
      quotacode text, score numeric, level smallint, levelname text, missing int, domain text, isprimary smallint,
      deflevel smallint);
  update public.examresult r set withheld = hidden::int where r.examcode = code;
  update public.report r
  set
    cuserid = person, basis = newreport->'basis', content = null, selfcontent = null, overalllevel = exam.overalllevel,
    conclusion = null, advice = null, reviewby = null, reviewtime = null, isshow = (newreport->>'isshow')::smallint,
    withheld = hidden::int, version = r.version + 1, updatetime = at
  where r.examcode = code;
end $$;

-- Trigger: a consent shows the sheets that moved to a person without one, or that staff typed in before (待补同意).
create function access.show_moved_sheets() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  codes text[] := array(
    select e.examcode from public.examrecord e
    where e.cuserid = new.cuserid and (e.movetime is not null or e.entryway is not null) and e.consentid is null and e.withheld = 1);
begin
  if codes = '{}' or exists (
    select from public.guardianconsent g where g.cuserid = new.cuserid and g.kind = '01' and g.status <> 1) then
    return null;
  end if;
  update public.examrecord e set withheld = 0, consentid = new.consentid where e.examcode = any (codes);
  update public.examresult r set withheld = 0 where r.examcode = any (codes);
  update public.report r set withheld = 0 where r.examcode = any (codes);
  return null;
end $$;
create trigger show_moved_sheets after insert on consent for each row
  when (new.scope = '01' and new.agreed = 1) execute function access.show_moved_sheets();

-- Declares a submitted sheet void. Its scores and its report leave every list; answers and raw scores stay with the sheet. Cases stay
-- open. Returns false when the sheet is not a submitted one, so that nothing happens twice.
create function access.void_sheet(code text, account text, accountname text, why text, at timestamptz) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.examrecord e
  set status = 4, voidtime = at, voidby = account, voidname = accountname, voidreason = why
  where e.examcode = code and e.status = 2;
  if not found then
    return false;
  end if;
  update public.examform x set status = 4 where x.examcode = code;
  delete from public.examresult r where r.examcode = code;
  update public.report r set isdeleted = 1, isshow = 0, version = r.version + 1, updatetime = at where r.examcode = code;
  update public.examreview v set donetime = at, doneby = account, donename = accountname, note = '答卷已作废'
  where v.examcode = code and v.donetime is null;
  return true;
end $$;
