-- 合并档案: two records of one person become one (decision 0055).

-- A merge of a person's record into another record of the same person, and its undo. `changes` and `pointed` say what it changed.
create table cusermerge (
  mergeid bigint generated always as identity primary key,
  musercode text not null,
  orgpath text collate "C" not null,
  cuserid text not null references cuser,  -- the record that goes
  tocuserid text not null references cuser,  -- the record that stays
  status text not null check (status in ('01', '02', '03', '04')),  -- 01 waits for a second person, 02 done, 03 returned, 04 undone
  reason text not null,
  askuserid text not null,
  askname text not null,
  askkeys text[] not null,  -- keys of the human, as in warningconfirm
  asktime timestamptz not null,
  answerby text,
  answername text not null default '',
  answer text not null default '',
  answertime timestamptz,
  mergetime timestamptz,
  pointed jsonb not null default '{}',  -- {table: [keys]} of the rows that were pointed at the other record
  changes jsonb not null default '{}',  -- {early, late}: other changed rows in their order, before and after the pointing
  cases jsonb not null default '{}',  -- the open cases that became one: kept, joined
  undotime timestamptz,
  undoby text,
  undoname text not null default '',
  undoreason text not null default '',
  check (cuserid <> tocuserid)
);
create index cusermerge_cuserid_idx on cusermerge (cuserid);
create index cusermerge_tocuserid_idx on cusermerge (tocuserid);
create unique index cusermerge_waits on cusermerge (orgpath, cuserid) where status = '01';
select access.follow_tenant('cusermerge');

-- Points all rows of one record of a person at another record, and returns their keys by table. With `keys`, the result of an earlier
-- call, it points those rows back, with everything that belongs to their sheets and cases. One record must be merged into the other.
-- The log of cases, its copies, the ledger and the access log keep the old code; they are read through cuser.mergedinto.
create function access.point_person(fromcode text, tocode text, keys jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  item record;
  ids jsonb;
  moved jsonb := '{}';
  own jsonb := case when keys is not null then '{"examrecord": [], "warning": [], "cuserarchive": [], "guardian": [],
    "guardianconsent": [], "consent": [], "withdrawal": [], "cuserplan": [], "assesscode": [], "testlink": [], "followup": [],
    "interfere": [], "consult": [], "fileobj": []}'::jsonb || keys end;
begin
  perform from public.cuser s join public.cuser t on t.musercode = s.musercode
  where s.cuserid = fromcode and t.cuserid = tocode and (s.mergedinto = tocode or t.mergedinto = fromcode)
    and s.orgpath >= (select access.path_from()) and s.orgpath < (select access.path_to());
  if not found then raise exception 'these records are not merged'; end if;
  -- Rows with a key of their own.
  for item in select * from (values
    ('examrecord', 'examcode'), ('warning', 'warningcode'), ('cuserarchive', 'archiveid'), ('guardian', 'guardianid'),
    ('guardianconsent', 'guardianconsentid'), ('consent', 'consentid'), ('withdrawal', 'withdrawalid'), ('cuserplan', 'cuserplanid'),
    ('assesscode', 'code'), ('testlink', 'linkid'), ('followup', 'followupid'), ('interfere', 'interfereid'),
    ('consult', 'consultid'), ('fileobj', 'fileid')
  ) as v (name, key) loop
    execute format(
      'with m as (update public.%I x set cuserid = $2
         where x.cuserid = $1 and ($3 is null or $3 ? x.%I::text)
           -- One consent of the guardian a person: the better one stays with the record that stays.
           and (%L <> ''guardianconsent'' or not exists (select from public.guardianconsent g where g.cuserid = $2))
         returning x.%2$I as key)
       select coalesce(jsonb_agg(m.key::text), ''[]'') from m', item.name, item.key, item.name)
    into ids using fromcode, tocode, own->item.name;
    moved := moved || jsonb_build_object(item.name, ids);
  end loop;
  -- Rows that belong to a sheet, also those that came after the merge.
  for item in select * from (values ('examform'), ('examresult'), ('examreview'), ('report')) as v (name) loop
    execute format('update public.%I x set cuserid = $2 where x.cuserid = $1 and ($3 is null or $3 ? x.examcode)', item.name)
    using fromcode, tocode, own->'examrecord';
  end loop;
  for item in select * from (values ('examalertanswer'), ('examlateanswer')) as v (name) loop
    execute format('update public.%I x set cuserid = $2 from public.examform f
      where f.examformid = x.examformid and x.cuserid = $1 and ($3 is null or $3 ? f.examcode)', item.name)
    using fromcode, tocode, own->'examrecord';
  end loop;
  update public.reportcorrection x set cuserid = tocode from public.report r
  where r.reportcode = x.reportcode and x.cuserid = fromcode and (own is null or own->'examrecord' ? r.examcode);
  update public.reportversion x set cuserid = tocode from public.report r
  where r.reportcode = x.reportcode and x.cuserid = fromcode and (own is null or own->'examrecord' ? r.examcode);
  -- Rows that belong to a case.
  for item in select * from (values
    ('warningconfirm'), ('secondrequest'), ('warningduty'), ('riskassess'), ('safetyplan'), ('referral'), ('returnassess'),
    ('casetransfer'), ('casefile'), ('followup'), ('interfere'), ('consult')
  ) as v (name) loop
    execute format('update public.%I x set cuserid = $2 where x.cuserid = $1 and ($3 is null or $3 ? x.warningcode)', item.name)
    using fromcode, tocode, own->'warning';
  end loop;
  -- Rows that belong to a registration for a consultation.
  update public.consultlog x set cuserid = tocode from public.consult c
  where c.consultid = x.consultid and x.cuserid = fromcode and c.cuserid = tocode;
  update public.consultnote x set cuserid = tocode from public.consult c
  where c.consultid = x.consultid and x.cuserid = fromcode and c.cuserid = tocode;
  return moved;
end $$;
