import type { AiConfig } from '#server/ai/completion.ts';
import type { Pools } from '#server/db/pools.ts';
import type { Replica } from '#server/replica/replica.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import type { MessageAdapter } from '#server/messages/messageAdapter.ts';
import type { PayGateways } from '#server/pay/gateway.ts';
import type { Storage } from '#server/storage/storage.ts';

/** The parts that handlers use besides their scope. The start creates them once; every call gets them. */
export interface Services {
  pools: Pools;
  /** The streaming replica for figures and exports; absent when the operator has none. */
  replica?: Replica | undefined;
  cipher: FieldCipher;
  storage: Storage;
  /** The folder of the heads of the audit log, outside of the database. */
  auditDir: string;
  /** The gateway for short messages and calls to staff; without one they go to the call list. */
  messages?: MessageAdapter | undefined;
  /** Mail servers and webhooks may lie on this machine or in a private network. */
  isPrivateTargetAllowed?: boolean | undefined;
  /** The AI provider; absent when the operator has none. */
  ai?: AiConfig | undefined;
  /** The payment gateways by channel; absent when the operator has none. */
  gateways?: PayGateways | undefined;
  /** Public address of this server, for links in QR codes, e.g. `http://127.0.0.1:8080`. */
  publicUrl: string;
  /** The operator's official website; absent when there is none. */
  websiteUrl?: string | undefined;
  /** This installation contains fictional people only. */
  demo: boolean;
}
