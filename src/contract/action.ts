import type { z } from 'zod';
import { codesOf, type Guard } from '#contract/menu.ts';

/** Who is calling: nobody yet, a respondent with a ticket, or signed-in staff. */
export type Caller = 'anyone' | 'respondent' | 'staff';
export type MUserTypeCode = '001' | '002' | '003' | '004' | '005';

/** Providers, medical institutions, schools and the like: those who have persons in their care. */
export const CARE_TYPES = ['002', '004', '005'] as const;
/** An authority (003) looks on; it arranges nothing. */
export const NON_AUTHORITY_TYPES = ['001', '002', '004', '005'] as const;
/** The platform and providers: those who open institutions and keep what these work with. */
export const OPERATOR_TYPES = ['001', '002'] as const;

/** Who may call an action. There is no default: an action without `allow` does not compile. */
export interface Allow<C extends Caller = Caller> {
  caller: C;
  /** Staff need at least one of these permission codes; absent means every caller of that kind. */
  codes?: readonly string[];
  /** Staff need all of these too (a union of rights, such as seeing warnings and exporting). */
  and?: readonly string[];
  /** The account types that may call; absent means all. */
  types?: readonly MUserTypeCode[];
}

export const anyone: Allow<'anyone'> = { caller: 'anyone' };
export const respondent: Allow<'respondent'> = { caller: 'respondent' };
export const anyStaff: Allow<'staff'> = { caller: 'staff' };
/** Staff who hold at least one of these screens or features of `menu.ts`. */
export const staffOf = (...guards: [Guard, ...Guard[]]): Allow<'staff'> => ({ caller: 'staff', codes: codesOf(guards) });
/** Narrows an allowance to account types; staff have the type of their institution. */
export const forTypes = (types: readonly [MUserTypeCode, ...MUserTypeCode[]], allow: Allow<'staff'>): Allow<'staff'> => ({
  ...allow,
  types,
});
/** Adds a right that is needed besides. */
export const andHolding = (allow: Allow<'staff'>, ...guards: [Guard, ...Guard[]]): Allow<'staff'> => ({
  ...allow,
  and: codesOf(guards),
});

/**
 * read: answers, leaves no trace. reveal: reads one person's sensitive data, audited with the person. write: one audited
 * transaction. export: answers with a file, audited. import: takes a file, audited.
 */
export type Kind = 'read' | 'reveal' | 'write' | 'export' | 'import';

export interface Action<
  Req extends z.ZodType = z.ZodType,
  Res extends z.ZodType = z.ZodType,
  C extends Caller = Caller,
  K extends Kind = Kind,
> {
  /** Its name on the wire: POST /api/{name}/1.0.0/action. */
  name: `as.${string}`;
  /** What the audit trail and the documentation call it. */
  title: string;
  allow: Allow<C>;
  kind: K;
  /** Unknown keys are refused: use z.strictObject. */
  request: Req;
  /** The whitelist of what leaves the server. Exports declare `file` of `contract/file.ts`. */
  response: Res;
  /** The persons a request is about, for the access trail; required for `reveal` (checked at start-up). */
  person?: (request: z.infer<Req>) => readonly string[];
  /**
   * Touches rights, passwords or second factors, or takes another's place: see `needsStepUp`. A function says it of some requests
   * only.
   */
  sensitive?: true | ((request: z.infer<Req>) => boolean);
  /** About the caller's own account (its proofs, sessions, messages): see `isClosedToActing`. */
  personal?: true;
  /** An export that holds nobody's data, such as an empty form to fill in: it asks for no proof. */
  containsNoData?: true;
  /** Cost in tokens of the caller's bucket; 1 when absent. */
  cost?: number;
}

/** Declares an action of the wire. Contracts only declare; `handle` binds what it does. */
export const defineAction = <Req extends z.ZodType, Res extends z.ZodType, C extends Caller, K extends Kind>(
  action: Action<Req, Res, C, K>,
) => action;

export type RequestOf<A extends Action> = z.input<A['request']>;
export type ResponseOf<A extends Action> = z.infer<A['response']>;

/** What changes hands or is laid open: files, one person's sensitive data, rights and secrets. */
const isSensitive = (action: Action, request: unknown): boolean =>
  (action.kind === 'export' && !action.containsNoData) ||
  action.kind === 'reveal' ||
  (typeof action.sensitive === 'function' ? request !== undefined && action.sensitive(request) : action.sensitive === true);

/**
 * Must the caller have proven within five minutes that it is still them (110007)? The one rule of step-up; the server asks it
 * of every call.
 */
export const needsStepUp = (action: Action, request: unknown): boolean =>
  action.allow.caller === 'staff' && isSensitive(action, request);

/**
 * Is the action refused to whoever acts in another's account (110011)? They may look and help; they take nothing away, open no
 * person's file, change no rights or secrets, and touch nothing that is the account's own. Without a request: of all requests?
 */
export const isClosedToActing = (action: Action, request?: unknown): boolean =>
  action.allow.caller === 'staff' && (action.personal === true || isSensitive(action, request));

/** May a holder of these codes, in an institution of this type, call the action? Asked by the server and by the console. */
export function isPermitted(allow: Allow, codes: ReadonlySet<string>, type?: string): boolean {
  if (allow.types && !(allow.types as readonly (string | undefined)[]).includes(type)) return false;
  if (allow.codes && !allow.codes.some((code) => codes.has(code))) return false;
  return !allow.and || allow.and.every((code) => codes.has(code));
}
