import { expect, test } from 'vitest';
import { handlers } from '#server/actions.ts';
import { dispatcher } from '#server/dispatch.ts';
import type { Ctx, Handler } from '#server/handle.ts';
import { Limiter } from '#server/limiter.ts';
import { startServer } from '#testing/server.ts';

/**
 * A read goes out behind the question who calls, for whoever called last with the session (decision 0024). What comes of it counts only
 * when the answer says that they are the one.
 */
const list = 'as.m.assess.getAssessTeamPageList';

/** A server that tells of every time it lists classes: for whom, and whether it knew by then who calls. Each leaves a trace of somebody. */
async function watched() {
  const server = await startServer();
  const begun: { name: string; known: boolean }[] = [];
  const watching = ({ run, ...handler }: Handler): Handler => ({
    ...handler,
    run: async (input: never, ctx: Ctx<'staff'>) => {
      let known = false;
      void ctx.scope.opened.then(() => (known = true));
      await Promise.resolve();
      begun.push({ name: ctx.caller.name, known });
      ctx.note({ cuserids: ['C0000000001'] });
      return run(input, ctx as never);
    },
  });
  const watchedHandlers = handlers.map((handler) => (handler.action.name === list ? watching(handler) : handler));
  const options = {
    clock: () => server.clock.now,
    limiter: new Limiter(1e9, 1e9),
    onError: (error: unknown) => server.errors.push(error),
  };
  const dispatch = dispatcher(server.services, watchedHandlers, options);
  const ask = (token: string) => dispatch({ name: list, token, body: {}, requestId: '', ip: '127.0.0.1', useragent: 'test' });
  const traces = async () => (await server.behind('select from audit.log where action = $1', [list])).length;
  return { ...server, begun, ask, traces };
}

test('the second time somebody lists classes, the list is on its way before it is known who asks; each time leaves one trace', async () => {
  const { begun, ask, traces } = await watched();
  const first = await ask('chen');
  const second = await ask('chen');
  expect(first).toMatchObject({ errorCode: 0, data: { total: expect.any(Number) as number } });
  expect(second).toEqual(first);
  expect(begun.at(-1)).toMatchObject({ known: false });
  expect(await traces()).toBe(2);
});

test('what somebody has lost in between is not shown, and no trace says it was', async () => {
  const { begun, ask, traces, behind } = await watched();
  await ask('chen');
  await behind("delete from sysuserrole where userid = 'U_CHEN'");
  expect(await ask('chen')).toMatchObject({ errorCode: 110004 });
  // It had begun for who they were, and was not asked again for who they are.
  expect(begun).toHaveLength(2);
  expect(await traces()).toBe(1);
});

test('who is renamed in between is answered under the new name', async () => {
  const { begun, ask, behind } = await watched();
  const before = await ask('chen');
  await behind("update sysuser set realname = '陈静之' where userid = 'U_CHEN'");
  expect(await ask('chen')).toEqual(before);
  expect(begun.slice(1)).toEqual([
    { name: '陈静怡', known: false },
    { name: '陈静之', known: true },
  ]);
});

test('a session that has ended shows nothing, whoever called with it before', async () => {
  const { ask, traces, behind } = await watched();
  await ask('chen');
  await behind("update auth.session set revoked = now() where tokenhash = encode(sha256('chen'), 'hex')");
  expect(await ask('chen')).toMatchObject({ errorCode: 110000 });
  expect(await traces()).toBe(1);
});

test('a school that is closed shows nothing to those who were in it', async () => {
  const { ask, behind } = await watched();
  await ask('chen');
  await behind("update muser set enabled = 0 where musercode = 'M_CHENGUANG'");
  expect(await ask('chen')).toMatchObject({ errorCode: 110000 });
});
