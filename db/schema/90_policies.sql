-- The policies of each table. 20_access.sql explains them; access.protect() in 21_tenant_tables.sql creates them.

-- Institutions, staff, rights
select access.protect('muser', respondent => 'tenant', stats => 'tenant');
select access.protect('dept');
select access.protect('sysuser', respondent => 'tenant');
select access.protect('role', respondent => 'tenant');
select access.protect('sysuserrole', respondent => 'tenant');
select access.protect('sysuserpermission');
select access.protect('muserapp', stats => 'tenant');
select access.protect('menuoverride', shared => true);
select access.protect('setting', respondent => 'tenant');
select access.protect('notification', respondent => 'tenant');

-- Persons and teams
select access.protect('cuser', respondent => 'self', stats => 'persons');
select access.protect('cuserarchive', person => true, respondent => 'self');
select access.protect('archivefield');
select access.protect('guardian', person => true, respondent => 'self');
select access.protect('consent', person => true, respondent => 'self');
select access.protect('consenttext', respondent => 'tenant');
select access.protect('guardianconsent', person => true, respondent => 'self');
select access.protect('withdrawal', person => true, respondent => 'self');
select access.protect('assessteam', respondent => 'tenant', stats => 'tenant');
select access.protect('teamroster', person => true, respondent => 'self', stats => 'persons');

-- Questionnaires, plans, entries
select access.protect('form', respondent => 'tenant', stats => 'tenant', shared => true);
select access.protect('formversion', respondent => 'tenant', shared => true);
select access.protect('quota', respondent => 'tenant', stats => 'tenant', shared => true);
select access.protect('formlicence');
select access.protect('quotaformoption', shared => true);
select access.protect('bandset', respondent => 'tenant', shared => true);
select access.protect('commentary', respondent => 'tenant', shared => true);
select access.protect('norm', shared => true);
select access.protect('reporttemplate', respondent => 'tenant');
select access.protect('replaytrial');
select access.protect('examstage', respondent => 'tenant', stats => 'tenant', shared => true);
select access.protect('muserstage');
select access.protect('stageform', shared => true);
select access.protect('plan', respondent => 'tenant', stats => 'tenant');
select access.protect('planform', respondent => 'tenant');
select access.protect('planacknowledgement');
select access.protect('planstage', respondent => 'tenant', stats => 'tenant');
select access.protect('muserclient', respondent => 'tenant');

-- Counts
select access.protect('assesscount', respondent => 'tenant', stats => 'tenant');
select access.protect('assesscountlog', person => true, respondent => 'self', stats => 'tenant');
select access.protect('cuserplan', person => true, respondent => 'self', stats => 'persons');
select access.protect('assesscode', person => true);
select access.protect('testlink', person => true);
select access.protect('kiosk');

-- Exams
select access.protect('assesstask', respondent => 'tenant', stats => 'tenant');
select access.protect('taskteam', respondent => 'tenant', stats => 'tenant');
select access.protect('taskform', respondent => 'tenant');
select access.protect('taskroster', person => true, respondent => 'self', stats => 'persons');
select access.protect('examrecord', person => true, respondent => 'self', stats => 'persons');
select access.protect('examform', person => true, respondent => 'self', stats => 'persons');
select access.protect('examalertanswer', person => true);
select access.protect('examlateanswer', person => true);
select access.protect('examreview', person => true);
select access.protect('examresult', person => true, respondent => 'self', stats => 'persons');
select access.protect('report', person => true, respondent => 'self');
select access.protect('reportversion', person => true);
select access.protect('teamreport');
select access.protect('teamreportversion');
select access.protect('exceltemplate');
select access.protect('exceltemplatecell');
select access.protect('sheetmove', person => true);
select access.protect('reportcorrection', person => true);
select access.protect('cuserdistinct', person => true);
select access.protect('cusermerge', person => true);
select access.protect('anonymization', person => true);
select access.protect('legalhold', person => true);
select access.protect('retentionrun');

