import type pg from 'pg';
import type { z } from 'zod';
import type { Action, Caller, Kind } from '#contract/action.ts';
import type { IncomingFile, StoredFile, Upload } from '#contract/file.ts';
import type { CallerOf } from '#server/dispatch/caller.ts';
import type { StatsScope, Scope, SessionHash } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import type { Storage } from '#server/storage/storage.ts';

/** What a handler sees: one scope, one clock, one caller. */
export interface Context<C extends Caller = Caller> extends Services {
  scope: Scope;
  now: Date;
  caller: CallerOf[C];
  /** Accounts, sessions and second factors, under the role that may read and write them. */
  authn: pg.Pool;
  /** The token as it came; only signing out needs it. */
  token: string;
  /** The session's name, for the few actions that end or change it. */
  session: SessionHash | '';
  /** Where the call comes from. `cookieHash` belongs to this session, `newCookieHash` to one that is about to be opened. */
  origin: { ip: string; useragent: string; cookieHash: SessionHash | undefined; newCookieHash: SessionHash | undefined };
  /** The file of an `import` action that takes it whole. */
  upload: Upload | undefined;
  /** The file of an `import` action that has it streamed to the store first (`Handler.receive`). */
  stored: StoredFile | undefined;
  /** Counts within the caller's reach, in a transaction of their own. */
  stats: <T>(work: (scope: StatsScope) => Promise<T>) => Promise<T>;
  /** Adds facts to the audit row of this call: persons concerned, what changed. Never answers, never passwords. */
  audit: (facts: { cuserids?: readonly string[]; objectid?: string; detail?: Record<string, unknown>; minors?: boolean }) => void;
  /** Runs after the commit; what fails here is logged and does not undo the call. */
  afterCommit: (work: () => void | Promise<void>) => void;
  /** An export says how many of how many rows it has read; shown in 下载中心 when it runs as a job. */
  progress: (doneCount: number, total: number) => void;
  /** Returns the action of that name if this caller may call it now with this request; throws what calling it would. */
  authorizeCall: (name: string, body: unknown) => Action;
}

/** What the handler of a `read` sees. Read handlers have no side effects: this type has no way to write outside the transaction. */
export type ReadContext<C extends Caller = Caller> = Omit<
  Context<C>,
  'pools' | 'authn' | 'afterCommit' | 'storage' | 'upload' | 'stored'
> & {
  authn: Pick<pg.Pool, 'query'>;
  storage: Pick<Storage, 'get' | 'head' | 'signedUrl'>;
};

export interface Handler {
  action: Action;
  run: (input: never, ctx: never) => Promise<unknown>;
  receive?: (input: never, upload: IncomingFile, ctx: ReceiveContext) => Promise<StoredFile>;
}

/** What receiving a file sees: who sends it, and no transaction, because a slow line would hold it open. */
export interface ReceiveContext extends Services {
  caller: CallerOf['staff'];
}

/**
 * As `handle`, for an action whose file may be larger than memory. Once the caller is known to be allowed, `receive` streams the file to
 * the store. Then the handler runs and finds it as `ctx.stored`. When the call fails, the file is deleted.
 */
export const handleStored = <Req extends z.ZodType, Res extends z.ZodType>(
  action: Action<Req, Res, 'staff'>,
  receive: (input: z.output<Req>, upload: IncomingFile, ctx: ReceiveContext) => Promise<StoredFile>,
  run: (input: z.output<Req>, ctx: Context<'staff'>) => Promise<z.input<Res>>,
): Handler => ({ action, run, receive }) as unknown as Handler;

/** Binds an action to its handler. Every declared action has exactly one (checked at start-up). */
export function handle<Req extends z.ZodType, Res extends z.ZodType, C extends Caller, K extends Kind>(
  action: Action<Req, Res, C, K>,
  run: (input: z.output<Req>, ctx: K extends 'read' ? ReadContext<C> : Context<C>) => Promise<z.input<Res>>,
): Handler {
  return { action, run } as unknown as Handler;
}
