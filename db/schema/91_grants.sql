-- The rights of each role on tables, columns and functions. Policies decide the rows.

-- xinli_app: all tables; it may not change rows of append-only tables.
grant select, insert, update, delete on all tables in schema public to xinli_app;
revoke update, delete on assesscountlog from xinli_app;
revoke insert, update, delete on examalertanswer, examlateanswer from xinli_app;
revoke delete on examreview from xinli_app;
revoke update, delete on planacknowledgement, warningconfirm from xinli_app;
revoke delete on bandset, commentary from xinli_app;
revoke update, delete on consenttext from xinli_app;
revoke delete on guardianconsent, withdrawal from xinli_app;
revoke delete on accessapproval, casefile, returnassess, secondrequest, warningrule, warningduty from xinli_app;
revoke insert, update, delete on countlot from xinli_app;
revoke update, delete on safetyplan from xinli_app;
revoke update, delete on warninglog, consultlog, orderlog, paynotice from xinli_app;
revoke delete on orders, orderitem, refund from xinli_app;
revoke insert, update, delete on casewitness from xinli_app;
revoke delete on sheetmove, cusermerge, anonymization, legalhold from xinli_app;
revoke update, delete on retentionrun from xinli_app;
revoke update, delete on teamreportversion from xinli_app;
revoke delete on teamreport from xinli_app;
revoke update, delete on cuserdistinct from xinli_app;
revoke delete on supervision from xinli_app;
revoke update, delete on supervisionstep, supervisioncount from xinli_app;
revoke insert, update, delete on reportcorrection, reportversion from xinli_app;
revoke delete on warning, reconcilediff, casetransfer, consult from xinli_app;
grant select, insert on audit.log to xinli_app;
revoke update on statcell, statday from xinli_app;
revoke update, delete on publishedcount, publishedregion from xinli_app;
grant select on all tables in schema rollup to xinli_app;
grant update (statistics, statchanges, statmilliseconds, release) on rollup.watermark to xinli_app;
grant usage on all sequences in schema public to xinli_app;

-- Everyone reads the reference lists.
grant select on all tables in schema ref to xinli_app, xinli_stats, xinli_authn, xinli_respondent;

-- xinli_respondent: the settings of the task, the person's own rows, and notifications to staff. The functions of schema
-- submission write answers, results, reports and counts.
grant select on muser, muserclient, sysuser, role, sysuserrole, setting, form, formversion, quota, plan, planform, planstage, examstage,
  assesstask, taskteam, assessteam, assesscount, assesscountlog, examform, examresult, report, warningconfirm to xinli_respondent;
grant select on taskform, bandset, commentary, reporttemplate to xinli_respondent;
grant insert on examform to xinli_respondent;
grant select, insert, update on cuser, cuserarchive, guardian, consent, teamroster, cuserplan, taskroster, examrecord,
  warning, warninglog, warningduty, riskassess, referral, followup, interfere, fileobj to xinli_respondent;
revoke update on warninglog from xinli_respondent;
-- An answer that is news voids the requests to a second person.
grant select, update on secondrequest to xinli_respondent;
grant select, insert on notification, outbox to xinli_respondent;
grant select, insert on consenttext to xinli_respondent;
grant select on guardianconsent, withdrawal to xinli_respondent;
grant insert on audit.log to xinli_respondent;
-- An answer that joins a case asks whether the case has a plan. It never reads the content.
grant select (warningcode, cuserid, orgpath, version, time, iscomplete, hasopenmeans) on safetyplan to xinli_respondent;
-- A person applies, books and cancels. It never reads the summary, and of the hours no reason.
grant select on consultform, counsellortime to xinli_respondent;
grant select (userid, musercode, orgpath, begintime, endtime) on counselloroff to xinli_respondent;
grant select (consultid, musercode, orgpath, cuserid, source, consulttype, topics, formcode, formversion, warningcode, status, applytime,
  duetime, counsellor, slotbegin, slotend, room, groupid, seriesid, bookedby, cancelby, isdeleted), insert,
  update (status, counsellor, slotbegin, slotend, room, bookedby, remindedday, remindedhour, cancelby, cancelreason, warningcode,
    duetime, updatetime)
  on consult to xinli_respondent;
