-- Follow-ups remember when a re-test was attached, and an edit of their owner is marked like other edits.
alter table followup add column retesttime timestamptz;  -- when its re-test was attached; earlier sheets do not count
-- A deleted authorization leaves its follow-up without a re-test.
alter table followup drop constraint followup_cuserplanid_fkey;
alter table followup add constraint followup_cuserplanid_fkey foreign key (cuserplanid) references cuserplan on delete set null;
create index followup_cuserplanid_idx on followup (cuserplanid) where cuserplanid is not null;
drop trigger mark_edits on followup;
create trigger mark_edits before update of planname, duetime, method, content, currentlevel, owneruserid on followup
  for each row execute function access.mark_edits('planname,duetime,method,content,currentlevel,owneruserid', 'private');
