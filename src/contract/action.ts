import type { z } from 'zod';
import type { ExportField } from '#contract/fieldAccess.ts';
import { codesOf, type Guard } from '#contract/menu.ts';

/** The caller of an action: an anonymous person, a respondent with a ticket, or signed-in staff. */
export type Caller = 'anyone' | 'respondent' | 'staff';
export type MUserTypeCode = '001' | '002' | '003' | '004' | '005';

/** The account types that care for persons: providers, medical institutions, schools and other institutions. */
export const CARE_TYPES = ['002', '004', '005'] as const;
/** All account types except authorities (003), which only read. */
export const NON_AUTHORITY_TYPES = ['001', '002', '004', '005'] as const;
/** The account types that operate institutions: the platform and providers. */
export const OPERATOR_TYPES = ['001', '002'] as const;
/** All account types. An action that an authority may call with a right names its type. */
export const ALL_TYPES = ['001', '002', '003', '004', '005'] as const;

/** The permission to call an action. There is no default: an action without `allow` does not compile. */
export interface Allow<C extends Caller = Caller> {
  caller: C;
  /** Staff need at least one of these permission codes; absent means every caller of this kind. */
  codes?: readonly string[];
  /** Staff also need all of these codes, for example the right to see warnings and the right to export. */
  and?: readonly string[];
  /** The account types that may call; absent means all. */
  types?: readonly MUserTypeCode[];
  /** Accounts with `navextra` may call it too, whatever their type and codes. */
  orNavextra?: true;
  /** The session of a screen (数据大屏) may call it too. No other action answers a screen. */
  screens?: true;
}

export const anyone: Allow<'anyone'> = { caller: 'anyone' };
export const respondent: Allow<'respondent'> = { caller: 'respondent' };
export const anyStaff: Allow<'staff'> = { caller: 'staff' };
/**
 * Allows staff who have at least one of these screens or features of `menu.ts`, except those of authorities: an authority reads only
 * the nightly release (supplement-people-statistics.md 9). `forTypes` opens an action to them; authority.test.ts then asks for a reason.
 */
export const staffOf = (...guards: [Guard, ...Guard[]]): Allow<'staff'> => ({
  caller: 'staff',
  codes: codesOf(guards),
  types: NON_AUTHORITY_TYPES,
});
/** Restricts an allowance to account types. Staff have the type of their institution. */
export const forTypes = (types: readonly [MUserTypeCode, ...MUserTypeCode[]], allow: Allow<'staff'>): Allow<'staff'> => ({
  ...allow,
  types,
});
/** Adds rights that staff need too. */
export const andHolding = (allow: Allow<'staff'>, ...guards: [Guard, ...Guard[]]): Allow<'staff'> => ({
  ...allow,
  and: codesOf(guards),
});

/**
 * read: returns data, without an audit row. reveal: returns one person's sensitive data; the audit row names the person.
 * write: one audited transaction. export: returns a file, audited. import: receives a file, audited.
 */
export type Kind = 'read' | 'reveal' | 'write' | 'export' | 'import';

/**
 * The row that a request changes, so that the server can tell which of its fields another person changed meanwhile
 * (src/server/dispatch/edits.ts).
 */
export interface Edits<Input = never> {
  /** A table of `access.track_edits`. */
  table: string;
  /** The request field and column that name the row; or the caller's own institution or account, named by a column of `table`. */
  key: string | { own: 'institution' | 'account'; column?: string };
  /** Another part of the row's key that never changes, such as the channel of a notice channel. */
  only?: { column: string; value: string };
  /** The key of a row of `setting`. */
  setting?: string;
  /** The marks of fields that the database keeps under another name, a list in another table included. */
  marks?: Readonly<Record<string, string>> | ((input: Input) => Readonly<Record<string, string>>);
  /** Objects whose members are fields of their own. */
  parts?: readonly string[];
  /** Fields that a form sends together when one of them changed, such as a recording and its duration. */
  together?: readonly (readonly string[])[];
  /** The refusal names the fields and shows no value: the form reads the person's data again by a call that is audited. */
  isPrivate?: true;
  /** The row when the request has no `key`. */
  or?: { table: string; key: string };
}

