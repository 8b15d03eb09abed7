import { shanghaiTime } from '#domain/base/calendar.ts';
import { mapInOrder } from '#domain/base/inOrder.ts';
import { factsFrom, type ReportBasis } from '#domain/report/report.basis.ts';
import type { ReportFacts } from '#domain/report/report.facts.ts';
import { problems } from '#contract/problem.ts';
import type { Scope } from '#server/db/scope.ts';
import { scaleFor } from '#features/form/scaleCache.ts';
import { findReportSource, type ReportSource } from '#features/report/texts.queries.ts';

/**
 * The facts of a report and the path of its institution, to try texts with it. A written report keeps no basis: its facts then come from
 * the sheet, with the present archive and without earlier exams. Refuses 130001 for a report that the caller cannot read.
 */
export async function findReportFacts(
  scope: Scope,
  reportcode: string,
): Promise<{ cuserid: string; orgpath: string; facts: ReportFacts }> {
  const row = await findReportSource(scope, reportcode);
  if (!row) throw problems.notFound({ what: '报告' });
  const forms = await mapInOrder(row.forms, async ({ formcode, formversion, answers, raw }) => ({
    scale: await scaleFor(scope, formcode, formversion),
    answers,
    result: raw,
  }));
  return { cuserid: row.cuserid, orgpath: row.orgpath, facts: factsFrom(reportcode, row.basis ?? basisOf(row), forms) };
}

const basisOf = (row: ReportSource): ReportBasis => ({
  generatedat: shanghaiTime(row.submittime),
  institution: { insname: row.insname, musercode: row.musercode },
  person: { name: '', gender: row.gender, age: row.age },
  exam: {
    examcode: row.examcode,
    appid: row.appid,
    planname: '',
    submittime: shanghaiTime(row.submittime),
    valid: row.valid !== 0,
    invalidreason: row.invalidreason,
    gestationaldays: row.gestationaldays,
  },
  archive: row.archive,
  previous: {},
});
