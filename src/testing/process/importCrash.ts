import { realpath, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { postgresProcessesOf, signal } from '#server/postgres/processes.ts';
import { asPlatformOwner, freePort, prepareRespondents, startMain, tryCall, withDatabase } from '#testing/load/respondents.ts';

/** The result of a run that kills during imports. */
export interface ImportVerdict {
  kills: number;
  /** kills after which the import had not begun to exist, and those after which all of it existed */
  nothing: number;
  whole: number;
  /** imports of which a part existed after the kill, or that differ from the list in the end */
  half: string[];
  unexpected: string[];
}

type Server = ReturnType<typeof startMain>;
const CHECK = 'as.m.assess.checkAssessTeamRoster';
const COMMIT = 'as.m.assess.commitAssessTeamRoster';

/** The list of a round: pupils whose names, numbers and class belong to this round only. */
const listOf = (round: number, size: number): string => {
  const rows = Array.from(
    { length: size },
    (_, n) => `第${round}班,第${round}批学生${n},${round}-${n},女,1380000${1000 + (n % 9000)}`,
  );
  return ['团体名称,姓名,学号,性别,联系电话', ...rows, ''].join('\n');
};

/** Sends a list for the check; `errorCode` −1 when no answer came. */
async function sendList(port: number, list: string): Promise<{ errorCode: number; data?: unknown }> {
  const form = new FormData();
  form.append('file', new Blob([list], { type: 'text/csv' }), '名单.csv');
  try {
    const address = `http://127.0.0.1:${port}/api/${CHECK}/1.0.0/action`;
    const response = await fetch(address, { method: 'POST', headers: { token: 'chen' }, body: form });
    return (await response.json()) as { errorCode: number; data?: unknown };
  } catch {
    return { errorCode: -1 };
  }
}

/** Repeats a call while the server starts again, or its database does. */
async function untilAnswered<T extends { errorCode: number }>(call: () => Promise<T>): Promise<T> {
  let answer = await call();
  for (let tries = 0; tries < 600 && [-1, 190001, 190003].includes(answer.errorCode); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    answer = await call();
  }
  return answer;
}

/**
 * Imports a class in every round and kills the server, or all processes of its database, at another moment of the check or of the
 * import. After each kill all pupils of the class exist or none. The repeated call then ends the import, and each pupil exists once.
 */
export async function importCrashRun(kills: number, size = 300): Promise<ImportVerdict> {
  const { dataDir } = await prepareRespondents(1);
  const port = await freePort();
  const cluster = await realpath(join(dataDir, 'postgres'));
  const verdict: ImportVerdict = { kills: 0, nothing: 0, whole: 0, half: [], unexpected: [] };
  let server: Server = startMain(dataDir, port);
  await server.ready;
  const count = async (round: number): Promise<number> => {
    const request = { keyword: `第${round}批`, pageSize: 1 };
    const answer = await untilAnswered(() => tryCall(port, 'chen', 'as.m.cuser.getCUserPageList', request));
    return (answer.data as { total?: number } | undefined)?.total ?? -1;
  };
  const kill = async (round: number) => {
    if (round % 2 === 0) {
      signal(server.process.pid as number, 'SIGKILL');
      if (server.process.exitCode === null && server.process.signalCode === null) await once(server.process, 'exit');
      server = startMain(dataDir, port);
    } else for (const pid of postgresProcessesOf(cluster)) signal(pid, 'SIGKILL');
    await server.ready;
    verdict.kills += 1;
  };
  // How long an import takes here, without a kill. The kills are spread over this time and a little more.
  const startTime = performance.now();
  const first = await sendList(port, listOf(kills, size));
  await tryCall(port, 'chen', COMMIT, { importid: (first.data as { importid?: string } | undefined)?.importid });
  const span = (performance.now() - startTime) / 2;
  /** Kills at a moment of the call that moves on from round to round; returns its answer. */
  const killDuring = async <T>(round: number, call: () => Promise<T>): Promise<T> => {
    const answer = call();
    await new Promise((resolve) => setTimeout(resolve, span * 1.4 * (((round + 1) * 0.37) % 1)));
    await kill(round);
    return answer;
  };

  for (let round = 0; round < kills; round += 1) {
    const list = listOf(round, size);
    const isCheck = round % 4 >= 2;
    let checked = isCheck ? await killDuring(round, () => sendList(port, list)) : { errorCode: -1 };
    if (isCheck && (await count(round)) !== 0) verdict.half.push(`round ${round}: the check added pupils`);
    if (checked.errorCode !== 0) checked = await untilAnswered(() => sendList(port, list));
    const { importid } = ((checked as { data?: unknown }).data ?? {}) as { importid?: string };
    const commit = () => tryCall(port, 'chen', COMMIT, { importid });
    if (!isCheck) await killDuring(round, commit);
    const found = await count(round);
    if (found === 0) verdict.nothing += 1;
    else if (found === size) verdict.whole += 1;
    else verdict.half.push(`round ${round}: ${found} of ${size} pupils`);
    const answer = await untilAnswered(commit);
    if (answer.errorCode !== 0) verdict.unexpected.push(`round ${round}: ${answer.errorCode} ${answer.errorMsg}`);
  }
  signal(server.process.pid as number, 'SIGTERM');
  if (server.process.exitCode === null) await once(server.process, 'exit');
  const rows = await withDatabase(dataDir, (target) =>
    asPlatformOwner(target, async (client) => (await client.query<{ round: string; found: string }>(stateQuery)).rows),
  );
  await rm(dataDir, { recursive: true, force: true });
  const expected = `${size} pupils, ${size} numbers, ${size} archives, ${size} members`;
  for (const { round, found } of rows) if (found !== expected) verdict.half.push(`round ${round}: ${found}`);
  if (rows.length !== kills + 1) verdict.half.push(`${rows.length} classes instead of ${kills + 1}`);
  return verdict;
}

const stateQuery = `
  select substring(c.username from '^第([0-9]+)批') as round,
    format('%s pupils, %s numbers, %s archives, %s members', count(distinct c.cuserid), count(distinct a.studentno), count(a.archiveid),
      count(r.cuserid)) as found
  from cuser c
    left join cuserarchive a on a.cuserid = c.cuserid
    left join teamroster r on r.cuserid = c.cuserid
  where c.username like '第%批%'
  group by 1`;
