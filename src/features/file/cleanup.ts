import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Services } from '#server/dispatch/services.ts';
import type { StoredObject } from '#server/storage/storage.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { forgetUnclaimed, findUsedKeys } from '#features/file/file.queries.ts';
import { expireExports } from '#features/job/job.queries.ts';

const day = 86_400_000;

/**
 * Removes exports whose time is over, uploads nobody has used for a day, and what lies in the store without a row of the database
 * (calls that failed after the file was written). Answers how many files went.
 */
export async function cleanupFiles(services: Pick<Services, 'pools' | 'storage'>, now: Date): Promise<number> {
  const { pools, storage } = services;
  const over = await runAsSystem(pools, platformCode, async (scope) => [
    ...(await expireExports(scope, now)),
    ...(await forgetUnclaimed(scope, new Date(now.getTime() - day))).map((row) => row.path),
  ]);
  for (const key of over) await storage.delete(key);
  let removed = over.length;
  for (const folder of ['upload', 'export'] as const) {
    let batch: StoredObject[] = [];
    const clear = async () => {
      const keys = batch.map((stored) => stored.key);
      batch = [];
      if (keys.length === 0) return;
      const used = await runAsSystem(pools, platformCode, (scope) => findUsedKeys(scope, keys));
      for (const key of keys.filter((text) => !used.has(text))) {
        await storage.delete(key);
        removed++;
      }
    };
    for await (const stored of storage.list(folder)) {
      // Younger files may belong to a call that is not over yet.
      if (now.getTime() - stored.time.getTime() < day) continue;
      if (batch.push(stored) >= 500) await clear();
    }
    await clear();
  }
  return removed;
}
