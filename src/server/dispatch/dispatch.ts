import { sql } from 'kysely';
import { isOpenInWinddown } from '#server/dispatch/winddown.ts';
import { concealFields, findForbiddenField } from '#contract/fieldAccess.ts';
import { STEP_UP_MINUTES, needsStepUp, isClosedToActing, isPermitted, type Action, type Allow } from '#contract/action.ts';
import type { IncomingFile, StoredFile, Upload } from '#contract/file.ts';
import { schemaOf } from '#contract/fieldTitles.ts';
import { Problem, problems } from '#contract/problem.ts';
import { writeAudit, type AuditFacts } from '#server/dispatch/audit.ts';
import { hashToken, identify, type AnyCaller, type Staff } from '#server/dispatch/caller.ts';
import { problemOfDatabaseError } from '#server/db/databaseError.ts';
import { assertUnchanged, editOf, findChanges, type Current } from '#server/dispatch/edits.ts';
import type { ArrivedContext, BackgroundJob, Context, Handler, ReceiveContext } from '#server/dispatch/handle.ts';
import type { CallBudget } from '#server/nodes/callBudget.ts';
import { keyGuard } from '#server/dispatch/keyGuard.ts';
import type { RateLimiter } from '#server/dispatch/rateLimiter.ts';
import { KEY_TOKEN } from '#server/security/tokenStart.ts';
import { parse, replaceUnstorableCharacters } from '#server/dispatch/parse.ts';
import { tolerate } from '#server/dispatch/tolerate.ts';
import { withStatsScope, withScope, type Scope, type SessionCredentials, type SessionHash } from '#server/db/scope.ts';
import { figuresOf, runHandler } from '#server/replica/replicaReads.ts';
import { prolongStepUp } from '#server/dispatch/prolongStepUp.ts';
import type { Services } from '#server/dispatch/services.ts';
import { readAll } from '#server/dispatch/readAll.ts';
import { Turns } from '#server/dispatch/turns.ts';

/** One call of a client or of the export worker. The response carries `requestId` in a header, never in the body. */
export interface Call {
  name: string;
  token: string;
  body: unknown;
  upload?: IncomingFile | undefined;
  /** Receives the progress of an export that runs as a job. */
  progress?: ((doneCount: number, total: number) => void) | undefined;
  job?: BackgroundJob | undefined;
  /** A screen that renews itself sends the call, so it does not prolong a step-up. */
  isUnattended?: boolean | undefined;
  /** Our own console: the request must match the contract exactly (see `tolerate`). */
  isStrict?: boolean | undefined;
  /** Receives the names of the fields that the server ignores. */
  warn?: ((ignored: readonly string[]) => void) | undefined;
  requestId: string;
  ip: string;
  useragent: string;
  /** Hash of the HttpOnly cookie that a browser sends along with its token. */
  cookieHash?: SessionHash | undefined;
  /** On a sign-in from a browser: hash of the cookie that the response sets. */
  newCookieHash?: SessionHash | undefined;
}
/** The body of a response. */
export type Answer = { errorCode: 0; errorMsg: ''; data: unknown } | { errorCode: number; errorMsg: string; data?: unknown };

/** The clock, the rate limiter and the error log of a dispatcher. */
export interface DispatchOptions {
  clock: () => Date;
  limiter: RateLimiter;
  /** shared by all servers; without it the limiter of this process takes its place */
  budget?: CallBudget | undefined;
  onError: (error: unknown, call: Call) => void;
}

/** The transactions that one session may have open at once, of the twelve of all staff; and the calls that may wait for their turn. */
const [CALLS_AT_ONCE, MOST_WAITING] = [4, 300];

/**
 * Returns the function that executes every call, from top to bottom: find the action, begin, bind the session, identify, permit,
 * parse, run, audit, commit. One request is one transaction.
 * It contains the audit row, so an action that cannot be recorded has no effect.
 */
