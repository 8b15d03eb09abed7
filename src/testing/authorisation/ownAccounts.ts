import type { MUserTypeCode } from '#contract/action.ts';
import { institutions } from '#testing/people.ts';
import type { startServer } from '#testing/server.ts';

/** Creates sessions of institutions' own accounts, one for each type. They hold every code of the institution. Returns the tokens. */
export async function createOwnAccounts({ sqlAsOwner }: Pick<Awaited<ReturnType<typeof startServer>>, 'sqlAsOwner'>) {
  const tokens: Record<MUserTypeCode, string> = {
    '001': 'super',
    '002': 'own-002',
    '003': 'own-003',
    '004': 'own-004',
    '005': 'own-005',
  };
  for (const ins of Object.values(institutions)) {
    await sqlAsOwner(
      "insert into auth.account (accountid, musercode, loginname, pwdhash) values ($1, $1, $1, '') on conflict do nothing",
      [ins.musercode],
    );
    await sqlAsOwner(
      `insert into auth.session (tokenhash, kind, musercode, accountid, expiretime, idle, stepuptime)
       select encode(sha256(convert_to($1, 'UTF8')), 'hex'), 'staff', $2, $2, now() + interval '1 day', '1 day',
         now() on conflict do nothing`,
      [tokens[ins.musertype], ins.musercode],
    );
  }
  return tokens;
}
