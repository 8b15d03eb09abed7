-- Who calls, at a fifth of its price (docs/decisions/0021). Before a list has read a row, its caller's rights are put together from seven
-- tables, and the policies of each asked for the caller's reach. They say whom the session belongs to, nothing else is to be found in
-- them; so one role reads them by the session's own keys, the session is read once instead of five times, and what was found is kept for
-- the policies of the transaction.

-- Keeps an answer for the length of the transaction (0022 says how, and why it cannot be forged). Whoever may run this can widen their
-- reach, so nobody may but the functions of 0022 and `auth.whoami`.
create function auth.keep(what text, words text) returns void language plpgsql volatile security definer set search_path = '' as $$
declare
  key text := (select k.key from auth.memokey k);
begin
  perform set_config('app.' || what, encode(sha256(convert_to(key || what || ':' || length(words) || ':' || words || session_user || ':' || pg_backend_pid() || ':' || now() || ':'
    || length(coalesce(current_setting('app.session', true), '')) || ':' || coalesce(current_setting('app.session', true), '') || coalesce(current_setting('app.bound', true), '')
    || key, 'UTF8')), 'hex') || words, true);
end $$;

create or replace function auth.remember() returns text[] language plpgsql volatile security definer set search_path = '' as $$
declare
  facts text[];
  words text;
begin
  select array[l.orgpath, left(l.orgpath, -1) || '/', l.musercode, l.userid, l.cuserid] into facts from auth.alive l;
  words := '|' || array_to_string(facts, '|', '') || '|';
  if words is not null and array_length(string_to_array(words, '|'), 1) = 7 then perform auth.keep('reach', words); end if;
  return facts;
end $$;

create or replace function auth.remember_narrowing() returns text language plpgsql volatile security definer set search_path = '' as $$
declare
  me text := auth.userid();
  words text := '|false|false|';
begin
  if me is not null then
    select '|' || coalesce(bool_or(r.datascope <> 1), false)::text || '|' || coalesce(bool_or(r.datascope = 5), false)::text || '|' into words
    from public.sysuserrole ur join public.role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0 where ur.userid = me;
  end if;
  perform auth.keep('narrowing', words);
  return words;
end $$;

-- What the functions of `xinli_identity` read: rows of accounts and rights, no person's.
grant usage on schema public, auth to xinli_identity;
grant select on auth.alive to xinli_identity;
grant select (tokenhash, kind, loginasby, parenthash, expiretime, stepuptime) on auth.session to xinli_identity;
grant select (accountid, confirmed) on auth.totp to xinli_identity;
grant select (musercode, issuper) on auth.specialaccount to xinli_identity;
grant select (musercode, parentmusercode, insname, realname, musertype, sector, codes, seedetail, mustfactor) on muser to xinli_identity;
grant select (userid, realname) on sysuser to xinli_identity;
grant select (userid, roleid) on sysuserrole to xinli_identity;
grant select (roleid, codes, datascope, mustfactor, enabled, isdeleted, isbuiltin, orgpath) on role to xinli_identity;
grant select (userid, code, effect) on sysuserpermission to xinli_identity;
grant select (menuid, enabled, isplatform) on menuoverride to xinli_identity;
grant execute on function auth.keep(text, text) to xinli_identity;
create policy identity on muser for select to xinli_identity using (true);
create policy identity on sysuser for select to xinli_identity using (true);
create policy identity on sysuserrole for select to xinli_identity using (true);
create policy identity on role for select to xinli_identity using (true);
create policy identity on sysuserpermission for select to xinli_identity using (true);
create policy identity on menuoverride for select to xinli_identity using (true);

-- Who calls, asked in the round trip that opens a transaction; null but for a live session of staff. Rights are read anew at every call.
-- `rolecodes` holds a list for each role.
drop function auth.whoami();
create function auth.whoami() returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  me record;
  at record;
  roles record;
  own record;
begin
  select l.orgpath, l.musercode, l.userid, l.accountid, l.mustchangepwd, l.tokenhash, s.loginasby, s.parenthash,
    greatest(0, extract(epoch from s.expiretime - now()))::int as secondsleft, coalesce(s.stepuptime > now() - interval '5 minutes', false) as fresh
    into me from auth.alive l join auth.session s on s.tokenhash = l.tokenhash where s.kind = 'staff';
  if not found then return null; end if;
  perform auth.keep('reach', '|' || me.orgpath || '|' || left(me.orgpath, -1) || '/|' || me.musercode || '|' || coalesce(me.userid, '') || '||');
  select m.insname, m.realname, m.musertype, m.sector, m.codes, m.seedetail, m.mustfactor = 1 as mustfactor,
    not exists (select from public.muser c where c.parentmusercode = m.musercode) as alone
    into at from public.muser m where m.musercode = me.musercode;
  if me.userid is null then
    select null::json as codes, false as mustfactor, false as scoped, false as narrowed into roles;
    select null::text as realname, null::text[] as granted, null::text[] as denied into own;
  else
    select json_agg(r.codes) as codes, coalesce(bool_or(r.mustfactor = 1), false) as mustfactor, coalesce(bool_or(r.datascope <> 1), false) as scoped, coalesce(bool_or(r.datascope = 5), false) as narrowed
      into roles from public.sysuserrole ur join public.role r on r.roleid = ur.roleid
      where ur.userid = me.userid and r.enabled = 1 and r.isdeleted = 0 and (r.isbuiltin = 1 or (r.orgpath >= me.orgpath and r.orgpath < left(me.orgpath, -1) || '/'));
    select u.realname, array(select x.code from public.sysuserpermission x where x.userid = u.userid and x.effect = 'grant') as granted,
      array(select x.code from public.sysuserpermission x where x.userid = u.userid and x.effect = 'deny') as denied
      into own from public.sysuser u where u.userid = me.userid;
  end if;
  perform auth.keep('narrowing', '|' || roles.scoped::text || '|' || roles.narrowed::text || '|');
  return json_build_object(
    'accountid', me.accountid, 'musercode', me.musercode, 'userid', me.userid, 'name', coalesce(own.realname, at.realname, at.insname), 'musertype', at.musertype, 'sector', at.sector,
    'mcodes', at.codes, 'rolecodes', coalesce(roles.codes, '[]'), 'granted', coalesce(own.granted, '{}'), 'denied', coalesce(own.denied, '{}'),
    'issuper', case when me.userid is null then coalesce((select x.issuper from auth.specialaccount x where x.musercode = me.musercode), 0) else 0 end,
    'mustchangepwd', me.mustchangepwd, 'menusoff', array(select o.menuid from public.menuoverride o where o.isplatform = 1 and o.enabled = 0),
    'narrowed', roles.narrowed, 'scoped', roles.scoped, 'seedetail', at.seedetail, 'loginasby', me.loginasby, 'tokenhash', me.tokenhash, 'parenthash', me.parenthash,
    'secondsleft', me.secondsleft, 'hasfactor', exists (select from auth.totp f where f.accountid = me.accountid and f.confirmed is not null),
    'mustfactor', at.mustfactor or roles.mustfactor, 'alone', at.alone, 'fresh', me.fresh);
end $$;
grant execute on function auth.whoami() to xinli_app;
grant xinli_identity to current_user;
grant create on schema auth to xinli_identity;
alter function auth.whoami() owner to xinli_identity;
revoke create on schema auth from xinli_identity;
revoke xinli_identity from current_user;
