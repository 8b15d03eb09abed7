import type { Config } from '#server/config.ts';
import { diskStorage, type Storage } from '#server/storage/storage.ts';
import type pg from 'pg';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import { FileKeys } from '#server/storage/fileKeys.ts';
import { sealedStorage } from '#server/storage/sealedStorage.ts';

/** Returns the file store of this installation: the operator's bucket, or the data folder. Files are sealed in it. */
export async function openStorage(
  { dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>,
  cipher: FieldCipher,
  authn: pg.Pool,
): Promise<Storage> {
  const keys = new FileKeys(authn, cipher);
  if (!s3) return sealedStorage(diskStorage(dataDir, cipher), keys);
  // The client is large, so it is loaded only when it is used.
  const { s3Storage } = await import('#server/storage/s3Storage.ts');
  return sealedStorage(s3Storage(s3, cipher), keys);
}