-- Warnings and the work on them
select access.protect('warning', person => true, respondent => 'self', stats => 'persons');
select access.protect('warninglog', person => true, respondent => 'self');
select access.protect('casewitness', person => true);
select access.protect('reconcilerun');
select access.protect('reconcilediff', person => true);
select access.protect('riskassess', person => true, respondent => 'self', stats => 'tenant');
select access.protect('referral', person => true, respondent => 'self');
select access.protect('followup', person => true, respondent => 'self', stats => 'persons');
select access.protect('interfere', person => true, respondent => 'self');
select access.protect('returnassess', person => true);
select access.protect('safetyplan', person => true, respondent => 'self');
select access.protect('warningconfirm', person => true, respondent => 'self');
select access.protect('secondrequest', person => true, respondent => 'self');
select access.protect('warningduty', person => true, respondent => 'self');
select access.protect('casetransfer', person => true);
select access.protect('warningrule');
select access.protect('supervision');
select access.protect('supervisionstep');
select access.protect('supervisioncount');
select access.protect('outbox', respondent => 'tenant');
select access.protect('calllist');
select access.protect('noticequiet');
select access.protect('listview');
select access.protect('listviewdefault');
select access.protect('guide');
select access.protect('pin');
select access.protect('noticechannel');
select access.protect('channelmessage');
select access.protect('webhook');
select access.protect('webhookdelivery');
select access.protect('jobfailure');

-- Consultation
select access.protect('consultform', respondent => 'tenant');
select access.protect('consult', person => true, respondent => 'self');
select access.protect('consultlog', person => true, respondent => 'self');
select access.protect('consultnote', person => true);
select access.protect('counsellortime', respondent => 'tenant');
select access.protect('counselloroff', respondent => 'tenant');
-- A private note is its counsellor's alone, also against administrators and while somebody acts in the account.
create policy own_note on consultnote as restrictive to xinli_app
  using (userid = (select access.current_userid()) and not (select access.is_acting()))
  with check (userid = (select access.current_userid()) and not (select access.is_acting()));

