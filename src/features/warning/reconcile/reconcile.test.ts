import { describe, expect, test } from 'vitest';
import { addDays, addHours } from '#domain/base/calendar.ts';
import * as duty from '#features/warning/duty/duty.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as contract from '#features/warning/reconcile/reconcile.contract.ts';
import { reconcile, reconcileDue, tableHash } from '#features/warning/reconcile/reconcile.ts';
import { alarmSilence } from '#features/warning/reconcile/silence.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { aColleague } from '#testing/factories.ts';
import { takeExam } from '#testing/exam.ts';
import { addClass } from '#testing/school.ts';
import { startServer } from '#testing/server.ts';

const calm = { PHQ9: '0 0 0 0 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' };
/** A PHQ-9 of 17 with item 9 “several days”: level 3. */
const severe = { PHQ9: '2 2 2 2 2 2 2 2 1 1', GAD7: '2 1 1 1 1 1 1' };

/** 晨光中学: 林小雨 has a case of level 3, 周明 answered calmly, and the provider has a person on duty at night. */
async function school() {
  const server = await startServer();
  const { services, clock, sqlAsOwner } = server;
  await aColleague(server, { userid: 'U_NIGHT', musercode: 'M_ANLAN', realname: '值守员', rolekey: 'warningduty' });
  const { pupils } = await addClass(server, { teamname: '初二3班', names: ['林小雨', '周明'], birthday: '2011-07-08' });
  const [lin, zhou] = pupils as [(typeof pupils)[0], (typeof pupils)[0]];
  await takeExam(server, lin, severe);
  const { examcode } = await takeExam(server, zhou, calm);
  const [row] = await sqlAsOwner<{ warningcode: string }>('select warningcode from warning');
  const warningcode = row?.warningcode as string;
  /** Changes rows as the owner of the database, who switches the triggers off. */
  const sabotage = (sql: string) => {
    const tables = ['warning', 'warninglog', 'casewitness'];
    const switchTriggers = (to: string) => tables.map((name) => `alter table ${name} ${to} trigger user;`).join('');
    return sqlAsOwner(`${switchTriggers('disable')} ${sql}; ${switchTriggers('enable')}`);
  };
  const run = async (kind: 'hourly' | 'nightly') => {
    const { reports, failed } = await reconcile(services, kind, clock.now);
    expect(failed).toEqual([]);
    return reports['M_CHENGUANG']!;
  };
  const openCases = (username: string) =>
    sqlAsOwner<{ warningcode: string; level: number }>(
      `select warningcode, level from warning join cuser using (cuserid)
       where username = $1 and state not in ('07', '08') and warning.isdeleted = 0`,
      [username],
    );
  const gapNotices = () =>
    sqlAsOwner<{ userid: string; title: string; content: string }>(
      "select userid, title, content from notification where title like '%零漏报对账：发现%' order by userid",
    );
  return { ...server, lin, zhou, examcode, warningcode, sabotage, run, openCases, gapNotices };
}
type School = Awaited<ReturnType<typeof school>>;

const removeCase = `delete from riskassess; delete from warninglog; delete from warning`;

test('a pass over an untouched institution says from when to when it looked and finds nothing', async () => {
  const { run, clock } = await school();
  for (const kind of ['hourly', 'nightly'] as const) {
    const report = await run(kind);
    expect(report).toMatchObject({ sheets: 2, cases: 1, differences: 0, difflist: [], totime: clock.now, tablehash: tableHash });
  }
});

test('a pass reports institutions without sheets and disabled institutions too', async () => {
  const { services, clock, sqlAsOwner } = await startServer();
  await sqlAsOwner("update muser set enabled = 0 where musercode = 'M_DONGSHAN'");
  const { reports, failed } = await reconcile(services, 'nightly', clock.now);
  expect(failed).toEqual([]);
  expect(reports['M_DONGSHAN']).toMatchObject({ sheets: 0, cases: 0, differences: 0 });
  expect(Object.keys(reports)).toEqual(['M_ANLAN', 'M_CHENGUANG', 'M_DONGSHAN', 'M_RENAI']);
});

