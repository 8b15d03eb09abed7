import { once } from 'node:events';
import { realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, postgresProcessesOf, signal, waitUntil } from '#server/postgres/processes.ts';
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

/** Faults that the run injects to prove that the check detects them. */
export type Sabotage = 'syncoff' | 'ackBeforeCommit' | 'nokey';

/** The result of a crash run. */
export interface Verdict {
  acked: number;
  kills: number;
  /** submissions that were acknowledged but are not in the database */
  lost: number;
  /** submissions whose stored answers differ from the sent ones */
  wrong: number;
  /** persons with more than one submission or report, or with a submission without a report */
  duplicate: number;
  /** difference between used counts and submissions */
  wallet: number;
  /** submissions with item 9 that have no case */
  crisismissing: number;
  /** answers that are neither a success nor a code to retry */
  unexpected: string[];
  /** afterwards the server starts normally, accepts one more submission and stops normally */
  sound: boolean;
}

/** True when no acknowledged submission was lost or changed and the server still works. */
export const isPromiseKept = (verdict: Verdict): boolean =>
  verdict.lost +
    verdict.wrong +
    verdict.duplicate +
    Math.abs(verdict.wallet) +
    verdict.crisismissing +
    verdict.unexpected.length ===
    0 && verdict.sound;

const clients = 24;
/** Codes after which the page tries again: no answer, too many requests, busy. */
const retryCodes = new Set([-1, 190001, 190003]);

/**
 * Lets 24 clients submit `count` exams, every third one twice, while it kills the server and all processes of its database in turn.
 * Then it compares the database with the acknowledged submissions. It ends only its own processes and deletes its folder.
 */
export async function crashRun(count: number, kills: number, sabotage?: Sabotage): Promise<Verdict> {
  const { dataDir, respondents } = await prepareRespondents(count + 1);
  const last = respondents.pop() as TestRespondent;
  if (sabotage)
    await withDatabase(dataDir, (target) =>
      asPlatformOwner(target, async (client) => void (await client.query(sabotages[sabotage]))),
    );
  const preload = sabotage === 'ackBeforeCommit' ? new URL('./ackBeforeCommit.ts', import.meta.url).href : undefined;
  const port = await freePort();
  const cluster = await realpath(join(dataDir, 'postgres'));
  const acked = new Set<TestRespondent>();
  const unexpected: string[] = [];
  const killedPids = new Set<number>();
  let isOver = false;
  let server = startMain(dataDir, port, preload);
  let doneCount = 0;

  /** Starts the server again each time it has ended. */
  const keeper = (async () => {
    while (!isOver) {
      if (server.process.exitCode === null && server.process.signalCode === null)
        await new Promise((resolve) => setTimeout(resolve, 20));
      else {
        // Only the killer ends the server. An end of its own is a failure, even though this keeper starts the server again.
        if (!killedPids.has(server.process.pid as number))
          unexpected.push(`the server ended by itself: ${server.process.exitCode ?? server.process.signalCode}`);
        server = startMain(dataDir, port, preload);
      }
    }
  })();
  const callUntilAnswered = async (respondent: TestRespondent, name: string, request: unknown) => {
    for (let tries = 0; tries < 20_000; tries += 1) {
      const answer = await tryCall(port, respondent.token, name, request);
      if (!retryCodes.has(answer.errorCode)) return answer;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    return { errorCode: -1, errorMsg: 'never answered' };
  };
  const submitExam = async (respondent: TestRespondent) => {
    const opened = await callUntilAnswered(respondent, 'as.c.exam.startExam', { cuserplanid: respondent.cuserplanid });
    if (opened.errorCode !== 0) return void unexpected.push(`startExam ${opened.errorCode} ${opened.errorMsg}`);
    const sheet = opened.data as OpenSheet;
    const request = { examcode: sheet.examcode, submitkey: respondent.submitkey, answers: answersOf(respondent, sheet) };
    const taps = Number(respondent.cuserid.slice(1)) % 3 === 1 ? 2 : 1;
    const answers = await Promise.all(
      Array.from({ length: taps }, () => callUntilAnswered(respondent, 'as.c.exam.submitExam', request)),
    );
    for (const answer of answers)
      if (answer.errorCode !== 0) unexpected.push(`submitExam ${answer.errorCode} ${answer.errorMsg}`);
    if (answers.some((answer) => answer.errorCode === 0)) acked.add(respondent);
    doneCount += 1;
  };
  let killCount = 0;
  const killer = (async () => {
    while (!isOver && killCount < kills) {
      await server.ready;
      // The clients submit some exams between two kills, so that there is data to lose.
      const mark = doneCount;
      await waitUntil(() => isOver || doneCount >= mark + Math.max(1, Math.floor(count / (kills + 1))), 20_000, 5);
      if (isOver) break;
      if (killCount % 2 === 0) {
        killedPids.add(server.process.pid as number);
        signal(server.process.pid as number, 'SIGKILL');
      } else {
        const pids = postgresProcessesOf(cluster);
        if (pids.length === 0) continue;
        for (const pid of pids) signal(pid, 'SIGKILL');
      }
      killCount += 1;
    }
  })();
  const queue = [...respondents];
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let respondent = queue.shift(); respondent; respondent = queue.shift()) await submitExam(respondent);
    }),
  );
  await killer;
  isOver = true;
  await keeper;
  const sound = (await stopsNormally(server.process.pid as number, server)) && (await worksAgain(dataDir, port, last));
  const state = await withDatabase(dataDir, (target) =>
    asPlatformOwner(target, async (client) => (await client.query<StateRow>(stateQuery)).rows),
  );
  await rm(dataDir, { recursive: true, force: true });
  return { ...judge(state, [...acked]), kills: killCount, unexpected: unexpected.slice(0, 5), sound };
}

