-- The question who calls, at half its price (docs/decisions/0024). It read six tables, of which two say nothing new from one call to the next:
-- whether the account may sign in, has a password to change and has a second factor is part of what is put together when it changes (0030).
-- And what the policies of a transaction ask is kept as one answer instead of two.
drop function auth.whoami(text);
drop function auth.keep(text, text);
drop function auth.remember_narrowing();
delete from auth.standing;
alter table auth.standing drop column narrowing;
-- what the functions below answer, as `auth.keep` takes it
alter table auth.standing add column reach text not null;

-- What an account is raises the number of its institution's rights as a name or a role does. Nobody signs in with a new account before it is there.
create function auth.account_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform auth.raise_rights(array(select a.musercode from auth.account a where a.accountid = coalesce(new.accountid, old.accountid)));
  return null;
end $$;
create trigger rights_changed after update on auth.account for each row
  when ((old.musercode, old.userid, old.enabled, old.mustchangepwd) is distinct from (new.musercode, new.userid, new.enabled, new.mustchangepwd)) execute function auth.account_changed();
create trigger rights_added after insert on auth.totp for each row when (new.confirmed is not null) execute function auth.account_changed();
create trigger rights_changed after update on auth.totp for each row when ((old.confirmed is null) <> (new.confirmed is null)) execute function auth.account_changed();
create trigger rights_removed after delete on auth.totp for each row when (old.confirmed is not null) execute function auth.account_changed();

-- A session in force, whatever its account may do.
create view auth.inforce as
  select s.tokenhash, s.kind, s.musercode, s.accountid, s.cuserid, s.loginasby, s.parenthash, s.expiretime, s.stepuptime, t.orgpath, t.rights
  from auth.session s join auth.tenant t on t.musercode = s.musercode
  where s.tokenhash = nullif(current_setting('app.session', true), '')
    and s.revoked is null and s.expiretime > now() and s.lastseen + s.idle > now()
    and t.enabled = 1 and (t.expiredate is null or t.expiredate >= (now() at time zone 'Asia/Shanghai')::date)
    and (s.kind = 'respondent') = (session_user = 'xinli_respondent')
    and (s.boundhash is null or s.boundhash = current_setting('app.bound', true));
create or replace view auth.alive as
  select s.tokenhash, s.musercode, s.cuserid, s.accountid, s.orgpath, a.userid, a.mustchangepwd, s.kind, s.loginasby, s.parenthash, s.expiretime, s.stepuptime, s.rights
  from auth.inforce s left join auth.account a on a.accountid = s.accountid
  where a.accountid is null or a.enabled = 1;

do $outer$
declare
  -- What proves an answer (0028): the words take the place of %1$s. It stands before them.
  code constant text := $t$encode(sha256(convert_to(concat_ws('|', currval('auth.half_a'), octet_length(%1$s), %1$s, now(), current_setting('app.session', true),
    current_setting('app.bound', true), currval('auth.half_b')), 'UTF8')), 'hex')$t$;
  kept constant text := $t$current_setting('app.reach', true)$t$;
  -- Whether what is kept was kept by this connection, in this transaction and for this session.
  holds constant text := format($t$nullif(%1$s, '') is not null and left(%1$s, 64) = %2$s$t$, kept, format(code, format('substr(%s, 65)', kept)));
  fact record;
begin
  for fact in select * from (values ('lo', 1), ('hi', 2), ('musercode', 3), ('userid', 4), ('cuserid', 5)) v (name, at) loop
    execute format($f$
      create or replace function auth.%I() returns text language plpgsql stable security definer set search_path = '' as $b$
      begin
        return case when %s then nullif(split_part(%s, '|', %s), '') else (auth.remember())[%s] end;
      end $b$ $f$, fact.name, holds, kept, fact.at + 1, fact.at);
  end loop;
  for fact in select * from (values ('narrowed', 6), ('teams_only', 7)) v (name, at) loop
    execute format($f$
      create or replace function auth.%I() returns boolean language plpgsql stable security definer set search_path = '' as $b$
      begin
        return case when %s then split_part(%s, '|', %s) else (auth.remember())[%s] end = 'true';
      end $b$ $f$, fact.name, holds, kept, fact.at + 1, fact.at);
  end loop;

  -- Keeps an answer for the length of the transaction and makes the connection's key where it has none (0028 says why that may be said by anybody).
  execute format($f$
    create function auth.keep(words text) returns void language plpgsql volatile security definer set search_path = '' as $b$
    declare
      done text;
    begin
      if current_setting('app.keyed', true) is distinct from pg_backend_pid()::text then
        done := setval('auth.half_a', ('x' || right(replace(gen_random_uuid()::text, '-', ''), 15))::bit(60)::bigint);
        done := setval('auth.half_b', ('x' || right(replace(gen_random_uuid()::text, '-', ''), 15))::bit(60)::bigint);
        done := set_config('app.keyed', pg_backend_pid()::text, false);
      end if;
      done := set_config('app.reach', %s || words, true);
    end $b$ $f$, format(code, 'words'));
end $outer$;
grant execute on function auth.keep(text) to xinli_identity;

-- Reads what `auth.whoami` has not kept: sessions of respondents and of the server, and a session that changes within a transaction.
create or replace function auth.remember() returns text[] language plpgsql volatile security definer set search_path = '' as $$
declare
  facts text[];
  words text;
  done text;
