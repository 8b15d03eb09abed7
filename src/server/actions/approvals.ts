import type { Bound } from '#server/actions/bound.ts';
import * as approval from '#features/approval/approval.contract.ts';
import { approvalHandlers } from '#features/approval/approval.server.ts';
import { warningExportSubjects } from '#features/warning/exportrows.ts';
import { careExportSubjects } from '#features/care/exportrows.ts';
import { consultExportSubjects } from '#features/consult/register/exportrows.ts';
import { personsheetSubjects } from '#features/personsheet/personsheet.server.ts';
import { examExportSubjects } from '#features/examdata/examexport.server.ts';
import { reportPdfSubjects } from '#features/reportpdf/reportpdf.server.ts';
import { teamSubjects } from '#features/team/team.server.ts';
import { teamFileSubjects } from '#features/teamreport/teamfile.server.ts';
import { boardSubjects } from '#features/task/board/board.server.ts';
import { fhirExportSubjects } from '#features/fhir/fhir.server.ts';

/** The contracts of approvals, with the exports that one can be asked for, each with its handlers. */
export const approvals: readonly Bound[] = [
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
];
