import { shanghaiTime } from '#domain/base/calendar.ts';
import { colourOf } from '#domain/scoring/mentalState.ts';
import type { Level } from '#domain/scoring/scale.ts';
import { handle, type ReadContext } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { displayName } from '#server/security/privacy.ts';
import { findStageNames } from '#features/archive/archive.queries.ts';
import { scaleFor } from '#features/form/scaleCache.ts';
import { toAnswerRows } from '#features/examdata/answers.ts';
import * as contract from '#features/examdata/examdata.contract.ts';
import { assertReadsResults, canReadAnswers } from '#features/examdata/examRights.ts';
import * as queries from '#features/examdata/examdata.queries.ts';

/** The caller's populations, and the hash of a telephone in the search. */
export const limitsOf = (
  { caller, cipher }: Pick<ReadContext<'staff'>, 'caller' | 'cipher'>,
  {
    appid,
    keyword = '',
    musercode,
  }: { appid?: string | undefined; keyword?: string | undefined; musercode?: string | undefined },
) => ({
  appids: permittedPopulations(caller, appid),
  phonehashes: /^1\d{10}$/.test(keyword) ? cipher.blindIndexes(musercode ?? caller.musercode, 'cuser.phone', keyword) : undefined,
});

/** The scores of sheets by their id, in the order of the indicators. */
async function scoresBySheet(scope: ReadContext['scope'], sheets: readonly queries.SheetRow[]) {
  const quotas = await queries.findQuotas(scope, [...new Set(sheets.map((sheet) => sheet.formcode))]);
  const scores = new Map(
    (
      await queries.findScores(
        scope,
        sheets.map((sheet) => sheet.examformid),
      )
    ).map((row) => [`${row.examformid} ${row.quotacode}`, row]),
  );
  return ({ examformid, formcode }: queries.SheetRow) =>
    quotas
      .filter((quota) => quota.formcode === formcode)
      .flatMap(({ formcode: _formcode, formname: _formname, ...quota }) => {
        const row = scores.get(`${examformid} ${quota.quotacode}`);
        if (!row) return [];
        const { score, level, levelname } = row;
        return [{ ...quota, score, level, levelname: levelname ?? '', colour: colourOf(level as Level | null).hex }];
      });
}

const getCUserExamDataPageList = handle(contract.getCUserExamDataPageList, async (filters, ctx) => {
  const { scope, caller } = ctx;
  assertReadsResults(caller);
  const { total, examformids } = await queries.findSheetPage(scope, { ...filters, ...limitsOf(ctx, filters) });
  const needsAnswers = Boolean(filters.formcode) && canReadAnswers(caller);
  const sheets = await queries.findSheets(scope, examformids, { needsAnswers });
  const scoresOf = await scoresBySheet(scope, sheets);
  const stageName = await findStageNames(scope);
  // Reading single answers leaves a trail, as in the report.
  if (needsAnswers && sheets.length > 0) ctx.audit({ cuserids: [...new Set(sheets.map((sheet) => sheet.cuserid))] });
  const rows: contract.ExamDataRow[] = [];
  for (const { answers, raw, personno: _personno, ...sheet } of sheets)
    rows.push({
      ...sheet,
      username: displayName(caller, sheet.username),
      gender: sheet.gender as contract.ExamDataRow['gender'],
      planname: sheet.planname ?? '',
      stagename: stageName(sheet.appid, sheet.stagecode),
      taskname: sheet.taskname ?? '',
      submittime: shanghaiTime(sheet.submittime),
      valid: sheet.valid ?? 0,
      scores: scoresOf({ ...sheet, answers, raw, personno: '' }),
      answers: answers ? toAnswerRows(await scaleFor(scope, sheet.formcode, sheet.formversion), answers, raw) : [],
    });
  return { total, rows };
});

export const examDataHandlers = [getCUserExamDataPageList];
