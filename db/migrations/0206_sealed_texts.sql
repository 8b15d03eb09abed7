-- The chain of the case log covers sealed texts by their commitment. Lines with plain texts keep their hash.

create or replace function access.caselog_hash(line warninglog) returns text language sql stable set search_path = '' as $$
  select encode(sha256(convert_to(regexp_replace(jsonb_build_array(
    line.prevhash, line.warningcode, line.seq, line.cuserid, line.musercode, line.action, line.fromstate, line.tostate,
    line.fromlevel, line.tolevel, line.content, line.attach, line.contactresult, line.detail, line.operator, line.operatorname,
    line.owneruserid, (extract(epoch from line.time) * 1000000)::bigint)::text,
    'sealed\.1\.[A-Za-z0-9_-]{8}\.([A-Za-z0-9_-]{43})\.[A-Za-z0-9_-]+\.', 'sealed.\1', 'g'), 'UTF8')), 'hex')
$$;
