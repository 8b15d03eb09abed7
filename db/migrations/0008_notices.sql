-- Notices: who is able, nodes above by target, reminders, and the list of calls to make by hand.

alter table notification
  add column warningcode text,
  add column infokind smallint check (infokind between 2 and 5),
  add column remindtime timestamptz,
  add column remindcount int not null default 0;
create index notification_warningcode_idx on notification (warningcode) where warningcode is not null;

-- 待拨清单: short messages and calls that staff make by hand, because the installation has no gateway for them.
create table calllist (
  callid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  userid text not null,  -- the member of staff to reach
  phonemasked text not null default '',  -- the number at that time, covered
  kind text not null check (kind in ('sms', 'call')),
  warningcode text not null,
  text text not null,  -- what to say; names nobody
  createtime timestamptz not null,
  acktime timestamptz,
  ackby text,  -- account
  ackname text not null default ''
);
create index calllist_pending_idx on calllist (orgpath, createtime) where acktime is null;
select access.follow_tenant('calllist');

select access.protect('calllist');
grant select, insert, update on calllist to xinli_app;
grant usage on sequence calllist_callid_seq to xinli_app;

drop function access.notify_oncall_above(text, text, text, text, text, timestamptz);

-- Returns how closely an authority covers an institution: 4 it stands above it, 3 same district, 2 city, 1 province, 0 not at all.
create function access.authority_rank(authority auth.tenant, institution auth.tenant) returns int
language plpgsql immutable set search_path = '' as $$
begin
  return case
    when authority.musertype <> '003' or authority.musercode = institution.musercode then 0
    when starts_with(institution.orgpath, authority.orgpath) then 4
    when authority.sector <> institution.sector then 0
    when authority.districtcode is not null then case when authority.districtcode = institution.districtcode then 3 else 0 end
    when authority.citycode is not null then case when authority.citycode = institution.citycode then 2 else 0 end
    when authority.provincecode is not null then case when authority.provincecode = institution.provincecode then 1 else 0 end
    else 0 end;
end $$;

-- Returns the paths of the authorities of the institutions in the caller's range.
create function access.authority_paths() returns text[] language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select a.orgpath
    from auth.tenant a
    where a.musertype = '003' and exists (
      select from auth.tenant t
      where t.orgpath >= (select access.path_from()) and t.orgpath < (select access.path_to()) and access.authority_rank(a, t) > 0));
end $$;

-- Returns the accounts that get an institution's notices at a node above it. The institution must lie in the caller's range.
--   provider   the nearest provider, or the platform: its staff on duty, else its able staff, else its own account
--   operator   the platform, in the same order
--   authority  the accounts of the authority that covers the institution most closely
create function access.receivers_above(code text, target text, at timestamptz) returns table (musercode text, userid text)
language plpgsql stable security definer set search_path = '' as $$
declare
  own auth.tenant;
  above auth.tenant;
begin
  select t.* into own from auth.tenant t
  where t.musercode = code and t.orgpath >= access.path_from() and t.orgpath < access.path_to();
  if own.musercode is null then
    return;
  end if;
  if target = 'authority' then
    select a.* into above from auth.tenant a
    where a.musertype = '003' and a.enabled = 1 and access.authority_rank(a, own) > 0
    order by access.authority_rank(a, own) desc, a.musercode
    limit 1;
    return query select a.musercode, a.userid from auth.account a where a.musercode = above.musercode and a.enabled = 1;
    return;
  end if;
  select t.* into above from auth.tenant t
  where starts_with(own.orgpath, t.orgpath) and t.musercode <> own.musercode
    and (t.musertype = '001' or (t.musertype = '002' and t.enabled = 1 and target = 'provider'))
  order by length(t.orgpath) desc
  limit 1;
  if above.musercode is null then
    return;
  end if;
  return query
  with able as (
    select u.userid, u.duty = 1 or bool_or(r.rolekey = 'warningduty') as onduty
    from public.sysuser u
      join public.sysuserrole ur on ur.userid = u.userid
      join public.role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0 and '00014' = any (r.codes)
    where u.musercode = above.musercode and u.enabled = 1 and u.isdeleted = 0 and u.isshared = 0
      and (u.absentuntil is null or u.absentuntil <= at)
    group by u.userid, u.duty)
  select above.musercode, a.userid from able a where a.onduty or not exists (select from able b where b.onduty)
  union all select above.musercode, null::text where not exists (select from able);
end $$;

-- Notifies the accounts at a node above an institution, each once per key. Returns the number of new notices.
create function access.notify_above(
  code text,
  target text,
  notekind text,
  notetitle text,
  notecontent text,
  notelink text,
  key text,
  at timestamptz,
  casecode text,
  contentkind smallint
) returns bigint language plpgsql volatile security definer set search_path = '' as $$
declare
  notified bigint;
begin
  insert into public.notification (musercode, userid, kind, title, content, link, dedupekey, createtime, warningcode, infokind)
  select r.musercode, r.userid, notekind, notetitle, notecontent, notelink,
    notify_above.key || ':' || coalesce(r.userid, r.musercode), at, casecode, contentkind
  from access.receivers_above(code, target, at) r
  on conflict do nothing;
  get diagnostics notified = row_count;
  return notified;
end $$;

-- Counts a reminder of the unread full notices (④) about a case in the institutions above, if the last one is older than `before`.
create function access.remind_above(casecode text, before timestamptz, at timestamptz) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  reminded bigint;
begin
  update public.notification n set remindtime = at, remindcount = n.remindcount + 1
  where n.warningcode = casecode and n.kind = 'warning' and n.infokind = 4 and n.readtime is null
    and coalesce(n.remindtime, n.createtime) <= before
    and n.orgpath = any ((select access.ancestor_paths())::text[]) and n.orgpath <> (select access.path_from());
  get diagnostics reminded = row_count;
  return reminded;
end $$;

create policy oncall_above_remind on notification for update to current_user
  using (orgpath = any ((select access.ancestor_paths())::text[])) with check (orgpath = any ((select access.ancestor_paths())::text[]));
create policy oncall_above_reminded on notification for select to current_user
  using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy authority_notify on notification for insert to current_user
  with check (orgpath = any ((select access.authority_paths())::text[]));
grant execute on function access.able_staff(text, timestamptz),
  access.notify_above(text, text, text, text, text, text, text, timestamptz, text, smallint) to xinli_app, xinli_respondent;
grant execute on function access.remind_above(text, timestamptz, timestamptz) to xinli_app;
