-- Trigger: the report mode of the plan says the type of the report: 01 report, 02 AI report, 03 maternity 1.0, 04 custom report.
-- It runs with the rights of the submission, which reads the public plans of institutions above.
create or replace function access.set_reporttype() returns trigger language plpgsql set search_path = '' as $$
begin
  new.reporttype := coalesce((
    select case p.reportmode when '02' then case new.appid when '000000001' then '03' else '02' end when '03' then '04' else '01' end
    from public.examrecord e join public.plan p on p.plancode = e.plancode where e.examcode = new.examcode), '01');
  return new;
end $$;
grant select (reportmode) on plan to xinli_submission;
