import type { Action } from '#contract/action.ts';
import * as exportJob from '#contract/exportJob.ts';
import type { Handler } from '#server/dispatch/handle.ts';
import * as menu from '#features/access/menu/menu.contract.ts';
import { menuHandlers } from '#features/access/menu/menu.server.ts';
import * as permission from '#features/access/permission/permission.contract.ts';
import { permissionHandlers } from '#features/access/permission/permission.server.ts';
import * as role from '#features/access/role/role.contract.ts';
import { roleHandlers } from '#features/access/role/role.server.ts';
import * as factor from '#features/account/factor.contract.ts';
import { factorHandlers } from '#features/account/factor.server.ts';
import * as profile from '#features/account/profile.contract.ts';
import { profileHandlers } from '#features/account/profile.server.ts';
import * as app from '#features/app/app.contract.ts';
import { appHandlers } from '#features/app/app.server.ts';
import * as appChoice from '#features/app/choice.contract.ts';
import * as approval from '#features/approval/approval.contract.ts';
import { approvalHandlers } from '#features/approval/approval.server.ts';
import * as login from '#features/audit/login/login.contract.ts';
import { loginHandlers } from '#features/audit/login/login.server.ts';
import * as audit from '#features/audit/audit.contract.ts';
import { auditHandlers } from '#features/audit/audit.server.ts';
import * as screen from '#features/bigscreen/screen.contract.ts';
import { screenHandlers } from '#features/bigscreen/screen.server.ts';
import * as wall from '#features/bigscreen/wall.contract.ts';
import { wallHandlers } from '#features/bigscreen/wall.server.ts';
import * as handOver from '#features/handover/handOver.contract.ts';
import { handOverHandlers } from '#features/handover/handOver.server.ts';
import * as care from '#features/care/care.contract.ts';
import * as followUpWork from '#features/care/followup/work.contract.ts';
import { careHandlers } from '#features/care/care.server.ts';
import { careExportSubjects } from '#features/care/exportrows.ts';
import * as content from '#features/content/content.contract.ts';
import { contentHandlers } from '#features/content/content.server.ts';
import * as personContent from '#features/content/person.contract.ts';
import { personContentHandlers } from '#features/content/person.server.ts';
import * as consultForms from '#features/consult/forms/forms.contract.ts';
import { consultFormHandlers } from '#features/consult/forms/forms.server.ts';
import { consultExportSubjects } from '#features/consult/register/exportrows.ts';
import * as consultPerson from '#features/consult/person/person.contract.ts';
import { personConsultHandlers } from '#features/consult/person/person.server.ts';
import * as consultRegister from '#features/consult/register/register.contract.ts';
import { registerHandlers } from '#features/consult/register/register.server.ts';
import * as consultSchedule from '#features/consult/schedule/schedule.contract.ts';
import { scheduleHandlers } from '#features/consult/schedule/schedule.server.ts';
import * as authorize from '#features/assesscount/authorizations/authorize.contract.ts';
import { authorizeHandlers } from '#features/assesscount/authorizations/authorize.server.ts';
import * as ledger from '#features/assesscount/ledger.contract.ts';
import { ledgerHandlers } from '#features/assesscount/ledger.server.ts';
import * as wallet from '#features/assesscount/wallet.contract.ts';
import { walletHandlers } from '#features/assesscount/wallet.server.ts';
import * as guardianConsent from '#features/consent/guardian/guardian.contract.ts';
import { guardianConsentHandlers } from '#features/consent/guardian/guardian.server.ts';
import * as consultBooking from '#features/consult/booking/booking.contract.ts';
import { bookingHandlers } from '#features/consult/booking/booking.server.ts';
import * as consentSettings from '#features/consent/settings/settings.contract.ts';
import { consentSettingsHandlers } from '#features/consent/settings/settings.server.ts';
import * as assess from '#features/assess/assess.contract.ts';
import { assessHandlers } from '#features/assess/assess.server.ts';
import * as archive from '#features/archive/archive.contract.ts';
import * as bandset from '#features/bandset/bandset.contract.ts';
import { bandsetHandlers } from '#features/bandset/bandset.server.ts';
import * as archivefield from '#features/archivefield/archivefield.contract.ts';
import { archiveFieldHandlers } from '#features/archivefield/archivefield.server.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import { archiveHandlers } from '#features/archive/archive.server.ts';
import { cuserHandlers } from '#features/cuser/cuser.server.ts';
import * as duplicates from '#features/identity/duplicates.contract.ts';
import { duplicateHandlers } from '#features/identity/duplicates.server.ts';
import * as identity from '#features/identity/identity.contract.ts';
import { identityHandlers } from '#features/identity/identity.server.ts';
import * as staffExam from '#features/staffexam/staffexam.contract.ts';
import { staffExamHandlers } from '#features/staffexam/staffexam.server.ts';
import * as voiding from '#features/staffexam/void.contract.ts';
import { voidHandlers } from '#features/staffexam/void.server.ts';
import * as retention from '#features/retention/retention.contract.ts';
import { retentionHandlers } from '#features/retention/retention.server.ts';
import * as anonymize from '#features/anonymize/anonymize.contract.ts';
import { anonymizeHandlers } from '#features/anonymize/anonymize.server.ts';
import * as leaving from '#features/cuser/leaving/leaving.contract.ts';
import { leavingHandlers } from '#features/cuser/leaving/leaving.server.ts';
import * as personsheet from '#features/personsheet/personsheet.contract.ts';
import { personsheetHandlers, personsheetSubjects } from '#features/personsheet/personsheet.server.ts';
import * as examdata from '#features/examdata/examdata.contract.ts';
import { examDataHandlers } from '#features/examdata/examdata.server.ts';
import * as fhir from '#features/fhir/fhir.contract.ts';
import { fhirExportSubjects, fhirHandlers } from '#features/fhir/fhir.server.ts';
import { examExportHandlers, examExportSubjects } from '#features/examdata/examexport.server.ts';
import * as reporttemplate from '#features/reporttemplate/reporttemplate.contract.ts';
import * as replay from '#features/warning/replay/replay.contract.ts';
import { replayHandlers } from '#features/warning/replay/replay.server.ts';
import * as reportpdf from '#features/reportpdf/reportpdf.contract.ts';
import { reportPdfHandlers, reportPdfSubjects } from '#features/reportpdf/reportpdf.server.ts';
import * as comments from '#features/comments/comments.contract.ts';
import { commentHandlers } from '#features/comments/comments.server.ts';
import * as article from '#features/article/article.contract.ts';
import { articleHandlers } from '#features/article/article.server.ts';
import * as course from '#features/classroom/course.contract.ts';
import { classroomHandlers } from '#features/classroom/course.server.ts';
import * as music from '#features/music/music.contract.ts';
import { musicHandlers } from '#features/music/music.server.ts';
import * as norm from '#features/norm/norm.contract.ts';
import { normHandlers } from '#features/norm/norm.server.ts';
import * as consultNote from '#features/consult/note/note.contract.ts';
import { noteHandlers } from '#features/consult/note/note.server.ts';
import * as exceltemplate from '#features/exceltemplate/exceltemplate.contract.ts';
import { reportTemplateHandlers } from '#features/reporttemplate/reporttemplate.server.ts';
import { excelTemplateHandlers } from '#features/exceltemplate/exceltemplate.server.ts';
import { excelFillHandlers } from '#features/exceltemplate/fill.server.ts';
import * as file from '#features/file/file.contract.ts';
import { fileHandlers } from '#features/file/file.server.ts';
import * as upload from '#features/file/upload/upload.contract.ts';
import { uploadHandlers } from '#features/file/upload/upload.server.ts';
import * as scaleeditor from '#features/scaleeditor/scaleeditor.contract.ts';
import { draftHandlers } from '#features/scaleeditor/drafts.server.ts';
import { versionHandlers } from '#features/scaleeditor/versions.server.ts';
import * as scaleexchange from '#features/scaleexchange/scaleexchange.contract.ts';
import { scaleExchangeHandlers } from '#features/scaleexchange/scaleexchange.server.ts';
import * as form from '#features/form/form.contract.ts';
import { formHandlers } from '#features/form/form.server.ts';
import { jobHandlers } from '#features/job/job.server.ts';
import * as merge from '#features/merge/merge.contract.ts';
import { mergeHandlers } from '#features/merge/merge.server.ts';
import * as entryAdmin from '#features/muser/entry/entry.contract.ts';
import { entryAdminHandlers } from '#features/muser/entry/entry.server.ts';
import * as muser from '#features/muser/muser.contract.ts';
import { muserHandlers } from '#features/muser/muser.server.ts';
import * as muserUpdate from '#features/muser/edit/updateMUser.contract.ts';
import { updateMUser } from '#features/muser/edit/updateMUser.server.ts';
import * as noticeChannel from '#features/notice/channel/channel.contract.ts';
import { channelHandlers } from '#features/notice/channel/channel.server.ts';
import * as notice from '#features/notice/notice.contract.ts';
import { noticeHandlers } from '#features/notice/notice.server.ts';
import * as dept from '#features/org/dept/dept.contract.ts';
import { deptHandlers } from '#features/org/dept/dept.server.ts';
import * as user from '#features/org/user/user.contract.ts';
import { userHandlers } from '#features/org/user/user.server.ts';
import * as userBatch from '#features/org/batch/userBatch.contract.ts';
import { userBatchHandlers } from '#features/org/batch/userBatch.server.ts';
import * as userSheet from '#features/org/import/staffImport.contract.ts';
import { userSheetHandlers } from '#features/org/import/staffImport.server.ts';
import * as plan from '#features/plan/plan.contract.ts';
import * as planLineage from '#features/plan/lineage/lineage.contract.ts';
import { lineageHandlers } from '#features/plan/lineage/lineage.server.ts';
import { planHandlers } from '#features/plan/plan.server.ts';
import * as report from '#features/report/report.contract.ts';
import { reportHandlers } from '#features/report/report.server.ts';
import * as aiReport from '#features/report/list/aiReport.contract.ts';
import { aiReportHandlers } from '#features/report/list/aiReport.server.ts';
import * as reportReview from '#features/report/review/review.contract.ts';
import { reviewHandlers as reportReviewHandlers } from '#features/report/review/review.server.ts';
import * as aiText from '#features/aireport/aireport.contract.ts';
import { aiTextHandlers } from '#features/aireport/aireport.server.ts';
import * as trend from '#features/trend/trend.contract.ts';
import { trendHandlers } from '#features/trend/trend.server.ts';
import { answerHandlers } from '#features/respond/exam/answer.server.ts';
import { entryHandlers } from '#features/respond/entry/entry.server.ts';
import { examHandlers } from '#features/respond/exam/exam.server.ts';
import * as respond from '#features/respond/respond.contract.ts';
import * as testLink from '#features/respond/entry/testLink.contract.ts';
import { testLinkHandlers } from '#features/respond/entry/testLink.server.ts';
import * as preview from '#features/respond/preview/preview.contract.ts';
import { previewHandlers } from '#features/respond/preview/preview.server.ts';
import * as review from '#features/respond/review/review.contract.ts';
import { reviewHandlers } from '#features/respond/review/review.server.ts';
import * as acting from '#features/session/acting.contract.ts';
import { actingHandlers } from '#features/session/acting.server.ts';
import * as demo from '#features/session/demo.contract.ts';
import { demoHandlers } from '#features/session/demo.server.ts';
import * as session from '#features/session/session.contract.ts';
import { sessionHandlers } from '#features/session/session.server.ts';
import * as board from '#features/task/board/board.contract.ts';
import { boardHandlers, boardSubjects } from '#features/task/board/board.server.ts';
import { closingHandlers } from '#features/task/closing.server.ts';
import * as goods from '#features/goods/goods.contract.ts';
import { goodsHandlers } from '#features/goods/goods.server.ts';
import * as order from '#features/order/order.contract.ts';
import { orderHandlers } from '#features/order/order.server.ts';
import * as orderReconcile from '#features/order/reconcile/reconcile.contract.ts';
import { reconcileHandlers as orderReconcileHandlers } from '#features/order/reconcile/reconcile.server.ts';
import * as refund from '#features/order/refund/refund.contract.ts';
import * as hospital from '#features/statistics/hospital.contract.ts';
import { hospitalHandlers } from '#features/statistics/hospital.server.ts';
import * as termCompare from '#features/statistics/compare/compare.contract.ts';
import * as bureau from '#features/bureau/bureau.contract.ts';
import { bureauHandlers } from '#features/bureau/bureau.server.ts';
import { withReleasedFigures } from '#features/bureau/figures.server.ts';
import { compareHandlers } from '#features/statistics/compare/compare.server.ts';
import * as statisticOptions from '#features/statistics/options/options.contract.ts';
import { optionHandlers as statisticOptionHandlers } from '#features/statistics/options/options.server.ts';
import * as statisticPersons from '#features/statistics/persons/persons.contract.ts';
import { statisticPersonHandlers } from '#features/statistics/persons/persons.server.ts';
import * as statisticSheets from '#features/statistics/sheets/sheets.contract.ts';
import { statisticSheetHandlers } from '#features/statistics/sheets/sheets.server.ts';
import * as statisticStages from '#features/statistics/stages/stages.contract.ts';
import { stageHandlers } from '#features/statistics/stages/stages.server.ts';
import * as statistics from '#features/statistics/statistics.contract.ts';
import { statisticsHandlers } from '#features/statistics/statistics.server.ts';
import * as supervision from '#features/supervision/supervision.contract.ts';
import { supervisionHandlers } from '#features/supervision/supervision.server.ts';
import * as task from '#features/task/task.contract.ts';
import { taskHandlers } from '#features/task/task.server.ts';
import * as roster from '#features/team/roster/roster.contract.ts';
import { rosterHandlers } from '#features/team/roster/roster.server.ts';
import * as team from '#features/team/team.contract.ts';
import { teamHandlers, teamSubjects } from '#features/team/team.server.ts';
import * as teamfile from '#features/teamreport/teamfile.contract.ts';
import * as released from '#features/teamreport/released/released.contract.ts';
import { teamFileHandlers, teamFileSubjects } from '#features/teamreport/teamfile.server.ts';
import * as teamreport from '#features/teamreport/teamreport.contract.ts';
import { releasedReportHandlers } from '#features/teamreport/released/released.server.ts';
import { teamReportHandlers } from '#features/teamreport/teamreport.server.ts';
import * as casefile from '#features/warning/files/casefile.contract.ts';
import { casefileHandlers } from '#features/warning/files/casefile.server.ts';
import * as callList from '#features/warning/duty/calllist.contract.ts';
import { callListHandlers } from '#features/warning/duty/calllist.server.ts';
import * as duty from '#features/warning/duty/duty.contract.ts';
import { dutyHandlers } from '#features/warning/duty/duty.server.ts';
import * as reconcile from '#features/warning/reconcile/reconcile.contract.ts';
import { reconcileHandlers } from '#features/warning/reconcile/reconcile.server.ts';
import { warningExportSubjects } from '#features/warning/exportrows.ts';
import * as handover from '#features/warning/handover/handover.contract.ts';
import { handoverHandlers } from '#features/warning/handover/handover.server.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { handlingHandlers } from '#features/warning/handling/handling.server.ts';
import * as localDuties from '#features/warning/special/localDuties.contract.ts';
import { localDutiesHandlers } from '#features/warning/special/localDuties.server.ts';
import * as second from '#features/warning/second/second.contract.ts';
import { secondHandlers } from '#features/warning/second/second.server.ts';
import * as special from '#features/warning/special/special.contract.ts';
import * as transfer from '#features/warning/transfer/transfer.contract.ts';
import { transferHandlers } from '#features/warning/transfer/transfer.server.ts';
import { specialHandlers } from '#features/warning/special/special.server.ts';
import { riskassessHandlers } from '#features/warning/handling/riskassess.server.ts';
import * as safetyPlan from '#features/warning/plan/plan.contract.ts';
import { safetyPlanHandlers } from '#features/warning/plan/plan.server.ts';
import * as warningRule from '#features/warning/rules/rule.contract.ts';
import { ruleHandlers } from '#features/warning/rules/rule.server.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { warningHandlers } from '#features/warning/warning.server.ts';
import * as workbench from '#features/workbench/workbench.contract.ts';
import { workbenchHandlers } from '#features/workbench/workbench.server.ts';

