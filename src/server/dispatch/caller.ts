import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { allCodes, codeOf } from '#contract/menu.ts';
import { codesSwitchedOff } from '#contract/menuTree.ts';
import type { Caller, MUserTypeCode } from '#contract/action.ts';
import { problems } from '#contract/problem.ts';
import { winddownCodes } from '#server/dispatch/winddown.ts';
import type { Scope, SessionHash } from '#server/db/scope.ts';

/** A signed-in institution account or member of staff. */
export interface Staff {
  kind: 'staff';
  accountid: string;
  musercode: string;
  /** null when the institution's own account signed in */
  userid: string | null;
  /** the caller's name in the case log and the audit log */
  name: string;
  musertype: MUserTypeCode;
  sector: string;
  codes: ReadonlySet<string>;
  /** effective codes of the caller's institution */
  institutioncodes: ReadonlySet<string>;
  /** data scope 5: only persons of teams this member of staff is responsible for */
  ownTeamsOnly: boolean;
  /** no institution is below the caller's, so a query may filter by one institution */
  isLeaf: boolean;
  /** data scopes 2–5: the caller does not see every person of the institution */
  hasDataScope: boolean;
  mustChangePassword: boolean;
  /** the institution or a role asks for a second factor and the account has none yet */
  mustEnrol: boolean;
  hasfactor: boolean;
  /** last day of 收尾模式, when the contract of the institution has ended; else null */
  winddownUntil: string | null;
  /** the account that acts in this one (登录机构), and its name */
  loginasby: string | null;
  loginasname: string | null;
  /** remaining seconds of acting in this account; 0 when no account acts in it */
  actingSecondsLeft: number;
  /** seconds since the last step-up, or since the last use within its minutes; null without one */
  stepUpAge: number | null;
  /** the account has the two extra buttons of the specification: 官网 and 数据大屏 */
  navextra: boolean;
  /** a screen (数据大屏) of this account calls */
  isScreen: boolean;
  /** another system calls with an API key (对接密钥): its groups of calls, and most calls in a minute */
  apikey: { scopes: readonly string[]; permin: number } | null;
}
/** A person answering a questionnaire. */
export interface Respondent {
  kind: 'respondent';
  cuserid: string;
  musercode: string;
}
/** A caller without a session. */
export interface Anyone {
  kind: 'anyone';
}
/** The type of the caller for each kind of caller. */
export interface CallerOf {
  anyone: Anyone;
  respondent: Respondent;
  staff: Staff;
}
export type AnyCaller = CallerOf[Caller];

/** Returns the hash under which the database stores a token. It never stores the token itself. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex') as SessionHash;

/**
 * Returns the caller of the session that is bound to the transaction. Each call reads the rights anew, so a change of rights
 * takes effect with the next call. Throws 110000 unless the session is live and of that kind. `others`: the sessions of a screen
 * or of an API key count as ones of their account.
 */
