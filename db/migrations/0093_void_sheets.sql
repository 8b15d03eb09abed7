-- Staff declare a submitted sheet void.
alter table examrecord add column voidtime timestamptz;
alter table examrecord add column voidby text;
alter table examrecord add column voidname text;
alter table examrecord add column voidreason text;

-- Declares a submitted sheet void. Its scores and its report leave every list; answers and raw scores stay with the sheet. Cases stay
-- open. Returns false when the sheet is not a submitted one, so that nothing happens twice.
create function access.void_sheet(code text, account text, accountname text, why text, at timestamptz) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.examrecord e
  set status = 4, voidtime = at, voidby = account, voidname = accountname, voidreason = why
  where e.examcode = code and e.status = 2;
  if not found then
    return false;
  end if;
  update public.examform x set status = 4 where x.examcode = code;
  delete from public.examresult r where r.examcode = code;
  update public.report r set isdeleted = 1, isshow = 0, version = r.version + 1, updatetime = at where r.examcode = code;
  update public.examreview v set donetime = at, doneby = account, donename = accountname, note = '答卷已作废'
  where v.examcode = code and v.donetime is null;
  return true;
end $$;

grant execute on function access.void_sheet(text, text, text, text, timestamptz) to xinli_app;