/** Each contract of the product with the handlers of its actions, by feature. A new contract adds one line. */
const contracts: readonly (readonly [contract: Readonly<Record<string, unknown>>, handlers: readonly Handler[]])[] = [
  [menu, menuHandlers],
  [permission, permissionHandlers],
  [role, roleHandlers],
  [factor, factorHandlers],
  [profile, profileHandlers],
  [{ ...app, ...appChoice }, appHandlers],
  [
    approval,
    approvalHandlers({
      ...warningExportSubjects,
      ...careExportSubjects,
      ...consultExportSubjects,
      ...personsheetSubjects,
      ...examExportSubjects,
      ...reportPdfSubjects,
      ...teamSubjects,
      ...teamFileSubjects,
      ...boardSubjects,
      ...fhirExportSubjects,
    }),
  ],
  [audit, auditHandlers],
  [login, loginHandlers],
  [content, contentHandlers],
  [personContent, personContentHandlers],
  [consultForms, consultFormHandlers],
  [consultPerson, personConsultHandlers],
  [consultRegister, registerHandlers],
  [handOver, handOverHandlers],
  [consultBooking, bookingHandlers],
  [{ ...care, ...followUpWork }, careHandlers],
  [authorize, authorizeHandlers],
  [ledger, ledgerHandlers],
  [wallet, walletHandlers],
  [guardianConsent, guardianConsentHandlers],
  [consentSettings, consentSettingsHandlers],
  [cuser, cuserHandlers],
  [archive, archiveHandlers],
  [archivefield, archiveFieldHandlers],
  [comments, commentHandlers],
  [norm, normHandlers],
  [article, articleHandlers],
  [music, musicHandlers],
  [course, classroomHandlers],
  [goods, goodsHandlers],
  [{ ...order, ...refund }, orderHandlers],
  [orderReconcile, orderReconcileHandlers],
  [assess, assessHandlers],
  [identity, identityHandlers],
  [{ ...duplicates, ...merge }, [...duplicateHandlers, ...mergeHandlers]],
  [{ ...staffExam, ...voiding }, [...staffExamHandlers, ...voidHandlers]],
  [leaving, leavingHandlers],
  [{ ...anonymize, ...retention }, [...anonymizeHandlers, ...retentionHandlers]],
  [personsheet, personsheetHandlers],
  [fhir, fhirHandlers],
  [examdata, [...examDataHandlers, ...examExportHandlers]],
  [reportpdf, reportPdfHandlers],
  [replay, replayHandlers],
  [reporttemplate, reportTemplateHandlers],
  [file, fileHandlers],
  [upload, uploadHandlers],
  [form, formHandlers],
  [bandset, bandsetHandlers],
  [scaleeditor, [...draftHandlers, ...versionHandlers]],
  [scaleexchange, scaleExchangeHandlers],
  [exportJob, jobHandlers],
  [entryAdmin, entryAdminHandlers],
  [muser, muserHandlers],
  [muserUpdate, [updateMUser]],
  [notice, noticeHandlers],
  [noticeChannel, channelHandlers],
  [dept, deptHandlers],
  [user, userHandlers],
  [userBatch, userBatchHandlers],
  [userSheet, userSheetHandlers],
  [plan, planHandlers],
  [planLineage, lineageHandlers],
  [report, reportHandlers],
  [aiReport, aiReportHandlers],
  [reportReview, reportReviewHandlers],
  [aiText, aiTextHandlers],
  [trend, trendHandlers],
  [respond, [...entryHandlers, ...answerHandlers, ...examHandlers]],
  [testLink, testLinkHandlers],
  [preview, previewHandlers],
  [review, reviewHandlers],
  [acting, actingHandlers],
  [demo, demoHandlers],
  [session, sessionHandlers],
  [hospital, hospitalHandlers],
  [statistics, withReleasedFigures(statisticsHandlers)],
  [statisticOptions, statisticOptionHandlers],
  [termCompare, withReleasedFigures(compareHandlers)],
  [bureau, bureauHandlers],
  [statisticPersons, statisticPersonHandlers],
  [statisticSheets, statisticSheetHandlers],
  [statisticStages, stageHandlers],
  [screen, screenHandlers],
  [wall, wallHandlers],
  [board, boardHandlers],
  [supervision, supervisionHandlers],
  [consultSchedule, scheduleHandlers],
  [task, [...taskHandlers, ...closingHandlers]],
  [roster, rosterHandlers],
  [team, teamHandlers],
  [teamreport, teamReportHandlers],
  [teamfile, teamFileHandlers],
  [released, releasedReportHandlers],
  [consultNote, noteHandlers],
  [exceltemplate, [...excelTemplateHandlers, ...excelFillHandlers]],
  [casefile, casefileHandlers],
  [duty, dutyHandlers],
  [callList, callListHandlers],
  [handover, handoverHandlers],
  [reconcile, reconcileHandlers],
  [handling, [...handlingHandlers, ...riskassessHandlers]],
  [safetyPlan, safetyPlanHandlers],
  [second, secondHandlers],
  [special, specialHandlers],
  [transfer, transferHandlers],
  [localDuties, localDutiesHandlers],
  [warningRule, ruleHandlers],
  [warning, warningHandlers],
  [workbench, workbenchHandlers],
];

