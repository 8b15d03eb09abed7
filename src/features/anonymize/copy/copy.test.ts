import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { exportPersonCopy } from '#features/anonymize/anonymize.contract.ts';
import { IN_COPY, LEFT_OUT, ONLY_CODES } from '#features/anonymize/copy/leftOut.ts';
import { insertFollowUp } from '#features/care/care.contract.ts';
import * as booking from '#features/consult/booking/booking.contract.ts';
import { saveConsultNote } from '#features/consult/note/note.contract.ts';
import { revealCUser, updateCUser } from '#features/cuser/cuser.contract.ts';
import { getCUserReport } from '#features/report/report.contract.ts';
import { acceptWarning, insertWarning, verifyWarning } from '#features/warning/handling/handling.contract.ts';
import { insertSafetyPlan } from '#features/warning/plan/plan.contract.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import { takeExam } from '#testing/exam.ts';
import { aConsult, anonymizeLin, aStudent, expireStepUp, setPermission } from '#testing/factories.ts';
import { aSafetyPlan } from '#testing/safetyPlan.ts';
import { startServer, type TestServer } from '#testing/server.ts';

const checked = '核对身份证原件';

/** The copy as text by worksheet. */
async function copyOf(
  { as }: Pick<TestServer, 'as'>,
  cuserid: string,
  applicant: '01' | '02' = '01',
  who: 'chen' | 'lu' = 'chen',
) {
  const { filename, body } = (await as(who)(exportPersonCopy, { cuserid, applicant, checked })) as {
    filename: string;
    body: Readable;
  };
  const { others = [], ...first } = await readWorkbook(await buffer(body), filename);
  const sheets = [first, ...others];
  const text = (name: string) =>
    sheets
      .find((sheet) => sheet.sheetname === name)
      ?.rows.map((row) => row.join(' | '))
      .join('\n');
  return { names: sheets.map(({ sheetname }) => sheetname), text, all: sheets.flatMap(({ rows }) => rows.flat()).join('\n') };
}

/** 林小雨 has answered, was consulted, and has a closed case with a safety plan. */
async function known() {
  const server = await startServer();
  const { as, clock } = server;
  const lin = await aStudent(server);
  const { cuserid } = lin;
  await as('chen')(updateCUser, { cuserid, version: 1, phonenumber: '13800001111' });
  await takeExam(server, lin, { PHQ9: '0 0 0 0 0 0 0 0 0 0', GAD7: '0 0 0 0 0 0 0' });
  const consultid = await aConsult(server, cuserid);
  const slot = { counsellor: 'U_CHEN', slotbegin: '2025-10-09 14:00', slotend: '2025-10-09 14:50' };
  await as('chen')(booking.appointConsult, { consultid, ...slot });
  clock.now = new Date('2025-10-09T07:00:00Z');
  await as('chen')(booking.finishConsult, { consultid, currentlevel: 1, outcome: '02', summary: '学业压力已缓解' });
  await as('chen')(saveConsultNote, { consultid, note: '反移情：让我想到自己的妹妹' });
  await as('chen')(insertFollowUp, { cuserid, duetime: '2025-10-20 10:00' });
  return { ...server, server, cuserid };
}

async function reported({ as }: Pick<TestServer, 'as'>, cuserid: string) {
  const { warningcode } = await as('chen')(insertWarning, { cuserid, level: 2, content: '同学周明反映她常常独自哭泣' });
  await as('chen')(acceptWarning, { warningcode });
  await as('chen')(verifyWarning, { warningcode, contactresult: '01', content: '与学生面谈，了解近况' });
  await as('chen')(insertSafetyPlan, { warningcode, ...aSafetyPlan() });
  const close = () =>
    as('chen')(verifyWarning, { warningcode, contactresult: '01', content: '当面核实，系同学误会，无自伤想法', falsealarm: 1 });
  return { warningcode, close };
}

test('the copy has base data, answers with scores, the shared summary of a consultation, and who looked at the data', async () => {
  const { server, as, cuserid } = await known();
  await as('lu')(revealCUser, { cuserid });
  const { text, names } = await copyOf(server, cuserid);
  expect(names[0]).toBe('说明');
  expect(text('基本资料')).toContain('本人 | 姓名 | 林小雨');
  expect(text('基本资料')).toContain('本人 | 电话 | 13800001111');
  expect(text('基本资料')).toMatch(/档案 \S+ \| 学号 \| 20230301/);
  expect(text('测评')).toContain('已提交');
  expect(text('得分')).toMatch(/抑郁/);
  expect(text('作答')).toContain('完全不会');
  expect(text('同意与撤回')).toContain('测评与信息处理 | 本人，同意');
  expect(text('咨询')).toContain('学业压力已缓解');
  expect(text('随访与干预')).toContain('随访');
  expect(text('谁看过')).toMatch(/心理教师\/医生 \| 云栖市晨光中学 \| .*查看/);
  expect(text('谁看过')).not.toContain('陆远');
});

test('the copy has the report only after it was shown to the person, in the words for the person', async () => {
  const { server, as, cuserid, sqlAsOwner } = await known();
  const [report] = await sqlAsOwner<{ reportcode: string }>('select reportcode from report');
  await as('chen')(getCUserReport, { reportcode: report?.reportcode ?? '' });
  await sqlAsOwner('update report set isshow = 0');
  expect((await copyOf(server, cuserid)).text('报告')).toContain('没有记录');
  await sqlAsOwner('update report set isshow = 1, status = 2');
  expect((await copyOf(server, cuserid)).text('报告')).toMatch(/PHQ|抑郁|情绪/);
});

