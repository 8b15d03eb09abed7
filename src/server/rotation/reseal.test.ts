import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { addHours } from '#domain/base/calendar.ts';
import * as care from '#features/care/care.contract.ts';
import * as cuser from '#features/cuser/cuser.contract.ts';
import * as report from '#features/report/report.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import { reconcile } from '#features/warning/reconcile/reconcile.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { asOwner } from '#server/db/roles.ts';
import { reseal } from '#server/rotation/reseal.ts';
import { COPY_COLUMNS, ENCRYPTED_COLUMNS, SECRET_HASHES, WRAPPED_COLUMNS } from '#server/sealing/encryptedColumns.ts';
import { SEALED_COLUMNS } from '#server/sealing/sealedColumns.ts';
import { FieldCipher } from '#server/security/fieldCipher.ts';
import { MasterKey } from '#server/security/keyring.ts';
import { takeExam } from '#testing/exam.ts';
import { aSafetyPlan } from '#testing/safetyPlan.ts';
import { addClass } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** A case of 林小雨 with texts and telephones in most tables, and 苏晓 with an ID number. */
async function startWithCase() {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { pupils } = await addClass(server, {
    teamname: '初二3班',
    names: ['林小雨'],
    owneruserid: 'U_WANG',
    birthday: '2011-07-08',
  });
  const [pupil] = pupils as [(typeof pupils)[number]];
  await takeExam(server, pupil, { PHQ9: '2 2 2 2 2 2 2 1 1 1', GAD7: '2 1 1 1 1 1 1' });
  const chen = server.as('chen');
  const { warningcode } = (await chen(warning.getWarningPageList, {})).rows[0]!;
  server.clock.now = addHours(server.clock.now, 1);
  await chen(handling.acceptWarning, { warningcode });
  await chen(handling.verifyWarning, { warningcode, contactresult: '01', content: '与学生面谈，近来睡不着' });
  await chen(handling.insertRiskAssess, {
    warningcode,
    ideation: 1,
    attempthistory: 0,
    support: 2,
    conclusionlevel: 3,
    note: '愿意求助',
    safetyplan: aSafetyPlan({ warningsigns: '整夜不睡' }),
  });
  await chen(handling.notifyGuardian, { warningcode, guardianname: '林建国', method: '01', content: '已电话说明情况' });
  await chen(handling.startIntervene, { warningcode });
  await chen(care.insertInterfere, {
    cuserid: pupil.cuserid,
    warningcode,
    kind: '05',
    content: '与家长沟通作息',
    begintime: '2025-10-10 14:30',
  });
  const [made] = await server.sqlAsOwner<{ reportcode: string }>('select reportcode from report');
  await chen(report.updateReport, { reportcode: made!.reportcode, version: 1, conclusion: '需要关注', advice: '每周面谈' });
  const su = await server.as('lin')(cuser.insertCUser, {
    appid: '000000001',
    username: '苏晓',
    gender: '02',
    phonenumber: '13800001111',
    archive: { lmpdate: '2025-03-01' },
  });
  await server.raw('as.m.cuser.updateCUser', 'lin', { cuserid: su.cuserid, idno: '11010519491231002X' });
  const { cipher } = server.services;
  await server.sqlAsOwner(`insert into auth.totp (accountid, sealed) select 'U_CHEN', $1`, [
    cipher.encrypt('M_CHENGUANG', 'auth.totp.U_CHEN', 'JBSWY3DPEHPK3PXP'),
  ]);
  const owner = new pg.Client(asOwner(server.target));
  await owner.connect();
  onTestFinished(() => owner.end());
  return { server, owner, cipher, warningcode, pupil, su };
}

/** Makes a new key the current one of a running server. */
function rotate(cipher: FieldCipher): MasterKey {
  const key = MasterKey.of(randomBytes(32), true);
  cipher.use({ keys: [...cipher.ring.keys, key], current: key });
  return key;
}

/** Every stored text of the database as it is, with its place. */
async function findTexts({ sqlAsOwner }: TestServer, words: RegExp): Promise<string[]> {
  const columns = await sqlAsOwner<{ schema: string; name: string; column: string }>(
    `select n.nspname as schema, c.relname as name, a.attname as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
       join pg_type t on t.oid = a.atttypid
     where n.nspname in ('public', 'auth', 'audit') and c.relkind = 'r' and a.attnum > 0
       and not a.attisdropped and t.typname in ('text', '_text', 'varchar', 'json', 'jsonb')`,
  );
  const found = new Set<string>();
  for (const { schema, name, column } of columns) {
    const rows = await sqlAsOwner<{ stored: Buffer }>(
      `select convert_to("${column}"::text, 'UTF8') as stored from "${schema}"."${name}" where "${column}" is not null`,
    );
    for (const { stored } of rows) if (words.test(stored.toString('utf8'))) found.add(`${schema}.${name}.${column}`);
  }
  return [...found].sort();
}

