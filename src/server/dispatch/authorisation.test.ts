import pg from 'pg';
import { expect, test } from 'vitest';
import { anyStaff, type Action } from '#contract/action.ts';
import { actions, handlers } from '#server/actions.ts';
import { asOwner } from '#server/db/roles.ts';
import { dispatcher } from '#server/dispatch/dispatch.ts';
import { RateLimiter } from '#server/dispatch/rateLimiter.ts';
import { readAgreedMatrix, findDifferences, measureAccess, measureReach, relations } from '#testing/authorisation/matrix.ts';
import { startServer } from '#testing/server.ts';

test('R-11: every action allows and refuses every kind of account as docs/authorisation.csv says', async () => {
  const server = await startServer();
  const agreed = await readAgreedMatrix();
  expect(findDifferences(agreed, await measureAccess(server, actions))).toEqual([]);
  const names = new Set<string>(actions.map((action) => action.name));
  expect([...agreed.keys()].filter((name) => !names.has(name))).toEqual([]);
});

test('R-11: the data of an institution is visible to itself and the institutions above, and does not exist for others', async () => {
  const server = await startServer();
  expect(findDifferences(await readAgreedMatrix(), await measureReach(server, actions))).toEqual([]);
});

test('R-11: the matrix test detects a widened allowance and an action without a row', async () => {
  const server = await startServer();
  const name = 'as.m.system.user.selectUserList';
  const widened = handlers
    .filter((handler) => handler.action.name === name)
    .map((handler) => ({ ...handler, action: { ...handler.action, allow: anyStaff } as Action }));
  const dispatch = dispatcher(server.services, widened, {
    clock: () => server.clock.now,
    limiter: new RateLimiter(1e9, 1e9),
    onError: (error) => server.errors.push(error),
  });
  const widenedActions = widened.map((handler) => handler.action);
  const measured = await measureAccess(server, widenedActions, dispatch);
  expect(findDifferences(await readAgreedMatrix(), measured)).toContain(`${name} norights: agreed ".", found "+"`);
  expect(findDifferences(new Map(), measured)).toEqual([`${name} has no row`]);
});

test('R-11: the matrix test detects a table without its scope policy', async () => {
  const server = await startServer();
  const client = new pg.Client(asOwner(server.target));
  await client.connect();
  await client.query('create policy leak on cuser for select to xinli_app using (true)');
  await client.end();
  const name = 'as.m.cuser.revealCUser';
  const measured = await measureReach(
    server,
    actions.filter((action) => action.name === name),
  );
  expect(findDifferences(await readAgreedMatrix(), measured)).toEqual(
    Object.keys(relations)
      .filter((relation) => relation !== 'own' && relation !== 'below')
      .map((relation) => `${name} ${relation}: agreed "=", found "+"`),
  );
});
