import { expect, test } from 'vitest';
import { isPermitted } from '#contract/action.ts';
import { allCodes } from '#contract/menu.ts';
import { actions } from '#server/actions.ts';

const OWN_ACCOUNT = 'it is about the caller’s own account and sessions';
const OWN_VIEWS = 'the filters and columns of its own lists, no row of them';
const OWN_MESSAGES =
  'messages to the caller; clinical-rules.md B ⑤ requires that a case of level 4 is reported, with the institution and without a person';
const OWN_EXPORTS = 'the caller’s own files; the export that it queues is checked like its call';
const CATALOGUE = 'applications, stages, plans and questionnaires, which no person has filled in';
const RELEASE = 'authorities read the nightly release here (src/features/bureau/figures.server.ts)';
const OWN_SUPERVISION = 'the words of its own 督办 and of the answers, which name nobody';
const OWN_EXCEL = 'its own Excel form; the cells are filled from the release';
const INSTITUTIONS = 'names and places of institutions; an authority gets no number of them';
const RELEASED_REPORTS = 'every figure comes from the release; of a school’s own report only that the school shows it';
const OWN_UPLOADS = 'the caller’s own uploads';

/**
 * Every action that an authority (003) may call with all rights, and why it tells no live count of persons, sheets or cases. An
 * authority reads only the nightly release (supplement-people-statistics.md 9). A new line here needs a reviewer.
 */
