import fc from 'fast-check';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Action } from '#contract/action.ts';
import { actions } from '#server/actions.ts';
import { READABLE_COLUMNS } from '#server/sealing/readableColumns.ts';
import { SEALED_COLUMNS } from '#server/sealing/sealedColumns.ts';
import { exampleOf } from '#testing/authorisation/example.ts';
import { createFixtures, rosterSheet } from '#testing/authorisation/fixtures.ts';
import { readAgreedMatrix, rollBackCalls, signInRoles, type Role } from '#testing/authorisation/matrix.ts';
import { aRespondentSession } from '#testing/factories.ts';
import { requestsOf } from '#testing/fuzz/requests.ts';
import { startServer, type TestServer } from '#testing/server.ts';
import { sizeOf } from '#testing/size.ts';

type Json = z.core.JSONSchema.BaseSchema;
const CANARY = '画眉鸟';

/**
 * Columns in which a text that somebody typed may be read in the database, by reason. Tables without a person need no line: their
 * reason stands in `READABLE_COLUMNS` as `table.*`.
 */
const READABLE_WHEN_TYPED: Readonly<Record<string, string>> = {
  'the erasing of a person searches it for the person’s names': 'accessapproval.purpose',
  'the acting account shows it to the other institution': 'auth.session.loginasreason',
  'names of persons and of staff, their office':
    'cuser.username guardian.name sysuser.realname sysuser.post sysuser.titles sysuser.certno',
  'fields of archives, which lists filter and search by':
    'cuserarchive.detail cuserarchive.gradename cuserarchive.classname cuserarchive.unitname cuser.nation cuser.education',
  'the name of a plan of follow-ups: SQL finds the re-tests of EPDS by it': 'followup.planname',
  'names of rooms, stages, lists and group reports': 'counsellortime.room cuserplan.stagecode listview.list teamreport.title',
  'the address of a mail server': 'noticechannel.config',
  'counts of institutions': 'assesscountlog.remark',
  'names of files; the rows of an import are encrypted': 'upload.filename fileobj.filename job.title job.filename job.request',
};

/** Returns a request in which each text that its author may choose freely has the canary in it. */
function withCanaries(schema: Json, value: unknown, known: Readonly<Record<string, unknown>>, name = ''): unknown {
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) return choices.reduce((changed, choice) => withCanaries(choice, changed, known, name), value);
  if (known[name] !== undefined || value === null || value === undefined) return value;
  if (typeof value === 'string') {
    const isFree = schema.type === 'string' && !schema.pattern && !schema.enum && schema.const === undefined && !schema.format;
    if (!isFree || value.includes(CANARY)) return value;
    const least = schema.minLength ?? 0;
    return `${CANARY}${name}`.padEnd(least, '字').slice(0, schema.maxLength ?? 100);
  }
  if (Array.isArray(value)) return value.map((item) => withCanaries((schema.items ?? {}) as Json, item, known, ''));
  if (typeof value !== 'object') return value;
  const parts = (schema.properties ?? {}) as Record<string, Json>;
  const others = (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}) as Json;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withCanaries(parts[key] ?? others, item, known, key)]),
  );
}

/** A number of its own for each action, so that a new action changes the requests of no other. */
const seedOf = ({ name }: Action) => [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);

/** Requests of an action with canaries: a complete example and some that its contract describes. */
function canaryRequests(action: Action, known: Readonly<Record<string, unknown>>, count: number, seed: number): unknown[] {
  const schema = z.toJSONSchema(action.request, { io: 'input', unrepresentable: 'any' }) as Json;
  const samples = fc.sample(requestsOf(action, known), { numRuns: count, seed });
  return [exampleOf(action, known) ?? {}, ...samples]
    .map((request) => withCanaries(schema, request, known))
    .filter((request) => action.request.safeParse(request).success);
}

/**
 * Reports each column that is written with a canary that one can read (`canary`), and each sealed column that is written without a
 * seal (`plain`). Triggers on all tables do it, by a notice: it arrives although the call is rolled back.
 */
