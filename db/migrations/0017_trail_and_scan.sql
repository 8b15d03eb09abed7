-- An institution that moves takes its trail along: it and whoever stands above it now read what was written before, whoever stood
-- above it no longer does. The path only says who may read a row; it is no part of the seals, so the chain stays as it is.

-- Still append-only: the path alone may change, and only to where the row's institution stands.
create function audit.only_path() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if to_jsonb(new) - 'orgpath' = to_jsonb(old) - 'orgpath' and new.orgpath = auth.path_of(new.musercode) then
    return new;
  end if;
  raise exception 'the audit trail is append-only';
end $$;
drop trigger append_only on audit.log;
create trigger append_only before delete or truncate on audit.log for each statement execute function audit.refuse();
create trigger only_path before update on audit.log for each row execute function audit.only_path();

-- Nobody but the owner's trigger changes a row, and it only within the reach of whoever moves the institution.
do $$
begin
  execute format('create policy moved on audit.log for update to %I
    using (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))
    with check (orgpath >= (select auth.lo()) and orgpath < (select auth.hi()))', current_user);
end $$;
create function audit.move() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update audit.log set orgpath = new.orgpath where orgpath = old.orgpath;
  return null;
end $$;
create trigger trail_moves after update of orgpath on auth.tenant for each row when (old.orgpath is distinct from new.orgpath) execute function audit.move();

-- Who came without a name (entry mode 04) is the same person again as long as the browser tab they answer in is open: the tab makes
-- up a secret, and only its blind hash is kept. A second tap, a lost answer to the first call or an expired session makes no second
-- person and costs no second count.
alter table cuser add column scanhash text;
create unique index cuser_scan_uq on cuser (orgpath, scanhash) where scanhash is not null;
