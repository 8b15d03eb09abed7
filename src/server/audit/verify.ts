import { formatNumber } from '#domain/base/number.ts';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { readHeads } from '#server/audit/heads.ts';
import { ageOfOrigin } from '#server/audit/origin.ts';
import { ageOfSeal, sealColumns, type SealedRow } from '#server/audit/row.ts';
import { ChainBroken, sealAudit, type SealServices } from '#server/audit/seal.ts';

/** The result of a verification. `faults` says in Chinese what was changed and where; it is empty when the log is intact. */
export interface Verification {
  rows: number;
  faults: string[];
  /** the number of the last head that the database confirms; `adopt` goes on from it */
  confirmed: number;
  /** the last seal */
  seq: number;
  seal: string;
}

/** A verification names this many faults. */
const MAX_FAULTS = 20;
const PAGE = 5000;
/** The action that moves an institution: its audit row explains new paths. */
const MOVE = 'as.m.user.updateMUserCategory';
/** The action after which every server writes with a new key (`src/server/rotation/rotate.ts`). */
export const NEW_KEY = 'console.rotateKeys';

type Checked = { [K in keyof Omit<SealedRow, 'id'>]: SealedRow[K] | null } & {
  seq: number;
  sealid: number;
  id: number | null;
  path: string | null;
  hmac: string;
};

/** Seals the new rows, then recomputes every seal and compares the chain with the heads outside of the database. */
export async function verifyAudit(services: SealServices): Promise<Verification> {
  await sealAudit(services).catch((error: unknown) => {
    if (!(error instanceof ChainBroken)) throw error;
  });
  const { cipher, auditDir } = services;
  const { start, heads, forged } = await readHeads(auditDir, cipher);
  const faults: string[] = [];
  const tell = (fault: string) => void (faults.length < MAX_FAULTS && faults.push(fault));
  const client = await services.pools.sealer.connect();
  try {
    await client.query('begin isolation level repeatable read');
    const expected = new Map(heads.map((head) => [head.seq, head]));
    const paths = new Map<string, { sealed: string; path: string | null; seq: number }>();
    const moves: (readonly [from: string, to: string])[] = [];
    let [seq, seal, rows, confirmed] = [0, '', 0, 0];
    const lastid = start?.lastid ?? 0;
    // A stolen earlier key must not make rows of later times: from a row on, keys before these do not count.
    let [sealAge, originAge] = [0, 0];
    for (;;) {
      const { rows: page } = await client.query<Checked>(
        `select s.seq, s.id as sealid, s.orgpath as sealedpath, s.hmac, l.orgpath as path, ${sealColumns}
         from audit.seal s left join audit.log l on l.id = s.id where s.seq > $1 order by s.seq limit ${PAGE}`,
        [seq],
      );
      for (const row of page) {
        if (row.seq !== seq + 1) tell(`缺少第 ${span(seq + 1, row.seq - 1)} 条的封印：记录被删除`);
        const head = expected.get(row.seq);
        if (head?.seal === row.hmac) confirmed = Math.max(confirmed, row.seq);
        if (row.id === null) tell(`第 ${formatNumber(row.seq)} 条（编号 ${row.sealid}）被删除`);
        else {
          rows += 1;
          const full = row as Checked & SealedRow;
          const age = ageOfOrigin(cipher, { ...full, detail: JSON.parse(full.detail) as unknown }, full.origin);
          const isGenuine = age !== undefined && age >= originAge;
          if (isGenuine && full.action === NEW_KEY) originAge = age;
          const ownSealAge = ageOfSeal(cipher, seal, full);
          if (!isGenuine && row.id > lastid) tell(`${place(full)}不是服务器写入的：记录被补入或改动`);
          else if (ownSealAge === undefined || ownSealAge < sealAge) tell(`${place(full)}与封印不符：记录或封印被改动、调换`);
          sealAge = Math.max(sealAge, ownSealAge ?? 0);
          if (isGenuine && full.action === MOVE) moves.push(...movesOf(full.detail));
          if (full.sealedpath !== null || full.path !== null)
            paths.set(
              `${full.sealedpath} ${full.path}`,
              paths.get(`${full.sealedpath} ${full.path}`) ?? {
                sealed: full.sealedpath ?? '',
                path: full.path,
                seq: row.seq,
              },
            );
        }
        [seq, seal] = [row.seq, row.hmac];
      }
      if (page.length < PAGE) break;
    }
    for (const group of paths.values())
      if (moves.reduce((path, move) => moved(path, ...move), group.sealed) !== group.path)
        tell(`第 ${formatNumber(group.seq)} 条的机构路径被改动：封存时为 ${group.sealed}，现为 ${group.path ?? '空'}`);
    const { rows: stray } = await client.query<{ id: number }>(
      `select l.id from audit.log l where not exists (select from audit.seal s where s.id = l.id)
         and not exists (select from audit.unsealed u where u.id = l.id) order by l.id limit ${MAX_FAULTS}`,
    );
    for (const { id } of stray) tell(`编号 ${id} 的记录没有封印：记录被补入，或封印被删除`);
    const { rows: lost } = await client.query<{ id: number }>(
      `select u.id from audit.unsealed u where not exists (select from audit.log l where l.id = u.id) order by u.id limit ${MAX_FAULTS}`,
    );
    for (const { id } of lost) tell(`编号 ${id} 的记录在封存之前被删除`);
    const { rows: copies } = await client.query<{ first: number; copy: number }>(
      `select min(id) as first, max(id) as copy from audit.log where origin is not null
       group by origin having count(*) > 1 limit ${MAX_FAULTS}`,
    );
    for (const { first, copy } of copies) tell(`编号 ${copy} 的记录是编号 ${first} 的复制`);
    await client.query('commit');
    if (forged > 0) tell(`封存头文件中有 ${forged} 行不是服务器写的`);
    if (!start && seq > 0) tell('封存头文件 audit/heads.jsonl 缺失，无法判断末尾是否被删');
    const last = heads.at(-1);
    const failed = heads.find((head) => head.seq > confirmed);
    if (last && last.seq > seq)
      tell(
        `数据库只有 ${formatNumber(seq)} 条，少于封存头的 ${formatNumber(last.seq)} 条（${shanghaiTime(new Date(last.time))}）：末尾被删除，或恢复了较早的备份`,
      );
    else if (failed)
      tell(
        `第 ${span(confirmed + 1, failed.seq)} 条之间与封存头不符（${shanghaiTime(new Date(failed.time))} 封存）：记录被改动后重新封存，或被删除`,
      );
    return { rows, faults, confirmed, seq, seal };
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

const span = (from: number, to: number): string => (from >= to ? formatNumber(to) : `${formatNumber(from)}–${formatNumber(to)}`);
const place = ({ seq, time, title }: { seq: number; time: string; title: string }): string =>
  `第 ${formatNumber(seq)} 条（${shanghaiTime(new Date(Number(time) / 1000))} ${title}）`;

function movesOf(detail: string): (readonly [string, string])[] {
  const { paths } = JSON.parse(detail) as { paths?: [string, string] };
  return paths ? [paths] : [];
}

/** The path after a move. The paths of institutions below the moved one begin with its path. */
const moved = (path: string, from: string, to: string): string => (path.startsWith(from) ? to + path.slice(from.length) : path);
