import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { fromBufferPromise, type Entry } from 'yauzl';
import * as job from '#contract/exportJob.ts';
import { serveVerification } from '#server/http/verifyRoute.ts';
import { exportWorker } from '#server/export/worker.ts';
import { readWorkbook } from '#server/workbook/read.ts';
import * as approval from '#features/approval/approval.contract.ts';
import { getCUserReport, updateReport } from '#features/report/report.contract.ts';
import { getReportHistory } from '#features/report/review/review.contract.ts';
import * as reportpdf from '#features/reportpdf/reportpdf.contract.ts';
import { takeExam } from '#testing/exam.ts';
import { aStudent, setPermission } from '#testing/factories.ts';
import { readPdf } from '#testing/pdf/readPdf.ts';
import { startServer, type TestServer } from '#testing/server.ts';

/** A school with one report a student. */
async function school(names = ['林小雨'], { isAdult = false } = {}) {
  const server = await startServer();
  const reportcodes: string[] = [];
  for (const [index, username] of names.entries()) {
    const student = await aStudent(server, { username, studentno: `2023030${index + 1}`, classname: index < 3 ? '3班' : '4班' });
    await takeExam(server, student, { PHQ9: '2 2 2 2 2 1 0 0 0' });
    const [row] = await server.sqlAsOwner<{ reportcode: string }>(`select reportcode from report where cuserid = $1`, [
      student.cuserid,
    ]);
    reportcodes.push(row?.reportcode ?? '');
  }
  if (isAdult) await server.sqlAsOwner("update cuser set birthday = '1990-01-01'");
  const worker = (services = server.services) =>
    exportWorker(services, { dispatch: server.dispatch, clock: () => server.clock.now, log: (line) => server.errors.push(line) });
  return { ...server, reportcodes, worker };
}
type School = Awaited<ReturnType<typeof school>>;

const fileOf = async (answer: unknown) => {
  const { filename, body } = answer as { filename: string; body: Readable | Uint8Array };
  return { filename, bytes: body instanceof Uint8Array ? body : new Uint8Array(await buffer(body)) };
};
const textOf = (bytes: Uint8Array) =>
  readPdf(bytes)
    .pages.flat()
    .map(({ text }) => text)
    .join('');
/** The files of a ZIP by their path. */
async function unzip(bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  const files = new Map<string, Uint8Array>();
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>)
    files.set(entry.fileName, new Uint8Array(await buffer(await zip.openReadStreamPromise(entry))));
  return files;
}
/** The rows of 清单.xlsx below its heads. */
const listOf = async (files: Map<string, Uint8Array>) =>
  (await readWorkbook(files.get('清单.xlsx') as Uint8Array, '清单.xlsx')).rows.slice(2);
const zip = (request: Record<string, unknown> = {}) => ({ action: 'as.m.report.exportReportZip', request });
async function finished({ as }: TestServer, jobid: string) {
  const row = (await as('chen')(job.getExportPageList, {})).rows.find((candidate) => candidate.jobid === jobid);
  expect(row).toMatchObject({ status: 2 });
  return unzip((await fileOf(await as('chen')(job.downloadExport, { jobid }))).bytes);
}

test('one report is downloaded as PDF with its version, its account and a code, and the download stands in its history', async () => {
  const { as, reportcodes } = await school();
  const [reportcode = ''] = reportcodes;
  const { filename, bytes } = await fileOf(await as('chen')(reportpdf.exportReportPdf, { reportcode, audience: 'staff' }));
  expect(filename).toBe(`报告_${reportcode}_工作人员版.pdf`);
  const text = textOf(bytes);
  for (const part of ['林小雨', '晨光中学', '第 1 版（工作人员版）', '陈静怡 chen 打印于 2025-10-08', '附录：作答明细'])
    expect(text).toContain(part);
  const { views } = await as('chen')(getReportHistory, { reportcode });
  expect(views).toEqual(expect.arrayContaining([expect.objectContaining({ action: '下载报告 PDF', version: 1, who: '陈静怡' })]));
});

test('the person’s own version has no answers, no advice of staff and no word about the alert', async () => {
  const { as, reportcodes } = await school();
  const [reportcode = ''] = reportcodes;
  await as('chen')(updateReport, { reportcode, conclusion: '需要持续关注。', version: 1 });
  const text = textOf((await fileOf(await as('chen')(reportpdf.exportReportPdf, { reportcode, audience: 'self' }))).bytes);
  expect(text).toContain('第 2 版（本人版）');
  expect(text).not.toContain('需要持续关注');
  expect(text).not.toContain('附录');
});

test('a reader without the right to single answers gets the PDF without them, and without names a masked name', async () => {
  const server = await school();
  const [reportcode = ''] = server.reportcodes;
  await setPermission(server, 'U_CHEN', '00035', 'deny');
  const { staff } = await server.as('chen')(getCUserReport, { reportcode });
  const text = textOf(
    (await fileOf(await server.as('chen')(reportpdf.exportReportPdf, { reportcode, audience: 'staff' }))).bytes,
  );
  expect(text).not.toContain('附录');
  expect(staff.sections.every((section) => text.includes(section.title))).toBe(true);
});

