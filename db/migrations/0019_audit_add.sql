-- One row of the trail from one value, so that it can travel with the commit of what it records.
create function audit.add(entry jsonb) returns void language plpgsql volatile set search_path = '' as $$
begin
  insert into audit.log (musercode, accountid, loginasby, loginasname, action, title, kind, cuserids, minors, objectid, detail, ip)
  select r.musercode, r.accountid, r.loginasby, r.loginasname, r.action, r.title, r.kind, r.cuserids, r.minors, r.objectid, r.detail, r.ip
  from jsonb_to_record(entry) as r (musercode text, accountid text, loginasby text, loginasname text, action text, title text, kind text,
    cuserids text[], minors smallint, objectid text, detail jsonb, ip text);
end $$;
grant execute on function audit.add(jsonb) to xinli_app, xinli_respondent;
