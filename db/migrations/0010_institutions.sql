-- Institutions are opened, moved, disabled and given codes: what that needs besides the tables there are.

-- Tables carry their institution's path and follow it by "on update cascade". Their `stamp` trigger asks auth.tenant for the
-- path, so the tenant has to change before the cascade runs: triggers fire in the order of their names.
drop trigger follow on muser;
create or replace function auth.follow_muser() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  open smallint := case when new.isdeleted = 1 then 0 else new.enabled end;
begin
  insert into auth.tenant values (new.musercode, new.orgpath, new.musertype, new.sector, new.provincecode, new.citycode, new.districtcode, open, new.expiredate)
  on conflict (musercode) do update set orgpath = excluded.orgpath, musertype = excluded.musertype, sector = excluded.sector,
    provincecode = excluded.provincecode, citycode = excluded.citycode, districtcode = excluded.districtcode,
    enabled = excluded.enabled, expiredate = excluded.expiredate;
  if tg_op = 'UPDATE' then
    -- The institution and its staff; what stands below it has sessions of its own.
    if open = 0 then update auth.session set revoked = now() where musercode = new.musercode and revoked is null; end if;
    -- The sign-in name of a deleted institution can be given again.
    if new.isdeleted = 1 then delete from auth.account where musercode = new.musercode and userid is null; end if;
    if new.insname <> old.insname or new.sector <> old.sector then
      update auth.entry set facts = facts || jsonb_build_object('insname', new.insname, 'sector', new.sector) where musercode = new.musercode;
    end if;
  end if;
  return null;
end $$;
create trigger "0_follow" after insert or update on muser for each row execute function auth.follow_muser();
create index on muser (parentmusercode);

-- Who is disabled is asked of the tenant at every use: kept in the entry, too, it would outlast the institution's return.
create or replace function auth.follow_client() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' and (tg_op = 'DELETE' or old.clientcode <> new.clientcode) then delete from auth.entry where clientcode = old.clientcode; end if;
  if tg_op <> 'DELETE' then
    insert into auth.entry
    select new.clientcode, new.musercode, new.enabled, jsonb_build_object('clienttitle', new.clienttitle, 'welcome', new.welcome, 'insname', m.insname,
      'sector', m.sector, 'loginmode', new.loginmode, 'themecolor', new.themecolor, 'hotline', new.hotline, 'needsignature', new.needsignature, 'consentversion', new.consentversion)
    from public.muser m where m.musercode = new.musercode
    on conflict (clientcode) do update set musercode = excluded.musercode, enabled = excluded.enabled, facts = excluded.facts;
  end if;
  return null;
end $$;

-- The account of an institution below the caller, made or given a one-time password; its holder has to choose another.
create function auth.give_account(code text, login text, hash text) returns void language plpgsql security definer set search_path = '' as $$
begin
  perform from auth.tenant t where t.musercode = code and t.orgpath > auth.lo() and t.orgpath < auth.hi()
    and exists (select from auth.live() s where s.kind = 'staff');
  if not found then raise exception 'not below the caller'; end if;
  insert into auth.account (accountid, musercode, loginname, pwdhash, mustchangepwd) values (code, code, lower(login), hash, 1)
  on conflict (accountid) do update set pwdhash = excluded.pwdhash, mustchangepwd = 1, pwdtime = now();
  update auth.session set revoked = now() where accountid = code and revoked is null;
end $$;
grant execute on function auth.give_account(text, text, text) to xinli_app;

-- A person who came with a code or without a name has a gender nobody was told (GB/T 2261.1: 0 未知).
alter table cuser drop constraint cuser_gender_check;
alter table cuser add constraint cuser_gender_check check (gender in ('00', '01', '02'));

-- What an entry without names (04 扫码即测) asks of everybody who opens it.
alter table muserclient add column plancode text references plan, add column stagecode text;

-- Stages an institution has chosen; no row for an application means all of its stages.
create table muserstage (
  musercode text not null, orgpath text collate "C" not null,
  appid text not null references ref.app, stagecode text not null,
  primary key (musercode, appid, stagecode)
);
-- Questionnaires of a stage: the platform's, or an institution's own instead of them.
create table stageform (
  stageid bigint not null references examstage, formcode text not null references form,
  musercode text not null, orgpath text collate "C" not null, isplatform smallint not null default 0,
  ordernum int not null, required smallint not null default 1,
  primary key (stageid, formcode, musercode)
);

-- One-time codes: whoever enters one at the institution's entry answers its plan. Each holds one frozen count until it is used or void.
create table assesscode (
  code text primary key check (code ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
  musercode text not null, orgpath text collate "C" not null,
  batchno text not null, appid text not null references ref.app, plancode text not null references plan, stagecode text, walletcode text not null,
  cuserid text references cuser,
  -- 0 unused, 1 bound to a person, 3 void
  status smallint not null default 0 check (status in (0, 1, 3)), check ((status = 1) = (cuserid is not null)),
  expiredate date, createby text, createtime timestamptz not null default now(), bindtime timestamptz
);
create index on assesscode (musercode, batchno, status);
create index on assesscode (cuserid);

do $$
declare
  t text;
begin
  foreach t in array array['muserstage', 'stageform', 'assesscode'] loop
    execute format('alter table public.%I enable row level security', t);
    execute format('alter table public.%I force row level security', t);
    execute format('grant select, insert, update, delete on public.%I to xinli_app', t);
    execute format('create policy scope on public.%I to xinli_app
      using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))
      with check (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))', t);
    execute format('create policy owner_scope on public.%I to %I
      using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))
      with check (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))', t, current_user);
    execute format('create policy counting on public.%I for select to xinli_stats
      using ((orgpath >= (select auth.lo()) and orgpath < (select auth.hi())) or musercode in (select auth.region()))', t);
    execute format('create trigger stamp before insert or update of musercode on public.%I for each row execute function auth.stamp()', t);
    execute format('alter table public.%I add foreign key (musercode, orgpath) references public.muser (musercode, orgpath) on update cascade', t);
  end loop;
end $$;
create policy library on stageform for select to xinli_app, xinli_stats using (isplatform = 1);
create policy own_rows on assesscode as restrictive to xinli_app
  using ((select auth.cuserid()) is null or cuserid = (select auth.cuserid()))
  with check ((select auth.cuserid()) is null or cuserid = (select auth.cuserid()));
create policy entrusted on assesscode as restrictive for select to xinli_app
  using (not (select auth.narrowed()) or cuserid in (select auth.own_cusers()));
