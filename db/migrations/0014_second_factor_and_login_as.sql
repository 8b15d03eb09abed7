-- The second factor (time-based codes and recovery codes), who has to have one, and acting in another's account.

-- The seed is sealed by the server's key; `laststep` is the last half minute whose code was taken, so that none is taken twice.
create table auth.totp (
  accountid text primary key references auth.account on delete cascade,
  sealed text not null,
  createtime timestamptz not null default now(),
  -- null until a first code has shown that the telephone really holds the seed
  confirmed timestamptz,
  laststep bigint not null default 0
);
create table auth.recovery (
  accountid text not null references auth.account on delete cascade,
  codehash text not null,
  used timestamptz,
  primary key (accountid, codehash)
);
-- A password was right and the second step is awaited, for three minutes. What is never answered is told to the account.
create table auth.challenge (
  challengehash text primary key,
  accountid text not null references auth.account on delete cascade,
  createtime timestamptz not null default now(),
  ip text,
  useragent text,
  done timestamptz,
  told timestamptz
);
create index on auth.challenge (createtime) where done is null and told is null;
create index on auth.challenge (accountid);
grant select, insert, update, delete on auth.totp, auth.recovery, auth.challenge to xinli_authn;

alter table muser add column mustfactor smallint not null default 0 check (mustfactor in (0, 1));
alter table role add column mustfactor smallint not null default 0 check (mustfactor in (0, 1));
comment on column muser.mustfactor is 'everybody who signs in here needs a second factor; decided from above';
comment on column role.mustfactor is 'whoever holds the role needs a second factor';

create function auth.has_factor() returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from auth.alive l join auth.totp f on f.accountid = l.accountid where f.confirmed is not null);
end $$;
-- The same of an account within the caller's range, for those who look after it.
create function auth.factor_of(who text) returns boolean language sql stable security definer set search_path = '' as $$
  select exists (select from auth.totp f join auth.account a on a.accountid = f.accountid join auth.tenant t on t.musercode = a.musercode
    where f.accountid = who and f.confirmed is not null and t.orgpath >= auth.lo() and t.orgpath < auth.hi())
$$;
-- Takes the second factor of an account within the caller's range away and ends its sessions: the telephone was lost.
create function auth.reset_factor(who text) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.account a join auth.tenant t on t.musercode = a.musercode
  where a.accountid = who and t.orgpath >= auth.lo() and t.orgpath < auth.hi() and exists (select from auth.live() s where s.kind = 'staff');
  if not found then raise exception 'no such account'; end if;
  delete from auth.totp where accountid = who;
  delete from auth.recovery where accountid = who;
  update auth.session set revoked = now() where accountid = who and revoked is null;
end $$;
grant execute on function auth.has_factor() to xinli_app, xinli_stats, xinli_respondent;
grant execute on function auth.factor_of(text), auth.reset_factor(text) to xinli_app;

-- Acting in another's account: `loginasby` is the account behind it, `parenthash` the session it was opened from.
alter table auth.session add column parenthash text;
alter table auth.session add check ((parenthash is null) = (loginasby is null));
create index on auth.session (parenthash) where parenthash is not null;

-- As before; and acting for somebody ends with the session it was opened from, and with the account behind it.
create or replace view auth.alive as
  select s.tokenhash, s.musercode, s.cuserid, s.accountid, t.orgpath, a.userid, a.mustchangepwd
  from auth.session s
    join auth.tenant t on t.musercode = s.musercode
    left join auth.account a on a.accountid = s.accountid
  where s.tokenhash = nullif(current_setting('app.session', true), '')
    and s.revoked is null and s.expiretime > now() and s.lastseen + s.idle > now()
    and t.enabled = 1 and (t.expiredate is null or t.expiredate >= (now() at time zone 'Asia/Shanghai')::date)
    and (a.accountid is null or a.enabled = 1)
    and (s.kind = 'respondent') = (session_user = 'xinli_respondent')
    and (s.boundhash is null or s.boundhash = current_setting('app.bound', true))
    and (s.parenthash is null or exists (
      select from auth.session p join auth.account b on b.accountid = p.accountid join auth.tenant bt on bt.musercode = p.musercode
      where p.tokenhash = s.parenthash and p.accountid = s.loginasby and p.revoked is null and p.expiretime > now() and p.loginasby is null
        and b.enabled = 1 and bt.enabled = 1 and (bt.expiredate is null or bt.expiredate >= (now() at time zone 'Asia/Shanghai')::date)));

-- An authority's region reaches beyond whoever stands above it: while somebody acts for the authority, no further than their own range.
create or replace function auth.region() returns setof text language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select t.musercode from auth.tenant t, (select m.* from auth.tenant m where m.musercode = auth.musercode() and m.musertype = '003') me
    left join lateral (
      select bt.orgpath from auth.alive l join auth.session s on s.tokenhash = l.tokenhash
        join auth.account b on b.accountid = s.loginasby join auth.tenant bt on bt.musercode = b.musercode) actor on true
  where t.musertype in ('004', '005') and t.sector = me.sector
    and (actor.orgpath is null or t.orgpath >= actor.orgpath and t.orgpath < left(actor.orgpath, -1) || '/')
    and case when me.districtcode is not null then t.districtcode = me.districtcode
             when me.citycode is not null then t.citycode = me.citycode
             when me.provincecode is not null then t.provincecode = me.provincecode
             else false end;
end $$;

-- Who was behind it, by name: the institution acted in cannot read the staff of the one above.
alter table audit.log add column loginasname text;
