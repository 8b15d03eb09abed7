-- Accounts of a whole sheet of staff in one statement each; what `open_account` and `reset_account` ask of one is asked of all.
create function auth.open_accounts(who text[], hashes text[], lasts interval) returns void language plpgsql security definer set search_path = '' as $$
declare
  made int;
begin
  insert into auth.account (accountid, musercode, userid, loginname, pwdhash, mustchangepwd, pwdexpire)
  select u.userid, u.musercode, u.userid, lower(u.sysusername), n.hash, 1, now() + lasts
  from unnest(who, hashes) n (userid, hash) join public.sysuser u on u.userid = n.userid
  where u.isdeleted = 0 and u.orgpath >= (select auth.lo()) and u.orgpath < (select auth.hi()) and exists (select from auth.live() s where s.kind = 'staff');
  get diagnostics made = row_count;
  if made <> cardinality(who) then raise exception 'no such members of staff'; end if;
end $$;
-- Gives new one-time passwords to those who have never signed in, and to nobody else; answers to whom.
create function auth.renew_accounts(who text[], hashes text[], lasts interval) returns setof text language plpgsql security definer set search_path = '' as $$
begin
  return query update auth.account a set pwdhash = n.hash, mustchangepwd = 1, pwdtime = now(), pwdexpire = now() + lasts
  from unnest(who, hashes) n (userid, hash) join public.sysuser u on u.userid = n.userid
  where a.userid = n.userid and a.mustchangepwd = 1 and u.isdeleted = 0 and u.orgpath >= (select auth.lo()) and u.orgpath < (select auth.hi())
    and not exists (select from auth.loginlog l where l.accountid = a.accountid and l.ok = 1)
    and exists (select from auth.live() s where s.kind = 'staff')
  returning a.userid;
end $$;
-- Who of these has signed in or set a password. Holds their accounts until the transaction ends, so that the answer stays true.
create function auth.signed_in(who text[]) returns setof text language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.account a where a.userid = any (who) order by a.userid for update;
  return query select a.userid from auth.account a join public.sysuser u on u.userid = a.userid
  where a.userid = any (who) and u.orgpath >= (select auth.lo()) and u.orgpath < (select auth.hi())
    and (a.mustchangepwd = 0 or exists (select from auth.loginlog l where l.accountid = a.accountid and l.ok = 1));
end $$;
grant execute on function auth.open_accounts(text[], text[], interval), auth.renew_accounts(text[], text[], interval), auth.signed_in(text[]) to xinli_app;
