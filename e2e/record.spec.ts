import { expect, expectNotification, signIn, test, url } from './people.ts';

test('a taken student number offers the existing archive, and the queue of duplicates forgets a pair that is not the same person', async ({
  page,
}) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/archives/archives_gl_ye'));
  await page.getByRole('button', { name: '疑似重复' }).click();
  const queue = page.getByRole('dialog', { name: '疑似重复' });
  const pairs = queue.getByRole('region');
  const count = await pairs.count().then(async (n) =>
    n > 0
      ? n
      : pairs
          .first()
          .waitFor()
          .then(() => pairs.count()),
  );
  const studentno = await pairs.first().getByRole('row', { name: /学号/ }).getByRole('cell').nth(0).innerText();
  await pairs.first().getByRole('button', { name: '不是同一人' }).click();
  await page.getByRole('dialog', { name: '系统提示' }).getByRole('button', { name: '不是同一人' }).click();
  await expectNotification(page, /已记住/);
  await expect(pairs).toHaveCount(count - 1);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '建档', exact: true }).click();
  const form = page.getByRole('dialog', { name: '新增受测者' });
  await form.getByLabel('姓名').first().fill('陈依诺');
  await form.getByLabel('女', { exact: true }).check();
  await form.getByLabel('学号').fill(studentno);
  await form.getByRole('button', { name: '保存' }).click();
  await expect(form.getByRole('link', { name: '打开已有档案' })).toHaveAttribute('href', /archivesyh2\?cuserid=C/);
});

test('更正答卷归属 says what will happen and needs a reason', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/archives/archives_gl_ye'));
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('button', { name: '更正答卷归属' }).click();
  const drawer = page.getByRole('dialog', { name: /^更正答卷归属/ });
  await expect(drawer.getByText('原受测者已有的个案不会自动关闭')).toBeVisible();
  await drawer.getByRole('button', { name: '更正归属' }).click();
  await expect(drawer.getByText('更正依据不能为空')).toBeVisible();
  await drawer.getByLabel('两人互换').check();
  await expect(drawer.getByLabel(/另一份答卷/).first()).toBeVisible();
});

test('two records of one person are merged from the queue, and the person’s page undoes it', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/archives/archives_gl_ye'));
  await page.getByRole('button', { name: '疑似重复' }).click();
  const pair = page.getByRole('dialog', { name: '疑似重复' }).getByRole('region').first();
  await pair.getByRole('button', { name: '合并…' }).click();
  const drawer = page.getByRole('dialog', { name: /^合并档案/ });
  await expect(drawer.getByText('30 天内可以撤销，撤销后两份档案恢复原样。')).toBeVisible();
  await drawer.getByLabel('合并依据').fill('监护人和住址一致，是同一个学生');
  await drawer.getByRole('button', { name: '合并', exact: true }).click();
  await expect(drawer.getByText('两份档案已合并')).toBeVisible();
  await drawer.getByRole('link', { name: '打开保留的档案' }).click();
  const note = page.getByRole('status').filter({ hasText: '已并入本档案' });
  await note.getByRole('button', { name: '撤销合并' }).click();
  const undo = page.getByRole('dialog', { name: '撤销合并' });
  await undo.getByLabel('撤销依据').fill('两人同班同音，不是同一人');
  await undo.getByRole('button', { name: '撤销合并' }).click();
  await expectNotification(page, /已撤销/);
  await expect(note).toHaveCount(0);
});
