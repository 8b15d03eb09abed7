import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import Fastify from 'fastify';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { fromBufferPromise, type Entry } from 'yauzl';
import { serveVerification } from '#server/http/verifyRoute.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import * as approval from '#features/approval/approval.contract.ts';
import * as files from '#features/teamreport/teamfile.contract.ts';
import { deleteTeamReport, insertTeamReport } from '#features/teamreport/teamreport.contract.ts';
import { insertWarning } from '#features/warning/handling/handling.contract.ts';
import { readPdf } from '#testing/pdf/readPdf.ts';
import { insertFixtureA } from '#testing/statistics/fixtureA.ts';
import { sharedServer } from '#testing/server.ts';

const server = sharedServer();
beforeAll(() => insertFixtureA(server()));

const make = async () =>
  (await server().as('chen')(insertTeamReport, { scope: { kind: 'task', taskcode: 'T1' } })).teamreportcode;
const bytesOf = async (answer: unknown) => {
  const { filename, body } = answer as { filename: string; body: Readable | Uint8Array };
  return { filename, bytes: body instanceof Uint8Array ? body : new Uint8Array(await buffer(body)) };
};
const auditOf = (action: string) =>
  server().sqlAsOwner<{ cuserids: string[]; objectid: string }>('select cuserids, objectid from audit.log where action = $1', [
    action,
  ]);

test('a group report is a PDF with page numbers, the account that prints it, and its figures as text', async () => {
  const teamreportcode = await make();
  const { filename, bytes } = await bytesOf(await server().as('chen')(files.exportTeamReport, { teamreportcode, format: 'pdf' }));
  expect(filename).toBe(`团体报告_${teamreportcode}_第1版.pdf`);
  const { pages } = readPdf(bytes);
  expect(pages.length).toBeGreaterThanOrEqual(2);
  const text = pages
    .flat()
    .map((part) => part.text)
    .join('');
  for (const words of [
    ...[
      teamreportcode,
      '9 名有效受测者中，4 名需要关注',
      '陈静怡 U_CHEN',
      `第 1 / ${pages.length} 页`,
      '团体数据不得用于对个人的评价',
    ],
  ])
    expect(text).toContain(words);
  expect(await auditOf('as.m.report.exportTeamReport')).toMatchObject([{ objectid: teamreportcode }]);
});

test('the code on a printed group report says that it is genuine, and nothing about the group or its results', async () => {
  const app = Fastify();
  onTestFinished(() => app.close());
  serveVerification(app, server().services);
  const teamreportcode = await make();
  const { bytes } = await bytesOf(await server().as('chen')(files.exportTeamReport, { teamreportcode, format: 'pdf' }));
  const text = readPdf(bytes)
    .pages.flat()
    .map((part) => part.text)
    .join('')
    .replace(/\s/g, '');
  const code = /TR\d{8}-1-[0-9A-Z]{10}/.exec(text)?.[0] ?? '';
  const { body } = await app.inject(`/c/v/${code}`);
  for (const part of ['报告真实有效', '晨光中学', teamreportcode, '2025-10-08', '第 1 版']) expect(body).toContain(part);
  for (const part of ['T1<', '44.4', '需要关注', '13']) expect(body).not.toContain(part);
  expect((await app.inject(`/c/v/${code.replace('-1-', '-2-')}`)).statusCode).toBe(404);
  await server().as('ma')(insertTeamReport, { teamreportcode });
  expect((await app.inject(`/c/v/${code}`)).body).toContain('已有新版本');
  await server().as('ma')(deleteTeamReport, { teamreportcode });
  expect((await app.inject(`/c/v/${code}`)).body).toContain('报告已撤回');
});

test('a group report is a Word document with heading styles, tables, pictures and the watermark in its header', async () => {
  const teamreportcode = await make();
  const { filename, bytes } = await bytesOf(await server().as('ma')(files.exportTeamReport, { teamreportcode, format: 'docx' }));
  expect(filename).toBe(`团体报告_${teamreportcode}_第1版.docx`);
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  const parts = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>)
    if (!entry.fileName.endsWith('/')) parts.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  for (const [name, part] of parts)
    if (/\.(xml|rels)$/.test(name)) new SaxesParser({ xmlns: true }).write(part.toString('utf8')).close();
  const document = parts.get('word/document.xml')?.toString('utf8') ?? '';
  expect(document).toContain('w:val="Heading1"');
  expect(document.replaceAll(/<[^>]+>/g, '')).toContain('9 名有效受测者中，4 名需要关注');
  expect(document.match(/<w:tbl>/g)?.length).toBeGreaterThanOrEqual(4);
  expect(document.match(/<pic:pic/g)?.length).toBe(2);
  const pictures = [...parts].filter(([name]) => name.startsWith('word/media/'));
  // Twice the 642 px of the page.
  for (const [, png] of pictures) expect(png.readUInt32BE(16)).toBe(1284);
  const header = [...parts].find(([name]) => /header\d*\.xml$/.test(name))?.[1].toString('utf8') ?? '';
  expect(header.replaceAll(/<[^>]+>/g, '')).toContain('马主任 U_MA · 2025-10-08 10:00');
});

test('the names are a file of their own, for readers of cases, after an approval, and audited', async () => {
  const { as } = server();
  const teamreportcode = await make();
  await server().sqlAsOwner("update cuser set username = '赵晓', birthday = '2011-03-01' where cuserid = 'c10'");
  await as('chen')(insertWarning, { cuserid: 'c10', level: 3, content: '同学反映近来情绪低落，常常独自哭泣' });
  const download = (approvalid?: number) =>
    as('chen')(files.exportTeamReportAnnex, { teamreportcode, ...(approvalid ? { approvalid } : {}) });
  const { bytes, filename } = await bytesOf(await download());
  expect(JSON.stringify((await readWorkbook(bytes, filename)).rows)).toContain('赵晓');
  expect(await auditOf('as.m.report.exportTeamReportAnnex')).toMatchObject([{ cuserids: ['c10'], objectid: teamreportcode }]);
  await as('chen')(insertWarning, { cuserid: 'c03', level: 2, content: '班主任反映近来上课走神，与同学疏远' });
  await server().sqlAsOwner("update cuser set birthday = '2011-03-01' where cuserid = 'c03'");
  await expect(download()).rejects.toMatchObject({ code: 140003 });
  const { approvalid } = await as('chen')(approval.insertAccessApproval, {
    call: 'as.m.report.exportTeamReportAnnex',
    filter: { teamreportcode },
    purpose: '校级研判会',
  });
  await as('lu')(approval.decideAccessApproval, { approvalid, agreed: 1 });
  expect((await bytesOf(await download(approvalid))).bytes.length).toBeGreaterThan(1000);
});

test('owners of classes and other schools download nothing', async () => {
  const teamreportcode = await make();
  await expect(server().as('wang')(files.exportTeamReport, { teamreportcode })).rejects.toMatchObject({ code: 110004 });
  await expect(server().as('qiao')(files.exportTeamReport, { teamreportcode })).rejects.toMatchObject({ code: 130001 });
  await expect(server().as('qiao')(files.exportTeamReportAnnex, { teamreportcode })).rejects.toMatchObject({ code: 130001 });
});
