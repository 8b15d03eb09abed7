import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Services } from '#server/dispatch/services.ts';
import { folders, type StoredObject } from '#server/storage/storage.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { removeUnclaimed, findUsedKeys } from '#features/file/file.queries.ts';
import { findNeeded, removeExpired } from '#features/file/upload/upload.queries.ts';
import { expireExports } from '#features/job/job.queries.ts';

const DAY_MS = 86_400_000;

/** Stored files of which one statement asks whether they are used. */
const BATCH = 500;

/**
 * Deletes expired exports, files unused for a day, uploads that nobody finished in time, and stored files without a row in the
 * database. Calls that fail after writing a file leave such files. Returns the number of deleted files.
 */
export async function cleanupFiles(services: Pick<Services, 'pools' | 'storage'>, now: Date): Promise<number> {
  const { pools, storage } = services;
  const expiredKeys = await runAsSystem(pools, platformCode, async (scope) => [
    ...(await expireExports(scope, now)),
    ...(await removeUnclaimed(scope, new Date(now.getTime() - DAY_MS))).map((row) => row.path),
  ]);
  for (const key of expiredKeys) await storage.delete(key);
  let removedCount = expiredKeys.length + (await cleanupUploads(services, now));
  for (const folder of folders) {
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
      if (batch.push(object) >= BATCH) await deleteUnused();
    }
    await deleteUnused();
  }
  return removedCount;
}

/**
 * Deletes the uploads that have expired, and the bytes of uploads that are finished, cancelled or unknown. Returns the number of uploads
 * whose bytes it deleted.
 */
async function cleanupUploads({ pools, storage }: Pick<Services, 'pools' | 'storage'>, now: Date): Promise<number> {
  const expired = await runAsSystem(pools, platformCode, (scope) => removeExpired(scope, now));
  for (const uploadid of expired) await storage.parts.remove(uploadid);
  let count = expired.length;
  let batch: string[] = [];
  const deleteUnneeded = async () => {
    const uploadids = batch;
    batch = [];
    if (uploadids.length === 0) return;
    const needed = await runAsSystem(pools, platformCode, (scope) => findNeeded(scope, uploadids));
    for (const uploadid of uploadids.filter((candidate) => !needed.has(candidate))) {
      await storage.parts.remove(uploadid);
      count++;
    }
  };
  for await (const { uploadid, time } of storage.parts.list()) {
    // A younger upload may belong to a call that is still running.
    if (now.getTime() - time.getTime() < DAY_MS) continue;
    if (batch.push(uploadid) >= BATCH) await deleteUnneeded();
  }
  await deleteUnneeded();
  return count;
}
