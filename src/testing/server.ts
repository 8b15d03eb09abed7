import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, inject, onTestFinished } from 'vitest';
import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import type { IncomingFile as Upload } from '#contract/file.ts';
import { handlers } from '#server/actions.ts';
import { Pools } from '#server/db/pools.ts';
import { asOwner, type Target } from '#server/db/roles.ts';
import { dispatcher, type Answer } from '#server/dispatch/dispatch.ts';
import { RateLimiter } from '#server/dispatch/rateLimiter.ts';
import type { Services } from '#server/dispatch/services.ts';
import { diskStorage } from '#server/storage/storage.ts';
import { isCommonPassword } from '#server/security/weakPassword.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import type { Person } from '#testing/people.ts';

/** The refusal of a call, as a test sees it. */
export class CallError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor({ errorCode, errorMsg, data }: Extract<Answer, { errorCode: number }>) {
    super(errorMsg);
    this.code = errorCode;
    this.data = data;
  }
}

/** Something a test opened and has to close. */
interface Closable {
  close(): Promise<void>;
}

/** Copies the migrated template with its people. */
async function copyTemplate(): Promise<Closable & { target: Target }> {
  const { admin, template, strategy } = inject('database');
  const name = `${template}_${randomUUID().slice(0, 8)}`;
  const client = new pg.Client(asOwner(admin));
  await client.connect();
  await client.query(`create database ${name} template ${template} strategy ${strategy}`);
  const close = async () => {
    await dropDatabase(client, name);
    await client.end();
  };
  return { target: { ...admin, database: name }, close };
}

/** A database of its own, copied from the migrated template with its people, dropped after the test. */
export async function freshDatabase(): Promise<Target> {
  const { target, close } = await copyTemplate();
  onTestFinished(close);
  return target;
}

/** Drops a database. A busy machine may still hold a connection that has just ended, longer than the five seconds PostgreSQL waits. */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  for (;;) {
    const isInUse = await client.query(`drop database if exists ${name}`).then(
      () => false,
      (error: pg.DatabaseError) => {
        if (error.code !== '55006') throw error;
        return true;
      },
    );
    if (!isInUse) return;
  }
}

/** Where the clock of a test stands unless the test says otherwise: a Wednesday morning of the autumn term. */
const startOfTests = '2025-10-08T02:00:00Z';

/** A server over its own database, for one test. */
export async function startServer(options: { now?: string } = {}): Promise<TestServer> {
  const { server, close } = await openServer(options);
  onTestFinished(close);
  return server;
}

/**
 * One server for all tests of a file, for tests that do not collide. Every test finds the clock at its start.
 * Answers a function, because the server exists only once the tests run.
 */
export function sharedServer(): () => TestServer {
  let opened: Awaited<ReturnType<typeof openServer>> | undefined;
  beforeAll(async () => {
    opened = await openServer({});
  });
  beforeEach(() => {
    if (opened) opened.server.clock.now = new Date(startOfTests);
  });
  afterAll(() => opened?.close());
  return () => {
    if (!opened) throw new Error('the shared server exists only while a test runs');
    return opened.server;
  };
}

export type TestServer = Awaited<ReturnType<typeof openServer>>['server'];

/**
 * A server over its own database. `as('chen')` calls as a person of `people.ts`; `clock.now` is the time the product
 * believes it is. Sessions live by the database's clock.
 */
async function openServer(options: { now?: string }) {
  const { target, close: drop } = await copyTemplate();
  const errors: unknown[] = [];
  const pools = new Pools(target, (error) => errors.push(error), 8);
  const owner = new pg.Pool({ ...asOwner(target), max: 4 });
  // A test may end all connections of its database; the pool opens new ones.
  owner.on('error', () => undefined);
  const dataDir = await mkdtemp(join(tmpdir(), 'xinli-test-'));
  const clock = { now: new Date(options.now ?? startOfTests) };
  const vault = new FieldCipher(randomBytes(32));
  const services: Services = {
    pools,
    cipher: vault,
    storage: diskStorage(dataDir, vault),
    publicUrl: 'http://127.0.0.1:8080',
    demo: false,
  };
  const dispatch = dispatcher(services, handlers, {
    clock: () => clock.now,
    limiter: new RateLimiter(1e9, 1e9),
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
      if (answer.errorCode !== 0) throw new CallError(answer as Extract<Answer, { errorCode: number }>);
      return answer.data as ResponseOf<A>;
    };
  const as = (person: Person) => withToken(person);
  /** Runs SQL as the owner of the tables with the platform signed in. Use it to check rows; use factories to create them. */
  const sqlAsOwner = async <T extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<T[]> => {
    const client = await owner.connect();
    try {
      await client.query("begin; select set_config('app.session', encode(sha256('super'), 'hex'), true)");
      const { rows } = await client.query<T>(sql, values);
      await client.query('commit');
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  const close = async () => {
    await Promise.all([pools.end(), owner.end()]);
    await rm(dataDir, { recursive: true, force: true });
    await drop();
  };
  const server = { target, services, dispatch, raw, as, withToken, nobody: withToken(''), clock, errors, sqlAsOwner };
  return { server, close };
}
