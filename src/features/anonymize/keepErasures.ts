import { platformCode } from '#domain/tenant/tenantTree.ts';
import { appendErasures, erasuresFileOf, readErasures, type Erasure } from '#server/audit/erasures.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import type { Services } from '#server/dispatch/services.ts';
import * as queries from '#features/anonymize/anonymize.queries.ts';
import { erasePerson } from '#features/anonymize/erasePerson.ts';

type ErasureServices = Pick<Services, 'pools' | 'cipher' | 'auditDir'>;

/** Persons that could not be erased again, with the reason of the database. */
export interface RepeatedErasures {
  erased: string[];
  refused: { cuserid: string; reason: string }[];
}

/**
 * Writes the persons that were erased since a time into the list outside of the database (decision 0112) and returns the number of new
 * lines. Erasing calls it after its commit, and a job adds what a crash left out.
 */
export async function recordErasures({ pools, cipher, auditDir }: ErasureServices, since: Date): Promise<number> {
  const file = erasuresFileOf(auditDir);
  const listed = await readErasures(file, cipher);
  const known = new Set(listed.map(({ cuserid, time }) => `${cuserid} ${time}`));
  const erased = await runAsSystem(pools, platformCode, (scope) => queries.findErased(scope, since));
  const missing = erased.filter(({ cuserid, time }) => !known.has(`${cuserid} ${time}`));
  await appendErasures(file, cipher, missing);
  return missing.length;
}

/**
 * Erases the persons of a list again who are still in the database, as after the restore of a backup. Each has an own transaction and an
 * audit row. A person with an open case or under a hold is refused; the job tries again.
 */
export async function repeatErasures(
  { pools, cipher }: ErasureServices,
  listed: readonly Erasure[],
  now: Date,
): Promise<RepeatedErasures> {
  const result: RepeatedErasures = { erased: [], refused: [] };
  const latest = new Map<string, string>();
  for (const { cuserid, time } of listed) if (time > (latest.get(cuserid) ?? '')) latest.set(cuserid, time);
  if (latest.size === 0) return result;
  const present = await runAsSystem(pools, platformCode, (scope) => queries.findPresent(scope, [...latest.keys()]));
  for (const { cuserid, musercode, createtime } of present) {
    if (createtime.toISOString() >= (latest.get(cuserid) ?? '')) continue;
    try {
      await runAsSystem(pools, musercode, async (scope) => {
        await queries.lockPerson(scope, cuserid);
        // The record of a person into which this one was merged may have taken it along.
        if ((await queries.findPresent(scope, [cuserid])).length === 0) return;
        const remark = '恢复备份后再次匿名化';
        await erasePerson({ scope, pools, cipher, now, operator: '系统', remark }, { cuserid, musercode });
        await queries.addRepeatedErasure(scope, cipher, { cuserid, musercode, title: remark, erasedtime: latest.get(cuserid) });
      });
      result.erased.push(cuserid);
    } catch (error) {
      result.refused.push({ cuserid, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return result;
}

/** The job of the list: erases the persons of the list who are in a restored database, then adds the erased persons that it lacks. */
export async function keepErasures(services: ErasureServices, now: Date): Promise<RepeatedErasures & { added: number }> {
  const listed = await readErasures(erasuresFileOf(services.auditDir), services.cipher);
  const repeated = await repeatErasures(services, listed, now);
  return { ...repeated, added: await recordErasures(services, new Date(0)) };
}
