import { sql } from 'kysely';
import type { Context, Handler } from '#server/dispatch/handle.ts';
import type { Services } from '#server/dispatch/services.ts';
import { withStatsScope, type Scope, type SessionCredentials } from '#server/db/scope.ts';

/** Returns the function that runs figures of a call: on the replica, or on the primary when there is none or it cannot answer. */
export const figuresOf =
  ({ pools, replica }: Services, scope: Scope, credentials: SessionCredentials, now: Date): Context['figures'] =>
  async (work) => {
    const read = await replica?.readFigures(scope, credentials, work);
    return read ? read.result : withStatsScope(pools.stats, credentials, (primary) => work(primary, now));
  };

/**
 * Runs the handler of a call. An export that may read the replica runs there, with the transaction of the replica as its scope; everything
 * else of the call, such as the audit row, stays on the primary. What fails on the replica runs on the primary.
 */
export async function runHandler(
  { run, readsReplica }: Pick<Handler, 'run' | 'readsReplica'>,
  input: unknown,
  ctx: Context,
  credentials: SessionCredentials,
): Promise<unknown> {
  const start = run as (one: unknown, context: Context) => Promise<unknown>;
  if (!readsReplica || !ctx.replica) return start(input, ctx);
  const read = await ctx.replica.readExport(ctx.scope, credentials, (scope, asof) =>
    keepingAlive(ctx.scope, async () => {
      const later: Parameters<Context['afterCommit']>[0][] = [];
      const result = await start(input, { ...ctx, scope, asof, afterCommit: (work) => later.push(work) });
      for (const work of later) ctx.afterCommit(work);
      return result;
    }),
  );
  return read ? read.result : start(input, ctx);
}

/** PostgreSQL ends a transaction that is idle for ten seconds. */
const BEAT_MS = 3_000;

/** Runs `work` elsewhere while a transaction waits: a statement now and then keeps it open. */
async function keepingAlive<T>(waiting: Scope, work: () => Promise<T>): Promise<T> {
  let beat: Promise<unknown> = Promise.resolve();
  // A transaction that has broken fails the call with its next statement.
  const timer = setInterval(() => (beat = beat.then(() => sql`select`.execute(waiting.db)).catch(() => undefined)), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await beat;
  }
}
