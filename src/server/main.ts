import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { actions, handlers, registryFaults } from '#server/actions.ts';
import { continueNumbers } from '#server/dispatch/audit.ts';
import { sealAudit } from '#server/audit/seal.ts';
import { readConfig, type Config } from '#server/config.ts';
import { prepareDataDir } from '#server/dataDir.ts';
import { migrate } from '#server/db/migrate.ts';
import { canWrite } from '#server/db/canWrite.ts';
import { Pools } from '#server/db/pools.ts';
import { Replica } from '#server/replica/replica.ts';
import { asOwner } from '#server/db/roles.ts';
import { rlsFaults } from '#server/db/verifyRls.ts';
import { dispatcher } from '#server/dispatch/dispatch.ts';
import { exportWorker } from '#server/export/worker.ts';
import { serveCalendars } from '#server/http/calendarRoute.ts';
import { serveFiles } from '#server/http/fileRoute.ts';
import { httpServer } from '#server/http/http.ts';
import { startJobs } from '#server/jobs.ts';
import { RateLimiter } from '#server/dispatch/rateLimiter.ts';
import { logLine } from '#server/log.ts';
import { CallBudget } from '#server/nodes/callBudget.ts';
import { Leases } from '#server/nodes/leases.ts';
import { throttleByKey } from '#server/http/throttleByKey.ts';
import { targetOf } from '#server/postgres/externalDatabase.ts';
import { openDatabase } from '#server/postgres/openDatabase.ts';
import { openLocalGateways } from '#server/pay/openGateways.ts';
import { openStorage } from '#server/storage/openStorage.ts';
import { openapi } from '#server/openapi.ts';
import { serveQr } from '#server/http/qrRoute.ts';
import { serveUploads } from '#server/http/upload/uploadRoute.ts';
import { serveLocalPayments } from '#server/http/localPayRoute.ts';
import { servePayNotices } from '#server/http/payRoute.ts';
import { serveVerification } from '#server/http/verifyRoute.ts';
import { BackgroundReseal } from '#server/rotation/resealState.ts';
import { ServerKeys } from '#server/rotation/serverKeys.ts';
import { runProcess, type Running } from '#server/postgres/runProcess.ts';
import { listenError, StartError } from '#server/startError.ts';
import { serveAssets } from '#server/http/static.ts';
import type { Services } from '#server/dispatch/services.ts';
import type { TextSealer } from '#server/sealing/textSealer.ts';
import { openMasterKey } from '#server/security/masterKey.ts';
import { isCommonPassword } from '#server/security/weakPassword.ts';
import { touchSession } from '#features/session/session.queries.ts';
import { firstStart } from '#seed/firstStart.ts';
import { seedReference } from '#seed/reference.ts';

/** The official website of the demonstration: a page reserved for examples. */
const demoWebsite = 'https://www.example.com/';
const dist = new URL('../../dist/', import.meta.url).pathname;

