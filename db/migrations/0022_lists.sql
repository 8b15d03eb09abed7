-- Lists at the size of a nation (docs/decisions/0017): what a policy asks costs a fifth, and every list finds its page by an index.

-- Policies ask for the caller's reach at every table of every statement, and each time the session was read anew, 50 microseconds; for
-- whom it narrows, 360. It cannot change within a transaction, so the first answer is kept in a setting of the transaction. A setting
-- can be written by anybody, so the answer carries a code only the owner's functions can make: over the answer, which answer it is, the
-- session, its other half, the role, the connection and the transaction's own time, with a key nobody else can read. What does not fit is
-- asked for anew, so a forged or replayed setting gives nothing.
create table auth.memokey (key text not null);
insert into auth.memokey values (encode(sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')), 'hex'));

do $outer$
declare
  -- The code of a memo, whose name and words take the places of %1$s and %2$s. Lengths keep apart what callers can choose.
  code constant text := $t$encode(sha256(convert_to(key || '%1$s:' || length(%2$s) || ':' || %2$s || session_user || ':' || pg_backend_pid() || ':' || now() || ':'
    || length(coalesce(current_setting('app.session', true), '')) || ':' || coalesce(current_setting('app.session', true), '') || coalesce(current_setting('app.bound', true), '')
    || key, 'UTF8')), 'hex')$t$;
  fact record;
begin
  -- Reads the session once and keeps what follows from it.
  execute format($f$
    create function auth.remember() returns text[] language plpgsql volatile security definer set search_path = '' as $b$
    declare
      key text := (select k.key from auth.memokey k);
      facts text[];
      words text;
    begin
      select array[l.orgpath, left(l.orgpath, -1) || '/', l.musercode, l.userid, l.cuserid] into facts from auth.alive l;
      words := '|' || array_to_string(facts, '|', '') || '|';
      if words is not null and array_length(string_to_array(words, '|'), 1) = 7 then
        perform set_config('app.reach', %s || words, true);
      end if;
      return facts;
    end $b$ $f$, format(code, 'reach', 'words'));
  for fact in select * from (values ('lo', 1), ('hi', 2), ('musercode', 3), ('userid', 4), ('cuserid', 5)) v (name, at) loop
    execute format($f$
      create or replace function auth.%I() returns text language plpgsql stable security definer set search_path = '' as $b$
      declare
        memo text := current_setting('app.reach', true);
        key text := (select k.key from auth.memokey k);
      begin
        if left(memo, 64) = %s then return nullif(split_part(memo, '|', %s), ''); end if;
        return (auth.remember())[%s];
      end $b$ $f$, fact.name, format(code, 'reach', 'substr(memo, 65)'), fact.at + 1, fact.at);
  end loop;

  -- The same of what the roles of the account narrow: whether by scopes 2–5, then whether by scope 5. Kept apart, because asking it needs the reach.
  execute format($f$
    create function auth.remember_narrowing() returns text language plpgsql volatile security definer set search_path = '' as $b$
    declare
      key text := (select k.key from auth.memokey k);
      me text := auth.userid();
      words text := '|false|false|';
    begin
      if me is not null then
        select '|' || coalesce(bool_or(r.datascope <> 1), false)::text || '|' || coalesce(bool_or(r.datascope = 5), false)::text || '|' into words
        from public.sysuserrole ur join public.role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0 where ur.userid = me;
      end if;
      perform set_config('app.narrowing', %s || words, true);
      return words;
    end $b$ $f$, format(code, 'narrowing', 'words'));
  for fact in select * from (values ('narrowed', 2), ('teams_only', 3)) v (name, at) loop
    execute format($f$
      create or replace function auth.%I() returns boolean language plpgsql stable security definer set search_path = '' as $b$
      declare
        memo text := current_setting('app.narrowing', true);
        key text := (select k.key from auth.memokey k);
      begin
        if left(memo, 64) = %s then return split_part(memo, '|', %s) = 'true'; end if;
        return split_part(auth.remember_narrowing(), '|', %s) = 'true';
      end $b$ $f$, fact.name, format(code, 'narrowing', 'substr(memo, 65)'), fact.at, fact.at);
  end loop;
end $outer$;

-- Own path and those of all ancestors as one value: a condition an index can answer, where the set was compared row by row and kept every
-- list of institutions from using one.
create function auth.ancestry() returns text[] language plpgsql stable security definer set search_path = '' as $$
begin
  return array(select a from auth.ancestors() a);
end $$;
grant execute on function auth.ancestry() to xinli_app, xinli_stats, xinli_respondent;
alter policy ancestors on muser using (orgpath = any ((select auth.ancestry())::text[]));
alter policy common_plan on plan using (iscommon = 1 and orgpath = any ((select auth.ancestry())::text[]));
alter policy common_planform on planform using (orgpath = any ((select auth.ancestry())::text[]));
alter policy common_planstage on planstage using (orgpath = any ((select auth.ancestry())::text[]));

-- Who calls, asked in the round trip that opens a transaction; no row but for a live session of staff. It asks as its caller, so the
-- policies hold, and it is a function so that its plan is kept for the length of the connection.
create function auth.whoami() returns json language plpgsql stable set search_path = '' as $$
begin
  return (select to_json(w) from (
    select s.accountid, s.musercode, w.userid, coalesce(u.realname, m.realname, m.insname) as name, m.musertype, m.sector, m.codes as mcodes,
      r.codes as rolecodes, p.granted, p.denied, w.issuper, w.mustchangepwd, coalesce((select array_agg(o.menuid) from public.menuoverride o where o.enabled = 0), '{}') as menusoff,
      auth.teams_only() as narrowed, auth.narrowed() as scoped, m.seedetail, s.loginasby, s.tokenhash, s.parenthash,
      greatest(0, extract(epoch from s.expiretime - now()))::int as secondsleft, auth.has_factor() as hasfactor,
      m.mustfactor = 1 or r.mustfactor as mustfactor, not exists (select from public.muser c where c.parentmusercode = m.musercode) as alone, coalesce(s.stepuptime > now() - interval '5 minutes', false) as fresh
    from auth.live() s
      cross join auth.who() w
      join public.muser m on m.musercode = s.musercode
      left join public.sysuser u on u.userid = w.userid
      left join lateral (
        select coalesce(array_agg(distinct c) filter (where c is not null), '{}') as codes, coalesce(bool_or(o.mustfactor = 1), false) as mustfactor
        from public.sysuserrole ur join public.role o on o.roleid = ur.roleid and o.enabled = 1 and o.isdeleted = 0 left join unnest(o.codes) c on true where ur.userid = w.userid) r on true
      left join lateral (
        select coalesce(array_agg(x.code) filter (where x.effect = 'grant'), '{}') as granted, coalesce(array_agg(x.code) filter (where x.effect = 'deny'), '{}') as denied
        from public.sysuserpermission x where x.userid = w.userid) p on true
    where s.kind = 'staff') w);
end $$;
grant execute on function auth.whoami() to xinli_app;

-- The audit trail. A page is read along an index, whether of one institution or of all.
drop index audit.log_orgpath_time_idx;
create index on audit.log (orgpath, time desc, id desc);
create index on audit.log (time desc, id desc);

-- How many rows there are, so that nobody has to count them: of every institution by kind, on the day -infinity, which stands for all days;
-- and for the platform, which alone reads everybody's, of all institutions by day and kind as well (`everybody`). Rows of transactions
-- before the fence are in; newer ones are counted where they stand, so the sum of both is exact at every moment. The job that seals
-- the trail moves the fence.
create table audit.tally (
  orgpath text collate "C" not null, everybody smallint not null, day date not null, kind text not null, rows bigint not null,
  primary key (orgpath, everybody, day, kind)
);
create table auth.tallyfence (xid xid8 not null);
insert into auth.tallyfence values ('0');
-- Takes rows of finished transactions into the tally; answers how many.
create function audit.fold() returns bigint language plpgsql volatile set search_path = '' as $$
declare
  since xid8;
  upto xid8;
  portion xid8;
  folded bigint;
begin
  -- Each statement sees what has been finished before it begins, so whatever the lock was waited for is seen.
  if not pg_try_advisory_xact_lock(hashtext('xinli tally')) then return 0; end if;
  select f.xid, pg_snapshot_xmin(pg_current_snapshot()) into since, upto from auth.tallyfence f;
  -- A long way behind, it comes nearer by portions of some thousand rows; all rows of one transaction go together.
  select l.xid into portion from audit.log l where l.xid > since and l.xid < upto order by l.xid offset 20000 limit 1;
  upto := coalesce(portion, upto);
  with fresh as (
    select l.orgpath, (l.time at time zone 'Asia/Shanghai')::date as day, l.kind, count(*) as n from audit.log l
    where l.xid >= since and l.xid < upto group by 1, 2, 3),
  parts as (
    select f.orgpath, 0 as everybody, '-infinity'::date as day, f.kind, f.n from fresh f where f.orgpath is not null
    union all select split_part(f.orgpath, '.', 1) || '.', 1, d, f.kind, f.n from fresh f, unnest(array[f.day, '-infinity'::date]) d where f.orgpath is not null),
  added as (
    insert into audit.tally as t (orgpath, everybody, day, kind, rows)
    select p.orgpath, p.everybody, p.day, p.kind, sum(p.n) from parts p group by 1, 2, 3, 4
    on conflict (orgpath, everybody, day, kind) do update set rows = t.rows + excluded.rows)
  select coalesce(sum(f.n), 0) into folded from fresh f;
  -- Where nothing was found the fence may stay: what lies behind it is as empty.
  if folded > 0 or portion is not null then update auth.tallyfence set xid = upto; end if;
  return folded;
end $$;
revoke execute on function audit.fold() from public;
grant execute on function audit.fold() to xinli_sealer;
grant usage on schema auth to xinli_sealer;
grant select on auth.tallyfence to xinli_app, xinli_sealer;
grant update on auth.tallyfence to xinli_sealer;
grant select, insert, update on audit.tally to xinli_sealer;
grant select on audit.tally to xinli_app;
alter table audit.tally enable row level security;
alter table audit.tally force row level security;
create policy scope on audit.tally for select to xinli_app using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()));
create policy seal on audit.tally to xinli_sealer using (true) with check (true);
do $$
begin
  execute format('create policy moved on audit.tally to %I
    using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))
    with check (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))', current_user);
