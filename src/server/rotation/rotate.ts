import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { addAsOwner } from '#server/audit/addAsOwner.ts';
import { NEW_KEY } from '#server/audit/verify.ts';
import { inTransaction, type Resealed } from '#server/rotation/reseal.ts';
import { isResealed, resealAll } from '#server/rotation/resealState.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import { readKeyring, writeKeyring } from '#server/security/keyFile.ts';
import { MasterKey, type Keyring } from '#server/security/keyring.ts';

/** A server that has not reported for this time has died. It reports every two seconds. */
const DEAD_SECONDS = 15;

/** What the steps of a rotation work on. */
export interface RotationTools {
  /** a connection of the owner without an open transaction */
  owner: pg.ClientBase;
  dataDir: string;
  /** hears each step, in Chinese, for the operator */
  tell: (line: string) => void;
  /** called between two looks at the servers; a test ends the waiting with an error */
  wait?: () => Promise<unknown>;
  /** a call that began before the change writes its audit row within these seconds */
  settleSeconds?: number;
}

/** The rotation cannot go on; the message says why and what to do. */
export class RotationRefused extends Error {}

/**
 * Changes the master key while servers run: makes a new one, waits until every server has it, names it the current one, waits until
 * every server writes with it, and seals the stored values with it. `isContinued` goes on with one that was cut off.
 */
export async function rotateKey(tools: RotationTools, { isContinued = false } = {}): Promise<Resealed & { cipher: FieldCipher }> {
  const { owner, dataDir, tell } = tools;
  let ring = await openRing(tools);
  const next = ring.keys.at(-1) as MasterKey;
  if (next === ring.current && !isContinued) {
    const isAlone = ring.keys.every((key) => key === ring.current || key.isRemoved);
    if (!isAlone && !(await isResealed(owner, new FieldCipher(ring))))
      throw new RotationRefused('上一次更换密钥或加密旧内容还没有完成。请运行 npm run keys:rotate -- --continue');
    const key = MasterKey.of(randomBytes(32), true);
    await writeKeyring(dataDir, [...ring.keys, key]);
    tell('已生成新密钥，写入 keys/master.key');
    ring = await openRing(tools);
  } else if (next !== ring.current && !isContinued)
    throw new RotationRefused('上一次更换密钥还没有完成。请运行 npm run keys:rotate -- --continue');
  const newest = ring.keys.at(-1) as MasterKey;
  if (newest !== ring.current) await makeCurrent(tools, newest);
  const cipher = new FieldCipher({ keys: ring.keys, current: newest });
  await waitForServers(tools, '改用新密钥', (server) => server.current === newest.checkValue);
  tell('正在用新密钥重新加密已有内容…');
  const done = await resealAll(owner, cipher, { tell: (table, { values }) => tell(`  ${table}：累计 ${values} 处`) });
  tell(`重新加密完成：${done.values} 处`);
  await noteNewKey(tools, cipher);
  return { ...done, cipher };
}

/**
 * Adds the audit row after which no row with the former key counts, once for each key. The calls that began before the change have ended.
 */
async function noteNewKey(
  { owner, settleSeconds = 20, wait = () => pause(500) }: RotationTools,
  cipher: FieldCipher,
): Promise<void> {
  const { id } = cipher.ring.current;
  const isSettled = async () =>
    (
      await owner.query<{ yes: boolean }>('select since < now() - make_interval(secs => $1) as yes from auth.keycheck', [
        settleSeconds,
      ])
    ).rows[0]?.yes !== false;
  while (!(await isSettled())) await wait();
  await inTransaction(owner, async () => {
    const { rowCount } = await owner.query('select from audit.log where action = $1 and objectid = $2', [NEW_KEY, id]);
    if (rowCount) return;
    await addAsOwner(owner, cipher, {
      musercode: platformCode,
      action: NEW_KEY,
      title: '更换主密钥',
      kind: 'write',
      cuserids: [],
      minors: 0,
      objectid: id,
      detail: {},
    });
  });
}

/** Names a key that every server has the current one. */
async function makeCurrent(tools: RotationTools, key: MasterKey): Promise<void> {
  const { owner, tell } = tools;
  for (;;) {
    await waitForServers(tools, '读到新密钥', (server) => server.knows.includes(key.checkValue));
    // Under the lock of a start, so that no server starts in between (masterKey.ts).
    await owner.query('begin');
    try {
      await owner.query("select pg_advisory_xact_lock(hashtext('xinli key'))");
      const missing = await findServers(owner, (server) => !server.knows.includes(key.checkValue));
      if (missing.length === 0)
        await owner.query('update auth.keycheck set value = $1, resealed = null, since = now()', [key.checkValue]);
      await owner.query('commit');
      if (missing.length > 0) continue;
    } catch (error) {
      await owner.query('rollback').catch(() => undefined);
      throw error;
    }
    return tell('新密钥已启用');
  }
}

/** Reads the keys of the folder with the current one of the database. */
export async function openRing({ owner, dataDir }: Pick<RotationTools, 'owner' | 'dataDir'>): Promise<Keyring> {
  const { rows } = await owner.query<{ value: string }>('select value from auth.keycheck');
  const value = rows[0]?.value;
  if (value === undefined) throw new RotationRefused('数据库还没有密钥记录，请先启动一次服务');
  const ring = await readKeyring(dataDir, value);
  if (!ring) throw new RotationRefused('keys/master.key 中没有数据库当前使用的密钥，请从另一台服务器复制 keys 目录');
  return ring;
}

interface ServerRow {
  name: string;
  knows: string[];
  current: string;
}

/** The running servers that meet a condition. */
async function findServers(owner: pg.ClientBase, condition: (server: ServerRow) => boolean): Promise<ServerRow[]> {
  const { rows } = await owner.query<ServerRow>(
    `select name, knows, current from auth.keyserver where seentime > now() - make_interval(secs => $1) order by name`,
    [DEAD_SECONDS],
  );
  return rows.filter(condition);
}

/** Waits until every running server meets a condition, and says which ones it waits for. */
async function waitForServers(
  { owner, tell, wait = () => pause(500) }: RotationTools,
  what: string,
  condition: (server: ServerRow) => boolean,
): Promise<void> {
  let waitedFor = '';
  for (;;) {
    const missing = await findServers(owner, (server) => !condition(server));
    if (missing.length === 0) return;
    const names = missing.map(({ name }) => name).join('、');
    if (names !== waitedFor) tell(`等待服务器${what}：${names}。数据目录不共用的服务器，请把 keys 目录复制过去`);
    waitedFor = names;
    await wait();
  }
}
