import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import type { Arriving as Upload } from '#contract/file.ts';
import { handlers } from '#server/actions.ts';
import { Pools } from '#server/db/pools.ts';
import { asOwner, type Target } from '#server/db/roles.ts';
import { dispatcher, type Answer } from '#server/dispatch.ts';
import { Limiter } from '#server/limiter.ts';
import type { Services } from '#server/services.ts';
import { diskStorage } from '#server/storage.ts';
import { isCommonPassword } from '#server/weakPassword.ts';
import { Vault } from '#server/vault.ts';
import type { Person } from '#testing/people.ts';

/** The refusal of a call, as a test sees it. */
export class Refused extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor({ errorCode, errorMsg, data }: Extract<Answer, { errorCode: number }>) {
    super(errorMsg);
    this.code = errorCode;
    this.data = data;
  }
}

/** A database of its own, copied from the migrated template with its people, dropped after the test. */
export async function freshDatabase(): Promise<Target> {
  const { admin, template } = inject('database');
  const name = `${template}_${randomUUID().slice(0, 8)}`;
  const client = new pg.Client(asOwner(admin));
  await client.connect();
  await client.query(`create database ${name} template ${template}`);
  onTestFinished(async () => {
    await dropped(client, name);
    await client.end();
  });
  return { ...admin, database: name };
}

/** Drops a database. A connection just ended may not be gone yet: on a busy machine not even after the five seconds PostgreSQL waits. */
async function dropped(client: pg.Client, name: string): Promise<void> {
  for (;;) {
    const inUse = await client.query(`drop database if exists ${name}`).then(
      () => false,
      (error: pg.DatabaseError) => {
        if (error.code !== '55006') throw error;
        return true;
      },
    );
    if (!inUse) return;
  }
}

/**
 * A server over its own database. `as('chen')` calls as a person of `people.ts`; `clock.now` is the time the product
 * believes it is. Sessions live by the database's clock.
 */
export async function startServer(options: { now?: string } = {}) {
  const target = await freshDatabase();
  const errors: unknown[] = [];
  const pools = new Pools(target, (error) => errors.push(error), 8);
  const dataDir = await mkdtemp(join(tmpdir(), 'xinli-test-'));
  onTestFinished(async () => {
    await pools.end();
    await rm(dataDir, { recursive: true, force: true });
  });
  const clock = { now: new Date(options.now ?? '2025-10-08T02:00:00Z') };
  const vault = new Vault(randomBytes(32));
  const services: Services = {
    pools,
    vault,
    storage: diskStorage(dataDir, vault),
    publicUrl: 'http://127.0.0.1:8080',
    demo: false,
  };
  const dispatch = dispatcher(services, handlers, {
    clock: () => clock.now,
    limiter: new Limiter(1e9, 1e9),
    onError: (error) => errors.push(error),
  });

  const raw = async (name: string, token: string, body: unknown = {}, upload?: Upload) => {
    // The list of common passwords is made once per process, which takes a while on a busy machine; a server makes it as it starts.
    if (typeof body === 'object' && body !== null && 'pwd' in body) await isCommonPassword('');
    return dispatch({ name, token, body, upload, requestId: randomUUID(), ip: '127.0.0.1', useragent: 'test' });
  };
  /** Calls with any token, e.g. a respondent's. A refusal is thrown, as the console's client throws it. */
  const withToken =
    (token: string) =>
    async <A extends Action>(action: A, request: RequestOf<A>, upload?: Upload): Promise<ResponseOf<A>> => {
      const answer = await raw(action.name, token, request, upload);
      if (answer.errorCode !== 0) throw new Refused(answer as Extract<Answer, { errorCode: number }>);
      return answer.data as ResponseOf<A>;
    };
  const as = (person: Person) => withToken(person);
  /** The database as its owner sees it with the platform signed in: to look behind the product, never to prepare a state the product could make. */
  const behind = async <T extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<T[]> => {
    const client = new pg.Client(asOwner(target));
    await client.connect();
    try {
      await client.query("begin; select set_config('app.session', encode(sha256('super'), 'hex'), true)");
      const { rows } = await client.query<T>(sql, values);
      await client.query('commit');
      return rows;
    } finally {
      await client.end();
    }
  };
  return { target, services, dispatch, raw, as, withToken, nobody: withToken(''), clock, errors, behind };
}