end $$;

-- An institution that moves takes its own tally along as it takes its rows; the platform's stays as it is.
create or replace function audit.move() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtext('xinli tally'));
  update audit.log set orgpath = new.orgpath where orgpath = old.orgpath;
  update audit.tally set orgpath = new.orgpath where orgpath = old.orgpath and everybody = 0;
  return null;
end $$;

-- Institutions, the newest first; how many persons and staff each has is counted along an index.
create index muser_newest on muser (createtime desc nulls last, musercode desc) where isdeleted = 0;
drop index cuser_list;
create index cuser_list on cuser (orgpath, createtime desc nulls last, cuserid desc) include (owneruserid) where isdeleted = 0;
create index sysuser_present on sysuser (musercode) include (orgpath) where isdeleted = 0;
-- The ledger of a whole range of institutions, and whom it froze counts for; institutions by name.
create index assesscountlog_list on assesscountlog (orgpath, time desc, logid desc) include (kind, qty, cuserid);
create index assesscountlog_persons on assesscountlog (orgpath, cuserid) where kind = '03' and cuserid is not null;
create index muser_name on muser (insname, musercode);

-- What `account_state` and `factor_of` tell of one account, of all on a page at once.
create function auth.accounts_of(who text[]) returns table (accountid text, mustchangepwd smallint, lapsed boolean, secondfactor boolean)
language plpgsql stable security definer set search_path = '' rows 20 as $$
begin
  return query
  select a.accountid, a.mustchangepwd, coalesce(a.pwdexpire < now(), false), exists (select from auth.totp f where f.accountid = a.accountid and f.confirmed is not null)
  from auth.account a join auth.tenant t on t.musercode = a.musercode
  where a.accountid = any (who) and t.orgpath >= (select auth.lo()) and t.orgpath < (select auth.hi());
end $$;
grant execute on function auth.accounts_of(text[]) to xinli_app;
