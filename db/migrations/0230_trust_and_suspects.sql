-- The trust in devices ends when an institution forbids it or is disabled. An API key sees no case that suspects a member of staff.

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
    if open = 0 or new.trustdevice = 0 then
      delete from auth.trusteddevice d using auth.account a where a.accountid = d.accountid and a.musercode = new.musercode;
    end if;
    -- A new account may use the sign-in name of a deleted institution.
    if new.isdeleted = 1 then delete from auth.account where musercode = new.musercode and userid is null; end if;
    if new.insname <> old.insname or new.sector <> old.sector then
      update auth.entry set facts = facts || jsonb_build_object('insname', new.insname, 'sector', new.sector)
      where musercode = new.musercode;
    end if;
  end if;
  return null;
end $$;

grant xinli_identity to current_user;
grant create on schema access to xinli_identity;
create or replace function access.own_accounts() returns text[] language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select other.userid from auth.active_session s
      join public.sysuser me on me.userid in (s.userid, s.loginasby)
      join public.sysuser other on other.userid = me.userid
        or right(regexp_replace(other.phonenumber, '\D', '', 'g'), 11)
          = nullif(right(regexp_replace(me.phonenumber, '\D', '', 'g'), 11), '')
        or upper(other.certno) = nullif(upper(me.certno), '')
    union all
    select u.userid from auth.active_session s
      join public.muser m on m.orgpath >= s.orgpath and m.orgpath < left(s.orgpath, -1) || '/'
      join public.sysuser u on u.musercode = m.musercode
    where s.kind = 'key');
end $$;
revoke create on schema access from xinli_identity;
revoke xinli_identity from current_user;
