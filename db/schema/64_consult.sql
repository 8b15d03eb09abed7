-- Consultation: registrations, bookings, the two notes, and the hours of counsellors.

-- btree_gist lets an exclusion constraint compare texts and ranges together.
create schema if not exists extension;
create extension if not exists btree_gist with schema extension;

-- Registration forms (type 03) that an institution offers.
create table consultform (
  musercode text not null,
  orgpath text collate "C" not null,
  formcode text not null references form,
  title text not null default '',  -- the title for persons; '': the title of the form
  enabled smallint not null default 1,
  ordernum int not null default 0,
  updatetime timestamptz not null default now(),
  primary key (musercode, formcode)
);
select access.follow_tenant('consultform');

-- Registrations for a consultation, with their booking and the shared summary.
create table consult (
  consultid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null references cuser,
  source text not null,  -- 01 the person, 02 staff, 03 from a case
  consulttype text not null default '01',
  topics text[] not null default '{}',
  formcode text references form,
  formversion text,
  answers text,  -- sealed JSON of the form's answers
  guardianopen smallint not null default 0,  -- a minor applied while the consent of the guardian was open
  warningcode text references warning,
  status text not null default '01',
  applytime timestamptz not null default now(),
  duetime timestamptz not null,  -- a waiting registration is overdue from then on
  counsellor text references sysuser,
  slotbegin timestamptz,
  slotend timestamptz,
  room text not null default '',  -- '': no room of its own
  seriesid bigint references consult,  -- the first booking of a weekly series
  groupid bigint references consult,  -- the first registration of a group session
  bookedby text,  -- 01 the person, 02 staff
  remindedday smallint not null default 0,  -- the reminder of the day before was sent
  remindedhour smallint not null default 0,  -- the reminder two hours before was sent
  cancelby text,  -- 01 the person, 02 staff
  cancelreason text not null default '',
  donetime timestamptz,
  attendance text,
  currentlevel smallint,
  outcome text,
  nextdate date,
  summary text,  -- sealed
  operator text,
  createtime timestamptz not null default now(),
  updatetime timestamptz,
  isdeleted smallint not null default 0,
  check (status <> '02' or slotbegin < slotend and counsellor is not null),
  -- Nobody and no room is booked twice at a time. The registrations of one group session share counsellor and room.
  constraint consult_counsellor_booked exclude using gist (counsellor extension.gist_text_ops with =,
    tstzrange(slotbegin, slotend) with &&, coalesce(groupid, -consultid) extension.gist_int8_ops with <>)
    where (status = '02' and isdeleted = 0),
  constraint consult_person_booked exclude using gist (cuserid extension.gist_text_ops with =, tstzrange(slotbegin, slotend) with &&)
    where (status = '02' and isdeleted = 0),
  constraint consult_room_booked exclude using gist (musercode extension.gist_text_ops with =, room extension.gist_text_ops with =,
    tstzrange(slotbegin, slotend) with &&, coalesce(groupid, -consultid) extension.gist_int8_ops with <>)
    where (status = '02' and isdeleted = 0 and room <> ''),
  -- A group session is at one time. Its registrations move one after the other, so the end of the transaction decides.
  constraint consult_group_together exclude using gist (groupid extension.gist_int8_ops with =,
    slotbegin extension.gist_timestamptz_ops with <>)
    where (status = '02' and isdeleted = 0 and groupid is not null) deferrable initially deferred
);
create index consult_orgpath_status_idx on consult (orgpath, status, applytime);
create index consult_cuserid_idx on consult (cuserid);
create index consult_warningcode_idx on consult (warningcode) where warningcode is not null;
create index consult_counsellor_idx on consult (counsellor, slotbegin) where counsellor is not null;
select access.follow_tenant('consult');
select access.track_edits('consult', 'consulttype,topics,attendance,currentlevel,outcome,nextdate,summary', private => true);

-- What happened to a registration: applied, booked, moved, missed, finished, addenda. Rows are only added.
create table consultlog (
  logid bigint generated always as identity primary key,
  consultid bigint not null references consult,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  action text not null,
  content text,  -- sealed
  operator text,
  operatorname text not null,
  time timestamptz not null
);
create index consultlog_consultid_idx on consultlog (consultid);
select access.follow_tenant('consultlog');

-- The private notes of a consultation. Only the counsellor who wrote it reads a note (policy own_note). The next counsellor of a
-- consultation writes an own one.
create table consultnote (
  noteid bigint generated always as identity primary key,
  consultid bigint not null references consult,
  cuserid text not null,
  musercode text not null,
  orgpath text collate "C" not null,
  userid text not null references sysuser,
  note text not null,  -- sealed
  isshared smallint not null default 0,  -- 随案移交: it passes on to the counsellor who takes the person over
  updatetime timestamptz not null
);
create index consultnote_consultid_idx on consultnote (consultid);
select access.follow_tenant('consultnote');

