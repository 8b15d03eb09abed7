import type pg from 'pg';
import { hashPassword } from '#server/password.ts';
import type { Services } from '#server/services.ts';
import { asPlatform, platform } from '#seed/reference.ts';
import { demoPassword, insertInstitutions, md5 } from '#seed/demo/institutions.ts';

export { demoAccounts, demoPassword } from '#seed/demo/institutions.ts';

const marker = 'demo';

/**
 * Fills an empty installation with the fictional institutions, staff and persons of the demonstration, once. Answers
 * whether it did. `client` belongs to the database's owner. An installation somebody already uses is left alone.
 */
export async function fillDemo(services: Services, client: pg.ClientBase, say: (line: string) => void): Promise<boolean> {
  const { rows } = await client.query<{ pwdhash: string }>('select pwdhash from auth.account where accountid = $1', [
    platform.musercode,
  ]);
  if (rows[0]?.pwdhash !== '') return false;
  say('正在生成演示数据…');
  const pwdhash = await hashPassword(md5(demoPassword), services.vault.pepper);
  await client.query('begin');
  await asPlatform(client, async () => {
    await insertInstitutions(client, pwdhash);
    await client.query('insert into setting (musercode, key, value) values ($1, $2, \'{"state":"done"}\')', [
      platform.musercode,
      marker,
    ]);
  });
  await client.query('commit');
  return true;
}
