import { platformCode } from '#domain/tenant/tenantTree.ts';
import { archivePathOf } from '#contract/population.ts';
import { runAsSystem } from '#server/db/systemSession.ts';
import type { Services } from '#server/dispatch/services.ts';
import * as queries from '#features/anonymize/anonymize.queries.ts';
import { addNotices } from '#features/warning/alerts/notify.queries.ts';

/** Persons of one run; the next run takes the rest. */
const LIMIT = 50;

/**
 * Ends the requests for 匿名化 that nobody answered in time and tells the askers. Erases the texts that an earlier version left of
 * anonymised persons, and those of their cases whose term has ended. Running it twice changes nothing. Returns the numbers.
 */
export const runAnonymizeJobs = ({ pools }: Pick<Services, 'pools'>, now: Date) =>
  runAsSystem(pools, platformCode, async (scope) => {
    const expired = await queries.expireRequests(scope, now);
    await addNotices(
      scope,
      expired.map(({ anonymizationid, musercode, askuserid, cuserid, appid }) => ({
        musercode,
        userid: askuserid,
        kind: 'approval' as const,
        title: '匿名化申请已过期',
        content: '没有同事在期限内复核，资料没有改动。仍需办理的，请重新申请。',
        link: archivePathOf(appid, cuserid),
        dedupekey: `anonymize:expired:${anonymizationid}`,
        createtime: now,
      })),
    );
    const unerased = await queries.findUnerased(scope, now, LIMIT);
    for (const { cuserid, keepsince } of unerased) await queries.anonymizePerson(scope, cuserid, keepsince, now);
    return { expired: expired.length, erased: unerased.length };
  });
