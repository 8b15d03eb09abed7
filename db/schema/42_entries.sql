-- The entry of an institution for respondents.

-- The entry that the QR code of an institution opens.
create table muserclient (
  clientcode text primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  clienttitle text not null,
  welcome text not null default '',
  loginmode text not null check (loginmode in ('01', '02', '03', '04')),  -- 04: without a name
  consentversion text not null default '1',
  needguardian smallint not null default 0,
  needsignature smallint not null default 0,
  hotline text not null default '12356',
  themecolor text not null default '#43a777',
  showreport smallint not null default 0,
  enabled smallint not null default 1,
  createtime timestamptz not null default now(),
  updatetime timestamptz not null default now(),
  plancode text references plan,  -- the plan of an entry without names
  stagecode text,
  consentterms jsonb not null default '{}',  -- src/domain/exam/consentTerms.ts
  hotlines jsonb not null default '[]',  -- the institution's own: [{number, name, hours, checkedon}]
  unique (musercode, orgpath)
);
select access.follow_tenant('muserclient');
select access.track_edits('muserclient',
  'clienttitle,welcome,loginmode,needguardian,needsignature,hotline,themecolor,showreport,enabled,'
  'plancode,stagecode,consentterms.*,hotlines');
-- Trigger: copies the public facts of an entry to auth.entry: the institution, and how a respondent identifies.
create function auth.sync_entry() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op <> 'INSERT' and (tg_op = 'DELETE' or old.clientcode <> new.clientcode) then
    delete from auth.entry where clientcode = old.clientcode;
  end if;
  if tg_op <> 'DELETE' then
    insert into auth.entry (clientcode, musercode, enabled, facts)
    select new.clientcode, new.musercode, new.enabled,
      jsonb_build_object('clienttitle', new.clienttitle, 'welcome', new.welcome, 'insname', m.insname, 'sector', m.sector,
        'loginmode', new.loginmode, 'themecolor', new.themecolor, 'hotline', new.hotline,
        'needsignature', new.needsignature, 'consentversion', new.consentversion,
        'consentterms', new.consentterms, 'hotlines', new.hotlines)
    from public.muser m where m.musercode = new.musercode
    on conflict (clientcode) do update set musercode = excluded.musercode, enabled = excluded.enabled, facts = excluded.facts;
  end if;
  return null;
end $$;
create trigger sync_entry after insert or update or delete on muserclient for each row execute function auth.sync_entry();
