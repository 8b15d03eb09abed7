import type { Locator, Page } from '@playwright/test';
import { mediaPaths } from '../src/testing/files/media.ts';
import { accessibilityFaults, expect, expectFitsWindow, expectNotification, signIn, test, url } from './people.ts';

const run = String(Date.now() % 100_000).padStart(5, '0');

/** Expects that the page is no wider than a phone, and comes back to a desk. */
async function expectFitsPhone(page: Page) {
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitsWindow(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Moves the place in a recording to this second, by the keyboard. */
async function seekTo(player: Locator, second: number) {
  const bar = player.getByRole('slider', { name: /的播放位置$/ });
  await bar.fill(String(second));
  await expect.poll(async () => Number(await bar.inputValue())).toBeGreaterThanOrEqual(second);
}

test('a provider adds music with its licence, plays it in the list, and puts it on the shelf', async ({ page }) => {
  const title = `溪流${run}`;
  await signIn(page, 'demo_fws');
  await page.goto(url(`/operations/musicManagement?keyword=${encodeURIComponent(title)}`));
  await page.getByRole('button', { name: '新增音乐' }).first().click();
  const drawer = page.getByRole('dialog', { name: '新增音乐' });
  await drawer.getByLabel('标题').fill(title);
  await drawer.getByLabel('选择音频').setInputFiles(mediaPaths.mp3);
  await expect(drawer.getByText('0:20')).toBeVisible();
  await drawer.getByText('放松', { exact: true }).click();
  // Without its licence it is not saved, and nothing that was filled in is lost.
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(drawer.getByText('来源与授权不能为空')).toBeVisible();
  await expect(drawer.getByText('music.mp3')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await drawer.getByLabel('来源与授权').fill('安澜心理自制，版权归本机构');
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(drawer).toBeHidden();

  const row = page.getByRole('row').filter({ hasText: title });
  await expect(row).toContainText('未上架');
  await expect(row).toContainText('安澜心理自制');
  await row.getByRole('button', { name: `播放${title}` }).click();
  const player = page.getByRole('region', { name: '音乐播放器' });
  await expect(player.getByRole('button', { name: `暂停“${title}”` })).toBeVisible();
  await seekTo(player, 12);
  await row.getByRole('button', { name: `暂停${title}` }).click();
  await expect(player.getByRole('button', { name: `播放“${title}”` })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await expectFitsPhone(page);

  const menu = row.getByRole('button', { name: `${title}的更多操作` });
  await menu.click();
  await page.getByRole('menuitem', { name: '上架' }).click();
  await expect(row).toContainText('已上架');
  // On the shelf it is not deleted; the refusal says what to do first.
  await menu.click();
  await page.getByRole('menuitem', { name: '删除' }).click();
  const question = page.getByRole('dialog', { name: '系统提示' });
  await question.getByRole('button', { name: '确定' }).click();
  await expectNotification(page, /已上架的音乐不能删除，请先下架/);
  await menu.click();
  await page.getByRole('menuitem', { name: '下架' }).click();
  await question.getByRole('button', { name: '下架' }).click();
  await expect(row).toContainText('未上架');
  await menu.click();
  await page.getByRole('menuitem', { name: '删除' }).click();
  await question.getByRole('button', { name: '确定' }).click();
  await expect(row).toHaveCount(0);
  await expect(player).toBeHidden();
});

test('a provider makes a course of two lessons, previews and orders them, and puts it on the shelf', async ({ page }) => {
  const title = `情绪课${run}`;
  await signIn(page, 'demo_fws');
  await page.goto(url('/operations/cloudClassroom'));
  await page.getByRole('button', { name: '新增课程' }).first().click();
  const form = page.getByRole('dialog', { name: '新增课程' });
  await form.getByLabel('课程名称').fill(title);
  await form.getByRole('switch').uncheck({ force: true });
  await form.getByLabel('价格（元）').fill('99.9');
  await form.getByRole('button', { name: /^保存/ }).click();

  // The new course opens on its page. It does not go on the shelf without a lesson.
  await expect(page.getByRole('heading', { name: new RegExp(title) })).toBeVisible();
  await expect(page.getByText('99.90 元')).toBeVisible();
  await page.getByRole('button', { name: '上架', exact: true }).click();
  await expectNotification(page, /课程还没有课时，添加课时后再上架/);
  const drawer = page.getByRole('dialog', { name: '添加课时' });
  for (const name of ['第一课', '第二课']) {
    await page.getByRole('button', { name: '添加课时' }).click();
    await drawer.getByLabel('课时名称').fill(name);
    await drawer.getByLabel('选择视频').setInputFiles(mediaPaths.mp4);
    await expect(drawer.getByText('0:20')).toBeVisible();
    await drawer.getByRole('button', { name: '保存' }).click();
    await expect(drawer).toBeHidden();
  }
  const lessons = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^预览/ }) });
  await expect(lessons).toContainText([/1\. 第一课/, /2\. 第二课/]);
  await expect(lessons.first()).toContainText('学习人数不足 5 人，不显示');
  await expectFitsPhone(page);

  // The player fetches parts of the file, so that a jump does not wait for all of it.
  const isPart = (status: number, address: string) => status === 206 && address.includes('/files?k=');
  const part = page.waitForResponse((response) => isPart(response.status(), response.url()));
  await page.getByRole('button', { name: '预览第一课' }).click();
  const player = page.getByRole('region', { name: '视频播放器：第一课' });
  await expect(player.getByRole('button', { name: '暂停“第一课”' })).toBeVisible();
  await part;
  await seekTo(player, 15);
  expect(await accessibilityFaults(page)).toEqual([]);
  const address = await player.locator('video').evaluate((video: HTMLVideoElement) => video.currentSrc);
  const middle = await page.request.get(address, { headers: { range: 'bytes=1000-1999' } });
  expect([middle.status(), (await middle.body()).length]).toEqual([206, 1000]);
  await page.keyboard.press('Escape');
  await expect(player).toBeHidden();

  // The keyboard moves the second lesson to the top; the order stays after a reload.
  await page.getByRole('button', { name: /^第二课，第 2 位/ }).press('ArrowUp');
  await expect(lessons).toContainText([/1\. 第二课/, /2\. 第一课/]);
  await expect(page.getByText('第二课移到第 1 位，共 2 节')).toBeAttached();
  await page.waitForLoadState('networkidle');
  await page.reload();
  await expect(lessons).toContainText([/1\. 第二课/, /2\. 第一课/]);

  await page.getByRole('button', { name: '上架', exact: true }).click();
  await expect(page.getByText('已上架')).toBeVisible();
  const question = page.getByRole('dialog', { name: '系统提示' });
  const remove = async (name: string) => {
    await page.getByRole('button', { name: `${name}的更多操作` }).click();
    await page.getByRole('menuitem', { name: '删除' }).click();
    await question.getByRole('button', { name: '确定' }).click();
    await expect(question).toBeHidden();
  };
  await remove('第一课');
  await expect(lessons).toHaveCount(1);
  await remove('第二课');
  await expectNotification(page, /已上架的课程至少保留一个课时，请先下架课程/);
  await expect(lessons).toHaveCount(1);

  await page.getByRole('button', { name: '下架', exact: true }).click();
  await question.getByRole('button', { name: '下架' }).click();
  await expect(page.getByText('未上架')).toBeVisible();
  await remove(title);
  await expect(page).toHaveURL(/\/operations\/cloudClassroom$/);
  await expect(page.getByRole('row').filter({ hasText: title })).toHaveCount(0);
});
