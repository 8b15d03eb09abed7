-- Guardians decide before the day of the assessment; a refusal excuses the pupil, and who declines is named in one word.
alter table guardianconsent drop constraint guardianconsent_method_check;
alter table guardianconsent add constraint guardianconsent_method_check check (method in ('01', '02', '03', '04'));

update taskroster set reason = '拒绝参加' where reason = '拒绝';

create or replace function access.excuse_withdrawn() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.status = 0 and exists (select from public.guardianconsent g where g.cuserid = new.cuserid and g.status = 2) then
    new.status := 3;
    new.reason := '家长不同意';
  elsif new.status = 0 and exists (select from public.withdrawal w where w.cuserid = new.cuserid and w.resumetime is null) then
    new.status := 3;
    new.reason := '已撤回同意';
  end if;
  return new;
end $$;
