-- Adds the function that reads a questionnaire for the signed link of a preview.

-- Returns a version of a questionnaire with the item texts of an institution, for the link of a preview. The names come from a token
-- that the server signed. It contains no person and needs no session. Runs as xinli_identity.
create function auth.form_of_link(code text, named text, institution text) returns table (definition jsonb, wording jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select v.definition, l.wording
    from public.form f
      join public.formversion v on v.formcode = f.formcode and v.version = named
      left join public.formlicence l on l.formcode = f.formcode and l.musercode = institution and named <> 'draft'
    where f.formcode = code and f.isdeleted = 0 and (named <> 'draft' or f.musercode = institution);
end $$;

-- The link of a preview names a questionnaire and its version.
create policy preview_link on form for select to xinli_identity using (true);
create policy preview_link on formversion for select to xinli_identity using (true);
create policy preview_link on formlicence for select to xinli_identity using (true);
grant select (formcode, musercode, isdeleted) on form to xinli_identity;
grant select (formcode, version, definition) on formversion to xinli_identity;
grant select (formcode, musercode, wording) on formlicence to xinli_identity;
grant execute on function auth.form_of_link(text, text, text) to xinli_authn;

-- The function runs as xinli_identity. Changing its owner needs membership in the role, for these lines only.
grant xinli_identity to current_user;
grant create on schema auth to xinli_identity;
alter function auth.form_of_link(text, text, text) owner to xinli_identity;
revoke create on schema auth from xinli_identity;
revoke xinli_identity from current_user;
