-- A case may suspect several members of staff: a later report never lets an earlier one see the case again.
alter table warning add column suspectuserids text[] not null default '{}';
alter table warning no force row level security;
update warning set suspectuserids = array[suspectuserid] where suspectuserid is not null;
alter table warning force row level security;
alter table warning drop column suspectuserid;
