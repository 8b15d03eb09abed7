import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Action } from '#contract/action.ts';
import { actions } from '#server/actions.ts';
import { createFixtures, rosterSheet } from '#testing/authorisation/fixtures.ts';
import { readAgreedMatrix, rollBackCalls, signInRoles, type Role } from '#testing/authorisation/matrix.ts';
import { createOwnAccounts } from '#testing/authorisation/ownAccounts.ts';
import { differences, fingerprint } from '#testing/fuzz/fingerprint.ts';
import { requestsOf } from '#testing/fuzz/requests.ts';
import { aRespondentSession } from '#testing/factories.ts';
import { startServer, type TestServer } from '#testing/server.ts';
import { sizeOf } from '#testing/size.ts';

const writing = actions.filter(({ kind, name }) => (kind === 'write' || kind === 'import') && name !== 'as.m.user.logout');
/** Words of a program in an answer: a stack, SQL, a path, a class of errors. */
const PROGRAM_WORDS =
  /\bat .+:\d+:\d+|\b(select|insert into|update)\b.+\b(from|values|set)\b|node_modules|[a-z]Error\b|relation "|constraint/;

/** Returns the requests of a run: the same for the same number, so that a failure can be run again. */
const samples = (action: Action, known: Readonly<Record<string, unknown>>, count: number, seed: number) =>
  fc.sample(requestsOf(action, known), { numRuns: count, seed });

/** Says what is wrong with an answer: no number of the catalogue, an internal error, or words of the program. */
function faultOf(answer: { errorCode: number; errorMsg: string; data?: unknown }): string | undefined {
  if (!Number.isInteger(answer.errorCode)) return 'no number';
  if (answer.errorCode === 900000) return 'internal error';
  if (answer.errorCode !== 0 && answer.errorMsg === '') return 'no words';
  const words = answer.errorCode === 0 ? '' : JSON.stringify([answer.errorMsg, answer.data ?? null]);
  return PROGRAM_WORDS.test(words) ? `words of the program: ${words.slice(0, 200)}` : undefined;
}

const stacksOf = ({ errors }: TestServer) => errors.map((error) => (error instanceof Error ? error.stack : String(error)));

/** A session that a call has ended or moved is opened again: the next request must reach its action. */
async function keepSessions({ sqlAsOwner }: TestServer): Promise<() => Promise<unknown>> {
  const saved = JSON.stringify(await sqlAsOwner('select sessionid, tokenhash from auth.session'));
  return () =>
    sqlAsOwner(
      `update auth.session s set tokenhash = o.tokenhash, revoked = null
       from jsonb_to_recordset($1::jsonb) as o(sessionid text, tokenhash text)
       where o.sessionid = s.sessionid and (s.revoked is not null or s.tokenhash <> o.tokenhash)`,
      [saved],
    );
}

test('no request that the contracts describe, and no hostile one, breaks a writing action for those who may call it', async () => {
  const server = await startServer();
  const { known, pupils } = await createFixtures(server);
  const tokens = await signInRoles(server);
  await aRespondentSession(server, pupils.third.cuserid, 'pupil');
  const agreed = await readAgreedMatrix();
  const preferred: Role[] = ['psychologist', 'insadmin', 'provideradmin', 'platform', 'viewer', 'hospital'];
  const callersOf = (action: Action): string[] => {
    if (action.allow.caller === 'respondent') return ['pupil'];
    if (action.allow.caller === 'anyone') return [''];
    return preferred
      .filter((role) => agreed.get(action.name)?.[role] === '+')
      .slice(0, 2)
      .map((role) => tokens[role]);
  };
  const restoreSessions = await keepSessions(server);
  rollBackCalls(server);
  // The calls are rolled back, so their files must stay, too.
  server.services.storage = { ...server.services.storage, delete: () => Promise.resolve() };
  const faults: string[] = [];
  const count = { requests: 0, accepted: 0, done: 0 };
  for (const [index, action] of writing.entries()) {
    await restoreSessions();
    for (const token of callersOf(action))
      for (const request of samples(action, known, sizeOf(2, 60), index)) {
        const answer = await server.raw(
          action.name,
          token,
          structuredClone(request),
          action.kind === 'import' ? rosterSheet : undefined,
        );
        count.requests += 1;
        if (action.request.safeParse(request).success) count.accepted += 1;
        if (answer.errorCode === 0) count.done += 1;
        const fault = faultOf(answer);
        if (fault) faults.push(`${action.name} ${fault} ${JSON.stringify(request).slice(0, 300)}`);
        if (answer.errorCode === 110000 && token !== '') await restoreSessions();
      }
  }
  console.log(JSON.stringify({ fuzz: 'own institution', actions: writing.length, ...count }));
  expect({ faults, errors: stacksOf(server) }).toEqual({ faults: [], errors: [] });
  // The generator must reach the handlers: a fuzz that only the schemas refuse proves nothing.
  expect(count.accepted).toBeGreaterThan(count.requests / 3);
  expect(count.done).toBeGreaterThan(count.requests / 20);
});

test('no writing action changes a row of a school for accounts with every right in another institution', async () => {
  const server = await startServer();
  const { known } = await createFixtures(server);
  const own = await createOwnAccounts(server);
  await server.sqlAsOwner(
    `insert into auth.session (tokenhash, kind, musercode, accountid, expiretime, idle, stepuptime)
     values (encode(sha256('own-dongshan'), 'hex'), 'staff', 'M_DONGSHAN', 'M_DONGSHAN', now() + interval '1 day', '1 day', now())`,
  );
  const restoreSessions = await keepSessions(server);
  const before = await fingerprint(server, 'M_CHENGUANG');
  const faults: string[] = [];
  let requests = 0;
  for (const [index, action] of writing.entries()) {
    if (action.allow.caller !== 'staff') continue;
    await restoreSessions();
    for (const token of ['own-dongshan', own['004'], own['003']])
      for (const request of samples(action, known, sizeOf(1, 30), 7_000 + index)) {
        const answer = await server.raw(
          action.name,
          token,
          structuredClone(request),
          action.kind === 'import' ? rosterSheet : undefined,
        );
        requests += 1;
        const fault = faultOf(answer);
        if (fault) faults.push(`${token} ${action.name} ${fault} ${JSON.stringify(request).slice(0, 300)}`);
      }
    const changed = differences(before, await fingerprint(server, 'M_CHENGUANG'));
    if (changed.length > 0) {
      faults.push(`${action.name} changed ${changed.join(', ')}`);
      break;
    }
  }
  console.log(JSON.stringify({ fuzz: 'other institutions', requests }));
  expect({ faults, errors: stacksOf(server) }).toEqual({ faults: [], errors: [] });
  expect(requests).toBeGreaterThan(500);
});
