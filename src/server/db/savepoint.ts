import { sql } from 'kysely';
import type { Scope } from '#server/db/scope.ts';

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
