import { keptSince } from '#domain/retention/retention.ts';
import { DISABLED_REASON } from '#domain/task/taskprogress.ts';
import type { Pools } from '#server/db/pools.ts';
import type { Scope } from '#server/db/scope.ts';
import type { FieldCipher } from '#server/security/fieldCipher.ts';
import * as queries from '#features/anonymize/anonymize.queries.ts';
import { eraseJobs } from '#features/anonymize/eraseJobs.ts';
import { withdrawAllAuthorizations } from '#features/assesscount/authorizations/authorize.queries.ts';
import { releaseCounts } from '#features/assesscount/movement.queries.ts';
import { exemptFromTasks } from '#features/cuser/leaving/leaving.queries.ts';

/** What erasing needs: the scope of the institution, and who does it. */
export interface Erasing {
  scope: Scope;
  pools: Pick<Pools, 'authn'>;
  cipher: FieldCipher;
  now: Date;
  /** the account, or 系统 for a job */
  operator: string;
  /** why the unused counts return, for the ledger */
  remark: string;
}

/**
 * Takes the person out of tasks, returns unused counts, ends the sessions and erases the person. This is the only place that erases one:
 * 匿名化, the end of a term and a restore call it, once a person. After the commit the caller writes the list of erased persons
 * (keepErasures.ts) and deletes the files whose keys it returns from the store; what a crash leaves there, `cleanupFiles` deletes.
 * The database refuses an open case and a legal hold.
 */
export async function erasePerson(
  { scope, pools, cipher, now, operator, remark }: Erasing,
  { cuserid, musercode }: { cuserid: string; musercode: string },
): Promise<string[]> {
  await exemptFromTasks(scope, cuserid, DISABLED_REASON, operator);
  await releaseCounts(scope, await withdrawAllAuthorizations(scope, [cuserid]), { operator, now, remark });
  await pools.authn.query('update auth.session set revoked = now() where cuserid = $1 and revoked is null', [cuserid]);
  await eraseJobs({ scope, cipher, now }, musercode, await queries.findWords(scope, cuserid));
  const months = 12 * (await queries.findCaseYears(scope, musercode));
  await queries.anonymizePerson(scope, cuserid, keptSince(months, now), now);
  return queries.findErasedFiles(scope, cuserid);
}