/** The handlers of all actions. */
export const handlers: readonly Handler[] = contracts.flatMap(([, bound]) => bound);

const isAction = (value: unknown): value is Action =>
  typeof value === 'object' && value !== null && 'allow' in value && 'request' in value;

/** The declared actions of all contracts. */
export const actions: readonly Action[] = contracts.flatMap(([contract]) => Object.values(contract).filter(isAction));

/**
 * Returns the faults of the registry; the server refuses to start unless the list is empty.
 * Each action has one handler and a unique name. A reveal names its person. A request refuses unknown keys.
 */
export function registryFaults(declared: readonly Action[] = actions, bound: readonly Handler[] = handlers): string[] {
  const faults: string[] = [];
  const names = declared.map((action) => action.name);
  for (const name of new Set(names))
    if (names.filter((other) => other === name).length > 1) faults.push(`${name} is declared twice`);
  for (const action of declared) {
    const count = bound.filter((handler) => handler.action === action).length;
    if (count !== 1) faults.push(`${action.name} has ${count} handlers`);
    if (action.kind === 'reveal' && !action.person) faults.push(`${action.name} reveals a person and does not say whom`);
    if (!action.request.safeParse({ __unknown: 1 }).error?.issues.some((issue) => issue.code === 'unrecognized_keys'))
      faults.push(`${action.name} does not refuse unknown keys`);
  }
  for (const handler of bound)
    if (!declared.includes(handler.action)) faults.push(`${handler.action.name} is handled but not declared`);
  return faults;
}