describe('a sabotage by the owner of the database', () => {
  const sabotages: [number, string, 'hourly' | 'nightly', (at: School) => Promise<unknown>, RegExp, string][] = (
    [
      [1, 'a case of today is deleted with its log', ({ sabotage }) => sabotage(removeCase), /已被删除/, '林小雨'],
      [
        2,
        'a case of three days ago is deleted with its log',
        async ({ sabotage, clock }) => {
          await sabotage(removeCase);
          clock.now = addDays(clock.now, 3);
        },
        /已被删除/,
        '林小雨',
      ],
      [
        3,
        'a case is marked as deleted',
        ({ sabotage }) => sabotage('update warning set isdeleted = 1'),
        /被标记为已删除/,
        '林小雨',
      ],
      [
        4,
        'a case is closed',
        ({ sabotage }) => sabotage("update warning set state = '07', closetime = stateat"),
        /操作记录之外被结案/,
        '林小雨',
      ],
      [5, 'the level of a case is lowered', ({ sabotage }) => sabotage('update warning set level = 1'), /级别.*被降低/, '林小雨'],
      [
        6,
        'a raw answer is inserted',
        ({ sabotage }) =>
          sabotage(`update examform set answers = answers || '{"q9": "2"}'
            where formcode = 'PHQ9' and cuserid = (select cuserid from cuser where username = '周明')`),
        /应有一级预警（PHQ-9 第9题[^）]*）/,
        '周明',
      ],
    ] as [number, string, (at: School) => Promise<unknown>, RegExp, string][]
  ).flatMap(([number, title, harm, words, username]) =>
    (number === 2 ? (['nightly'] as const) : (['hourly', 'nightly'] as const)).map((kind): (typeof sabotages)[number] => [
      number,
      title,
      kind,
      harm,
      words,
      username,
    ]),
  );

  test.each(sabotages)(
    '%i: %s: the %s pass finds it, raises it anew and says so',
    async (_n, _t, kind, harm, words, username) => {
      const at = await school();
      await harm(at);
      expect(await at.run(kind)).toMatchObject({ differences: 1, difflist: [expect.stringMatching(words)] });
      expect(await at.openCases(username)).toMatchObject([{ level: 3 }]);
      const notices = await at.gapNotices();
      expect(notices.map((note) => note.userid)).toEqual(['U_CHEN', 'U_DUTY', 'U_LU', 'U_MA', 'U_NIGHT']);
      expect(notices.find((note) => note.userid === 'U_CHEN')?.content).toMatch(words);
      expect(notices.filter((note) => note.content.includes(username)).map((note) => note.userid)).not.toContain('U_NIGHT');
      // The next pass raises nothing again and sends no notice again.
      at.clock.now = addHours(at.clock.now, 1);
      await at.run(kind);
      expect(await at.openCases(username)).toHaveLength(1);
      expect(await at.gapNotices()).toHaveLength(5);
    },
  );

  test('7: a line of the log is removed: the nightly pass finds it and a handler can go on', async () => {
    const at = await school();
    await at.as('chen')(handling.acceptWarning, { warningcode: at.warningcode });
    await at.sabotage("delete from warninglog where action = '受理'");
    expect(await at.run('nightly')).toMatchObject({
      differences: 1,
      difflist: [`个案 ${at.warningcode} 记录第 2 行被删除`],
    });
    expect((await at.gapNotices()).map((note) => note.userid)).toContain('U_CHEN');
    await at.as('chen')(handling.verifyWarning, { warningcode: at.warningcode, contactresult: '01', content: '已当面核实情况' });
    expect(await at.sqlAsOwner('select seq from warninglog order by seq')).toEqual([{ seq: 1 }, { seq: 3 }]);
  });

  test('a line of the log is changed: the nightly pass finds it', async () => {
    const at = await school();
    await at.sabotage("update warninglog set content = '没有情况' where seq = 1");
    expect(await at.run('nightly')).toMatchObject({ difflist: [`个案 ${at.warningcode} 记录第 1 行被修改`] });
  });

  test('a case is deleted with its log and the copies of its log: the answers and the notices still show it', async () => {
    const at = await school();
    await at.sabotage(`delete from casewitness; ${removeCase}`);
    const report = await at.run('hourly');
    expect(report.difflist).toEqual([
      `个案 ${at.warningcode} 已被删除，操作记录也已删除`,
      expect.stringMatching(/^答卷 E\d+ 应有一级预警（.*PHQ-9 \S*总分 17 分.*），没有找到对应个案$/),
    ]);
    expect(await at.openCases('林小雨')).toMatchObject([{ level: 3 }]);
  });

  test('the notices of a case are removed: the pass tells the staff of the unheard sign', async () => {
    const at = await school();
    await at.sqlAsOwner('delete from notification');
    expect(await at.run('hourly')).toMatchObject({ difflist: [`个案 ${at.warningcode} 的新情况没有通知到任何人`] });
    expect((await at.gapNotices()).map((note) => note.userid)).toContain('U_CHEN');
    expect(await at.run('hourly')).toMatchObject({ differences: 0 });
  });

  test('at a disabled institution, the pass finds the deleted case and notifies the provider', async () => {
    const at = await school();
    await at.sqlAsOwner("update muser set enabled = 0 where musercode = 'M_CHENGUANG'");
    await at.sabotage(removeCase);
    expect(await at.run('nightly')).toMatchObject({ differences: 1 });
    expect(await at.openCases('林小雨')).toHaveLength(1);
    expect((await at.gapNotices()).map((note) => note.userid)).toContain('U_NIGHT');
  });
});

