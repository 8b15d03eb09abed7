-- The end of the span of a follow-up: it is overdue only then. Null: overdue from `duetime`.
alter table followup add column latesttime timestamptz;
grant select (latesttime) on followup to xinli_stats;