async function stopsNormally(pid: number, server: ReturnType<typeof startMain>): Promise<boolean> {
  if (!(await server.ready)) return false;
  signal(pid, 'SIGTERM');
  if (isAlive(pid) && server.process.exitCode === null) await once(server.process, 'exit');
  return server.process.exitCode === 0;
}

async function worksAgain(dataDir: string, port: number, respondent: TestRespondent): Promise<boolean> {
  const server = startMain(dataDir, port);
  if (!(await server.ready)) return false;
  const opened = await tryCall(port, respondent.token, 'as.c.exam.startExam', { cuserplanid: respondent.cuserplanid });
  const sheet = opened.data as OpenSheet;
  const answer = await tryCall(port, respondent.token, 'as.c.exam.submitExam', {
    examcode: sheet.examcode,
    submitkey: respondent.submitkey,
    answers: answersOf(respondent, sheet),
  });
  const hasStopped = await stopsNormally(server.process.pid as number, server);
  return hasStopped && answer.errorCode === 0;
}

/** What the database holds of one student. */
export interface StateRow {
  cuserid: string;
  records: number;
  reports: number;
  answers: Record<string, string>;
  warnings: number;
  used: number;
}
/** Reads what the database holds of the students. */
export const stateQuery = `
  select c.cuserid,
    (select count(*)::int from examrecord e where e.cuserid = c.cuserid and e.status = 2) as records,
    (select count(*)::int from report r where r.cuserid = c.cuserid) as reports,
    coalesce((select jsonb_object_agg(x.formcode || '.' || a.questionc, a.value #>> '{}')
    from examform x, jsonb_each(x.answers) as a (questionc, value) where x.cuserid = c.cuserid), '{}') as answers,
    (select count(*)::int from warning w where w.cuserid = c.cuserid and w.itemtrigger = 1) as warnings,
    (select used from assesscount where musercode = 'M_CHENGUANG') as used
  from cuser c where c.cuserid like 'S%'`;

/** Compares the acknowledged submissions with the rows of the database. Exported, so that a test proves that it can fail. */
export function judge(
  rows: readonly StateRow[],
  acked: readonly TestRespondent[],
): Omit<Verdict, 'kills' | 'unexpected' | 'sound'> {
  const rowByPerson = new Map(rows.map((row) => [row.cuserid, row]));
  const submitted = rows.filter((row) => row.records > 0);
  const wrong = acked.filter((respondent) => {
    const row = rowByPerson.get(respondent.cuserid);
    const number = Number(respondent.cuserid.slice(1));
    return (
      row &&
      row.records > 0 &&
      (row.answers['PHQ9.q9'] !== (respondent.red ? '2' : '0') ||
        row.answers['PHQ9.q1'] !== String(number % 3) ||
        row.answers['GAD7.q7'] !== String((number + 6) % 3))
    );
  });
  return {
    acked: acked.length,
    lost: acked.filter((respondent) => !rowByPerson.get(respondent.cuserid)?.records).length,
    wrong: wrong.length,
    duplicate: rows.filter((row) => row.records > 1 || row.reports > 1 || row.reports < row.records).length,
    wallet: (rows[0]?.used ?? 0) - submitted.length,
    crisismissing: submitted.filter((row) => Number(row.cuserid.slice(1)) % 3 === 0 && row.warnings !== 1).length,
  };
}

/** The SQL of each sabotage, executed before the run. */
const sabotages: Record<Sabotage, string> = {
  // PostgreSQL acknowledges commits before they are on disk.
  syncoff: "do $$ begin execute format('alter role xinli_respondent set synchronous_commit = off'); end $$",
  ackBeforeCommit: 'select',
  // The database does not store that an exam was submitted, so a repeated call is a new submission.
  nokey: `
    alter table report drop constraint if exists report_orgpath_examcode_key;
    alter table examresult drop constraint examresult_pkey;
    create function forget() returns trigger language plpgsql as $f$
    begin
      if new.status = 2 then
        new.status := 1;
        new.submittime := null;
        new.submitkey := null;
      end if;
      return new;
    end $f$;
    create trigger zz_forget before update on examrecord for each row execute function forget();
    create function forgetgrant() returns trigger language plpgsql as $f$ begin new.status := 1; return new; end $f$;
    create trigger zz_forget before update on cuserplan for each row execute function forgetgrant();
    update assesscount set frozen = frozen + 1000, granted = granted + 1000`,
};
