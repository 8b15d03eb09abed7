import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import * as authorize from '#features/assesscount/authorizations/authorize.contract.ts';
import * as wallet from '#features/assesscount/wallet.contract.ts';
import * as entry from '#features/muser/entry/entry.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import { findDisagreements, type Disagreement } from '#testing/counts.ts';
import { addClass, signInPupil } from '#testing/school.ts';
import { CallError, type startServer } from '#testing/server.ts';

type Server = Awaited<ReturnType<typeof startServer>>;

/**
 * Faults that the run injects to prove that the check detects them. `readthenwrite`: reads the wallet and then writes it, instead of
 * one guarded statement. `losinglines`: the ledger loses one line in twenty. `noguard`: freezing does not check the free counts.
 */
export type CountSabotage = 'readthenwrite' | 'losinglines' | 'noguard';

/** The result of a count run. */
export interface CountVerdict {
  /** calls that succeeded */
  done: number;
  /** calls that were refused with an expected code (150001 and others) */
  refused: number;
  /** all other answers */
  unexpected: string[];
  /** how many times the reader checked all wallets while the calls ran */
  looks: number;
  /** the first disagreements during the run, and those at the end */
  wrong: Disagreement[];
}

/** Expected refusals: too few counts, conflicts with a concurrent call, data changed meanwhile. */
const expectedCodes = new Set([120002, 130003, 140001, 140002, 150001, 150003, 150004, 190003]);
const school = 'M_CHENGUANG';

/**
 * Runs two hundred calls at once on one school's wallet. The provider grants counts and takes them back; staff authorize, clear and
 * delete, and create and void codes; students submit. Meanwhile a reader checks all wallets, each time in one statement.
 */
export async function countRun(server: Server, sabotage?: CountSabotage): Promise<CountVerdict> {
  const { as, clock } = server;
  const chen = as('chen');
  const { pupils } = await addClass(server, { teamname: '初二3班', names: Array.from({ length: 40 }, (_, n) => `同学${n + 1}`) });
  await as('super')(wallet.grantMUserAssessCount, { musercode: 'M_ANLAN', qty: 400 });
  // So few counts are left that only the guards prevent an overdrawn wallet.
  await as('super')(wallet.grantMUserAssessCount, { musercode: school, kind: '06', qty: 9955, remark: '测试' });
  const ids = pupils.map((pupil) => pupil.cuserid);
  const authorizePersons = (cuserids: string[], total: number) =>
    chen(authorize.authorizeCUserPlan, { cuserids, plancode: 'P900002', total });
  await authorizePersons(ids.slice(0, 20), 2);
  const submissions: (() => Promise<unknown>)[] = [];
  for (const pupil of pupils.slice(0, 20)) submissions.push(await prepareSubmission(server, pupil));
  clock.now = new Date(clock.now.getTime() + 240_000);
  if (sabotage) await sabotages[sabotage](server);

  const calls: (() => Promise<unknown>)[] = Array.from({ length: 200 }, (_, n) => {
    const cuserid = ids[20 + (n % 20)] as string;
    switch (n % 10) {
      case 0:
        return () => as('fang')(wallet.grantMUserAssessCount, { musercode: school, qty: 1 + (n % 7) });
      case 1:
        return () =>
          as('fang')(wallet.grantMUserAssessCount, { musercode: school, kind: '06', qty: 1 + (n % 5), remark: '收回' });
      case 2:
      case 3:
        return () => submissions[(n % 10 === 2 ? 0 : 1) + 2 * Math.floor(n / 20)]?.() ?? Promise.resolve();
      case 4:
      case 5:
      case 6:
        return () => authorizePersons([cuserid, ids[20 + ((n + 7) % 20)] as string], 1 + (n % 3));
      case 7:
        return () => chen(authorize.clearCUserAssessCount, { cuserid, reason: '测试清零' });
      case 8:
        return async () => {
          const codes = { musercode: school, appid: '000000002', plancode: 'P900002', qty: 3 };
          const { batchno } = await as('ma')(entry.insertCUserAssessCode, codes);
          if (n % 20 === 8) await as('ma')(entry.voidAssessCodes, { batchno });
        };
      default:
        return async () => {
          const unused = (await chen(authorize.getCUserPlan, { cuserid, status: 1 })).filter((item) => item.unused);
          if (unused[0]) await chen(authorize.deleteCUserPlan, { cuserplanids: [unused[0].cuserplanid] });
        };
    }
  });

  const verdict: CountVerdict = { done: 0, refused: 0, unexpected: [], looks: 0, wrong: [] };
  let isOver = false;
  const reader = (async () => {
    while (!isOver) {
      const wrong = await findDisagreements(server);
      verdict.looks += 1;
      if (wrong.length > 0 && verdict.wrong.length === 0) verdict.wrong.push(...wrong);
    }
  })();
  await Promise.all(
    calls.map((call) =>
      call().then(
        () => void (verdict.done += 1),
        (error: unknown) => {
          if (error instanceof CallError && expectedCodes.has(error.code)) verdict.refused += 1;
          else verdict.unexpected.push(error instanceof CallError ? `${error.code} ${error.message}` : String(error));
        },
      ),
    ),
  );
  isOver = true;
  await reader;
  verdict.wrong.push(...(await findDisagreements(server)));
  return verdict;
}

