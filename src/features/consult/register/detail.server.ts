import { shanghaiTime } from '#domain/base/calendar.ts';
import { answerText } from '#domain/report/report.facts.ts';
import type { Answers } from '#domain/scoring/scale.ts';
import type { ResponseOf } from '#contract/action.ts';
import { canReadField } from '#contract/fieldAccess.ts';
import { problems } from '#contract/problem.ts';
import { handle, type Context } from '#server/dispatch/handle.ts';
import { findConsult, type ConsultRecord } from '#features/consult/consult.queries.ts';
import { openAnswers, openText } from '#features/consult/consultSeal.ts';
import { isOwnConsult } from '#features/consult/lockConsult.ts';
import { permittedSteps } from '#features/consult/permittedSteps.ts';
import { readerOf, toConsultRow } from '#features/consult/register/consultRow.ts';
import * as contract from '#features/consult/register/register.contract.ts';
import * as queries from '#features/consult/register/register.queries.ts';
import { scaleFor } from '#features/form/scaleCache.ts';
import { withRegionNames } from '#features/report/regionNames.queries.ts';

type Detail = ResponseOf<typeof contract.getConsultDetail>;

/** The answered questions in the order of the form that was filled in, with options by their labels. */
async function describeAnswers({ scope, cipher }: Context<'staff'>, consult: ConsultRecord): Promise<Detail['answers']> {
  const { formcode, formversion, musercode } = consult;
  if (formcode === null || formversion === null || consult.answers === null) return [];
  const scale = await scaleFor(scope, formcode, formversion);
  const answers = await withRegionNames(scope, scale, openAnswers(cipher, musercode, consult.answers) as Answers);
  return scale.items.flatMap((item) => {
    const text = answerText(scale, item, answers);
    return text === null ? [] : [{ c: item.c, title: item.t, text }];
  });
}

export const getConsultDetail = handle(contract.getConsultDetail, async ({ consultid }, ctx) => {
  const { scope, cipher, caller } = ctx;
  const consult = await findConsult(scope, consultid);
  const row = await queries.findConsultRow(scope, consultid, readerOf(ctx));
  if (!consult || !row) throw problems.notFound({ what: '咨询登记' });
  ctx.audit({ cuserids: [consult.cuserid], objectid: String(consultid) });
  const { musercode, formcode } = consult;
  const isReader = canReadField(caller, 'consults');
  const log = await queries.findConsultLog(scope, consultid);
  const root = consult.seriesid ?? consultid;
  const series = await queries.findSeries(scope, root, consultid);
  return {
    ...toConsultRow(ctx, row),
    formname: formcode === null ? '' : await queries.findFormName(scope, formcode),
    answers: isReader ? await describeAnswers(ctx, consult) : [],
    attendance: consult.attendance as Detail['attendance'],
    currentlevel: consult.currentlevel,
    summary: isReader ? openText(cipher, musercode, 'consult.summary', consult.summary) : '',
    donetime: consult.donetime && shanghaiTime(consult.donetime),
    cancelby: consult.cancelby as Detail['cancelby'],
    cancelreason: consult.cancelreason,
    isown: isOwnConsult(ctx, consult) ? 1 : 0,
    hasnote: (await queries.hasOwnNote(scope, consultid)) ? 1 : 0,
    steps: [...(await permittedSteps(ctx, consult))],
    log: log.map(({ content, time, ...line }) => ({
      ...line,
      content: isReader ? openText(cipher, musercode, 'consultlog.content', content) : '',
      time: shanghaiTime(time),
    })),
    series: series.map(({ slotbegin, status, ...other }) => ({
      ...other,
      slotbegin: slotbegin && shanghaiTime(slotbegin),
      status: status as Detail['status'],
    })),
  };
});
