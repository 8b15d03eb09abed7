-- Edits: who changed which field of a row, and when. An edit that was made from an older version meets no change of another person
-- unseen (src/server/dispatch/edits.ts, decision 0035).
--
-- `version` counts the edits of a row. `edits` has one entry for each changed field: v the version that changed it, by the account,
-- at the time, was the value before. Tables with words about a person keep no `was`, because an anonymization would have to find it.

-- True while the owner of the tables seals stored values anew. Such a change is no edit. Only the owner may call it.
create function access.is_resealing() returns boolean language sql stable set search_path = '' as $$
  select coalesce(current_setting('app.reseal', true), '') = 'on'
    and current_user = (select pg_get_userbyid(c.relowner) from pg_class c where c.oid = 'public.warninglog'::regclass)
$$;

-- Trigger: counts the version and marks the changed fields. The first argument names the columns; 'x.*' means the members of an object;
-- a text or a list has none.
-- The second argument says 'private' for a table without `was`.
create function access.mark_edits() returns trigger language plpgsql set search_path = '' as $$
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

-- Marks a field that lives in another table, for example the roles of a member of staff.
create function access.mark_edit(tablename text, keyname text, key text, field text) returns void
language plpgsql volatile set search_path = '' as $$
begin
  execute format(
    'update public.%I set version = version + 1,
      edits = edits || jsonb_build_object(%L, jsonb_build_object(''v'', version + 1, ''by'', %L::text, ''at'', now())) where %I = %L',
    tablename, field, coalesce(access.current_userid(), access.current_musercode()), keyname, key);
end $$;

-- Makes a table count its edits. `fields` are the columns that forms change, as `access.mark_edits` takes them.
-- A row that forms create with its first change marks that change too (`inserts`).
create function access.track_edits(tablename text, fields text, private boolean default false, inserts boolean default false)
returns void language plpgsql set search_path = 'public' as $$
begin
  execute format('alter table %I add column if not exists version int not null default 1', tablename);
  execute format('alter table %I add column edits jsonb not null default ''{}''', tablename);
  execute format('create trigger mark_edits before %s update of %s on %I for each row execute function access.mark_edits(%L, %L)',
    case when inserts then 'insert or' else '' end, replace(fields, '.*', ''), tablename, fields,
    case when private then 'private' else '' end);
end $$;
