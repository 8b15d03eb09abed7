-- Trigger: another video, or the deletion of a lesson, ends what was noted of its learners. Nobody but the learners reads those notes.
create function access.restart_lesson() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  delete from public.lessonprogress where lessonid = new.lessonid;
  return null;
end $$;
create trigger restart_lesson after update of fileid, isdeleted on lesson for each row
  when (new.fileid <> old.fileid or new.isdeleted = 1) execute function access.restart_lesson();
