import { expect, test } from 'vitest';
import { addHours } from '#domain/base/calendar.ts';
import * as care from '#features/care/care.contract.ts';
import * as report from '#features/report/report.contract.ts';
import { voidExam } from '#features/staffexam/void.contract.ts';
import * as handling from '#features/warning/handling/handling.contract.ts';
import * as warning from '#features/warning/warning.contract.ts';
import { takeExam } from '#testing/exam.ts';
import { aSafetyPlan } from '#testing/safetyPlan.ts';
import { addClass } from '#testing/school.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** Every column of every table that can hold a text, as the database stores it, with the canaries that it contains. */
async function findCanaries({ sqlAsOwner }: TestServer): Promise<string[]> {
  const columns = await sqlAsOwner<{ schema: string; name: string; column: string }>(
    `select n.nspname as schema, c.relname as name, a.attname as column
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
       join pg_type t on t.oid = a.atttypid
     where n.nspname in ('public', 'auth', 'access', 'audit', 'rollup', 'submission', 'ref') and c.relkind = 'r' and a.attnum > 0
       and not a.attisdropped and t.typname in ('text', '_text', 'varchar', 'json', 'jsonb', 'bytea')`,
  );
  expect(columns.length).toBeGreaterThan(800);
  const found: string[] = [];
  for (const { schema, name, column } of columns) {
    // Bytes are not opened on their way, so the test sees what is stored.
    const rows = await sqlAsOwner<{ stored: Buffer }>(
      `select convert_to("${column}"::text, 'UTF8') as stored from "${schema}"."${name}" where "${column}" is not null`,
    );
    for (const { stored } of rows)
      for (const [canary] of stored.toString('utf8').matchAll(/金丝雀\S\S/g))
        found.push(`${schema}.${name}.${column}: ${canary}`);
  }
  return [...new Set(found)].sort();
}

test('texts of the work on a case stand in no table, and their readers read them', async () => {
  const server = await startServer({ now: '2025-10-10T06:00:00Z' });
  const { pupils } = await addClass(server, {
    teamname: '初二3班',
    names: ['林小雨', '周明'],
    owneruserid: 'U_WANG',
    birthday: '2011-07-08',
  });
  const [pupil, other] = pupils as [(typeof pupils)[number], (typeof pupils)[number]];
  const { examcode } = await takeExam(server, pupil, { PHQ9: '2 2 2 2 2 2 2 1 1 1', GAD7: '2 1 1 1 1 1 1' });
  const chen = server.as('chen');
  const { warningcode } = (await chen(warning.getWarningPageList, {})).rows[0]!;
  await chen(handling.insertWarning, { cuserid: other.cuserid, level: 3, content: '同学反映，金丝雀甲一' });
  server.clock.now = addHours(server.clock.now, 1);
  await chen(handling.acceptWarning, { warningcode });
  await chen(handling.verifyWarning, { warningcode, contactresult: '01', content: '与学生面谈，金丝雀甲二' });
  await chen(handling.insertRiskAssess, {
    warningcode,
    ideation: 1,
    attempthistory: 0,
    support: 2,
    conclusionlevel: 3,
    note: '金丝雀乙一',
    safetyplan: aSafetyPlan({
      warningsigns: '金丝雀乙二',
      coping: '金丝雀乙三',
      copies: '金丝雀乙四',
      importantthings: '金丝雀乙五',
    }),
  });
  await chen(handling.notifyGuardian, { warningcode, guardianname: '林建国', method: '01', content: '已电话说明，金丝雀丙一' });
  await chen(handling.startIntervene, { warningcode });
  await chen(handling.insertReferral, { warningcode, tohospital: '金丝雀丁一医院', reason: '金丝雀丁二', fileids: [] });
  await chen(care.insertInterfere, {
    cuserid: pupil.cuserid,
    warningcode,
    kind: '05',
    content: '与家长沟通，金丝雀戊一',
    begintime: '2025-10-10 14:30',
  });
  const [made] = await server.sqlAsOwner<{ reportcode: string }>('select reportcode from report where examcode = $1', [examcode]);
  const { reportcode } = made!;
  await chen(report.updateReport, { reportcode, version: 1, conclusion: '金丝雀己一', advice: '金丝雀己二' });
  await chen(voidExam, { examcode, reason: '金丝雀己三' });

  expect(await findCanaries(server)).toEqual([]);
  const { full } = await chen(warning.getWarningDetail, { warningcode });
  const read = JSON.stringify(full);
  for (const canary of ['甲二', '乙一', '丙一', '丁一', '丁二']) expect(read).toContain(`金丝雀${canary}`);
  // The chain of the log covers the sealed lines.
  const [chain] = await server.sqlAsOwner<{ n: number; wrong: number }>(
    `select count(*)::int as n, (count(*) filter (where l.hash <> access.caselog_hash(l)))::int as wrong from warninglog l`,
  );
  expect(chain!.n).toBeGreaterThan(5);
  expect(chain!.wrong).toBe(0);
  // A request that carries a stolen sealed text into a readable field gets no text opened.
  const [stolen] = await server.sqlAsOwner<{ stored: Buffer }>(
    `select convert_to(content, 'UTF8') as stored from interfere where content <> '' limit 1`,
  );
  const form = stolen!.stored.toString('utf8');
  expect(form).toMatch(/^sealed\.1\./);
  await chen(handling.verifyWarning, { warningcode, contactresult: '01', content: form });
  const { full: after } = await chen(warning.getWarningDetail, { warningcode });
  expect(JSON.stringify(after).split('金丝雀戊一').length).toBe(JSON.stringify(full).split('金丝雀戊一').length);
});
