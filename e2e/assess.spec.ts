import type { Page } from '@playwright/test';
import { shanghaiDate, shiftDate } from '../src/domain/base/calendar.ts';
import { revealCUser, updateCUser } from '../src/features/cuser/cuser.contract.ts';
import type { RequestOf } from '../src/contract/action.ts';
import { insertKioskCode } from '../src/features/assess/assess.contract.ts';
import { getDuePageList } from '../src/features/archive/archive.contract.ts';
import { accessibilityFaults, expect, signIn, test, url } from './people.ts';
import { choose, consent, openPhone, waitForQuestion, waitUntilSaved } from './phone.ts';
import { as } from './school.ts';

const today = shanghaiDate(new Date());
const MATERNITY = '/empower/maternity';
const run = `${Date.now() % 1_000_000}`;
/** 28 weeks pregnant: in the window of 孕晚期. */
const lmpdate = shiftDate(today, -196);

/** Types a date into a field of the drawer. */
async function typeDay(page: Page, label: string, day: string) {
  await page.getByRole('dialog', { name: '新增受测者' }).getByRole('textbox', { name: label }).fill(day);
  await page.keyboard.press('Tab');
}

/** Finds the row of a person on the page. */
async function search(page: Page, username: string) {
  await page.getByLabel('姓名/编号').fill(username);
  await page.getByRole('button', { name: '查询' }).click();
}
const rowOf = (page: Page, username: string) => page.getByRole('row').filter({ hasText: username });

/** Registers a woman on 孕产妇. */
async function register(page: Page, username: string) {
  await page.getByRole('button', { name: '建档' }).click();
  const drawer = page.getByRole('dialog', { name: '新增受测者' });
  await drawer.getByRole('textbox', { name: '姓名' }).fill(username);
  await drawer.getByRole('radio', { name: '女' }).check();
  await typeDay(page, '出生日期', '1995-03-02');
  await typeDay(page, '末次月经', lmpdate);
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(drawer).toBeHidden();
}

