-- Keys change while servers run: which keys each server has, and a way past triggers for sealing rows anew (docs/decisions/0102).

-- The key state and lists for which every row is sealed; null until the first pass has ended.
alter table auth.keycheck add column resealed text;
-- Since when the present key is the current one; null for the first key.
alter table auth.keycheck add column since timestamptz;

-- The keys of each running server, for a change of the key. A server writes its row every few seconds.
create table auth.keyserver (
  serverid uuid primary key,
  name text not null,  -- host and process, for messages
  knows text[] not null,  -- check values of its keys
  current text not null,  -- check value of the key that it writes with
  seentime timestamptz not null
);
grant select on auth.keycheck to xinli_authn;
grant select, insert, update, delete on auth.keyserver to xinli_authn;

-- Returns the check value of the current key. Runs as the owner: who seals the log reads nothing of schema auth.
create function audit.current_key() returns text language sql stable security definer set search_path = '' as $$
  select k.value from auth.keycheck k
$$;
grant execute on function audit.current_key() to xinli_sealer;

-- True while the owner of the tables seals stored values anew. Such a change is no edit. Only the owner may call it.
create function access.is_resealing() returns boolean language sql stable set search_path = '' as $$
  select coalesce(current_setting('app.reseal', true), '') = 'on'
    and current_user = (select pg_get_userbyid(c.relowner) from pg_class c where c.oid = 'public.warninglog'::regclass)
$$;

create or replace function access.mark_edits() returns trigger language plpgsql set search_path = '' as $$
declare
  field text;
  oldrow jsonb := case when tg_op = 'UPDATE' then to_jsonb(old) else '{}' end;
  newrow jsonb := to_jsonb(new);
  before jsonb := '{}';
  after jsonb := '{}';
  next int := case when tg_op = 'UPDATE' then old.version + 1 else 1 end;
  changed jsonb;
begin
  if current_setting('app.reseal', true) = 'on' then
    if access.is_resealing() then return new; end if;
  end if;
  foreach field in array string_to_array(tg_argv[0], ',') loop
    if right(field, 2) = '.*' then
      before := before || coalesce((select jsonb_object_agg(left(field, -1) || m.key, m.value)
        from jsonb_each(case when jsonb_typeof(oldrow -> left(field, -2)) = 'object' then oldrow -> left(field, -2) end) m), '{}');
      after := after || coalesce((select jsonb_object_agg(left(field, -1) || m.key, m.value)
        from jsonb_each(case when jsonb_typeof(newrow -> left(field, -2)) = 'object' then newrow -> left(field, -2) end) m), '{}');
    else
      before := before || jsonb_build_object(field, oldrow -> field);
      after := after || jsonb_build_object(field, newrow -> field);
    end if;
  end loop;
  select jsonb_object_agg(f, jsonb_build_object('v', next, 'by', coalesce(access.current_userid(), access.current_musercode()), 'at', now())
    || case when tg_argv[1] = 'private' then '{}' else jsonb_build_object('was', before -> f) end)
  into changed
  from jsonb_object_keys(before || after) f
  where nullif(before -> f, 'null') is distinct from nullif(after -> f, 'null');
  if changed is not null then
    new.version := next;
    new.edits := new.edits || changed;
  end if;
  return new;
end $$;

create or replace function access.allow_path_change() returns trigger language plpgsql set search_path = '' as $$
begin
  if to_jsonb(new) - 'orgpath' = to_jsonb(old) - 'orgpath' then return new; end if;
  -- The seals of a line of the log may change. The comparison 零漏报对账 shows a change of what they say.
  if tg_table_name = 'warninglog' and current_setting('app.reseal', true) = 'on' then
    if access.is_resealing() and to_jsonb(new) - '{content,detail}'::text[] = to_jsonb(old) - '{content,detail}'::text[] then
      return new;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end $$;
