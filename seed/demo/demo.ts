import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { fromShanghai, shanghaiDate } from '#domain/base/calendar.ts';
import { schoolYearOf } from '#domain/person/grades.ts';
import { periodOf } from '#domain/release/period.ts';
import { passwordHash } from '#contract/passwordHash.ts';
import { demoAnchor } from '#server/config.ts';
import { hashPassword } from '#server/security/password.ts';
import { hashToken } from '#server/dispatch/caller.ts';
import type { Services } from '#server/dispatch/services.ts';
import { localGateway } from '#server/pay/localGateway.ts';
import { asPlatform, platform, seedReference } from '#seed/reference.ts';
import { publish } from '#features/release/publish.ts';
import { judgeAllOpenSheets } from '#features/respond/review/judgeOpenSheets.ts';
import { reconcile } from '#features/warning/reconcile/reconcile.ts';
import { escalateOverdue } from '#features/warning/alerts/escalate.ts';
import { expireCounts } from '#features/assesscount/expiry/expireCounts.ts';
import { callsOf } from '#seed/demo/calls.ts';
import { requestExportApprovals } from '#seed/demo/events/approvals.ts';
import { authorizePersons, grantCounts, openWallet } from '#seed/demo/tenants/counts.ts';
import { demoPassword, insertInstitutions, institutions } from '#seed/demo/tenants/institutions.ts';
import { datesOf } from '#seed/demo/content/dates.ts';
import type { DemoRun, Size } from '#seed/demo/run.ts';
import { fillDataset } from '#seed/demo/dataset.ts';
import { students } from '#seed/demo/screenings.ts';

/** The options of `fillDemo`. */
export interface DemoOptions {
  /** the time of "now"; default: DEMO_ANCHOR (`YYYY-MM-DD HH:mm`) or the present */
  anchor?: Date;
  size?: Size;
  seed?: number;
}
interface Mark {
  state: 'filling' | 'done';
  anchor: string;
  size: Size;
}

const anchorOf = (text: string | undefined) => (text ? fromShanghai(text.length === 10 ? `${text} 17:00` : text) : new Date());

/**
 * Fills an empty installation with the fictional institutions, staff and persons of the demonstration. Returns false when the
 * installation is already filled, or in other use. It removes an interrupted filling and starts again.
 * @param client a connection of the database's owner; the server does not listen yet
 */
export async function fillDemo(
  services: Services,
  client: pg.ClientBase,
  log: (line: string) => void,
  options: DemoOptions = {},
): Promise<boolean> {
  const { anchor = anchorOf(demoAnchor()), size = 'm', seed = 20250906 } = options;
  // With two servers on one database the second one waits here and then returns false.
  await client.query("select pg_advisory_lock(hashtext('xinli demo'))");
  try {
    const before = await stateOf(client);
    if (before === 'done' || before === 'used') return false;
    log('正在生成演示数据…');
    if (before === 'filling') await removeFilling(client);
    const pwdhash = await hashPassword(passwordHash(demoPassword), services.cipher.pepper);
    const mark = (state: Mark['state']): Mark => ({ state, anchor: anchor.toISOString(), size });
    await asPlatformInTransaction(client, async () => {
      await insertInstitutions(client, pwdhash);
      await openWallet(client, datesOf(anchor).day(-410, '09:00'));
      await setMark(client, mark('filling'));
    });
    const gateway = () => localGateway({ secret: randomBytes(32).toString('hex'), publicUrl: services.publicUrl });
    const gateways = { '01': gateway(), '02': gateway() };
    const filling = { ...services, gateways };
    const calls = callsOf(filling);
    await grantCounts(calls, datesOf(anchor));
    const token = randomBytes(32).toString('base64url');
    await asPlatformInTransaction(client, () => openPlatformSession(client, token));
    const asSuper = (time: Date) => calls.with(token, time);
    await fillDataset({
      ...{ calls, services: filling, gateways, dates: datesOf(anchor), seed, size, log },
      ...{ asPlatform: asSuper, withFlag: flagger(client) },
    });
    await client.query('delete from auth.session where tokenhash = $1', [hashToken(token)]);
    // Run the recurring jobs of the server at the times when they would have run.
    failOn(await judgeAllOpenSheets(services, anchor));
    const hoursAgo = (hours: number) => new Date(anchor.getTime() - hours * 3_600_000);
    for (const time of [29, 22, 14, 6, 0].map(hoursAgo)) {
      failOn(await escalateOverdue(services, time));
    }
    await authorizePersons(calls, datesOf(anchor));
    await requestExportApprovals(calls, datesOf(anchor));
    await expireCounts(services.pools, anchor);
    // The bureau reads what is published: earlier terms were released after their end, the present one as its dates say.
    const autumn = schoolYearOf(shanghaiDate(anchor)).slice(0, 4);
    for (const time of [`${autumn}-02-08 02:00`, `${autumn}-08-08 02:00`].map(fromShanghai))
      if (time < anchor) await publish(services, time);
    await publish(services, anchor);
    // The duty bar begins with a full comparison of answers, log and cases.
    failOn(await reconcile(services, 'nightly', anchor));
    await calls.signOut();
    await asPlatformInTransaction(client, async () => {
      await client.query('update auth.account set pwdhash = $2 where accountid = $1', [platform.musercode, pwdhash]);
      await setMark(client, mark('done'));
    });
    return true;
  } finally {
    await client.query("select pg_advisory_unlock(hashtext('xinli demo'))");
  }
}

