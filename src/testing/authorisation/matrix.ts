import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { Action } from '#contract/action.ts';
import type { dispatcher } from '#server/dispatch/dispatch.ts';
import { loginAs } from '#features/session/acting.contract.ts';
import { exampleOf } from '#testing/authorisation/example.ts';
import { createFixtures, probesOf, rosterSheet } from '#testing/authorisation/fixtures.ts';
import { createOwnAccounts } from '#testing/authorisation/ownAccounts.ts';
import type { startServer } from '#testing/server.ts';

/** The callers: one account of every kind, by the name of its column in docs/authorisation.csv. */
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
  nurse: 'nurse of a hospital, sees pregnant women and the elderly',
  viewer: 'staff of an education bureau',
  norights: 'staff without a role',
  acting: 'the platform in the account of a school’s administrator',
  unproven: 'administrator of a school who signed in an hour ago',
  disabled: 'staff whose account is disabled',
} as const;
export type Role = keyof typeof roles;

/** The outcome of a call: the server lets it in, or the check that refuses it. */
export const outcomes = { in: '+', '110000': '-', '110004': '.', '110007': 'proof', '110011': 'acting' } as const;
export type Outcome = (typeof outcomes)[keyof typeof outcomes];

type Server = Awaited<ReturnType<typeof startServer>>;

/** Rolls back the transaction of every call, so that thousands of calls find the same rows. */
export function rollBackCalls({ services }: Server) {
  const patchedClients = new WeakSet<pg.PoolClient>();
  for (const pool of [services.pools.app, services.pools.door, services.pools.nested, services.pools.respondent])
    pool.on('acquire', (client: pg.PoolClient) => {
      if (patchedClients.has(client)) return;
      patchedClients.add(client);
      const query = client.query as (...all: unknown[]) => unknown;
      client.query = ((text: unknown, ...rest: unknown[]) =>
        query.call(
          client,
          typeof text === 'string' ? text.replace(/commit$/, 'rollback') : text,
          ...rest,
        )) as pg.PoolClient['query'];
    });
}

