import { shanghaiTime } from '#domain/base/calendar.ts';
import { kindsOf, monthsOf, retentionKinds, type RetentionKind } from '#domain/retention/retention.ts';
import { problems } from '#contract/problem.ts';
import { handle } from '#server/dispatch/handle.ts';
import { permittedPopulations } from '#server/security/population.ts';
import { findHold, lockPerson } from '#features/anonymize/anonymize.queries.ts';
import { findCUser } from '#features/cuser/cuser.queries.ts';
import * as contract from '#features/retention/retention.contract.ts';
import * as queries from '#features/retention/retention.queries.ts';
import { actorId, type StaffContext } from '#features/warning/handling/transition.ts';

/** Runs that the page shows. */
const RUNS = 20;

/** The kinds of record of the caller's institution. */
async function findKinds({ scope, caller }: Pick<StaffContext, 'scope' | 'caller'>): Promise<RetentionKind[]> {
  const place = await queries.findInstitution(scope, caller.musercode);
  return kindsOf(place?.sector === 'health');
}

const getRetention = handle(contract.getRetention, async (_, ctx) => {
  const { scope, caller, now } = ctx;
  const { musercode } = caller;
  const own = await queries.findOwnMonths(scope, musercode);
  const findDue = async ({ job }: RetentionKind, months: number | null) => {
    if (months === null) return null;
    if (job === 'person') return queries.countDuePersons(scope, musercode, months, now);
    return queries.isRowKind(job) ? queries.countDueRows(scope, job, musercode, months, now) : null;
  };
  const kinds = [];
  for (const kind of await findKinds(ctx)) {
    const { key, name, start, ground, reason, end, words = '' } = kind;
    const months = monthsOf(kind, own);
    const limits = { least: kind.months?.least ?? null, most: kind.months?.most ?? null };
    kinds.push({ key, name, start, ground, reason, end, words, months, ...limits, due: await findDue(kind, months) });
  }
  const nameOf = (key: string) => retentionKinds.find((kind) => kind.key === key)?.name ?? key;
  return {
    kinds,
    runs: (await queries.findRuns(scope, musercode, RUNS)).map(({ time, kind, affected }) => ({
      time: shanghaiTime(time),
      name: nameOf(kind),
      affected,
    })),
    holds: await queries.countHolds(scope, musercode),
  };
});

const saveRetention = handle(contract.saveRetention, async ({ key, months }, ctx) => {
  const kind = (await findKinds(ctx)).find((candidate) => candidate.key === key);
  if (!kind?.months) throw problems.invalid({ message: '该种记录的期限不能在这里修改' }, { field: 'key' });
  const { least, most } = kind.months;
  if (months < least || months > most)
    throw problems.invalid({ message: `保存期限须在 ${least} 至 ${most} 个月之间` }, { field: 'months' });
  await queries.saveMonths(ctx.scope, ctx.caller.musercode, key, months);
  ctx.audit({ detail: { kind: kind.name, months } });
  return {};
});

/** Locks a person of the caller's reach. */
async function requirePerson({ scope, caller }: StaffContext, cuserid: string) {
  await lockPerson(scope, cuserid);
  const person = await findCUser(scope, cuserid);
  if (!person) throw problems.notFound({ what: '受测者' });
  permittedPopulations(caller, person.appid);
  return person;
}

const insertLegalHold = handle(contract.insertLegalHold, async ({ cuserid, reason }, ctx) => {
  const { scope, caller, now } = ctx;
  const { musercode, anonymizedtime } = await requirePerson(ctx, cuserid);
  if (anonymizedtime) throw problems.wrongState({ why: '该受测者已匿名化，没有可以保全的资料' });
  const standing = await findHold(scope, cuserid);
  if (standing) throw problems.wrongState({ why: `${standing.beginname} 已保全该受测者的资料` });
  const begin = { begintime: now, beginby: actorId(caller), beginname: caller.name };
  const holdid = await queries.addHold(scope, { musercode, cuserid, reason, ...begin });
  // The reason stands with the hold, where an erasure reaches it; the audit log never changes.
  ctx.audit({ objectid: cuserid, detail: { holdid } });
  return { holdid };
});

const endLegalHold = handle(contract.endLegalHold, async ({ cuserid, reason }, ctx) => {
  const { scope, caller, now } = ctx;
  await requirePerson(ctx, cuserid);
  const standing = await findHold(scope, cuserid);
  if (!standing) throw problems.wrongState({ why: '该受测者的资料没有保全' });
  await queries.endHold(scope, standing.holdid, {
    endtime: now,
    endby: actorId(caller),
    endname: caller.name,
    endreason: reason,
  });
  ctx.audit({ objectid: cuserid, detail: { holdid: standing.holdid } });
  return {};
});

/** The handlers of terms and of holds. */
export const retentionHandlers = [getRetention, saveRetention, insertLegalHold, endLegalHold];