/** Starts the parts of the server in order. A failure throws a message that tells the operator what to do (startError.ts). */
async function start(): Promise<Running> {
  const config = readConfig();
  const faults = registryFaults();
  if (faults.length > 0) throw new Error(`the registry of actions has faults:\n${faults.join('\n')}`);
  await assertPortFree(config.host, config.port);
  await prepareDataDir(config.dataDir);
  const database = await openDatabase(config, (message) => console.log(message));
  const close: (() => Promise<unknown>)[] = [() => database.stop()];
  const stop = async () => {
    for (const closePart of close.reverse()) await closePart();
  };
  try {
    await migrate(database.target);
    const cipher = await prepareDatabase(database.target, config.dataDir);
    const pools = new Pools(
      database.target,
      (error) => logLine({ level: 'error', error: error.message }),
      config.poolSize,
      cipher.texts,
    );
    const leases = new Leases(pools.authn);
    close.push(() => pools.end());
    const replica = openReplica(config, cipher.texts);
    if (replica) close.push(() => replica.end());
    await continueNumbers(pools.sealer);
    const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
    const localGateways = await openLocalGateways(config, publicUrl);
    const services: Services = {
      pools,
      replica,
      cipher,
      storage: await openStorage(config, cipher, pools.authn),
      auditDir: join(config.dataDir, 'audit'),
      websiteUrl: config.websiteUrl ?? (config.demo ? demoWebsite : undefined),
      publicUrl,
      isPrivateTargetAllowed: config.isPrivateTargetAllowed,
      ai: config.ai ?? undefined,
      gateways: localGateways,
      demo: config.demo,
    };
    const dispatch = dispatcher(services, handlers, {
      clock: () => new Date(),
      limiter: new RateLimiter(),
      budget: new CallBudget(pools.authn, cipher),
      onError: (error, call) =>
        logLine({
          level: 'error',
          requestId: call.requestId,
          action: call.name,
          error: error instanceof Error ? error.stack : String(error),
        }),
    });
    const welcome = await firstStart(services, config, database.target);
    let isDraining = false;
    const touch = throttleByKey((session) => void touchSession(pools.authn, session).catch(() => undefined));
    const app = httpServer({
      dispatch,
      actions: new Map(actions.map((action) => [action.name, action])),
      touch,
      ready: async () => ({ ok: !isDraining && (await canWrite(pools.authn)), demo: config.demo }),
      log: logLine,
      trustProxy: config.trustProxy,
    });
    app.get('/openapi.json', () => openapi());
    serveQr(app, services);
    serveFiles(app, services, () => new Date(), logLine);
    serveCalendars(app, services, { clock: () => new Date() });
    serveUploads(app, { storage: services.storage, leases, dispatch, touch, log: logLine });
    serveVerification(app, services);
    servePayNotices(app, services, { clock: () => new Date(), log: logLine });
    if (localGateways) serveLocalPayments(app, services, localGateways, { clock: () => new Date() });
    await serveAssets(app, dist, dispatch);
    const keys = new ServerKeys({ dataDir: config.dataDir, cipher, authn: pools.authn, log: logLine });
    await keys.start();
    close.push(() => keys.stop());
    await app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
      throw listenError(error, config.host, config.port);
    });
    close.push(() => app.close());
    // The list of common passwords takes a second to build. Build it now, so that no request waits for it.
    void isCommonPassword('');
    const stored = new BackgroundReseal(database.target, cipher, pools.authn);
    const jobs = startJobs(services, {
      seal: () => sealAudit(services, logLine),
      reseal: () => stored.run(),
      leases,
      log: logLine,
    });
    close.push(() => (stored.stop(), jobs.stop()));
    const exports = exportWorker(services, { dispatch, clock: () => new Date(), log: logLine });
    exports.start();
    close.push(() => exports.stop());
    // First of all: /readyz says no, and the server goes on until the balancer sends no more.
    close.push(async () => {
      isDraining = true;
      await new Promise((done) => setTimeout(done, config.drainSeconds * 1000));
    });
    const address = app.server.address();
    const port = typeof address === 'object' && address ? address.port : config.port;
    console.log(`\n  AI智慧心理-管理端  http://${config.host}:${port}\n`);
    for (const line of welcome) console.log(`  ${line}`);
    return { stop, drainSeconds: config.drainSeconds };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/** Opens the replica of `DATABASE_REPLICA_URL`; undefined without one. The server also starts while it is away. */
const openReplica = ({ replicaUrl, poolSize }: Config, texts: TextSealer): Replica | undefined =>
  replicaUrl === null
    ? undefined
    : new Replica(targetOf(replicaUrl), ({ message }) => logLine({ level: 'error', error: message }), poolSize, texts);

/** Throws when the port is in use, before the start does any work. */
async function assertPortFree(host: string, port: number) {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(port, host, resolve)).catch(
    (error: unknown) => {
      throw listenError(error, host, port);
    },
  );
  await new Promise((resolve) => probe.close(resolve));
}

/** Opens the key and writes the reference data of this version. Refuses a wrong key and a hole in the row-level security. */
async function prepareDatabase(target: Parameters<typeof asOwner>[0], dataDir: string) {
  const client = new pg.Client(asOwner(target));
  await client.connect();
  try {
    const cipher = await openMasterKey(dataDir, client);
    await seedReference(client);
    const holes = await rlsFaults(client);
    if (holes.length > 0)
      throw new StartError('config', `数据库隔离检查未通过，拒绝启动：\n${holes.join('\n')}`, 'Row-level security check failed.');
    return cipher;
  } finally {
    await client.end();
  }
}

await runProcess(start);
