import { randomUUID } from 'node:crypto';
import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import type { Upload } from '#contract/file.ts';
import { passwordHash } from '#contract/passwordHash.ts';
import { handlers } from '#server/actions.ts';
import { dispatcher } from '#server/dispatch/dispatch.ts';
import { RateLimiter } from '#server/dispatch/rateLimiter.ts';
import type { Services } from '#server/dispatch/services.ts';
import * as session from '#features/session/session.contract.ts';
import { demoPassword, type StaffLogin } from '#seed/demo/tenants/institutions.ts';

/** A refusal of an action while the demonstration is being created. */
export class DemoRefused extends Error {
  readonly code: number;
  constructor(action: string, code: number, message: string, options: ErrorOptions) {
    super(`${action}: ${code} ${message}`, options);
    this.code = code;
  }
}

/** Calls an action; throws DemoRefused when it is refused. */
export type Call = <A extends Action>(action: A, request: RequestOf<A>, upload?: Upload) => Promise<ResponseOf<A>>;
/** A sign-in name of staff, or of an institution that has no staff or acts itself. */
export type DemoLogin = StaffLogin | 'demo_jyj' | 'demo_zs';
/** Calls of the product's actions at times of the past. */
export interface Calls {
  /** calls with a token at `time` */
  with: (token: string, time: Date) => Call;
  /** calls as a member of staff or an institution, who signs in with the password, at `time` */
  as: (loginname: DemoLogin, time: Date) => Promise<Call>;
  /** ends the sessions of staff; sessions of respondents expire */
  signOut: () => Promise<void>;
}

/** Returns the calls of the product's actions. The product's own dispatcher executes them, with a clock of the past. */
export function callsOf(services: Services): Calls {
  const tokens = new Map<DemoLogin, Promise<string>>();
  const limiter = new RateLimiter(1e9, 1e9);
  const callWith =
    (token: string, time: Date): Call =>
    async (action, request, upload) => {
      const causes: unknown[] = [];
      const dispatch = dispatcher(services, handlers, { clock: () => time, limiter, onError: (error) => causes.push(error) });
      const answer = await dispatch({
        name: action.name,
        token,
        body: request,
        upload,
        requestId: randomUUID(),
        ip: '127.0.0.1',
        useragent: 'demo',
      });
      if (answer.errorCode !== 0) throw new DemoRefused(action.name, answer.errorCode, answer.errorMsg, { cause: causes[0] });
      return (answer as { data: unknown }).data as ResponseOf<typeof action>;
    };
  return {
    with: callWith,
    as: async (loginname, time) => {
      if (!tokens.has(loginname))
        tokens.set(
          loginname,
          callWith('', time)(session.login, { username: loginname, pwd: passwordHash(demoPassword) }).then(({ token }) => token),
        );
      return callWith((await tokens.get(loginname)) as string, time);
    },
    signOut: async () => {
      for (const token of tokens.values())
        await callWith(await token, new Date())(session.logout, {} as RequestOf<typeof session.logout>);
      tokens.clear();
    },
  };
}

/** Runs `work` for all items in order, `concurrency` at a time. The first failure ends it. */
export async function inParallel<T>(list: readonly T[], concurrency: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = [...list];
  const failures: unknown[] = [];
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let item = queue.shift(); item !== undefined && failures.length === 0; item = queue.shift())
        await work(item).catch((error: unknown) => failures.push(error));
    }),
  );
  if (failures.length > 0) throw failures[0];
}