grant insert on consultlog to xinli_respondent;
-- A person reads the shelf and notes what it watched.
grant select on article, music, course, lesson, courseaccess to xinli_respondent;
grant select, insert, update on lessonprogress to xinli_respondent;
grant usage on all sequences in schema public to xinli_respondent;
revoke usage on sequence accessapproval_approvalid_seq, aijob_jobid_seq, archivefield_fieldid_seq,
  calllist_callid_seq, channelmessage_messageid_seq, webhook_webhookid_seq, webhookdelivery_deliveryid_seq,
  returnassess_returnid_seq,
  kiosk_kioskid_seq, reportcorrection_correctionid_seq, safetyplan_planid_seq, secondrequest_requestid_seq, sheetmove_moveid_seq,
  exceltemplate_templateid_seq, exceltemplatecell_cellid_seq, teamreportcode_seq, testlink_linkid_seq, warningrule_seq,
  cusermerge_mergeid_seq, anonymization_anonymizationid_seq, legalhold_holdid_seq, retentionrun_runid_seq,
  warningconfirm_confirmid_seq, casetransfer_transferid_seq,
  supervision_supervisionid_seq, supervisionstep_stepid_seq,
  formcode_seq, quotaformoption_optionid_seq, bandset_bandsetid_seq, commentary_seq, norm_normid_seq, reporttemplate_seq,
  replaytrial_trialid_seq, consultnote_noteid_seq, counsellortime_timeid_seq, counselloroff_offid_seq,
  article_articleid_seq, music_musicid_seq, course_courseid_seq, lesson_lessonid_seq, courseaccess_accessid_seq,
  goods_goodsid_seq, orderlog_logid_seq, orderno_seq, listview_viewid_seq
  from xinli_respondent;

-- xinli_authn: accounts and sessions, before the caller is known.
grant select, insert, update, delete on auth.account, auth.session, auth.throttle, auth.totp, auth.recovery, auth.challenge,
  auth.screencode, auth.calendarfeed, auth.apikey, auth.passkey, auth.passkeychallenge, auth.trusteddevice
  to xinli_authn;
grant select, update, delete on auth.jobqueue to xinli_authn;
grant select, insert, update, delete on auth.callbudget, auth.lease, auth.filekey, auth.keyserver to xinli_authn;
grant select on auth.keycheck to xinli_authn;
grant select, insert, delete on auth.loginlog to xinli_authn;
grant select on auth.tenant, auth.specialaccount, auth.entry to xinli_authn;

-- xinli_stats: no names, no contacts, no free text.
grant select on assesstask, taskteam, taskroster, assessteam, teamroster, plan, planstage, assesscount, assesscountlog, countlot,
  cuserplan, muserapp, examstage, form, quota, examresult, statcell, statday,
  publishedunit, publishedeffort, publishedcount, publishedregion to xinli_stats;
grant select (statistics) on rollup.watermark to xinli_stats;
grant select (musercode, orgpath, insname, sortname, shortname, musertype, sector, enabled, isdeleted, abnormalminlevel,
  provincecode, citycode, districtcode, categorylevel) on muser to xinli_stats;
grant select (cuserid, musercode, orgpath, appid, gender, birthday, mentalstate, riskflag, focus, lastexamtime,
  createtime, isdeleted) on cuser to xinli_stats;
grant select (examcode, musercode, orgpath, cuserid, appid, plancode, stagecode, taskcode, teamcode, cuserplanid, scenecode, status,
  starttime, submittime, duration, valid, overalllevel, mentalstate, hasalert, alertlevel, isabnormal, age,
  gradecode, gradename, classname, unitname, gender, withheld) on examrecord to xinli_stats;
grant select (examcode, musercode, orgpath, cuserid, formcode, formversion) on examform to xinli_stats;
grant select (teamreportcode, musercode, orgpath, appid, scope, isshow, isdeleted, datatime, updatetime) on teamreport to xinli_stats;
grant select (warningcode, musercode, orgpath, cuserid, appid, source, level, initiallevel, peaklevel, state, stateat, owneruserid,
  accepttime, acceptduetime, assesstime, assessduetime, guardianduetime, guardiannotified, guardiansettled, nextdue, nextduekind,
  newstime, newsno, acceptno, raisedtime, reopentime, referred, closetime, closereason, createtime, updatetime, isdeleted,
  suspectuserids) on warning to xinli_stats;
grant select (warningcode, musercode, orgpath, cuserid, time, conclusionlevel) on riskassess to xinli_stats;
grant select (followupid, musercode, orgpath, cuserid, warningcode, duetime, latesttime, status, donetime, isdeleted)
  on followup to xinli_stats;

-- xinli_sealer: chains the audit log and updates the rollups.
grant select on audit.log to xinli_sealer;
grant select, insert on audit.seal to xinli_sealer;
grant select, delete on audit.unsealed to xinli_sealer;
grant select on audit.chainstart to xinli_sealer;
grant select (musercode, orgpath, kind, qty, time, xid) on assesscountlog to xinli_sealer;
grant select, update on rollup.watermark to xinli_sealer;
grant usage on schema ref to xinli_sealer;
grant select, update on ref.transactionbase to xinli_sealer;
grant select, insert, update on rollup.audit_by_tenant, rollup.audit_by_day, rollup.ledger_by_tenant, rollup.ledger_by_day to xinli_sealer;

-- xinli_identity: accounts and rights, no person.
grant select on auth.active_session, auth.apikey to xinli_identity;
grant select (accountid, confirmed) on auth.totp to xinli_identity;
grant select (accountid) on auth.passkey to xinli_identity;
grant select on auth.specialaccount to xinli_identity;
grant select (musercode, parentmusercode, insname, realname, musertype, sector, codes, seedetail, mustfactor, orgpath, isdeleted,
  phonenumber, provincecode, citycode, districtcode, regionname, enabled, expiredate) on muser to xinli_identity;