/** Starts the exam of a student; returns the function that submits it. */
async function prepareSubmission(server: Server, pupil: Parameters<typeof signInPupil>[1]) {
  const call = await signInPupil(server, pupil);
  const [task] = await call(respond.getTasks, {});
  const { examcode, sheets } = await call(respond.startExam, { cuserplanid: task?.cuserplanid as number });
  const answers = sheets.flatMap(({ examformid, items }) =>
    items.map((item, index) => ({ examformid, c: item.c, value: item.options?.[0]?.[0] ?? '', clientseq: index + 1 })),
  );
  return () => call(respond.submitExam, { examcode, submitkey: randomUUID(), answers });
}

const sabotages: Readonly<Record<CountSabotage, (server: Server) => Promise<unknown>>> = {
  readthenwrite: (server) => rewriteFreezing(server, (client, text, values) => readThenWrite(client, text, values)),
  losinglines: ({ sqlAsOwner }) =>
    sqlAsOwner(`create function lose() returns trigger language plpgsql as $f$ begin
        if new.logid % 20 = 0 then return null; end if; return new; end $f$;
      create trigger zz_lose before insert on assesscountlog for each row execute function lose()`),
  noguard: async (server) => {
    await server.sqlAsOwner('alter table assesscount drop constraint assesscount_check, drop constraint assesscount_check1');
    await rewriteFreezing(server, async (_, text, values) => ({
      text: text.replace(/and granted - used - frozen - expired >= (\$\d+)/, 'and $1::int is not null'),
      values,
    }));
  },
};

type Rewrite = (client: pg.PoolClient, text: string, values: unknown[]) => Promise<{ text: string; values: unknown[] }>;

/** Passes every statement that freezes counts through `change` first. */
async function rewriteFreezing({ services }: Server, change: Rewrite): Promise<void> {
  const { app } = services.pools;
  const connect = app.connect.bind(app) as () => Promise<pg.PoolClient>;
  const changedClients = new WeakSet<pg.PoolClient>();
  (app as { connect: unknown }).connect = async () => {
    const client = await connect();
    if (changedClients.has(client)) return client;
    changedClients.add(client);
    const query = client.query.bind(client) as (...parameters: unknown[]) => Promise<pg.QueryResult>;
    (client as { query: unknown }).query = async (...parameters: unknown[]) => {
      const [text, values] = parameters as [string, unknown[]];
      if (typeof text !== 'string' || !text.startsWith('update assesscount set frozen = frozen + $1'))
        return query(...parameters);
      const changed = await change({ query } as unknown as pg.PoolClient, text, values);
      return query(changed.text, changed.values);
    };
    return client;
  };
}

/** Reads the wallet, waits, and then writes the read value, without regard to changes in between. */
async function readThenWrite(client: pg.PoolClient, text: string, values: unknown[]) {
  const { rows } = await client.query<{ frozen: number }>(
    'select frozen from assesscount where musercode = $1 and plancode = $2',
    [values[1], values[2]],
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
  return { text: text.replace('frozen = frozen + $1', `frozen = ${Number(rows[0]?.frozen ?? 0)} + $1`), values };
}