const OPEN_TO_AUTHORITIES: Readonly<Record<string, string>> = {
  'as.m.access.updateToOSS': 'it receives a file',
  'as.m.access.updateToOSSPath': 'it receives a file',
  'as.m.app.exam.getExamStageListGroupByAppidCategoryid': CATALOGUE,
  'as.m.app.getAppList': CATALOGUE,
  'as.m.app.getExamCategoryList': CATALOGUE,
  'as.m.app.muser.getMUserAppList': CATALOGUE,
  'as.m.assess.getAnxiousQuotaCountRatio': RELEASE,
  'as.m.assess.getAssessAbnormalCount': RELEASE,
  'as.m.assess.getAssessCount': RELEASE,
  'as.m.assess.getAssessGradeCountTrend': RELEASE,
  'as.m.assess.getAssessPeopleCompleteCount': RELEASE,
  'as.m.assess.getAssessPeopleCount': RELEASE,
  'as.m.assess.getAssessSchoolCount': RELEASE,
  'as.m.assess.getDepressedQuotaCountRatio': RELEASE,
  'as.m.assess.getFormInfoByPlanCode': CATALOGUE,
  'as.m.assess.getGradeReportCountRatio': RELEASE,
  'as.m.assess.getManAndWomanAbnormalCountRatio': RELEASE,
  'as.m.assess.getSchoolList': INSTITUTIONS,
  'as.m.cuser.getCUserArchiveHeadList': 'the heads of the columns of archives, without a row',
  'as.m.exam.getQuotaFilterConditions': CATALOGUE,
  'as.m.exam.plan.getPlanForm': CATALOGUE,
  'as.m.exam.plan.getPlanStage': CATALOGUE,
  'as.m.file.cancelUpload': OWN_UPLOADS,
  'as.m.file.finishUpload': 'it receives a file',
  'as.m.file.getUpload': OWN_UPLOADS,
  'as.m.file.getUploadList': OWN_UPLOADS,
  'as.m.file.startUpload': 'it receives a file',
  'as.m.job.cancelExport': OWN_EXPORTS,
  'as.m.job.downloadExport': OWN_EXPORTS,
  'as.m.job.getExportPageList': OWN_EXPORTS,
  'as.m.job.insertExport': OWN_EXPORTS,
  'as.m.guide.getChecklist': OWN_ACCOUNT,
  'as.m.guide.hideChecklist': OWN_ACCOUNT,
  'as.m.guide.readReleases': OWN_ACCOUNT,
  'as.m.guide.visitStep': OWN_ACCOUNT,
  'as.m.pin.getPins': OWN_ACCOUNT,
  'as.m.pin.setPin': OWN_ACCOUNT,
  'as.m.list.deleteListView': OWN_VIEWS,
  'as.m.list.getListViews': OWN_VIEWS,
  'as.m.list.saveListView': OWN_VIEWS,
  'as.m.list.setDefaultListView': OWN_VIEWS,
  'as.m.notice.getNoticePageList': OWN_MESSAGES,
  'as.m.notice.getQuietHours': OWN_ACCOUNT,
  'as.m.notice.getUnreadCount': OWN_MESSAGES,
  'as.m.notice.readNotice': OWN_MESSAGES,
  'as.m.notice.updateQuietHours': OWN_ACCOUNT,
  'as.m.planner.createCalendarFeed': OWN_ACCOUNT,
  'as.m.planner.deleteCalendarFeed': OWN_ACCOUNT,
  'as.m.planner.getCalendarFeed': OWN_ACCOUNT,
  'as.m.report.exportReleasedReport': RELEASED_REPORTS,
  'as.m.report.getReleasedReport': RELEASED_REPORTS,
  'as.m.report.getReleasedReportList': RELEASED_REPORTS,
  'as.m.statistic.getReleaseOptions': 'the periods of the release and names of institutions',
  'as.m.statistic.getSchoolComparison': RELEASE,
  'as.m.statistic.getStatisticTime': RELEASE,
  'as.m.statistic.getTermTrend': RELEASE,
  'as.m.statistic.getBigScreenData': 'effort and outcome of the nightly release, and flags; no live count',
  'as.m.statistic.copyExcelTemplate': OWN_EXCEL,
  'as.m.statistic.deleteExcelCell': OWN_EXCEL,
  'as.m.statistic.deleteExcelTemplate': OWN_EXCEL,
  'as.m.statistic.exportExcelTemplate': OWN_EXCEL,
  'as.m.statistic.getExcelOptions': OWN_EXCEL,
  'as.m.statistic.getExcelTemplate': OWN_EXCEL,
  'as.m.statistic.getExcelTemplateList': OWN_EXCEL,
  'as.m.statistic.insertExcelCell': OWN_EXCEL,
  'as.m.statistic.previewExcelTemplate': OWN_EXCEL,
  'as.m.statistic.updateExcelCell': OWN_EXCEL,
  'as.m.statistic.updateExcelTemplate': OWN_EXCEL,
  'as.m.statistic.uploadExcelTemplate': OWN_EXCEL,
  'as.m.supervision.closeSupervision': OWN_SUPERVISION,
  'as.m.supervision.getSupervision': OWN_SUPERVISION,
  'as.m.supervision.getSupervisionPageList': OWN_SUPERVISION,
  'as.m.supervision.getSupervisionSchools': 'the flag 有超时 of the nightly count, which is no number (supplement 9)',
  'as.m.supervision.insertSupervision': OWN_SUPERVISION,
  'as.m.supervision.returnSupervision': OWN_SUPERVISION,
  'as.m.user.beginPasskey': OWN_ACCOUNT,
  'as.m.user.beginPasskeyStepUp': OWN_ACCOUNT,
  'as.m.user.beginSecondFactor': OWN_ACCOUNT,
  'as.m.user.chooseApp': OWN_ACCOUNT,
  'as.m.user.confirmPasskey': OWN_ACCOUNT,
  'as.m.user.confirmSecondFactor': OWN_ACCOUNT,
  'as.m.user.deletePasskey': OWN_ACCOUNT,
  'as.m.user.deleteTrustedDevice': OWN_ACCOUNT,
  'as.m.user.disableSecondFactor': OWN_ACCOUNT,
  'as.m.user.endMySession': OWN_ACCOUNT,
  'as.m.user.getAdministratorList': 'the staff of the caller’s own institution',
  'as.m.user.getDistrictList': 'the list of regions of the country',
  'as.m.user.getMySessions': OWN_ACCOUNT,
  'as.m.user.getPasskeyList': OWN_ACCOUNT,
  'as.m.user.getProfile': OWN_ACCOUNT,
  'as.m.user.getSecondFactor': OWN_ACCOUNT,
  'as.m.user.getScreenList': OWN_ACCOUNT,
  'as.m.user.getTrustedDeviceList': OWN_ACCOUNT,
  'as.m.user.getUserInfo': OWN_ACCOUNT,
  'as.m.user.insertScreenCode': OWN_ACCOUNT,
  'as.m.user.leaveLoginAs': OWN_ACCOUNT,
  'as.m.user.renewRecoveryCodes': OWN_ACCOUNT,
  'as.m.user.stepUp': OWN_ACCOUNT,
  'as.m.user.updateMUser': OWN_ACCOUNT,
  'as.m.user.updateProfile': OWN_ACCOUNT,
  'as.m.workbench.getMyDay': 'flags and the caller’s own 督办; no count of persons or cases',
};

const rights = new Set(allCodes);
const openActions = actions.filter(({ allow }) => allow.caller === 'staff' && isPermitted(allow, rights, '003'));

test('an authority with every right may call exactly the actions that somebody has reviewed', () => {
  expect(openActions.map((action) => action.name).sort()).toEqual(Object.keys(OPEN_TO_AUTHORITIES).sort());
});

test('an authority may reveal no person, and the reviewed reasons are not empty', () => {
  expect(openActions.filter((action) => action.kind === 'reveal')).toEqual([]);
  expect(Object.entries(OPEN_TO_AUTHORITIES).filter(([, reason]) => reason.length < 10)).toEqual([]);
});
