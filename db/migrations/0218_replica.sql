-- Returns a mark of the caller with its rights and range, which changes when one of them does; null without a live session of staff or of
-- a screen. A replica with another mark does not know the session or its rights yet (src/server/replica/replica.ts).
create function auth.caller_mark() returns text language plpgsql stable security definer set search_path = '' as $$
begin
  return (select md5(concat(to_jsonb(c) - 'stepupage' - 'secondsleft', (select s.orgpath from auth.active_session s)))
    from auth.current_caller('{staff,screen}') c);
end $$;
grant execute on function auth.caller_mark() to xinli_app, xinli_stats;
grant xinli_identity to current_user;
grant create on schema auth to xinli_identity;
alter function auth.caller_mark() owner to xinli_identity;
revoke create on schema auth from xinli_identity;
revoke xinli_identity from current_user;
