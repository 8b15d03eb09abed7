import { accessibilityFaults, expect, expectFitsWindow, expectNotification, signIn, test, url } from './people.ts';

test('a psychologist pins a student and a task, finds them on the workbench and first in the search, and ends the pins', async ({
  page,
}) => {
  await signIn(page, 'demo_psych');
  await page.goto(url('/task/administration'));
  await page.locator('tbody tr[aria-rowindex]').first().getByRole('link').first().click();
  await expect(page).toHaveURL(/\/task\/administration\/[^/?]+/);
  await page.getByRole('button', { name: '固定到工作台' }).click();
  await expectNotification(page, /已固定/);
  await expect(page.getByRole('button', { name: '取消固定' })).toHaveAttribute('aria-pressed', 'true');

  await page.keyboard.press('Control+k');
  const field = page.getByRole('textbox', { name: '搜索' });
  await field.fill('zhou');
  const person = page.getByRole('button', { name: /^周/ }).first();
  await expect(person).toBeVisible();
  const name = (await person.innerText()).split('\n')[0] ?? '';
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/cuserid=/);
  await page.getByRole('button', { name: '固定到工作台' }).click();
  await expect(page.getByRole('button', { name: '取消固定' })).toBeVisible();

  await page.goto(url('/workbench'));
  const pinned = page.getByRole('navigation', { name: '固定的内容' });
  await expect(pinned.getByRole('link')).toHaveCount(2);
  await expect(pinned.getByRole('link').first()).toContainText(name);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFitsWindow(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.keyboard.press('Control+k');
  const group = page.getByRole('group', { name: '固定' });
  await expect(group.getByRole('button')).toHaveCount(2);
  await group.getByRole('button').first().click();
  await expect(page).toHaveURL(/cuserid=/);
  await page.getByRole('button', { name: '取消固定' }).click();
  await expectNotification(page, /已取消固定/);
  await page.goto(url('/workbench'));
  await expect(pinned.getByRole('link')).toHaveCount(1);
  await pinned.getByRole('link').click();
  await page.getByRole('button', { name: '取消固定' }).click();
  await page.goto(url('/workbench'));
  await expect(page.getByRole('heading', { name: /，陈静怡/ })).toBeVisible();
  await expect(pinned).toHaveCount(0);
});
