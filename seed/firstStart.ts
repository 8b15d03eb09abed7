import pg from 'pg';
import type { Config } from '#server/config.ts';
import { asOwner, type Target } from '#server/db/roles.ts';
import { generateOneTimePassword } from '#server/security/oneTimePassword.ts';
import type { Services } from '#server/dispatch/services.ts';
import { StartError } from '#server/startError.ts';
import { platform } from '#seed/reference.ts';
import { fillDemo } from '#seed/demo/demo.ts';
import { demoAccounts } from '#features/session/demoAccounts.ts';
import { demoPassword } from '#seed/demo/tenants/institutions.ts';

const loopback = /^(127\.|localhost$|::1$|\[::1\]$)/;

/**
 * Prepares a new data folder and returns the lines to print. The super account gets a password.
 * A demonstration also gets its fictional people; it is never served beyond this machine.
 */
export async function firstStart(services: Services, config: Config, target: Target): Promise<string[]> {
  const client = new pg.Client(asOwner(target));
  await client.connect();
  try {
    if (config.demo && !loopback.test(config.host))
      throw new StartError(
        'config',
        '演示数据只能在本机使用：请设置 DEMO=0，或把 HOST 设为 127.0.0.1。',
        'Demo data is served on loopback only: set DEMO=0 or HOST=127.0.0.1.',
      );
    const { rows } = await client.query<{ pwdhash: string }>('select pwdhash from auth.account where accountid = $1', [
      platform.musercode,
    ]);
    const isNew = rows[0]?.pwdhash === '';
    if (config.demo) {
      const isFilled = await fillDemo(services, client, (line) => console.log(line));
      return [
        ...(isFilled ? ['演示数据已生成。'] : []),
        `演示账号（密码均为 ${demoPassword}）：`,
        ...demoAccounts.map(({ loginname, title }) => `  ${loginname.padEnd(14)} ${title}`),
      ];
    }
    if (!isNew) return [];
    const { onetime, hash } = generateOneTimePassword(services.cipher.pepper);
    const { rowCount } = await client.query(
      "update auth.account set pwdhash = $2, mustchangepwd = 1 where accountid = $1 and pwdhash = ''",
      [platform.musercode, hash],
    );
    // Another server that started at the same time has printed the password that counts.
    if (rowCount === 0) return [];
    return ['首次启动：平台超级账号 admin 的一次性初始密码（首次登录须修改，只显示这一次）：', `  ${onetime}`];
  } finally {
    await client.end();
  }
}
