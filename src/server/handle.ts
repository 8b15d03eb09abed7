import type { z } from 'zod';
import type { Action, Caller } from '#contract/action.ts';
import type { Arriving, Stored, Upload } from '#contract/file.ts';
import type { CallerOf, Walk } from '#server/caller.ts';
import type { CountScope, Scope, SessionHash } from '#server/scope.ts';
import type { Services } from '#server/services.ts';

/** What a handler sees: one scope, one clock, one caller. */
export interface Ctx<C extends Caller = Caller> extends Services {
  scope: Scope;
  now: Date;
  caller: CallerOf[C];
  /** The token as it came; only signing out needs it. */
  token: string;
  /** The session's name, for the few actions that end or change it. */
  session: SessionHash | '';
  /** Where the call comes from; `bind` names the browser half of a session about to be opened, `bound` that of this one. */
  origin: { ip: string; useragent: string; bind: SessionHash | undefined; bound: SessionHash | undefined };
  /** The file of an `import` action that takes it whole. */
  upload: Upload | undefined;
  /** The file of an `import` action that has it streamed to the store first (`Handler.receive`). */
  stored: Stored | undefined;
  /** Counts within the caller's reach, in a transaction of their own. */
  count: <T>(work: (scope: CountScope) => Promise<T>) => Promise<T>;
  /** Adds facts to the audit row of this call: persons concerned, what changed. Never answers, never passwords. */
  note: (facts: { cuserids?: readonly string[]; objectid?: string; detail?: Record<string, unknown>; minors?: boolean }) => void;
  /** Runs after the commit; what fails here is logged and does not undo the call. */
  afterCommit: (work: () => void | Promise<void>) => void;
  /** An export says how many of how many rows it has read; shown in 下载中心 when it runs as a job. */
  progress: (done: number, total: number) => void;
  /** The action of that name, where this caller could call it now with this request; throws what calling it would. */
  admit: (name: string, body: unknown) => Action;
}

export interface Handler {
  action: Action;
  run: (input: never, ctx: never) => Promise<unknown>;
  receive?: (input: never, upload: Arriving, ctx: ReceiveCtx) => Promise<Stored>;
  walk?: Walk;
}

/** What taking in a file sees: who sends it, and no transaction, because a slow line would hold it open. */
export interface ReceiveCtx extends Services {
  caller: CallerOf['staff'];
}

/**
 * As `handle`, for an action whose file may be larger than memory: once the caller is known to be allowed it, `receive` streams the file to
 * the store; then the call begins, and finds it as `ctx.stored`. When the call fails, the file is removed.
 */
export const handleStored = <Req extends z.ZodType, Res extends z.ZodType>(
  action: Action<Req, Res, 'staff'>,
  receive: (input: z.output<Req>, upload: Arriving, ctx: ReceiveCtx) => Promise<Stored>,
  run: (input: z.output<Req>, ctx: Ctx<'staff'>) => Promise<z.input<Res>>,
): Handler => ({ ...handle(action, run), receive: receive as NonNullable<Handler['receive']> });

/**
 * Binds an action to the function that carries it out. Every declared action has exactly one (checked at start-up). A read may be begun for somebody who turns out not to call, and
 * then once more (docs/decisions/0024): it does nothing that ending its transaction would not undo.
 */
export function handle<Req extends z.ZodType, Res extends z.ZodType, C extends Caller>(
  action: Action<Req, Res, C>,
  run: (input: z.output<Req>, ctx: Ctx<C>) => Promise<z.input<Res>>,
): Handler {
  return { action, run } as unknown as Handler;
}

/**
 * As `handler`, for a list that is walked along an index in its order: sorting is forbidden to the planner for the length of the call. It does
 * not know whose session it is and takes the caller's reach for half a percent of a table: of whoever reaches everything it would fetch all
 * and sort it. A plan made for any page (`force_generic_plan`) is no help: it reads all institutions to name those of twenty rows.
 */
export const alongIndex = (walk: Walk, handler: Handler): Handler => ({ ...handler, walk });