export function dispatcher(services: Services, handlers: readonly Handler[], options: DispatchOptions) {
  const byName = new Map(handlers.map((handler) => [handler.action.name as string, handler]));
  const turns = new Turns(CALLS_AT_ONCE, MOST_WAITING);
  const keys = keyGuard(services);

  return async function dispatch(call: Call): Promise<Answer> {
    const afterCommit: (() => void | Promise<void>)[] = [];
    try {
      const data = await execute({ ...call, body: replaceUnstorableCharacters(call.body) }, afterCommit);
      admitNewSession(data);
      for (const work of afterCommit) await Promise.resolve(work()).catch((error: unknown) => options.onError(error, call));
      return data instanceof Problem ? toAnswer(data) : { errorCode: 0, errorMsg: '', data };
    } catch (error) {
      const action = byName.get(call.name)?.action;
      const problem = error instanceof Problem ? error : (problemOfDatabaseError(error, action) ?? problems.internal(call));
      if (problem.code === 900000) options.onError(error, call);
      await keys.recordRefusal(action, call, problem).catch((failure: unknown) => options.onError(failure, call));
      return toAnswer(problem);
    }
  };

  /** A new session is known from its sign-in on, also when its address has sent many unknown tokens. */
  function admitNewSession(data: unknown) {
    const token = typeof data === 'object' && data !== null && 'token' in data ? data.token : undefined;
    if (typeof token === 'string') options.limiter.take(hashToken(token), 0);
  }

  async function execute(call: Call, afterCommit: (() => void | Promise<void>)[]): Promise<unknown> {
    const handler = byName.get(call.name);
    if (!handler) throw await unknownName(call);
    const { action, receive, arrived } = handler;
    const { caller: kind } = action.allow;
    if (kind !== 'anyone' && call.token === '') throw problems.identityInvalid();
    const session = kind === 'anyone' ? '' : hashToken(call.token);
    const credentials: SessionCredentials = { session, cookieHash: call.cookieHash };
    const cost = action.cost ?? 1;
    if (session === '') await takeBeforeSignIn(action, call, cost);
    else takeOfSession(session, call, cost);
    const { respondent, door, app } = services.pools;
    const pool = { respondent, anyone: door, staff: app }[kind];
    const inTransaction = <T>(work: (scope: Scope) => Promise<T>): Promise<T> =>
      turns.run(session || call.requestId, () => withScope(pool, credentials, work));

    /** Returns the caller and the parsed request; throws the problem when the call is not allowed. */
    const authorize = async (scope: Scope) => {
      const caller = await identifyCaller(action.allow, scope, session, call.ip, call.token.startsWith(KEY_TOKEN));
      if (caller.kind === 'staff' && caller.isScreen) await assertScreenRight(action, caller, session as SessionHash);
      if (caller.kind === 'staff' && caller.apikey) keys.check(action, caller.apikey, session);
      if (caller.kind === 'staff') assertPermitted(action, caller);
      const input = parseCall(action, call);
      if (caller.kind === 'staff') {
        assertReadableFilters(action, caller, input);
        assertStepUp(action, caller, input);
      }
      return { caller, input };
    };

    /** Returns the function that stores the file that arrived before the call, once the caller is authorized. */
    const findArrived = async (scope: Scope) => {
      const { caller, input } = await authorize(scope);
      if (caller.kind === 'staff') return (arrived as Arrived)(input, { ...services, scope, caller, now: options.clock() });
    };

    if (call.upload?.readRest && kind === 'staff') call = await completeFields(call, action, credentials);
    // The server reads a file only after it has authorized the caller. No transaction waits for the file to arrive.
    const { upload, stored }: { upload?: Upload; stored?: StoredFile | undefined } = arrived
      ? { stored: await (await inTransaction(findArrived))?.() }
      : call.upload
        ? await receiveUpload(call.upload, await inTransaction(authorize), receive)
        : {};

    try {
      return await inTransaction(async (scope) => {
        const { caller, input } = await authorize(scope);
        if (isStepUpDue(caller, call)) afterCommit.push(() => prolongStepUp(services.pools.authn, session as SessionHash));
        const facts: AuditFacts = { cuserids: await findVisible(scope, caller, action.person?.(input) ?? []) };
        const now = options.clock();
        const ctx: Context = {
          ...services,
          authn: services.pools.authn,
          scope,
          caller: caller as AnyCaller as Context['caller'],
          now,
          session,
          token: call.token,
          origin: {
            ip: call.ip,
            useragent: call.useragent,
            cookieHash: call.cookieHash,
            newCookieHash: call.newCookieHash,
          },
          upload,
          stored,
          stats: (work) => withStatsScope(services.pools.stats, credentials, work),
          figures: figuresOf(services, scope, credentials, now),
          asof: now,
          audit: (more) => Object.assign(facts, more),
          afterCommit: (work) => afterCommit.push(work),
          progress: call.progress ?? (() => undefined),
          job: call.job,
          authorizeCall: (name, body) => authorizeCall({ ...call, name, body }, caller),
          allowOf: (name) => byName.get(name)?.action.allow,
        };
        const edit = caller.kind === 'staff' ? editOf(action, input, caller) : undefined;
        const versionBefore = edit ? await assertUnchanged(scope, edit, call.body, handler.current as Current) : 0;
        const result = await runHandler(handler, input, ctx, credentials);
        // The response schema is a whitelist: a column without a field in it never leaves the server. A problem that the handler
        // returns commits what the handler has written; a problem that it throws rolls it back.
        const data = action.kind === 'export' || result instanceof Problem ? result : answerOf(action, caller, result);
        if (edit && !(result instanceof Problem)) {
          const edited = await findChanges(scope, edit, versionBefore);
          if (schemaOf(action.response, ['version'])) Object.assign(data as object, { version: edited?.version });
          if (edited && Object.keys(edited.changes).length > 0) facts.detail = { ...facts.detail, changes: edited.changes };
        }
        // A list that shows names records the persons; a plain read writes no audit row, except by an API key.
        if (action.kind !== 'read' || facts.cuserids?.length || (caller.kind === 'staff' && caller.apikey))
          await writeAudit({ ...services, scope }, action, caller, facts, call.ip);
        return data;
      });
    } catch (error) {
      if (stored) await services.storage.delete(stored.path).catch((failure: unknown) => options.onError(failure, call));
      if (handler.refused && isRefusal(error) && isComplete(action, call)) await recordRefusal(handler, call, credentials, error);
      throw error;
    }
  }

  /** Records a refused call of staff for a handler that asks for it. The audit row says why it was refused. */
  async function recordRefusal({ action, refused }: Handler, call: Call, credentials: SessionCredentials, { message }: Problem) {
    await withScope(services.pools.app, credentials, async (scope) => {
      const caller = await identifyCaller(action.allow, scope, credentials.session, call.ip);
      if (caller.kind !== 'staff') return;
      const facts: AuditFacts = {};
      const audit: Context['audit'] = (more) => Object.assign(facts, more);
      await refused?.(parseCall(action, call) as never, { scope, caller, now: options.clock(), audit });
      facts.detail = { ...facts.detail, refusal: message };
      await writeAudit({ ...services, scope }, action, caller, facts, call.ip);
    });
  }

  /**
   * Takes the cost of a call without a session. A whole school answers from one address, so a respondent's call costs a twentieth.
   * A call above the cost of 1 proves something, so its budget is the same on every server.
   */
  async function takeBeforeSignIn({ budgetOf }: Action, { name, ip, body }: Call, cost: number) {
    const part = budgetOf && typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[budgetOf] : undefined;
    const key = typeof part === 'string' ? `${ip} ${part.trim().toLowerCase().slice(0, 100)}` : ip;
    const tokens = name.startsWith('as.c.') ? cost / 20 : cost;
    if (options.budget && cost > 1) await options.budget.take(key, tokens);
    else options.limiter.take(key, tokens);
  }

  /** Takes the cost of a call of a session. While the address has sent too many unknown tokens, another unknown one is not looked up. */
  function takeOfSession(session: string, { ip }: Call, cost: number) {
    if (!options.limiter.isKnown(session) && options.limiter.isSpent(unknownKey(ip), 1)) throw problems.tooManyRequests();
    options.limiter.take(session, cost);
  }

  /** Loads the caller. An unknown token weighs on the budget of its address and gets no budget of its own. */
  async function identifyCaller(
    { caller: kind, screens }: Pick<Allow, 'caller' | 'screens'>,
    scope: Scope,
    session: string,
    ip: string,
    isKey = false,
  ): Promise<AnyCaller> {
    try {
      return await identify[kind](scope, isKey ? ['key'] : screens ? ['screen'] : []);
    } catch (error) {
      if (session !== '' && error instanceof Problem && error.code === problems.identityInvalid().code) {
        options.limiter.forget(session);
        options.limiter.take(unknownKey(ip), 1);
      }
      throw error;
    }
  }

  /** Ends a screen whose account has lost the right to open one. */
  async function assertScreenRight({ allow }: Action, { codes, musertype, navextra }: Staff, session: SessionHash) {
    if (isPermitted(allow, codes, musertype, navextra)) return;
    await services.pools.authn.query('update auth.session set revoked = now() where tokenhash = $1', [session]);
    throw problems.identityInvalid();
  }

  /** Returns 130001 for an unknown call name to a live session only. Without one nobody can probe for names. */
  async function unknownName(call: Call): Promise<Problem> {
    const { name, token, cookieHash } = call;
    if (token === '') return problems.identityInvalid();
    const [session, isKey] = [hashToken(token), token.startsWith(KEY_TOKEN)];
    takeOfSession(session, call, 1);
    const find = (kind: 'respondent' | 'staff', load: (scope: Scope) => Promise<unknown>) =>
      withScope(kind === 'respondent' ? services.pools.respondent : services.pools.app, { session, cookieHash }, load);
    // The name does not exist, so it does not tell of which kind the session is.
    const [likely, other] = name.startsWith('as.c.') ? (['respondent', 'staff'] as const) : (['staff', 'respondent'] as const);
    await find(likely, (scope) => identify[likely](scope, isKey ? ['key'] : [])).catch(() =>
      find(other, (scope) => identifyCaller({ caller: other }, scope, session, call.ip, isKey)),
    );
    return problems.notFound({ what: '接口' });
  }

  /**
   * Returns the call with the fields that follow its file. The server keeps the file in memory meanwhile, so it reads on only for a
   * caller who may call the action, and only when the fields before the file do not suffice.
   */
  async function completeFields(call: Call, action: Action, credentials: SessionCredentials): Promise<Call> {
    const { upload } = call;
    if (!upload?.readRest || isComplete(action, call)) return call;
    await withScope(services.pools.app, credentials, async (scope) => {
      const caller = await identifyCaller({ caller: 'staff' }, scope, credentials.session, call.ip);
      if (caller.kind === 'staff') assertPermitted(action, caller);
    });
    const content = await readAll(upload.content);
    const rest = await upload.readRest();
    return { ...call, body: { ...(call.body as object), ...rest }, upload: { ...upload, content, readRest: undefined } };
  }

  /** Returns the file of a call. Actions with `receive` stream it to the store; the others read it into memory. */
  async function receiveUpload(
    incoming: IncomingFile,
    { caller, input }: { caller: AnyCaller; input: unknown },
    receive: Handler['receive'],
  ): Promise<{ upload?: Upload; stored?: StoredFile }> {
    if (!receive || caller.kind !== 'staff') return { upload: { ...incoming, content: await readAll(incoming.content) } };
    return { stored: await (receive as Receive)(input, incoming, { ...services, caller }) };
  }

  /** Returns the action of that name if this caller may call it now with this request. Otherwise throws as the call would. */
  function authorizeCall(call: Call, caller: AnyCaller): Action {
    const action = byName.get(call.name)?.action;
    if (!action || action.allow.caller !== 'staff' || caller.kind !== 'staff') throw problems.notAllowed();
    assertPermitted(action, caller);
    const input = parseCall(action, call);
    assertReadableFilters(action, caller, input);
    assertStepUp(action, caller, input);
    return action;
  }
}

