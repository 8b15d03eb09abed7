-- Reference lists; institutions, departments, staff, roles and rights.

-- Regions of China (GB/T 2260).
create table ref.district (
  districtcode text primary key,
  parentcode text not null default '',
  districtname text not null,
  level smallint not null,  -- 1 province, 2 city, 3 district
  fullname text not null,
  enabled smallint not null default 1
);
create index district_parentcode_idx on ref.district (parentcode);

-- Applications: one for each population.
create table ref.app (
  appid text primary key,
  appname text not null,
  scenecode text not null,
  iconurl text not null,
  ordernum int not null,
  enabled smallint not null default 1
);

-- Categories of exams of an application.
create table ref.examcategory (
  categoryid text primary key,
  appid text not null references ref.app,
  categoryname text not null,
  ordernum int not null
);

-- An institution, provider or authority. It is a tenant and also an account.
create sequence musercode_seq;
create table muser (
  musercode text primary key default 'M' || lpad(nextval('musercode_seq')::text, 8, '0'),
  orgpath text collate "C" not null unique,
  username text not null,
  -- 001 platform, 002 provider, 003 authority, 004 and 005 institutions
  musertype text not null check (musertype in ('001', '002', '003', '004', '005')),
  insname text not null,
  shortname text,
  realname text,
  phonenumber text,
  sector text not null,
  parentmusercode text references muser,  -- the institution directly above
  categorycode text not null,
  categorylevel smallint not null check (categorylevel between 0 and 5),  -- depth in the tree
  categorycode0 text not null default '',
  categorycode1 text not null default '',
  categorycode2 text not null default '',
  categorycode3 text not null default '',
  categorycode4 text not null default '',
  categorycode5 text not null default '',
  provincecode text,
  citycode text,
  districtcode text,
  regionname text,
  address text,
  logo text,
  enabled smallint not null default 1,
  expiredate date,
  seedetail smallint not null default 0,  -- unused since decision 0071
  abnormalminlevel smallint not null default 2,  -- from this level a result counts as abnormal
  showreportdefault smallint not null default 0,
  codes text[] not null default '{}',  -- permissions of the institution
  settings jsonb not null default '{}',
  contractno text,
  remark text,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  version int not null default 1,  -- each change adds 1; a change based on an older version is refused
  -- everyone who signs in here needs a second factor; an institution above decides it
  mustfactor smallint not null default 0 check (mustfactor in (0, 1)),
  -- its accounts may skip the second factor for 30 days in a browser they trust; an institution above decides it
  trustdevice smallint not null default 0 check (trustdevice in (0, 1)),
  sortname text collate "C" not null generated always as (access.sort_name(insname)) stored,
  unique (musercode, orgpath)
);
create unique index muser_insname on muser (orgpath, insname) where isdeleted = 0;
create index muser_parentmusercode_idx on muser (parentmusercode);
create index muser_sortname on muser (sortname, musercode);
create index muser_children_sorted on muser (parentmusercode, sortname) where isdeleted = 0;
create index muser_newest_of_type on muser (musertype, createtime desc nulls last, musercode desc) include (orgpath) where isdeleted = 0;
create index muser_newest on muser (createtime desc nulls last, musercode desc) include (orgpath, musertype) where isdeleted = 0;

-- Trigger: copies the columns that policies and sign-in need into auth.tenant. It also ends sessions and accounts.
-- Triggers fire in the order of their names, and the cascades of foreign keys are triggers called 'RI_…'. This one is called
-- '0_…', because access.path_of() must know the new path before the cascades update the rows of an institution that moves.
create function auth.sync_tenant() returns trigger language plpgsql security definer set search_path = '' as $$
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
create trigger "0_sync_tenant" after insert or update on muser for each row execute function auth.sync_tenant();
select access.track_edits('muser',
  'insname,shortname,realname,phonenumber,provincecode,citycode,districtcode,address,logo,enabled,'
  'expiredate,seedetail,abnormalminlevel,showreportdefault,codes,settings,contractno,remark,mustfactor,trustdevice,parentmusercode');

-- A department. `ancestors` lists the departments above it, separated by commas.
create table dept (
  deptid bigint generated by default as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  parentid bigint not null default 0,
  ancestors text collate "C" not null default '0',
  deptname text not null,
  sortname text collate "C" not null generated always as (access.sort_name(deptname)) stored,
  ordernum int not null default 0,
  leader text,
  phonenumber text,
  email text,
  enabled smallint not null default 1,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0
);
create unique index dept_name on dept (orgpath, parentid, deptname) where isdeleted = 0;
select access.follow_tenant('dept');
select access.track_edits('dept', 'parentid,deptname,ordernum,leader,phonenumber,email,enabled');