test('the short form has two pages', async () => {
  const { as, reportcodes } = await school();
  const [reportcode = ''] = reportcodes;
  const answer = await as('chen')(reportpdf.exportReportPdf, { reportcode, audience: 'staff', shortform: 1 });
  expect(readPdf((await fileOf(answer)).bytes).pages).toHaveLength(2);
});

test('a batch comes as a ZIP by class, named by number, name and report, with a list', async () => {
  const server = await school(['林小雨', '王小明', '赵/一', '周\u202E小宇'], { isAdult: true });
  const { jobid } = await server.as('chen')(job.insertExport, zip());
  await server.worker().drain();
  const files = await finished(server, jobid);
  const [lin, wang, zhao, zhou] = server.reportcodes;
  expect([...files.keys()]).toEqual([
    '清单.xlsx',
    `初三 3班/20230301_林小雨_${lin}.pdf`,
    `初三 3班/20230302_王小明_${wang}.pdf`,
    `初三 3班/20230303_赵 一_${zhao}.pdf`,
    `初三 4班/20230304_周 小宇_${zhou}.pdf`,
  ]);
  expect(textOf(files.get(`初三 3班/20230302_王小明_${wang}.pdf`) as Uint8Array)).toContain('王小明');
  const rows = await listOf(files);
  expect(rows).toHaveLength(4);
  expect(rows[1]).toEqual(expect.arrayContaining(['王小明', wang, '已生成']));
  const { views } = await server.as('chen')(getReportHistory, { reportcode: wang ?? '' });
  expect(views).toEqual(expect.arrayContaining([expect.objectContaining({ action: '批量导出报告 PDF', version: 1 })]));
});

test('a print file of each class contains its reports in the order of their numbers', async () => {
  const server = await school(['林小雨', '王小明', '赵一', '周小宇'], { isAdult: true });
  const { jobid } = await server.as('chen')(job.insertExport, zip({ layout: 'class' }));
  await server.worker().drain();
  const files = await finished(server, jobid);
  expect([...files.keys()]).toEqual(['清单.xlsx', '初三 3班.pdf', '初三 4班.pdf']);
  const text = textOf(files.get('初三 3班.pdf') as Uint8Array);
  expect(text).toContain('共 3 份报告');
  const places = ['林小雨', '王小明', '赵一'].map((name) => text.indexOf(name));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places.every((place) => place >= 0)).toBe(true);
});

test('chosen reports and filters decide what a batch contains', async () => {
  const server = await school(['林小雨', '王小明', '赵一', '周小宇'], { isAdult: true });
  const check = (request: Record<string, unknown>) => server.as('chen')(reportpdf.checkReportZip, request);
  expect(await check({})).toEqual({ reports: 4, persons: 4, minors: 0, parts: 1, needsapproval: 0 });
  expect(await check({ classname: '4班' })).toMatchObject({ reports: 1 });
  expect(await check({ reportcodes: server.reportcodes.slice(0, 2) })).toMatchObject({ reports: 2 });
  expect(await check({ reportcodes: ['R0000009999'] })).toMatchObject({ reports: 0, parts: 0 });
  await expect(server.as('chen')(reportpdf.exportReportZip, { part: 2 })).rejects.toMatchObject({ code: 130001 });
});

test('a batch with several minors, or with single answers, needs a second person; one approval holds for its files', async () => {
  const server = await school(['林小雨', '王小明']);
  const { as } = server;
  expect(await as('chen')(reportpdf.checkReportZip, {})).toMatchObject({ minors: 2, needsapproval: 1 });
  await expect(as('chen')(reportpdf.exportReportZip, {})).rejects.toMatchObject({ code: 140003 });
  const [first = ''] = server.reportcodes;
  expect(await as('chen')(reportpdf.checkReportZip, { reportcodes: [first] })).toMatchObject({ needsapproval: 0 });
  const staff = { reportcodes: [first], audience: 'staff' as const, answers: 1 };
  expect(await as('chen')(reportpdf.checkReportZip, staff)).toMatchObject({ needsapproval: 1 });
  const { approvalid } = await as('chen')(approval.insertAccessApproval, {
    call: 'as.m.report.exportReportZip',
    filter: { audience: 'self' },
    purpose: '家长会发放',
  });
  await as('lu')(approval.decideAccessApproval, { approvalid, agreed: 1 });
  const { jobid } = await as('chen')(job.insertExport, zip({ audience: 'self', part: 1, approvalid }));
  await expect(as('chen')(reportpdf.exportReportZip, { audience: 'staff', approvalid })).rejects.toMatchObject({ code: 140001 });
  await server.worker().drain();
  expect((await finished(server, jobid)).size).toBe(3);
});

/** A store that counts the files of steps, and calls `onPut` after each. */
function countedStore({ services }: School, onPut: (count: number) => void) {
  let count = 0;
  const inner = services.storage;
  const storage = {
    ...inner,
    put: async (key: string, content: Uint8Array | Readable) => {
      const size = await inner.put(key, content);
      if (content instanceof Uint8Array) onPut(++count);
      return size;
    },
  };
  return { storage, steps: () => count };
}

