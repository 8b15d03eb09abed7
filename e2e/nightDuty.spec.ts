import type { Locator } from '@playwright/test';
import { insertCUser } from '../src/features/cuser/cuser.contract.ts';
import { insertWarning } from '../src/features/warning/handling/handling.contract.ts';
import { accessibilityFaults, expect, expectFitsWindow, expectNotification, signIn, test, url } from './people.ts';
import { as } from './school.ts';

/** The least height of what a finger touches, in CSS pixels. */
const FINGER = 44;
const expectTouchable = async (...targets: Locator[]) => {
  for (const target of targets) {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    const name = (await target.getAttribute('aria-label')) ?? (await target.textContent()) ?? '';
    expect.soft(Math.round(box?.height ?? 0), `the height of ${name}`).toBeGreaterThanOrEqual(FINGER);
  }
};

test('at night the psychologist on duty goes from the message to the call and the note by phone', async ({ page }) => {
  const run = String(Date.now() % 1_000_000);
  const colleague = await as('demo_psych2');
  const { cuserid } = await colleague(insertCUser, {
    appid: '000000002',
    username: `岑夜${run}`,
    gender: '02',
    birthday: '2011-03-18',
    archive: { studentno: `N${run}` },
    guardian: [{ name: '岑母亲', relation: '02', phonenumber: '13900001234' }],
  });
  await colleague(insertWarning, { cuserid, level: 3, content: '晚自习后说“不想活了”，室友陪着' });

  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, 'demo_psych');
  const bell = page
    .getByRole('button', { name: /消息/ })
    .or(page.getByRole('link', { name: /消息/ }))
    .first();
  await expectTouchable(bell);
  await page.goto(url('/notices'));
  await expectFitsWindow(page);
  const message = page
    .getByRole('link')
    .filter({ hasText: `岑夜${run}` })
    .or(page.getByRole('button').filter({ hasText: `岑夜${run}` }))
    .first();
  await expectTouchable(message, page.getByRole('group', { name: '消息分组' }).getByRole('button').first());
  await message.click();
  await expect(page).toHaveURL(/\/earlyWarning\/case\//);
  await expectFitsWindow(page);
  const accept = page.getByRole('button', { name: '受理', exact: true });
  await expectTouchable(accept);
  await accept.click();
  await expectNotification(page, /已受理/);

  const reveal = page.getByRole('button', { name: '查看电话' }).first();
  await expectTouchable(reveal);
  await reveal.click();
  const call = page.getByRole('link', { name: '13900001234' });
  await expect(call).toHaveAttribute('href', 'tel:13900001234');
  await page.getByRole('button', { name: '本人电话' }).click();
  await expect(page.getByRole('button', { name: '本人未登记电话' })).toBeDisabled();
  const unanswered = page.getByRole('button', { name: '电话没打通' });
  const note = page.getByRole('textbox', { name: '写一句备注' });
  const save = page.getByRole('button', { name: '记下' });
  await expectTouchable(call, unanswered, note, save);
  await unanswered.click();
  await expectNotification(page, /电话没打通/);
  await note.fill('已请宿管陪同，@陆远');
  const colleagueOption = page.getByRole('option', { name: /陆远/ });
  await expectTouchable(colleagueOption);
  await colleagueOption.click();
  await save.click();
  await expect(page.locator('[aria-label="处置记录"]')).toContainText('已请宿管陪同，@陆远');
  await expectFitsWindow(page);
  expect(await accessibilityFaults(page)).toEqual([]);
});