-- A member of staff of an institution.
create sequence userid_seq;
create table sysuser (
  userid text primary key default 'U' || lpad(nextval('userid_seq')::text, 8, '0'),
  musercode text not null,
  orgpath text collate "C" not null,
  deptid bigint references dept,
  sysusername text not null,
  realname text not null,
  phonenumber text,
  email text,
  gender text,
  post text,
  titles text,
  certno text,
  enabled smallint not null default 1,
  duty smallint not null default 0,
  absentuntil timestamptz,  -- away until then: gets no new case
  isshared smallint not null default 0,  -- 1: several people use the account, so it is nobody as a second person
  lastlogintime timestamptz,
  lastloginip text,
  remark text,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0
);
create index sysuser_musercode_deptid_enabled_idx on sysuser (musercode, deptid, enabled);
create index sysuser_present on sysuser (musercode) include (orgpath) where isdeleted = 0;
create index sysuser_newest on sysuser (createtime desc, userid desc) include (orgpath) where isdeleted = 0;
select access.follow_tenant('sysuser');
select access.track_edits('sysuser', 'sysusername,realname,deptid,phonenumber,email,gender,post,titles,remark,duty,isshared');
-- Trigger: updates the account of a member of staff. It ends the sessions of staff who are disabled or deleted.
create function auth.sync_account() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update auth.account set enabled = case when new.isdeleted = 1 then 0 else new.enabled end, loginname = lower(new.sysusername)
  where userid = new.userid;
  if new.enabled = 0 or new.isdeleted = 1 then
    update auth.session set revoked = now() where accountid = new.userid and revoked is null;
    delete from auth.trusteddevice where accountid = new.userid;
  end if;
  return null;
end $$;
create trigger sync_account after update on sysuser for each row execute function auth.sync_account();

-- A role: permissions and a data scope.
create table role (
  roleid bigint generated by default as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  rolename text not null,
  rolekey text not null,
  rolesort int not null default 0,
  -- 1 all persons; 2 departments of the role; 3 own department; 4 own department and below; 5 own teams
  datascope smallint not null default 1 check (datascope between 1 and 5),
  codes text[] not null default '{}',
  deptids bigint[] not null default '{}',
  isbuiltin smallint not null default 0,  -- a role of the platform; every institution may assign it
  enabled smallint not null default 1,
  remark text,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  isdeleted smallint not null default 0,
  mustfactor smallint not null default 0 check (mustfactor in (0, 1))  -- holders of the role need a second factor
);
create unique index role_key on role (orgpath, rolekey) where isdeleted = 0;
select access.follow_tenant('role');
select access.track_edits('role', 'rolename,rolekey,rolesort,datascope,deptids,codes,enabled,mustfactor,remark');

-- Roles of staff.
create table sysuserrole (
  userid text references sysuser,
  roleid bigint references role,
  musercode text not null,
  orgpath text collate "C" not null,
  primary key (userid, roleid)
);
create index sysuserrole_roleid_idx on sysuserrole (roleid);
select access.follow_tenant('sysuserrole');

-- Permissions granted or denied to a member of staff, in addition to the roles.
create table sysuserpermission (
  userid text references sysuser,
  code text,
  effect text not null check (effect in ('grant', 'deny')),
  musercode text not null,
  orgpath text collate "C" not null,
  primary key (userid, code)
);
select access.follow_tenant('sysuserpermission');

-- Applications that an institution may use.
create table muserapp (
  musercode text,
  orgpath text collate "C" not null,
  appid text references ref.app,
  begindate date,
  enddate date,
  enabled smallint not null default 1,
  primary key (musercode, appid)
);
select access.follow_tenant('muserapp');

-- The platform's changes to items of the menu in src/contract/menu.ts. They never change permissions.
create table menuoverride (
  menuid int primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  isplatform smallint not null default 1,
  title text,
  icon text,
  ordernum int,
  hidden smallint,
  enabled smallint not null default 1,
  remark text,
  updatetime timestamptz not null default now()
);
select access.follow_tenant('menuoverride');
select access.track_edits('menuoverride', 'title,icon,ordernum,hidden,enabled,remark', inserts => true);

-- Settings of an institution.
create table setting (
  musercode text,
  orgpath text collate "C" not null,
  key text,
  value jsonb not null,
  updatetime timestamptz not null default now(),
  primary key (musercode, key)
);
select access.follow_tenant('setting');
select access.track_edits('setting', 'value.*', inserts => true);
