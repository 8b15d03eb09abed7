-- Terms of records: legal holds (保全), the runs of the job, and nothing of a held person is erased.

create table legalhold (
  holdid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null references cuser,
  reason text not null,
  begintime timestamptz not null,
  beginby text not null,
  beginname text not null,
  endtime timestamptz,
  endby text,
  endname text not null default '',
  endreason text not null default ''
);
create unique index legalhold_stands on legalhold (orgpath, cuserid) where endtime is null;
create index legalhold_cuserid_idx on legalhold (cuserid);
select access.follow_tenant('legalhold');

create table retentionrun (
  runid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  time timestamptz not null,
  kind text not null,
  affected int not null
);
create index retentionrun_musercode_time_idx on retentionrun (musercode, time desc);
select access.follow_tenant('retentionrun');

select access.protect('legalhold', person => true);
select access.protect('retentionrun');
grant select, insert, update on legalhold to xinli_app;
grant select, insert on retentionrun to xinli_app;
grant usage on sequence legalhold_holdid_seq, retentionrun_runid_seq to xinli_app;

create function access.is_held(person text) returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    with recursive records as (
      select person as cuserid
      union
      select c.cuserid from public.cuser c join records r on c.mergedinto = r.cuserid)
    select from public.legalhold h join records r on r.cuserid = h.cuserid where h.endtime is null);
end $$;
grant execute on function access.is_held(text) to xinli_app;

create function access.refuse_held() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if access.is_held(new.cuserid) then raise exception 'the records of the person are under a legal hold'; end if;
  update public.legalhold set reason = '已删除', endreason = '' where cuserid = new.cuserid;
  return new;
end $$;
create trigger refuse_held before update of erasedsince on cuser
  for each row when (new.erasedsince is distinct from old.erasedsince) execute function access.refuse_held();

create or replace function access.erase_answers(code text, onlywithheld boolean, until timestamptz) returns table (erased bigint, kept bigint)
language plpgsql volatile security definer set search_path = '' as $$
declare
  codes text[];
begin
  select array_agg(e.examcode) into codes
  from public.examrecord e
  where e.cuserid = code and e.starttime <= until and (not onlywithheld or e.withheld = 1)
    -- A void sheet still has its answers. A device that was offline may send answers after the deletion.
    and (e.status <> 4 or exists (
      select from public.examform f where f.examcode = e.examcode and (f.answers <> '{}' or f.raw is not null)) or exists (
      select from public.examlateanswer a join public.examform f on f.examformid = a.examformid where f.examcode = e.examcode));
  kept := coalesce(array_length(codes, 1), 0);
  -- A legal hold keeps all exams. The next run of the job tries again.
  if access.is_held(code) then
    erased := 0;
    return next;
    return;
  end if;
  codes := array(select c from unnest(codes) c where c not in (select x from access.open_case_exams(code) x));
  erased := coalesce(array_length(codes, 1), 0);
  kept := kept - erased;
  delete from public.report r where r.examcode = any (codes);
  delete from public.examresult r where r.examcode = any (codes);
  delete from public.examalertanswer a using public.examform f where f.examformid = a.examformid and f.examcode = any (codes);
  delete from public.examlateanswer a using public.examform f where f.examformid = a.examformid and f.examcode = any (codes);
  update public.examreview v set content = '', note = '' where v.examcode = any (codes);
  update public.examform f
  set status = 4, answers = '{}', seqs = '{}', devices = '{}', entered = null, raw = null, valid = null, overalllevel = null,
    answertime = null
  where f.examcode = any (codes);
  update public.examrecord e
  set status = 4, voidreason = null, valid = null, invalidreason = null, overalllevel = null, mentalstate = null, hasalert = 0,
    alertlevel = 0, isabnormal = 0
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

create or replace function access.clear_third_parties(person text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  open text[];
begin
  perform from public.cuser c
  where c.cuserid = person and c.orgpath >= (select access.path_from()) and c.orgpath < (select access.path_to());
  if not found then raise exception 'no such person'; end if;
  if access.is_held(person) then return true; end if;
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