-- The weekly hours of counsellors.
create table counsellortime (
  timeid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  userid text not null references sysuser,
  weekday smallint not null check (weekday between 1 and 7),  -- 1: Monday
  begintime text collate "C" not null check (begintime ~ '^([01]\d|2[0-3]):[0-5]\d$'),  -- 'HH:mm' in Asia/Shanghai
  endtime text collate "C" not null check (endtime ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  minutes smallint not null default 50,
  pause smallint not null default 10,
  room text not null default '',
  validfrom date not null,
  validto date,  -- the last day; null: without end
  check (begintime < endtime),
  check (validto is null or validfrom <= validto)
);
create index counsellortime_userid_idx on counsellortime (userid);
select access.follow_tenant('counsellortime');
select access.track_edits('counsellortime', 'weekday,begintime,endtime,minutes,pause,room,validfrom,validto');

-- Times at which a counsellor offers no hours.
create table counselloroff (
  offid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  userid text not null references sysuser,
  begintime timestamptz not null,
  endtime timestamptz not null,
  reason text not null default '',
  check (begintime < endtime)
);
create index counselloroff_userid_idx on counselloroff (userid);
select access.follow_tenant('counselloroff');

-- Returns the named staff of an institution who hold all of these rights now, the absent ones too.
create function access.staff_holding(code text, rights text[])
returns table (userid text, realname text, absentuntil timestamptz, rolekeys text[])
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select u.userid, u.realname, u.absentuntil, coalesce(h.rolekeys, '{}')
  from public.muser m
    join public.sysuser u on u.musercode = m.musercode
    cross join lateral (
      select array_agg(r.rolekey) as rolekeys
      from public.sysuserrole ur join public.role r on r.roleid = ur.roleid
      where ur.userid = u.userid and r.enabled = 1 and r.isdeleted = 0) h
  where m.musercode = code and m.orgpath >= (select access.path_from()) and m.orgpath < (select access.path_to())
    and m.enabled = 1 and m.isdeleted = 0 and rights <@ m.codes
    and u.enabled = 1 and u.isdeleted = 0 and u.isshared = 0
    and not exists (
      select from unnest(rights) as needed (code)
      where exists (
          select from public.sysuserpermission p where p.userid = u.userid and p.code = needed.code and p.effect = 'deny')
        or not (exists (
            select from public.sysuserrole ur join public.role r on r.roleid = ur.roleid
            where ur.userid = u.userid and r.enabled = 1 and r.isdeleted = 0 and needed.code = any (r.codes))
          or exists (
            select from public.sysuserpermission p where p.userid = u.userid and p.code = needed.code and p.effect = 'grant')));
end $$;

-- Returns the booked times of the counsellors and rooms of an institution, without the persons.
create function access.booked_times(code text, fromtime timestamptz, totime timestamptz)
returns table (consultid bigint, counsellor text, room text, slotbegin timestamptz, slotend timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select c.consultid, c.counsellor, c.room, c.slotbegin, c.slotend
  from public.consult c
  where c.musercode = code and c.status = '02' and c.isdeleted = 0 and c.slotbegin < totime and c.slotend > fromtime;
end $$;

-- True while another account acts in the caller's account (代登录).
create function access.is_acting() returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from auth.active_session s where s.loginasby is not null);
end $$;

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

-- Follow-ups have an owner, a result and perhaps a re-test; interventions and follow-ups may come from a consultation.
alter table followup add column owneruserid text references sysuser;  -- null: the owner of the case
alter table followup add column outcome text;
alter table followup add column consultid bigint references consult;
-- The right to answer its re-test; a deleted authorization leaves the follow-up without one.
alter table followup add column cuserplanid bigint references cuserplan on delete set null;
alter table followup add column retesttime timestamptz;  -- when its re-test was attached; earlier sheets do not count
alter table interfere add column consultid bigint references consult;
create index followup_owneruserid_idx on followup (owneruserid) where owneruserid is not null;
create index followup_cuserplanid_idx on followup (cuserplanid) where cuserplanid is not null;
-- The owner is an edited field too.
drop trigger mark_edits on followup;
create trigger mark_edits before update of planname, duetime, method, content, currentlevel, owneruserid on followup
  for each row execute function access.mark_edits('planname,duetime,method,content,currentlevel,owneruserid', 'private');
