import { shanghaiDate, shiftDate } from '../src/domain/base/calendar.ts';
import { insertKiosk } from '../src/features/assess/assess.contract.ts';
import { accessibilityFaults, expect, signIn, test, url } from './people.ts';
import { choose, consent, openPhone } from './phone.ts';
import { as } from './school.ts';

const today = shanghaiDate(new Date());

test('J4: between two patients a nurse registers a woman, tests her by a 4-digit code, and opens the warning of her ninth answer', async ({
  page,
  browser,
}) => {
  const username = `白晓棠${Date.now() % 1_000_000}`;
  // The kiosk of the room was paired once, days ago.
  const { link } = await (await as('demo_nurse'))(insertKiosk, { kioskname: `产科诊室 ${username.slice(3)}` });
  const kiosk = await openPhone(browser);
  await kiosk.phone.goto(link);
  await expect(kiosk.phone.getByLabel('测评码')).toBeVisible();

  let clicks = 0;
  const click = async (
    role: 'button' | 'radio' | 'link' | 'menuitem' | 'option',
    name: string | RegExp,
    place = page.locator('body'),
  ) => {
    clicks++;
    await place.getByRole(role, { name }).first().click();
  };
  await signIn(page, 'demo_nurse');
  await page.goto(url('/empower/maternity'));
  await click('button', '建档');
  const form = page.getByRole('dialog', { name: '新增受测者' });
  await form.getByRole('textbox', { name: '姓名' }).fill(username);
  await click('radio', '女', form);
  await form.getByRole('textbox', { name: '出生日期' }).fill('1995-03-02');
  await page.keyboard.press('Tab');
  await form.getByRole('textbox', { name: '末次月经' }).fill(shiftDate(today, -196));
  await page.keyboard.press('Tab');
  await click('button', '保存', form);
  await expect(form).toBeHidden();

  const row = page
    .getByRole('row')
    .filter({ hasText: /孕 28周/ })
    .first();
  await page.getByLabel('姓名/编号').fill(username);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(row).toContainText('应测');
  await click('button', '立即测评', row);
  const drawer = page.getByRole('dialog', { name: /^立即测评/ });
  await expect(drawer.getByText(/31 岁/)).toBeVisible();
  await click('radio', '4 位码', drawer);
  await click('button', '生成 4 位码', drawer);
  const code = (await drawer.getByRole('status').textContent()) ?? '';
  await click('button', '完成', drawer);

  const { phone } = kiosk;
  await phone.getByLabel('测评码').fill(code);
  await phone.getByRole('button', { name: '开始' }).click();
  await phone.getByRole('button', { name: '是我，开始' }).click();
  await consent(phone);
  // A positive answer adds the tenth question of PHQ-9.
  for (let number = 1; number <= 17; number++) await choose(phone, number, number === 9 ? 1 : 0);
  await phone.getByRole('button', { name: '交卷' }).click();
  await expect(phone.getByRole('heading', { name: '谢谢您，已经交卷' })).toBeVisible();
  expect(kiosk.faults).toEqual([]);
  await kiosk.context.close();

  await page.getByRole('radiogroup', { name: '名单' }).getByText('全部').click();
  clicks++;
  await expect(page.getByRole('radio', { name: '全部' })).toBeChecked();
  await page.getByLabel('姓名/编号').fill(username);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row')).toHaveCount(2);
  await click('button', /更多操作/, row);
  await click('menuitem', '报告');
  await expect(page.getByText(/抑郁总分 1/)).toBeVisible();
  await expect(page.getByText(/份新报告/)).toHaveCount(0);
  clicks++;
  await page.getByRole('cell', { name: /^白/ }).click();
  // The report names the totals and the answer about self-harm, and leads to the case.
  await expect(page.getByText('关键条目预警，须当面核实')).toBeVisible();
  await expect(page.getByText(/第9题“.+”：好几天，1分/)).toBeVisible();
  await click('link', '打开预警个案');
  await expect(page.getByRole('button', { name: '受理', exact: true })).toBeVisible();
  await expect(page.getByText(/抑郁总分 1 分/)).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(clicks).toBeLessThanOrEqual(12);
});
