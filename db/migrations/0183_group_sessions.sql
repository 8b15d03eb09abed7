-- Keeps the booked registrations of a group session at one time.

alter table consult add constraint consult_group_together
  exclude using gist (groupid extension.gist_int8_ops with =, slotbegin extension.gist_timestamptz_ops with <>)
  where (status = '02' and isdeleted = 0 and groupid is not null) deferrable initially deferred;
