import { setImmediate } from 'node:timers/promises';
import { addDays, fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { cellKey, groupsOf } from '#domain/release/closedSystem.ts';
import { hideCells } from '#domain/release/hideCells.ts';
import { groupBy, roundEffort, toOutcome } from '#domain/release/measures.ts';
import { hasBegun, hasEnded, isReleaseDue, periodOf, RELEASE_DAYS, spanOf } from '#domain/release/period.ts';
import { platformCode } from '#domain/tenant/tenantTree.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import type { Scope } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import {
  countCases,
  countPersons,
  findInstitutions,
  findPeriodsOfRows,
  findPopulations,
  type Effort,
  type Institution,
  type Unit,
} from '#features/release/count.queries.ts';
import * as queries from '#features/release/publish.queries.ts';
import { makeReader } from '#features/release/solver.ts';

/** The hour of the nightly count in Shanghai. */
const HOUR = '02:00';

/** Publishes when the last run is older than the latest 02:00. The server's timer calls it every minute. Returns whether it ran. */
export async function publishDue(services: Pick<Services, 'pools'>, now: Date): Promise<boolean> {
  const last = await runAsSystem(services.pools, platformCode, (scope) => queries.findLastRun(scope));
  const today = fromShanghai(`${shanghaiDate(now)} ${HOUR}`);
  const due = now >= today ? today : addDays(today, -1);
  if (last && last >= due) return false;
  await publish(services, now);
  return true;
}

/**
 * Counts the effort of every period that is not over, and releases the outcome of the closed systems that are due (decision 0069).
 * A second run at the same time changes nothing. Each period is one transaction, so that a failure leaves the others.
 */
export async function publish({ pools }: Pick<Services, 'pools'>, now: Date): Promise<void> {
  const asPlatform = <T>(work: (scope: Scope) => Promise<T>) => runAsSystem(pools, platformCode, work);
  for (const unit of await asPlatform((scope) => findUnits(scope, now)))
    await asPlatform(async (scope) => {
      await queries.lockRelease(scope);
      if (!(await isFinal(scope, unit))) await publishPeriod(scope, unit, now);
    });
  await asPlatform(async (scope) => {
    await queries.markOverdue(scope, now);
    await queries.saveLastRun(scope, now);
  });
}

/** The populations and periods that have begun: those with rows, and the present one. */
async function findUnits(scope: Scope, now: Date): Promise<Unit[]> {
  const present = (await findPopulations(scope)).map((appid) => ({ appid, ...periodOf(appid, shanghaiDate(now)) }));
  const units = new Map([...present, ...(await findPeriodsOfRows(scope))].map((unit) => [Object.values(unit).join(' '), unit]));
  return [...units.values()].filter((unit) => hasBegun(unit, now));
}

/** Whether a period was counted after its last release, so that nothing of it changes any more. */
async function isFinal(scope: Scope, unit: Unit): Promise<boolean> {
  const span = spanOf(unit);
  return !span || queries.isCountedSince(scope, unit, addDays(fromShanghai(span.enddate), 1 + RELEASE_DAYS));
}

const systemKey = ({ sector, provincecode, citycode, districtcode }: queries.System): string =>
  [sector, provincecode, citycode, districtcode].join('/');

async function publishPeriod(scope: Scope, unit: Unit, now: Date): Promise<void> {
  const persons = await countPersons(scope, unit);
  const cases = await countCases(scope, unit, now);
  const overdue = await queries.findOverdue(scope, unit, now);
  const counted = await queries.findCountedUnits(scope, unit);
  const withRows = new Set([...persons, ...cases].map(({ musercode }) => musercode));
  const released = new Set(counted.filter(({ releasetime }) => releasetime).map(({ musercode }) => musercode));
  // An institution that has not begun stands in the list as long as the period lasts.
  const institutions = (await findInstitutions(scope, unit)).filter(
    ({ musercode, isactive }) =>
      !released.has(musercode) &&
      (withRows.has(musercode) || (isactive && !hasEnded(unit, now)) || counted.some((row) => row.musercode === musercode)),
  );
  const efforts = sumEfforts(persons.filter(({ musercode }) => institutions.some((item) => item.musercode === musercode)));
  await queries.replaceUnits(scope, unit, institutions, efforts, now);

  const closed = new Set((await queries.findReleasedSystems(scope, unit)).map(systemKey));
  for (const [key, members] of groupBy(institutions, systemKey)) {
    const taskends = members.filter(({ isactive, lasttaskend }) => isactive || lasttaskend).map(({ lasttaskend }) => lasttaskend);
    if (closed.has(key) || !isReleaseDue(unit, taskends, now)) continue;
    await release(scope, unit, { members, persons, cases, efforts, overdue, now });
  }
}

/** Releases the outcome of the institutions of one closed system. */
async function release(
  scope: Scope,
  unit: Unit,
  system: {
    members: readonly Institution[];
    persons: Awaited<ReturnType<typeof countPersons>>;
    cases: Awaited<ReturnType<typeof countCases>>;
    efforts: ReturnType<typeof sumEfforts>;
    overdue: Set<string>;
    now: Date;
  },
): Promise<void> {
  const { members, persons, cases, efforts, overdue, now } = system;
  const [first] = members;
  if (!first) return;
  const musercodes = members.map(({ musercode }) => musercode);
  const isMember = ({ musercode }: { musercode: string }) => musercodes.includes(musercode);
  const groups = groupsOf(
    persons.filter(isMember).map(({ total: _total, exempt: _exempt, tested: _tested, ...row }) => row),
    cases.filter(isMember),
  );
  const tested = new Map(
    efforts.filter(isMember).map((effort) => [`${effort.musercode}/${effort.gradecode}`, effort.tested] as const),
  );
  const hidden = await hideCells(groups, { tested, overdue }, makeReader, () => setImmediate());
  const { sector, provincecode, citycode, districtcode } = first;
  await queries.insertOutcome(
    scope,
    { unit, system: { sector, provincecode, citycode, districtcode }, platform: platformCode, now },
    groups.map((group) => ({ ...group, outcome: toOutcome(group, (cell) => !hidden.has(cellKey(group, cell))) })),
    musercodes,
  );
}

/** The rounded effort by institution and grade. */
function sumEfforts(rows: readonly (Effort & { musercode: string; gradecode: string })[]) {
  const byGrade = groupBy(rows, ({ musercode, gradecode }) => `${musercode}/${gradecode}`);
  return [...byGrade.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const sum = (key: keyof Effort) => roundEffort(group.reduce((total, row) => total + row[key], 0));
    const { musercode, gradecode } = first;
    return [{ musercode, gradecode, total: sum('total'), exempt: sum('exempt'), tested: sum('tested') }];
  });
}
