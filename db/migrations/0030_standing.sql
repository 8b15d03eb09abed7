-- What an account may do is put together when it changes, not at every call (docs/decisions/0023). It used to be read from seven tables by
-- seven statements each time, half of what a page of a list cost. What was put together is kept with the numbers of the state it was
-- put together from: one of the institution, one of everybody. Whoever changes what goes into it raises the number in the same transaction,
-- so a right taken away is still gone with the next call, on every server.
alter table auth.tenant add column rights bigint not null default 0;
create table auth.rights_of_all (rights bigint not null);
insert into auth.rights_of_all values (0);
create table auth.standing (
  accountid text primary key references auth.account on delete cascade,
  rights bigint not null,
  ofall bigint not null,
  -- what 'narrowed' and 'teams_only' answer of the account, and whether it reaches everything
  narrowing text not null,
  platform boolean not null,
  -- what the server reads of it (src/server/caller.ts), and never writes
  words text not null
);

-- Raises the numbers of institutions. In the order of their codes, so that two who do so at once wait for each other and do not lock each other out.
create function auth.raise_rights(codes text[]) returns void language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from auth.tenant t where t.musercode = any (codes) order by t.musercode for no key update;
  update auth.tenant t set rights = t.rights + 1 where t.musercode = any (codes);
end $$;
revoke execute on function auth.raise_rights(text[]) from public;

-- Rights of staff: their roles, what was granted or denied them, their name.
create function auth.rights_changed() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  codes text[];
begin
  if tg_level = 'ROW' then codes := array[old.musercode, new.musercode];
  elsif tg_op = 'INSERT' then codes := array(select distinct a.musercode from added a);
  elsif tg_op = 'DELETE' then codes := array(select distinct r.musercode from removed r);
  else codes := array(select a.musercode from added a union select r.musercode from removed r);
  end if;
  if codes <> '{}' then perform auth.raise_rights(codes); end if;
  return null;
end $$;
create trigger rights_added after insert on sysuserrole referencing new table as added for each statement execute function auth.rights_changed();
create trigger rights_changed after update on sysuserrole referencing old table as removed new table as added for each statement execute function auth.rights_changed();
create trigger rights_removed after delete on sysuserrole referencing old table as removed for each statement execute function auth.rights_changed();
create trigger rights_added after insert on sysuserpermission referencing new table as added for each statement execute function auth.rights_changed();
create trigger rights_changed after update on sysuserpermission referencing old table as removed new table as added for each statement execute function auth.rights_changed();
create trigger rights_removed after delete on sysuserpermission referencing old table as removed for each statement execute function auth.rights_changed();
create trigger rights_changed after update on sysuser for each row when (old.realname is distinct from new.realname or old.musercode <> new.musercode) execute function auth.rights_changed();

-- Rights of an institution: its own, and whether any stands below it.
create function auth.institution_changed() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  codes text[];
begin
  if tg_op = 'INSERT' then codes := array(select distinct a.parentmusercode from added a where a.parentmusercode is not null);
  elsif tg_op = 'DELETE' then codes := array(select distinct r.parentmusercode from removed r where r.parentmusercode is not null);
  else
    codes := array(select c from added a join removed r on r.musercode = a.musercode cross join unnest(array[a.musercode, a.parentmusercode, r.parentmusercode]) c
      where c is not null and (a.insname, a.realname, a.musertype, a.sector, a.codes, a.seedetail, a.mustfactor, a.parentmusercode, a.orgpath)
        is distinct from (r.insname, r.realname, r.musertype, r.sector, r.codes, r.seedetail, r.mustfactor, r.parentmusercode, r.orgpath));
  end if;
  if codes <> '{}' then perform auth.raise_rights(codes); end if;
  return null;
end $$;
create trigger rights_added after insert on muser referencing new table as added for each statement execute function auth.institution_changed();
create trigger rights_changed after update on muser referencing old table as removed new table as added for each statement execute function auth.institution_changed();
create trigger rights_removed after delete on muser referencing old table as removed for each statement execute function auth.institution_changed();

-- Roles are held across institutions, menus are everybody's: they change rarely, and then everybody's rights are put together anew.
create function auth.everything_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update auth.rights_of_all set rights = rights + 1;
  return null;
end $$;
create trigger rights_changed after insert or update or delete on role for each statement execute function auth.everything_changed();
create trigger rights_changed after insert or update or delete on menuoverride for each statement execute function auth.everything_changed();
create trigger rights_changed after insert or update or delete on auth.specialaccount for each statement execute function auth.everything_changed();

