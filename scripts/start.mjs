// `npm start`: installs what is missing, builds what is stale, runs the server until it is told to stop.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { ensureBuilt, ensureInstalled, main, node, projectEnv, root } from './bootstrap.mjs';

await main(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return serve();
});

/** The server's exit code. */
function serve() {
  // A group of its own: Ctrl-C reaches every process of the terminal's group, and the server would get it twice. The channel tells the
  // server when this process is gone, so that it never stays behind unnoticed.
  const child = spawn(node, ['src/server/main.ts'], {
    cwd: root,
    env: projectEnv(),
    detached: process.platform !== 'win32',
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name === 'SIGHUP' ? 'SIGTERM' : name));

  // An npm that was killed outright cannot pass anything on.
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

/** npm starts scripts through a shell, so it is our parent or our grandparent. */
function parentOf(pid) {
  return Number(/^PPid:\s*(\d+)/m.exec(readProc(pid, 'status'))?.[1] ?? 0);
}

function isNpm(pid) {
  return /^npm |npm-cli\.js/.test(readProc(pid, 'cmdline').replaceAll('\0', ' '));
}

/** Empty for a process that has ended, and where the system has no /proc. */
function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