test('a case that staff accepted, assigned and raised by the actions is no difference', async () => {
  const { as, warningcode, run } = await school();
  await as('chen')(handling.acceptWarning, { warningcode });
  await as('chen')(handling.assignWarning, { warningcode, owneruserid: 'U_LU', content: '由陆老师跟进' });
  await as('chen')(handling.updateWarningLevel, { warningcode, level: 4, reason: '家长反映发现遗书' });
  expect(await run('nightly')).toMatchObject({ cases: 1, differences: 0 });
});

test('the database refuses to remove a case, to change its log and to remove a line, for the server and for the owner', async () => {
  const { sqlAsOwner, services, warningcode } = await school();
  for (const statement of [
    'delete from warning',
    'delete from warninglog',
    "update warninglog set content = ''",
    'delete from casewitness',
    'update casewitness set level = 1',
    'truncate warninglog',
  ]) {
    await expect(sqlAsOwner(statement)).rejects.toThrow(/never removed|append-only/);
    await expect(services.pools.app.query(statement)).rejects.toThrow(/permission denied/);
  }
  expect(await sqlAsOwner('select warningcode from warning')).toEqual([{ warningcode }]);
});

test('when the duty of the provider is absent, the able colleagues are notified of differences instead', async () => {
  const at = await school();
  await at.sqlAsOwner("update sysuser set absentuntil = $1 where userid = 'U_NIGHT'", [addDays(at.clock.now, 3)]);
  await at.sabotage("update warning set state = '07', closetime = stateat");
  await at.run('hourly');
  expect((await at.gapNotices()).map((note) => note.userid)).not.toContain('U_NIGHT');
});

test('a difference older than a day reaches the authority once, until staff settle it with a note', async () => {
  const at = await school();
  const { as, clock, sqlAsOwner, run } = at;
  await at.sabotage("update warning set state = '07', closetime = stateat");
  await run('hourly');
  clock.now = addHours(clock.now, 25);
  await run('hourly');
  await run('nightly');
  const authority = await sqlAsOwner<{ title: string; content: string }>(
    "select title, content from notification where userid = 'U_ZHOU'",
  );
  expect(authority).toHaveLength(1);
  expect(authority[0]?.title).toContain('云栖市晨光中学');
  expect(authority[0]?.content).not.toContain('林小雨');
  const { differences, runs } = await as('chen')(contract.getReconcileReport, {});
  expect(runs.map((row) => row.differences)).toEqual([1, 1, 1]);
  expect(differences).toMatchObject([{ raisedcode: expect.stringMatching(/^W/), settletime: null }]);
  const { diffkey } = differences[0]!;
  await expect(as('chen')(contract.settleReconcileDiff, { diffkey, note: '已看' })).rejects.toMatchObject({ code: 120002 });
  await expect(as('wang')(contract.getReconcileReport, {})).rejects.toMatchObject({ code: 110004 });
  await as('chen')(contract.settleReconcileDiff, { diffkey, note: '已核实：数据库管理员误操作，个案已重新预警' });
  expect(await run('nightly')).toMatchObject({ differences: 0 });
});

