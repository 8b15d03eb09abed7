import { addDays } from '#domain/base/calendar.ts';
import { kindsOf, monthsOf, retentionKinds, TECHNICAL_DAYS } from '#domain/retention/retention.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { erasePerson } from '#features/anonymize/erasePerson.ts';
import { recordErasures } from '#features/anonymize/keepErasures.ts';
import * as queries from '#features/retention/retention.queries.ts';

/** Persons and rows of one kind, institution and run; the next run takes the rest. */
const PERSONS = 50;
const ROWS = 1000;

type JobServices = Pick<Services, 'pools' | 'cipher' | 'auditDir' | 'storage'>;

/**
 * Erases the records whose term is over, institution by institution: persons are anonymised one by one, each in its own transaction, so
 * that a run that was cut off goes on where it stopped. Running it twice changes nothing. Returns the numbers by kind.
 */
export async function runRetention(services: JobServices, now: Date): Promise<Record<string, number>> {
  const institutions = await runAsSystem(services.pools, platformCode, (scope) => queries.findInstitutions(scope));
  const total: Record<string, number> = {};
  for (const { musercode, sector } of institutions) {
    const counts = await eraseDue(services, musercode, sector === 'health', now);
    if (Object.keys(counts).length > 0)
      await runAsSystem(services.pools, musercode, (scope) => queries.addRun(scope, services.cipher, musercode, now, counts));
    for (const [key, count] of Object.entries(counts)) total[key] = (total[key] ?? 0) + count;
  }
  const session = await deleteSessions(services, now);
  const technical = await deleteTechnical(services, now);
  return { ...total, ...(session > 0 && { session }), ...(technical > 0 && { technical }) };
}

/** Deletes limits of sign-ins, requests of the second factor, codes of screens and links of persons that ended before the term. */
async function deleteTechnical({ pools }: JobServices, now: Date): Promise<number> {
  const since = addDays(now, -TECHNICAL_DAYS);
  let count = await runAsSystem(pools, platformCode, (scope) => queries.deleteEndedLinks(scope, since, ROWS));
  for (const statement of [
    'delete from auth.throttle where greatest(since, coalesce(until, since)) < least($1, now())',
    'delete from auth.challenge where createtime < least($1, now())',
    'delete from auth.passkeychallenge where createtime < least($1, now())',
    'delete from auth.screencode where expiretime < least($1, now())',
    'delete from auth.callbudget where time < least($1, now())',
  ])
    count += (await pools.authn.query(statement, [since])).rowCount ?? 0;
  return count;
}

/** Erases what is due in one institution; returns the numbers by kind, without zeros. */
async function eraseDue(
  services: JobServices,
  musercode: string,
  isMedical: boolean,
  now: Date,
): Promise<Record<string, number>> {
  const { pools, cipher, storage } = services;
  const counts: Record<string, number> = {};
  const own = await runAsSystem(pools, musercode, (scope) => queries.findOwnMonths(scope, musercode));
  for (const kind of kindsOf(isMedical)) {
    const { key, job } = kind;
    const months = monthsOf(kind, own);
    if (months === null) continue;
    let count = 0;
    if (job === 'person') {
      const due = await runAsSystem(pools, musercode, (scope) => queries.findDuePersons(scope, musercode, months, now, PERSONS));
      for (const cuserid of due) {
        const files = await runAsSystem(pools, musercode, async (scope) => {
          if (!(await queries.lockDuePerson(scope, musercode, cuserid, months, now))) return [];
          count++;
          return erasePerson({ scope, pools, cipher, now, operator: '系统', remark: '保存期限届满' }, { cuserid, musercode });
        });
        for (const key of files) await storage.delete(key);
      }
      if (count > 0) await recordErasures(services, now);
    } else if (queries.isRowKind(job)) {
      count = await runAsSystem(pools, musercode, (scope) => queries.deleteDueRows(scope, job, musercode, months, now, ROWS));
    }
    if (count > 0) counts[key] = count;
  }
  return counts;
}

/**
 * Deletes sessions and lines of sign-ins whose term is over, of every institution; none that lives by the clock of the database. Returns
 * their number.
 */
async function deleteSessions({ pools }: JobServices, now: Date): Promise<number> {
  const kind = retentionKinds.find(({ key }) => key === 'session');
  const months = kind ? monthsOf(kind) : null;
  if (months === null) return 0;
  const isOver = (time: string) =>
    `${time} < least($1, now()) and (${time} at time zone 'Asia/Shanghai')::date + make_interval(months => $2::int)
      < ($3::timestamptz at time zone 'Asia/Shanghai')::date`;
  let count = 0;
  for (const statement of [
    `delete from auth.session where tokenhash in (select s.tokenhash from auth.session s where ${isOver('s.expiretime')} limit $4)`,
    `delete from auth.loginlog where id in (select l.id from auth.loginlog l where ${isOver('l.time')} limit $4)`,
  ])
    count += (await pools.authn.query(statement, [addDays(now, -28 * months), months, now, ROWS])).rowCount ?? 0;
  return count;
}
