import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { allCodes, codeOf } from '#contract/menu.ts';
import { codesSwitchedOff } from '#contract/menuTree.ts';
import type { Caller, MUserTypeCode } from '#contract/action.ts';
import { problems } from '#contract/problem.ts';
import type { Scope, SessionHash } from '#server/scope.ts';

/** A signed-in institution account or member of staff. */
export interface Staff {
  kind: 'staff';
  accountid: string;
  musercode: string;
  /** null when the institution's own account signed in */
  userid: string | null;
  /** what the case log and the audit trail call them */
  name: string;
  musertype: MUserTypeCode;
  sector: string;
  codes: ReadonlySet<string>;
  /** what their institution may use */
  institutioncodes: ReadonlySet<string>;
  /** data scope 5: only persons of teams this member of staff is responsible for */
  narrowed: boolean;
  /** no institution stands below the caller's: a list is of one institution and can be asked for by it */
  alone: boolean;
  /** data scopes 2–5: not every person of the institution is within reach */
  scoped: boolean;
  seedetail: boolean;
  mustchangepwd: boolean;
  /** the institution or a role asks for a second factor and the account has none yet */
  mustenrol: boolean;
  hasfactor: boolean;
  /** the account that acts in this one, and its name */
  loginasby: string | null;
  loginasname: string | null;
  /** seconds for which somebody may still act in this account; 0 when nobody does */
  loginasleft: number;
  /** within five minutes of proving who they are */
  freshlyProven: boolean;
}
/** A person answering a questionnaire. */
export interface Respondent {
  kind: 'respondent';
  cuserid: string;
  musercode: string;
}
export interface Anyone {
  kind: 'anyone';
}
export interface CallerOf {
  anyone: Anyone;
  respondent: Respondent;
  staff: Staff;
}
export type AnyCaller = CallerOf[Caller];

/** The name under which a token is stored; the token itself is never kept. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex') as SessionHash;

/**
 * Who the session in force belongs to, read inside the request's own transaction: rights are computed anew at every
 * call, so a role taken away is gone with the next click. Throws 110000 for anything but a live session of that kind.
 */
export const identify: { [C in Caller]: (scope: Scope) => Promise<CallerOf[C]> } = {
  anyone: async () => ({ kind: 'anyone' }),
  respondent: async (scope) => {
    const { rows } = await sql<{ cuserid: string; musercode: string }>`
      select cuserid, musercode from auth.live() where kind = 'respondent'`.execute(scope.db);
    if (!rows[0]) throw problems.identityInvalid();
    return { kind: 'respondent', ...rows[0] };
  },
  staff: async (scope) => {
    const told = signedIn(await whoami(scope));
    if (!told.parenthash) return told.staff;
    // Acting in another's account gives nobody a right they lack: only what both hold, asked of both at every call.
    await bind(scope, told.parenthash);
    const { staff: actor } = signedIn(await whoami(scope));
    await bind(scope, told.tokenhash);
    if (!actor.codes.has(codeOf('account.loginAs'))) throw problems.identityInvalid();
    return {
      ...told.staff,
      codes: new Set([...told.staff.codes].filter((code) => actor.codes.has(code) || code === codeOf('team.shortcut'))),
      loginasname: actor.name,
      mustchangepwd: false,
      mustenrol: false,
    };
  },
};

/** Asks the rest of the transaction, or a part of it, as another session. */
const bind = (scope: Scope, session: string) => sql`select set_config('app.session', ${session}, true)`.execute(scope.db);

const whoami = async (scope: Scope) => (await sql<Asked>`select auth.whoami() as who`.execute(scope.db)).rows[0];

/**
 * What `auth.whoami()` tells in three lines (migration 0032): the seconds left; what holds of the session; and what follows from the account's
 * rights, which the database puts together anew when they change. Null when the session is not in force.
 */
interface Asked {
  who: string | null;
}
function signedIn(asked: Asked | undefined) {
  if (!asked?.who) throw problems.identityInvalid();
  const [left = '', session = ''] = asked.who.split('\n', 2);
  const text = asked.who.slice(left.length + 1);
  const [fresh, tokenhash = '', loginasby = '', parenthash = ''] = session.split('|');
  const { mustfactor, mustchangepwd, ...standing } = read(JSON.parse(text.slice(session.length + 1)) as Words);
  const staff: Staff = {
    kind: 'staff',
    ...standing,
    mustchangepwd: mustchangepwd === 1,
    mustenrol: mustfactor && !standing.hasfactor,
    loginasby: loginasby || null,
    loginasname: null,
    loginasleft: loginasby ? Number(left) : 0,
    freshlyProven: fresh === 't',
  };
  return { staff, tokenhash, parenthash };
}

interface Words {
  accountid: string;
  musercode: string;
  userid: string | null;
  name: string;
  musertype: MUserTypeCode;
  sector: string;
  mcodes: string[];
  /** of each role */
  rolecodes: string[][];
  granted: string[];
  denied: string[];
  issuper: number | null;
  menusoff: number[];
  narrowed: boolean;
  scoped: boolean;
  alone: boolean;
  seedetail: number;
  mustfactor: boolean;
  mustchangepwd: number;
  hasfactor: boolean;
}
function read({ mcodes, rolecodes, granted, denied, issuper, menusoff, seedetail, ...rest }: Words) {
  const { userid, musertype } = rest;
  const own = { mcodes, granted, denied, menusoff, musertype, rolecodes: rolecodes.flat() };
  return {
    ...rest,
    seedetail: seedetail === 1,
    codes: effectiveCodes({ ...own, staff: userid !== null, issuper: issuper === 1 }),
    institutioncodes: effectiveCodes({ ...own, staff: false, issuper: musertype === '001' }),
  };
}

/** Effective codes of an account (conventions.md 0.4): staff hold (roles ∪ grants − denials) ∩ their institution's codes, without what is switched off. */
export function effectiveCodes(of: {
  mcodes: readonly string[];
  rolecodes: readonly string[];
  granted: readonly string[];
  denied: readonly string[];
  staff: boolean;
  issuper: boolean;
  musertype: string;
  /** numbers of menu entries the platform has switched off for everybody */
  menusoff?: readonly number[];
}): ReadonlySet<string> {
  const institution = new Set(of.issuper ? allCodes : of.mcodes);
  if (of.musertype === '005') institution.add('0000901');
  for (const code of codesSwitchedOff(new Set(of.menusoff ?? []))) institution.delete(code);
  if (!of.staff) return institution;
  const denied = new Set(of.denied);
  return new Set([...of.rolecodes, ...of.granted].filter((code) => institution.has(code) && !denied.has(code)));
}
