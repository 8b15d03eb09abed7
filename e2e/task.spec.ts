import { buffer } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { writeWorksheet } from '../src/server/workbook/write.ts';
import { accessibilityFaults, expect, signIn, startUsing, password, test, url } from './people.ts';
import { createScreening } from './school.ts';
import { choose, consent, identify, openPhone } from './phone.ts';

// Every run uses a new class, so the tests can run again on the same server.
// It does not begin with a year of school, because 1144班 would be class 44 of the eleventh year.
const run = String(2_000 + (Date.now() % 8_000));

/** Counts the presses of the pointer on all pages that this browser tab shows. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('countClick', () => (clicks += 1));
  await page.addInitScript(() => {
    const { countClick } = globalThis as unknown as { countClick: () => void };
    document.addEventListener('pointerdown', countClick, true);
  });
  return () => clicks;
}

const roster = (team: string) =>
  buffer(
    writeWorksheet({
      name: '名单',
      heads: ['班级名称', '团体类型', '年级', '班级', '学生姓名', '学号', '性别', '出生日期'],
      rows: [
        [team, '班级', '初一', `${run}班`, '顾安然', `31${run}0`, '女', '2012-03-18'],
        [team, '班级', '初一', `${run}班`, '程一诺', `31${run}1`, '男', '2012-05-02'],
      ],
    }),
  );

test('a newcomer gets from the sign-in over the class list to the QR code on the wall in at most 18 clicks', async ({ page }) => {
  const team = `初一(${run})班`;
  const clicks = await countClicks(page);
  await page.goto(url('/login'));
  await page.getByLabel('账号', { exact: true }).click();
  await page.keyboard.type('demo_psych');
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.getByRole('button', { name: '登录', exact: true }).click();
  await page.waitForURL((address) => address.pathname !== '/login');
  await startUsing(page);
  await page.getByText('团体测评', { exact: true }).first().click();
  await page.getByText('团体管理', { exact: true }).first().click();
  await page.getByRole('button', { name: '导入名单' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByText('选择文件').click();
  await (await chooser).setFiles({ name: '初一.xlsx', mimeType: 'application/octet-stream', buffer: await roster(team) });
  await page.getByRole('button', { name: '全部导入' }).click();
  await page.getByRole('link', { name: '用这些团体新建任务' }).click();
  await page.getByRole('heading', { name: '新建任务', level: 2 }).waitFor();
  await expect(page.getByLabel('任务名称')).toBeFocused();
  await page.keyboard.type(`${team}心理普测`);
  const next = page.getByRole('button', { name: '下一步' });
  await next.click();
  await page.getByRole('radio', { name: /学生心理健康标准方案/ }).click();
  await next.click();
  await page.getByRole('button', { name: '立即开始' }).click();
  await next.click();
  await expect(page.getByRole('checkbox', { name: team })).toBeChecked();
  await next.click();
  await expect(page.getByRole('list', { name: '班级/团体（1 个）' })).toContainText(`${team} 2 人`);
  await page.getByRole('button', { name: '创建并发布' }).click();
  await page.getByRole('link', { name: '投屏二维码' }).click();
  await expect(page.getByRole('img', { name: '作答入口二维码' })).toBeVisible();
  // The press of 打开 in the dialog of the operating system counts too.
  expect(clicks() + 1).toBeLessThanOrEqual(18);
});

test('staff preview a task on the pages of a student: every page is marked, nothing is sent and nothing is stored', async ({
  page,
  browser,
}) => {
  const { taskcode } = await createScreening(['2011-03-18']);
  await signIn(page, 'demo_psych');
  await page.goto(url(`/task/administration/${taskcode}`));
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: '预览作答' }).click();
  const preview = await opened;
  const mark = preview.getByRole('note').filter({ hasText: '预览' });
  await preview.getByLabel('姓名').fill('随便');
  const sent: string[] = [];
  preview.on('request', (request) => request.url().includes('/api/') && sent.push(request.url()));
  await preview.getByLabel('学号').fill('1');
  await preview.getByRole('button', { name: '下一步' }).click();
  await preview.getByRole('button', { name: '是我，开始' }).click();
  await expect(mark).toBeInViewport();
  await consent(preview);
  // The most worrying answers raise nothing here; item 10 of PHQ-9 follows them, and then GAD-7.
  for (let number = 1; number <= 17; number += 1) await choose(preview, number, 3);
  await expect(mark).toBeInViewport();
  await preview.getByRole('button', { name: '交卷' }).click();
  await expect(preview.getByRole('heading', { name: '谢谢你，已经交卷' })).toBeVisible();
  await expect(mark).toBeInViewport();
  expect(sent).toEqual([]);
  const stored = await preview.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  expect(stored.filter((key) => /^(respondent|draft)/.test(key))).toEqual([]);
  await preview.close();
  await page.reload();
  await expect(page.getByRole('link', { name: /未开始\s*1/ })).toBeVisible();
  // Who is not signed in at the console sees no questionnaire.
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(url('/c/preview/task?plancode=P900002'));
  await expect(stranger.getByRole('heading', { name: '暂时不能预览' })).toBeVisible();
  await stranger.context().close();
});

test('a class gets a time slot: the board and the printed sheet show it, and a student who comes too late reads it', async ({
  page,
  browser,
}) => {
  const { students, taskcode } = await createScreening(['2011-03-18']);
  await signIn(page, 'demo_psych');
  await page.goto(url(`/task/administration/${taskcode}`));
  await page.getByRole('button', { name: '各班时段' }).click();
  const dialog = page.getByRole('dialog', { name: '各班时段' });
  await dialog.getByRole('switch').click();
  await dialog.getByRole('button', { name: '依次排好' }).click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: '保存' }).click();
  await expect(dialog).toBeHidden();
  const cell = page.getByRole('list', { name: '各班进度' }).getByRole('listitem').first();
  await expect(cell).toContainText(/\d+月\d+日 \d\d:\d\d–\d\d:\d\d/);
  await page.goto(url(`/task/print/${taskcode}`));
  await expect(page.getByText(/作答时间 \d+月\d+日/)).toBeVisible();
  const code = /入口码 ([\w-]+)/.exec((await page.locator('body').textContent()) ?? '')?.[1] ?? '';
  const { context, phone } = await openPhone(browser);
  const student = students[0];
  if (!student) throw new Error('the class has no student');
  await identify(phone, url(`/c/${code}`), student);
  await consent(phone);
  await expect(phone.getByRole('alert')).toContainText(/的作答时间（\d+月\d+日 .*）已经过了/);
  await context.close();
});
