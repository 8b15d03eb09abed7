import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Services } from '#server/dispatch/services.ts';
import type { StoredObject } from '#server/storage/storage.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { removeUnclaimed, findUsedKeys } from '#features/file/file.queries.ts';
import { expireExports } from '#features/job/job.queries.ts';

const DAY_MS = 86_400_000;

/**
 * Deletes expired exports, uploads unused for a day, and stored files without a row in the database. Calls that fail after writing a
 * file leave such files. Returns the number of deleted files.
 */
export async function cleanupFiles(services: Pick<Services, 'pools' | 'storage'>, now: Date): Promise<number> {
  const { pools, storage } = services;
  const expiredKeys = await runAsSystem(pools, platformCode, async (scope) => [
    ...(await expireExports(scope, now)),
    ...(await removeUnclaimed(scope, new Date(now.getTime() - DAY_MS))).map((row) => row.path),
  ]);
  for (const key of expiredKeys) await storage.delete(key);
  let removedCount = expiredKeys.length;
  for (const folder of ['upload', 'export'] as const) {
    let batch: StoredObject[] = [];
    const deleteUnused = async () => {
      const keys = batch.map((object) => object.key);
      batch = [];
      if (keys.length === 0) return;
      const usedKeys = await runAsSystem(pools, platformCode, (scope) => findUsedKeys(scope, keys));
      for (const key of keys.filter((candidate) => !usedKeys.has(candidate))) {
        await storage.delete(key);
        removedCount++;
      }
    };
    for await (const object of storage.list(folder)) {
      // A younger file may belong to a call that is still running.
      if (now.getTime() - object.time.getTime() < DAY_MS) continue;
      if (batch.push(object) >= 500) await deleteUnused();
    }
    await deleteUnused();
  }
  return removedCount;
}
