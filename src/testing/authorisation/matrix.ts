import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Action } from '#contract/action.ts';
import type { dispatcher } from '#server/dispatch/dispatch.ts';
import { loginAs } from '#features/session/acting.contract.ts';
import { exampleOf } from '#testing/authorisation/example.ts';
import { createFixtures, probes, rosterSheet } from '#testing/authorisation/fixtures.ts';
import { ownAccounts } from '#testing/authorisation/ownAccounts.ts';
import type { startServer } from '#testing/server.ts';

/** Who calls: one of every kind of account there is, by the name of its column in docs/authorisation.csv. */
export const roles = {
  anonymous: 'nobody is signed in',
  respondent: 'a pupil answering a questionnaire',
  platform: '001, own account',
  provider: '002, own account',
  bureau: '003, own account',
  hospital: '004, own account',
  school: '005, own account',
  provideradmin: 'staff of a provider',
  insadmin: 'administrator of a school',
  psychologist: 'psychologist of a school',
  classteacher: 'class teacher, sees own classes only',
  warningduty: 'night duty of a school',
  viewer: 'staff of an education bureau',
  norights: 'staff without a role',
  acting: 'the platform in the account of a school’s administrator',
  unproven: 'administrator of a school who signed in an hour ago',
  disabled: 'staff whose account is disabled',
} as const;
export type Role = keyof typeof roles;

/** What becomes of a call: it comes in, or the lock it stops at. */
export const outcomes = { in: '+', '110000': '-', '110004': '.', '110007': 'proof', '110011': 'acting' } as const;
export type Outcome = (typeof outcomes)[keyof typeof outcomes];

type Server = Awaited<ReturnType<typeof startServer>>;

/** Lets every call run to its end and take back what it did, so that thousands of calls meet the same rows. */
export function rollBackCalls({ services }: Server) {
  const turned = new WeakSet<pg.PoolClient>();
  for (const pool of [services.pools.app, services.pools.nested, services.pools.respondent])
    pool.on('acquire', (client: pg.PoolClient) => {
      if (turned.has(client)) return;
      turned.add(client);
      const query = client.query as (...all: unknown[]) => unknown;
      client.query = ((text: unknown, ...rest: unknown[]) =>
        query.call(
          client,
          typeof text === 'string' ? text.replace(/commit$/, 'rollback') : text,
          ...rest,
        )) as pg.PoolClient['query'];
    });
}

/** A session for every role. */
export async function signInRoles(server: Server): Promise<Record<Role, string>> {
  const own = await ownAccounts(server);
  await server.sqlAsOwner("update sysuser set enabled = 0 where userid = 'U_LU'; ");
  await server.sqlAsOwner("update auth.account set enabled = 0 where accountid = 'U_LU'");
  await server.sqlAsOwner(
    "insert into cuser (cuserid, musercode, username, gender, appid) values ('C_SEAT', 'M_CHENGUANG', '林小雨', '02', '000000002')",
  );
  await server.sqlAsOwner(
    `insert into auth.session (tokenhash, kind, musercode, cuserid, expiretime, idle)
     values (encode(sha256('seat-pupil'), 'hex'), 'respondent', 'M_CHENGUANG', 'C_SEAT', now() + interval '1 day', '1 day')`,
  );
  await server.sqlAsOwner(
    `insert into auth.session (tokenhash, kind, musercode, accountid, createtime, expiretime, idle, stepuptime)
     values (encode(sha256('seat-unproven'), 'hex'), 'staff', 'M_CHENGUANG', 'U_MA', now() - interval '1 hour',
       now() + interval '1 day', '1 day', now() - interval '1 hour')`,
  );
  const { token: acting } = await server.as('super')(loginAs, {
    musercode: 'M_CHENGUANG',
    userid: 'U_MA',
    reason: '协助开通账号',
  });
  return {
    anonymous: '',
    respondent: 'seat-pupil',
    platform: own['001'],
    provider: own['002'],
    bureau: own['003'],
    hospital: own['004'],
    school: own['005'],
    provideradmin: 'fang',
    insadmin: 'ma',
    psychologist: 'chen',
    classteacher: 'wang',
    warningduty: 'duty',
    viewer: 'zhou',
    norights: 'nobody',
    acting,
    unproven: 'seat-unproven',
    disabled: 'lu',
  };
}