/** Creates a session for every role and returns the tokens. */
export async function signInRoles(server: Server): Promise<Record<Role, string>> {
  const own = await createOwnAccounts(server);
  await server.sqlAsOwner("update sysuser set enabled = 0 where userid = 'U_LU'; ");
  await server.sqlAsOwner("update auth.account set enabled = 0 where accountid = 'U_LU'");
  await server.sqlAsOwner(
    `insert into cuser (cuserid, musercode, username, gender, appid)
     values ('C_SEAT', 'M_CHENGUANG', '林小雨', '02', '000000002')`,
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
  await server.sqlAsOwner(
    "insert into sysuser (userid, musercode, sysusername, realname) values ('U_NURSE', 'M_RENAI', 'nurse', '何护士')",
  );
  await server.sqlAsOwner(
    "insert into auth.account (accountid, musercode, userid, loginname, pwdhash) values ('U_NURSE', 'M_RENAI', 'U_NURSE', 'nurse', '')",
  );
  await server.sqlAsOwner(
    "insert into sysuserrole (userid, roleid, musercode) select 'U_NURSE', roleid, 'M_RENAI' from role where rolekey = 'nurse'",
  );
  await server.sqlAsOwner(
    `insert into auth.session (tokenhash, kind, musercode, accountid, expiretime, idle, stepuptime)
     values (encode(sha256('seat-nurse'), 'hex'), 'staff', 'M_RENAI', 'U_NURSE', now() + interval '1 day', '1 day',
       now())`,
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
    nurse: 'seat-nurse',
    viewer: 'zhou',
    norights: 'nobody',
    acting,
    unproven: 'seat-unproven',
    disabled: 'lu',
  };
}

/** Returns the outcome of an answer. A refusal for the content of the request counts as let in. */
export const outcomeOf = (errorCode: number): Outcome => outcomes[String(errorCode) as keyof typeof outcomes] ?? outcomes.in;

/**
 * Returns a function that restores all sessions. A call may end a session or move it to a new token outside of the transaction that is
 * rolled back.
 */
async function saveSessions({ sqlAsOwner }: Server): Promise<() => Promise<unknown>> {
  const savedSessions = JSON.stringify(await sqlAsOwner('select sessionid, tokenhash from auth.session'));
  return () =>
    sqlAsOwner(
      `update auth.session s set tokenhash = o.tokenhash, revoked = null
       from jsonb_to_recordset($1::jsonb) as o(sessionid text, tokenhash text)
       where o.sessionid = s.sessionid and (s.revoked is not null or s.tokenhash <> o.tokenhash)`,
      [savedSessions],
    );
}

/** Calls every action as every role with a request that its schema accepts. Returns the outcomes by action. */
export async function measureAccess(
  server: Server,
  actions: readonly Action[],
  dispatch: ReturnType<typeof dispatcher> = server.dispatch,
): Promise<Map<string, Record<Role, Outcome>>> {
  const tokens = await signInRoles(server);
  const restoreSessions = await saveSessions(server);
  rollBackCalls(server);
  const measured = new Map<string, Record<Role, Outcome>>();
  for (const action of actions) {
    await restoreSessions();
    const body = exampleOf(action, {}) ?? {};
    const row = {} as Record<Role, Outcome>;
    for (const role of Object.keys(roles) as Role[]) {
      if (action.personal) await restoreSessions();
      const token = tokens[role];
      const answer = await dispatch({ name: action.name, token, body, requestId: 'matrix', ip: '127.0.0.1', useragent: 'test' });
      row[role] = outcomeOf(answer.errorCode);
      if (answer.errorCode === 0 && action.kind === 'export')
        (answer.data as { body: { destroy?: () => void } }).body.destroy?.();
    }
    measured.set(action.name, row);
  }
  return measured;
}

/** The owner of the records in a request, seen from the calling institution. A call may reach its own records and those below only. */
export const relations = {
  own: 'the institution itself',
  below: 'an institution under it',
  above: 'an institution over it',
  beside: 'one under the same provider',
  other: 'one under another provider',
} as const;
export type Relation = keyof typeof relations;
/** '+': the call reaches the record; '=': the answer is the same as for a missing record; '': the request names no record. */
export type Reach = '+' | '=' | '';

/** Returns for each identifier one of the same format that no record has, and the pairs of both. */
function absentOf(known: Readonly<Record<string, unknown>>) {
  const replacements = new Map<unknown, unknown>();
  const replace = (value: unknown): unknown => {
    if (typeof value === 'number') return 900_000_000 + value;
    if (/^[0-9a-f-]{36}$/.test(String(value))) return '00000000-0000-4000-8000-000000000000';
    if (/^R?\d{20}$/.test(String(value))) return String(value).replace(/\d/g, '9');
    if (!replacements.has(value)) replacements.set(value, `NO${'X'.repeat(replacements.size + 1)}`);
    return replacements.get(value);
  };
  const absent = Object.fromEntries(
    Object.entries(known).map(([name, value]) => [name, Array.isArray(value) ? value.map(replace) : replace(value)]),
  );
  return { absent, replacements };
}

/** Creates an institution below `parent` if it does not exist, and a session of its own account. Returns the token. */
async function createAccount({ sqlAsOwner }: Server, musercode: string, parent: string, musertype: string): Promise<string> {
  await sqlAsOwner(
    `insert into muser (musercode, orgpath, username, musertype, insname, sector, parentmusercode,
       categorycode, categorylevel, codes)
     select $1, p.orgpath || $1 || '.', lower($1), $3, '机构' || $1, 'edu', p.musercode,
       $1, least(p.categorylevel + 1, 5), (select codes from muser where musercode = 'M_CHENGUANG')
     from muser p
     where p.musercode = $2
     on conflict do nothing`,
    [musercode, parent, musertype],
  );
  await sqlAsOwner(
    "insert into auth.account (accountid, musercode, loginname, pwdhash) values ($1, $1, $1, '') on conflict do nothing",
    [musercode],
  );
  const token = `seat-${musercode}`;
  await sqlAsOwner(
    `insert into auth.session (tokenhash, kind, musercode, accountid, expiretime, idle, stepuptime)
     select encode(sha256(convert_to($1, 'UTF8')), 'hex'), 'staff', $2, $2,
       now() + interval '1 day', '1 day', now()`,
    [token, musercode],
  );
  return token;
}

/** Returns for each action whether it reaches records of 晨光中学. The callers have every right that their institution can have. */
export async function measureReach(server: Server, actions: readonly Action[]): Promise<Map<string, Record<Relation, Reach>>> {
  const { known } = await createFixtures(server);
  const platforms = await server.sqlAsOwner<{ musercode: string }>("select musercode from muser where musertype = '001'");
  await createAccount(server, 'M_OTHERPROV', platforms[0]?.musercode as string, '002');
  const tokens: Record<Relation, string> = {
    own: await createAccount(server, 'M_CHENGUANG', '', '005'),
    below: await createAccount(server, 'M_ANLAN', '', '002'),
    above: await createAccount(server, 'M_BRANCH', 'M_CHENGUANG', '005'),
    beside: await createAccount(server, 'M_DONGSHAN', '', '005'),
    other: await createAccount(server, 'M_OTHERSCHOOL', 'M_OTHERPROV', '005'),
  };
  const restoreSessions = await saveSessions(server);
  rollBackCalls(server);
  // An answer may repeat identifiers of the request and contain new random values. Both are replaced before the comparison.
  const { absent, replacements } = absentOf(known);
  const normalize = (answer: unknown) =>
    [...replacements]
      .reduce(
        (text, [identifier, replacement]) => text.replaceAll(JSON.stringify(identifier), JSON.stringify(replacement)),
        JSON.stringify(answer),
      )
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
      .replace(/\/files\?k=[^"]+/g, 'LINK');
  const measured = new Map<string, Record<Relation, Reach>>();
  for (const action of actions.filter((item) => item.allow.caller === 'staff')) {
    const row = {} as Record<Relation, Reach>;
    const requests = probesOf(action, known);
    const absentRequests = probesOf(action, absent);
    for (const relation of Object.keys(relations) as Relation[]) {
      row[relation] = requests.length === 0 ? '' : '=';
      for (const [index, request] of requests.entries()) {
        await restoreSessions();
        const answers = [];
        for (const body of [request, absentRequests[index]]) {
          const answer = await server.raw(
            action.name,
            tokens[relation],
            body,
            action.kind === 'import' ? rosterSheet : undefined,
          );
          answers.push(answer.errorCode === 0 && action.kind === 'export' ? 'file' : normalize(answer));
        }
        if (answers[0] !== answers[1]) row[relation] = '+';
      }
    }
    measured.set(action.name, row);
  }
  return measured;
}

const file = new URL('../../../docs/authorisation.csv', import.meta.url);

type Row = Readonly<Record<string, string>>;

/** Returns the agreed matrix: docs/authorisation.csv. People review this file; no test writes it. */
export async function readAgreedMatrix(): Promise<Map<string, Row>> {
  const [head = '', ...lines] = (await readFile(file, 'utf8')).trim().split('\n');
  const columns = head.split(',').slice(1);
  return new Map(
    lines.map((line) => {
      const [name = '', ...cells] = line.split(',');
      return [name, Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))];
    }),
  );
}

/** Returns the differences between the agreed and the measured matrix as texts. */
export function findDifferences(agreed: ReadonlyMap<string, Row>, measured: ReadonlyMap<string, Row>): string[] {
  return [...measured].flatMap(([name, row]) => {
    const expected = agreed.get(name);
    if (!expected) return [`${name} has no row`];
    return Object.entries(row)
      .filter(([column, cell]) => cell !== expected[column])
      .map(([column, cell]) => `${name} ${column}: agreed "${expected[column] ?? ''}", found "${cell}"`);
  });
}
