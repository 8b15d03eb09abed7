import type { Pools } from '#server/db/pools.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import type { Storage } from '#server/storage/storage.ts';

/** What handlers may use besides their scope: made once at start-up, passed to every call. */
export interface Services {
  pools: Pools;
  cipher: FieldCipher;
  storage: Storage;
  /** Public address of this server, for links in QR codes, e.g. `http://127.0.0.1:8080`. */
  publicUrl: string;
  /** The operator's official website; absent: there is none to lead to. */
  websiteUrl?: string | undefined;
  /** This installation holds fictional people only. */
  demo: boolean;
}