test('a batch that was interrupted goes on where it stopped', async () => {
  const server = await school(['林小雨', '王小明', '赵一', '周小宇'], { isAdult: true });
  const { jobid } = await server.as('chen')(job.insertExport, zip());
  let stop: Promise<void> | undefined;
  const store = countedStore(server, (count) => {
    if (count === 2) stop = running.stop();
  });
  Object.assign(server.services, { storage: store.storage });
  const running = server.worker();
  await running.drain();
  await stop;
  expect(await server.sqlAsOwner('select status from job')).toEqual([{ status: 1 }]);
  expect(store.steps()).toBe(2);
  await server.worker().drain();
  const files = await finished(server, jobid);
  expect(files.size).toBe(5);
  expect(store.steps()).toBe(4);
  expect(server.errors).toEqual([]);
});

test('a report that cannot be printed stands in the list with its reason, and the others are made', async () => {
  const server = await school(['林小雨', '王小明'], { isAdult: true });
  const [broken = ''] = server.reportcodes;
  await server.sqlAsOwner(
    `update report set selfcontent = jsonb_build_object('schema', 'rpt/1', 'sections', 
         '[{"key":"overall","title":"x","blocks":[{"type":"kv"}]}]'::jsonb,
       'generatedat', '2025-10-08 10:00:00', 'disclaimer', '', 'title', '', 'engine', '',
       'audience', 'self', 'templatecode', '', 'largefont', false),
       content = jsonb_build_object('sections', '[]'::jsonb) where reportcode = $1`,
    [broken],
  );
  const { jobid } = await server.as('chen')(job.insertExport, zip());
  await server.worker().drain();
  const rows = await listOf(await finished(server, jobid));
  expect(rows.map((row) => [row[5], row[7]])).toEqual([
    [broken, '未生成'],
    [server.reportcodes[1], '已生成'],
  ]);
  expect(rows[0]?.[8]).toBe('无法生成，请打开报告查看');
});

test('other institutions and restricted staff print no report of the school', async () => {
  const { as, reportcodes } = await school();
  const [reportcode = ''] = reportcodes;
  for (const who of ['lin', 'wang'] as const)
    await expect(as(who)(reportpdf.exportReportPdf, { reportcode })).rejects.toMatchObject({
      code: expect.toBeOneOf([110004, 130001]) as number,
    });
});

/** The text of the public page for the code of a PDF. */
async function site(server: School) {
  const app = Fastify();
  onTestFinished(() => app.close());
  serveVerification(app, server.services);
  const ask = async (code: string) => {
    const { statusCode, body, headers } = await app.inject(`/c/v/${code}`);
    return { statusCode, body, headers };
  };
  const print = async (reportcode: string) => {
    const { bytes } = await fileOf(await server.as('chen')(reportpdf.exportReportPdf, { reportcode }));
    return /R\d{10}-\d+-[0-9A-Z]{10}/.exec(textOf(bytes).replace(/\s/g, ''))?.[0] ?? '';
  };
  return { ask, print };
}

test('the code of a printed report says that it is genuine, and nothing about the person', async () => {
  const server = await school();
  const [reportcode = ''] = server.reportcodes;
  const { ask, print } = await site(server);
  const code = await print(reportcode);
  const { statusCode, body, headers } = await ask(code);
  expect(statusCode).toBe(200);
  for (const part of ['报告真实有效', '晨光中学', reportcode, '2025-10-08', '第 1 版']) expect(body).toContain(part);
  for (const part of ['林小雨', '抑郁', 'PHQ', '中度', '初三']) expect(body).not.toContain(part);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect((await ask(code.toLowerCase())).statusCode).toBe(200);
});

test('an older print says that a newer version exists; a deleted report and a forged code are not genuine', async () => {
  const server = await school();
  const [reportcode = ''] = server.reportcodes;
  const { ask, print } = await site(server);
  const code = await print(reportcode);
  await server.as('chen')(updateReport, { reportcode, conclusion: '建议两周后复测。', version: 1 });
  expect((await ask(code)).body).toContain('已有新版本');
  expect((await ask(await print(reportcode))).body).toContain('报告真实有效');
  const forged = code.replace(/.$/, (sign) => (sign === '0' ? '1' : '0'));
  expect(await ask(forged)).toMatchObject({ statusCode: 404 });
  expect(await ask(code.replace('-1-', '-2-'))).toMatchObject({ statusCode: 404 });
  await server.sqlAsOwner('update report set isdeleted = 1');
  expect((await ask(code)).body).toContain('报告已撤回');
});

test('an address that tries many codes has to wait', async () => {
  const server = await school([]);
  const { ask } = await site(server);
  const answers = [];
  for (let index = 0; index < 12; index++) answers.push((await ask(`R000000000${index % 10}-1-AAAAAAAAAA`)).statusCode);
  expect(answers.slice(0, 10).every((status) => status === 404)).toBe(true);
  expect(answers.at(-1)).toBe(429);
});