/** Which lock an answer stopped at; a request that is refused for what it says has come in. */
export const outcomeOf = (errorCode: number): Outcome => outcomes[String(errorCode) as keyof typeof outcomes] ?? outcomes.in;

/** Sessions that a call ended or moved to a new token, outside the transaction that is taken back, are for the next what they were. */
async function remembering({ sqlAsOwner }: Server): Promise<() => Promise<unknown>> {
  const seated = JSON.stringify(await sqlAsOwner('select sessionid, tokenhash from auth.session'));
  return () =>
    sqlAsOwner(
      `update auth.session s set tokenhash = o.tokenhash, revoked = null
       from jsonb_to_recordset($1::jsonb) as o(sessionid text, tokenhash text)
       where o.sessionid = s.sessionid and (s.revoked is not null or s.tokenhash <> o.tokenhash)`,
      [seated],
    );
}

/** Calls every action from every role with a request its schema accepts. */
export async function measure(
  server: Server,
  actions: readonly Action[],
  dispatch: ReturnType<typeof dispatcher> = server.dispatch,
): Promise<Map<string, Record<Role, Outcome>>> {
  const tokens = await signInRoles(server);
  const revive = await remembering(server);
  rollBackCalls(server);
  const found = new Map<string, Record<Role, Outcome>>();
  for (const action of actions) {
    await revive();
    const body = exampleOf(action, {}) ?? {};
    const row = {} as Record<Role, Outcome>;
    for (const role of Object.keys(roles) as Role[]) {
      if (action.personal) await revive();
      const token = tokens[role];
      const answer = await dispatch({ name: action.name, token, body, requestId: 'matrix', ip: '127.0.0.1', useragent: 'test' });
      row[role] = outcomeOf(answer.errorCode);
      if (answer.errorCode === 0 && action.kind === 'export')
        (answer.data as { body: { destroy?: () => void } }).body.destroy?.();
    }
    found.set(action.name, row);
  }
  return found;
}

/** Whose things a request names, seen from the institution that asks. Its own and those below may be reached, the others never. */
export const relations = {
  own: 'the institution itself',
  below: 'an institution under it',
  above: 'an institution over it',
  beside: 'one under the same provider',
  other: 'one under another provider',
} as const;
export type Relation = keyof typeof relations;
/** '+': names what it reaches; '=': answered as if it did not exist; '': names nothing an institution owns. */
export type Reach = '+' | '=' | '';

/** For each identifier one of the same shape that nothing has; the same one wherever it is named. */
function absentOf(known: Readonly<Record<string, unknown>>) {
  const made = new Map<unknown, unknown>();
  const one = (value: unknown): unknown => {
    if (typeof value === 'number') return 900_000_000 + value;
    if (/^[0-9a-f-]{36}$/.test(String(value))) return '00000000-0000-4000-8000-000000000000';
    if (!made.has(value)) made.set(value, `NO${'X'.repeat(made.size + 1)}`);
    return made.get(value);
  };
  const absent = Object.fromEntries(
    Object.entries(known).map(([name, value]) => [name, Array.isArray(value) ? value.map(one) : one(value)]),
  );
  return { absent, made };
}

