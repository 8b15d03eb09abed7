import { spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '#server/db/migrate.ts';
import { Pools } from '#server/db/pools.ts';
import { asOwner, type Target } from '#server/db/roles.ts';
import { withScope, type SessionHash } from '#server/db/scope.ts';
import { openDatabase } from '#server/postgres/openDatabase.ts';
import { findCurrentConsent } from '#features/consent/consentFacts.ts';
import { seedPeople } from '#testing/people.ts';
import { seedReference } from '#seed/reference.ts';

/*
 * A school of students who are ready to answer, with a separate server process that a test can kill or measure.
 * The owner of the database writes the rows, because a thousand students through the console would take too long.
 */

/** A student with a session, consents and an authorization. Every third student answers item 9. */
export interface TestRespondent {
  token: string;
  cuserid: string;
  cuserplanid: number;
  red: boolean;
  /** created once and sent with every attempt */
  submitkey: string;
}

/** Runs `work` as the owner, with a session of the platform, in one transaction. */
export async function asPlatformOwner<T>(target: Target, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(asOwner(target));
  await client.connect();
  try {
    await client.query("begin; select set_config('app.session', encode(sha256('super'), 'hex'), true)");
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    await client.end();
  }
}

/** Runs `work` with the database of a data folder, without a server. */
export async function withDatabase<T>(dataDir: string, work: (target: Target) => Promise<T>): Promise<T> {
  const database = await openDatabase({ dataDir, databaseUrl: null }, () => undefined);
  try {
    return await work(database.target);
  } finally {
    await database.stop();
  }
}

/** Creates a data folder with 晨光中学 and `count` students, who have a task with PHQ-9 and GAD-7 this week. */
export async function prepareRespondents(count: number): Promise<{ dataDir: string; respondents: TestRespondent[] }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'xinli-respondents-'));
  // Under root PostgreSQL runs as another user, who must reach its folder.
  await chmod(dataDir, 0o755);
  const respondents = await withDatabase(dataDir, async (target) => {
    await migrate(target);
    const client = new pg.Client(asOwner(target));
    await client.connect();
    await seedReference(client);
    await seedPeople(client);
    await client.end();
    return enrolRespondents(target, count);
  });
  return { dataDir, respondents };
}

/** Adds `count` students to 晨光中学 in a database with the people of the tests. They have a task with PHQ-9 and GAD-7 this week. */
export async function enrolRespondents(target: Target, count: number): Promise<TestRespondent[]> {
  const enrolled = await asPlatformOwner(target, (owner) => enrol(owner, count));
  await agreeToCurrentText(target);
  return enrolled;
}

/** Gives the consents of all students the version of the text that the school asks for now. */
async function agreeToCurrentText(target: Target): Promise<void> {
  const pools = new Pools(target, (error) => {
    throw error;
  });
  try {
    const session = createHash('sha256').update('sit-1').digest('hex') as SessionHash;
    const { version } = await withScope(pools.respondent, { session }, (scope) => findCurrentConsent(scope, 'M_CHENGUANG'));
    await asPlatformOwner(target, (owner) => owner.query('update consent set consentversion = $1', [version]));
  } finally {
    await pools.end();
  }
}

