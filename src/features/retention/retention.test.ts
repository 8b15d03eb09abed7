import { expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import { lastDayOf, retentionKinds } from '#domain/retention/retention.ts';
import { TABLES_OF_KIND, TABLES_WITHOUT_TERM } from '#domain/retention/tables.ts';
import { anonymizeCUser, answerAnonymization, getAnonymization } from '#features/anonymize/anonymize.contract.ts';
import { runAnonymizeJobs } from '#features/anonymize/anonymizeJobs.ts';
import { withdrawForCUser } from '#features/consent/guardian/guardian.contract.ts';
import { runConsentJobs } from '#features/consent/withdrawal/consentJobs.ts';
import * as retention from '#features/retention/retention.contract.ts';
import { runRetention } from '#features/retention/retentionJob.ts';
import { takeExam } from '#testing/exam.ts';
import { aClassOf, anonymizeLin, aStudent, aWoman, expireStepUp } from '#testing/factories.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const reason = '家长就测评结果提起诉讼';
const calm = { PHQ9: '0 0 0 0 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' };
/** The day of the sheets of the tests. */
const DAY = '2025-10-08 09:00';

/** 林小雨 of 晨光中学 has answered on 8 October 2025, and was never seen again. */
async function served() {
  const server = await startServer({ now: fromShanghai(DAY).toISOString() });
  const lin = await aStudent(server);
  await takeExam(server, lin, calm);
  await server.sqlAsOwner('update cuser set createtime = $1', [fromShanghai(DAY)]);
  const names = async () =>
    (await server.sqlAsOwner<{ username: string }>('select username from cuser order by cuserid')).map(
      ({ username }) => username,
    );
  const run = (day: string) => runRetention(server.services, fromShanghai(day));
  return { ...server, server, lin, names, run };
}

const due = async ({ as }: Pick<TestServer, 'as'>, key: string, who: 'ma' | 'lin' = 'ma') =>
  (await as(who)(retention.getRetention, {})).kinds.find((kind) => kind.key === key)?.due;

test('the record of a pupil is erased on the day after its last day, three years after the last service, and only once', async () => {
  const { server, names, run, clock, sqlAsOwner, as } = await served();
  expect(lastDayOf(fromShanghai(DAY), 36)).toBe('2028-10-08');
  expect(await run('2028-10-08 23:59')).toEqual({});
  expect(await names()).toEqual(['林小雨']);
  clock.now = fromShanghai('2028-10-09 00:00');
  expect(await due(server, 'person')).toBe(1);
  expect(await run('2028-10-09 00:00')).toMatchObject({ person: 1 });
  expect(await names()).toEqual(['已删除']);
  expect(await sqlAsOwner(`select from examform where answers <> '{}'`)).toEqual([]);
  expect(await sqlAsOwner('select from examresult limit 1')).toHaveLength(1);
  expect((await run('2028-10-09 00:10')).person).toBeUndefined();
  expect(await due(server, 'person')).toBe(0);
  expect((await as('ma')(retention.getRetention, {})).runs).toContainEqual({
    time: '2028-10-09 00:00:00',
    name: '测评档案（姓名与联系方式、作答、报告、咨询与随访记录）',
    affected: 1,
  });
});

test('the audit log has the numbers of a run and names nobody', async () => {
  const { run, sqlAsOwner } = await served();
  await run('2028-10-09 01:00');
  expect(
    await sqlAsOwner(`select musercode, title, cuserids, detail->>'person' as person from audit.log where action = 'retention'`),
  ).toEqual([{ musercode: 'M_CHENGUANG', title: '保存期限届满的清除', cuserids: [], person: '1' }]);
});

test('a later sheet begins the term anew, and a pupil of a class with an open archive is still served', async () => {
  const { server, names, run, lin, clock } = await served();
  const zhou = await aStudent(server, { username: '周明', studentno: '20230302' });
  await server.sqlAsOwner('update cuser set createtime = $1', [fromShanghai(DAY)]);
  await aClassOf(server, [zhou.cuserid]);
  clock.now = fromShanghai('2026-03-02 09:00');
  await takeExam(server, lin, calm);
  await run('2028-10-09 01:00');
  expect(await names()).toEqual(['林小雨', '周明']);
  await run('2029-03-03 01:00');
  expect(await names()).toEqual(['已删除', '周明']);
  // 周明 leaves the school: the closing of the archive is the last service.
  await server.sqlAsOwner(`update cuserarchive set status = 2, closedate = '2029-06-30' where cuserid = $1`, [zhou.cuserid]);
  await run('2032-06-30 01:00');
  expect(await names()).toEqual(['已删除', '周明']);
  await run('2032-07-01 01:00');
  expect(await names()).toEqual(['已删除', '已删除']);
});

test('the record of a hospital stays 30 years; the hospital may shorten it to 15, not further', async () => {
  const server = await startServer({ now: fromShanghai(DAY).toISOString() });
  const { as, sqlAsOwner, services } = server;
  await aWoman(server, { username: '王婷', archive: {} });
  await sqlAsOwner('update cuser set createtime = $1', [fromShanghai(DAY)]);
  const name = async () => (await sqlAsOwner<{ username: string }>('select username from cuser'))[0]?.username;
  await runRetention(services, fromShanghai('2029-01-01'));
  expect(await name()).toBe('王婷');
  await sqlAsOwner(`insert into setting (musercode, key, value) values ('M_RENAI', 'retention', '{"medical": 12}')`);
  await runRetention(services, fromShanghai('2040-10-08 12:00'));
  expect(await name()).toBe('王婷');
  await runRetention(services, fromShanghai('2040-10-09 12:00'));
  expect(await name()).toBe('已删除');
  await expect(as('ma')(retention.saveRetention, { key: 'medical', months: 360 })).rejects.toMatchObject({ code: 120002 });
});

test('a hospital is refused 匿名化 until the term of the medical record ends; a person without any service is erased', async () => {
  const server = await startServer({ now: fromShanghai(DAY).toISOString() });
  const { as, sqlAsOwner, clock } = server;
  const { cuserid } = await aWoman(server, { username: '王婷', archive: {} });
  const request = { cuserid, confirmtext: '匿名化王婷', reason: '本人书面申请删除' };
  expect((await as('lin')(getAnonymization, { cuserid })).refusal).toBe('');
  await sqlAsOwner(`insert into interfere (musercode, cuserid, kind, begintime, content) values ('M_RENAI', $1, '01', $2, '')`, [
    cuserid,
    fromShanghai(DAY),
  ]);
  const { refusal } = await as('lin')(getAnonymization, { cuserid });
  expect(refusal).toMatch(/^病历须保存至 2055-10-08，期满前不能匿名化（医疗机构病历管理规定.*精神卫生法第四十七条.*可先停用/);
  await expect(as('lin')(anonymizeCUser, request)).rejects.toMatchObject({ code: 140001, message: refusal });
  await sqlAsOwner(`insert into setting (musercode, key, value) values ('M_RENAI', 'retention', '{"medical": 180}')`);
  clock.now = fromShanghai('2040-10-08 23:59');
  expect((await as('lin')(getAnonymization, { cuserid })).refusal).toContain('2040-10-08');
  clock.now = fromShanghai('2040-10-09 00:00');
  expect((await as('lin')(getAnonymization, { cuserid })).refusal).toBe('');
  await as('lin')(anonymizeCUser, request);
});

test('an institution sets a term within the limits of the law', async () => {
  const { as, run, names } = await served();
  await expect(as('ma')(retention.saveRetention, { key: 'person', months: 121 })).rejects.toMatchObject({
    code: 120002,
    message: '保存期限须在 12 至 120 个月之间',
  });
  await expect(as('ma')(retention.saveRetention, { key: 'audit', months: 12 })).rejects.toMatchObject({ code: 120002 });
  await as('ma')(retention.saveRetention, { key: 'person', months: 12 });
  await run('2026-10-08 23:00');
  expect(await names()).toEqual(['林小雨']);
  await run('2026-10-09 01:00');
  expect(await names()).toEqual(['已删除']);
});

test('while a hold stands neither the term nor 匿名化 erases the person; after its end both may', async () => {
  const { server, as, run, names, lin, sqlAsOwner } = await served();
  const { cuserid } = lin;
  await as('chen')(retention.insertLegalHold, { cuserid, reason });
  await expect(as('lu')(retention.insertLegalHold, { cuserid, reason })).rejects.toMatchObject({
    code: 140001,
    message: '陈静怡 已保全该受测者的资料',
  });
  expect((await as('ma')(retention.getRetention, {})).holds).toBe(1);
  expect((await as('chen')(getAnonymization, { cuserid })).hold).toMatchObject({ reason, beginname: '陈静怡' });
  expect((await as('chen')(getAnonymization, { cuserid })).refusal).toBe('该受测者的资料正在保全，不能匿名化；请先解除保全');
  await expect(as('chen')(anonymizeCUser, { cuserid, confirmtext: '匿名化林小雨', reason })).rejects.toMatchObject({
    code: 140001,
  });
  await run('2028-10-09 01:00');
  expect(await names()).toEqual(['林小雨']);
  await as('lu')(retention.endLegalHold, { cuserid, reason: '诉讼已经结束' });
  await anonymizeLin(server, cuserid);
  expect(await names()).toEqual(['已删除']);
  expect(await sqlAsOwner('select reason, endreason, endname from legalhold')).toEqual([
    { reason: '已删除', endreason: '', endname: '陆远' },
  ]);
  await expect(as('chen')(retention.insertLegalHold, { cuserid, reason })).rejects.toMatchObject({ code: 140001 });
});

test('a hold that begins after the request stops the 匿名化 at the answer', async () => {
  const { as, names, lin } = await served();
  const { cuserid } = lin;
  const { anonymizationid } = await as('chen')(anonymizeCUser, { cuserid, confirmtext: '匿名化林小雨', reason });
  await as('lu')(retention.insertLegalHold, { cuserid, reason });
  await expect(as('lu')(answerAnonymization, { anonymizationid, agreed: 1 })).rejects.toMatchObject({ code: 140001 });
  expect(await names()).toEqual(['林小雨']);
});

test('a withdrawal under a hold deletes nothing, and deletes when the hold ends', async () => {
  const { as, services, lin, sqlAsOwner } = await served();
  const { cuserid } = lin;
  await as('chen')(retention.insertLegalHold, { cuserid, reason });
  await as('chen')(withdrawForCUser, { cuserid, reason: '父亲来校书面提出' });
  const answers = async () => (await sqlAsOwner(`select from examform where answers <> '{}'`)).length > 0;
  const isDone = async () => (await sqlAsOwner('select from withdrawal where donetime is not null')).length > 0;
  await runConsentJobs(services, fromShanghai('2025-12-01 01:00'));
  expect([await answers(), await isDone()]).toEqual([true, false]);
  await as('chen')(retention.endLegalHold, { cuserid, reason: '诉讼已经结束' });
  await runConsentJobs(services, fromShanghai('2025-12-01 02:00'));
  expect([await answers(), await isDone()]).toEqual([false, true]);
});

test('the database refuses to erase a held person, and a hold on a merged record holds the record that stays', async () => {
  const { server, as, sqlAsOwner, lin, run, names } = await served();
  const old = await aStudent(server, { studentno: '20190077' });
  await as('chen')(retention.insertLegalHold, { cuserid: old.cuserid, reason });
  await sqlAsOwner('update cuser set mergedinto = $2, isdeleted = 1, createtime = $3 where cuserid = $1', [
    old.cuserid,
    lin.cuserid,
    fromShanghai(DAY),
  ]);
  await run('2028-10-09 01:00');
  expect(await names()).toEqual(['林小雨', '林小雨']);
  await expect(sqlAsOwner('update cuser set erasedsince = now() where cuserid = $1', [lin.cuserid])).rejects.toThrow(
    'legal hold',
  );
  expect(await runAnonymizeJobs(server.services, fromShanghai('2028-10-09 01:00'))).toMatchObject({ erased: 0 });
});

test('messages of staff go after three years, sheets of imports and exports after one, sessions after one', async () => {
  const { as, run, sqlAsOwner, lin } = await served();
  await as('chen')(anonymizeCUser, { cuserid: lin.cuserid, confirmtext: '匿名化林小雨', reason });
  const at = [fromShanghai(DAY)];
  await sqlAsOwner('update notification set createtime = $1', at);
  await sqlAsOwner(
    `insert into job (musercode, accountid, kind, title, status, createtime)
     select 'M_CHENGUANG', userid, 'export', '受测者', s, $1 from sysuser, unnest('{1,2}'::int[]) s where userid = 'U_CHEN'`,
    at,
  );
  await sqlAsOwner(`update auth.session set expiretime = $1 where accountid = 'U_NOBODY'`, at);
  expect(await run('2026-10-08 12:00')).toEqual({});
  // A job that still runs stays.
  expect(await run('2026-10-09 01:00')).toEqual({ job: 1, session: 1 });
  expect((await run('2028-10-08 12:00')).notice).toBeUndefined();
  expect((await run('2028-10-09 01:00')).notice).toBeGreaterThan(0);
});

test('holds and terms ask for a step-up; staff of another school know neither the person nor the hold', async () => {
  const { server, as, lin } = await served();
  const { cuserid } = lin;
  await expect(as('qiao')(retention.insertLegalHold, { cuserid, reason })).rejects.toMatchObject({ code: 130001 });
  await expect(as('wang')(retention.saveRetention, { key: 'person', months: 12 })).rejects.toMatchObject({ code: 110004 });
  await expireStepUp(server, 'U_CHEN');
  await expect(as('chen')(retention.insertLegalHold, { cuserid, reason })).rejects.toMatchObject({ code: 110007 });
});

/** Tables with a person that erasing leaves as they are, with the reason. */
const STAYS: Readonly<Record<string, string>> = {
  'public.warninglog': 'the chain of a case never changes; the record shows the person without a name',
  'public.casewitness': 'copies of the facts of the chain: states, levels, codes',
  'public.assesscountlog': 'the ledger of counts: numbers and codes',
  'public.assesscode': 'a code of the person, which ends with the authorisation',
  'public.testlink': 'a link of the person, which ends with the authorisation',
  'public.cuserplan': 'what the person may answer: codes and dates',
  'public.taskroster': 'the place in a task: codes and states',
  'public.examresult': 'scores and levels without a name, for statistics',
  'public.cuserdistinct': 'two codes and who compared them',
  'public.legalhold': 'the trigger refuse_held erases the reasons',
};

test('calls, messages and sign-ins go one year after they are done, ended links and limits after thirty days; open ones stay', async () => {
  const { run, sqlAsOwner, as, lin } = await served();
  const at = [fromShanghai(DAY)];
  await sqlAsOwner(
    `insert into outbox (musercode, kind, refcode, createtime, donetime)
     select 'M_CHENGUANG', 'x', 'x', $1::timestamptz, d from unnest(array[$1::timestamptz, null]) d`,
    at,
  );
  await sqlAsOwner(
    `insert into channelmessage (musercode, channel, noticegroup, noticecount, createtime, nexttime)
     select 'M_CHENGUANG', 'mail', 'task', 1, $1::timestamptz, n from unnest(array[null, $1::timestamptz]) n`,
    at,
  );
  await sqlAsOwner(
    `insert into calllist (musercode, userid, kind, warningcode, text, createtime, acktime)
     select 'M_CHENGUANG', 'U_CHEN', 'call', 'W1', '', $1::timestamptz, a from unnest(array[$1::timestamptz, null]) a`,
    at,
  );
  await sqlAsOwner(`insert into auth.loginlog (time, loginname, ok) values ($1, 'chen', 1)`, at);
  await sqlAsOwner(`insert into auth.throttle (key, failures, since) values ('old', 1, $1), ('new', 1, now())`, at);
  const [grant] = await sqlAsOwner<{ id: number }>('select cuserplanid as id from cuserplan where cuserid = $1', [lin.cuserid]);
  await sqlAsOwner(
    `insert into testlink (musercode, cuserid, cuserplanid, way, secrethash, createby, createtime, expiretime)
     values ('M_CHENGUANG', $1, $2, '02', 'x', 'U_CHEN', $3, $3)`,
    [lin.cuserid, grant?.id, ...at],
  );
  expect(await run('2025-11-07 08:00')).toEqual({});
  expect(await run('2025-11-07 10:00')).toEqual({ technical: 2 });
  expect(await run('2026-10-08 23:00')).toEqual({});
  expect((await as('ma')(retention.getRetention, {})).kinds.find(({ key }) => key === 'delivery')).toMatchObject({ months: 12 });
  expect(await run('2026-10-09 01:00')).toMatchObject({ delivery: 3, session: 1 });
  for (const table of ['outbox', 'channelmessage', 'calllist']) expect(await sqlAsOwner(`select from ${table}`)).toHaveLength(1);
  expect(await sqlAsOwner(`select key from auth.throttle where key in ('old', 'new')`)).toEqual([{ key: 'new' }]);
});

test('every table of the database has a term or a reason without one: a new table must choose', async () => {
  const { sqlAsOwner } = await startServer();
  const tables = await sqlAsOwner<{ name: string }>(
    `select case n.nspname when 'public' then c.relname else n.nspname || '.' || c.relname end as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'auth', 'audit', 'rollup') and c.relkind in ('r', 'p') order by 1`,
  );
  const chosen = [...Object.values(TABLES_OF_KIND), ...Object.values(TABLES_WITHOUT_TERM)].flatMap((names) => names.split(' '));
  expect([...chosen].sort()).toEqual(tables.map(({ name }) => name).sort());
  const keys = retentionKinds.map(({ key }) => key);
  expect(Object.keys(TABLES_OF_KIND).filter((key) => !keys.includes(key))).toEqual([]);
});

/** Columns named like a person's code that name staff, accounts or institutions instead. */
const NOT_PERSONS: Readonly<Record<string, string>> = {
  askuserid: 'staff who asked',
  owneruserid: 'staff who own a case, a class or a person',
  suspectuserids: 'staff under suspicion',
  userid: 'staff',
  userids: 'staff who were asked',
  musercode: 'institution',
};

test('no column holds codes of persons under another name than the tests look for', async () => {
  const { as, lin, sqlAsOwner } = await served();
  await as('chen')(anonymizeCUser, { cuserid: lin.cuserid, confirmtext: '匿名化林小雨', reason });
  const columns = await sqlAsOwner<{ table: string; column: string }>(
    `select format('%I.%I', n.nspname, c.relname) as table, a.attname as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'auth', 'rollup') and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped`,
  );
  const found = new Set<string>();
  for (const { table, column } of columns)
    if ((await sqlAsOwner(`select from ${table} where "${column}"::text like $1 limit 1`, [`%${lin.cuserid}%`])).length > 0)
      found.add(column);
  expect([...found].filter((column) => !/cuserids?$/.test(column)).sort()).toEqual(['link']);
  const named = new Set(
    columns.map(({ column }) => column).filter((column) => /userids?$/.test(column) && !/cuserids?$/.test(column)),
  );
  expect([...named].filter((column) => !(column in NOT_PERSONS))).toEqual([]);
});

test('erasing knows every table with a person: a new table must choose', async () => {
  const { sqlAsOwner } = await startServer();
  const tables = await sqlAsOwner<{ name: string }>(
    `select distinct c.table_schema || '.' || c.table_name as name
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.column_name ~ 'cuserids?$' and c.table_schema in ('public', 'auth') and t.table_type = 'BASE TABLE'
     order by 1`,
  );
  const [source] = await sqlAsOwner<{ text: string }>(
    `select string_agg(pg_get_functiondef(p.oid), ' ') as text from pg_proc p
     where p.proname in ('anonymize_person', 'clear_third_parties')`,
  );
  const erases = (name: string) => new RegExp(`(update|delete from) ${name.replace('.', '\\.')}\\b`).test(source?.text ?? '');
  const unknown = tables.map(({ name }) => name).filter((name) => !erases(name));
  expect(unknown).toEqual(Object.keys(STAYS).sort());
});