test('every column that a feature encrypts, and every hash with a key, is in a list of what a rotation does with it', async () => {
  const { sqlAsOwner } = await startServer();
  const rows = await sqlAsOwner<{ name: string }>(
    `select case n.nspname when 'public' then '' else n.nspname || '.' end || c.relname || '.' || a.attname as name
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'auth', 'access', 'audit', 'rollup', 'ref') and c.relkind = 'r' and a.attnum > 0
       and not a.attisdropped and a.attname ~ '(sealed|hash|secret)$' order by 1`,
  );
  const names = (list: Readonly<Record<string, Readonly<Record<string, unknown>>>>) =>
    Object.entries(list).flatMap(([table, columns]) => Object.keys(columns).map((column) => `${table}.${column}`));
  const encrypted = names(ENCRYPTED_COLUMNS);
  const hashes = Object.entries(ENCRYPTED_COLUMNS).flatMap(([table, columns]) =>
    Object.values(columns).flatMap(({ hash }) => (hash ? [`${table}.${hash.column}`] : [])),
  );
  const secrets = Object.entries(SECRET_HASHES).map(([table, { column }]) => `${table}.${column}`);
  /** Hashes without a key of ours: of tokens with 256 bits, of contents, of the chains. */
  const unkeyed = [
    'audit.chainstart.oldhash',
    'auth.apikey.tokenhash',
    'auth.calendarfeed.secrethash',
    'auth.challenge.challengehash',
    'auth.passkeychallenge.challengehash',
    'auth.keycheck.resealed',
    'auth.session.boundhash',
    'auth.session.parenthash',
    'auth.session.tokenhash',
    'auth.trusteddevice.cookiehash',
    'aijob.inputhash',
    'casewitness.hash',
    'formversion.definitionhash',
    'planform.definitionhash',
    'reconcilerun.tablehash',
    'ref.migration.hash',
    'replaytrial.contenthash',
    'warninglog.hash',
    'warninglog.prevhash',
  ];
  const known = new Set([...encrypted, ...hashes, ...names(WRAPPED_COLUMNS), ...secrets, ...unkeyed]);
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  // What the list of sealed columns leaves to its feature is encrypted by it.
  const own = Object.entries(SEALED_COLUMNS).flatMap(([table, columns]) =>
    Object.entries(columns).flatMap(([column, sealing]) => (sealing === 'own' ? [`${table}.${column}`] : [])),
  );
  expect(own.filter((name) => !encrypted.includes(name))).toEqual([]);
  expect(Object.keys(COPY_COLUMNS)).toEqual(['cusermerge']);
});

test('after a rotation nothing opens with the old key, all is read as before, and nothing counts as an edit', async () => {
  const { server, owner, cipher, warningcode, pupil, su } = await startWithCase();
  const [old] = cipher.ring.keys as [MasterKey];
  const read = async () => ({
    case: await server.as('chen')(warning.getWarningDetail, { warningcode }),
    pupil: await server.as('chen')(cuser.revealCUser, { cuserid: pupil.cuserid }),
    su: await server.as('lin')(cuser.revealCUser, { cuserid: su.cuserid }),
  });
  const before = await read();
  const oldTexts = new RegExp(`sealed\\.1\\.${cipher.texts.keyid}`);
  expect((await findTexts(server, oldTexts)).length).toBeGreaterThan(8);
  const key = rotate(cipher);
  const { values, broken } = await reseal(owner, cipher);
  expect(broken).toEqual([]);
  expect(values).toBeGreaterThan(20);
  expect(await findTexts(server, oldTexts)).toEqual([]);
  const withOld = new FieldCipher({ keys: [old], current: old });
  const asOld = await reseal(owner, withOld, { dry: true });
  expect(asOld.broken.map(({ place }) => place)).toEqual(
    expect.arrayContaining(['auth.totp.sealed', 'cuser.phonesealed', 'safetyplan.helpers']),
  );
  // The old key is removed: what it left proves, and the new key opens all.
  const left = old.remove(['blind:M_RENAI', 'blind:M_CHENGUANG']);
  cipher.use({ keys: [left, key], current: key });
  expect(await reseal(owner, cipher)).toMatchObject({ values: 0, broken: [] });
  expect(await read()).toEqual(before);
  expect((await server.as('lin')(cuser.getCUserPageList, { keyword: '13800001111' } as never)).rows).toHaveLength(1);
  const { reports } = await reconcile(server.services, 'nightly', addHours(server.clock.now, 20));
  expect(reports.M_CHENGUANG?.difflist).toEqual([]);
});

