import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise, type Entry } from 'yauzl';
import { getExportPageList } from '../src/contract/exportJob.ts';
import { getCUserReportPageList } from '../src/features/report/report.contract.ts';
import { readPdf } from '../src/testing/pdf/readPdf.ts';
import { accessibilityFaults, expect, expectNotification, fileOf, signIn, test, url } from './people.ts';
import { as } from './school.ts';

/** The files of a ZIP by their path. */
async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry() as AsyncIterable<Entry>)
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return files;
}

/** The name of a class of 晨光中学 with few reports, and their number. */
async function findClass(): Promise<{ classname: string; reports: number }> {
  const psychologist = await as('demo_psych');
  const { rows } = await psychologist(getCUserReportPageList, { pageSize: 100 });
  const counts = new Map<string, number>();
  for (const classname of new Set(rows.map(({ belongs }) => belongs.split(' ').at(1) ?? '').filter(Boolean)))
    counts.set(classname, (await psychologist(getCUserReportPageList, { classname })).total);
  const [found] = [...counts].filter(([, count]) => count > 1).sort((a, b) => a[1] - b[1]);
  if (!found) throw new Error('no class has two reports');
  return { classname: found[0], reports: found[1] };
}

test('the reports of a class come as PDF files with the consent of a second person, and anyone can verify the paper', async ({
  page,
  browser,
}) => {
  const { classname, reports } = await findClass();
  const purpose = `家长会发放${Date.now() % 1_000_000}`;
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, 'demo_psych');
  await page.goto(url('/reports'));
  await page.getByRole('button', { name: '更多条件' }).click();
  await page.getByLabel('班级', { exact: true }).fill(classname);
  await page.getByRole('button', { name: '查询' }).click();
  await page.getByRole('button', { name: '批量导出 PDF' }).click();
  const dialog = page.getByRole('dialog', { name: '批量导出 PDF' });
  await expect(dialog).toContainText(`共 ${reports} 份报告`);
  await expect(dialog).toContainText('须由本机构另一名有导出权限的人员审批');
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: '申请审批' }).click();
  const application = page.getByRole('dialog', { name: '申请导出报告 PDF' });
  await application.getByRole('textbox').fill(purpose);
  await application.getByRole('button', { name: '提交申请' }).click();
  await expect(application).toBeHidden();

  const second = await (await browser.newContext({ locale: 'zh-CN' })).newPage();
  await signIn(second, 'demo_psych2');
  await second.goto(url('/approvals'));
  await second.getByRole('row').filter({ hasText: purpose }).getByRole('button', { name: '审批' }).click();
  const decision = second.getByRole('dialog', { name: '审批导出申请' });
  await decision.getByRole('radio', { name: '同意', exact: true }).check();
  await decision.getByRole('button', { name: '提交' }).click();
  await expect(decision).toBeHidden();
  await second.context().close();

  await page.goto(url('/approvals'));
  await page.getByRole('row').filter({ hasText: purpose }).getByRole('button', { name: '下载' }).click();
  await expectNotification(page, /已转到后台生成/);
  await page.getByRole('button', { name: /^下载中心/ }).click();
  const centre = page.getByRole('dialog', { name: '下载中心' });
  const ready = centre.getByRole('button', { name: /^下载 / }).first();
  await expect(ready).toBeVisible({ timeout: 300_000 });
  const download = await fileOf(page, () => ready.click());
  const files = await unzip(await readFile(await download.path()));
  const paths = [...files.keys()].filter((path) => path !== '清单.xlsx');
  expect(files.has('清单.xlsx')).toBe(true);
  expect(paths).toHaveLength(reports);
  for (const path of paths) expect(path).toMatch(/^[^/]+\/[^/_]+_[^/_]+_R\d+\.pdf$/);

  const text = readPdf(files.get(paths[0]!)!)
    .pages.flat()
    .map((part) => part.text)
    .join('');
  const code = /R\d{10,18}-\d+-[0-9A-Z]{10}/.exec(text)?.[0] ?? '';
  const reader = await (await browser.newContext({ locale: 'zh-CN', viewport: { width: 390, height: 800 } })).newPage();
  await reader.goto(url(`/c/v/${code}`));
  await expect(reader.getByRole('heading', { name: '报告真实有效' })).toBeVisible();
  expect(await accessibilityFaults(reader)).toEqual([]);
  await reader.goto(url('/c/v/R000000000000-1-AAAAAAAAAA'));
  await expect(reader.getByRole('heading', { name: '没有查到这份报告' })).toBeVisible();
  await reader.context().close();
});

test('the reports of a class come as one print file with a page before them, and the history says who printed', async ({
  page,
}) => {
  const psychologist = await as('demo_psych');
  const { rows } = await psychologist(getCUserReportPageList, { pageSize: 1 });
  const [report] = rows;
  if (!report) throw new Error('no report');
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, 'demo_psych');
  await page.goto(url(`/reports?keyword=${encodeURIComponent(report.username)}`));
  await expect(page.getByRole('row').filter({ hasText: report.username }).first()).toBeVisible();
  await page.getByRole('button', { name: '批量导出 PDF' }).click();
  const dialog = page.getByRole('dialog', { name: '批量导出 PDF' });
  await dialog.getByRole('radio', { name: /^工作人员版/ }).check();
  await dialog.getByRole('radio', { name: /^每班一份/ }).check();
  await expect(dialog).toContainText(/共 \d+ 份报告，1 人/);
  const newest = async () => (await psychologist(getExportPageList, { page: 1, pageSize: 1 })).rows[0];
  const before = (await newest())?.jobid;
  await dialog.getByRole('button', { name: '开始生成' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(async () => newest().then((row) => row?.jobid !== before && row?.status), { timeout: 300_000 }).toBe(2);
  await page.getByRole('button', { name: /^下载中心/ }).click();
  const centre = page.getByRole('dialog', { name: '下载中心' });
  // The list may be older than the job, whose file stands first once it is there.
  const finished = (await psychologist(getExportPageList, { page: 1, pageSize: 50 })).rows.filter(({ status }) => status === 2);
  const ready = centre.getByRole('button', { name: /^下载 / });
  await expect(ready).toHaveCount(finished.length, { timeout: 300_000 });
  const files = await unzip(await readFile(await (await fileOf(page, () => ready.first().click())).path()));
  const [path] = [...files.keys()].filter((name) => name.endsWith('.pdf'));
  const { pages } = readPdf(files.get(path!)!);
  const textOf = (index: number) => (pages[index] ?? []).map((part) => part.text).join('');
  expect(textOf(0)).toMatch(/共 \d+ 份报告/);
  expect(textOf(0)).toContain('陈静怡 demo_psych 打印于');
  expect(textOf(1)).toBe('');
  expect(textOf(2)).toContain(report.username);
  expect(textOf(2)).toContain('陈静怡 demo_psych 打印于');

  await page.goto(url(`/empower/usersReport?reportcode=${report.reportcode}`));
  await page.getByRole('button', { name: '版本与查看记录' }).click();
  await expect(page.getByRole('dialog', { name: '版本与查看记录' })).toContainText('批量导出报告 PDF');
});