async function watchColumns(server: TestServer): Promise<{ canary: Set<string>; plain: Set<string> }> {
  await server.sqlAsOwner(`
    create function public.report_texts() returns trigger language plpgsql as $$
    declare
      oldrow jsonb := case when tg_op = 'UPDATE' then to_jsonb(old) else '{}' end;
      field record;
    begin
      for field in select f.key, f.value from jsonb_each_text(to_jsonb(new)) f where f.value is distinct from oldrow ->> f.key loop
        if field.value like '%${CANARY}%' then raise notice 'canary %.%', tg_argv[0], field.key; end if;
        if field.key = any (string_to_array(tg_argv[1], ',')) and field.value <> '' and field.value not like 'sealed.1.%' then
          raise notice 'plain %.%', tg_argv[0], field.key;
        end if;
      end loop;
      return null;
    end $$`);
  const texts = Object.entries(SEALED_COLUMNS).map(([table, columns]) => [
    table,
    Object.entries(columns)
      .filter(([, sealing]) => sealing === 'text')
      .map(([column]) => column)
      .join(','),
  ]);
  const tables = await server.sqlAsOwner<{ nspname: string; relname: string }>(
    `select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and c.relkind = 'r'`,
  );
  const sealedTexts = new Map(texts as [string, string][]);
  for (const { nspname, relname } of tables) {
    const name = nspname === 'public' ? relname : `${nspname}.${relname}`;
    await server.sqlAsOwner(`create trigger zz_report_texts after insert or update on "${nspname}"."${relname}"
      for each row execute function public.report_texts('${name}', '${sealedTexts.get(name) ?? ''}')`);
  }
  const found = { canary: new Set<string>(), plain: new Set<string>() };
  const watched = new WeakSet<pg.PoolClient>();
  const { app, door, nested, respondent, authn } = server.services.pools;
  for (const pool of [app, door, nested, respondent, authn])
    pool.on('acquire', (client: pg.PoolClient) => {
      if (watched.has(client)) return;
      watched.add(client);
      client.on('notice', ({ message }) => {
        const [, kind, column] = /^(canary|plain) (.*)$/.exec(message ?? '') ?? [];
        if (kind && column) found[kind as keyof typeof found].add(column);
      });
    });
  return found;
}

test('whatever anybody types into any form, no text that must be sealed reaches a table readable', async () => {
  const server = await startServer();
  const { known, pupils } = await createFixtures(server);
  const tokens = await signInRoles(server);
  await aRespondentSession(server, pupils.third.cuserid, 'pupil');
  const agreed = await readAgreedMatrix();
  const preferred: Role[] = ['psychologist', 'insadmin', 'provideradmin', 'platform', 'viewer', 'hospital'];
  const callersOf = (action: Action): string[] => {
    if (action.allow.caller === 'respondent') return ['pupil'];
    if (action.allow.caller === 'anyone') return [''];
    return preferred.filter((role) => agreed.get(action.name)?.[role] === '+').map((role) => tokens[role]);
  };
  const saved = JSON.stringify(await server.sqlAsOwner('select sessionid, tokenhash from auth.session'));
  const found = await watchColumns(server);
  rollBackCalls(server);
  server.services.storage = { ...server.services.storage, delete: () => Promise.resolve() };
  const readers = new Map<string, string>();
  const unsealed = new Map<string, string>();
  const count = { actions: 0, requests: 0, done: 0, actionsDone: 0 };
  for (const action of actions) {
    if (action.kind === 'read' || action.name === 'as.m.user.logout') continue;
    count.actions += 1;
    let isDone = false;
    await server.sqlAsOwner(
      `update auth.session s set tokenhash = o.tokenhash, revoked = null
       from jsonb_to_recordset($1::jsonb) as o(sessionid text, tokenhash text)
       where o.sessionid = s.sessionid and (s.revoked is not null or s.tokenhash <> o.tokenhash)`,
      [saved],
    );
    for (const token of callersOf(action).slice(0, 2))
      for (const request of canaryRequests(action, known, sizeOf(3, 24), seedOf(action))) {
        const answer = await server.raw(
          action.name,
          token,
          structuredClone(request),
          action.kind === 'import' ? rosterSheet : undefined,
        );
        count.requests += 1;
        if (answer.errorCode !== 0) continue;
        count.done += 1;
        isDone = true;
        if (action.kind === 'export') (answer.data as { body: { destroy?: () => void } }).body.destroy?.();
      }
    if (isDone) count.actionsDone += 1;
    for (const column of found.canary) if (!readers.has(column)) readers.set(column, action.name);
    for (const column of found.plain) if (!unsealed.has(column)) unsealed.set(column, action.name);
  }
  console.log(JSON.stringify({ canary: 'every text', ...count, columns: readers.size }));
  const sealed = new Set(
    Object.entries(SEALED_COLUMNS).flatMap(([table, columns]) => Object.keys(columns).map((column) => `${table}.${column}`)),
  );
  const typed = new Set(Object.values(READABLE_WHEN_TYPED).flatMap((line) => line.split(' ')));
  const readable = new Set(Object.values(READABLE_COLUMNS).flatMap((lines) => lines.flatMap((line) => line.split(' '))));
  const isAllowed = (column: string) => typed.has(column) || readable.has(`${column.slice(0, column.lastIndexOf('.'))}.*`);
  // Each pair names the action that wrote the text.
  expect([...readers].filter(([column]) => sealed.has(column) || !isAllowed(column))).toEqual([]);
  expect([...unsealed]).toEqual([]);
  // The requests must reach the handlers: a test that only the schemas refuse proves nothing.
  expect(count.done).toBeGreaterThan(600);
  expect(count.actionsDone).toBeGreaterThan(140);
  expect(readers.size).toBeGreaterThan(20);
});
