import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { chmod, copyFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { passwordHash } from '#contract/passwordHash.ts';
import { ephemeralRoot } from '#server/postgres/cluster.ts';
import type { Manifest } from '#server/backup/manifest.ts';
import {
  answersOf,
  asPlatformOwner,
  freePort,
  prepareRespondents,
  startMain,
  tryCall,
  withDatabase,
  type OpenSheet,
  type TestRespondent,
} from '#testing/load/respondents.ts';

type People = { rows: { cuserid: string; username: string }[] };

const pdf = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';

/** A command of package.json as a process of its own. */
function command(name: 'backup' | 'restore', dataDir: string, ...args: string[]) {
  const script = new URL(`../../../scripts/backup/${name}.ts`, import.meta.url).pathname;
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (words += part.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, words }));
  return { child, ended };
}

/** A folder that is deleted after the test. Under root the database user must be able to enter it. */
async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(ephemeralRoot(), 'xinli-backup-'));
  await chmod(folder, 0o755);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Uploads an attachment of a case and returns its number. */
async function upload(port: number, token: string): Promise<string> {
  const body = new FormData();
  body.append('biztype', 'case');
  body.append('file', new Blob([pdf], { type: 'application/pdf' }), '出院小结.pdf');
  const address = `http://127.0.0.1:${port}/api/as.m.access.updateToOSS/1.0.0/action`;
  const answer = (await (await fetch(address, { method: 'POST', headers: { token }, body })).json()) as {
    data: { fileid: string };
  };
  return answer.data.fileid;
}

/** Rows of the database of a data folder with a running server, of every institution. */
async function rowsOf<T extends pg.QueryResultRow>(dataDir: string, sql: string): Promise<T[]> {
  const lines = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
  const superuser = new pg.Client({ host: lines[4], port: Number(lines[3]), database: 'xinli', user: 'postgres' });
  await superuser.connect();
  const { rows } = await superuser.query<T>(sql).finally(() => superuser.end());
  return rows;
}

const backupsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .sort();
const manifestOf = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { manifest: Manifest }).manifest;

/** A school with a running server. 陈静怡 has a password and is signed in. */
let school: Awaited<ReturnType<typeof openSchool>>;

async function openSchool() {
  const { dataDir, respondents } = await prepareRespondents(60);
  const server = await serve(dataDir);
  const { onetime } = await server.call<{ onetime: string }>('as.m.system.user.resetPwd', { userid: 'U_CHEN' }, 'ma');
  const first = await server.signIn('chen', onetime);
  await server.call('as.m.user.updateMUser', { musercode: 'M_CHENGUANG', pwd: passwordHash(password) }, first);
  const chen = await server.signIn('chen', password);
  return { dataDir, respondents, server, chen };
}

const password = 'Chen-own-word-9';

