-- A session or a step-up that began while the clock was ahead is void when the clock is put right.
create or replace view auth.active_session as
  select s.tokenhash, s.kind, s.musercode, s.accountid, s.cuserid, a.userid, a.mustchangepwd, t.orgpath,
    s.loginasby, s.parenthash, s.expiretime,
    case when s.stepuptime <= now() + interval '1 minute' then s.stepuptime end as stepuptime
  from auth.session s
    join auth.tenant t on t.musercode = s.musercode
    left join auth.account a on a.accountid = s.accountid
  where s.tokenhash = nullif(current_setting('app.session', true), '')
    and s.revoked is null and s.expiretime > now() and s.lastseen + s.idle > now()
    and s.createtime <= now() + interval '5 minutes'
    -- The server itself works on while cases are open. Staff have 30 more days for their cases (收尾模式).
    and (s.kind = 'system' or t.enabled = 1 and (t.expiredate is null
      or t.expiredate + case s.kind when 'staff' then 30 else 0 end >= (now() at time zone 'Asia/Shanghai')::date))
    and (a.accountid is null or a.enabled = 1)
    -- A respondent's session works under the role of respondents only; a staff session never works under it.
    and (s.kind = 'respondent') = (session_user = 'xinli_respondent')
    -- A session bound to a browser also needs the cookie, which scripts cannot read.
    and (s.boundhash is null or s.boundhash = current_setting('app.bound', true));
