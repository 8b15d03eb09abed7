// Finds or installs the LibreOffice that reads exported workbooks in a test.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findProgram, withLock } from './bootstrap.mjs';

const NAMES = ['soffice', 'libreoffice'];

/**
 * Sets SOFFICE_PATH to a LibreOffice. It tries in this order: SOFFICE_PATH, a LibreOffice of the machine, the system's package
 * manager (as root, or with sudo without a password). Without LibreOffice the test uses a separate reader, which shares no code
 * with the product, and prints this.
 */
export async function ensureOffice() {
  const path = await withLock('office', () => find() ?? (installBySystem() ? find() : undefined));
  console.log(
    path
      ? `表格程序 / spreadsheet program: ${path}`
      : '表格程序 / spreadsheet program: 无，改用独立的读取程序 / none, an independent reader instead',
  );
  if (path) process.env.SOFFICE_PATH = path;
}

function find() {
  const chosen = process.env.SOFFICE_PATH;
  if (chosen && existsSync(chosen)) return chosen;
  return NAMES.map((name) => findProgram(name)).find((path) => path !== undefined);
}

function installBySystem() {
  if (process.platform !== 'linux' || !findProgram('apt-get')) return false;
  const asRoot = process.getuid() === 0 ? [] : ['sudo', '-n'];
  if (asRoot.length > 0 && spawnSync('sudo', ['-n', 'true']).status !== 0) return false;
  console.log('正在通过 apt 安装 LibreOffice Calc… / installing LibreOffice Calc with apt');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return [['update'], ['install', '-y', '--no-install-recommends', 'libreoffice-calc']].every((args) => {
    const [program, ...programArgs] = [...asRoot, 'apt-get', '-q', ...args];
    return spawnSync(program, programArgs, { env, stdio: ['ignore', 'ignore', 'inherit'], timeout: 15 * 60_000 }).status === 0;
  });
}
