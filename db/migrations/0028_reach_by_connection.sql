-- What a policy asks costs less than half again (docs/decisions/0023). An answer kept for a transaction (0022) carried a code over a key in a
-- table, and reading that table was most of its price. The key is now made once for each connection and lies in two sequences: what
-- a connection has set there only it can read back (`currval`), and only in functions of the owner, to whom they belong. That also says
-- which connection and which role an answer is for. They are unlogged because nobody needs them after a crash.
create unlogged sequence auth.half_a minvalue 0;
create unlogged sequence auth.half_b minvalue 0;

-- Whose session is in force also says how it was opened, so that asking who calls reads it once.
create or replace view auth.alive as
  select s.tokenhash, s.musercode, s.cuserid, s.accountid, t.orgpath, a.userid, a.mustchangepwd,
    s.kind, s.loginasby, s.parenthash, s.expiretime, s.stepuptime
  from auth.session s
    join auth.tenant t on t.musercode = s.musercode
    left join auth.account a on a.accountid = s.accountid
  where s.tokenhash = nullif(current_setting('app.session', true), '')
    and s.revoked is null and s.expiretime > now() and s.lastseen + s.idle > now()
    and t.enabled = 1 and (t.expiredate is null or t.expiredate >= (now() at time zone 'Asia/Shanghai')::date)
    and (a.accountid is null or a.enabled = 1)
    and (s.kind = 'respondent') = (session_user = 'xinli_respondent')
    and (s.boundhash is null or s.boundhash = current_setting('app.bound', true));

do $outer$
declare
  -- The code of an answer, whose name and whose words, as long as they are, take the places of %1$s and %2$s.
  code constant text := $t$encode(sha256(convert_to(concat_ws('|', currval('auth.half_a'), '%1$s', length(%2$s), %2$s, now(), current_setting('app.session', true), current_setting('app.bound', true),
    currval('auth.half_b')), 'UTF8')), 'hex')$t$;
  fact record;
begin
  for fact in select * from (values ('lo', 1), ('hi', 2), ('musercode', 3), ('userid', 4), ('cuserid', 5)) v (name, at) loop
    execute format($f$
      create or replace function auth.%I() returns text language plpgsql stable security definer set search_path = '' as $b$
      declare
        memo text := current_setting('app.reach', true);
      begin
        if current_setting('app.keyed', true) is not distinct from pg_backend_pid()::text and left(memo, 64) = %s then return nullif(split_part(memo, '|', %s), ''); end if;
        return (auth.remember())[%s];
      end $b$ $f$, fact.name, format(code, 'reach', 'substr(memo, 65)'), fact.at + 1, fact.at);
  end loop;
  for fact in select * from (values ('narrowed', 2), ('teams_only', 3)) v (name, at) loop
    execute format($f$
      create or replace function auth.%I() returns boolean language plpgsql stable security definer set search_path = '' as $b$
      declare
        memo text := current_setting('app.narrowing', true);
      begin
        if current_setting('app.keyed', true) is not distinct from pg_backend_pid()::text and left(memo, 64) = %s then return split_part(memo, '|', %s) = 'true'; end if;
        return split_part(auth.remember_narrowing(), '|', %s) = 'true';
      end $b$ $f$, fact.name, format(code, 'narrowing', 'substr(memo, 65)'), fact.at, fact.at);
  end loop;

  -- Keeps an answer for the length of the transaction. The setting that says whether this connection has its key can be written by anybody,
  -- too: who does so has the key made anew, or an error because there is none.
  execute format($f$
    create or replace function auth.keep(what text, words text) returns void language plpgsql volatile security definer set search_path = '' as $b$
    begin
      if current_setting('app.keyed', true) is distinct from pg_backend_pid()::text then
        perform setval('auth.half_a', ('x' || right(replace(gen_random_uuid()::text, '-', ''), 15))::bit(60)::bigint);
        perform setval('auth.half_b', ('x' || right(replace(gen_random_uuid()::text, '-', ''), 15))::bit(60)::bigint);
        perform set_config('app.keyed', pg_backend_pid()::text, false);
      end if;
      if what = 'reach' then perform set_config('app.reach', %s || words, true);
      else perform set_config('app.narrowing', %s || words, true); end if;
    end $b$ $f$, format(code, 'reach', 'words'), format(code, 'narrowing', 'words'));
end $outer$;
drop table auth.memokey;

-- Who calls, and with what is asked next: lists that are read along an index in their order (src/server/db/alongIndex.ts) say so here, one
-- round trip earlier. `walk`: 'all', or 'platform' where only whoever reaches everything reads them that way.
drop function auth.whoami();
create function auth.whoami(walk text default null) returns json language plpgsql volatile security definer set search_path = '' as $$
declare
  me record;
  at record;
  roles record;
  own record;
begin
  select l.orgpath, l.musercode, l.userid, l.accountid, l.mustchangepwd, l.tokenhash, l.loginasby, l.parenthash,
    greatest(0, extract(epoch from l.expiretime - now()))::int as secondsleft, coalesce(l.stepuptime > now() - interval '5 minutes', false) as fresh
    into me from auth.alive l where l.kind = 'staff';
  if not found then return null; end if;
  perform auth.keep('reach', '|' || me.orgpath || '|' || left(me.orgpath, -1) || '/|' || me.musercode || '|' || coalesce(me.userid, '') || '||');
  select m.insname, m.realname, m.musertype, m.sector, m.codes, m.seedetail, m.mustfactor = 1 as mustfactor,
    not exists (select from public.muser c where c.parentmusercode = m.musercode) as alone
    into at from public.muser m where m.musercode = me.musercode;
  if walk = 'all' or (walk = 'platform' and at.musertype = '001') then perform set_config('enable_sort', 'off', true); end if;
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
grant execute on function auth.whoami(text) to xinli_app;
grant xinli_identity to current_user;
grant create on schema auth to xinli_identity;
alter function auth.whoami(text) owner to xinli_identity;
revoke create on schema auth from xinli_identity;
revoke xinli_identity from current_user;