test('the private note of the counsellor and the words of a case are in no copy, and the copy says which kinds it leaves out', async () => {
  const { server, cuserid } = await known();
  const { close } = await reported(server, cuserid);
  await close();
  const { all, text } = await copyOf(server, cuserid);
  expect(all).not.toMatch(/反移情|周明|了解近况|误会/);
  expect(text('个案')).toMatch(/开案[\s\S]*结案/);
  expect(text('安全计划')).toContain('整夜睡不着');
  for (const { name, ground, reason } of LEFT_OUT) expect(text('说明')).toContain(`${name} | ${ground} | ${reason}`);
});

test('a case that is not closed is not in the copy, neither are the looks at it; only the safety plan is', async () => {
  const { server, as, cuserid } = await known();
  const before = await copyOf(server, cuserid);
  const { close } = await reported(server, cuserid);
  const during = await copyOf(server, cuserid);
  expect(during.text('个案')).toContain('没有记录');
  expect(during.text('谁看过')).not.toMatch(/预警|个案/);
  expect(during.text('安全计划')).toContain('整夜睡不着');
  expect(during.text('说明')?.split('\n').slice(1)).toEqual(before.text('说明')?.split('\n').slice(1));
  await close();
  expect((await copyOf(server, cuserid)).text('个案')).toContain('结案');
  await as('chen')(revealCUser, { cuserid });
});

test('the copy for a guardian has no case, no safety plan, no follow-up and no consultation that the person did not open', async () => {
  const { server, cuserid, sqlAsOwner } = await known();
  const { close } = await reported(server, cuserid);
  await close();
  await sqlAsOwner('update consult set guardianopen = 0');
  const { names, text, all } = await copyOf(server, cuserid, '02');
  expect(names).not.toEqual(expect.arrayContaining(['个案']));
  expect(names.filter((name) => ['个案', '安全计划', '随访与干预'].includes(name))).toEqual([]);
  expect(text('咨询')).toContain('没有记录');
  expect(all).not.toMatch(/学业压力|整夜睡不着/);
  expect(text('谁看过')).not.toMatch(/预警|咨询/);
  await sqlAsOwner('update consult set guardianopen = 1');
  expect((await copyOf(server, cuserid, '02')).text('咨询')).toContain('学业压力已缓解');
});

test('a copy asks for a step-up, leaves an audit row with the applicant, and needs every right that reads a part of it', async () => {
  const { server, as, cuserid, sqlAsOwner } = await known();
  await copyOf(server, cuserid);
  expect(
    await sqlAsOwner(
      `select cuserids, minors, kind, detail->>'applicant' as applicant, detail->>'checked' as checked from audit.log
       where action = 'as.m.cuser.exportPersonCopy'`,
    ),
  ).toEqual([{ cuserids: [cuserid], minors: 1, kind: 'export', applicant: '01', checked }]);
  await expect(as('qiao')(exportPersonCopy, { cuserid, applicant: '01', checked })).rejects.toMatchObject({ code: 130001 });
  await expect(as('wang')(exportPersonCopy, { cuserid, applicant: '01', checked })).rejects.toMatchObject({ code: 110004 });
  await expect(as('chen')(exportPersonCopy, { cuserid, applicant: '01', checked: '' })).rejects.toMatchObject({ code: 120002 });
  await setPermission(server, 'U_LU', '00047', 'deny');
  await expect(copyOf(server, cuserid, '01', 'lu')).rejects.toMatchObject({ code: 110004 });
  await expireStepUp(server, 'U_CHEN');
  await expect(copyOf(server, cuserid)).rejects.toMatchObject({ code: 110007 });
});

test('nobody makes a copy of a person whose case suspects them, nor after 匿名化', async () => {
  const { server, as, cuserid, sqlAsOwner } = await known();
  const { close, warningcode } = await reported(server, cuserid);
  await sqlAsOwner(`update warning set suspectuserids = '{U_LU}' where warningcode = $1`, [warningcode]);
  await expect(copyOf(server, cuserid, '01', 'lu')).rejects.toMatchObject({ code: 130001 });
  await sqlAsOwner(`update warning set suspectuserids = '{}'`);
  await close();
  await anonymizeLin(server, cuserid);
  await expect(as('chen')(exportPersonCopy, { cuserid, applicant: '01', checked })).rejects.toMatchObject({ code: 140001 });
});

test('the copy knows every table with a code of a person: a new table must choose', async () => {
  const { sqlAsOwner } = await startServer();
  const tables = await sqlAsOwner<{ name: string }>(
    `select distinct c.table_schema || '.' || c.table_name as name
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.column_name ~ 'cuserids?$' and t.table_type = 'BASE TABLE' and c.table_schema not in ('pg_catalog', 'information_schema')
     order by 1`,
  );
  const chosen = [...Object.keys(IN_COPY), ...Object.keys(ONLY_CODES), ...LEFT_OUT.flatMap((kind) => kind.tables)];
  expect(tables.map(({ name }) => name)).toEqual([...chosen].sort());
  expect(new Set(chosen).size).toBe(chosen.length);
});
