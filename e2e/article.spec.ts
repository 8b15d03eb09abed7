import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { accessibilityFaults, expect, expectFitsWindow, expectNotification, signIn, test, url } from './people.ts';

const run = String(Date.now() % 100_000).padStart(5, '0');
const sleep = `睡个好觉${run}`;
const autumn = `秋季活动${run}`;

/** A picture inside the HTML itself, as Word and web pages put it on the clipboard. */
const dataPicture = async () =>
  `data:image/png;base64,${(
    await sharp({ create: { width: 320, height: 180, channels: 3, background: '#3a7d5c' } })
      .png()
      .toBuffer()
  ).toString('base64')}`;

const wordItem = (mark: string, words: string) =>
  `<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><![if !supportLists]>` +
  `<span style='mso-list:Ignore'>${mark}<span>&nbsp;&nbsp;</span></span><![endif]>${words}</p>`;
const wordHtml = (picture: string) => `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head>
<style><!-- p.MsoNormal { margin: 0cm; } --></style></head><body><!--StartFragment-->
<h1 style='mso-margin-top-alt:auto'>睡前一小时<o:p></o:p></h1>
<p class=MsoNormal align=center style='text-align:center'><b style='mso-bidi-font-weight:normal'>
<span lang=EN-US style='font-family:宋体;color:red'>放下手机</span></b><o:p></o:p></p>
${wordItem('1.', '调暗灯光')}${wordItem('2.', '写下担心的事')}
<p class=MsoNormal><img src="${picture}" alt="月亮" onerror="window.isHacked = true"></p>
<p class=MsoNormal><img src="https://pictures.example/tracker.png"><img src="x" onerror="window.isHacked = true"></p>
<script>window.isHacked = true</script><!--EndFragment--></body></html>`;

/** Pastes HTML as a browser does: by an event with a clipboard of its own. */
const paste = (text: Locator, html: string) =>
  text.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, html);

const openNew = async (page: Page) => {
  await page.goto(url('/operations/dashboards'));
  await page.getByRole('button', { name: '写推文' }).first().click();
  await expect(page.getByRole('textbox', { name: '正文', exact: true })).toBeVisible();
};
const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });

test('an editor pastes from Word, previews, publishes, changes and takes an article down', async ({ page }) => {
  const foreignRequests: string[] = [];
  page.on('request', (request) => request.url().includes('pictures.example') && foreignRequests.push(request.url()));
  await signIn(page, 'demo_fws');
  await openNew(page);
  const text = page.getByRole('textbox', { name: '正文', exact: true });
  await page.getByRole('textbox', { name: '标题', exact: true }).fill(sleep);
  await text.click();
  await paste(text, wordHtml(await dataPicture()));

  // The text is clean, and its picture becomes a file of the institution.
  await expect(text.locator('h2')).toHaveText('睡前一小时');
  await expect(text.locator('p[data-align=center] strong')).toHaveText('放下手机');
  await expect(text.locator('ol > li')).toHaveText(['调暗灯光', '写下担心的事']);
  await expect(text.locator('figure img[src^="/"]')).toHaveCount(1);
  expect(await text.innerHTML()).not.toMatch(/mso|MsoNormal|onerror|<script|宋体/i);
  await expect(page.getByText('没有带入 2 张其他网站的图片')).toBeVisible();
  await expect(page.getByText('pictures.example/tracker.png')).toBeVisible();
  expect(await page.evaluate(() => 'isHacked' in globalThis)).toBe(false);
  expect(foreignRequests).toEqual([]);
  await page.getByRole('textbox', { name: '图片说明' }).fill('窗外的月亮');

  // What was typed survives a reload.
  await page.getByRole('button', { name: '取正文开头' }).click();
  await expect(page.getByRole('textbox', { name: '摘要' })).toHaveValue(/放下手机/);
  await expect
    .poll(() => page.evaluate(() => Object.values(localStorage).some((item) => item.includes('窗外的月亮'))))
    .toBe(true);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText('已恢复上次没有保存的修改')).toBeVisible();
  await expect(page.getByRole('textbox', { name: '标题', exact: true })).toHaveValue(sleep);
  await expect(page.getByRole('textbox', { name: '图片说明' })).toHaveValue('窗外的月亮');
  expect(await accessibilityFaults(page)).toEqual([]);

  // As the readers see it.
  await page.getByRole('button', { name: '预览' }).click();
  const phone = page.getByRole('region', { name: '手机预览' });
  await expect(phone.getByRole('heading', { name: sleep })).toBeVisible();
  await expect(phone.getByRole('img', { name: '窗外的月亮' })).toBeVisible();
  await expect(phone.locator('p[data-align=center]')).toHaveCSS('text-align', 'center');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByText('深色', { exact: true }).click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: '发布', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `发布“${sleep}”` });
  await expect(dialog).toContainText('受测者可见，全部人群');
  await dialog.getByRole('button', { name: '立即发布' }).click();
  await expectNotification(page, /发布成功/);
  await expect(page.getByText('已发布', { exact: true })).toBeVisible();

  // A change of a published article, by the keyboard alone.
  await page.getByRole('textbox', { name: '标题', exact: true }).fill(`${sleep}（新）`);
  await page.keyboard.press('Control+s');
  await expectNotification(page, /保存成功/);
  await page.getByRole('button', { name: '返回' }).click();
  const row = rowOf(page, `${sleep}（新）`);
  await expect(row).toContainText('已发布');
  expect(await accessibilityFaults(page)).toEqual([]);
  await row.getByRole('button', { name: '下线' }).click();
  await page.getByRole('dialog', { name: '系统提示' }).getByRole('button', { name: '确定' }).click();
  await expect(row).toContainText('已下线');
  await page.getByRole('button', { name: `${sleep}（新）的更多操作` }).click();
  await page.getByRole('menuitem', { name: '删除' }).click();
  await page.getByRole('dialog', { name: '系统提示' }).getByRole('button', { name: '确定' }).click();
  await expect(row).toHaveCount(0);
});

