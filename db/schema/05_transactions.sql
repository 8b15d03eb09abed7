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
