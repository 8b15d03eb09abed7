-- The list of users over all institutions walks the newest users first.
create index sysuser_newest on sysuser (createtime desc, userid desc) include (orgpath) where isdeleted = 0;

-- The login log of an institution.
create index account_musercode_idx on auth.account (musercode);
-- Returns the sign-ins of the accounts of one institution within the caller's range, the newest first, each with their number.
-- `who` is a part of a name or of a login name, `result` 1 for success and 0 for failure; null asks for all.
create function auth.sign_ins(code text, who text, result int, begintime timestamptz, endtime timestamptz, page_size int, page_start int)
returns table (total int, id bigint, "time" timestamptz, accountid text, loginname text, realname text, ok smallint, reason text,
  ip text, useragent text)
language plpgsql stable security definer set search_path = '' rows 20 as $$
begin
  return query
  select (count(*) over ())::int, l.id, l.time, l.accountid, l.loginname, coalesce(u.realname, t.insname), l.ok, l.reason, l.ip, l.useragent
  from auth.account a
    join public.muser t on t.musercode = a.musercode
    left join public.sysuser u on u.userid = a.userid
    join auth.loginlog l on l.accountid = a.accountid
  where a.musercode = code and t.orgpath >= (select access.path_from()) and t.orgpath < (select access.path_to())
    and (who is null or u.realname like who or l.loginname like lower(who) or (a.userid is null and t.insname like who))
    and (result is null or l.ok = result)
    and (begintime is null or l.time >= begintime) and (endtime is null or l.time < endtime)
  order by l.time desc, l.id desc
  limit page_size offset page_start;
end $$;
grant execute on function auth.sign_ins(text, text, int, timestamptz, timestamptz, int, int) to xinli_app;
