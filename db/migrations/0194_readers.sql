-- Restricted staff read the files of contents. The progress of a lesson knows when it was begun.

drop policy restricted_staff on fileobj;
create policy restricted_staff on fileobj as restrictive for select to xinli_app using (
  not (select access.is_restricted())
  or cuserid in (select access.visible_cusers())
  or (cuserid is null and createby = (select access.current_userid()))
  or (cuserid is null and biztype in ('article', 'music', 'course') and orgpath = any ((select access.ancestor_paths())::text[])));

alter table lessonprogress add column begintime timestamptz not null default now();
alter table lessonprogress alter column begintime drop default;
