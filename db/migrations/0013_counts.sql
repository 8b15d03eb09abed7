-- Counts: a ledger that is only ever added to, who gave to whom, and grants without a task that run out by date.

-- The institution at the other end when counts move between two; empty for the platform, whose counts have no end.
alter table assesscountlog add column partycode text,
  add constraint assesscountlog_kind check (kind in ('01', '02', '03', '04', '05', '06', '07', '08')),
  add constraint assesscountlog_qty check (qty <> 0);
create index on assesscountlog (time desc, logid desc);
create index assesscountlog_people on assesscountlog (musercode, plancode, cuserid) where kind = '03';
create index assesscountlog_party on assesscountlog (musercode, plancode, partycode) where partycode is not null;

-- The roles of the application cannot change a line; the trigger holds for whoever else can. An institution that moves takes its
-- ledger along: the cascade rewrites the path and nothing else.
revoke update, delete on assesscountlog from xinli_app, xinli_respondent;
create function auth.append_only() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'orgpath' = to_jsonb(old) - 'orgpath' then return new; end if;
  raise exception 'the ledger is only ever added to' using errcode = 'restrict_violation';
end $$;
create trigger append_only before update or delete on assesscountlog for each row execute function auth.append_only();

-- What is not live holds nothing.
alter table cuserplan add constraint cuserplan_held check (status = 1 or frozen = 0), add constraint cuserplan_least check (least(used, frozen) >= 0);
-- Outside tasks a person has one live grant of a plan at a stage; two authorisations at once make one.
create unique index cuserplan_live on cuserplan (orgpath, cuserid, plancode, coalesce(stagecode, '')) where taskcode is null and status = 1;
create index cuserplan_ending on cuserplan (enddate) where taskcode is null and status = 1;
create index assesscode_ending on assesscode (expiredate) where status = 0;
create index assesscount_ending on assesscount (enddate);
-- A grant may be answered as often as it says, one sitting after the other.
create unique index examrecord_open on examrecord (orgpath, cuserplanid) where status in (0, 1) and taskcode is null;