test('the job runs each institution hourly, and nightly once between two and five', async () => {
  const { services, clock, sqlAsOwner } = await startServer({ now: '2025-10-08T12:00:00Z' });
  const runs = () =>
    sqlAsOwner<{ kind: string; n: number }>(
      "select kind, count(*)::int as n from reconcilerun where musercode = 'M_CHENGUANG' group by kind order by kind",
    );
  await reconcileDue(services, clock.now);
  await reconcileDue(services, addHours(clock.now, 0.5));
  expect(await runs()).toEqual([{ kind: 'hourly', n: 1 }]);
  await reconcileDue(services, addHours(clock.now, 1));
  expect(await runs()).toEqual([{ kind: 'hourly', n: 2 }]);
  // 20:00 in Shanghai plus seven hours is three in the morning.
  await reconcileDue(services, addHours(clock.now, 7));
  await reconcileDue(services, addHours(clock.now, 8));
  expect(await runs()).toEqual([
    { kind: 'hourly', n: 3 },
    { kind: 'nightly', n: 1 },
  ]);
});

test('the provider’s duty bar adds up the comparisons of its institutions', async () => {
  const { run, as } = await school();
  await run('hourly');
  expect((await as('fang')(duty.getDutyList, {})).reconcile).toMatchObject({ sheets: 2, cases: 1, differences: 0, silent: 0 });
});

test('two hours and one minute without a success: the duty bar is red, and administrators and provider are notified hourly', async () => {
  const { services, clock, as, run, sqlAsOwner } = await school();
  await run('hourly');
  const begin = clock.now;
  const notified = async () =>
    (
      await sqlAsOwner<{ userid: string }>(
        "select userid from notification where title like '%零漏报对账已超过 2 小时%' and userid is not null order by userid",
      )
    ).map((note) => note.userid);
  const state = async () => (await as('chen')(duty.getDutyList, {})).reconcile;
  clock.now = addHours(begin, 2);
  expect(await alarmSilence(services, clock.now)).toEqual([]);
  expect(await state()).toMatchObject({ sheets: 2, cases: 1, differences: 0, silent: 0 });
  clock.now = new Date(begin.getTime() + 121 * 60_000);
  expect(await state()).toMatchObject({ silent: 1 });
  await alarmSilence(services, clock.now);
  await alarmSilence(services, clock.now);
  const everybody = ['U_CHEN', 'U_DUTY', 'U_LIN', 'U_LU', 'U_MA', 'U_NIGHT', 'U_QIAO'];
  expect(await notified()).toEqual(expect.arrayContaining(everybody));
  const once = (await notified()).length;
  expect(await sqlAsOwner("select content from notification where userid = 'U_NIGHT' and title like '3 家机构%'")).toEqual([
    { content: '云栖市晨光中学、云栖市东山中学、云栖市仁爱妇幼保健院。请立即检查系统。' },
  ]);
  await alarmSilence(services, addHours(clock.now, 1));
  expect(await notified()).toHaveLength(2 * once);
  expect(await notified()).not.toContain('U_ZHOU');
  await alarmSilence(services, addHours(clock.now, 24));
  expect(await sqlAsOwner("select title from notification where userid = 'U_ZHOU'")).toEqual([
    { title: '2 家机构的零漏报对账已超过 24 小时没有成功' },
  ]);
  expect((await as('chen')(warning.getWarningPageList, {})).rows).toHaveLength(1);
});
