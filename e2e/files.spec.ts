import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { accessibilityFaults, expect, fileOf, expectNotification, signIn, test, url } from './people.ts';

const run = String(Date.now() % 100_000).padStart(5, '0');
const picture = async (name: string, side = 300, background = '#1f6f4a') => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: side, height: side, channels: 3, background } })
    .png()
    .toBuffer(),
});

test('files are uploaded with their progress, found, shared by a link, renamed and deleted', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signIn(page, 'admin');
  await page.goto(url('/operations/fileUpload'));
  await page.getByRole('button', { name: '上传文件' }).first().click();
  const drawer = page.getByRole('dialog', { name: '上传文件' });
  const line = (name: string) => drawer.getByRole('listitem').filter({ hasText: name });

  // Files of a wrong type are refused at once without an upload; the others are uploaded.
  await drawer
    .getByLabel('选择文件')
    .setInputFiles([
      await picture(`春季${run}.png`),
      { name: '说明.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') },
      { name: '假的.png', mimeType: 'image/png', buffer: Buffer.from('not a picture') },
    ]);
  await expect(line(`春季${run}.png`)).toContainText('已上传');
  await expect(line('说明.pdf')).toContainText('配图只接受图片（PNG、JPG、WebP，5 MB 以内）');
  await expect(line('假的.png')).toContainText('配图只接受');
  expect(await accessibilityFaults(page)).toEqual([]);
  // After a lost connection the file stays in the list and can be uploaded again.
  await page.route('**/as.m.access.updateToOSS/**', (route) => route.abort(), { times: 1 });
  await drawer.getByLabel('选择文件').setInputFiles(await picture(`夏季${run}.png`));
  await expect(line(`夏季${run}.png`)).toContainText('上传中断，请检查网络后重试');
  await drawer.getByRole('button', { name: `重新上传 夏季${run}.png` }).click();
  await expect(line(`夏季${run}.png`)).toContainText('已上传');

  // Leaving during an upload asks for confirmation.
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/as.m.access.updateToOSS/**', (route) => released.then(() => route.fallback()), { times: 1 });
  await drawer.getByLabel('选择文件').setInputFiles(await picture(`秋季${run}.png`));
  await expect(line(`秋季${run}.png`)).toBeVisible();
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: '系统提示' });
  await expect(question).toContainText('还有文件没有传完');
  await question.getByRole('button', { name: '继续编辑' }).click();
  release();
  await expect(line(`秋季${run}.png`)).toContainText('已上传');
  await drawer.getByRole('button', { name: '完成' }).click();
  await expect(drawer).toBeHidden();

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row(`春季${run}.png`).getByRole('button', { name: '复制链接' }).click();
  await expectNotification(page, /链接已复制，10 分钟内有效/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const answer = await page.request.get(link);
  expect([answer.status(), answer.headers()['content-type']]).toEqual([200, 'image/png']);
  const download = await fileOf(page, () => row(`春季${run}.png`).getByRole('button', { name: '下载' }).click());
  expect(download.suggestedFilename()).toBe(`春季${run}.png`);
  expect((await sharp(await readFile(await download.path())).metadata()).width).toBe(300);

  await page.getByRole('button', { name: `春季${run}.png的更多操作` }).click();
  await page.getByRole('menuitem', { name: '修改' }).click();
  const form = page.getByRole('dialog', { name: '修改文件' });
  await form.getByLabel('文件名').fill(`春季海报${run}.png`);
  await form.getByRole('switch').check({ force: true });
  await form.getByRole('button', { name: '保存' }).click();
  await expect(row(`春季海报${run}.png`)).toContainText('公开');
  await row(`春季海报${run}.png`).getByRole('button', { name: '复制链接' }).click();
  await expectNotification(page, /链接已复制，长期有效/);

  for (const name of [`春季海报${run}.png`, `夏季${run}.png`, `秋季${run}.png`]) {
    await page.getByRole('button', { name: `${name}的更多操作` }).click();
    await page.getByRole('menuitem', { name: '删除' }).click();
    await expect(question).toContainText(`是否确认删除“${name}”？`);
    await question.getByRole('button', { name: '确定' }).click();
    await expect(row(name)).toHaveCount(0);
    await expect(question).toBeHidden();
  }
  expect((await page.request.get(link)).status()).toBe(404);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('a provider sets the logo of a school; the school sees it, changes it and removes it', async ({ page, browser }) => {
  await signIn(page, 'demo_fws');
  await page.goto(url('/Service/terminal?keyword=晨光中学'));
  await page.getByRole('button', { name: '修改', exact: true }).first().click();
  const drawer = page.getByRole('dialog', { name: /^修改云栖市晨光中学/ });
  await drawer.locator('input[type=file]').setInputFiles(await picture('校徽.png', 900));
  await expect(drawer.getByRole('img', { name: '机构标志' })).toBeVisible();
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(drawer).toBeHidden();

  const school = await (await browser.newContext({ locale: 'zh-CN' })).newPage();
  await signIn(school, 'demo_school');
  const header = school.getByRole('region', { name: '顶栏' }).locator('img');
  const width = () => header.evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBe(512);
  await school.goto(url('/profile'));
  await school.locator('input[type=file]').setInputFiles(await picture('新校徽.png', 200, '#264653'));
  await school.getByRole('button', { name: '保存标志' }).click();
  await expect.poll(width).toBe(200);
  expect(await accessibilityFaults(school)).toEqual([]);
  await school.getByRole('button', { name: '移除' }).click();
  await school.getByRole('button', { name: '保存标志' }).click();
  await expect(header).toHaveCount(0);
});
