-- Only the institution that writes a questionnaire sees its draft. Respondents and statistics see no draft.
alter policy platform_library on form using (isplatform = 1 and status > 0);
alter policy platform_library on formversion using (isplatform = 1 and status > 0);
create policy own_drafts on form as restrictive for select to xinli_app
  using (status > 0 or musercode = (select access.current_musercode()));
create policy own_drafts on formversion as restrictive for select to xinli_app
  using (status > 0 or musercode = (select access.current_musercode()));
create policy no_drafts on form as restrictive for select to xinli_stats, xinli_respondent using (status > 0);
create policy no_drafts on formversion as restrictive for select to xinli_respondent using (status > 0);