-- The shelf: everybody reads what the own institution and those above it have published.
select access.protect('article');
select access.protect('music');
select access.protect('course');
select access.protect('lesson');
select access.protect('courseaccess', respondent => 'tenant');
select access.protect('contentfile');
select access.protect('upload');
select access.protect('lessonprogress', respondent => 'self');
create policy from_above on article for select to xinli_app, xinli_respondent
  using (status = 1 and isdeleted = 0 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy from_above on music for select to xinli_app, xinli_respondent
  using (status = 1 and isdeleted = 0 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy from_above on course for select to xinli_app, xinli_respondent
  using (status = 1 and isdeleted = 0 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy from_above on lesson for select to xinli_app, xinli_respondent
  using (isdeleted = 0 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy of_contents on fileobj for select to xinli_app, xinli_respondent
  using (biztype in ('article', 'music', 'course') and isdeleted = 0 and orgpath = any ((select access.ancestor_paths())::text[]));
-- Functions as owner count the openings of contents from above, and join the lessons of courses from above.
create policy counted_above on article to current_user using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy counted_above on music to current_user using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy counted_above on course to current_user using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy counted_above on lesson for select to current_user using (orgpath = any ((select access.ancestor_paths())::text[]));
-- What somebody watched is this account's alone, also while another account acts in it. Institutions read totals (access.lesson_totals).
create policy own_progress on lessonprogress as restrictive to xinli_app
  using (accountid = coalesce((select access.current_userid()), (select access.current_musercode())) and not (select access.is_acting()))
  with check (accountid = coalesce((select access.current_userid()), (select access.current_musercode()))
    and not (select access.is_acting()));

-- The counter: a buyer reads goods on sale of the institutions above it. A seller reads the orders of the institutions below it; the
-- actions show each institution only its own sales and purchases.
select access.protect('goods');
select access.protect('orders');
select access.protect('orderitem');
select access.protect('orderhold');
select access.protect('refund');
select access.protect('orderlog');
select access.protect('paynotice');
select access.protect('payreconcile');
create policy from_above on goods for select to xinli_app
  using (listingstatus = 1 and isdeleted = 0 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy of_goods on fileobj for select to xinli_app
  using (biztype = 'goods' and isdeleted = 0 and orgpath = any ((select access.ancestor_paths())::text[]));

-- Kept figures: statistics within the range, not for restricted staff, not for authorities.
select access.protect('statcell');
select access.protect('statday');
create policy tenant_stats on statcell for select to xinli_stats using (not (select access.is_restricted())
  and orgpath >= (select access.path_from()) and orgpath < (select access.path_to()));
create policy tenant_stats on statday for select to xinli_stats using (not (select access.is_restricted())
  and orgpath >= (select access.path_from()) and orgpath < (select access.path_to()));

-- What is published: institutions as `tenant` and those of the authority's region; regions only for their authority.
select access.protect('publishedunit', stats => 'tenant');
select access.protect('publishedeffort', stats => 'tenant');
select access.protect('publishedcount', stats => 'tenant');
select access.protect('publishedregion');
create policy restricted_stats on publishedunit as restrictive for select to xinli_stats using (not (select access.is_restricted()));
create policy restricted_stats on publishedeffort as restrictive for select to xinli_stats using (not (select access.is_restricted()));
create policy restricted_stats on publishedcount as restrictive for select to xinli_stats using (not (select access.is_restricted()));
create policy authority_stats on publishedregion for select to xinli_stats using (
  not (select access.is_restricted())
  and (select access.own_region()) in (sector || '/3/' || districtcode, sector || '/2/' || citycode, sector || '/1/' || provincecode));

-- Files, jobs, approvals
select access.protect('fileobj', respondent => 'self');
select access.protect('casefile', person => true);
select access.protect('job');
select access.protect('accessapproval');
select access.protect('aiconsent');
select access.protect('aijob');

-- The receiver of a transfer sees and accepts it.
create policy receiver on casetransfer to xinli_app
  using (receiverpath >= (select access.path_from()) and receiverpath < (select access.path_to()))
  with check (receiverpath >= (select access.path_from()) and receiverpath < (select access.path_to()));
-- An authority opens a 督办 for an institution of its region, sees its own and changes their state. It adds the count of overdue duties
-- and does not see it.
create policy authority_read on supervision for select to xinli_app
  using (authoritypath >= (select access.path_from()) and authoritypath < (select access.path_to()));
create policy authority_open on supervision for insert to xinli_app
  with check (authoritypath = (select access.path_from()) and musercode in (select access.region_musercodes()));
create policy authority_change on supervision for update to xinli_app
  using (authoritypath >= (select access.path_from()) and authoritypath < (select access.path_to()))
  with check (authoritypath >= (select access.path_from()) and authoritypath < (select access.path_to()));
create policy authority_read on supervisionstep for select to xinli_app
  using (authoritypath >= (select access.path_from()) and authoritypath < (select access.path_to()));
create policy authority_add on supervisionstep for insert to xinli_app
  with check (authoritypath = (select access.path_from()));
create policy authority_add on supervisioncount for insert to xinli_app
  with check (musercode in (select access.region_musercodes()));
create policy supervision_notify on notification for insert to current_user
  with check (musercode in (select access.region_musercodes()));
-- The sums that a suspected colleague reads leave the case out. Its own handlers read it under the role xinli_app, whose queries ask
-- access.own_accounts() themselves: a report by the suspect must still find the case that it joins.
create policy suspect_stats on warning as restrictive for select to xinli_stats
  using (not (suspectuserids && (select access.own_accounts())));

-- Scores and reports wait for the consent of a child's guardian. A case does not wait.
create policy withheld on report as restrictive for select to xinli_app, xinli_respondent using (withheld = 0);
create policy withheld on examresult as restrictive for select to xinli_app, xinli_respondent, xinli_stats using (withheld = 0);

-- Restricted staff also see a person by the owner in the row itself, so they can read a person that they have just added.
create policy restricted_staff on cuser as restrictive for select to xinli_app using (
  not (select access.is_restricted())
  or (owneruserid in (select access.visible_owners()) and not (select access.own_teams_only()))
  or cuserid in (select access.visible_cusers()));
create policy restricted_staff on assessteam as restrictive for select to xinli_app using (
  not (select access.is_restricted()) or owneruserid in (select access.visible_owners()));
-- The owner of a class sees the reports on it that its institution has released to class owners; the server leaves out the results.
create policy restricted_staff on teamreport as restrictive for select to xinli_app using (
  not (select access.is_restricted())
  or (scope ->> 'kind' in ('task', 'teams', 'grade') and exists (
    select from assessteam t where t.teamcode = any (teamcodes) and t.showreport = 1 and t.isdeleted = 0)));
-- An authority finds the reports that institutions of its region show to it; 91_grants.sql gives it no figure of theirs.
create policy shown_stats on teamreport for select to xinli_stats using (
  isshow = 1 and isdeleted = 0 and not (select access.is_restricted()) and musercode in (select access.region_musercodes()));
create policy restricted_staff on teamreportversion as restrictive for select to xinli_app using (
  not (select access.is_restricted()));
-- A file of no person is visible to the account that uploaded it, and a file of contents to everybody who reads them.
create policy restricted_staff on fileobj as restrictive for select to xinli_app using (
  not (select access.is_restricted())
  or cuserid in (select access.visible_cusers())
  or (cuserid is null and createby = (select access.current_userid()))
  or (cuserid is null and biztype in ('article', 'music', 'course') and orgpath = any ((select access.ancestor_paths())::text[])));

-- An institution sees the names of the institutions above it and the plans that they share.
create policy ancestor_names on muser for select to xinli_app using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy ancestor_plan on plan for select to xinli_app, xinli_stats, xinli_respondent
  using (iscommon = 1 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy ancestor_planform on planform for select to xinli_app, xinli_stats, xinli_respondent
  using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy ancestor_planstage on planstage for select to xinli_app, xinli_stats, xinli_respondent
  using (orgpath = any ((select access.ancestor_paths())::text[]));
-- Questionnaires of institutions above, with their texts, bands, norms, templates of reports and the rules of their plans.
create policy ancestor_form on form for select to xinli_app, xinli_stats, xinli_respondent
  using (status > 0 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy ancestor_formversion on formversion for select to xinli_app, xinli_respondent
  using (status > 0 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy ancestor_quota on quota for select to xinli_app, xinli_stats, xinli_respondent
  using (orgpath = any ((select access.ancestor_paths())::text[]));
-- Only the institution that writes a questionnaire sees its draft. Respondents and statistics see no draft.
alter policy platform_library on form using (isplatform = 1 and status > 0);
alter policy platform_library on formversion using (isplatform = 1 and status > 0);
create policy own_drafts on form as restrictive for select to xinli_app
  using (status > 0 or musercode = (select access.current_musercode()));
create policy own_drafts on formversion as restrictive for select to xinli_app
  using (status > 0 or musercode = (select access.current_musercode()));
create policy no_drafts on form as restrictive for select to xinli_stats, xinli_respondent using (status > 0);
create policy no_drafts on formversion as restrictive for select to xinli_respondent using (status > 0);
create policy ancestor_quotaformoption on quotaformoption for select to xinli_app
  using (enabled = 1 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy ancestor_bandset on bandset for select to xinli_app, xinli_respondent
  using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy ancestor_commentary on commentary for select to xinli_app, xinli_respondent
  using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy ancestor_norm on norm for select to xinli_app
  using (enabled = 1 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy ancestor_reporttemplate on reporttemplate for select to xinli_app, xinli_respondent
  using (enabled = 1 and orgpath = any ((select access.ancestor_paths())::text[]));
create policy ancestor_planrule on warningrule for select to xinli_app, xinli_respondent
  using (plancode is not null and orgpath = any ((select access.ancestor_paths())::text[]));
create policy builtin_roles on role for select using (isbuiltin = 1);

-- access.notify_above() and access.able_staff() find staff in the institutions above, to notify them or hand a case over.
create policy oncall_above_read on sysuser for select to current_user using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy oncall_above_read on sysuserrole for select to current_user using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy oncall_above_read on role for select to current_user using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy oncall_above_read on sysuserpermission for select to current_user
  using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy oncall_above_read on muser for select to current_user using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy oncall_above_notify on notification for insert to current_user
  with check (orgpath = any ((select access.ancestor_paths())::text[]));
create policy oncall_above_remind on notification for update to current_user
  using (orgpath = any ((select access.ancestor_paths())::text[])) with check (orgpath = any ((select access.ancestor_paths())::text[]));
create policy oncall_above_reminded on notification for select to current_user
  using (orgpath = any ((select access.ancestor_paths())::text[]));
create policy authority_notify on notification for insert to current_user
  with check (orgpath = any ((select access.authority_paths())::text[]));

-- An institution sees the staff above it who own its open cases.
create policy tenant_owners_above on sysuser for select to xinli_app using (
  orgpath = any ((select access.ancestor_paths())::text[]) and userid in (select access.owners_above()));

-- auth.current_caller(text[]) and access.is_restricted() read the rights of the live session.
create policy account_rights on muser for select to xinli_identity using (true);
create policy account_rights on sysuser for select to xinli_identity using (true);
create policy account_rights on sysuserrole for select to xinli_identity using (true);
create policy account_rights on role for select to xinli_identity using (true);
create policy account_rights on sysuserpermission for select to xinli_identity using (true);
create policy account_rights on menuoverride for select to xinli_identity using (true);
-- The link of a preview names a questionnaire and its version.
create policy preview_link on form for select to xinli_identity using (true);
create policy preview_link on formversion for select to xinli_identity using (true);
create policy preview_link on formlicence for select to xinli_identity using (true);

-- The audit log: every role of a request adds rows; staff read their range; only the owner's trigger moves rows.
alter table audit.log enable row level security;
alter table audit.log force row level security;
create policy add on audit.log for insert to xinli_app, xinli_respondent with check (true);
create policy tenant on audit.log for select using (orgpath >= (select access.path_from()) and orgpath < (select access.path_to()));
create policy tenant_owner on audit.log for update to current_user
  using (orgpath >= (select access.path_from()) and orgpath < (select access.path_to()))
  with check (orgpath >= (select access.path_from()) and orgpath < (select access.path_to()));
create policy seal on audit.log for select to xinli_sealer using (true);

-- Rollups: the sealer writes them, staff read their range.
create policy rollup on assesscountlog for select to xinli_sealer using (true);
do $$
declare
  in_range constant text := 'orgpath >= (select access.path_from()) and orgpath < (select access.path_to())';
  tablename text;
begin
  foreach tablename in array array['audit_by_tenant', 'audit_by_day', 'ledger_by_tenant', 'ledger_by_day'] loop
    execute format('alter table rollup.%I enable row level security', tablename);
    execute format('alter table rollup.%I force row level security', tablename);
    execute format('create policy tenant on rollup.%I for select to xinli_app using (%s)', tablename, in_range);
    execute format('create policy tenant_owner on rollup.%I to %I using (%s) with check (%3$s)', tablename, current_user, in_range);
    execute format('create policy rollup on rollup.%I to xinli_sealer using (true) with check (true)', tablename);
  end loop;
end $$;
-- Restricted staff see no sums, because the sums do not distinguish persons. The server adds up the lines that they may see.
create policy restricted_staff on rollup.ledger_by_tenant as restrictive for select to xinli_app
  using (not (select access.is_restricted()));
create policy restricted_staff on rollup.ledger_by_day as restrictive for select to xinli_app
  using (not (select access.is_restricted()));
