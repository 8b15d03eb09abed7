-- Trigger: a report that moves to another person loses the AI text, which was written about the former one. A merge keeps it: there
-- the person is the same and the version stays.
create function access.drop_moved_ai_text() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  new.aistatus := 0;
  new.aicontent := null;
  new.aimodel := null;
  new.aitime := null;
  return new;
end $$;
create trigger drop_moved_ai_text before update on report for each row
  when (new.cuserid <> old.cuserid and new.version <> old.version) execute function access.drop_moved_ai_text();
