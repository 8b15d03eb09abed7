import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** The result of a part of a job, or the error that ended it. */
export type Attempt<T> = { ok: true; value: T } | { ok: false; error: string };

/** Runs a part of a job inside its transaction. When the part fails, the database forgets it, and the other parts go on. */
export const attempt = <T>(scope: Scope, work: () => Promise<T>): Promise<Attempt<T>> =>
  withSavepoint(scope, work).then(
    (value) => ({ ok: true, value }),
    (error: unknown) => ({ ok: false, error: error instanceof Error ? error.message : String(error) }),
  );

/** Runs `work` within the transaction. When it throws, only its own changes are rolled back, and the transaction goes on. */
export async function withSavepoint<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  await sql`savepoint part`.execute(scope.db);
  try {
    return await work();
  } catch (error) {
    await sql`rollback to savepoint part`.execute(scope.db);
    throw error;
  } finally {
    await sql`release savepoint part`.execute(scope.db);
  }
}
