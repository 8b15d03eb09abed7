/** Columns of the tables of `SEALED_COLUMNS` that stay readable, by reason. A new column must choose one list (`sealing.test.ts`). */
export const READABLE_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'a code, a hash or a key that SQL joins, counts and filters by': [
    '*.musercode *.orgpath *.cuserid *.appid *.warningcode *.examcode *.reportcode *.formcode *.formversion *.kind *.status',
    '*.state *.source',
    '*.operator *.owneruserid *.updateby *.createby *.accountid *.userid *.userids *.askuserid *.askaccount *.askkeys *.answerby',
    'warning.rulecodes warning.contactresult warning.closereason warning.closeby warning.nextduekind warning.exemptby warning.deathby',
    'warning.opensign warning.suspectuserids warninglog.action warninglog.fromstate warninglog.tostate warninglog.contactresult',
    'warninglog.attach warninglog.prevhash warninglog.hash warningconfirm.subject warningconfirm.objectid warningconfirm.humankeys',
    'secondrequest.subject riskassess.protective riskassess.assessor riskassess.asqresult riskassess.confirmedby safetyplan.reviewdate',
    'referral.visitdate referral.docfileid followup.method followup.outcome returnassess.assessdate returnassess.conclusion',
    'returnassess.returndate returnassess.fileids casefile.fileid casetransfer.receivercode casetransfer.receiverpath',
    'casetransfer.linkedcode',
    'reconcilediff.diffkey reconcilediff.raisedcode reconcilediff.settleby supervisionstep.authoritycode supervisionstep.authoritypath',
    'supervisionstep.duedate consult.consulttype consult.topics consult.counsellor consult.bookedby consult.cancelby consult.attendance',
    'consult.outcome consult.nextdate consultlog.action examreview.doneby examrecord.plancode examrecord.stagecode examrecord.taskcode',
    'examrecord.teamcode examrecord.scenecode examrecord.gradecode examrecord.gender examrecord.submitkey examrecord.useragent',
    'examrecord.ip examrecord.voidby examrecord.entryway examrecord.entryby examform.staffby examform.seqs examform.devices',
    'examform.bandsets examlateanswer.questionc report.reporttype report.reviewby report.aimodel aijob.promptversion aijob.inputhash',
    'aijob.provider aijob.model aijob.fault aijob.requestid aijob.usage aijob.teamreportcode sheetmove.otherexamcode sheetmove.tocuserid',
    'cusermerge.tocuserid cusermerge.pointed cusermerge.undoby withdrawal.receipt guardianconsent.consentversion guardianconsent.codehash',
    'anonymization.receipt',
    'guardianconsent.method guardianconsent.fileid guardianconsent.verifiedby notification.link notification.dedupekey listview.list',
  ],
  'times, channels and scores, which clocks and statistics read': [
    'warning.contacttries examform.raw examform.entered examrecord.invalidreason riskassess.suggestreasons',
  ],
  'the name of a member of staff, an institution, a class or a plan': [
    '*.operatorname *.askname *.answername *.username *.insname warningconfirm.username secondrequest.answername riskassess.confirmedname',
    'casefile.createbyname casetransfer.sendername casetransfer.contact casetransfer.acceptname reconcilediff.settlebyname',
    'listview.ownername examreview.donename examrecord.gradename examrecord.classname examrecord.unitname examrecord.voidname examrecord.entryname',
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
  'marks of edits without values': ['*.edits'],
};
