import { z } from 'zod';
import { asksProof, closedToActing, permits, type Action, type Caller } from '#contract/action.ts';
import { uploadMost, type Arriving, type Stored, type Upload } from '#contract/file.ts';
import { Problem, problems } from '#contract/problem.ts';
import { writeAudit, type AuditFacts } from '#server/audit.ts';
import { confirm, hashOf, identify, lastCaller, whoCalls, type AnyCaller, type Staff } from '#server/caller.ts';
import { translate } from '#server/databaseError.ts';
import type { Ctx, Handler, ReceiveCtx } from '#server/handle.ts';
import type { Limiter } from '#server/limiter.ts';
import { withCountScope, withScope, type Bearer, type Scope, type SessionHash } from '#server/scope.ts';
import type { Services } from '#server/services.ts';

/** One call, however it arrived. `requestId` travels in a header, never in the body. */
export interface Call {
  name: string;
  token: string;
  body: unknown;
  upload?: Arriving | undefined;
  /** Told how far an export is, when it runs as a job. */
  progress?: ((done: number, total: number) => void) | undefined;
  requestId: string;
  ip: string;
  useragent: string;
  /** Hash of the HttpOnly half that a browser sends along. */
  bound?: SessionHash | undefined;
  /** On a sign-in from a browser: the hash of the half it is about to receive. */
  bind?: SessionHash | undefined;
}
export type Answer = { errorCode: 0; errorMsg: ''; data: unknown } | { errorCode: number; errorMsg: string; data?: unknown };

export interface DispatchOptions {
  clock: () => Date;
  limiter: Limiter;
  onError: (error: unknown, call: Call) => void;
}

/**
 * Every call of every client passes here, top to bottom: find, identify, permit, parse, run, present.
 * One request is one transaction; its audit row is written in it, so an action that cannot be recorded does not happen.
 */
export function dispatcher(services: Services, handlers: readonly Handler[], options: DispatchOptions) {
  const byName = new Map(handlers.map((handler) => [handler.action.name as string, handler]));

  return async function dispatch(arrived: Call): Promise<Answer> {
    const call = { ...arrived, body: wholeCharacters(arrived.body) };
    const after: (() => void | Promise<void>)[] = [];
    try {
      const handler = byName.get(call.name);
      // Before sign-in an unknown name and a missing token look alike, so that names cannot be probed.
      if (!handler) throw problems.identityInvalid();
      const data = await carryOut(handler, call, after);
      for (const work of after) await Promise.resolve(work()).catch((error: unknown) => options.onError(error, call));
      return { errorCode: 0, errorMsg: '', data };
    } catch (error) {
      const told = error instanceof Problem ? error : (translate(error) ?? problems.internal({ requestId: call.requestId }));
      if (told.code === 900000) options.onError(error, call);
      const data =
        told.field !== undefined || told.data !== undefined
          ? { field: told.field, ...(told.data as object | undefined) }
          : undefined;
      return { errorCode: told.code, errorMsg: told.message, ...(data ? { data } : {}) };
    }
  };

  async function carryOut({ action, run, receive, walk }: Handler, call: Call, after: (() => void | Promise<void>)[]) {
    const { caller: kind } = action.allow;
    if (kind !== 'anyone' && call.token === '') throw problems.identityInvalid();
    const session = kind === 'anyone' ? '' : hashOf(call.token);
    const answering = kind === 'respondent';
    const bearer: Bearer = { session, bound: call.bound, opening: whoCalls[kind](walk) };
    // A whole school answers from behind one address: before they are known, respondents weigh a twentieth.
    options.limiter.take(session || call.ip, (action.cost ?? 1) / (session === '' && call.name.startsWith('as.c.') ? 20 : 1));

    const pool = answering ? services.pools.respondent : services.pools.app;
    /** Who calls, and with what, where they may. */
    const enter = async (scope: Scope, expected?: Staff) => {
      const caller: AnyCaller = expected ?? (await identify[kind](scope));
      if (caller.kind === 'staff') permit(action, caller);
      const input = parse(action, call.body);
      if (caller.kind === 'staff') guard(action, caller, input);
      return { caller, input };
    };
    // Nothing of a file is read before its sender may send it, and no transaction waits for the rest of it.
    const { upload, stored } = call.upload
      ? await takeIn(call.upload, await withScope(pool, bearer, (scope) => enter(scope)), receive)
      : {};

    const attempt = (expected?: Staff) =>
      withScope(pool, bearer, async (scope) => {
        const { caller, input } = await enter(scope, expected);
        const facts: AuditFacts = { cuserids: action.person?.(input) ?? [] };
        const ctx: Ctx = {
          ...services,
          scope,
          caller: caller as AnyCaller as Ctx['caller'],
          now: options.clock(),
          session,
          token: call.token,
          origin: { ip: call.ip, useragent: call.useragent, bind: call.bind, bound: call.bound },
          upload,
          stored,
          count: (work) => withCountScope(services.pools.stats, bearer, work),
          note: (more) => Object.assign(facts, more),
          afterCommit: (work) => after.push(work),
          progress: call.progress ?? (() => undefined),
          admit: (name, body) => admit(name, caller, body),
        };
        const result = await (run as Run)(input, ctx);
        if (expected) await confirm(scope, expected);
        // The response schema is the whitelist: a column it does not name never leaves the server.
        const data = action.kind === 'export' ? result : action.response.parse(result);
        // A list that shows names records whose; a plain read leaves nothing.
        if (action.kind !== 'read' || facts.cuserids?.length) writeAudit(scope, action, caller, facts, call.ip);
        return { data };
      });

    // A read changes nothing, so it goes out behind the question who calls instead of waiting for its answer: for whoever called last with
    // this session. When they are not who is calling now, or anything is refused, nothing of it counts and the call begins again.
    const expected = action.kind === 'read' && kind === 'staff' ? lastCaller(session) : undefined;
    const ahead = expected && (await attempt(expected).catch(() => undefined));
    if (ahead) return ahead.data;
    after.length = 0;
    const work = attempt().then(({ data }) => data);
    return stored
      ? work.catch(async (error: unknown) => {
          await services.storage.delete(stored.path).catch((failure: unknown) => options.onError(failure, call));
          throw error;
        })
      : work;
  }

  /** The file of a call: streamed to the store by actions that ask for it, else held whole. */
  async function takeIn(
    arriving: Arriving,
    { caller, input }: { caller: AnyCaller; input: unknown },
    receive: Handler['receive'],
  ): Promise<{ upload?: Upload; stored?: Stored }> {
    if (!receive || caller.kind !== 'staff') return { upload: { ...arriving, content: await whole(arriving.content) } };
    return { stored: await (receive as Receive)(input, arriving, { ...services, caller }) };
  }

  /** The action of that name where this caller may call it now with this request; throws what calling it would. */
  function admit(name: string, caller: AnyCaller, body: unknown): Action {
    const action = byName.get(name)?.action;
    if (!action || action.allow.caller !== 'staff' || caller.kind !== 'staff') throw problems.notAllowed();
    permit(action, caller);
    guard(action, caller, parse(action, body));
    return action;
  }
}

