-- What a policy asks costs less than half again (docs/decisions/0023). An answer kept for a transaction (0022) carried a code over a key in a
-- table, and reading that table was most of its price. The key is now made once for each connection and lies in two sequences: what
-- a connection has set there only it can read back (`currval`), and only in functions of the owner, to whom they belong. That also says
-- which connection and which role an answer is for. They are unlogged because nobody needs them after a crash.
create unlogged sequence auth.half_a minvalue 0;
create unlogged sequence auth.half_b minvalue 0;

drop function auth.keep(text, text);
do $outer$
declare
  -- The code of an answer: its name takes the place of %1$s, its words that of %2$s. It lies beside the answer.
  code constant text := $t$encode(sha256(convert_to(concat_ws('|', currval('auth.half_a'), '%1$s', octet_length(%2$s), %2$s, now(), current_setting('app.session', true),
    current_setting('app.bound', true), currval('auth.half_b')), 'UTF8')), 'hex')$t$;
  -- Whether what is kept under this name was kept by this connection, in this transaction and for this session.
  holds constant text := $t$nullif(current_setting('app.%1$s_code', true), '') is not null and current_setting('app.%1$s_code', true) = %2$s$t$;
  fact record;
begin
  -- One expression each: PL/pgSQL makes every expression ready anew in every transaction, and these are asked in all of them.
  for fact in select * from (values ('lo', 1), ('hi', 2), ('musercode', 3), ('userid', 4), ('cuserid', 5)) v (name, at) loop
    execute format($f$
      create or replace function auth.%I() returns text language plpgsql stable security definer set search_path = '' as $b$
      begin
        return case when %s then nullif(split_part(current_setting('app.reach', true), '|', %s), '') else (auth.remember())[%s] end;
      end $b$ $f$, fact.name, format(holds, 'reach', format(code, 'reach', 'current_setting(''app.reach'', true)')), fact.at + 1, fact.at);
  end loop;
  for fact in select * from (values ('narrowed', 2), ('teams_only', 3)) v (name, at) loop
    execute format($f$
      create or replace function auth.%I() returns boolean language plpgsql stable security definer set search_path = '' as $b$
      begin
        return split_part(case when %s then current_setting('app.narrowing', true) else auth.remember_narrowing() end, '|', %s) = 'true';
      end $b$ $f$, fact.name, format(holds, 'narrowing', format(code, 'narrowing', 'current_setting(''app.narrowing'', true)')), fact.at);
  end loop;

  -- Keeps what is not null of both answers for the length of the transaction, and makes the connection's key where it has none. The setting that
  -- says whether it has can be written by anybody, too: who does so has the key made anew, or an error because there is none. Assigned, not
  -- performed: PL/pgSQL runs a query for the latter.
  execute format($f$
    create function auth.keep(reach text, narrowing text) returns void language plpgsql volatile security definer set search_path = '' as $b$
    declare
      done text;
    begin
      if current_setting('app.keyed', true) is distinct from pg_backend_pid()::text then
        done := setval('auth.half_a', ('x' || right(replace(gen_random_uuid()::text, '-', ''), 15))::bit(60)::bigint);
        done := setval('auth.half_b', ('x' || right(replace(gen_random_uuid()::text, '-', ''), 15))::bit(60)::bigint);
        done := set_config('app.keyed', pg_backend_pid()::text, false);
      end if;
      if reach is not null then done := set_config('app.reach', reach, true) || set_config('app.reach_code', %s, true); end if;
      if narrowing is not null then done := set_config('app.narrowing', narrowing, true) || set_config('app.narrowing_code', %s, true); end if;
    end $b$ $f$, format(code, 'reach', 'reach'), format(code, 'narrowing', 'narrowing'));
end $outer$;
grant execute on function auth.keep(text, text) to xinli_identity;

create or replace function auth.remember() returns text[] language plpgsql volatile security definer set search_path = '' as $$
declare
  facts text[];
  words text;
  done text;
begin
  select array[l.orgpath, left(l.orgpath, -1) || '/', l.musercode, l.userid, l.cuserid] into facts from auth.alive l;
  words := '|' || array_to_string(facts, '|', '') || '|';
  if words is not null and array_length(string_to_array(words, '|'), 1) = 7 then done := auth.keep(words, null); end if;
  return facts;
end $$;

create or replace function auth.remember_narrowing() returns text language plpgsql volatile security definer set search_path = '' as $$
declare
  me text := auth.userid();
  words text := '|false|false|';
  done text;
begin
  if me is not null then
    select '|' || coalesce(bool_or(r.datascope <> 1), false)::text || '|' || coalesce(bool_or(r.datascope = 5), false)::text || '|' into words
    from public.sysuserrole ur join public.role r on r.roleid = ur.roleid and r.enabled = 1 and r.isdeleted = 0 where ur.userid = me;
  end if;
  done := auth.keep(null, words);
  return words;
end $$;
drop table auth.memokey;
