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
 * Ways to break the promise on purpose, to see that the check notices: the wallet read and then written instead of one guarded
 * statement; a ledger that loses a line in twenty; a freeze that asks nobody whether there is anything left.
 */
export type CountSabotage = 'readthenwrite' | 'losinglines' | 'noguard';

export interface CountVerdict {
  /** calls that did what they were asked */
  done: number;
  /** calls refused in the product's own words (150001 and its like) */
  refused: number;
  /** answers that were neither */
  unexpected: string[];
  /** moments at which a reader looked at every wallet while the calls ran */
  looks: number;
  /** what was found wrong first, and the end */
  wrong: Disagreement[];
}

/** Refusals that are right: too few counts, taken by another at the same moment, changed meanwhile. */
const right = new Set([120002, 130003, 140001, 140002, 150001, 150003, 150004, 190003]);
const school = 'M_CHENGUANG';

/**
 * Two hundred calls at once over one school's wallet: the provider gives and takes back, staff authorise, clear and delete, codes are
 * made and made void, pupils hand in. A reader looks at every wallet all the while, each look one statement and so one moment.
 */
export async function countRun(server: Server, sabotage?: CountSabotage): Promise<CountVerdict> {
  const { as, clock } = server;
  const chen = as('chen');
  const { pupils } = await addClass(server, { teamname: '初二3班', names: Array.from({ length: 40 }, (_, n) => `同学${n + 1}`) });
  await as('super')(wallet.grantMUserAssessCount, { musercode: 'M_ANLAN', qty: 400 });
  // So little is left that the guards are what stands between the calls and an overdrawn wallet.
  await as('super')(wallet.grantMUserAssessCount, { musercode: school, kind: '06', qty: 9955, remark: '测试' });
  const ids = pupils.map((pupil) => pupil.cuserid);
  const authorising = (cuserids: string[], total: number) =>
    chen(authorize.authorizeCUserPlan, { cuserids, plancode: 'P900002', total });
  await authorising(ids.slice(0, 20), 2);
  const sheets: (() => Promise<unknown>)[] = [];
  for (const pupil of pupils.slice(0, 20)) sheets.push(await beginSheet(server, pupil));
  clock.now = new Date(clock.now.getTime() + 240_000);
  if (sabotage) await sabotages[sabotage](server);

  const calls: (() => Promise<unknown>)[] = Array.from({ length: 200 }, (_, n) => {
    const one = ids[20 + (n % 20)] as string;
    switch (n % 10) {
      case 0:
        return () => as('fang')(wallet.grantMUserAssessCount, { musercode: school, qty: 1 + (n % 7) });
      case 1:
        return () =>
          as('fang')(wallet.grantMUserAssessCount, { musercode: school, kind: '06', qty: 1 + (n % 5), remark: '收回' });
      case 2:
      case 3:
        return () => sheets[(n % 10 === 2 ? 0 : 1) + 2 * Math.floor(n / 20)]?.() ?? Promise.resolve();
      case 4:
      case 5:
      case 6:
        return () => authorising([one, ids[20 + ((n + 7) % 20)] as string], 1 + (n % 3));
      case 7:
        return () => chen(authorize.clearCUserAssessCount, { cuserid: one, reason: '测试清零' });
      case 8:
        return async () => {
          const codes = { musercode: school, appid: '000000002', plancode: 'P900002', qty: 3 };
          const { batchno } = await as('ma')(entry.insertCUserAssessCode, codes);
          if (n % 20 === 8) await as('ma')(entry.voidAssessCodes, { batchno });
        };
      default:
        return async () => {
          const unused = (await chen(authorize.getCUserPlan, { cuserid: one, status: 1 })).filter((item) => item.unused);
          if (unused[0]) await chen(authorize.deleteCUserPlan, { cuserplanids: [unused[0].cuserplanid] });
        };
    }
  });

  const verdict: CountVerdict = { done: 0, refused: 0, unexpected: [], looks: 0, wrong: [] };
  let over = false;
  const reader = (async () => {
    while (!over) {
      const foundDisagreements = await findDisagreements(server);
      verdict.looks += 1;
      if (foundDisagreements.length > 0 && verdict.wrong.length === 0) verdict.wrong.push(...foundDisagreements);
    }
  })();
  await Promise.all(
    calls.map((call) =>
      call().then(
        () => void (verdict.done += 1),
        (error: unknown) => {
          if (error instanceof CallError && right.has(error.code)) verdict.refused += 1;
          else verdict.unexpected.push(error instanceof CallError ? `${error.code} ${error.message}` : String(error));
        },
      ),
    ),
  );
  over = true;
  await reader;
  verdict.wrong.push(...(await findDisagreements(server)));
  return verdict;
}

/** A pupil opens their sheet; the answer hands it in. */
async function beginSheet(server: Server, pupil: Parameters<typeof signInPupil>[1]) {
  const own = await signInPupil(server, pupil);
  const [task] = await own(respond.getTasks, {});
  const { examcode, sheets } = await own(respond.startExam, { cuserplanid: task?.cuserplanid as number });
  const answers = sheets.flatMap(({ examformid, items }) =>
    items.map((item, index) => ({ examformid, c: item.c, value: item.options?.[0]?.[0] ?? '', clientseq: index + 1 })),
  );
  return () => own(respond.submitExam, { examcode, submitkey: randomUUID(), answers });
}

const sabotages: Readonly<Record<CountSabotage, (server: Server) => Promise<unknown>>> = {
  readthenwrite: (server) => rewriting(server, (client, text, values) => readThenWrite(client, text, values)),
  losinglines: ({ sqlAsOwner }) =>
    sqlAsOwner(`create function lose() returns trigger language plpgsql as $f$ begin
        if new.logid % 20 = 0 then return null; end if; return new; end $f$;
      create trigger zz_lose before insert on assesscountlog for each row execute function lose()`),
  noguard: async (server) => {
    await server.sqlAsOwner('alter table assesscount drop constraint assesscount_check, drop constraint assesscount_check1');
    await rewriting(server, async (_, text, values) => ({
      text: text.replace(/and granted - used - frozen - expired >= (\$\d+)/, 'and $1::int is not null'),
      values,
    }));
  },
};

type Rewrite = (client: pg.PoolClient, text: string, values: unknown[]) => Promise<{ text: string; values: unknown[] }>;

/** Every statement that freezes counts goes through `change` first. */
async function rewriting({ services }: Server, change: Rewrite): Promise<void> {
  const { app } = services.pools;
  const connect = app.connect.bind(app) as () => Promise<pg.PoolClient>;
  const set = new WeakSet<pg.PoolClient>();
  (app as { connect: unknown }).connect = async () => {
    const client = await connect();
    if (set.has(client)) return client;
    set.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => Promise<pg.QueryResult>;
    (client as { query: unknown }).query = async (...given: unknown[]) => {
      const [text, values] = given as [string, unknown[]];
      if (typeof text !== 'string' || !text.startsWith('update assesscount set frozen = frozen + $1')) return query(...given);
      const changed = await change({ query } as unknown as pg.PoolClient, text, values);
      return query(changed.text, changed.values);
    };
    return client;
  };
}

/** What was read a moment ago is written back as if nobody else had been there. */
async function readThenWrite(client: pg.PoolClient, text: string, values: unknown[]) {
  const { rows } = await client.query<{ frozen: number }>(
    'select frozen from assesscount where musercode = $1 and plancode = $2',
    [values[1], values[2]],
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
  return { text: text.replace('frozen = frozen + $1', `frozen = ${Number(rows[0]?.frozen ?? 0)} + $1`), values };
}
