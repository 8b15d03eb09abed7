import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAiProvider } from './aiProvider.ts';

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port'))));
    });
  });

/**
 * Starts one server for each worker and waits until all print their address. `E2E_URL` holds the addresses, separated by spaces; see
 * `url`. With `E2E_URL` the tests use the servers at those addresses: creating the demonstration data takes a minute.
 */
export default async function start({ workers }: { workers: number }): Promise<() => Promise<void>> {
  if (process.env['E2E_URL']) return () => Promise.resolve();
  const servers = await Promise.all(Array.from({ length: workers }, startServer));
  process.env['E2E_URL'] = servers.map(({ address }) => address).join(' ');
  return async () => {
    await Promise.all(servers.map(({ stop }) => stop()));
  };
}

/** Starts the product like `npm start` with a new data folder and waits until it prints its address. */
async function startServer(): Promise<{ address: string; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'xinli-e2e-'));
  // A database that root starts runs as another user and needs access to this folder. Otherwise it would use another folder.
  await chmod(dataDir, 0o755);
  const port = await freePort();
  const provider = await startAiProvider();
  const server = spawn(process.execPath, ['src/server/main.ts'], {
    env: {
      ...process.env,
      ...provider.env,
      DATA_DIR: dataDir,
      PORT: String(port),
      HOST: '127.0.0.1',
      DEMO: '1',
      DATABASE_URL: '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = `http://127.0.0.1:${port}`;
  await new Promise<void>((resolve, reject) => {
    let output = '';
    server.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(address)) resolve();
    });
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}\n${output}`)));
  });
  const stop = async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await ended;
    provider.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { address, stop };
}
