import type { Scope } from '#server/db/scope.ts';

/**
 * The guardians whose consent is open, with the days that staff were asked. Nobody asks the family of a person who has died, nor about a
 * record that was merged into another one.
 */
export const findOpenGuardianConsents = (scope: Scope) =>
  scope.db
    .selectFrom('guardianconsent as g')
    .innerJoin('cuser as c', 'c.cuserid', 'g.cuserid')
    .select(['g.guardianconsentid', 'g.cuserid', 'g.musercode', 'g.status', 'g.sincetime', 'g.chasedday'])
    .where('g.kind', '=', '01')
    .where('g.status', '=', 0)
    .where('c.deathtime', 'is', null)
    .where('c.mergedinto', 'is', null)
    .orderBy('g.guardianconsentid')
    .forUpdate('g')
    .skipLocked()
    .execute();

/** Records the day on which staff were asked. */
export const saveChase = (scope: Scope, guardianconsentid: number, day: number) =>
  scope.db.updateTable('guardianconsent').set({ chasedday: day }).where('guardianconsentid', '=', guardianconsentid).execute();

/** Records the deletion. While an open case keeps answers, the consent stays open, and the next run tries again. */
export const saveErased = (scope: Scope, guardianconsentid: number, isDone: boolean, now: Date) =>
  scope.db
    .updateTable('guardianconsent')
    .set((eb) => ({
      erasedtime: eb.fn.coalesce('erasedtime', eb.val(now)),
      ...(isDone && { status: 3, codesealed: null, codehash: null }),
    }))
    .where('guardianconsentid', '=', guardianconsentid)
    .execute();
