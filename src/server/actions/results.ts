import type { Bound } from '#server/actions/bound.ts';
import * as fhir from '#features/fhir/fhir.contract.ts';
import { fhirHandlers } from '#features/fhir/fhir.server.ts';
import * as reportpdf from '#features/reportpdf/reportpdf.contract.ts';
import { reportPdfHandlers } from '#features/reportpdf/reportpdf.server.ts';
import * as reporttemplate from '#features/reporttemplate/reporttemplate.contract.ts';
import { reportTemplateHandlers } from '#features/reporttemplate/reporttemplate.server.ts';
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
import * as hospital from '#features/statistics/hospital.contract.ts';
import { hospitalHandlers } from '#features/statistics/hospital.server.ts';
import * as statistics from '#features/statistics/statistics.contract.ts';
import { withReleasedFigures } from '#features/bureau/figures.server.ts';
import { statisticsHandlers } from '#features/statistics/statistics.server.ts';
import * as statisticOptions from '#features/statistics/options/options.contract.ts';
import { optionHandlers as statisticOptionHandlers } from '#features/statistics/options/options.server.ts';
import * as termCompare from '#features/statistics/compare/compare.contract.ts';
import { compareHandlers } from '#features/statistics/compare/compare.server.ts';
import * as bureau from '#features/bureau/bureau.contract.ts';
import { bureauHandlers } from '#features/bureau/bureau.server.ts';
import * as statisticPersons from '#features/statistics/persons/persons.contract.ts';
import { statisticPersonHandlers } from '#features/statistics/persons/persons.server.ts';
import * as statisticSheets from '#features/statistics/sheets/sheets.contract.ts';
import { statisticSheetHandlers } from '#features/statistics/sheets/sheets.server.ts';
import * as statisticStages from '#features/statistics/stages/stages.contract.ts';
import { stageHandlers } from '#features/statistics/stages/stages.server.ts';
import * as screen from '#features/bigscreen/screen.contract.ts';
import { screenHandlers } from '#features/bigscreen/screen.server.ts';
import * as wall from '#features/bigscreen/wall.contract.ts';
import { wallHandlers } from '#features/bigscreen/wall.server.ts';
import * as teamreport from '#features/teamreport/teamreport.contract.ts';
import { teamReportHandlers } from '#features/teamreport/teamreport.server.ts';
import * as teamfile from '#features/teamreport/teamfile.contract.ts';
import { teamFileHandlers } from '#features/teamreport/teamfile.server.ts';
import * as released from '#features/teamreport/released/released.contract.ts';
import { releasedReportHandlers } from '#features/teamreport/released/released.server.ts';
import * as exceltemplate from '#features/exceltemplate/exceltemplate.contract.ts';
import { excelTemplateHandlers } from '#features/exceltemplate/exceltemplate.server.ts';
import { excelFillHandlers } from '#features/exceltemplate/fill.server.ts';

/** The contracts of reports, trends, statistics and boards, each with its handlers. */
export const results: readonly Bound[] = [
  [fhir, fhirHandlers],
  [reportpdf, reportPdfHandlers],
  [reporttemplate, reportTemplateHandlers],
  [report, reportHandlers],
  [aiReport, aiReportHandlers],
  [reportReview, reportReviewHandlers],
  [aiText, aiTextHandlers],
  [trend, trendHandlers],
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
  [teamreport, teamReportHandlers],
  [teamfile, teamFileHandlers],
  [released, releasedReportHandlers],
  [exceltemplate, [...excelTemplateHandlers, ...excelFillHandlers]],
];
