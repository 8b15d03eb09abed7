-- Adds the versions of a plan: their number, their author, and the version that replaced each. The ledger names lineages of plans.

alter table plan add lineageno int not null default 1, add supersededby text, add authorid text, add authorname text;

-- Trigger: the ledger names the lineage of a plan, so that all versions add up.
create function access.set_forplan() returns trigger language plpgsql set search_path = '' as $$
begin
  new.forplan := coalesce((select p.planroot from public.plan p where p.plancode = new.forplan), new.forplan);
  return new;
end $$;
create trigger set_forplan before insert on assesscountlog for each row when (new.forplan is not null)
  execute function access.set_forplan();

drop trigger mark_edits on warningrule;
create trigger mark_edits before update of name, cond, warninglevel, appid, remark, enabled, plancode on warningrule
  for each row execute function access.mark_edits('name,cond,warninglevel,appid,remark,enabled,plancode', '');
drop trigger mark_edits on plan;
create trigger mark_edits before update of planname, categoryid, retestdays, reportmode, reporttemplatecode, validbegin, validend, price,
  introduce, status on plan
  for each row execute function access.mark_edits(
    'planname,categoryid,retestdays,reportmode,reporttemplatecode,validbegin,validend,price,introduce,status', '');
