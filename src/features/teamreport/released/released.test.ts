import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { beforeAll, expect, test } from 'vitest';
import { fromShanghai } from '#domain/base/calendar.ts';
import { publish } from '#features/release/publish.ts';
import * as contract from '#features/teamreport/released/released.contract.ts';
import * as team from '#features/teamreport/teamreport.contract.ts';
import { readPdf } from '#testing/pdf/readPdf.ts';
import { insertFixtureA } from '#testing/statistics/fixtureA.ts';
import { sharedServer } from '#testing/server.ts';

/** Fixture A: 晨光中学 with 9 valid persons, 4 of them need attention, which no authority may learn. */
const server = sharedServer();
beforeAll(() => insertFixtureA(server()));

const term = { appid: '000000002', year: '2025-2026', term: '1' };
const at = (time: string) => publish(server().services, fromShanghai(time));
const list = async () =>
  (await server().as('zhou')(contract.getReleasedReportList, {})).map(({ insname, datatime, teamreportcode }) => ({
    ...{ insname, datatime, isSchool: teamreportcode !== '' },
  }));
const make = async () =>
  (await server().as('chen')(team.insertTeamReport, { scope: { kind: 'task', taskcode: 'T1' } })).teamreportcode;
const show = (teamreportcode: string, isshow: 0 | 1) =>
  server().as('chen')(team.showOrHiddenTeamReport, { teamreportcode, isshow });

test('an authority reads the report of its region and those that schools show, and no snapshot of a school', async () => {
  const { as } = server();
  await at('2025-10-08 02:00');
  const teamreportcode = await make();
  expect(await list()).toEqual([{ insname: '云栖市教育局', datatime: '', isSchool: false }]);
  await expect(as('zhou')(contract.getReleasedReport, { ...term, teamreportcode })).rejects.toMatchObject({ code: 130001 });
  await show(teamreportcode, 1);
  expect(await list()).toEqual([
    { insname: '云栖市教育局', datatime: '', isSchool: false },
    { insname: '云栖市晨光中学', datatime: '', isSchool: true },
  ]);
  const before = await as('zhou')(contract.getReleasedReport, { ...term, teamreportcode });
  expect(JSON.stringify(before.content).match(/结果还没有发布/g)).toHaveLength(1);
  expect(JSON.stringify(before.content)).toContain('约 5 人');

  await at('2026-02-08 02:00');
  for (const request of [term, { ...term, teamreportcode }]) {
    const { content, datatime } = await as('zhou')(contract.getReleasedReport, request);
    expect(datatime).toBe('2026-02-08 02:00:00');
    const words = JSON.stringify(content);
    // 9 valid persons may be seen, the 4 of them who need attention may not, nor the 13 of the roster.
    expect(words).toContain('9 人');
    // A part may be hidden among many persons too: the report does not say that they are few.
    expect(words).toContain('为保护个人信息，这部分结果不公布。');
    for (const hidden of ['44.4', '4 人', '4 名', '13', 'T1', '初一 1班']) expect(words).not.toContain(hidden);
  }
  await show(teamreportcode, 0);
  expect((await list()).filter(({ isSchool }) => isSchool)).toEqual([]);
  await expect(as('zhou')(contract.getReleasedReport, { ...term, teamreportcode })).rejects.toMatchObject({ code: 130001 });
});

test('what a school changes after the release changes nothing in the report of the authority', async () => {
  const { as, sqlAsOwner } = server();
  await at('2026-02-08 02:00');
  const teamreportcode = await make();
  await show(teamreportcode, 1);
  const read = async () => (await as('zhou')(contract.getReleasedReport, { ...term, teamreportcode })).content;
  const before = await read();
  await sqlAsOwner("update examrecord set isabnormal = 1, overalllevel = 4 where musercode = 'M_CHENGUANG'");
  await as('chen')(team.insertTeamReport, { teamreportcode });
  await at('2026-02-09 02:00');
  expect(await read()).toEqual(before);
});

test('a released report is a PDF and a Word document without the code of a snapshot', async () => {
  await at('2026-02-08 02:00');
  const download = async (format: 'pdf' | 'docx') =>
    (await server().as('zhou')(contract.exportReleasedReport, { ...term, format })) as {
      filename: string;
      body: Readable | Uint8Array;
    };
  const { filename, body } = await download('pdf');
  expect(filename).toBe('团体报告_云栖市教育局_2025-2026学年秋季学期.pdf');
  const bytes = body instanceof Uint8Array ? body : new Uint8Array(await buffer(body));
  const text = readPdf(bytes)
    .pages.flat()
    .map((part) => part.text)
    .join('');
  for (const words of ['2025-2026学年秋季学期', '约 5 人', '12356']) expect(text).toContain(words);
  for (const words of ['扫码核验', '44.4']) expect(text).not.toContain(words);
  expect((await download('docx')).filename).toContain('.docx');
});

test('schools and other authorities read no released report, and an authority reads no report of a school itself', async () => {
  const { as } = server();
  const teamreportcode = await make();
  await show(teamreportcode, 1);
  await expect(as('chen')(contract.getReleasedReport, term)).rejects.toMatchObject({ code: 110004 });
  await expect(as('zhou')(team.getTeamReport, { teamreportcode })).rejects.toMatchObject({ code: 110004 });
  await expect(as('zhou')(team.getTeamReportPageList, {})).rejects.toMatchObject({ code: 110004 });
  await expect(as('zhou')(contract.getReleasedReport, { ...term, year: '2024-2025' })).rejects.toMatchObject({ code: 130001 });
});