export const identify: { [C in Caller]: (scope: Scope, others?: readonly OtherKind[]) => Promise<CallerOf[C]> } = {
  anyone: async () => ({ kind: 'anyone' }),
  respondent: async (scope) => {
    const { rows } = await sql<{ cuserid: string; musercode: string }>`
      select cuserid, musercode from auth.current_respondent()`.execute(scope.db);
    if (!rows[0]) throw problems.identityInvalid();
    return { kind: 'respondent', ...rows[0] };
  },
  staff: async (scope, others = []) => {
    const row = await loadCaller(scope, ['staff', ...others]);
    const staff = parseCaller(row);
    if (row.parenthash === null) return staff;
    // While an account acts in another one, each call needs permissions that both accounts hold.
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

/** Binds another session to the following statements of this transaction. */
const bindSession = (scope: Scope, session: string) => sql`select set_config('app.session', ${session}, true)`.execute(scope.db);

/** Sessions of an account that are not of a person. */
export type OtherKind = 'screen' | 'key';

/** A row of `auth.current_caller(kinds)` (db/schema/10_auth.sql). */
interface CallerRow {
  kind: 'staff' | OtherKind;
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
  navextra: number;
  menusoff: number[];
  restricted: boolean;
  ownteamsonly: boolean;
  isleaf: boolean;
  mustchangepwd: boolean;
  mustfactor: boolean;
  hasfactor: boolean;
  stepupage: number | null;
  secondsleft: number;
  loginasby: string | null;
  tokenhash: string;
  parenthash: string | null;
  winddownuntil: string | null;
  keyid: string;
  /** null unless an API key calls, as the two below */
  keyname: string | null;
  keyscopes: string[] | null;
  keypermin: number | null;
}

/** How the audit log names a key that acts in the account of its institution. */
export const actorOfKey = (keyid: string, keyname: string) => ({
  loginasby: `key:${keyid}`,
  loginasname: `对接密钥：${keyname}`,
});

/** Returns the account of the transaction's session with its current rights. Throws 110000 without a live session of these kinds. */
async function loadCaller(scope: Scope, kinds: readonly CallerRow['kind'][] = ['staff']): Promise<CallerRow> {
  const { rows } = await sql<CallerRow>`
    select *, auth.winddown_until() as winddownuntil from auth.current_caller(${[...kinds]}::text[])`.execute(scope.db);
  if (!rows[0]) throw problems.identityInvalid();
  return rows[0];
}

function parseCaller(row: CallerRow): Staff {
  const { mcodes, rolecodes, granted, denied, menusoff, musertype } = row;
  const rights = { mcodes, rolecodes, granted, denied, menusoff, musertype };
  const codes = new Set(effectiveCodes({ ...rights, staff: row.userid !== null, issuper: row.issuper === 1 }));
  // A key acts in the institution's own account, so what staff may not do there is closed to it too.
  const isKey = row.kind === 'key';
  if (isKey) codes.delete(codeOf('person.unmasked'));
  return {
    kind: 'staff',
    accountid: row.accountid,
    musercode: row.musercode,
    userid: row.userid,
    name: row.name,
    musertype,
    sector: row.sector,
    codes: row.winddownuntil === null ? codes : winddownCodes(codes),
    institutioncodes: effectiveCodes({ ...rights, staff: false, issuper: musertype === '001' }),
    ownTeamsOnly: row.ownteamsonly,
    isLeaf: row.isleaf,
    hasDataScope: row.restricted,
    mustChangePassword: row.mustchangepwd && !isKey,
    mustEnrol: row.mustfactor && !row.hasfactor && !isKey,
    hasfactor: row.hasfactor,
    winddownUntil: row.winddownuntil,
    ...(isKey ? actorOfKey(row.keyid, row.keyname ?? '') : { loginasby: row.loginasby, loginasname: null }),
    actingSecondsLeft: row.loginasby === null ? 0 : row.secondsleft,
    stepUpAge: row.stepupage,
    navextra: row.navextra === 1,
    isScreen: row.kind === 'screen',
    apikey: isKey ? { scopes: row.keyscopes ?? [], permin: row.keypermin ?? 0 } : null,
  };
}

/**
 * Returns the effective codes of an account (conventions.md 0.4). The codes of switched-off menus are left out.
 * Staff hold (roles ∪ grants − denials) ∩ the codes of their institution.
 */
export function effectiveCodes(options: {
  mcodes: readonly string[];
  rolecodes: readonly string[];
  granted: readonly string[];
  denied: readonly string[];
  staff: boolean;
  issuper: boolean;
  musertype: string;
  /** ids of the menus that the platform has switched off for all accounts */
  menusoff?: readonly number[];
}): ReadonlySet<string> {
  const institution = new Set(options.issuper ? allCodes : options.mcodes);
  if (options.musertype === '005') institution.add('0000901');
  for (const code of codesSwitchedOff(new Set(options.menusoff ?? []))) institution.delete(code);
  if (!options.staff) return institution;
  const denied = new Set(options.denied);
  const staffCodes = [...options.rolecodes, ...options.granted].filter((code) => institution.has(code) && !denied.has(code));
  // Type 005 adds 名册快捷入口 for its staff too (specification section 6). An account without any right stays without one.
  if (options.musertype === '005' && staffCodes.length > 0 && institution.has('0000901') && !denied.has('0000901'))
    staffCodes.push('0000901');
  return new Set(staffCodes);
}
