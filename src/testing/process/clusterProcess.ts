import { startCluster } from '#server/postgres/cluster.ts';

/*
 * A minimal server process for tests that kill it. `node clusterProcess.ts <data folder>` prints one line of JSON when its cluster
 * answers, and runs until a signal or the end of its input. When the cluster does not start, it prints the reason and ends with 1.
 */
const dataDir = process.argv[2];
if (dataDir === undefined) throw new Error('usage: clusterProcess.ts <data folder>');
try {
  const cluster = await startCluster({ dataDir, log: (message) => process.stderr.write(`${message}\n`) });
  process.stdout.write(`${JSON.stringify({ connection: cluster.url(), postgres: cluster.pid() })}\n`);
  if (process.argv[3] === 'graceful') process.once('SIGTERM', () => void cluster.stop().then(() => process.stdin.destroy()));
  setInterval(() => {}, 60_000).unref();
  await new Promise((done) => process.stdin.resume().once('close', done));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
