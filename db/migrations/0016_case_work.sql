-- What belongs to handling a case: documents, the assessment before somebody returns to school or work, an institution's own warning
-- rules above the platform's, and the second person's word before data of minors leave the system.

-- Documents of a case: files of the institution (0015) that are private; here stands what they prove. Each opening is a reveal.
create table casefile (
  fileid uuid primary key references fileobj,
  warningcode text not null references warning, cuserid text not null, musercode text not null, orgpath text collate "C" not null,
  -- 01 guardian notice, 02 referral letter, 03 hospital papers, 04 return assessment, 09 other
  kind text not null check (kind in ('01', '02', '03', '04', '09')),
  createby text not null, createbyname text not null, createtime timestamptz not null,
  isdeleted smallint not null default 0, deletereason text not null default ''
);
create index on casefile (warningcode);

-- Before somebody comes back after treatment: what the papers say, what the institution decides, under which conditions.
create table returnassess (
  returnid bigint generated always as identity primary key,
  warningcode text not null references warning, cuserid text not null, musercode text not null, orgpath text collate "C" not null,
  assessdate date not null, hospital text not null default '',
  -- 01 may return, 02 may return under conditions, 03 not yet
  conclusion text not null check (conclusion in ('01', '02', '03')),
  conditions text not null default '', supportplan text not null default '', guardianagreed smallint not null default 0, returndate date,
  fileids uuid[] not null check (cardinality(fileids) > 0),
  operator text not null, operatorname text not null, time timestamptz not null
);
create index on returnassess (warningcode);

-- An institution's own rules. They only add: the platform's always run, and no row here can lower what they call for.
create sequence warningrule_seq;
create table warningrule (
  rulecode text primary key default 'ZR' || lpad(nextval('warningrule_seq')::text, 6, '0'),
  musercode text not null, orgpath text collate "C" not null,
  appid text, name text not null, cond jsonb not null,
  -- never 4: a crisis is not declared by a score
  warninglevel smallint not null check (warninglevel between 1 and 3),
  enabled smallint not null default 1, ordernum int not null default 0, remark text not null default '',
  updateby text not null, createtime timestamptz not null, updatetime timestamptz not null, version int not null default 1, isdeleted smallint not null default 0
);
create index on warningrule (musercode) where isdeleted = 0;

-- Export of minors' data: asked for by one, decided by another, good for a limited time.
create table accessapproval (
  approvalid bigint generated always as identity primary key,
  musercode text not null, orgpath text collate "C" not null,
  applicant text not null, applicantname text not null, call text not null, title text not null, filter jsonb not null, purpose text not null,
  persons int not null, minors int not null,
  -- 0 waiting, 1 agreed, 2 refused, 3 withdrawn
  status smallint not null default 0 check (status between 0 and 3), approver text, approvername text, reason text not null default '', decidetime timestamptz,
  validuntil timestamptz, downloads int not null default 0, lastdownload timestamptz, createtime timestamptz not null,
  check (approver is null or approver <> applicant)
);
create index on accessapproval (musercode, status, createtime desc);
create index on accessapproval (applicant, createtime desc);

do $$
declare
  t text;
begin
  foreach t in array array['casefile', 'returnassess', 'warningrule', 'accessapproval'] loop
    execute format('alter table public.%I enable row level security', t);
    execute format('alter table public.%I force row level security', t);
    execute format('grant select, insert, update on public.%I to xinli_app', t);
    execute format('create policy scope on public.%I to xinli_app
      using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))
      with check (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))', t);
    execute format('create policy owner_scope on public.%I to %I
      using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))
      with check (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))', t, current_user);
    execute format('create trigger stamp before insert or update of musercode on public.%I for each row execute function auth.stamp()', t);
    execute format('alter table public.%I add foreign key (musercode, orgpath) references public.muser (musercode, orgpath) on update cascade', t);
  end loop;
  foreach t in array array['casefile', 'returnassess'] loop
    execute format('create policy entrusted on public.%I as restrictive for select to xinli_app
      using (not (select auth.narrowed()) or cuserid in (select auth.own_cusers()))', t);
  end loop;
end $$;
grant usage on all sequences in schema public to xinli_app;
-- A follow-up may rest on a re-test. Corrections say when and by whom.
alter table followup add column examcode text references examrecord, add column updatetime timestamptz, add column updateby text;
alter table interfere add column updatetime timestamptz, add column updateby text;
