-- A notice keeps its case and the kind of its text: the reminders until somebody opens it need both.

create or replace function access.add_notices(notes jsonb) returns bigint
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
