import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { actions } from '#server/actions.ts';
import { asOwner, asRole, type Target } from '#server/db/roles.ts';
import { getPersonTrail } from '#features/audit/audit.contract.ts';
import { answerMergeCUser, mergeCUser } from '#features/merge/merge.contract.ts';
import { getConsultNote, saveConsultNote } from '#features/consult/note/note.contract.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import { loginAs } from '#features/session/acting.contract.ts';
import { createFixtures, probesOf } from '#testing/authorisation/fixtures.ts';
import { rollBackCalls, roles, signInRoles, type Role } from '#testing/authorisation/matrix.ts';
import { aConsult, anonymizeLin, aStudent } from '#testing/factories.ts';
import { startServer, type TestServer } from '#testing/server.ts';
import { openNotesForOrder } from '../../../../scripts/notes/openNotesForOrder.ts';

/** A word that stands only in the private note. */
const secret = '梦见了外婆';

/** 林小雨 had a consultation with chen, who wrote a private note about it. */
async function noted(options: { isshared?: 0 | 1 } = {}) {
  const server = await startServer();
  const { cuserid } = await aStudent(server);
  const consultid = await aConsult(server, cuserid, { counsellor: 'U_CHEN', status: '03' });
  const chen = server.as('chen');
  await chen(saveConsultNote, { consultid, note: secret, isshared: options.isshared ?? 0, updatetime: null });
  const attempts = () =>
    server.sqlAsOwner<{ accountid: string; loginasby: string | null }>(
      "select accountid, loginasby from audit.log where detail ? 'refusal' and action like 'as.m.consult.%Note' order by id",
    );
  const messages = () =>
    server.sqlAsOwner<{ userid: string; content: string }>(
      "select userid, content from notification where dedupekey like 'consultnote:%' order by id",
    );
  return { ...server, server, chen, cuserid, consultid, attempts, messages };
}

test('for a legal order two people open a note outside of the server, and the audit log says so first', async () => {
  const { target, services, consultid, cuserid, as } = await noted();
  const client = new pg.Client(asOwner(target));
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin; select set_config('app.session', encode(sha256('super'), 'hex'), true)");
  const order = { consultid, order: '（2025）浙01刑初12号', operator: '方敏', witness: '马主任' };
  await expect(openNotesForOrder(client, services.cipher, { ...order, witness: '方敏' })).rejects.toThrow('two different people');
  await expect(openNotesForOrder(client, services.cipher, { ...order, consultid: 999 })).rejects.toThrow('no private note');
  expect(await openNotesForOrder(client, services.cipher, order)).toEqual([`【陈静怡】\n${secret}`]);
  await client.query('commit');
  const { rows } = await as('ma')(getPersonTrail, { cuserid });
  expect(rows[0]).toMatchObject({ title: '依法调取个别咨询记录', objectid: String(consultid) });
  expect(rows[0]?.detail.map(({ key, value }) => `${key} ${value}`).sort()).toEqual([
    '文书编号 （2025）浙01刑初12号',
    '经办人 方敏',
    '见证人 马主任',
  ]);
});

/** Runs a statement under a role of the server with the session of a token. */
async function query(target: Target, role: Parameters<typeof asRole>[1], token: string, text: string) {
  const client = new pg.Client(asRole(target, role));
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("select set_config('app.session', $1, false)", [createHash('sha256').update(token).digest('hex')]);
  return client.query(text);
}

/** The token of the platform that acts in the account of chen. */
const actAsChen = async ({ as }: Pick<TestServer, 'as'>) =>
  (await as('super')(loginAs, { musercode: 'M_CHENGUANG', userid: 'U_CHEN', reason: '协助排查问题' })).token;

test('of all seats only the counsellor reads and writes the note', async () => {
  const { server, raw, consultid } = await noted();
  const tokens: Record<string, string> = {
    ...(await signInRoles(server)),
    actingInHer: await actAsChen(server),
    colleague: 'qiao',
  };
  for (const [seat, token] of Object.entries(tokens)) {
    const read = await raw(getConsultNote.name, token, { consultid });
    const written = await raw(saveConsultNote.name, token, { consultid, note: '改写', updatetime: null });
    const isHers = seat === 'psychologist';
    expect([seat, read.errorCode === 0, JSON.stringify(read).includes(secret)]).toEqual([seat, isHers, isHers]);
    // Her own save without the latest version is refused too, but as a conflict.
    expect([seat, written.errorCode === 140001]).toEqual([seat, isHers]);
  }
  expect(Object.keys(roles).every((role) => tokens[role as Role] !== undefined)).toBe(true);
});

