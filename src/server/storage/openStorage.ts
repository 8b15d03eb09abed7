import type { Config } from '#server/config.ts';
import { diskStorage, type Storage } from '#server/storage/storage.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';

/** The file store of this installation: the bucket the operator names, else the data folder. */
export async function openStorage({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>, vault: FieldCipher): Promise<Storage> {
  if (!s3) return diskStorage(dataDir, vault);
  // Loaded only where it is used: the client is large.
  const { s3Storage } = await import('#server/storage/s3Storage.ts');
  return s3Storage(s3, vault);
}
