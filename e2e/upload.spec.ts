import { copyFile, mkdtemp, open, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { mediaPaths } from '../src/testing/files/media.ts';
import { openLine } from './cuttableLine.ts';
import { accessibilityFaults, expect, expectFitsWindow, expectNotification, password, signIn, test, url } from './people.ts';

const MB = 1024 * 1024;
/** The size of the lesson. `UPLOAD_MB=500` measures the largest one; 120 keeps the test short. */
const SIZE = Number(process.env['UPLOAD_MB'] ?? 120) * MB;
const run = String(Date.now() % 100_000).padStart(5, '0');

/**
 * Writes a film of this size: a short one, then a box of padding that players skip. Every megabyte begins with its number, so that a lost
 * or doubled part is seen.
 */
async function writeFilm(path: string, size: number): Promise<void> {
  await copyFile(mediaPaths.mp4, path);
  const file = await open(path, 'r+');
  const begin = (await file.stat()).size;
  const head = Buffer.alloc(8);
  head.writeUInt32BE(size - begin, 0);
  head.write('free', 4);
  await file.write(head, 0, 8, begin);
  await truncate(path, size);
  for (let at = MB; at + 16 <= size; at += MB) await file.write(Buffer.from(markAt(at)), 0, 16, at);
  await file.close();
}
const markAt = (at: number) => `at ${at}`.padEnd(16, '.');

async function withFilms(work: (folder: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'xinli-films-'));
  await work(folder).finally(() => rm(folder, { recursive: true, force: true }));
}

/** Collects where each part of an upload began. */
function watchParts(page: Page): number[] {
  const offsets: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
  });
  return offsets;
}

async function openDrawer(page: Page) {
  await page.getByRole('button', { name: '上传文件' }).first().click();
  const drawer = page.getByRole('dialog', { name: '上传文件' });
  await drawer.getByRole('radio', { name: '资料' }).check();
  return drawer;
}

test('a long lesson survives a cut line and a reload, goes on where it was, and plays from any place', async ({ page }) => {
  await withFilms(async (folder) => {
    const name = `呼吸放松 第一课 ${run}.mp4`;
    const path = join(folder, name);
    await writeFilm(path, SIZE);
    const other = join(folder, `另一课${run}.mp4`);
    await writeFilm(other, 9 * MB);
    const line = await openLine(url());
    page.on('dialog', (dialog) => void dialog.accept());
    const offsets = watchParts(page);
    await signIn(page, 'admin');
    await page.goto(`${line.base}/operations/fileUpload`);
    let drawer = await openDrawer(page);
    const item = () => drawer.getByRole('listitem').filter({ hasText: name });
    const begin = line.sent();

    // The cable is pulled in the middle of a part.
    const firstCut = line.cutAfter(SIZE / 3);
    await drawer.getByLabel('选择文件').setInputFiles(path);
    await firstCut;
    await expect(item()).toContainText('已断开');
    expect(await accessibilityFaults(page)).toEqual([]);
    line.mend();
    await line.cutAfter(SIZE / 3);
    expect(offsets.at(-1)).toBeGreaterThan(0);

    // The line is cut again, and the page is loaded anew: the upload is in the list, with what has arrived.
    await expect(item()).toContainText('已断开');
    line.mend();
    await page.reload();
    await expect(page.getByRole('status').filter({ hasText: '没有传完' })).toContainText(
      `“${name}”没有传完，可以从中断的地方继续`,
    );
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: '继续上传' }).click();
    drawer = page.getByRole('dialog', { name: '上传文件' });
    const unfinished = drawer.getByRole('region', { name: '没有传完的文件' });
    await expect(unfinished).toContainText(`共 ${SIZE / MB} MB`);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectFitsWindow(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 720 });
    // Another file is refused by its name; the same one goes on.
    await unfinished.getByLabel(`选择${name}`).setInputFiles(other);
    await expect(unfinished.getByRole('alert')).toContainText(`需要“${name}”`);
    const parts = offsets.length;
    await unfinished.getByLabel(`选择${name}`).setInputFiles(path);
    await expect(item().getByRole('status')).toHaveText('已上传');
    expect(offsets[parts]).toBeGreaterThan(SIZE / 3);
    await drawer.getByRole('button', { name: '完成' }).click();

    // No part began before the one that had arrived, and hardly a byte was sent twice: only what was on the line when it broke.
    expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    expect(offsets[0]).toBe(0);
    const sentBytes = line.sent() - begin;
    expect(sentBytes).toBeGreaterThanOrEqual(SIZE);
    expect(sentBytes).toBeLessThan(SIZE + 24 * MB);
    line.close();

    await page.goto(url('/operations/fileUpload'));
    const row = page.getByRole('row').filter({ hasText: name });
    await expect(row).toContainText(`${SIZE / MB} MB`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await row.getByRole('button', { name: '复制链接' }).click();
    await expectNotification(page, /链接已复制，10 分钟内有效/);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    for (const at of [MB, 40 * MB, SIZE - MB]) {
      const answer = await page.request.get(link, { headers: { range: `bytes=${at}-${at + 15}` } });
      expect([answer.status(), answer.headers()['content-range'], await answer.text()]).toEqual([
        206,
        `bytes ${at}-${at + 15}/${SIZE}`,
        markAt(at),
      ]);
    }
    // A player seeks without the bytes before.
    const ranges: (string | undefined)[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/files?') && response.status() === 206) ranges.push(response.headers()['content-range']);
    });
    const seen = await page.evaluate(
      async (src) => {
        const player = document.createElement('video');
        player.muted = true;
        player.src = src;
        document.body.append(player);
        await new Promise((resolve, reject) => {
          player.onloadeddata = resolve;
          player.onerror = reject;
        });
        const seeked = new Promise((resolve) => (player.onseeked = resolve));
        player.currentTime = 15;
        await seeked;
        const facts = [player.currentTime, Math.round(player.duration), player.videoWidth > 0];
        player.remove();
        return facts;
      },
      new URL(link).pathname + new URL(link).search,
    );
    expect(seen).toEqual([15, 20, true]);
    expect(ranges.length).toBeGreaterThan(0);

    await page.getByRole('button', { name: `${name}的更多操作` }).click();
    await page.getByRole('menuitem', { name: '删除' }).click();
    await page.getByRole('dialog', { name: '系统提示' }).getByRole('button', { name: '确定' }).click();
    await expect(row).toHaveCount(0);
  });
});