/** Returns the parsed request of a call. The server reads the requests of other clients with tolerance. */
function parseCall(action: Action, { body, isStrict = false, warn }: Call): unknown {
  if (isStrict) return parse(action, body);
  const tolerated = tolerate(action, body);
  if (tolerated.ignored.length > 0) warn?.(tolerated.ignored);
  return parse(action, tolerated.body);
}

/** The persons of a request that exist for the caller: the trail of a refused call names nobody of another institution. */
async function findVisible(scope: Scope, caller: AnyCaller, cuserids: readonly string[]): Promise<readonly string[]> {
  if (cuserids.length === 0 || caller.kind !== 'staff') return cuserids;
  const { rows } = await sql<{ cuserid: string }>`
    select cuserid from cuser where cuserid = any (${[...cuserids]}::text[])`.execute(scope.db);
  const visible = new Set(rows.map((row) => row.cuserid));
  return cuserids.filter((cuserid) => visible.has(cuserid));
}

/** The budget of an address for tokens that open no session. */
const unknownKey = (ip: string) => `unknown ${ip}`;

/** Whether the server refused a call for want of a right, or because another account acts in this one. */
const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && [problems.notAllowed().code, problems.notWhileActing().code].includes(error.code);

function toAnswer({ code, message, field, data }: Problem): Answer {
  const details = field !== undefined || data !== undefined ? { data: { field, ...(data as object | undefined) } } : {};
  return { errorCode: code, errorMsg: message, ...details };
}