grant select (userid, realname, musercode, enabled, isdeleted, phonenumber, certno) on sysuser to xinli_identity;
grant select (userid, roleid) on sysuserrole to xinli_identity;
grant select (roleid, rolename, rolekey, codes, datascope, mustfactor, enabled, isdeleted, isbuiltin, orgpath) on role to xinli_identity;
grant select (userid, code, effect) on sysuserpermission to xinli_identity;
grant select (menuid, enabled, isplatform) on menuoverride to xinli_identity;
grant select (formcode, musercode, isdeleted) on form to xinli_identity;
grant select (formcode, version, definition) on formversion to xinli_identity;
grant select (formcode, musercode, wording) on formlicence to xinli_identity;

-- Functions. By the default privileges no role may execute a new function.
grant execute on function access.number_of(text), access.sort_name(text), access.team_sort_name(text, text)
  to xinli_app, xinli_stats, xinli_respondent;
grant execute on function access.path_from(), access.path_to(), access.current_musercode(), access.current_userid(),
  access.current_cuserid(), access.ancestor_paths(), auth.current_session(), auth.has_second_factor()
  to xinli_app, xinli_stats, xinli_respondent;
grant execute on function auth.current_respondent() to xinli_respondent;
grant execute on function access.is_restricted(), access.own_teams_only(text), access.visible_owners(text), access.visible_cusers(text),
  access.region_musercodes(), access.own_region(), access.own_accounts(), auth.caller_mark() to xinli_app, xinli_stats;
grant execute on function access.open_case_counts(text), access.able_staff(text, timestamptz), access.add_notices(jsonb),
  access.notify_above(text, text, text, text, text, text, text, timestamptz, text, smallint) to xinli_app, xinli_respondent;
grant execute on function access.receivers_above(text, text, timestamptz), access.is_acting(),
  access.pass_notes(bigint[], text, text), access.lesson_totals(bigint[]), access.finished_lessons(text, bigint) to xinli_app;
grant execute on function access.count_opening(text, bigint) to xinli_app, xinli_respondent;
grant execute on function access.staff_holding(text, text[]), access.booked_times(text, timestamptz, timestamptz)
  to xinli_app, xinli_respondent;
grant execute on function access.notify_supervised(text, text, text, text, text, timestamptz),
  access.notify_supervisor(text, text, text, text, text, timestamptz), access.persons_named(text) to xinli_app;
grant execute on function access.is_held(text) to xinli_app;
grant execute on function access.remind_above(text, timestamptz, timestamptz), access.owners_above(), auth.winddown_until(),
  access.anonymize_person(text, timestamptz, timestamptz), access.transfer_targets(text, text) to xinli_app;
grant execute on function auth.current_caller(text[]), auth.create_tenant_account(text, text, text),
  auth.create_account(text, text, interval), auth.create_accounts(text[], text[], interval), auth.reset_account(text, text, interval),
  auth.renew_one_time_passwords(text[], text[], interval), auth.accounts_in_use(text[]), auth.account_states(text[]),
  auth.sign_ins(text, text, int, timestamptz, timestamptz, int, int),
  auth.reset_second_factor(text), auth.queue_job(uuid, int), auth.unqueue_job(uuid) to xinli_app;
grant execute on function access.move_sheet(text, text, jsonb, jsonb, jsonb, jsonb, boolean, bigint, timestamptz),
  access.point_person(text, text, jsonb),
  access.void_sheet(text, text, text, text, timestamptz) to xinli_app;
grant execute on function auth.consent_facts(text) to xinli_app, xinli_respondent, xinli_authn;
grant execute on function auth.form_of_link(text, text, text) to xinli_authn;
grant execute on function access.erase_answers(text, boolean, timestamptz), access.clear_third_parties(text),
  access.mark_edit(text, text, text, text) to xinli_app;
grant execute on function audit.add(jsonb) to xinli_app, xinli_respondent;
grant execute on function rollup.refresh_audit(), rollup.refresh_ledger(), audit.continue_numbers(), audit.current_key() to xinli_sealer;
grant execute on function audit.transaction_number() to xinli_app, xinli_respondent, xinli_submission, xinli_sealer;
grant execute on function audit.transaction_limit() to xinli_sealer;

-- These functions run as xinli_identity. Changing their owner needs membership in the role, for these lines only.
grant xinli_identity to current_user;
grant create on schema auth, access to xinli_identity;
alter function auth.current_caller(text[]) owner to xinli_identity;
alter function auth.caller_mark() owner to xinli_identity;
alter function access.is_restricted() owner to xinli_identity;
alter function access.own_accounts() owner to xinli_identity;
alter function access.transfer_targets(text, text) owner to xinli_identity;
alter function access.supervised_accounts(text) owner to xinli_identity;
grant execute on function access.supervised_accounts(text) to current_user;
alter function auth.consent_facts(text) owner to xinli_identity;
alter function auth.form_of_link(text, text, text) owner to xinli_identity;
revoke create on schema auth, access from xinli_identity;
revoke xinli_identity from current_user;
