import type pg from 'pg';
import type { z } from 'zod';
import type { Action, Caller, Kind } from '#contract/action.ts';
import type { IncomingFile, StoredFile, Upload } from '#contract/file.ts';
import type { Problem } from '#contract/problem.ts';
import type { CallerOf } from '#server/dispatch/caller.ts';
import type { StatsScope, Scope, SessionHash } from '#server/db/scope.ts';
import type { Services } from '#server/dispatch/services.ts';
import type { Storage } from '#server/storage/storage.ts';

/** A job of 下载中心. An export of many steps keeps them by its number, and ends when the signal says so. */
export interface BackgroundJob {
  jobid: string;
  /** aborted when the account cancels the job, the server stops or another server has it */
  signal: AbortSignal;
}

/** The context of a handler: one scope, one clock, one caller. */
export interface Context<C extends Caller = Caller> extends Services {
  scope: Scope;
  now: Date;
  caller: CallerOf[C];
  /** Accounts, sessions and second factors, under the role that may read and write them. */
  authn: pg.Pool;
  /** The token of the request; only signing out needs it. */
  token: string;
  /** The hash of the session, for the actions that end or change it. */
  session: SessionHash | '';
  /** The origin of the call. `cookieHash` belongs to this session, `newCookieHash` to the session that a sign-in creates. */
  origin: { ip: string; useragent: string; cookieHash: SessionHash | undefined; newCookieHash: SessionHash | undefined };
  /** The file of an `import` action, in memory. */
  upload: Upload | undefined;
  /** The file of an `import` action that streamed it to the store first (`Handler.receive`). */
  stored: StoredFile | undefined;
  /** Runs statistics within the caller's range, in a separate transaction. */
  stats: <T>(work: (scope: StatsScope) => Promise<T>) => Promise<T>;
  /**
   * Runs figures within the caller's range, in a separate transaction, that may be a little old: on the replica when there is one. All that
   * was committed before `asof` is counted.
   */
  figures: <T>(work: (scope: StatsScope, asof: Date) => Promise<T>) => Promise<T>;
  /** The time up to which `scope` is complete; earlier than `now` in an export that reads the replica. */
  asof: Date;
  /** Adds facts to the audit row of this call: the persons and the changes. Never answers, never passwords. */
  audit: (facts: { cuserids?: readonly string[]; objectid?: string; detail?: Record<string, unknown>; minors?: boolean }) => void;
  /** Runs `work` after the commit. The server logs its failure, which does not undo the call. */
  afterCommit: (work: () => void | Promise<void>) => void;
  /** Reports how many rows an export has read, and of how many. 下载中心 shows it when the export runs as a job. */
  progress: (doneCount: number, total: number) => void;
  /** Present when the export runs as a job. */
  job: BackgroundJob | undefined;
  /** Returns the action of that name if this caller may call it now with this request. Otherwise throws as the call would. */
  authorizeCall: (name: string, body: unknown) => Action;
  /** Returns who may call the action of that name; undefined for an unknown name. */
  allowOf: (name: string) => Action['allow'] | undefined;
}

/** The context of a `read` handler. It has no side effects: this type gives no way to write outside the transaction. */
export type ReadContext<C extends Caller = Caller> = Omit<
  Context<C>,
  'pools' | 'replica' | 'authn' | 'afterCommit' | 'storage' | 'upload' | 'stored'
> & {
  authn: Pick<pg.Pool, 'query'>;
  storage: Pick<Storage, 'get' | 'head' | 'signedUrl'> & { parts: Pick<Storage['parts'], 'sizeOf'> };
};

/** An action with the function that runs it and, for streamed files, the function that receives the file. */
export interface Handler {
  action: Action;
  /** Returns the present values of fields that are no column of the edited row (`Action.edits`), as the request would send them. */
  current?: (input: never, scope: Scope, caller: CallerOf['staff']) => Promise<Record<string, unknown>>;
  run: (input: never, ctx: never) => Promise<unknown>;
  /** Records that the call was refused (110004, 110011), in a transaction of its own. The audit row of the refusal has these facts. */
  refused?: (input: never, ctx: RefusalContext) => Promise<void>;
  /** An export that only reads: it may run on the replica. Its own checks run there too, and what they refuse runs on the primary. */
  readsReplica?: boolean;
  receive?: (input: never, upload: IncomingFile, ctx: ReceiveContext) => Promise<StoredFile>;
  /**
   * Finds the file of a call that arrived at the server before it (`finishUpload`), in the transaction that authorizes the call.
   * Returns the function that stores the file after this transaction, or undefined when there is nothing to store; so does the function.
   */
  arrived?: (input: never, ctx: ArrivedContext) => Promise<(() => Promise<StoredFile | undefined>) | undefined>;
}

/** The context of finding a file that arrived before the call. */
export type ArrivedContext = Services & Pick<Context<'staff'>, 'scope' | 'caller' | 'now'>;

/** The context of recording a refusal. */
export type RefusalContext = Pick<Context<'staff'>, 'scope' | 'caller' | 'now' | 'audit'>;

/** The context of receiving a file: the caller and no transaction, because a slow upload would keep it open. */
export interface ReceiveContext extends Services {
  caller: CallerOf['staff'];
}

/**
 * Like `handle`, for an action whose file may be larger than memory. After the server has authorized the caller, `receive` streams
 * the file to the store. Then the handler runs with the file as `ctx.stored`. When the call fails, the server deletes the file.
 */
export const handleStored = <Req extends z.ZodType, Res extends z.ZodType>(
  action: Action<Req, Res, 'staff'>,
  receive: (input: z.output<Req>, upload: IncomingFile, ctx: ReceiveContext) => Promise<StoredFile>,
  run: (input: z.output<Req>, ctx: Context<'staff'>) => Promise<z.input<Res>>,
): Handler => ({ action, run, receive }) as unknown as Handler;

/**
 * Returns the handler of an action. Every declared action has exactly one; the start checks it. A handler that returns a problem
 * refuses the call but keeps what it has written; one that throws a problem writes nothing.
 */
export function handle<Req extends z.ZodType, Res extends z.ZodType, C extends Caller, K extends Kind>(
  action: Action<Req, Res, C, K>,
  run: (input: z.output<Req>, ctx: K extends 'read' ? ReadContext<C> : Context<C>) => Promise<z.input<Res> | Problem>,
  more: {
    current?: (input: z.output<Req>, scope: Scope, caller: CallerOf['staff']) => Promise<Record<string, unknown>>;
    refused?: (input: z.output<Req>, ctx: RefusalContext) => Promise<void>;
    arrived?: (input: z.output<Req>, ctx: ArrivedContext) => Promise<(() => Promise<StoredFile | undefined>) | undefined>;
    readsReplica?: boolean;
  } = {},
): Handler {
  return { action, run, ...more } as unknown as Handler;
}