type Run = (input: unknown, ctx: Ctx<Caller>) => Promise<unknown>;
type Receive = (input: unknown, upload: Arriving, ctx: ReceiveCtx) => Promise<Stored>;

/** A file that is needed whole; refused as soon as it is larger than such files are. */
async function whole(content: Arriving['content']): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    if ((size += chunk.length) > uploadMost) throw problems.bodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What an account with an initial password may do: change it, look at itself, leave. */
const openBeforePasswordChange: readonly string[] = ['as.m.user.updateMUser', 'as.m.user.logout', 'as.m.user.getUserInfo'];
/** What an account that needs a second factor and has none may do: set it up, look at itself, leave. */
const openBeforeEnrolment: readonly string[] = [
  'as.m.user.getSecondFactor',
  'as.m.user.beginSecondFactor',
  'as.m.user.confirmSecondFactor',
  'as.m.user.stepUp',
  'as.m.user.logout',
  'as.m.user.getUserInfo',
];

function permit(action: Action, caller: Staff) {
  if (!permits(action.allow, caller.codes, caller.musertype)) throw problems.notAllowed();
  if (caller.mustchangepwd && !openBeforePasswordChange.includes(action.name)) throw problems.mustChangePassword();
  if (caller.mustenrol && !caller.mustchangepwd && !openBeforeEnrolment.includes(action.name)) throw problems.mustEnrol();
}

/** Nobody takes files, files of persons, rights or secrets away in another's name, or without having just proven who they are. */
function guard(action: Action, caller: Staff, input: unknown) {
  if (caller.loginasby && closedToActing(action, input)) throw problems.notWhileActing();
  if (asksProof(action, input) && !caller.freshlyProven)
    throw problems.proveAgain(undefined, { data: { secondfactor: caller.hasfactor } });
}

const unkept = /[\p{Surrogate}\0]/gu;
const kept = (text: string) => text.replace(unkept, '\ufffd');

/**
 * Half a character (a lone surrogate) and the character of number zero can stand in JSON and cannot be kept by the database: each becomes
 * U+FFFD, where it stands. Without recursion, because a body may be nested as deep as it is long.
 */
function wholeCharacters(body: unknown): unknown {
  if (typeof body === 'string') return kept(body);
  const open: unknown[] = [body];
  while (open.length > 0) {
    const holder = open.pop() as Record<string, unknown>;
    if (typeof holder !== 'object' || holder === null) continue;
    for (const [key, value] of Object.entries(holder)) {
      if (typeof value === 'object') open.push(value);
      else if (typeof value === 'string' && value.search(unkept) >= 0) holder[key] = kept(value);
      if (key.search(unkept) < 0) continue;
      holder[kept(key)] = holder[key];
      delete holder[key];
    }
  }
  return body;
}

/** Checks a body against the action's schema; the first fault is told in Chinese and names its field. */
export function parse(action: Action, body: unknown): unknown {
  const checked = action.request.safeParse(body, { reportInput: true });
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0] as z.core.$ZodIssue;
  if (issue.path.length === 0 && issue.code === 'invalid_type') throw problems.invalid({ message: '请求格式不正确' });
  const field = issue.code === 'unrecognized_keys' ? issue.keys.join('、') : issue.path.join('.');
  const title = titleOf(action.request, issue.path) ?? field;
  const absent = issue.code === 'invalid_type' && issue.input === undefined;
  if (issue.code === 'unrecognized_keys') throw problems.invalid({ message: `不支持的字段：${field}` }, { field });
  if (absent) throw problems.missing({ title }, { field });
  throw problems.invalid({ message: /[\u4e00-\u9fff]/.test(issue.message) ? issue.message : `${title}不正确` }, { field });
}

/** The Chinese title a schema gives a field by `.describe('…')`, found along the path of a fault. */
function titleOf(schema: z.ZodType, path: readonly PropertyKey[]): string | undefined {
  let at: z.ZodType | undefined = schema;
  let title: string | undefined;
  for (const key of path) {
    while (at && 'unwrap' in at && typeof at.unwrap === 'function' && !(at instanceof z.ZodArray)) at = at.unwrap() as z.ZodType;
    if (at instanceof z.ZodObject) at = (at.shape as Record<string, z.ZodType>)[String(key)];
    else if (at instanceof z.ZodArray) at = at.element as z.ZodType;
    else return title;
    title = at?.description ?? title;
  }
  return title;
}
