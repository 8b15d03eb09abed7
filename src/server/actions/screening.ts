import type { Bound } from '#server/actions/bound.ts';
import * as authorize from '#features/assesscount/authorizations/authorize.contract.ts';
import { authorizeHandlers } from '#features/assesscount/authorizations/authorize.server.ts';
import * as ledger from '#features/assesscount/ledger.contract.ts';
import { ledgerHandlers } from '#features/assesscount/ledger.server.ts';
import * as wallet from '#features/assesscount/wallet.contract.ts';
import { walletHandlers } from '#features/assesscount/wallet.server.ts';
import * as comments from '#features/comments/comments.contract.ts';
import { commentHandlers } from '#features/comments/comments.server.ts';
import * as norm from '#features/norm/norm.contract.ts';
import { normHandlers } from '#features/norm/norm.server.ts';
import * as assess from '#features/assess/assess.contract.ts';
import { assessHandlers } from '#features/assess/assess.server.ts';
import * as staffExam from '#features/staffexam/staffexam.contract.ts';
import * as voiding from '#features/staffexam/void.contract.ts';
import { staffExamHandlers } from '#features/staffexam/staffexam.server.ts';
import { voidHandlers } from '#features/staffexam/void.server.ts';
import * as examdata from '#features/examdata/examdata.contract.ts';
import { examDataHandlers } from '#features/examdata/examdata.server.ts';
import { examExportHandlers } from '#features/examdata/examexport.server.ts';
import * as form from '#features/form/form.contract.ts';
import { formHandlers } from '#features/form/form.server.ts';
import * as bandset from '#features/bandset/bandset.contract.ts';
import { bandsetHandlers } from '#features/bandset/bandset.server.ts';
import * as scaleeditor from '#features/scaleeditor/scaleeditor.contract.ts';
import { draftHandlers } from '#features/scaleeditor/drafts.server.ts';
import { versionHandlers } from '#features/scaleeditor/versions.server.ts';
import * as scaleexchange from '#features/scaleexchange/scaleexchange.contract.ts';
import { scaleExchangeHandlers } from '#features/scaleexchange/scaleexchange.server.ts';
import * as plan from '#features/plan/plan.contract.ts';
import { planHandlers } from '#features/plan/plan.server.ts';
import * as planLineage from '#features/plan/lineage/lineage.contract.ts';
import { lineageHandlers } from '#features/plan/lineage/lineage.server.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { entryHandlers } from '#features/respond/entry/entry.server.ts';
import { answerHandlers } from '#features/respond/exam/answer.server.ts';
import { examHandlers } from '#features/respond/exam/exam.server.ts';
import * as testLink from '#features/respond/entry/testLink.contract.ts';
import { testLinkHandlers } from '#features/respond/entry/testLink.server.ts';
import * as preview from '#features/respond/preview/preview.contract.ts';
import { previewHandlers } from '#features/respond/preview/preview.server.ts';
import * as review from '#features/respond/review/review.contract.ts';
import { reviewHandlers } from '#features/respond/review/review.server.ts';
import * as board from '#features/task/board/board.contract.ts';
import { boardHandlers } from '#features/task/board/board.server.ts';
import * as task from '#features/task/task.contract.ts';
import { taskHandlers } from '#features/task/task.server.ts';
import { closingHandlers } from '#features/task/closing.server.ts';

/** The contracts of questionnaires, plans, tasks and answering, each with its handlers. */
export const screening: readonly Bound[] = [
  [authorize, authorizeHandlers],
  [ledger, ledgerHandlers],
  [wallet, walletHandlers],
  [comments, commentHandlers],
  [norm, normHandlers],
  [assess, assessHandlers],
  [{ ...staffExam, ...voiding }, [...staffExamHandlers, ...voidHandlers]],
  [examdata, [...examDataHandlers, ...examExportHandlers]],
  [form, formHandlers],
  [bandset, bandsetHandlers],
  [scaleeditor, [...draftHandlers, ...versionHandlers]],
  [scaleexchange, scaleExchangeHandlers],
  [plan, planHandlers],
  [planLineage, lineageHandlers],
  [respond, [...entryHandlers, ...answerHandlers, ...examHandlers]],
  [testLink, testLinkHandlers],
  [preview, previewHandlers],
  [review, reviewHandlers],
  [board, boardHandlers],
  [task, [...taskHandlers, ...closingHandlers]],
];
