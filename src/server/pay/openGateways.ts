import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PayChannel } from '#domain/order/order.ts';
import type { Config } from '#server/config.ts';
import { localGateway, type LocalGateway } from '#server/pay/localGateway.ts';

/**
 * Returns the local gateways by channel, for the demonstration and for `PAY_LOCAL=1`; none otherwise. They move no money, so a real
 * installation never gets them by default. A provider's gateway (`PayGateway`) takes their place here.
 */
export async function openLocalGateways(
  config: Pick<Config, 'isPayLocal' | 'dataDir'>,
  publicUrl: string,
): Promise<Readonly<Record<string, LocalGateway>> | undefined> {
  if (!config.isPayLocal) return undefined;
  const folder = join(config.dataDir, 'pay');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const secret = randomBytes(32).toString('hex');
  const open = (channel: string) =>
    localGateway({ secret, publicUrl, channel, file: join(folder, `local-${channel}.json`), endsRefunds: true });
  return Object.fromEntries([PayChannel.wechat, PayChannel.alipay].map((channel) => [channel, open(channel)]));
}
