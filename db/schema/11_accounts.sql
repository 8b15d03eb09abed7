-- The only functions by which the console writes accounts. It can store the hash of a password but can never read one.
-- Each function checks that staff is signed in and that the account is within the caller's range.

-- Returns the range of the caller as `lo` and `hi`; null unless staff is signed in.
create function auth.staff_range(out lo text, out hi text)
language plpgsql stable security definer set search_path = '' as $$
begin
  select s.orgpath, left(s.orgpath, -1) || '/' into lo, hi from auth.active_session s where s.kind = 'staff';
end $$;

-- Creates the account of an institution below the caller, or gives it a new one-time password.
create function auth.create_tenant_account(code text, login text, hash text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.tenant t, auth.staff_range() r where t.musercode = code and t.orgpath > r.lo and t.orgpath < r.hi;
  if not found then raise exception 'not below the caller'; end if;
  insert into auth.account (accountid, musercode, loginname, pwdhash, mustchangepwd)
  values (code, code, lower(login), hash, 1)
  on conflict (accountid) do update set pwdhash = excluded.pwdhash, mustchangepwd = 1, pwdtime = now();
  update auth.session set revoked = now() where accountid = code and revoked is null;
end $$;

-- Creates the accounts of members of staff, each with a one-time password.
create function auth.create_accounts(userids text[], hashes text[], lasts interval) returns void
language plpgsql security definer set search_path = '' as $$
declare
  created int;
begin
  insert into auth.account (accountid, musercode, userid, loginname, pwdhash, mustchangepwd, pwdexpire)
  select u.userid, u.musercode, u.userid, lower(u.sysusername), n.hash, 1, now() + lasts
  from unnest(userids, hashes) n (userid, hash) join public.sysuser u on u.userid = n.userid cross join auth.staff_range() r
  where u.isdeleted = 0 and u.orgpath >= r.lo and u.orgpath < r.hi;
  get diagnostics created = row_count;
  if created <> cardinality(userids) then raise exception 'no such members of staff'; end if;
end $$;

-- Creates the account of one member of staff.
create function auth.create_account(account text, hash text, lasts interval) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform auth.create_accounts(array[account], array[hash], lasts);
end $$;

-- Gives a member of staff a new one-time password and ends their sessions.
create function auth.reset_account(account text, hash text, lasts interval) returns void
language plpgsql security definer set search_path = '' as $$
begin
  update auth.account a set pwdhash = hash, mustchangepwd = 1, pwdtime = now(), pwdexpire = now() + lasts
  from public.sysuser u, auth.staff_range() r
  where a.userid = account and u.userid = account and u.isdeleted = 0 and u.orgpath >= r.lo and u.orgpath < r.hi;
  if not found then raise exception 'no such member of staff'; end if;
  update auth.session set revoked = now() where accountid = account and revoked is null;
end $$;

-- Gives new one-time passwords to those members of staff who have never signed in. Returns their userids.
create function auth.renew_one_time_passwords(userids text[], hashes text[], lasts interval) returns setof text
language plpgsql security definer set search_path = '' as $$
begin
  return query
  update auth.account a set pwdhash = n.hash, mustchangepwd = 1, pwdtime = now(), pwdexpire = now() + lasts
  from unnest(userids, hashes) n (userid, hash) join public.sysuser u on u.userid = n.userid cross join auth.staff_range() r
  where a.userid = n.userid and a.mustchangepwd = 1 and u.isdeleted = 0 and u.orgpath >= r.lo and u.orgpath < r.hi
    and not exists (select from auth.loginlog l where l.accountid = a.accountid and l.ok = 1)
  returning a.userid;
end $$;

-- Returns the members of staff who have signed in or set a password. It locks the accounts, so that this stays true until
-- the transaction ends.
create function auth.accounts_in_use(userids text[]) returns setof text
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.account a where a.userid = any (userids) order by a.userid for update;
  return query
  select a.userid from auth.account a join public.sysuser u on u.userid = a.userid
  where a.userid = any (userids) and u.orgpath >= (select access.path_from()) and u.orgpath < (select access.path_to())
    and (a.mustchangepwd = 0 or exists (select from auth.loginlog l where l.accountid = a.accountid and l.ok = 1));
end $$;

-- Returns the state of accounts within the caller's range: one-time password unchanged, that password expired, second factor on.
create function auth.account_states(userids text[])
returns table (accountid text, mustchangepwd smallint, lapsed boolean, secondfactor boolean)
language plpgsql stable security definer set search_path = '' rows 20 as $$
begin
  return query
  select a.accountid, a.mustchangepwd, coalesce(a.pwdexpire < now(), false),
    exists (select from auth.totp f where f.accountid = a.accountid and f.confirmed is not null)
      or exists (select from auth.passkey p where p.accountid = a.accountid)
  from auth.account a join auth.tenant t on t.musercode = a.musercode
  where a.accountid = any (userids) and t.orgpath >= (select access.path_from()) and t.orgpath < (select access.path_to());
end $$;

-- True when the caller's own account has a second factor.
create function auth.has_second_factor() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from auth.active_session s
    where exists (select from auth.totp f where f.accountid = s.accountid and f.confirmed is not null)
      or exists (select from auth.passkey p where p.accountid = s.accountid));
end $$;

-- Removes the second factor, the passkeys and the trusted devices of an account within the caller's range and ends its sessions, when a
-- telephone was lost.
create function auth.reset_second_factor(account text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.account a join auth.tenant t on t.musercode = a.musercode cross join auth.staff_range() r
  where a.accountid = account and t.orgpath >= r.lo and t.orgpath < r.hi
  for no key update of a;
  if not found then raise exception 'no such account'; end if;
  delete from auth.totp where accountid = account;
  delete from auth.recovery where accountid = account;
  delete from auth.passkey where accountid = account;
  delete from auth.passkeychallenge where accountid = account;
  delete from auth.trusteddevice where accountid = account;
  update auth.session set revoked = now() where accountid = account and revoked is null;
end $$;

-- Returns the sign-ins of the accounts of one institution within the caller's range, the newest first, each with their number.
-- `who` is a part of a name or of a login name, `result` 1 for success and 0 for failure; null asks for all.
create function auth.sign_ins(code text, who text, result int, begintime timestamptz, endtime timestamptz, page_size int, page_start int)
returns table (total int, id bigint, "time" timestamptz, accountid text, loginname text, realname text, ok smallint, reason text,
  ip text, useragent text)
language plpgsql stable security definer set search_path = '' rows 20 as $$
begin
  return query
  select (count(*) over ())::int, l.id, l.time, l.accountid, l.loginname, coalesce(u.realname, t.insname), l.ok, l.reason, l.ip, l.useragent
  from auth.account a
    join public.muser t on t.musercode = a.musercode
    left join public.sysuser u on u.userid = a.userid
    join auth.loginlog l on l.accountid = a.accountid
  where a.musercode = code and t.orgpath >= (select access.path_from()) and t.orgpath < (select access.path_to())
    and (who is null or u.realname like who or l.loginname like lower(who) or (a.userid is null and t.insname like who))
    and (result is null or l.ok = result)
    and (begintime is null or l.time >= begintime) and (endtime is null or l.time < endtime)
  order by l.time desc, l.id desc
  limit page_size offset page_start;
end $$;
