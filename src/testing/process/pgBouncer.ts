import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { searchPath } from '#server/config.ts';
import { serverRoles, type Target } from '#server/db/roles.ts';
import { freePort } from '#testing/load/respondents.ts';

/** Whether `npm run proof` runs this test with PgBouncer between the servers and their database. */
export const isBouncerAsked = (): boolean => process.env['PROOF_BOUNCER'] === '1';

/**
 * Starts PgBouncer in transaction mode in front of the embedded PostgreSQL of the tests, with fewer connections than the servers have.
 * Returns the address behind which it listens. It ends with the test.
 */
export async function startBouncer(target: Target): Promise<Target> {
  if (!target.host.startsWith('/')) throw new Error('the proof uses the embedded PostgreSQL');
  const folder = await mkdtemp(join(tmpdir(), 'xinli-bouncer-'));
  // It refuses to run as root. The owner of the socket's folder may reach the socket.
  const { uid, gid } = await stat(target.host);
  await chmod(folder, 0o755);
  const port = await freePort();
  const users = [target.user, ...serverRoles];
  await writeFile(join(folder, 'users.txt'), users.map((user) => `"${user}" ""\n`).join(''));
  const settings = [
    '[databases]',
    `* = host=${target.host} port=${target.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(folder, 'users.txt')}`,
    'pool_mode = transaction',
    'max_client_conn = 500',
    // A call of staff may wait for a second transaction of the same role. So there are more than three servers have calls.
    'default_pool_size = 20',
    'log_connections = 0',
    'log_disconnections = 0',
  ];
  await writeFile(join(folder, 'pgbouncer.ini'), settings.join('\n'));
  const child = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
    env: { PATH: searchPath() },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
  });
  let output = '';
  child.stderr.on('data', (part: Buffer) => (output += part.toString()));
  onTestFinished(async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await exited;
    await rm(folder, { recursive: true, force: true });
  });
  while (!output.includes('process up')) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${output}`);
    await new Promise((done) => setTimeout(done, 20));
  }
  return { ...target, host: '127.0.0.1', port };
}
