import { formatNumber } from '#domain/base/number.ts';
import { shanghaiTime } from '#domain/base/calendar.ts';
import { sealColumns, ageOfSeal, type SealedRow } from '#server/audit/row.ts';
import { ChainBroken, sealAudit, type SealServices } from '#server/audit/seal.ts';
import { isTagOf, type FieldCipher } from '#server/security/fieldCipher.ts';

/**
 * 审计凭证: the head of the audit log at a time, which an institution keeps itself. Neither the owner of the database nor the operator
 * with the key and the file of heads can cut or renew the log afterwards without contradicting it.
 */
export interface AuditReceipt {
  kind: 'audit-receipt/1';
  musercode: string;
  insname: string;
  /** the number of the last sealed row of the whole log, and its seal */
  seq: number;
  seal: string;
  /** ISO 8601 */
  time: string;
  /** rows of the institution up to `seq` */
  rows: number;
  /** HMAC of all other fields */
  tag: string;
}

const PURPOSE = 'audit-receipt';
const textOf = ({ kind, musercode, insname, seq, seal, time, rows }: Omit<AuditReceipt, 'tag'>): string =>
  JSON.stringify([kind, musercode, insname, seq, seal, time, rows]);

/** Seals the new rows, then returns the receipt of an institution. */
export async function makeReceipt(
  services: SealServices,
  { musercode, insname }: { musercode: string; insname: string },
  now: Date,
): Promise<AuditReceipt> {
  await sealAudit(services).catch((error: unknown) => {
    // The receipt says what the database has; the verification says what is wrong.
    if (!(error instanceof ChainBroken)) throw error;
  });
  const { rows } = await services.pools.sealer.query<{ seq: number; seal: string; rows: number }>(
    `with head as (select seq, hmac from audit.seal order by seq desc limit 1)
     select coalesce((select seq from head), 0) as seq, coalesce((select hmac from head), '') as seal,
       (select count(*) from audit.log l join audit.seal s on s.id = l.id where l.musercode = $1 and s.seq <= (select seq from head))::int
         as rows`,
    [musercode],
  );
  const head = rows[0] ?? { seq: 0, seal: '', rows: 0 };
  const receipt = { kind: 'audit-receipt/1' as const, musercode, insname, ...head, time: now.toISOString() };
  return { ...receipt, tag: services.cipher.hmac(PURPOSE, textOf(receipt)) };
}

/** Reads a receipt; undefined for a text that is no receipt of this installation, or one that was changed. */
export function readReceipt(cipher: FieldCipher, text: string): AuditReceipt | undefined {
  try {
    const receipt = JSON.parse(text) as AuditReceipt;
    if (receipt?.kind !== 'audit-receipt/1' || typeof receipt.tag !== 'string') return undefined;
    return isTagOf(receipt.tag, cipher.hmacs(PURPOSE, textOf(receipt))) ? receipt : undefined;
  } catch {
    return undefined;
  }
}

type Own = SealedRow & { seq: number; before: string | null; hmac: string };
const PAGE = 5000;
const MAX_FAULTS = 20;

/**
 * Compares the database with a receipt, and each of the institution's rows up to it with its seal. Returns in Chinese what does not
 * agree; nothing when the log still has everything that it had then.
 */
export async function checkReceipt({ pools, cipher }: SealServices, receipt: AuditReceipt): Promise<string[]> {
  const faults: string[] = [];
  const tell = (fault: string) => void (faults.length < MAX_FAULTS && faults.push(fault));
  const at = shanghaiTime(new Date(receipt.time));
  const { rows: heads } = await pools.sealer.query<{ last: number; count: number; seal: string | null }>(
    `select coalesce(max(seq), 0) as last, (count(*) filter (where seq <= $1))::int as count,
       (select hmac from audit.seal where seq = $1) as seal from audit.seal`,
    [receipt.seq],
  );
  const { last, count, seal } = heads[0] ?? { last: 0, count: 0, seal: null };
  if (last < receipt.seq)
    tell(
      `审计日志只有 ${formatNumber(last)} 条，凭证出具时（${at}）有 ${formatNumber(receipt.seq)} 条：末尾被删除，或恢复了较早的备份`,
    );
  else if (receipt.seq > 0 && seal !== receipt.seal)
    tell(`第 ${formatNumber(receipt.seq)} 条的封印与凭证不同：${at} 之前的记录被改动或删除后重新封存`);
  else if (count !== receipt.seq)
    tell(`凭证出具时的 ${formatNumber(receipt.seq)} 条封印只剩 ${formatNumber(count)} 条：记录被删除`);
  let [found, after] = [0, 0];
  for (;;) {
    const { rows } = await pools.sealer.query<Own>(
      `select s.seq, s.hmac, b.hmac as before, s.orgpath as sealedpath, ${sealColumns}
       from audit.log l join audit.seal s on s.id = l.id left join audit.seal b on b.seq = s.seq - 1
       where l.musercode = $1 and s.seq <= $2 and s.seq > $3 order by s.seq limit ${PAGE}`,
      [receipt.musercode, receipt.seq, after],
    );
    for (const row of rows) {
      found += 1;
      after = row.seq;
      if (ageOfSeal(cipher, row.before ?? '', row) === undefined)
        tell(
          `第 ${formatNumber(row.seq)} 条（${shanghaiTime(new Date(Number(row.time) / 1000))} ${row.title}）与封印不符：记录被改动`,
        );
    }
    if (rows.length < PAGE) break;
  }
  if (found !== receipt.rows)
    tell(`本机构到凭证为止有 ${formatNumber(found)} 条，凭证上是 ${formatNumber(receipt.rows)} 条：记录被删除或补入`);
  return faults;
}