test('an upload goes on after a new sign-in, and a given up one disappears', async ({ page }) => {
  await withFilms(async (folder) => {
    const name = `正念练习${run}.mp4`;
    await writeFilm(join(folder, name), 30 * MB);
    await signIn(page, 'admin');
    await page.goto(url('/operations/fileUpload'));
    const offsets = watchParts(page);
    // The third part waits until the session has ended.
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/upload/*', async (route) => {
      if (route.request().headers()['upload-offset'] === String(16 * MB)) await released;
      await route.continue();
    });
    let drawer = await openDrawer(page);
    const item = () => drawer.getByRole('listitem').filter({ hasText: name });
    await drawer.getByLabel('选择文件').setInputFiles(join(folder, name));
    await expect.poll(() => offsets.at(-1)).toBe(16 * MB);
    await expect(item()).toContainText('已上传 16 MB');
    const token = decodeURIComponent((await page.context().cookies()).find((cookie) => cookie.name === 'token')?.value ?? '');
    await page.request.post(url('/api/as.m.user.logout/1.0.0/action'), { headers: { token }, data: {} });
    release();
    const login = page.getByRole('dialog', { name: '系统提示' });
    await login.getByLabel('密码', { exact: true }).fill(password);
    await login.getByLabel('密码', { exact: true }).press('Enter');
    await expect(item().getByRole('status')).toHaveText('已上传');
    await expect(drawer.getByRole('button', { name: '完成' })).toBeVisible();
    expect(offsets.filter((offset) => offset < 16 * MB)).toEqual([0, 8 * MB]);
    await drawer.getByRole('button', { name: '完成' }).click();
    const row = page.getByRole('row').filter({ hasText: name });
    await page.getByRole('button', { name: `${name}的更多操作` }).click();
    await page.getByRole('menuitem', { name: '删除' }).click();
    await page.getByRole('dialog', { name: '系统提示' }).getByRole('button', { name: '确定' }).click();
    await expect(row).toHaveCount(0);

    // Leaving stops an upload; giving it up removes it.
    await page.unroute('**/upload/*');
    const waiting = new Promise<void>(() => {});
    await page.route('**/upload/*', (route) =>
      route.request().headers()['upload-offset'] === String(8 * MB) ? waiting : route.continue(),
    );
    drawer = await openDrawer(page);
    await drawer.getByLabel('选择文件').setInputFiles(join(folder, name));
    await expect(item()).toContainText('已上传 8 MB');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: '系统提示' });
    await expect(question).toContainText('24 小时内可以回到这里继续');
    await question.getByRole('button', { name: '离开' }).click();
    await expect(drawer).toBeHidden();
    await expect(page.getByRole('status').filter({ hasText: '没有传完' })).toContainText(name);
    await page.getByRole('button', { name: '继续上传' }).click();
    await drawer.getByRole('button', { name: `放弃 ${name}` }).press('Enter');
    await expect(question).toContainText('已经传到的部分会删除');
    await question.getByRole('button', { name: '确定' }).click();
    await expect(drawer.getByRole('region', { name: '没有传完的文件' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('status').filter({ hasText: '没有传完' })).toHaveCount(0);
  });
});