test('J4: a maternity nurse registers a woman, tests her on her telephone, reads the result and finds her next stage due', async ({
  page,
  browser,
}) => {
  const username = `苏念安${run}`;
  await signIn(page, 'demo_hospital');
  await page.goto(url(MATERNITY));
  await register(page, username);
  await search(page, username);
  await expect(rowOf(page, username)).toContainText('应测');
  await expect(rowOf(page, username)).toContainText('孕晚期');
  await rowOf(page, username).getByRole('button', { name: '立即测评' }).click();
  const drawer = page.getByRole('dialog', { name: `立即测评：${username}` });
  await expect(drawer.getByRole('combobox', { name: '阶段' })).toHaveValue('孕晚期');
  expect(await accessibilityFaults(page)).toEqual([]);
  await drawer.getByRole('button', { name: '生成二维码' }).click();
  await expect(drawer.getByRole('img', { name: '本次测评的二维码' })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  const link = await drawer.getByLabel('链接', { exact: true }).inputValue();
  await drawer.getByRole('button', { name: '完成' }).click();

  const { context, phone, faults } = await openPhone(browser);
  await phone.goto(link);
  await phone.getByLabel('出生月份').selectOption('3');
  await phone.getByLabel('出生日期').selectOption('3');
  await phone.getByRole('button', { name: '下一步' }).click();
  await expect(phone.getByText('还可以试 4 次')).toBeVisible();
  expect(await accessibilityFaults(phone)).toEqual([]);
  expect(phone.url()).not.toContain('#');
  await phone.getByLabel('出生日期').selectOption('2');
  await phone.getByRole('button', { name: '下一步' }).click();
  await phone.getByRole('button', { name: '是我，开始' }).click();
  await consent(phone);
  for (let number = 1; number <= 16; number++) await choose(phone, number, 0);
  await phone.getByRole('button', { name: '交卷' }).click();
  await expect(phone.getByRole('heading', { name: '谢谢您，已经交卷' })).toBeVisible();
  await phone.getByRole('button', { name: '完成并退出' }).click();
  await expect(phone.getByText('可以关闭本页了')).toBeVisible();
  await phone.goto(link);
  await expect(phone.getByText('这次测评已经交卷或取消')).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();

  await page.getByRole('radiogroup', { name: '名单' }).getByText('全部').click();
  await search(page, username);
  await expect(rowOf(page, username)).toContainText('良好');
  await rowOf(page, username)
    .getByRole('button', { name: `${username}的更多操作` })
    .click();
  await page.getByRole('menuitem', { name: '报告' }).click();
  await expect(rowOf(page, username)).toBeVisible();

  // She gives birth and comes back six weeks later.
  const call = await as('demo_hospital');
  await page.goto(url(MATERNITY));
  await search(page, username);
  await expect(page.getByText('没有符合条件')).toBeVisible();
  await page.goto(url(`${MATERNITY}?view=all`));
  await search(page, username);
  const cuserid = new URL(
    (await rowOf(page, username).getByRole('link', { name: username }).getAttribute('href')) ?? '',
    url(),
  ).searchParams.get('cuserid') as string;
  const { version, archive } = await call(revealCUser, { cuserid });
  await call(updateCUser, { cuserid, version, archive: { ...archive, deliverydate: shiftDate(today, -42) } });
  const due = await call(getDuePageList, { appid: '000000001', keyword: username });
  expect(due.rows[0]).toMatchObject({ stagecode: 'YC42', due: 'due' });
  await page.goto(url(MATERNITY));
  await search(page, username);
  await expect(rowOf(page, username)).toContainText('产后42天');
});

/** Makes a 4-digit code for a woman in the due list. Returns what the page asked for, too. */
async function makeCode(page: Page, username: string): Promise<{ code: string; target: RequestOf<typeof insertKioskCode> }> {
  await rowOf(page, username).getByRole('button', { name: '立即测评' }).click();
  const drawer = page.getByRole('dialog', { name: `立即测评：${username}` });
  await drawer.getByRole('radio', { name: '4 位码' }).check();
  const request = page.waitForRequest((sent) => sent.url().includes(insertKioskCode.name));
  await drawer.getByRole('button', { name: '生成 4 位码' }).click();
  const code = (await drawer.getByRole('status').textContent()) ?? '';
  expect(code).toMatch(/^\d{4}$/);
  await drawer.getByRole('button', { name: '完成' }).click();
  return { code, target: (await request).postDataJSON() as RequestOf<typeof insertKioskCode> };
}

/** Makes the device of the page a kiosk. */
async function pairKiosk(page: Page) {
  await page.getByRole('button', { name: '自助机' }).click();
  const kiosks = page.getByRole('dialog', { name: '自助机' });
  await kiosks.getByLabel('把这台设备设为自助机').fill(`产科一诊室${run}`);
  expect(await accessibilityFaults(page)).toEqual([]);
  await kiosks.getByRole('button', { name: '配对这台设备' }).click();
  await expect(page.getByLabel('测评码')).toBeVisible();
}

/** Opens a test at a kiosk by its code, up to 是我，开始. */
async function enterCode(page: Page, code: string) {
  await page.getByLabel('测评码').fill(code);
  await page.getByRole('button', { name: '开始' }).click();
}

test('the console signs out before this device goes to a respondent, and a kiosk clears after the test', async ({ page }) => {
  const username = `陆宛秋${run}`;
  await signIn(page, 'demo_hospital');
  await page.goto(url(MATERNITY));
  await register(page, username);
  await search(page, username);
  await rowOf(page, username).getByRole('button', { name: '立即测评' }).click();
  const drawer = page.getByRole('dialog', { name: `立即测评：${username}` });
  await drawer.getByRole('radio', { name: '本机' }).check();
  await drawer.getByRole('button', { name: '退出管理端并开始' }).click();
  await expect(page.getByRole('heading', { name: '这是您吗？' })).toBeVisible();
  expect((await page.context().cookies()).find(({ name }) => name === 'token')?.value ?? '').toBe('');
  await page.getByRole('button', { name: '这不是我' }).click();
  await expect(page.getByText('请把这台设备交还给工作人员')).toBeVisible();
  await page.getByRole('button', { name: '工作人员：返回管理端' }).click();

  await signIn(page, 'demo_hospital');
  await page.goto(url(MATERNITY));
  await search(page, username);
  const { code } = await makeCode(page, username);
  await pairKiosk(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  await enterCode(page, code);
  await page.getByRole('button', { name: '是我，开始' }).click();
  await consent(page);
  for (let number = 1; number <= 16; number++) await choose(page, number, 0);
  await page.getByRole('button', { name: '交卷' }).click();
  await expect(page.getByRole('heading', { name: '谢谢您，已经交卷' })).toBeVisible();
  await expect(page.getByRole('button', { name: '查看我的报告' })).toBeHidden();
  // The page clears by itself.
  await expect(page.getByLabel('测评码')).toBeVisible();
  expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain('respondent');
  await enterCode(page, code);
  await expect(page.getByText('测评码不正确或已过期')).toBeVisible();
});

/** The names of everything that the page stores on its device. */
const storedNames = (page: Page) =>
  page.evaluate(() => [localStorage, sessionStorage].flatMap((storage) => Object.keys(storage)));

test('a kiosk that nobody touches in the middle of a test asks, counts down, and is clear for the next person', async ({
  page,
}) => {
  const username = `顾芷晴${run}`;
  await signIn(page, 'demo_hospital');
  await page.goto(url(MATERNITY));
  await register(page, username);
  await search(page, username);
  const { code, target } = await makeCode(page, username);
  await pairKiosk(page);
  await page.clock.install();

  // She leaves before she says that it is she.
  await enterCode(page, code);
  await expect(page.getByRole('button', { name: '是我，开始' })).toBeVisible();
  await page.clock.runFor(120_000);
  await expect(page.getByRole('heading', { name: '还在这里吗？' })).toBeVisible();
  await page.getByRole('button', { name: '我还在，继续' }).click();
  await page.getByRole('button', { name: '是我，开始' }).click();
  await consent(page);
  await page.getByRole('button', { name: '大字' }).click();
  await choose(page, 1, 0);
  await choose(page, 2, 1);
  await waitForQuestion(page, 3);
  await waitUntilSaved(page);
  // A touch counts: almost two minutes later she still reads.
  const pauseIn = async (ms: number) => page.clock.pauseAt((await page.evaluate(() => Date.now())) + ms);
  await pauseIn(100_000);
  await page.keyboard.press('Shift');
  await page.clock.runFor(119_000);
  await expect(page.getByRole('heading', { name: '还在这里吗？' })).toBeHidden();
  await page.clock.runFor(2000);
  await expect(page.getByText('已经答过的都已保存')).toBeVisible();
  await expect(page.locator('.countdown')).toHaveText(/^(29|30) 秒$/);
  await expect(page.getByRole('button', { name: '菜单' })).toBeHidden();
  await page.clock.resume();
  expect(await accessibilityFaults(page)).toEqual([]);
  // A tap beside the buttons answers nothing; the button goes on where she was.
  await page.mouse.click(20, 300);
  await expect(page.getByRole('heading', { name: '还在这里吗？' })).toBeVisible();
  await page.getByRole('button', { name: '我还在，继续' }).click();
  await waitForQuestion(page, 3);

  await pauseIn(121_000);
  await expect(page.getByRole('heading', { name: '还在这里吗？' })).toBeVisible();
  await page.clock.runFor(30_000);
  await page.clock.resume();
  await expect(page.getByLabel('测评码')).toBeVisible();
  await expect(page.getByRole('heading', { name: '还在这里吗？' })).toBeHidden();
  await expect(page.getByRole('button', { name: '大字' })).toHaveAttribute('aria-pressed', 'false');
  // The pairing, the random name of the device and the account of the staff stay: nothing of her.
  expect((await storedNames(page)).sort()).toEqual(['account', 'respondent.device', 'respondent.kiosk']);
  await page.reload();
  await expect(page.getByLabel('测评码')).toBeVisible();

  // The server has her two answers: with a new code she goes on at the third question.
  const call = await as('demo_hospital');
  const next = await call(insertKioskCode, target);
  await enterCode(page, next.code);
  await page.getByRole('button', { name: '是我，开始' }).click();
  await waitForQuestion(page, 3);
});
