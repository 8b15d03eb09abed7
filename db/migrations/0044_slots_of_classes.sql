-- A task may give each class a time slot in which it begins to answer.

alter table taskteam
  add column begintime timestamptz,
  add column endtime timestamptz,
  add check (num_nulls(begintime, endtime) in (0, 2) and endtime > begintime);
