import type pg from 'pg';
import { openRing, RotationRefused, type RotationTools } from '#server/rotation/rotate.ts';
import { reseal } from '#server/rotation/reseal.ts';
import { SECRET_HASHES } from '#server/sealing/encryptedColumns.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import { writeKeyring } from '#server/security/keyFile.ts';

/** Unsent drafts live a day on the device, and links of files four hours at most. */
const DRAFT_HOURS = 24;

/** What still needs an earlier key: a title in Chinese and a number. */
export interface Need {
  title: string;
  count: number;
}

/** Counts the passwords and secrets whose hashes were made with an earlier key. They end when they are used, replaced or run out. */
export async function countNeeds(owner: pg.ClientBase, cipher: FieldCipher): Promise<Need[]> {
  const { current } = cipher.ring;
  const needs: Need[] = [];
  for (const [table, { column, live, title }] of Object.entries(SECRET_HASHES)) {
    const name = table.includes('.') ? table : `public.${table}`;
    const isCurrent =
      column === 'pwdhash'
        ? `split_part(t.${column}, '$', 2) = case when $1 = '' then '1' else '1.' || $1 end`
        : `case when $1 = '' then t.${column} !~ '^[A-Za-z0-9_-]{8}\\.' else starts_with(t.${column}, $1 || '.') end`;
    const { rows } = await owner.query<{ n: number }>(
      `select count(*)::int as n from ${name} t where ${live} and not (${isCurrent})`,
      [current.isNamed ? current.id : ''],
    );
    const count = rows[0]?.n ?? 0;
    if (count > 0) needs.push({ title, count });
  }
  return needs;
}

/**
 * Removes the earlier keys from the key file. What they prove stays provable: printed reports, the audit log, and the indexes of ID
 * numbers. Refuses with numbers while something needs them. `isForced` removes them all the same, after a leak: then these passwords
 * and secrets end.
 * @returns the number of removed keys
 */
export async function retireKeys(
  tools: Pick<RotationTools, 'owner' | 'dataDir' | 'tell'>,
  { isForced = false } = {},
): Promise<number> {
  const { owner, dataDir, tell } = tools;
  const ring = await openRing(tools);
  const cipher = new FieldCipher(ring);
  const old = ring.keys.filter((key) => key !== ring.current && !key.isRemoved);
  if (ring.keys.at(-1) !== ring.current)
    throw new RotationRefused('更换密钥还没有完成。请运行 npm run keys:rotate -- --continue');
  if (old.length === 0) return 0;
  const { values, broken } = await reseal(owner, cipher, { dry: true });
  if (values > 0 || broken.length > 0)
    throw new RotationRefused(
      `还有 ${values + broken.reduce((sum, { count }) => sum + count, 0)} 处内容没有用当前密钥加密。请运行 npm run keys:rotate -- --continue`,
    );
  const needs = await countNeeds(owner, cipher);
  const { rows } = await owner.query<{ isrecent: boolean }>(
    'select since > now() - make_interval(hours => $1) as isrecent from auth.keycheck',
    [DRAFT_HOURS],
  );
  const reasons = needs.map(({ title, count }) => `${title} ${count} 个`);
  if (rows[0]?.isrecent) reasons.push(`启用新密钥还不到 ${DRAFT_HOURS} 小时，未提交的草稿可能还要用旧密钥`);
  if (reasons.length > 0 && !isForced)
    throw new RotationRefused(`旧密钥仍被使用，未删除：${reasons.join('；')}。泄露等紧急情况可加 --force，届时上述内容失效`);
  for (const reason of reasons) tell(`已失效：${reason}`);
  const blind = await findBlindPurposes(owner);
  await writeKeyring(
    dataDir,
    ring.keys.map((key) => (key === ring.current ? key : key.remove(blind))),
  );
  tell(`已删除 ${old.length} 个旧密钥。数据目录不共用的服务器，请把 keys 目录复制过去`);
  return old.length;
}

/** The purposes of the indexes whose values are stored nowhere, by institution: later keys have wrapped them. */
async function findBlindPurposes(owner: pg.ClientBase): Promise<string[]> {
  const { rows } = await owner.query<{ musercode: string }>('select musercode from auth.tenant order by musercode');
  return rows.map(({ musercode }) => `blind:${musercode}`);
}
