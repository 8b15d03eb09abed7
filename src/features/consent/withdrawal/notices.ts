import type { Scope } from '#server/db/scope.ts';
import { findStaff } from '#features/warning/duty/duty.queries.ts';

/** Notices about consent to the psychologists of an institution (clinical-rules B: E8). */

/** The page with the guardians whose consent is open. */
export const guardianConsentPath = '/task/guardianConsent';

/** Notifies the psychologists, otherwise the administrators, otherwise the institution's own account, and `also`; never `except`. */
export async function notifyOfConsent(
  scope: Scope,
  musercode: string,
  note: {
    title: string;
    content: string;
    link: string;
    key: string;
    also?: string | null;
    except?: readonly string[];
    now: Date;
  },
): Promise<void> {
  const staff = (await findStaff(scope, musercode, {}, note.now)).filter(({ userid }) => !note.except?.includes(userid));
  const idsOf = (role: string) => staff.filter(({ roles }) => roles.includes(role)).map(({ userid }) => userid);
  const psychologists = idsOf('psychologist');
  const readers = psychologists.length ? psychologists : idsOf('insadmin');
  const userids = new Set<string | null>(readers.length ? readers : [null]);
  if (note.also) userids.add(note.also);
  await scope.db
    .insertInto('notification')
    .values(
      [...userids].map((userid) => ({
        musercode,
        userid,
        kind: 'system',
        title: note.title,
        content: note.content,
        link: note.link,
        dedupekey: `consent:${note.key}:${userid ?? musercode}`,
        createtime: note.now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
