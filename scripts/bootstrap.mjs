// Installs the packages and builds the pages. It is plain JavaScript without dependencies, because it runs on the machine's own
// Node (20 or newer) before the packages are installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
/** The folder for files that the scripts reuse in later runs; you may delete it at any time. */
export const cache = join(root, '.cache');
/** The project's own Node 24, independent of the machine's Node. */
export const node = join(root, 'node_modules/node/bin/node');

const bin = join(root, 'node_modules/.bin');

/** A failure with a message for the person at the terminal; it is shown without a stack trace. */
export class Refusal extends Error {}

/** Runs a script's main function. It prints a refusal and ends with exit code 1. */
export async function main(action) {
  try {
    process.exitCode = (await action()) ?? 0;
  } catch (error) {
    console.error(error instanceof Refusal ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}

/** Returns the environment in which the project's Node is first on the search path. */
export function projectEnv(extra = {}) {
  return { ...process.env, PATH: [bin, ...pathWithoutProject()].join(delimiter), ...extra };
}

/** Runs an installed command (`tsc`, `vite`, …) or a .ts file on the project's Node; resolves with the exit code. */
export function runNode(file, args = [], env = {}) {
  const script = /[./]/.test(file) ? resolve(root, file) : join(bin, file);
  return run(node, [script, ...args], { env: projectEnv(env) });
}

/** Runs a program on this terminal; resolves with its exit code (a signal counts as 1). */
export function run(program, args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.on('error', fail);
    child.on('close', (code) => done(code ?? 1));
  });
}

/**
 * Installs the packages of package-lock.json when they are missing, incomplete or of another version or platform.
 * It accepts packages that were installed by hand when they match the lock file.
 */
export async function ensureInstalled() {
  const [major] = process.versions.node.split('.');
  if (Number(major) < 20)
    throw new Refusal(
      `需要 Node.js 20 或更新版本，当前是 ${process.version}。\nNode.js 20 or newer is needed; this is ${process.version}.`,
    );
  if (isInstalled()) return;
  await withLock('install', async () => {
    if (isInstalled()) return;
    if (matchesLock()) return stampInstall();
    console.log('正在安装依赖（首次约一分钟）… / installing packages (about a minute the first time)');
    for (let attempt = 1; ; attempt += 1) {
      const code = await npm(
        ['ci', '--include=dev', '--include=optional', '--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error'],
        root,
      );
      if (code === 0 && matchesLock()) return stampInstall();
      if (attempt === 3) break;
      console.log(`安装未完成，重试（${attempt + 1}/3）… / the installation failed, trying again (${attempt + 1}/3)`);
    }
    throw new Refusal(
      '依赖安装失败：请检查网络、npm 源和磁盘空间后重试。\n' +
        'Installing packages failed: check the network, the npm registry and the disk, then try again.',
    );
  });
}

/** Builds the pages when one of their source files has changed since the last build. */
export async function ensureBuilt() {
  const configs = readdirSync(root)
    .filter((name) => /^vite(\.[\w-]+)?\.config\.ts$/.test(name))
    .sort();
  const parts = readdirSync(root)
    .filter((name) => /^vite\..*\.ts$|\.html$/.test(name))
    .sort();
  const sourceHash = hashOfFiles([...parts, 'package-lock.json', 'tsconfig.json', 'scripts/bootstrap.mjs', ...pageSources()]);
  const stamp = join(root, 'dist/.stamp');
  if (readIfPresent(stamp) === sourceHash) return;
  await withLock('build', async () => {
    if (readIfPresent(stamp) === sourceHash) return;
    console.log('正在构建页面… / building the pages');
    rmSync(stamp, { force: true });
    for (const config of configs) {
      const code = await runNode('vite', ['build', '--config', config, '--logLevel', 'warn'], { NODE_ENV: 'production' });
      if (code !== 0) throw new Refusal('页面构建失败，原因见上。\nBuilding the pages failed; see above.');
    }
    mkdirSync(dirname(stamp), { recursive: true });
    writeFileSync(stamp, sourceHash);
  });
}

/** Runs npm on the machine's own Node, because an installation replaces the project's Node. */
export function npm(args, cwd) {
  const path = pathWithoutProject();
  // With NODE_ENV=production npm would leave out packages that the build and the tests need.
  const { NODE_ENV: _, ...env } = { ...process.env, PATH: path.join(delimiter) };
  const cli = process.env.npm_execpath;
  const machineNode = findProgram('node', path);
  return cli?.endsWith('.js') && /npm-cli/.test(cli) && machineNode
    ? run(machineNode, [cli, ...args], { cwd, env })
    : run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd, env, shell: process.platform === 'win32' });
}

/** Returns the first executable program of this name on a search path, or `undefined`. This user may lack access to a folder. */
export function findProgram(name, path = pathWithoutProject()) {
  return path
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return statSync(file).isFile();
      } catch {
        return false;
      }
    });
}

/** Runs `work` in one process at a time; other processes wait. It takes over a lock whose process has ended. */
export async function withLock(name, work) {
  mkdirSync(cache, { recursive: true });
  const lock = join(cache, `${name}.lock`);
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST')
        throw new Refusal(`无法写入 ${cache}（${error.code}）。\nCannot write to ${cache} (${error.code}).`);
    }
    const text = readIfPresent(lock);
    const isFresh = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) < 2_000;
    if (text !== null && !isAlive(Number(text)) && !(text === '' && isFresh)) rmSync(lock, { force: true });
    else if (attempt === 10)
      console.log('另一个进程正在进行同样的准备，等待中… / another process is preparing the same, waiting');
    await new Promise((done) => setTimeout(done, 200));
  }
  const release = () => rmSync(lock, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function isInstalled() {
  return readIfPresent(join(root, 'node_modules/.stamp')) === installHash() && existsSync(node);
}

function stampInstall() {
  writeFileSync(join(root, 'node_modules/.stamp'), installHash());
}

function installHash() {
  return `${hashOfFiles(['package-lock.json'])} ${process.platform}-${process.arch}`;
}

/** True when the installation is complete. npm writes its own list last, so it suffices to compare this list with the lock file. */
function matchesLock() {
  const lockedPackages = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const text = readIfPresent(join(root, 'node_modules/.package-lock.json'));
  const installed = text === null ? {} : JSON.parse(text).packages;
  const isComplete = Object.entries(lockedPackages).every(
    ([path, entry]) =>
      path === '' ||
      (installed[path] ? installed[path].version === entry.version : entry.optional || entry.devOptional || entry.peer),
  );
  return isComplete && spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.startsWith('v24.') === true;
}

function pathWithoutProject() {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !folder.endsWith(join('node_modules', '.bin')));
}

function pageSources() {
  const list = [];
  const addFiles = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) addFiles(path);
      else if (!/\.(test\.tsx?|server\.ts|queries\.ts)$/.test(entry.name)) list.push(path);
    }
  };
  for (const folder of ['src', 'public']) if (existsSync(join(root, folder))) addFiles(folder);
  return list.filter((path) => !/^src\/(server|testing)\//.test(path)).sort();
}

function hashOfFiles(paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(`${path}\0`)
      .update(readIfPresent(join(root, path), null) ?? '')
      .update('\0');
  return hash.digest('hex');
}

function readIfPresent(path, encoding = 'utf8') {
  try {
    return readFileSync(path, encoding);
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return pid > 0;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