/** Starts the server on a data folder. */
async function serve(dataDir: string) {
  const port = await freePort();
  const { process: child, ready, output } = startMain(dataDir, port);
  if (!(await ready)) throw new Error(output());
  const call = async <T = unknown>(name: string, request: unknown, token: string): Promise<T> => {
    const answer = await tryCall(port, token, name, request);
    if (answer.errorCode !== 0) throw new Error(`${name}: ${answer.errorCode} ${answer.errorMsg}`);
    return answer.data as T;
  };
  return {
    port,
    call,
    signIn: async (username: string, pwd: string) =>
      (await call<{ token: string }>('as.m.user.login', { username, pwd: passwordHash(pwd) }, '')).token,
    submit: async ({ cuserplanid, submitkey, token, ...student }: TestRespondent) => {
      const sheet = await call<OpenSheet>('as.c.exam.startExam', { cuserplanid }, token);
      const answers = answersOf({ cuserplanid, submitkey, token, ...student }, sheet);
      await call('as.c.exam.submitExam', { examcode: sheet.examcode, submitkey, answers }, token);
    },
    /** Stops the server and its database. */
    stop: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

beforeAll(async () => {
  school = await openSchool();
});
afterAll(async () => {
  await school.server.stop();
  await rm(school.dataDir, { recursive: true, force: true });
});

test('a backup under writes restores all that was acknowledged before its end, and who was erased after it stays erased', async () => {
  const { dataDir, respondents, server, chen } = school;
  const { call, submit } = server;
  const folder = await scratch();
  const to = join(folder, 'backups');

  // 学生1 hands in, is reported, and gets an attachment. 学生2 hands in nothing.
  await submit(respondents[0] as TestRespondent);
  const report = { cuserid: 'S1', level: 3, content: '班主任反映情绪低落' };
  const { warningcode } = await call<{ warningcode: string }>('as.m.warning.insertWarning', report, chen);
  const fileid = await upload(server.port, chen);
  await call('as.m.warning.attachCaseFile', { warningcode, kind: '09', fileids: [fileid] }, chen);

  // Hand-ins and case work go on while the backup runs, each with the time at which it was acknowledged.
  const submitted: { cuserid: string; time: number }[] = [];
  const notes: { interfereid: number; time: number }[] = [];
  const queue = respondents.slice(2);
  const run = command('backup', dataDir, '--to', to);
  let isOver = false;
  void run.ended.then(() => (isOver = true));
  await Promise.all([
    ...Array.from({ length: 3 }, async () => {
      for (let student = queue.shift(); student && !isOver; student = queue.shift()) {
        await submit(student);
        submitted.push({ cuserid: student.cuserid, time: Date.now() });
      }
    }),
    (async () => {
      for (let n = 1; !isOver; n += 1) {
        const note = { cuserid: 'S1', kind: '01', content: `第${n}次面谈，了解近况` };
        const { interfereid } = await call<{ interfereid: number }>('as.m.interfere.insertInterfere', note, chen);
        notes.push({ interfereid, time: Date.now() });
      }
    })(),
    // A large database has checkpoints and many segments of the log during a backup. This small one is made to have them.
    (async () => {
      while (!isOver) {
        await rowsOf(dataDir, 'checkpoint; select pg_switch_wal()');
        await new Promise((done) => setTimeout(done, 200));
      }
    })(),
  ]);
  const made = await run.ended;
  expect([made.code, made.words]).toEqual([0, expect.stringContaining('备份完成')]);
  expect(made.words).toContain('这份备份不含主密钥');
  const [name = ''] = backupsIn(to);
  const { files, time } = manifestOf(join(to, name));
  expect(files.filter(({ path }) => path.startsWith('keys/'))).toEqual([]);
  const isBefore = (write: { time: number }) => write.time <= Date.parse(time);
  const early = { submitted: submitted.filter(isBefore), notes: notes.filter(isBefore) };
  expect(Math.min(early.submitted.length, early.notes.length)).toBeGreaterThan(0);

  // 学生2 is erased after the backup. Only the backup, the key and the list of erased persons survive.
  const request = { cuserid: 'S2', confirmtext: '匿名化学生2', reason: '家长书面申请删除' };
  const { anonymizationid } = await call<{ anonymizationid: number }>('as.m.cuser.anonymizeCUser', request, chen);
  await call('as.m.cuser.answerAnonymization', { anonymizationid, agreed: 1 }, 'lu');
  const [key, erasures] = [join(folder, 'master.key'), join(folder, 'erasures.jsonl')];
  await copyFile(join(dataDir, 'keys/master.key'), key);
  await copyFile(join(dataDir, 'audit/erasures.jsonl'), erasures);
  expect(readFileSync(erasures, 'utf8')).not.toContain('学生');

  const restoredDir = join(folder, 'restored');
  const restored = await command('restore', restoredDir, '--from', join(to, name), '--key', key, '--erasures', erasures).ended;
  expect([restored.code, restored.words]).toEqual([0, expect.stringContaining('受测者 60 人，个案')]);
  for (const line of ['主密钥与数据库相符', '审计日志：完整', '次数台账：一致', '再次匿名化 1 人'])
    expect(restored.words).toContain(line);

  const again = await serve(restoredDir);
  onTestFinished(again.stop);
  // Sessions from before are over; the password is the same.
  expect(await tryCall(again.port, chen, 'as.m.cuser.getCUserPageList', {})).toMatchObject({ errorCode: 110000 });
  const token = await again.signIn('chen', password);
  const { rows } = await again.call<People>('as.m.cuser.getCUserPageList', { pageSize: 100 }, token);
  const nameOf = (cuserid: string) => rows.find((row) => row.cuserid === cuserid)?.username;
  expect([nameOf('S1'), nameOf('S2')]).toEqual(['学生1', '已删除']);
  const { url } = await again.call<{ url: string }>('as.m.warning.openCaseFile', { warningcode, fileid }, token);
  expect(await (await fetch(new URL(url, `http://127.0.0.1:${again.port}`))).text()).toBe(pdf);
  const handedIn = 'select e.cuserid from examrecord e join report r using (examcode) where e.status = 2';
  const exams = (await rowsOf<{ cuserid: string }>(restoredDir, handedIn)).map((row) => row.cuserid);
  expect(exams).toEqual(expect.arrayContaining(early.submitted.map(({ cuserid }) => cuserid)));
  const written = await rowsOf<{ interfereid: number }>(restoredDir, 'select interfereid::int from interfere');
  expect(written.map((row) => row.interfereid)).toEqual(
    expect.arrayContaining(early.notes.map(({ interfereid }) => interfereid)),
  );
});

test('a changed byte, a missing file, another key and a changed manifest are refused by name, and nothing is restored', async () => {
  const { dataDir } = school;
  const folder = await scratch();
  const to = join(folder, 'backups');
  expect(await command('backup', dataDir, '--to', to, '--with-key').ended).toMatchObject({ code: 0 });
  const whole = join(to, backupsIn(to)[0] ?? '');
  const restoredDir = join(folder, 'restored');
  /** The words of a restore from a copy of the backup that `damage` has changed. */
  const refusal = async (damage: (copy: string) => Promise<unknown>, ...args: string[]) => {
    const copy = join(folder, 'copy');
    await cp(whole, copy, { recursive: true });
    await damage(copy);
    const { code, words } = await command('restore', restoredDir, '--from', copy, ...args).ended;
    await rm(copy, { recursive: true });
    expect([code, readdirSync(restoredDir)]).toEqual([1, []]);
    return words;
  };
  const { files } = manifestOf(whole);
  const table = files.find(({ path }) => path.startsWith('database/base/'))?.path ?? '';
  const changeByte = async (file: string) => {
    const bytes = await readFile(file);
    bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100);
    await writeFile(file, bytes);
  };
  expect(await refusal((copy) => changeByte(join(copy, table)))).toContain(`${table}（内容被改动）`);
  expect(await refusal((copy) => rm(join(copy, 'audit/heads.jsonl')))).toContain('audit/heads.jsonl（缺少）');
  expect(await refusal((copy) => changeByte(join(copy, 'manifest.json')))).toMatch(
    /manifest.json 与密钥不符|没有可读的 manifest.json/,
  );
  await writeFile(join(folder, 'other.key'), Buffer.alloc(32, 7).toString('base64'));
  expect(await refusal(() => Promise.resolve(), '--key', join(folder, 'other.key'))).toContain('密钥不是这份备份的');
  expect(await refusal((copy) => rm(join(copy, 'keys/master.key')))).toContain('恢复需要主密钥');
});

test('a backup that is killed in the middle leaves nothing that can be restored, and the next one clears it away', async () => {
  const { dataDir } = school;
  const folder = await scratch();
  const to = join(folder, 'backups');
  const run = command('backup', dataDir, '--to', to);
  const drafts = () => (existsSync(to) ? readdirSync(to) : []);
  while (!drafts().some((name) => existsSync(join(to, name, 'database/base')))) await new Promise((done) => setTimeout(done, 1));
  run.child.kill('SIGKILL');
  expect(await run.ended).toMatchObject({ code: null });
  const [draft = ''] = drafts();
  expect([draft, backupsIn(to)]).toEqual([expect.stringMatching(/^\.partial-/), []]);
  const restored = await command(
    'restore',
    join(folder, 'restored'),
    '--from',
    join(to, draft),
    '--key',
    join(dataDir, 'keys/master.key'),
  ).ended;
  expect(restored).toMatchObject({ code: 1, words: expect.stringContaining('不是完整的备份') });

  // Three more: of whole backups the two newest stay.
  for (let n = 0; n < 3; n += 1)
    expect(await command('backup', dataDir, '--to', to, '--keep', '2').ended).toMatchObject({ code: 0 });
  expect(drafts()).toEqual(backupsIn(to));
  expect(backupsIn(to)).toHaveLength(2);
});

test('a running server and a filled folder are refused; with --replace an older version is restored and brought to this one', async () => {
  const { dataDir, server } = school;
  const folder = await scratch();
  const first = await command('backup', dataDir, '--to', folder).ended;
  expect(first.code).toBe(0);
  const from = join(folder, backupsIn(folder)[0] ?? '');
  expect(await command('restore', dataDir, '--from', from, '--replace').ended).toMatchObject({
    code: 1,
    words: expect.stringContaining('数据目录正被另一个服务使用'),
  });
  await server.stop();
  expect(await command('restore', dataDir, '--from', from).ended).toMatchObject({
    code: 1,
    words: expect.stringContaining('数据目录不是空的'),
  });

  // The database as the version before the last migration left it, backed up without a server.
  const migration = '0217_erased_persons.sql';
  await withDatabase(dataDir, (target) =>
    asPlatformOwner(target, async (owner) => {
      await owner.query('drop index cuser_anonymizedtime_idx');
      await owner.query('delete from ref.migration where name = $1', [migration]);
    }),
  );
  expect(await command('backup', dataDir).ended).toMatchObject({ code: 0 });
  const [older = ''] = backupsIn(join(dataDir, 'backups'));
  const restored = await command('restore', dataDir, '--from', join(dataDir, 'backups', older), '--replace').ended;
  expect([restored.code, restored.words]).toEqual([0, expect.stringContaining(`数据库已升级：${migration}`)]);
  const aside = readdirSync(dataDir).find((name) => name.startsWith('replaced-')) ?? '';
  expect(readdirSync(join(dataDir, aside))).toEqual(expect.arrayContaining(['audit', 'files', 'keys', 'postgres']));
  expect(readdirSync(join(dataDir, 'backups'))).toEqual([older]);

  // An interrupted exchange is told, and the server does not begin with an empty database.
  await writeFile(join(dataDir, 'restore.unfinished'), '');
  await expect(serve(dataDir)).rejects.toThrow('恢复备份时中断');
  expect(await command('restore', dataDir, '--from', join(dataDir, 'backups', older), '--replace').ended).toMatchObject({
    code: 0,
  });
  school.server = await serve(dataDir);
  expect(await school.server.signIn('chen', password)).not.toBe('');
});