export interface Action<
  Req extends z.ZodType = z.ZodType,
  Res extends z.ZodType = z.ZodType,
  C extends Caller = Caller,
  K extends Kind = Kind,
> {
  /** Its name on the wire: POST /api/{name}/1.0.0/action. */
  name: `as.${string}`;
  /** Its name in the audit log and the documentation. */
  title: string;
  allow: Allow<C>;
  kind: K;
  /** The request schema. Use z.strictObject, so that the server refuses unknown keys. */
  request: Req;
  /** The response schema: the server returns only these fields. Exports declare `file` of `contract/file.ts`. */
  response: Res;
  /** The persons of a request, for the audit log; required for `reveal` (checked at start-up). */
  person?: (request: z.infer<Req>) => readonly string[];
  /**
   * It changes rights, passwords or second factors, shows a contact, erases a person or signs in as another account: see `needsStepUp`.
   * A function decides by request.
   */
  sensitive?: true | ((request: z.infer<Req>) => boolean);
  /** It belongs to the caller's own account (factors, sessions, messages): see `isClosedToActing`. */
  personal?: true;
  /** An export without personal data, such as an empty template: it needs no step-up. */
  containsNoData?: true;
  /** The row that it edits. The request then has `version` and the response the new one (`editVersion`, `newVersion`). */
  edits?: Edits<z.infer<Req>>;
  /** The columns of an export of persons, with the rule for each field (`fieldAccess.ts`). */
  columns?: readonly ExportField[];
  /**
   * The request field that has a budget of its own at each address before sign-in. A pupil behind a school's address then cannot use
   * up the budget of its staff.
   */
  budgetOf?: string;
  /** Cost in tokens of the caller's rate-limit bucket; default 1. */
  cost?: number;
}

/** Declares an action of the wire. A contract only declares it; `handle` binds the handler. */
export const defineAction = <Req extends z.ZodType, Res extends z.ZodType, C extends Caller, K extends Kind>(
  action: Action<Req, Res, C, K>,
) => action;

export type RequestOf<A extends Action> = z.input<A['request']>;
export type ResponseOf<A extends Action> = z.infer<A['response']>;

/** Minutes for which a step-up is valid. Each use of the session within them begins the minutes anew (security.md C14). */
export const STEP_UP_MINUTES = 15;

/** Whether the action exports a file or is declared as sensitive. */
const isSensitive = (action: Action, request: unknown): boolean =>
  (action.kind === 'export' && !action.containsNoData) ||
  (typeof action.sensitive === 'function' ? request !== undefined && action.sensitive(request) : action.sensitive === true);

/**
 * Whether the action needs a step-up of the last `STEP_UP_MINUTES` (110007). The server checks it for every call. Reading a report, a
 * trend or a case needs none: it leaves an audit row.
 */
export const needsStepUp = (action: Action, request: unknown): boolean =>
  action.allow.caller === 'staff' && isSensitive(action, request);

/**
 * Whether the action is refused while staff act in another account (代登录, 110011). They may read and help. They may not export,
 * reveal a person's data, change rights or secrets, or use actions of the account itself.
 * Without `request` it tells whether all requests of the action are refused.
 */
export const isClosedToActing = (action: Action, request?: unknown): boolean =>
  action.allow.caller === 'staff' && (action.personal === true || action.kind === 'reveal' || isSensitive(action, request));

/** Whether staff with these codes, in an institution of this type, may call the action. The server and the console use it. */
export function isPermitted(allow: Allow, codes: ReadonlySet<string>, type?: string, hasNavextra = false): boolean {
  if (allow.orNavextra && hasNavextra) return true;
  if (allow.types && !(allow.types as readonly (string | undefined)[]).includes(type)) return false;
  if (allow.codes && !allow.codes.some((code) => codes.has(code))) return false;
  return !allow.and || allow.and.every((code) => codes.has(code));
}
