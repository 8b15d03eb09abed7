// `npm start`: installs missing packages, builds outdated pages and runs the server until a signal stops it.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { ensureBuilt, ensureInstalled, main, node, projectEnv, root } from './bootstrap.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return serve();
});

/** Runs the server; resolves with its exit code. */
function serve() {
  // The server gets its own process group. In the terminal's group it would get Ctrl-C twice.
  // The IPC channel closes when this process ends, so the server notices it and stops.
  const child = spawn(node, ['src/server/main.ts'], {
    cwd: root,
    env: projectEnv(),
    detached: process.platform !== 'win32',
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name === 'SIGHUP' ? 'SIGTERM' : name));

  // An npm that is killed with SIGKILL cannot forward a signal, so watch whether it still runs.
  const npm = [process.ppid, parentOf(process.ppid)].find(isNpm);
  const watch = setInterval(() => npm !== undefined && !isNpm(npm) && child.kill('SIGTERM'), 250);

  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      done(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** Returns the parent of a process. npm starts scripts through a shell, so npm is our parent or our grandparent. */
function parentOf(pid) {
  return Number(/^PPid:\s*(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0);
}

function isNpm(pid) {
  return /^npm |npm-cli\.js/.test(readProc(pid, 'cmdline').replaceAll('\0', ' '));
}

/** Returns a file of /proc; empty for a process that has ended, and on a system without /proc. */
function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