test('a pass that was cut off goes on, and a value that somebody saves meanwhile stays', async () => {
  const { server, owner, cipher, su } = await startWithCase();
  rotate(cipher);
  let tables = 0;
  await reseal(owner, cipher, { isStopping: () => tables > 6, tell: () => void (tables += 1) });
  const { values: left } = await reseal(owner, cipher, { dry: true });
  expect(left).toBeGreaterThan(0);
  // Between reading and writing a row somebody saves another telephone.
  const [query, calls] = [owner.query.bind(owner), { isSaved: false }];
  owner.query = (async (sql: string, values: unknown[]) => {
    if (!calls.isSaved && sql.startsWith('update public.cuser t set phonesealed')) {
      calls.isSaved = true;
      await server.as('lin')(cuser.updateCUser, { cuserid: su.cuserid, phonenumber: '13800009999' } as never);
    }
    return query(sql, values);
  }) as typeof owner.query;
  await reseal(owner, cipher);
  expect(calls.isSaved).toBe(true);
  expect(await server.as('lin')(cuser.revealCUser, { cuserid: su.cuserid })).toMatchObject({ phonenumber: '13800009999' });
  expect(await reseal(owner, cipher, { dry: true })).toMatchObject({ values: 0, broken: [] });
  expect(await server.as('lin')(cuser.revealCUser, { cuserid: su.cuserid })).toMatchObject({ phonenumber: '13800009999' });
});

test('plain texts from before the sealing are sealed, and the case log still verifies; a changed one is told', async () => {
  const { server, owner, cipher, warningcode } = await startWithCase();
  await makePlain(owner, warningcode);
  const compare = async () => {
    server.clock.now = addHours(server.clock.now, 24);
    const { reports } = await reconcile(server.services, 'nightly', server.clock.now);
    return reports.M_CHENGUANG?.difflist;
  };
  const plain = await findTexts(server, /旧文字/);
  expect(plain).toEqual([
    'public.interfere.content',
    'public.report.conclusion',
    'public.warninglog.content',
    'public.warninglog.detail',
  ]);
  expect(await compare()).toEqual([]);
  const edits = () => owner.query('select version, edits, updatetime from interfere').then(({ rows }) => rows as unknown[]);
  const before = await edits();
  await reseal(owner, cipher);
  expect(await findTexts(server, /旧文字/)).toEqual([]);
  expect(await edits()).toEqual(before);
  expect(await compare()).toEqual([]);
  const detail = JSON.stringify(await server.as('chen')(warning.getWarningDetail, { warningcode }));
  expect(detail).toContain('旧文字“睡不着”\\n1.50');
  // Somebody with the tables and the key of texts changes a line.
  await asReseal(owner, 'update warninglog set content = $1 where warningcode = $2 and seq = 2', [
    cipher.texts.seal('本人说一切都好'),
    warningcode,
  ]);
  expect(JSON.stringify(await compare())).toContain('记录第 2 行被修改');
  // Outside of a reseal the log does not change, and a reseal changes no other column.
  await expect(server.sqlAsOwner("update warninglog set content = 'x' where seq = 1")).rejects.toThrow('append-only');
  await expect(asReseal(owner, "update warninglog set operator = 'x' where seq = 1", [])).rejects.toThrow('append-only');
});

/** Runs a statement of the owner as a pass does. */
async function asReseal(owner: pg.Client, sql: string, values: unknown[]) {
  await owner.query(
    "begin; select set_config('app.session', encode(sha256('super'), 'hex'), true), set_config('app.reseal', 'on', true)",
  );
  await owner.query(sql, values).then(
    () => owner.query('commit'),
    async (error: unknown) => {
      await owner.query('rollback');
      throw error;
    },
  );
}

/** Makes the texts of a case plain, as a version before the sealing wrote them: lines of the log with hashes over plain words. */
async function makePlain(owner: pg.Client, warningcode: string) {
  await owner.query(`alter table warninglog disable trigger append_only; alter table casewitness disable trigger append_only`);
  await asReseal(
    owner,
    `do $$ declare l record; prev text := ''; begin
       for l in select * from warninglog where warningcode = '${warningcode}' order by seq loop
         update warninglog w set prevhash = prev, content = '旧文字“睡不着”' || chr(10) || '1.50 第' || w.seq,
           detail = w.detail || '{"note":"旧文字 备注","score":1.50}' where w.warningcode = l.warningcode and w.seq = l.seq;
         update warninglog w set hash = access.caselog_hash(w) where w.warningcode = l.warningcode and w.seq = l.seq
           returning hash into prev;
         update casewitness set hash = prev where warningcode = l.warningcode and seq = l.seq;
       end loop;
       update interfere set content = '旧文字 沟通';
       update report set conclusion = '旧文字 结论';
     end $$`,
    [],
  );
  await owner.query(`alter table warninglog enable trigger append_only; alter table casewitness enable trigger append_only`);
}