async function enrol(client: pg.Client, count: number): Promise<TestRespondent[]> {
  const school = "'M_CHENGUANG'";
  const numbers = 'generate_series(1, $1::int) n';
  await client.query(
    `insert into cuser (cuserid, musercode, appid, username, gender, birthday) select 'S' || n, ${school},
      '000000002', '学生' || n, '02', '2010-01-01' from ${numbers}`,
    [count],
  );
  await client.query(
    `insert into cuserarchive (cuserid, musercode, appid, archiveno, studentno, gradename, classname,
      opendate) select 'S' || n, ${school}, '000000002', 'A' || n, n::text, '初三', '1班', current_date from ${numbers}`,
    [count],
  );
  await client.query(
    `insert into consent (cuserid, musercode, scope, consentversion, subject, method, agreed,
      agreetime) select 'S' || n, ${school}, s, '1', '01', '02', 1, now() from ${numbers}, unnest(array['01', '02']) s`,
    [count],
  );
  await client.query(
    `insert into assesstask (taskcode, musercode, taskname, appid, plancode, begintime, endtime)
      values ('T_SIT', ${school}, '普测', '000000002', 'P900002', now() - interval '1 day', now() + interval '1 day')`,
  );
  await client.query(
    `insert into taskroster (taskcode, cuserid, musercode) select 'T_SIT', 'S' || n, ${school} from ${numbers}`,
    [count],
  );
  await client.query(
    `insert into assesscountlog (musercode, plancode, kind, qty, balance)
     select musercode, plancode, kind, qty, granted
     from assesscount cross join lateral (values ('01', greatest(0, $1::int + 100 - granted)), ('03', -$1::int)) l (kind, qty)
     where musercode = ${school} and qty <> 0`,
    [count],
  );
  await client.query(
    `update assesscount set granted = greatest(granted, $1::int + 100), frozen = $1::int where musercode = ${school}`,
    [count],
  );
  await client.query(
    `insert into auth.session (tokenhash, kind, musercode, cuserid, expiretime,
      idle) select encode(sha256(convert_to('sit-' || n, 'UTF8')), 'hex'), 'respondent', ${school}, 'S' || n,
        now() + interval '1 day', '1 day' from ${numbers}`,
    [count],
  );
  const { rows } = await client.query<{ cuserid: string; cuserplanid: number }>(
    `insert into cuserplan (cuserid, musercode, plancode, appid, taskcode) select 'S' || n, ${school}, 'P900002',
      '000000002', 'T_SIT' from ${numbers} returning cuserid, cuserplanid::int as cuserplanid`,
    [count],
  );
  return rows.map(({ cuserid, cuserplanid }) => {
    const number = Number(cuserid.slice(1));
    return { token: `sit-${number}`, cuserid, cuserplanid, red: number % 3 === 0, submitkey: randomUUID() };
  });
}

/** The response of startExam: the questionnaires of an exam. */
export interface OpenSheet {
  examcode: string;
  sheets: { examformid: number; formcode: string; items: { c: string; options?: [string, string][] }[] }[];
}

/** Returns the answers of a student: different for each student, but the same at every attempt. */
export function answersOf(respondent: TestRespondent, { sheets }: OpenSheet) {
  const number = Number(respondent.cuserid.slice(1));
  return sheets.flatMap(({ examformid, formcode, items }) =>
    items.map((item, index) => {
      const value = formcode === 'PHQ9' && item.c === 'q9' ? (respondent.red ? '2' : '0') : String((number + index) % 3);
      return { examformid, c: item.c, value, clientseq: index + 1 };
    }),
  );
}

/** Returns a free port. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/**
 * Starts `src/server/main.ts` on a data folder, with more settings in `env`. `ready` resolves
 * with true when it answers, with false when it ended before.
 */
export function startMain(
  dataDir: string,
  port: number,
  preload?: string,
  env: Readonly<Record<string, string>> = {},
): { process: ChildProcess; ready: Promise<boolean>; output: () => string } {
  const main = new URL('../../server/main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [...(preload ? ['--import', preload] : []), main], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      PORT: String(port),
      DEMO: '0',
      NODE_ENV: 'production',
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (text = (text + part.toString()).slice(-20_000)));
  const hasEnded = once(child, 'exit').then(() => false);
  const isReady = (async () => {
    while (child.exitCode === null && child.signalCode === null) {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      if (response?.ok) return true;
      await new Promise((done) => setTimeout(done, 50));
    }
    return false;
  })();
  return { process: child, ready: Promise.race([hasEnded, isReady]), output: () => text };
}

/** Makes one attempt of a call; returns `errorCode` −1 when no answer came. */
export async function tryCall(
  port: number,
  token: string,
  name: string,
  request: unknown,
): Promise<{ errorCode: number; errorMsg: string; data?: unknown }> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/${name}/1.0.0/action`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', token },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(10_000),
    });
    return (await response.json()) as { errorCode: number; errorMsg: string; data?: unknown };
  } catch (error) {
    return { errorCode: -1, errorMsg: String(error) };
  }
}