/**
 * Returns a function that flags a school as the nightly count of a past day did. The row exists during `work` only: a real count of
 * that day would release terms whose persons the demonstration has not created yet.
 */
const flagger =
  (client: pg.ClientBase): DemoRun['withFlag'] =>
  async (musercode, time, work) => {
    const { year, term } = periodOf(students, shanghaiDate(time));
    const change = (sql: string, ...more: Date[]) =>
      asPlatformInTransaction(client, async () => {
        await client.query(sql, [musercode, students, year, term, ...more]);
      });
    await change(
      `insert into publishedunit (musercode, appid, year, term, sector, hasoverdue, datatime) values ($1, $2, $3, $4, 'edu', true, $5)`,
      time,
    );
    const result = await work();
    await change('delete from publishedunit where musercode = $1 and appid = $2 and year = $3 and term = $4');
    return result;
  };

/** Opens a session of the super account. It ends when the demonstration is filled. */
const openPlatformSession = async (client: pg.ClientBase, token: string): Promise<void> => {
  await client.query(
    `insert into auth.session (tokenhash, kind, musercode, accountid, expiretime, idle)
     values ($1, 'staff', $2, $2, now() + interval '1 hour', '1 hour')`,
    [hashToken(token), platform.musercode],
  );
};

/** Throws the first error of a recurring job. */
function failOn({ failed }: { failed: readonly { error: string }[] }): void {
  if (failed[0]) throw new Error(failed[0].error);
}

async function asPlatformInTransaction(client: pg.ClientBase, work: () => Promise<void>) {
  await client.query('begin');
  try {
    await asPlatform(client, work);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

const setMark = (client: pg.ClientBase, mark: Mark) =>
  client.query(
    `insert into setting (musercode, key, value) values ($1, 'demo', $2)
     on conflict (musercode, key) do update set value = excluded.value, updatetime = now()`,
    [platform.musercode, JSON.stringify(mark)],
  );

/** Returns the state of the installation. `used`: it has other data, so the demonstration never changes it. */
async function stateOf(client: pg.ClientBase): Promise<Mark['state'] | 'empty' | 'used'> {
  let state: Mark['state'] | 'empty' | 'used' = 'used';
  await asPlatformInTransaction(client, async () => {
    const { rows: marks } = await client.query<{ value: Mark }>(
      "select value from setting where musercode = $1 and key = 'demo'",
      [platform.musercode],
    );
    const { rows: accounts } = await client.query<{ pwdhash: string }>('select pwdhash from auth.account where accountid = $1', [
      platform.musercode,
    ]);
    const { rows: tenants } = await client.query<{ musercode: string }>('select musercode from muser where musercode <> $1', [
      platform.musercode,
    ]);
    const hasDemoOnly = tenants.every(({ musercode }) => institutions.some((institution) => institution.musercode === musercode));
    // The super account gets its password last. When it has one, people may already use this installation.
    const isUnused = accounts[0]?.pwdhash === '' && hasDemoOnly;
    const mark = marks[0]?.value.state;
    if (mark === 'done') state = 'done';
    else if (mark === 'filling') state = isUnused ? 'filling' : 'used';
    else state = isUnused && tenants.length === 0 ? 'empty' : 'used';
  });
  return state;
}

/**
 * Removes an unfinished filling. No other data can exist: the server never listened, and the super account has no password.
 * The audit log and its rollup stay, because they are append-only. rollup.watermark stays too: the schema wrote its only row.
 */
async function removeFilling(client: pg.ClientBase) {
  await client.query('begin');
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'auth') or (schemaname = 'rollup' and tablename like 'ledger%')
     order by 1`,
  );
  // The case log refuses its removal. Its owner may lift that, and nobody has read this log yet.
  const guarded = ['warning', 'warninglog', 'casewitness'];
  for (const table of guarded) await client.query(`alter table ${table} disable trigger never_truncated`);
  await client.query(`truncate ${rows.map(({ name }) => name).join(', ')}`);
  for (const table of guarded) await client.query(`alter table ${table} enable trigger never_truncated`);
  await client.query('commit');
  await seedReference(client);
}
