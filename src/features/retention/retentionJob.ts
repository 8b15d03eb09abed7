import { addDays } from '#domain/base/calendar.ts';
import { kindsOf, monthsOf, retentionKinds } from '#domain/retention/retention.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import type { Services } from '#server/dispatch/services.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import { erasePerson } from '#features/anonymize/erasePerson.ts';
import { recordErasures } from '#features/anonymize/keepErasures.ts';
import * as queries from '#features/retention/retention.queries.ts';

/** Persons and rows of one kind, institution and run; the next run takes the rest. */
const PERSONS = 50;
const ROWS = 1000;

type JobServices = Pick<Services, 'pools' | 'cipher' | 'auditDir'>;

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
  const sessions = await deleteSessions(services, now);
  return sessions > 0 ? { ...total, session: sessions } : total;
}

/** Erases what is due in one institution; returns the numbers by kind, without zeros. */
async function eraseDue(
  services: JobServices,
  musercode: string,
  isMedical: boolean,
  now: Date,
): Promise<Record<string, number>> {
  const { pools, cipher } = services;
  const counts: Record<string, number> = {};
  const own = await runAsSystem(pools, musercode, (scope) => queries.findOwnMonths(scope, musercode));
  for (const kind of kindsOf(isMedical)) {
    const { key, job } = kind;
    const months = monthsOf(kind, own);
    if (months === null) continue;
    let count = 0;
    if (job === 'person') {
      const due = await runAsSystem(pools, musercode, (scope) => queries.findDuePersons(scope, musercode, months, now, PERSONS));
      for (const cuserid of due)
        await runAsSystem(pools, musercode, async (scope) => {
          if (!(await queries.lockDuePerson(scope, musercode, cuserid, months, now))) return;
          await erasePerson({ scope, pools, cipher, now, operator: '系统', remark: '保存期限届满' }, { cuserid, musercode });
          count++;
        });
      if (count > 0) await recordErasures(services, now);
    } else if (queries.isRowKind(job)) {
      count = await runAsSystem(pools, musercode, (scope) => queries.deleteDueRows(scope, job, musercode, months, now, ROWS));
    }
    if (count > 0) counts[key] = count;
  }
  return counts;
}

/** Deletes sessions whose term is over, of every institution; none that lives by the clock of the database. Returns their number. */
async function deleteSessions({ pools }: JobServices, now: Date): Promise<number> {
  const kind = retentionKinds.find(({ key }) => key === 'session');
  const months = kind ? monthsOf(kind) : null;
  if (months === null) return 0;
  const { rowCount } = await pools.authn.query(
    `delete from auth.session where tokenhash in (
       select s.tokenhash from auth.session s
       where s.expiretime < least($1, now())
         and (s.expiretime at time zone 'Asia/Shanghai')::date + make_interval(months => $2::int)
           < ($3::timestamptz at time zone 'Asia/Shanghai')::date
       limit $4)`,
    [addDays(now, -28 * months), months, now, ROWS],
  );
  return rowCount ?? 0;
}
