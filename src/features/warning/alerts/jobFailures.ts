import { shanghaiDate } from '#domain/base/calendar.ts';
import { pathOf } from '#contract/menu.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { notifyAbove } from '#features/warning/alerts/notify.queries.ts';

/** A part of a recurring job that failed: one case, one sheet, or the whole institution. */
export interface JobFailure {
  musercode: string;
  /** the case or the exam; absent for the institution */
  code?: string;
  error: string;
}

/**
 * Tells the operator and the provider, once a day for each institution, that the server could not look after something. Otherwise an
 * alarm that the job would have raised stays unheard, and nobody knows.
 */
export async function notifyOfFailures(
  { pools }: Pick<Services, 'pools'>,
  what: string,
  failures: readonly JobFailure[],
  now: Date,
): Promise<void> {
  for (const musercode of new Set(failures.map((failure) => failure.musercode))) {
    const codes = failures.flatMap((failure) => (failure.musercode === musercode && failure.code ? [failure.code] : []));
    await runAsSystem(pools, musercode, async (scope) => {
      const { insname } = await scope.db
        .selectFrom('muser')
        .select('insname')
        .where('musercode', '=', musercode)
        .executeTakeFirstOrThrow();
      for (const node of ['operator', 'provider'] as const)
        await notifyAbove(scope, {
          musercode,
          node,
          kind: 'overdue',
          title: `${insname}：${what}没有运行成功`,
          content: `${codes.length > 0 ? `涉及 ${codes.slice(0, 10).join('、')}。` : ''}请立即联系技术人员，并人工核对该机构的个案。`,
          link: pathOf('warning.crisis'),
          key: `jobfailed:${what}:${musercode}:${shanghaiDate(now)}:${node}`,
          time: now,
        });
    });
  }
}
