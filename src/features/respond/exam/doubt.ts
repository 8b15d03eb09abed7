import type { ExamResult } from '#domain/exam/exam.ts';
import { highestLevel } from '#domain/exam/openSheet.ts';
import { reviewDue } from '#domain/exam/review.ts';
import type { Scope } from '#server/db/scope.ts';
import { findWarningSettings } from '#features/warning/duty/duty.queries.ts';
import type { LoadedExam, Submission } from '#features/respond/exam/submission.queries.ts';

/** Why staff must look at a doubtful sheet with a high level (存疑高分), and until when; null for every other sheet. */
export async function findDoubt(
  scope: Scope,
  { musercode }: Pick<LoadedExam, 'musercode'>,
  result: ExamResult,
  now: Date,
): Promise<Submission['exam']['review']> {
  if (result.valid) return null;
  const level = highestLevel(result.forms);
  if (level < 3) return null;
  const { trigger } = await findWarningSettings(scope, musercode);
  return {
    content: `作答存疑（${result.invalidreason ?? ''}），但得分达到${level >= 4 ? '极重度' : '重度'}。请当面了解并安排重测`,
    duetime: reviewDue(now, trigger.calendar),
  };
}
