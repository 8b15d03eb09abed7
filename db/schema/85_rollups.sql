-- Sums of the audit log and of the ledger, so that no page counts millions of rows (docs/decisions/0017).
-- Each has two tables: one by institution and kind, and one by day and kind for the platform.
-- The sums contain the rows of transactions before rollup.watermark. A reader adds the newer rows, so the sum is always exact.
-- The job that chains the audit log calls both functions.

create table rollup.watermark (
  audit xid8 not null,
  ledger xid8 not null,
  -- Kept figures of statistics: up to when they are complete, what the tables had been changed by then, how long the count took.
  statistics timestamptz,
  statchanges bigint not null default -1,
  statmilliseconds int not null default 0,
  release timestamptz  -- the last nightly count for authorities
);
insert into rollup.watermark (audit, ledger) values ('0', '0');

create table rollup.audit_by_tenant (
  orgpath text collate "C" not null,
  kind text not null,
  rows bigint not null,
  primary key (orgpath, kind)
);
-- orgpath is the platform's path.
create table rollup.audit_by_day (
  orgpath text collate "C" not null,
  day date not null,
  kind text not null,
  rows bigint not null,
  primary key (orgpath, day, kind)
);

create table rollup.ledger_by_tenant (
  musercode text not null,
  orgpath text collate "C" not null,
  kind text not null,
  lines bigint not null,
  qty bigint not null,
  primary key (musercode, kind),
  foreign key (musercode, orgpath) references muser (musercode, orgpath) on update cascade
);
create index ledger_by_tenant_orgpath_idx on rollup.ledger_by_tenant (orgpath);
-- orgpath is the platform's path.
create table rollup.ledger_by_day (
  orgpath text collate "C" not null,
  day date not null,
  kind text not null,
  lines bigint not null,
  qty bigint not null,
  primary key (orgpath, day, kind)
);

-- Adds the rows of finished transactions to the sums of the audit log. Returns their number. It takes at most about 20,000 rows
-- at a time, but always all rows of a transaction. It takes the lock first, because the next statement must see all rows that
-- were committed before.
create function rollup.refresh_audit() returns bigint language plpgsql volatile set search_path = '' as $$
declare
  since xid8;
  upto xid8;
  portion xid8;
  added bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('xinli rollup')) then return 0; end if;
  select w.audit, audit.transaction_limit() into since, upto from rollup.watermark w;
  select l.xid into portion from audit.log l where l.xid > since and l.xid < upto order by l.xid offset 20000 limit 1;
  upto := coalesce(portion, upto);
  with fresh as (
    select l.orgpath, (l.time at time zone 'Asia/Shanghai')::date as day, l.kind, count(*) as rows
    from audit.log l
    where l.xid >= since and l.xid < upto
    group by 1, 2, 3),
  by_tenant as (
    insert into rollup.audit_by_tenant as t (orgpath, kind, rows)
    select f.orgpath, f.kind, sum(f.rows) from fresh f where f.orgpath is not null group by 1, 2
    on conflict (orgpath, kind) do update set rows = t.rows + excluded.rows),
  by_day as (
    insert into rollup.audit_by_day as t (orgpath, day, kind, rows)
    select split_part(f.orgpath, '.', 1) || '.', f.day, f.kind, sum(f.rows) from fresh f where f.orgpath is not null group by 1, 2, 3
    on conflict (orgpath, day, kind) do update set rows = t.rows + excluded.rows)
  select coalesce(sum(f.rows), 0) into added from fresh f;
  -- Without new rows the watermark can stay, because a reader has no more rows to add.
  if added > 0 or portion is not null then update rollup.watermark set audit = upto; end if;
  return added;
end $$;

-- Does the same for the ledger. While an institution is being moved it adds nothing; the next run adds the rows.
create function rollup.refresh_ledger() returns bigint language plpgsql volatile set search_path = '' as $$
declare
  since xid8;
  upto xid8;
  portion xid8;
  added bigint;
begin
  if not pg_try_advisory_xact_lock(hashtext('xinli rollup')) then return 0; end if;
  select w.ledger, audit.transaction_limit() into since, upto from rollup.watermark w;
  select l.xid into portion from public.assesscountlog l where l.xid > since and l.xid < upto order by l.xid offset 20000 limit 1;
  upto := coalesce(portion, upto);
  with fresh as (
    select l.musercode, l.orgpath, (l.time at time zone 'Asia/Shanghai')::date as day, l.kind, count(*) as lines, sum(l.qty) as qty
    from public.assesscountlog l
    where l.xid >= since and l.xid < upto
    group by 1, 2, 3, 4),
  by_tenant as (
    insert into rollup.ledger_by_tenant as t (musercode, orgpath, kind, lines, qty)
    select f.musercode, f.orgpath, f.kind, sum(f.lines), sum(f.qty) from fresh f group by 1, 2, 3
    on conflict (musercode, kind) do update set lines = t.lines + excluded.lines, qty = t.qty + excluded.qty),
  by_day as (
    insert into rollup.ledger_by_day as t (orgpath, day, kind, lines, qty)
    select split_part(f.orgpath, '.', 1) || '.', f.day, f.kind, sum(f.lines), sum(f.qty) from fresh f group by 1, 2, 3
    on conflict (orgpath, day, kind) do update set lines = t.lines + excluded.lines, qty = t.qty + excluded.qty)
  select coalesce(sum(f.lines), 0) into added from fresh f;
  if added > 0 or portion is not null then update rollup.watermark set ledger = upto; end if;
  return added;
exception when foreign_key_violation then
  return 0;
end $$;

-- Raises the base when rows have higher numbers than the running transaction: they came from another cluster. Returns what it added.
-- xinli_sealer runs it at every start before the first call, because this role sees the rows of all institutions.
create function audit.continue_numbers() returns bigint language plpgsql volatile set search_path = '' as $$
declare
  missing bigint;
begin
  -- The lock of the seals: other nodes wait, and find the base raised.
  perform pg_advisory_xact_lock(hashtext('xinli seal'));
  select greatest(0, (greatest(
      (select l.xid::text::bigint + 1 from audit.log l order by l.xid desc limit 1),
      (select l.xid::text::bigint + 1 from public.assesscountlog l order by l.xid desc limit 1),
      w.audit::text::bigint,
      w.ledger::text::bigint)) - audit.transaction_number()::text::bigint)
  into missing from rollup.watermark w;
  if missing > 0 then update ref.transactionbase set base = base + missing; end if;
  return missing;
end $$;