function isComplete(action: Action, call: Call): boolean {
  try {
    parseCall(action, { ...call, warn: undefined });
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

type Arrived = (input: unknown, ctx: ArrivedContext) => Promise<(() => Promise<StoredFile>) | undefined>;
type Receive = (input: unknown, upload: IncomingFile, ctx: ReceiveContext) => Promise<StoredFile>;

/** The calls of an account with an initial password: change it, read its own data, sign out. */
const allowedBeforePasswordChange: readonly string[] = ['as.m.user.updateMUser', 'as.m.user.logout', 'as.m.user.getUserInfo'];
/** The calls of an account that must enrol a second factor: enrol it, read its own data, sign out. */
const allowedBeforeEnrolment: readonly string[] = [
  'as.m.user.getSecondFactor',
  'as.m.user.beginSecondFactor',
  'as.m.user.confirmSecondFactor',
  'as.m.user.getPasskeyList',
  'as.m.user.beginPasskey',
  'as.m.user.confirmPasskey',
  'as.m.user.stepUp',
  'as.m.user.logout',
  'as.m.user.getUserInfo',
];

function assertPermitted(action: Action, caller: Staff) {
  const isRefusedByEnd = caller.winddownUntil !== null && !isPermittedInWinddown(action, caller);
  if (isRefusedByEnd) throw problems.windingDown({ until: caller.winddownUntil ?? '' });
  if (!isPermitted(action.allow, caller.codes, caller.musertype, caller.navextra)) throw problems.notAllowed();
  if (caller.mustChangePassword && !allowedBeforePasswordChange.includes(action.name)) throw problems.mustChangePassword();
  if (caller.mustEnrol && !caller.mustChangePassword && !allowedBeforeEnrolment.includes(action.name)) throw problems.mustEnrol();
}

/** Whether 收尾模式 leaves this action to the caller. */
const isPermittedInWinddown = (action: Action, caller: Staff): boolean =>
  isOpenInWinddown(action) && isPermitted(action.allow, caller.codes, caller.musertype, caller.navextra);

/** Throws when a list or an export filters or sorts by a field that the caller may not read: its rows would tell the field. */
function assertReadableFilters(action: Action, caller: Staff, input: unknown) {
  if (action.kind === 'write' || action.kind === 'import') return;
  const field = findForbiddenField(action, caller, input);
  if (field !== undefined) throw problems.notAllowed(undefined, { field });
}

/** The fields of a result that the response schema names, as far as the caller may read them. */
function answerOf(action: Action, caller: AnyCaller, result: unknown): unknown {
  const answer = action.response.parse(result);
  return caller.kind === 'staff' ? concealFields(action, caller, answer) : answer;
}
/** Whether the caller's last step-up, or its last use, is not older than `STEP_UP_MINUTES`. */
const hasStepUp = ({ stepUpAge }: Staff): boolean => stepUpAge !== null && stepUpAge <= STEP_UP_MINUTES * 60;

/** Whether a call of this caller begins the minutes of the step-up anew. One write a minute is enough. */
const isStepUpDue = (caller: AnyCaller, { isUnattended = false }: Call): boolean =>
  caller.kind === 'staff' && !isUnattended && hasStepUp(caller) && (caller.stepUpAge ?? 0) >= 60;

/** Throws for a sensitive action while the caller acts in another account or without a recent step-up. */
function assertStepUp(action: Action, caller: Staff, input: unknown) {
  if (caller.loginasby && isClosedToActing(action, input)) throw problems.notWhileActing();
  if (needsStepUp(action, input) && !hasStepUp(caller))
    throw problems.stepUpRequired(undefined, { data: { secondfactor: caller.hasfactor } });
}
