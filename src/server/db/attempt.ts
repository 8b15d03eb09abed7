import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

/** The result of a part of a job, or the error that ended it. */
export type Attempt<T> = { ok: true; value: T } | { ok: false; error: string };

/** Runs a part of a job inside its transaction. When the part fails, the database forgets it, and the other parts go on. */
export async function attempt<T>(scope: Scope, work: () => Promise<T>): Promise<Attempt<T>> {
  await sql`savepoint attempt`.execute(scope.db);
  try {
    const value = await work();
    await sql`release savepoint attempt`.execute(scope.db);
    return { ok: true, value };
  } catch (error) {
    await sql`rollback to savepoint attempt`.execute(scope.db);
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}
