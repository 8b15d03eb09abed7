import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { allCodes, codeOf } from '#contract/menu.ts';
import { codesSwitchedOff } from '#contract/menuTree.ts';
import type { Caller, MUserTypeCode } from '#contract/action.ts';
import { problems } from '#contract/problem.ts';
import type { Scope, SessionHash } from '#server/db/scope.ts';

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
  ownTeamsOnly: boolean;
  /** no institution stands below the caller's: a list is of one institution and can be asked for by it */
  isLeaf: boolean;
  /** data scopes 2–5: not every person of the institution is within reach */
  hasDataScope: boolean;
  seedetail: boolean;
  mustChangePassword: boolean;
  /** the institution or a role asks for a second factor and the account has none yet */
  mustEnrol: boolean;
  hasfactor: boolean;
  /** the account that acts in this one, and its name */
  loginasby: string | null;
  loginasname: string | null;
  /** seconds for which somebody may still act in this account; 0 when nobody does */
  actingSecondsLeft: number;
  /** within five minutes of proving who they are */
  recentlyVerified: boolean;
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
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex') as SessionHash;

/**
 * Who the session in force belongs to, read inside the request's own transaction: rights are computed anew at every
 * call, so a role taken away is gone with the next click. Throws 110000 for anything but a live session of that kind.
 */
export const identify: { [C in Caller]: (scope: Scope) => Promise<CallerOf[C]> } = {
  anyone: async () => ({ kind: 'anyone' }),
  respondent: async (scope) => {
    const { rows } = await sql<{ cuserid: string; musercode: string }>`
      select cuserid, musercode from auth.current_respondent()`.execute(scope.db);
    if (!rows[0]) throw problems.identityInvalid();
    return { kind: 'respondent', ...rows[0] };
  },
  staff: async (scope) => {
    const row = await loadCaller(scope);
    const staff = parseCaller(row);
    if (row.parenthash === null) return staff;
    // Acting in another's account gives nobody a permission they lack: both accounts must hold it, at every call.
    await bindSession(scope, row.parenthash);
    const actor = parseCaller(await loadCaller(scope));
    await bindSession(scope, row.tokenhash);
    if (!actor.codes.has(codeOf('account.loginAs'))) throw problems.identityInvalid();
    return {
      ...staff,
      codes: new Set([...staff.codes].filter((code) => actor.codes.has(code) || code === codeOf('team.shortcut'))),
      loginasname: actor.name,
      mustChangePassword: false,
      mustEnrol: false,
    };
  },
};

/** Makes the statements that follow in this transaction run as another session. */
const bindSession = (scope: Scope, session: string) => sql`select set_config('app.session', ${session}, true)`.execute(scope.db);

/** A row of `auth.current_caller()` (db/schema/10_auth.sql). */
interface CallerRow {
  accountid: string;
  musercode: string;
  userid: string | null;
  name: string;
  musertype: MUserTypeCode;
  sector: string;
  mcodes: string[];
  rolecodes: string[];
  granted: string[];
  denied: string[];
  issuper: number;
  menusoff: number[];
  restricted: boolean;
  ownteamsonly: boolean;
  isleaf: boolean;
  seedetail: boolean;
  mustchangepwd: boolean;
  mustfactor: boolean;
  hasfactor: boolean;
  verified: boolean;
  secondsleft: number;
  loginasby: string | null;
  tokenhash: string;
  parenthash: string | null;
}

/** The account behind the session of this transaction, with its rights as they are now. Throws 110000 when no staff session is in force. */
async function loadCaller(scope: Scope): Promise<CallerRow> {
  const { rows } = await sql<CallerRow>`select * from auth.current_caller()`.execute(scope.db);
  if (!rows[0]) throw problems.identityInvalid();
  return rows[0];
}

function parseCaller(row: CallerRow): Staff {
  const { mcodes, rolecodes, granted, denied, menusoff, musertype } = row;
  const rights = { mcodes, rolecodes, granted, denied, menusoff, musertype };
  return {
    kind: 'staff',
    accountid: row.accountid,
    musercode: row.musercode,
    userid: row.userid,
    name: row.name,
    musertype,
    sector: row.sector,
    codes: effectiveCodes({ ...rights, staff: row.userid !== null, issuper: row.issuper === 1 }),
    institutioncodes: effectiveCodes({ ...rights, staff: false, issuper: musertype === '001' }),
    ownTeamsOnly: row.ownteamsonly,
    isLeaf: row.isleaf,
    hasDataScope: row.restricted,
    seedetail: row.seedetail,
    mustChangePassword: row.mustchangepwd,
    mustEnrol: row.mustfactor && !row.hasfactor,
    hasfactor: row.hasfactor,
    loginasby: row.loginasby,
    loginasname: null,
    actingSecondsLeft: row.loginasby === null ? 0 : row.secondsleft,
    recentlyVerified: row.verified,
  };
}

/**
 * Effective codes of an account (conventions.md 0.4): staff hold (roles ∪ grants − denials) ∩ their institution's codes,
 * without what is switched off.
 */
export function effectiveCodes(options: {
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
  const institution = new Set(options.issuper ? allCodes : options.mcodes);
  if (options.musertype === '005') institution.add('0000901');
  for (const code of codesSwitchedOff(new Set(options.menusoff ?? []))) institution.delete(code);
  if (!options.staff) return institution;
  const denied = new Set(options.denied);
  return new Set([...options.rolecodes, ...options.granted].filter((code) => institution.has(code) && !denied.has(code)));
}