-- Whose session is in force also says how it was opened and at which number their institution's rights are, so that it is read once.
create or replace view auth.alive as
  select s.tokenhash, s.musercode, s.cuserid, s.accountid, t.orgpath, a.userid, a.mustchangepwd,
    s.kind, s.loginasby, s.parenthash, s.expiretime, s.stepuptime, t.rights
  from auth.session s
    join auth.tenant t on t.musercode = s.musercode
    left join auth.account a on a.accountid = s.accountid
  where s.tokenhash = nullif(current_setting('app.session', true), '')
    and s.revoked is null and s.expiretime > now() and s.lastseen + s.idle > now()
    and t.enabled = 1 and (t.expiredate is null or t.expiredate >= (now() at time zone 'Asia/Shanghai')::date)
    and (a.accountid is null or a.enabled = 1)
    and (s.kind = 'respondent') = (session_user = 'xinli_respondent')
    and (s.boundhash is null or s.boundhash = current_setting('app.bound', true));

-- What `xinli_identity` reads and keeps.
grant select on auth.rights_of_all to xinli_identity;
grant select, insert, update on auth.standing to xinli_identity;

-- Who calls: a line of what holds now, and a line of what was put together. With it goes what is asked next: lists that are read along an
-- index in their order (`alongIndex` of src/server/handle.ts) say so here, one round trip earlier. `walk`: 'all', or 'platform' where
-- only whoever reaches everything reads them that way.
drop function auth.whoami();
create function auth.whoami(walk text default null) returns text language plpgsql volatile security definer set search_path = '' set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  me record;
  at record;
  roles record;
  own record;
  done text;
begin
  select l.orgpath, l.musercode, l.userid, l.accountid, l.mustchangepwd, l.tokenhash, l.loginasby, l.parenthash,
    greatest(0, extract(epoch from l.expiretime - now()))::int as secondsleft, coalesce(l.stepuptime > now() - interval '5 minutes', false) as fresh,
    f.confirmed is not null as hasfactor, l.rights, a.rights as ofall, s.narrowing, s.platform, s.words
    into me from auth.alive l cross join auth.rights_of_all a
      left join auth.standing s on s.accountid = l.accountid and s.rights = l.rights and s.ofall = a.rights
      left join auth.totp f on f.accountid = l.accountid
    where l.kind = 'staff';
  if not found then return null; end if;
  if me.words is null then
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
    me.narrowing := '|' || roles.scoped::text || '|' || roles.narrowed::text || '|';
    me.platform := at.musertype = '001';
    me.words := json_build_object(
      'accountid', me.accountid, 'musercode', me.musercode, 'userid', me.userid, 'name', coalesce(own.realname, at.realname, at.insname), 'musertype', at.musertype, 'sector', at.sector,
      'mcodes', at.codes, 'rolecodes', coalesce(roles.codes, '[]'), 'granted', coalesce(own.granted, '{}'), 'denied', coalesce(own.denied, '{}'),
      'issuper', case when me.userid is null then coalesce((select x.issuper from auth.specialaccount x where x.musercode = me.musercode), 0) else 0 end,
      'menusoff', array(select o.menuid from public.menuoverride o where o.isplatform = 1 and o.enabled = 0),
      'narrowed', roles.narrowed, 'scoped', roles.scoped, 'seedetail', at.seedetail, 'mustfactor', at.mustfactor or roles.mustfactor, 'alone', at.alone);
    -- One caller keeps it; who calls at the same moment does not wait for them.
    if pg_try_advisory_xact_lock(hashtext('xinli standing'), hashtext(me.accountid)) then
      insert into auth.standing as s (accountid, rights, ofall, narrowing, platform, words) values (me.accountid, me.rights, me.ofall, me.narrowing, me.platform, me.words)
        on conflict (accountid) do update set rights = excluded.rights, ofall = excluded.ofall, narrowing = excluded.narrowing, platform = excluded.platform, words = excluded.words
        where (s.rights, s.ofall) is distinct from (excluded.rights, excluded.ofall);
    end if;
  end if;
  done := auth.keep('|' || me.orgpath || '|' || left(me.orgpath, -1) || '/|' || me.musercode || '|' || coalesce(me.userid, '') || '||', me.narrowing);
  if walk = 'all' or (walk = 'platform' and me.platform) then done := set_config('enable_sort', 'off', true); end if;
  return json_build_object('mustchangepwd', me.mustchangepwd, 'loginasby', me.loginasby, 'tokenhash', me.tokenhash, 'parenthash', me.parenthash, 'secondsleft', me.secondsleft,
    'hasfactor', me.hasfactor, 'fresh', me.fresh)::text || chr(10) || me.words;
end $$;
grant execute on function auth.whoami(text) to xinli_app;
grant xinli_identity to current_user;
grant create on schema auth to xinli_identity;
alter function auth.whoami(text) owner to xinli_identity;
revoke create on schema auth from xinli_identity;
revoke xinli_identity from current_user;

-- Compiling a statement takes a second and saves nothing on pages of twenty rows. The embedded server has it switched off; a server of the
-- operator's own may not, and versions before 18 take whatever a list forbids (`alongIndex`) for so dear that they compile it.
alter role xinli_app set jit = off;
alter role xinli_respondent set jit = off;
alter role xinli_authn set jit = off;
alter role xinli_stats set jit = off;
alter role xinli_sealer set jit = off;
