import { shanghaiTime } from '#domain/base/calendar.ts';
import { ReviewKind } from '#domain/exam/review.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { displayName } from '#server/security/privacy.ts';
import { canReadCases } from '#features/warning/warningrow.ts';
import * as contract from '#features/respond/review/review.contract.ts';
import * as queries from '#features/respond/review/review.queries.ts';

const getExamReviewPageList = handle(contract.getExamReviewPageList, async (filters, { scope, caller, now, audit }) => {
  if (!canReadCases(caller)) throw problems.notAllowed();
  const { total, rows } = await queries.findReviews(scope, filters);
  audit({ cuserids: [...new Set(rows.map((row) => row.cuserid))] });
  return {
    total,
    rows: rows.map((row) => ({
      ...row,
      kindname: ReviewKind.label(row.kind),
      username: displayName(caller, row.username),
      createtime: shanghaiTime(row.createtime),
      duetime: shanghaiTime(row.duetime),
      isoverdue: row.donetime === null && row.duetime < now ? 1 : 0,
      donetime: row.donetime && shanghaiTime(row.donetime),
      donename: row.donename ?? '',
    })),
  };
});

const finishExamReview = handle(contract.finishExamReview, async ({ reviewid, note }, { scope, caller, now, audit }) => {
  if (!canReadCases(caller)) throw problems.notAllowed();
  const row = await queries.finishReview(scope, reviewid, {
    donetime: now,
    doneby: caller.accountid,
    donename: caller.name,
    note,
  });
  if (!row) {
    if (await queries.hasReview(scope, reviewid)) throw problems.wrongState({ why: '这份答卷已经由其他人处理' });
    throw problems.notFound({ what: '待核对答卷' });
  }
  audit({ cuserids: [row.cuserid], objectid: row.examcode, detail: { reviewid } });
  return {};
});

export const reviewHandlers = [getExamReviewPageList, finishExamReview];