test('every account within reach that tries is refused; the attempt is audited and the counsellor gets a message', async () => {
  const { server, raw, as, consultid, attempts, messages, cuserid, sqlAsOwner } = await noted();
  const acting = await actAsChen(server);
  for (const token of ['super', 'fang', 'ma', 'lu', 'nobody', acting]) await raw(getConsultNote.name, token, { consultid });
  expect((await attempts()).map(({ accountid, loginasby }) => [accountid, loginasby === null])).toEqual([
    ['AS000001', true],
    ['U_FANG', true],
    ['U_MA', true],
    ['U_LU', true],
    ['U_NOBODY', true],
    ['U_CHEN', false],
  ]);
  const notices = await messages();
  expect(notices.map(({ userid }) => userid)).toEqual(Array.from({ length: 6 }, () => 'U_CHEN'));
  expect(notices.filter(({ content }) => content.includes('林小雨') || content.includes(secret))).toEqual([]);
  expect(await sqlAsOwner("select distinct cuserids from audit.log where detail ? 'refusal'")).toEqual([{ cuserids: [cuserid] }]);
  // Another school learns nothing and leaves no trace at this one.
  await expect(as('qiao')(getConsultNote, { consultid })).rejects.toMatchObject({ code: 130001 });
  await expect(as('qiao')(getConsultNote, { consultid: 999_999 })).rejects.toMatchObject({ code: 130001 });
  expect(await messages()).toHaveLength(6);
});

test('in the database a session sees only the notes that its account wrote, and none while another account acts in it', async () => {
  const { server, target, sqlAsOwner, consultid } = await noted();
  const tokens = await signInRoles(server);
  const acting = await actAsChen(server);
  const count = async (token: string) => (await query(target, 'xinli_app', token, 'select note from consultnote')).rows.length;
  for (const [role, token] of Object.entries({ ...tokens, acting, lu: 'lu', super: 'super' }))
    expect([role, await count(token)]).toEqual([role, role === 'psychologist' ? 1 : 0]);
  expect((await query(target, 'xinli_app', 'ma', "update consultnote set note = '1.x', userid = 'U_MA'")).rowCount).toBe(0);
  expect((await query(target, 'xinli_app', acting, 'delete from consultnote')).rowCount).toBe(0);
  const forged = `insert into consultnote (consultid, cuserid, musercode, userid, note, updatetime)
    select consultid, cuserid, musercode, 'U_CHEN', '1.x', now() from consult where consultid = ${consultid}`;
  await expect(query(target, 'xinli_app', 'ma', forged)).rejects.toThrow(/row-level security/);
  await expect(query(target, 'xinli_app', acting, forged)).rejects.toThrow(/row-level security/);
  for (const role of ['xinli_respondent', 'xinli_stats', 'xinli_authn'] as const)
    await expect(query(target, role, 'chen', 'select note from public.consultnote')).rejects.toThrow(/permission denied/);
  const [row] = await sqlAsOwner<{ note: string }>('select note from consultnote');
  expect(row?.note).toMatch(/^1\./);
  expect(Buffer.from((row?.note ?? '').slice(2), 'base64url').toString('utf8')).not.toContain('外婆');
});

/** The text of an answer; a file is unpacked as far as it is a ZIP or gzip. */
async function textOf(data: unknown): Promise<string> {
  const body = (data as { body?: Readable | Uint8Array } | null)?.body;
  if (body === undefined) return JSON.stringify(data);
  const bytes = body instanceof Uint8Array ? Buffer.from(body) : await buffer(body);
  const texts = [bytes.toString('utf8')];
  if (bytes.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) texts.push(gunzipSync(bytes).toString('utf8'));
  for (let at = bytes.indexOf('PK\x03\x04'); at >= 0; at = bytes.indexOf('PK\x03\x04', at + 4)) {
    const start = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
    if (bytes.readUInt16LE(at + 8) === 8) texts.push(inflateRawSync(bytes.subarray(start), { finishFlush: 2 }).toString('utf8'));
  }
  return texts.join('\n');
}

