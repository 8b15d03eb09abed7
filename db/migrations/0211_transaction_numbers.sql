-- Transaction numbers that go on when the database moves to another cluster (docs/decisions/0107). The chain of the audit log and the
-- sums of log and ledger use them as their order. A cluster counts its own transactions, and a new one begins with low numbers.

-- What this database adds to the numbers of its cluster. It has one row. Only audit.continue_numbers changes it, after a move.
create table ref.transactionbase (
  base bigint not null check (base >= 0)
);
insert into ref.transactionbase (base) values (0);

-- Returns the number of the running transaction.
create function audit.transaction_number() returns xid8 language plpgsql stable security definer set search_path = '' as $$
begin
  return (select (pg_current_xact_id()::text::bigint + t.base)::text::xid8 from ref.transactionbase t);
end $$;

-- Returns the number of the oldest running transaction: all transactions with a lower number have ended.
create function audit.transaction_limit() returns xid8 language plpgsql stable security definer set search_path = '' as $$
begin
  return (select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + t.base)::text::xid8 from ref.transactionbase t);
end $$;

alter table audit.log alter column xid set default audit.transaction_number();
alter table assesscountlog alter column xid set default audit.transaction_number();

create or replace function rollup.refresh_audit() returns bigint language plpgsql volatile set search_path = '' as $$
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

create or replace function rollup.refresh_ledger() returns bigint language plpgsql volatile set search_path = '' as $$
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

grant select on ref.transactionbase to xinli_app, xinli_stats, xinli_authn, xinli_respondent;
grant usage on schema ref to xinli_sealer;
grant select, update on ref.transactionbase to xinli_sealer;
grant execute on function audit.transaction_number() to xinli_app, xinli_respondent, xinli_submission, xinli_sealer;
grant execute on function audit.transaction_limit() to xinli_sealer;
grant execute on function audit.continue_numbers() to xinli_sealer;
