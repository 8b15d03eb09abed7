import { ageOn } from '#domain/base/calendar.ts';
import { contactText, supportText } from '#domain/exam/support.ts';
import { readerOf } from '#domain/report/reader.ts';
import type { Scope } from '#server/db/scope.ts';
import { findRespondent } from '#features/respond/entry/entry.queries.ts';
import { findInstitutionHotlines } from '#features/hotline/hotline.queries.ts';

/** The person who reads the words. */
interface Reader {
  cuserid: string;
  musercode: string;
  sector: string;
}

/** How the pages address a person: 你 for students and minors, else 您. */
export async function findAddress(scope: Scope, cuserid: string, now: Date): Promise<'你' | '您'> {
  const person = await findRespondent(scope, cuserid);
  return readerOf(person?.appid ?? '', { age: person?.birthday ? ageOn(person.birthday, now) : null }).call;
}

/** The words after a submission (`card`) or after 请老师联系我 (`contact`), with the accept deadline of the person's case. */
export async function findSupportText(
  scope: Scope,
  { cuserid, musercode, sector }: Reader,
  kind: 'card' | 'contact',
  now: Date,
): Promise<string> {
  const waiting = await scope.db
    .selectFrom('warning')
    .select('acceptduetime')
    .where('cuserid', '=', cuserid)
    .where('state', '=', '01')
    .where('isdeleted', '=', 0)
    .executeTakeFirst();
  const facts = {
    sector,
    you: await findAddress(scope, cuserid, now),
    now,
    lines: await findInstitutionHotlines(scope, musercode),
    acceptBy: waiting?.acceptduetime ?? null,
  };
  return kind === 'card' ? supportText(facts) : contactText(facts);
}
