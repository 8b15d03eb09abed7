-- A consultation may have private notes of several counsellors, and a shared note passes on with the person.

-- The next counsellor of a consultation writes an own note beside the one that stays sealed with its writer.
alter table consultnote drop constraint consultnote_pkey;
alter table consultnote add column noteid bigint generated always as identity primary key;
create index consultnote_consultid_idx on consultnote (consultid);
grant usage on sequence consultnote_noteid_seq to xinli_app;

-- Passes the private notes about the persons of these consultations from one counsellor to the next, where they are marked 随案移交.
-- A person must be with the next counsellor already: by an open consultation, an open case or as owner. Returns the number of notes.
create function access.pass_notes(consultids bigint[], fromuser text, touser text) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  passed bigint;
begin
  update public.consultnote n set userid = touser
  where n.userid = fromuser and n.isshared = 1
    and n.cuserid in (select c.cuserid from public.consult c where c.consultid = any (consultids) and c.isdeleted = 0)
    and exists (select from public.sysuser u where u.userid = touser and u.enabled = 1 and u.isdeleted = 0)
    and (exists (select from public.consult c
        where c.cuserid = n.cuserid and c.counsellor = touser and c.status in ('01', '02', '05') and c.isdeleted = 0)
      or exists (select from public.warning w
        where w.cuserid = n.cuserid and w.owneruserid = touser and w.state not in ('07', '08') and w.isdeleted = 0)
      or exists (select from public.cuser p where p.cuserid = n.cuserid and p.owneruserid = touser));
  get diagnostics passed = row_count;
  return passed;
end $$;
grant execute on function access.pass_notes(bigint[], text, text) to xinli_app;
