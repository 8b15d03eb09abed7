/** The term of every table: the kind of record of `retention.ts` to which its rows belong, or why it has none. */
export const TABLES_OF_KIND: Readonly<Record<string, string>> = {
  // `medical` in a medical institution
  person:
    'cuser cuserarchive guardian teamroster taskroster cuserplan assesscode examrecord examform examresult examalertanswer ' +
    'examlateanswer examreview report reportversion reportcorrection aijob followup interfere consult consultlog consultnote ' +
    'lessonprogress fileobj contentfile sheetmove cusermerge cuserdistinct',
  case:
    'warning warningduty warningconfirm secondrequest riskassess safetyplan referral returnassess casefile casetransfer reconcilediff ' +
    'reconcilerun casewitness',
  notice: 'notification',
  delivery: 'outbox channelmessage calllist',
  job: 'job auth.jobqueue accessapproval',
  session: 'auth.session auth.loginlog',
  technical:
    'testlink upload auth.throttle auth.challenge auth.passkeychallenge auth.trusteddevice auth.screencode auth.callbudget auth.lease ' +
    'jobfailure webhookdelivery audit.unsealed',
  consent: 'consent guardianconsent withdrawal consenttext anonymization legalhold retentionrun',
  audit: 'audit.log audit.seal audit.chainstart warninglog supervision supervisionstep supervisioncount',
  order: 'orders orderitem orderlog orderhold refund paynotice payreconcile assesscount assesscountlog goods courseaccess',
};

/** Tables without a term, by reason. */
export const TABLES_WITHOUT_TERM: Readonly<Record<string, string>> = {
  'what an institution sets up: it goes when the institution changes or deletes it':
    'muser muserapp muserclient muserstage setting dept assessteam assesstask taskteam taskform archivefield aiconsent reporttemplate ' +
    'exceltemplate exceltemplatecell noticechannel noticequiet menuoverride kiosk auth.entry auth.tenant auth.specialaccount consultform ' +
    'counsellortime counselloroff stageform examstage planacknowledgement webhook',
  'staff and their rights: they go with the member of staff':
    'sysuser sysuserrole sysuserpermission role listview listviewdefault guide pin auth.account auth.apikey auth.calendarfeed ' +
    'auth.totp auth.recovery auth.passkey',
  'questionnaires, rules and contents: no person stands in them':
    'form formversion formlicence quota quotaformoption bandset commentary norm plan planform planstage warningrule replaytrial article ' +
    'music course lesson',
  'numbers without persons':
    'statcell statday publishedcount publishedeffort publishedregion publishedunit teamreport teamreportversion rollup.audit_by_day ' +
    'rollup.audit_by_tenant rollup.ledger_by_day rollup.ledger_by_tenant rollup.watermark',
  'keys of stored files: each goes with its file': 'auth.filekey',
  'marks of the installation and of its servers': 'auth.keycheck auth.keyserver',
};
