/**
 * Columns that stay readable, by reason: `table.column`, `*.column` of any table, or `table.*` of a table that has no column with a
 * person. Tables outside of the schema public carry its name. A new column must choose one list (`sealing.test.ts`).
 */
export const READABLE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'a code, a hash or a key that SQL joins, counts and filters by': [
    '*.musercode *.orgpath *.cuserid *.appid *.warningcode *.examcode *.reportcode *.formcode *.formversion *.kind *.status',
    '*.state *.source',
    '*.operator *.owneruserid *.updateby *.createby *.accountid *.userid *.userids *.askuserid *.askaccount *.askkeys *.answerby',
    'warning.rulecodes warning.contactresult warning.closereason warning.closeby warning.nextduekind warning.exemptby warning.deathby',
    'warning.opensign warning.suspectuserids warninglog.action warninglog.fromstate warninglog.tostate warninglog.contactresult',
    'warninglog.prevhash warninglog.hash warningconfirm.subject warningconfirm.objectid warningconfirm.humankeys',
    'secondrequest.subject riskassess.protective riskassess.assessor riskassess.asqresult riskassess.confirmedby',
    'followup.method followup.outcome returnassess.conclusion',
    'casetransfer.receivercode casetransfer.receiverpath',
    'casetransfer.linkedcode',
    'reconcilediff.diffkey reconcilediff.raisedcode reconcilediff.settleby supervisionstep.authoritycode supervisionstep.authoritypath',
    'consult.consulttype consult.topics consult.counsellor consult.bookedby consult.cancelby consult.attendance',
    'consult.outcome consultlog.action examreview.doneby examrecord.plancode examrecord.stagecode examrecord.taskcode',
    'examrecord.teamcode examrecord.scenecode examrecord.gradecode examrecord.gender examrecord.useragent',
    'examrecord.ip examrecord.voidby examrecord.entryway examrecord.entryby examform.staffby examform.seqs examform.devices',
    'examform.bandsets examlateanswer.questionc report.reporttype report.reviewby report.aimodel aijob.promptversion aijob.inputhash',
    'aijob.provider aijob.model aijob.fault aijob.requestid aijob.usage aijob.teamreportcode sheetmove.otherexamcode sheetmove.tocuserid',
    'cusermerge.tocuserid cusermerge.pointed cusermerge.undoby withdrawal.receipt guardianconsent.consentversion guardianconsent.codehash',
    'anonymization.receipt',
    'guardianconsent.method guardianconsent.verifiedby notification.link notification.dedupekey listview.list',
    'listviewdefault.list guide.visited pin.kind pin.refcode',
  ],
  'times, channels and scores, which clocks and statistics read': [
    'warning.contacttries examform.raw examform.entered examrecord.invalidreason riskassess.suggestreasons',
  ],
  'the name of a member of staff, an institution, a class or a plan': [
    '*.operatorname *.askname *.answername *.username *.insname warningconfirm.username secondrequest.answername riskassess.confirmedname',
    'casefile.createbyname casetransfer.sendername casetransfer.contact casetransfer.acceptname reconcilediff.settlebyname',
    'listview.ownername examreview.donename examrecord.gradename examrecord.classname examrecord.unitname examrecord.voidname',
    'examrecord.entryname',
    'cusermerge.undoname followup.planname consult.room',
  ],
  'the name of a guardian, like the names of table guardian': ['guardianconsent.claimedname guardianconsent.claimedrelation'],
  'words of the platform, no words about a person': [
    'warningduty.title reconcilediff.content examreview.content report.title notification.title consult.formcode',
  ],
  'made from coded answers by the platform’s library; a text of staff is no part of it': [
    'report.content report.selfcontent report.basis reportcorrection.content reportcorrection.selfcontent',
  ],
  'copies of rows as they are stored, with their seals': ['cusermerge.changes cusermerge.cases'],
  'marks of edits; the value before is a copy of the stored one, with its seal': ['*.edits'],
  'the trail and the sign-ins: audit.seal covers their bytes, and an institution reads who did what and why': [
    'audit.chainstart.* audit.log.* audit.seal.*',
    'auth.loginlog.* auth.session.tokenhash auth.session.ip auth.session.useragent auth.session.boundhash auth.session.loginasby',
    'auth.session.loginasreason auth.session.parenthash auth.session.sessionid auth.session.screenname',
  ],
  'accounts, hashes of secrets, and counters of the server': [
    'auth.apikey.* auth.calendarfeed.* auth.keyserver.*',
    'auth.account.* auth.callbudget.* auth.challenge.* auth.entry.* auth.jobqueue.* auth.keycheck.* auth.lease.* auth.recovery.*',
    'auth.passkey.* auth.passkeychallenge.* auth.trusteddevice.*',
    'auth.screencode.* auth.specialaccount.* auth.tenant.* auth.throttle.* kiosk.* casewitness.hash testlink.way testlink.secrethash',
    'webhook.url webhook.events webhook.disabledwhy webhookdelivery.eventid webhookdelivery.event webhookdelivery.facts',
    'ref.migration.* jobfailure.* channelmessage.channel channelmessage.noticegroup',
  ],
  'sealed by its feature under an own key of the account (`totp.ts`)': ['auth.totp.sealed'],
  'the error of a mail server or a program, no text of a person': [
    'channelmessage.lasterror webhookdelivery.lasterror job.error',
  ],
  'what many read: questionnaires, plans, rules, articles, goods, templates; no words about one person': [
    'archivefield.* article.* bandset.* commentary.* consenttext.* consultform.* contentfile.* course.* examstage.* exceltemplate.*',
    'exceltemplatecell.* form.* formlicence.* formversion.* goods.* lesson.* menuoverride.* music.* norm.* plan.* planacknowledgement.*',
    'planform.* planstage.* quota.* quotaformoption.* replaytrial.* reporttemplate.* role.* setting.* stageform.* taskform.* warningrule.*',
    'ref.app.* ref.district.* ref.examcategory.* ref.hotline.*',
  ],
  'institutions, their departments, classes, tasks and entries': [
    'aiconsent.* assesscount.* assesstask.* assessteam.* dept.* muser.* muserapp.* muserclient.*',
    'muserstage.* supervision.* supervisioncount.* taskteam.* noticechannel.channel noticechannel.config noticequiet.quietfrom',
    'noticequiet.quietuntil',
  ],
  'codes of wallets and of the persons whose counts they are; the remark is about counts': [
    'assesscode.code assesscode.batchno assesscode.walletcode assesscode.plancode assesscode.stagecode assesscountlog.plancode',
    'assesscountlog.orderno assesscountlog.remark assesscountlog.partycode assesscountlog.forplan',
  ],
  'orders and payments of institutions': [
    'courseaccess.* orderhold.* orderitem.* orderlog.* orders.* paynotice.* payreconcile.* refund.*',
  ],
  'counts without a person': [
    'publishedcount.* publishedeffort.* publishedregion.* publishedunit.* statcell.* statday.*',
    'retentionrun.* rollup.audit_by_day.* rollup.audit_by_tenant.* rollup.ledger_by_day.* rollup.ledger_by_tenant.*',
  ],
  'identity, place and group of a person, which lists search, sort and filter by': [
    'cuser.pinyin cuser.initials cuser.gender cuser.phonehash cuser.idtype cuser.idnohash cuser.nation cuser.education cuser.marital',
    'cuser.provincecode cuser.citycode cuser.districtcode cuser.mentalstatesource cuser.scanhash cuser.mergedinto',
    'cuserdistinct.othercuserid',
    'cuserarchive.archiveno cuserarchive.studentno cuserarchive.employeeno cuserarchive.eduphase cuserarchive.gradecode',
    'cuserarchive.gradename cuserarchive.classname cuserarchive.unitname cuserarchive.closereason cuserarchive.checkupno',
    'cuserplan.plancode cuserplan.stagecode cuserplan.taskcode cuserplan.grantby cuserplan.walletcode cuserplan.scenecode',
    'guardian.name guardian.relation guardian.phonehash teamroster.teamcode taskroster.taskcode taskroster.teamcode taskroster.reasonby',
    'consent.scope consent.consentversion consent.subject consent.method consent.ip consent.reading',
    'examalertanswer.questionc examresult.quotacode examresult.levelname examresult.domain',
    'sysuserpermission.code sysuserpermission.effect counsellortime.begintime counsellortime.endtime counsellortime.room',
  ],
  'fields of an institution’s own archives: lists filter and search by them': ['cuserarchive.detail'],
  'a word of a fixed list: why a person is excused': ['taskroster.reason'],
  'staff in their office': [
    'sysuser.sysusername sysuser.realname sysuser.phonenumber sysuser.email sysuser.gender sysuser.post sysuser.titles sysuser.certno',
    'sysuser.lastloginip',
  ],
  'names of members of staff': [
    'accessapproval.applicant accessapproval.applicantname accessapproval.approver accessapproval.approvername calllist.ackby',
    'calllist.ackname legalhold.beginby legalhold.beginname legalhold.endby legalhold.endname teamreport.createname',
    'teamreport.aireviewby teamreport.aireviewname teamreportversion.createname',
  ],
  'the erasing of a person searches them for the person’s names': [
    'accessapproval.filter accessapproval.purpose accessapproval.reason accessapproval.call accessapproval.title',
  ],
  'codes and fixed words that name nobody; 零漏报对账 reads them': [
    'outbox.refcode outbox.payload calllist.phonemasked calllist.text reconcilerun.difflist reconcilerun.tablehash',
  ],
  'names of files and of exports; their bytes are sealed': [
    'auth.filekey.path fileobj.filename fileobj.mime fileobj.sha256 fileobj.path fileobj.biztype fileobj.refcode',
    'upload.biztype upload.filename',
    'job.title job.filename job.mime job.filekey',
  ],
  'counts and places; the rows of an import and the request of an export are encrypted in it': ['job.request job.result'],
  'made from counted facts by the platform’s library': [
    'teamreport.teamreportcode teamreport.title teamreport.scope teamreport.teamcodes teamreport.content teamreport.fingerprint',
    'teamreport.aifacts teamreport.aimodel teamreportversion.teamreportcode teamreportversion.content',
  ],
};
