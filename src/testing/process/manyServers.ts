import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { S3Config } from '#server/config.ts';
import type { Target } from '#server/db/roles.ts';
import { freePort, startMain, tryCall } from '#testing/load/respondents.ts';
import { startBalancer } from '#testing/process/balancer.ts';
import { isBouncerAsked, startBouncer } from '#testing/process/pgBouncer.ts';
import { freshDatabase } from '#testing/server.ts';

/** Servers on one database, each a process of its own, behind a balancer. */
export type ManyServers = Awaited<ReturnType<typeof startMany>>;

/** The `DATABASE_URL` of a database of the tests. */
export function urlOf({ host, port, database, user, password }: Target): string {
  const owner = password ? `${user}:${encodeURIComponent(password)}` : user;
  return host.startsWith('/')
    ? `postgres://${owner}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`
    : `postgres://${owner}@${host}:${port}/${database}`;
}

/** The settings of a bucket as environment variables. */
const environmentOf = ({ endpoint, region, bucket, accessKeyId, secretAccessKey, pathStyle }: S3Config) => ({
  S3_ENDPOINT: endpoint,
  S3_REGION: region,
  S3_BUCKET: bucket,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
  S3_PATH_STYLE: pathStyle ? '1' : '0',
});

/**
 * Starts `count` servers at the same time on a new database with the people of the tests. They share one data folder; with a bucket each
 * has its own folder with the same key. In the proof PgBouncer stands between them and the database. The servers end with the test.
 */
export async function startMany(
  options: {
    count?: number;
    s3?: S3Config;
    prepare?: (target: Target) => Promise<unknown>;
  } = {},
) {
  const { count = 3, s3, prepare } = options;
  const target = await freshDatabase();
  await prepare?.(target);
  const root = await mkdtemp(join(tmpdir(), 'xinli-many-'));
  await chmod(root, 0o755);
  const servers: { port: number; dataDir: string; running: ReturnType<typeof startMain> }[] = [];
  const env = {
    DATABASE_URL: urlOf(isBouncerAsked() ? await startBouncer(target) : target),
    DATABASE_POOLER: isBouncerAsked() ? '1' : '0',
    DATABASE_POOL: '3',
    DRAIN_SECONDS: '1',
    TRUST_PROXY: '1',
    ...(s3 ? environmentOf(s3) : {}),
  };
  const launch = (dataDir: string, port: number) => startMain(dataDir, port, undefined, env);
  onTestFinished(async () => {
    await Promise.all(servers.map(({ running }) => end(running, 'SIGKILL')));
    await rm(root, { recursive: true, force: true });
  });
  const folderOf = (index: number) => join(root, s3 ? String(index) : 'shared');
  const add = async (index: number) => {
    const port = await freePort();
    servers[index] = { port, dataDir: folderOf(index), running: launch(folderOf(index), port) };
  };
  if (s3) {
    // The first server makes the key. The operator copies it to the others.
    await add(0);
    await servers[0]?.running.ready;
    for (let index = 1; index < count; index += 1) {
      await mkdir(folderOf(index));
      await cp(join(folderOf(0), 'keys'), join(folderOf(index), 'keys'), { recursive: true });
    }
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => add(index + 1)));
  } else await Promise.all(Array.from({ length: count }, (_, index) => add(index)));
  await Promise.all(servers.map(assertReady));
  const balancer = await startBalancer(servers.map(({ port }) => port));

  const serverOf = (index: number) => servers[index] as (typeof servers)[number];
  return {
    target,
    servers,
    balancer,
    /** Calls one server. */
    call: (index: number, token: string, name: string, request: unknown = {}) =>
      tryCall(serverOf(index).port, token, name, request),
    /** Calls by way of the balancer. */
    callAny: (token: string, name: string, request: unknown = {}) => tryCall(balancer.port, token, name, request),
    /** Ends a server and returns its exit code; null after SIGKILL. */
    stop: (index: number, signal: 'SIGTERM' | 'SIGKILL') => end(serverOf(index).running, signal),
    /** Starts a server again at its address and waits until it answers. */
    async restart(index: number) {
      const server = serverOf(index);
      server.running = launch(server.dataDir, server.port);
      await assertReady(server);
    },
  };
}

async function assertReady({ running }: { running: ReturnType<typeof startMain> }) {
  if (!(await running.ready)) throw new Error(`a server did not start:\n${running.output()}`);
}

async function end({ process: child }: ReturnType<typeof startMain>, signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
  return child.exitCode;
}