/** An institution and its own account's session, made where the tests have none: under 晨光中学, and under another provider. */
async function account({ sqlAsOwner }: Server, musercode: string, under: string, musertype: string): Promise<string> {
  await sqlAsOwner(
    `insert into muser (musercode, orgpath, username, musertype, insname, sector, parentmusercode, categorycode, categorylevel, codes)
     select $1, p.orgpath || $1 || '.', lower($1), $3, '机构' || $1, 'edu', p.musercode, $1, least(p.categorylevel + 1,
       5), (select codes from muser where musercode = 'M_CHENGUANG')
     from muser p where p.musercode = $2 on conflict do nothing`,
    [musercode, under, musertype],
  );
  await sqlAsOwner(
    "insert into auth.account (accountid, musercode, loginname, pwdhash) values ($1, $1, $1, '') on conflict do nothing",
    [musercode],
  );
  const token = `seat-${musercode}`;
  await sqlAsOwner(
    `insert into auth.session (tokenhash, kind, musercode, accountid, expiretime, idle, stepuptime)
     select encode(sha256(convert_to($1, 'UTF8')), 'hex'), 'staff', $2, $2, now() + interval '1 day', '1 day', now() + interval '1 day'`,
    [token, musercode],
  );
  return token;
}

/** What each action reaches of 晨光中学's things, asked by accounts that hold every right their institution can have. */
export async function measureReach(server: Server, actions: readonly Action[]): Promise<Map<string, Record<Relation, Reach>>> {
  const { known } = await createFixtures(server);
  const super_ = await server.sqlAsOwner<{ musercode: string }>("select musercode from muser where musertype = '001'");
  await account(server, 'M_OTHERPROV', super_[0]?.musercode as string, '002');
  const tokens: Record<Relation, string> = {
    own: await account(server, 'M_CHENGUANG', '', '005'),
    below: await account(server, 'M_ANLAN', '', '002'),
    above: await account(server, 'M_BRANCH', 'M_CHENGUANG', '005'),
    beside: await account(server, 'M_DONGSHAN', '', '005'),
    other: await account(server, 'M_OTHERSCHOOL', 'M_OTHERPROV', '005'),
  };
  const revive = await remembering(server);
  rollBackCalls(server);
  // What a request says and is told again, and what is made up anew at every call, is no knowledge.
  const { absent, made } = absentOf(known);
  const said = (answer: unknown) =>
    [...made]
      .reduce((text, [there, not]) => text.replaceAll(JSON.stringify(there), JSON.stringify(not)), JSON.stringify(answer))
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
      .replace(/\/files\?k=[^"]+/g, 'LINK');
  const found = new Map<string, Record<Relation, Reach>>();
  for (const action of actions.filter((item) => item.allow.caller === 'staff')) {
    const row = {} as Record<Relation, Reach>;
    const requests = probes(action, known);
    const missing = probes(action, absent);
    for (const relation of Object.keys(relations) as Relation[]) {
      row[relation] = requests.length === 0 ? '' : '=';
      for (const [at, request] of requests.entries()) {
        await revive();
        const answers = [];
        for (const body of [request, missing[at]]) {
          const answer = await server.raw(
            action.name,
            tokens[relation],
            body,
            action.kind === 'import' ? rosterSheet : undefined,
          );
          answers.push(answer.errorCode === 0 && action.kind === 'export' ? 'file' : said(answer));
        }
        if (answers[0] !== answers[1]) row[relation] = '+';
      }
    }
    found.set(action.name, row);
  }
  return found;
}

const file = new URL('../../../docs/authorisation.csv', import.meta.url);

type Row = Readonly<Record<string, string>>;

/** The matrix as it was agreed on: docs/authorisation.csv, reviewed by people, never written by a program that runs in a test. */
export async function agreedMatrix(): Promise<Map<string, Row>> {
  const [head = '', ...lines] = (await readFile(file, 'utf8')).trim().split('\n');
  const columns = head.split(',').slice(1);
  return new Map(
    lines.map((line) => {
      const [name = '', ...cells] = line.split(',');
      return [name, Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))];
    }),
  );
}

/** Where what is found differs from what was agreed, in words. */
export function differences(agreed: ReadonlyMap<string, Row>, map: ReadonlyMap<string, Row>): string[] {
  return [...map].flatMap(([name, row]) => {
    const expected = agreed.get(name);
    if (!expected) return [`${name} has no row`];
    return Object.entries(row)
      .filter(([column, cell]) => cell !== expected[column])
      .map(([column, cell]) => `${name} ${column}: agreed "${expected[column] ?? ''}", found "${cell}"`);
  });
}
