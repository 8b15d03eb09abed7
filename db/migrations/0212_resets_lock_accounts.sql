-- A sign-in waits for a reset of the second factor that runs at the same time (src/features/account/factor.queries.ts, keepsFactor).
create or replace function auth.reset_second_factor(account text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.account a join auth.tenant t on t.musercode = a.musercode cross join auth.staff_range() r
  where a.accountid = account and t.orgpath >= r.lo and t.orgpath < r.hi
  for no key update of a;
  if not found then raise exception 'no such account'; end if;
  delete from auth.totp where accountid = account;
  delete from auth.recovery where accountid = account;
  update auth.session set revoked = now() where accountid = account and revoked is null;
end $$;
