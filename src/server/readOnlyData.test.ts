import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '#testing/load/respondents.ts';

const main = new URL('./main.ts', import.meta.url).pathname;
/** Nobody: under root no folder is read-only. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Starts the server on a folder that it may not write. Returns its words and its exit code. */
async function start(dataDir: string, more: Record<string, string> = {}) {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: String(await freePort()), DEMO: '0', ...more };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'], ...user });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (words += part.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { words, code };
}

/** A folder with a file of an earlier start, which only its owner may read and nobody may write. */
async function readOnlyFolder() {
  const dataDir = await mkdtemp(join(tmpdir(), 'xinli-readonly-'));
  await mkdir(join(dataDir, 'keys'));
  await writeFile(join(dataDir, 'keys', 'master.key'), 'x');
  await chmod(dataDir, 0o555);
  onTestFinished(async () => {
    await chmod(dataDir, 0o755);
    await rm(dataDir, { recursive: true });
  });
  const state = async () => [await readdir(dataDir, { recursive: true }), (await stat(dataDir)).mtimeMs];
  return { dataDir, state };
}

test('on a data folder that takes no files the start says so in two languages, without a stack, and leaves nothing behind', async () => {
  const { dataDir, state } = await readOnlyFolder();
  const before = await state();
  // An existing folder, one that would be created inside, and one beside a database of the operator's own, which nobody reaches.
  const cases: [string, Record<string, string>][] = [
    [dataDir, {}],
    [join(dataDir, 'new', 'folder'), {}],
    [dataDir, { DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/xinli' }],
  ];
  for (const [folder, env] of cases) {
    const { words, code } = await start(folder, env);
    expect(words.trim()).toBe(
      `没有权限读写 ${folder}。请修改目录的所有者，或用 DATA_DIR 指定另一个目录。\n` +
        `No permission to read and write ${folder}. Change its owner, or name another folder with DATA_DIR.`,
    );
    expect(code).toBe(1);
  }
  expect(await state()).toEqual(before);
});
