import type { Config } from '#server/config.ts';
import { diskStorage, type Storage } from '#server/storage/storage.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** Returns the file store of this installation: the operator's bucket, or the data folder. */
export async function openStorage({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>, cipher: FieldCipher): Promise<Storage> {
  if (!s3) return diskStorage(dataDir, cipher);
  // The client is large, so it is loaded only when it is used.
  const { s3Storage } = await import('#server/storage/s3Storage.ts');
  return s3Storage(s3, cipher);
}