begin
  select array[l.orgpath, left(l.orgpath, -1) || '/', l.musercode, l.userid, l.cuserid, 'false', 'false'] into facts from auth.alive l;
  words := '|' || array_to_string(facts, '|', '') || '|';
  if words is null or array_length(string_to_array(words, '|'), 1) <> 9 then return facts; end if;
  done := auth.keep(words);
  -- Roles are under policies that ask for the reach; how far it is narrowed is asked of persons alone.
  if facts[4] is not null then
    select facts[:5] || array[coalesce(bool_or(r.datascope <> 1), false)::text, coalesce(bool_or(r.datascope = 5), false)::text] into facts
      from public.sysuserrole ur join public.role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0 where ur.userid = facts[4];
    done := auth.keep('|' || array_to_string(facts, '|', '') || '|');
  end if;
  return facts;
end $$;

-- Puts together what an account may do (0030 says when and why that holds) and keeps it. The numbers are read before what they are of.
create function auth.put_together(me auth.alive) returns auth.standing language plpgsql volatile set search_path = '' set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  all_of_it auth.standing;
  at record;
  roles record;
  own record;
begin
  all_of_it.accountid := me.accountid;
  all_of_it.rights := me.rights;
  select a.rights into all_of_it.ofall from auth.rights_of_all a;
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
  all_of_it.reach := concat_ws('|', '', me.orgpath, left(me.orgpath, -1) || '/', me.musercode, coalesce(me.userid, ''), '', roles.scoped::text, roles.narrowed::text, '');
  all_of_it.platform := at.musertype = '001';
  all_of_it.words := json_build_object(
    'accountid', me.accountid, 'musercode', me.musercode, 'userid', me.userid, 'name', coalesce(own.realname, at.realname, at.insname), 'musertype', at.musertype, 'sector', at.sector,
    'mcodes', at.codes, 'rolecodes', coalesce(roles.codes, '[]'), 'granted', coalesce(own.granted, '{}'), 'denied', coalesce(own.denied, '{}'),
    'issuper', case when me.userid is null then coalesce((select x.issuper from auth.specialaccount x where x.musercode = me.musercode), 0) else 0 end,
    'menusoff', array(select o.menuid from public.menuoverride o where o.isplatform = 1 and o.enabled = 0),
    'narrowed', roles.narrowed, 'scoped', roles.scoped, 'seedetail', at.seedetail, 'mustfactor', at.mustfactor or roles.mustfactor, 'alone', at.alone,
    'mustchangepwd', me.mustchangepwd, 'hasfactor', exists (select from auth.totp f where f.accountid = me.accountid and f.confirmed is not null));
  -- One caller keeps it; who calls at the same moment does not wait for them.
  if pg_try_advisory_xact_lock(hashtext('xinli standing'), hashtext(me.accountid)) then
    insert into auth.standing as s select all_of_it.*
      on conflict (accountid) do update set rights = excluded.rights, ofall = excluded.ofall, reach = excluded.reach, platform = excluded.platform, words = excluded.words
      where (s.rights, s.ofall) is distinct from (excluded.rights, excluded.ofall);
  end if;
  return all_of_it;
end $$;
revoke execute on function auth.put_together(auth.alive) from public;
grant execute on function auth.put_together(auth.alive) to xinli_identity;
grant select on auth.inforce to xinli_identity;

-- Who calls, asked in the round trip that opens a transaction; null but for a live session of staff. Three lines: how many seconds the session
-- lasts; what else holds of the session ('t' or 'f' for five minutes after a proof, its hash, who acts in it, the hash of their session); and
-- what was put together of the account. `walk` as in 0030.
create function auth.whoami(walk text default null) returns text language plpgsql volatile security definer set search_path = '' as $$
declare
  me record;
  done text;
begin
  select l.tokenhash, l.loginasby, l.parenthash, l.expiretime, l.stepuptime, d.reach, d.platform, d.words into me
    from auth.inforce l join auth.standing d on d.accountid = l.accountid and d.rights = l.rights join auth.rights_of_all a on a.rights = d.ofall
    where l.kind = 'staff';
  if not found then
    select l.tokenhash, l.loginasby, l.parenthash, l.expiretime, l.stepuptime, d.reach, d.platform, d.words into me
      from auth.alive l cross join lateral auth.put_together(l) d where l.kind = 'staff';
    if not found then return null; end if;
  end if;
  done := auth.keep(me.reach);
  if walk = 'all' or (walk = 'platform' and me.platform) then done := set_config('enable_sort', 'off', true); end if;
  return concat(greatest(0, extract(epoch from me.expiretime - now()))::int, E'\n', coalesce(me.stepuptime > now() - interval '5 minutes', false), '|', me.tokenhash, '|',
    me.loginasby, '|', me.parenthash, E'\n', me.words);
end $$;
revoke execute on function auth.whoami(text) from public;
grant execute on function auth.whoami(text) to xinli_app;
grant xinli_identity to current_user;
grant create on schema auth to xinli_identity;
alter function auth.whoami(text) owner to xinli_identity;
revoke create on schema auth from xinli_identity;
revoke xinli_identity from current_user;