test('the editor works by the keyboard, a timed article needs its time, and a phone shows everything', async ({ page }) => {
  await signIn(page, 'demo_fws');
  await openNew(page);
  const text = page.getByRole('textbox', { name: '正文', exact: true });
  await page.getByRole('textbox', { name: '标题', exact: true }).fill(autumn);
  // Shift+Tab leads from the text to its toolbar, the arrows through it.
  await text.press('Shift+Tab');
  await expect(page.getByRole('toolbar', { name: '正文工具' }).locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  const bold = page.getByRole('button', { name: '加粗' });
  while (!(await bold.evaluate((button) => button === document.activeElement))) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(bold).toHaveAttribute('aria-pressed', 'true');
  await expect(text).toBeFocused();
  await page.keyboard.type('报名见通知');
  await expect(text.locator('strong')).toHaveText('报名见通知');

  // Only secure pages, telephones and mail addresses are links.
  await text.press('Control+a');
  await page.getByRole('button', { name: '链接', exact: true }).click();
  const address = page.getByRole('textbox', { name: '链接地址' });
  await address.fill('javascript:alert(1)');
  await address.press('Enter');
  await expect(page.getByText('请填写 https 网址、电话或邮箱')).toBeVisible();
  await address.fill('www.example.cn/autumn');
  await address.press('Enter');
  await expect(text.locator('a')).toHaveAttribute('href', 'https://www.example.cn/autumn');

  await page.getByRole('button', { name: '保存' }).click();
  await expectNotification(page, /保存成功/);
  await expect(page).toHaveURL(/articleid=\d+/);
  await page.getByRole('button', { name: '发布', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `发布“${autumn}”` });
  await dialog.getByText('定时发布', { exact: true }).first().click();
  await dialog.getByRole('button', { name: '定时发布' }).click();
  await expect(dialog).toContainText('请选择发布时间');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await page.setViewportSize({ width: 390, height: 844 });
  expect(await accessibilityFaults(page)).toEqual([]);
  await expectFitsWindow(page);
  await page.goto(url('/operations/dashboards'));
  await expect(page.getByText(autumn)).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await expectFitsWindow(page);
});

test('on a slow device the editor still opens', async ({ page }) => {
  // A slow device draws in several tasks. A timer of the kit runs between two of them.
  await page.addInitScript(() => {
    const post = MessagePort.prototype.postMessage as (...message: unknown[]) => void;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...message: unknown[]) {
      setTimeout(() => post.apply(this, message), 20);
    };
    const now = performance.now.bind(performance);
    performance.now = () => now() * 5;
  });
  await signIn(page, 'demo_fws');
  await page.goto(url('/operations/dashboards/edit'));
  const text = page.getByRole('textbox', { name: '正文', exact: true });
  await text.fill('慢一点也能写');
  await expect(page.getByText('6 字', { exact: true })).toBeVisible();
});
