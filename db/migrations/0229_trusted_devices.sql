-- Trusted devices: browsers that may sign an account in without the second factor, where the institution allows it.

alter table muser add column trustdevice smallint not null default 0 check (trustdevice in (0, 1));
alter table auth.tenant add column trustdevice smallint not null default 0;

create table auth.trusteddevice (
  deviceid text primary key default left(replace(gen_random_uuid()::text, '-', ''), 16),
  accountid text not null references auth.account on delete cascade,
  cookiehash text not null,
  ip text,
  useragent text,
  createtime timestamptz not null default now(),
  lasttime timestamptz not null default now(),
  unique (accountid, cookiehash)
);
create index trusteddevice_cookiehash_idx on auth.trusteddevice (cookiehash);
grant select, insert, update, delete on auth.trusteddevice to xinli_authn;

create or replace function auth.sync_tenant() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  open smallint := case when new.isdeleted = 1 then 0 else new.enabled end;
begin
  insert into auth.tenant (musercode, orgpath, musertype, sector, provincecode, citycode, districtcode, enabled, expiredate, trustdevice)
  values (new.musercode, new.orgpath, new.musertype, new.sector, new.provincecode, new.citycode, new.districtcode, open, new.expiredate,
    new.trustdevice)
  on conflict (musercode) do update set orgpath = excluded.orgpath, musertype = excluded.musertype, sector = excluded.sector,
    provincecode = excluded.provincecode, citycode = excluded.citycode, districtcode = excluded.districtcode,
    enabled = excluded.enabled, expiredate = excluded.expiredate, trustdevice = excluded.trustdevice;
  if tg_op = 'UPDATE' then
    -- The sessions of the institution and its staff end. Institutions below it have sessions of their own.
    if open = 0 then update auth.session set revoked = now() where musercode = new.musercode and revoked is null; end if;
    -- A new account may use the sign-in name of a deleted institution.
    if new.isdeleted = 1 then delete from auth.account where musercode = new.musercode and userid is null; end if;
    if new.insname <> old.insname or new.sector <> old.sector then
      update auth.entry set facts = facts || jsonb_build_object('insname', new.insname, 'sector', new.sector)
      where musercode = new.musercode;
    end if;
  end if;
  return null;
end $$;

create or replace function auth.sync_account() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update auth.account set enabled = case when new.isdeleted = 1 then 0 else new.enabled end, loginname = lower(new.sysusername)
  where userid = new.userid;
  if new.enabled = 0 or new.isdeleted = 1 then
    update auth.session set revoked = now() where accountid = new.userid and revoked is null;
    delete from auth.trusteddevice where accountid = new.userid;
  end if;
  return null;
end $$;

create or replace function auth.reset_second_factor(account text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.account a join auth.tenant t on t.musercode = a.musercode cross join auth.staff_range() r
  where a.accountid = account and t.orgpath >= r.lo and t.orgpath < r.hi
  for no key update of a;
  if not found then raise exception 'no such account'; end if;
  delete from auth.totp where accountid = account;
  delete from auth.recovery where accountid = account;
  delete from auth.passkey where accountid = account;
  delete from auth.passkeychallenge where accountid = account;
  delete from auth.trusteddevice where accountid = account;
  update auth.session set revoked = now() where accountid = account and revoked is null;
end $$;

drop trigger mark_edits on muser;
create trigger mark_edits before update of insname, shortname, realname, phonenumber, provincecode, citycode, districtcode, address,
  logo, enabled, expiredate, seedetail, abnormalminlevel, showreportdefault, codes, settings, contractno, remark, mustfactor,
  trustdevice, parentmusercode on muser
  for each row execute function access.mark_edits(
    'insname,shortname,realname,phonenumber,provincecode,citycode,districtcode,address,logo,enabled,'
    'expiredate,seedetail,abnormalminlevel,showreportdefault,codes,settings,contractno,remark,mustfactor,trustdevice,parentmusercode',
    '');
