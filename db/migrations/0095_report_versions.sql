-- AI texts of reports, their type from the plan, and their versions (reports.md 5.1, supplement-people-statistics.md 7).
alter table report
  -- 0 none, 1 being written, 2 written, 3 reviewed, 9 failed
  add column aistatus smallint not null default 0 check (aistatus in (0, 1, 2, 3, 9)),
  add column aicontent jsonb,  -- the text of the AI provider
  add column aimodel text,
  add column aitime timestamptz;

alter table report no force row level security;
alter table examrecord no force row level security;
alter table plan no force row level security;
update report r
set reporttype = case p.reportmode when '02' then case r.appid when '000000001' then '03' else '02' end else '04' end
from examrecord e join plan p on p.plancode = e.plancode
where e.examcode = r.examcode and p.reportmode in ('02', '03');
alter table plan force row level security;
alter table examrecord force row level security;
alter table report force row level security;

-- Trigger: the report mode of the plan says the type of the report: 01 report, 02 AI report, 03 maternity 1.0, 04 custom report.
create function access.set_reporttype() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.reporttype := coalesce((
    select case p.reportmode when '02' then case new.appid when '000000001' then '03' else '02' end when '03' then '04' else '01' end
    from public.examrecord e join public.plan p on p.plancode = e.plancode where e.examcode = new.examcode), '01');
  return new;
end $$;
create trigger set_reporttype before insert on report for each row execute function access.set_reporttype();

-- Each later version of a report: what staff wrote, who and when. Version 1 is the report as it was made.
create table reportversion (
  reportcode text not null references report on delete cascade,
  version int not null,
  cuserid text not null references cuser,  -- the person of that version
  musercode text not null,
  orgpath text collate "C" not null,
  conclusion text not null,
  advice text not null,
  status smallint not null,
  aistatus smallint not null,
  aicontent jsonb,
  accountid text,  -- null: the server itself
  username text not null,
  time timestamptz not null,
  primary key (reportcode, version)
);
create index reportversion_cuserid_idx on reportversion (cuserid);
select access.follow_tenant('reportversion');

-- Trigger: stores the new version of a report with its writer.
create function access.add_report_version() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.reportversion (
    reportcode, version, cuserid, musercode, conclusion, advice, status, aistatus, aicontent, accountid, username, time)
  select new.reportcode, new.version, new.cuserid, new.musercode, coalesce(new.conclusion, ''), coalesce(new.advice, ''), new.status,
    new.aistatus, new.aicontent, s.accountid, coalesce(u.realname, m.insname, ''), new.updatetime
  from (values (1)) as one
    left join auth.active_session s on s.kind <> 'system'
    left join public.sysuser u on u.userid = s.userid
    left join public.muser m on m.musercode = s.musercode;
  return null;
end $$;
create trigger add_report_version after update of version on report for each row when (new.version <> old.version)
  execute function access.add_report_version();

-- Trigger: an anonymised person keeps no words of staff in old versions.
create function access.clear_report_versions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update public.reportversion set conclusion = '', advice = '', aicontent = null where cuserid = new.cuserid;
  return null;
end $$;
create trigger clear_report_versions after update of anonymizedtime on cuser
  for each row when (new.anonymizedtime is not null and old.anonymizedtime is null) execute function access.clear_report_versions();
select access.protect('reportversion', person => true);
grant select on reportversion to xinli_app;
revoke insert, update, delete on reportversion from xinli_app;

-- The erasure of a report also deletes its corrections.
alter table reportcorrection
  drop constraint reportcorrection_reportcode_fkey,
  add constraint reportcorrection_reportcode_fkey foreign key (reportcode) references report on delete cascade;
