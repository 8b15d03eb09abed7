import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, inject, onTestFinished } from 'vitest';
import type { Action, RequestOf, ResponseOf } from '#contract/action.ts';
import type { IncomingFile as Upload } from '#contract/file.ts';
import { forgetDefinitions } from '#features/form/scaleCache.ts';
import { handlers } from '#server/actions.ts';
import { Pools } from '#server/db/pools.ts';
import { asOwner, type Target } from '#server/db/roles.ts';
import { dispatcher, type Answer } from '#server/dispatch/dispatch.ts';
import { RateLimiter } from '#server/dispatch/rateLimiter.ts';
import type { Services } from '#server/dispatch/services.ts';
import { FileKeys } from '#server/storage/fileKeys.ts';
import { sealedStorage } from '#server/storage/sealedStorage.ts';
import { diskStorage } from '#server/storage/storage.ts';
import { isCommonPassword } from '#server/security/weakPassword.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import type { Person } from '#testing/people.ts';
import { openingTypes } from '#server/sealing/openingTypes.ts';

/** A refused call. */
export class CallError extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor({ errorCode, errorMsg, data }: Extract<Answer, { errorCode: number }>) {
    super(errorMsg);
    this.code = errorCode;
    this.data = data;
  }
}

/** A resource that a test opened and must close. */
interface Closable {
  close(): Promise<void>;
}

/** Copies the migrated template with its people into a new database. */
async function copyTemplate(): Promise<Closable & { target: Target }> {
  const { admin, template, strategy } = inject('database');
  const name = `${template}_${randomUUID().slice(0, 8)}`;
  const client = new pg.Client(asOwner(admin));
  await client.connect();
  await client.query(`create database ${name} template ${template} strategy ${strategy}`);
  await renewStepUps({ ...admin, database: name });
  const close = async () => {
    await dropDatabase(client, name);
    await client.end();
  };
  return { target: { ...admin, database: name }, close };
}

/** The people of the tests have just proved who they are. The template may be older than a step-up is valid. */
async function renewStepUps(target: Target): Promise<void> {
  const client = new pg.Client(asOwner(target));
  await client.connect();
  await client.query('update auth.session set stepuptime = now() where stepuptime is not null');
  await client.end();
}

/** Returns a new database with the people of the tests. It is dropped after the test. */
export async function freshDatabase(): Promise<Target> {
  const { target, close } = await copyTemplate();
  onTestFinished(close);
  return target;
}

/** Drops a database. On a busy machine an ended connection may exist longer than the five seconds that PostgreSQL waits. */
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

// pg warns when a transaction sends statements at once; they would wait for each other anyway. A test fails then.
process.on('warning', (warning) => {
  if (warning.message.includes('already executing a query')) throw warning;
});

/** The default time of the clock in tests: a Wednesday morning of the autumn term. */
const startOfTests = '2025-10-08T02:00:00Z';

/** Starts a server with its own database for one test. */
export async function startServer(options: { now?: string } = {}): Promise<TestServer> {
  const { server, close } = await openServer(options);
  onTestFinished(close);
  return server;
}

/**
 * Starts one server for all tests of a file that do not conflict. The clock is reset before every test.
 * It returns a function, because the server exists only while the tests run.
 */
export function sharedServer(): () => TestServer {
  let shared: Awaited<ReturnType<typeof openServer>> | undefined;
  beforeAll(async () => {
    shared = await openServer({});
  });
  beforeEach(() => {
    if (shared) shared.server.clock.now = new Date(startOfTests);
  });
  afterAll(() => shared?.close());
  return () => {
    if (!shared) throw new Error('the shared server exists only while a test runs');
    return shared.server;
  };
}

export type TestServer = Awaited<ReturnType<typeof openServer>>['server'];

/**
 * Opens a server with its own database. `as('chen')` calls as a person of `people.ts`. `clock.now` is the time of the product.
 * Sessions expire by the clock of the database.
 */
async function openServer(options: { now?: string }) {
  const { target, close: drop } = await copyTemplate();
  // An earlier test file of this process may have read another form under a code that this database gives again.
  forgetDefinitions();
  const errors: unknown[] = [];
  const cipher = new FieldCipher(randomBytes(32));
  const pools = new Pools(target, (error) => errors.push(error), 8, cipher.texts);
  const owner = new pg.Pool({ ...asOwner(target), max: 4, types: openingTypes(cipher.texts) });
  // A test may end all connections of its database; the pool opens new ones.
  owner.on('error', () => undefined);
  const dataDir = await mkdtemp(join(tmpdir(), 'xinli-test-'));
  const clock = { now: new Date(options.now ?? startOfTests) };
  const services: Services = {
    pools,
    cipher,
    storage: sealedStorage(diskStorage(dataDir, cipher), new FileKeys(pools.authn, cipher)),
    auditDir: join(dataDir, 'audit'),
    publicUrl: 'http://127.0.0.1:8080',
    demo: false,
  };
  const dispatch = dispatcher(services, handlers, {
    clock: () => clock.now,
    limiter: new RateLimiter(1e9, 1e9),
    onError: (error) => errors.push(error),
  });

  const raw = async (name: string, token: string, body: unknown = {}, upload?: Upload) => {
    // The first check builds the list of common passwords, which is slow on a busy machine. The real server builds it at its start.
    if (typeof body === 'object' && body !== null && 'pwd' in body) await isCommonPassword('');
    return dispatch({ name, token, body, upload, isStrict: true, requestId: randomUUID(), ip: '127.0.0.1', useragent: 'test' });
  };
  /** Calls with any token, e.g. of a respondent. Throws refusals like the client of the console. */
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