test('no other call, list, file or message contains the text, neither for her colleagues nor for herself', async () => {
  const server = await startServer();
  const { known } = await createFixtures(server);
  const consultid = known['consultid'] as number;
  await server.as('chen')(saveConsultNote, { consultid, note: secret, isshared: 1, updatetime: null });
  rollBackCalls(server);
  const leaks: string[] = [];
  let answered = 0;
  for (const action of actions.filter(({ allow, kind }) => allow.caller === 'staff' && kind !== 'import')) {
    if (action.name === getConsultNote.name) continue;
    for (const token of ['chen', 'ma'])
      for (const request of [...probesOf(action, known).slice(0, 1), { keyword: secret }].filter(
        (body) => action.request.safeParse(body).success,
      )) {
        const answer = await server.raw(action.name, token, request);
        if (answer.errorCode === 0) answered += 1;
        const text = answer.errorCode === 0 ? await textOf(answer.data) : JSON.stringify(answer);
        const own = text.replaceAll(JSON.stringify(request), '');
        if (own.includes(secret)) leaks.push(`${token} ${action.name}`);
      }
  }
  expect(leaks).toEqual([]);
  expect(answered).toBeGreaterThan(60);
  const traces = await server.sqlAsOwner<{ place: string }>(
    `select 'audit' as place from audit.log l where l::text like '%' || $1 || '%'
     union all select 'notice' from notification n where n::text like '%' || $1 || '%'
     union all select 'log' from consultlog l where l::text like '%' || $1 || '%'
     union all select 'registration' from consult k where k::text like '%' || $1 || '%'
     union all select 'note' from consultnote n where n::text like '%' || $1 || '%'`,
    [secret],
  );
  expect(traces).toEqual([]);
});

test('after two records became one the note is still hers, and after 匿名化 it is gone', async () => {
  const { server, as, chen, cuserid, consultid, sqlAsOwner } = await noted();
  const twin = await aStudent(server, { studentno: '20250901' });
  const { mergeid, waits } = await chen(mergeCUser, { cuserid, tocuserid: twin.cuserid, reason: '学籍号和监护人一致' });
  if (waits) await as('lu')(answerMergeCUser, { mergeid, agreed: 1 });
  expect(await sqlAsOwner('select cuserid from consultnote')).toEqual([{ cuserid: twin.cuserid }]);
  expect((await chen(getConsultNote, { consultid })).note).toBe(secret);
  await expect(as('lu')(getConsultNote, { consultid })).rejects.toMatchObject({ code: 110004 });
  await anonymizeLin(server, twin.cuserid);
  expect(await sqlAsOwner('select 1 from consultnote')).toEqual([]);
});

test('a counsellor whom a case of the person suspects sees the consultation no more, nor her own note', async () => {
  const { as, chen, cuserid, consultid, sqlAsOwner } = await noted();
  const { warningcode } = await as('lu')(insertWarning, { cuserid, level: 2, content: '同学反映近来常常独自哭泣' });
  await sqlAsOwner("update warning set suspectuserids = '{U_CHEN}' where warningcode = $1", [warningcode]);
  await expect(chen(getConsultNote, { consultid })).rejects.toMatchObject({ code: 130001 });
  await expect(chen(saveConsultNote, { consultid, note: '改写' })).rejects.toMatchObject({ code: 130001 });
});

test('a note passes on only where it is marked 随案移交, and only to the colleague who takes the person over', async () => {
  for (const isshared of [0, 1] as const) {
    const { as, chen, target, consultid, cuserid, server, sqlAsOwner } = await noted({ isshared });
    const pass = async (token: string, touser: string) =>
      Number(
        (await query(target, 'xinli_app', token, `select access.pass_notes('{${consultid}}', 'U_CHEN', '${touser}') as n`))
          .rows[0].n,
      );
    // Nobody has taken the person over yet; another school is out of reach.
    expect([await pass('chen', 'U_LU'), await pass('qiao', 'U_QIAO')]).toEqual([0, 0]);
    const next = await aConsult(server, cuserid, { counsellor: 'U_LU', status: '02', slotbegin: '2025-10-15 09:00+08' });
    expect(await pass('qiao', 'U_LU')).toBe(0);
    expect(await pass('chen', 'U_LU')).toBe(isshared);
    const [reader, other] = isshared ? [as('lu'), chen] : [chen, as('lu')];
    expect((await reader(getConsultNote, { consultid })).note).toBe(secret);
    // The former counsellor of the consultation reads an empty note, a colleague nothing.
    if (isshared) expect((await other(getConsultNote, { consultid })).note).toBe('');
    else await expect(other(getConsultNote, { consultid })).rejects.toMatchObject({ code: 110004 });
    expect((await as('lu')(getConsultNote, { consultid: next })).note).toBe('');
    expect(await sqlAsOwner('select userid from consultnote')).toEqual([{ userid: isshared ? 'U_LU' : 'U_CHEN' }]);
  }
});
