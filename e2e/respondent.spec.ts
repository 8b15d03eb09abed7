import type { Page } from '@playwright/test';
import { shanghaiDate } from '../src/domain/base/calendar.ts';
import { expect, test, url } from './people.ts';
import { atQuestion, choose, consent, identify, keptOnPhone, phoneOf, question, questionOf, saved, turn } from './phone.ts';
import type { Respondent } from './phone.ts';
import { screenedClass } from './school.ts';

const entry = '/c/demo-chenguang';

/** Students of one class for these tests; the eighth is thirteen. */
let students: Respondent[] = [];
const aged = (years: number) => shanghaiDate(new Date(Date.now() - (years * 365.25 + 100) * 86_400_000));
test.beforeAll(async () => {
  students = await screenedClass([...Array.from({ length: 7 }, () => aged(15)), aged(13), aged(15)]);
});
const student = (at: number) => students[at] as Respondent;

/** Answers questions `from` to `to` with 完全不会. There are sixteen; a higher answer to PHQ-9 adds its tenth. */
async function answer(phone: Page, from: number, to: number) {
  for (let number = from; number <= to; number++) await choose(phone, number, 0);
}
/** The same where there is no network: each answer is on the phone before the next. */
async function answerAway(phone: Page, from: number, to: number) {
  for (let number = from; number <= to; number++) await keptOnPhone(phone, () => choose(phone, number, 0));
}
const handIn = (phone: Page) => phone.getByRole('button', { name: '交卷' });
const thanks = (phone: Page) => phone.getByRole('heading', { name: '谢谢你，已经交卷' });
const missing = (phone: Page, count: number) =>
  expect(phone.getByRole('heading', { name: `还有 ${count} 题没有回答` })).toBeVisible();

test('without a network the answers stay on the phone and go up when it is back; 交卷 waits and goes once', async ({
  browser,
}) => {
  const { context, phone, faults } = await phoneOf(browser);
  await identify(phone, entry, student(0));
  await consent(phone);
  await answer(phone, 1, 3);
  await saved(phone);
  await context.setOffline(true);
  await answer(phone, 4, 15);
  await expect(phone.getByText('网络不稳定，答案已存在本机，恢复后自动上传')).toBeVisible();
  await choose(phone, 16, 0);
  await handIn(phone).click();
  await expect(phone.getByText('答案已存在本机，恢复后会自动交卷')).toBeVisible();
  await context.setOffline(false);
  await expect(thanks(phone)).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test('the tab is closed without a network and opened again: every answer is there', async ({ browser }) => {
  const { context, phone, faults } = await phoneOf(browser);
  await identify(phone, entry, student(1));
  await consent(phone);
  await answer(phone, 1, 2);
  await saved(phone);
  await context.setOffline(true);
  await answerAway(phone, 3, 6);
  await expect(phone.getByText('网络不稳定，答案已存在本机，恢复后自动上传')).toBeVisible();
  const closed = phone.waitForEvent('close');
  await phone.close({ runBeforeUnload: true });
  await closed;
  await context.setOffline(false);
  const again = await context.newPage();
  await identify(again, entry, student(1));
  await atQuestion(again, 7);
  await expect(again.getByText('已恢复之前的作答，从这里继续。')).toBeVisible();
  for (let number = 7; number > 1; number--) {
    await turn(again, number, '上一题');
    await atQuestion(again, number - 1);
    await expect(question(again).locator('label.option').first()).toHaveClass(/chosen/);
  }
  expect(faults).toEqual([]);
  await context.close();
});

test('reloaded without a network: the page, the questions and every answer are there; answers given then go up and are handed in', async ({
  browser,
}) => {
  const { context, phone, faults } = await phoneOf(browser);
  await identify(phone, entry, student(6));
  await consent(phone);
  await answer(phone, 1, 3);
  await saved(phone);
  // The page is kept once it has been shown; what was kept is the page and its two files.
  const kept = () =>
    phone.evaluate(async () => (await (await caches.open('respondent')).keys()).map((key) => new URL(key.url).pathname));
  await expect.poll(async () => (await kept()).length).toBe(3);
  await context.setOffline(true);
  await answerAway(phone, 4, 5);
  await phone.reload();
  await atQuestion(phone, 6);
  await answerAway(phone, 6, 9);
  await phone.reload();
  await atQuestion(phone, 10);
  await turn(phone, 10, '上一题');
  await atQuestion(phone, 9);
  await expect(question(phone).locator('label.option').first()).toHaveClass(/chosen/);
  await turn(phone, 9, '下一题');
  await answer(phone, 10, 15);
  await choose(phone, 16, 0);
  await handIn(phone).click();
  await expect(phone.getByText('答案已存在本机，恢复后会自动交卷')).toBeVisible();
  await context.setOffline(false);
  await expect(thanks(phone)).toBeVisible();
  // Neither a call nor an answer was ever kept, and after the hand-in nothing of it is on the phone.
  expect((await kept()).every((path) => path === '/c/' || path.startsWith('/assets/respondent-'))).toBe(true);
  expect(await phone.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft.')))).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

test('a double tap on 交卷 hands in once', async ({ browser }) => {
  const { context, phone, faults } = await phoneOf(browser);
  const handedIn: string[] = [];
  phone.on(
    'request',
    (request) => request.url().includes('submitExam') && handedIn.push(request.postDataJSON().submitkey as string),
  );
  // The server takes its time, so that the second tap still finds the button.
  let letGo: () => void = () => undefined;
  const tapped = new Promise<void>((resolve) => (letGo = resolve));
  await phone.route('**/api/as.c.exam.submitExam/**', async (route) => {
    await tapped;
    await route.continue();
  });
  await identify(phone, entry, student(2));
  await consent(phone);
  await answer(phone, 1, 16);
  await handIn(phone).dblclick();
  letGo();
  await expect(thanks(phone)).toBeVisible();
  expect(handedIn).toHaveLength(1);
  await phone.reload();
  await expect(phone.getByRole('heading', { name: /测评|都答完了/ }).first()).toBeVisible();
  await expect(question(phone)).toBeHidden();
  expect(faults).toEqual([]);
  await context.close();
});

test('the session ends in the middle: only the identity is asked again, and the sheet is as it was', async ({ browser }) => {
  const { context, phone, faults } = await phoneOf(browser);
  await identify(phone, entry, student(3));
  await consent(phone);
  await answer(phone, 1, 4);
  await saved(phone);
  // The server knows this session no longer; nothing else of the answer is changed.
  let ended = false;
  await phone.route('**/api/as.c.exam.saveAnswer/**', async (route) => {
    if (ended) return route.continue();
    ended = true;
    const headers = { ...route.request().headers(), token: 'ended' };
    return route.continue({ headers });
  });
  await choose(phone, 5, 1);
  await expect(phone.getByRole('heading', { name: '请再确认一次你的身份' })).toBeVisible();
  await phone.getByLabel('姓名').fill(student(3).username);
  await phone.getByLabel('学号').fill(student(3).number);
  await phone.getByRole('button', { name: '确认并继续' }).click();
  await atQuestion(phone, 6);
  await saved(phone);
  await turn(phone, 6, '上一题');
  await atQuestion(phone, 5);
  await expect(question(phone).locator('label.option').nth(1)).toHaveClass(/chosen/);
  await turn(phone, 5, '下一题');
  await answer(phone, 6, 9);
  await turn(phone, 10, '下一题');
  await answer(phone, 11, 17);
  await handIn(phone).click();
  await expect(thanks(phone)).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test('somebody else signs in on the phone of the class: nothing of the first is shown to the second', async ({ browser }) => {
  const { context, phone, faults } = await phoneOf(browser);
  await identify(phone, entry, student(4));
  await consent(phone);
  await answer(phone, 1, 3);
  await saved(phone);
  await phone.getByRole('button', { name: '菜单' }).click();
  await phone.getByRole('button', { name: '保存并退出' }).click();
  await expect(phone.getByLabel('姓名')).toHaveValue('');
  await identify(phone, entry, student(5));
  await expect(phone.getByRole('heading', { name: '知情同意书' })).toBeVisible();
  await expect(phone.locator('body')).not.toContainText(student(4).username);
  await identify(phone, entry, student(4));
  await atQuestion(phone, 4);
  expect(faults).toEqual([]);
  await context.close();
});

test('large letters, and with the keyboard alone: from the entry to the thanks', async ({ page }) => {
  const press = (key: string) => page.keyboard.press(key);
  await page.goto(url(entry));
  // Once the form is there it takes the focus; a key pressed before would go to it.
  await expect(page.getByLabel('姓名')).toBeVisible();
  await page.getByRole('button', { name: '大字' }).press('Enter');
  await expect(page.locator('html')).toHaveClass(/large/);
  await page.getByLabel('姓名').focus();
  await page.keyboard.type(student(5).username);
  await press('Tab');
  await page.keyboard.type(student(5).number);
  await press('Enter');
  await page.getByRole('button', { name: '是我，开始' }).press('Enter');
  await expect(page.getByRole('heading', { name: '知情同意书' })).toBeVisible();
  for (const tick of await page.getByRole('checkbox').all()) await tick.press('Space');
  await page.getByRole('button', { name: '同意并开始' }).press('Enter');
  for (let number = 1; number <= 16; number++) {
    await atQuestion(page, number);
    // A key pressed before the question listens is lost; one that was heard shows at once and must not be pressed again.
    const shown = questionOf(page, number);
    const heard = async () => (await shown.count()) === 0 || (await shown.locator('.chosen').count()) > 0;
    await expect(async () => {
      await press('1');
      expect(await heard()).toBe(true);
    }).toPass();
    await expect(shown).toBeHidden();
  }
  await handIn(page).press('Enter');
  await expect(thanks(page)).toBeVisible();
  await expect(page.locator('html')).toHaveClass(/large/);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  expect(wide).toBe(false);
});

test('a child of thirteen needs a guardian, and what was filled in stays when something is missing', async ({ browser }) => {
  const { context, phone, faults } = await phoneOf(browser);
  await identify(phone, entry, student(7));
  const start = phone.getByRole('button', { name: '同意并开始' });
  await phone.getByLabel('我单独同意').check();
  await phone.getByRole('checkbox').first().check();
  await start.click();
  await expect(phone.getByRole('alert')).toHaveText('请填写监护人姓名');
  await phone.getByLabel('监护人姓名').fill('温建业');
  await phone.getByText('父亲', { exact: true }).click();
  await phone.getByLabel('监护人手机号').fill('138');
  await start.click();
  await expect(phone.getByRole('alert')).toHaveText('请填写监护人的 11 位手机号码');
  await expect(phone.getByLabel('监护人姓名')).toHaveValue('温建业');
  await phone.getByLabel('监护人手机号').fill('13800000000');
  await start.click();
  await expect(phone.getByRole('alert')).toHaveText('需要监护人勾选同意');
  await phone.getByLabel('我是监护人').check();
  await start.click();
  await atQuestion(phone, 1);
  expect(faults).toEqual([]);
  await context.close();
});

test('what is left out is named, and leads there', async ({ browser }) => {
  const { context, phone } = await phoneOf(browser);
  await identify(phone, entry, student(8));
  await consent(phone);
  for (let number = 1; number <= 16; number++)
    await (number === 4 || number === 12 ? turn(phone, number, '先跳过') : choose(phone, number, 0));
  await missing(phone, 2);
  await phone.getByRole('button', { name: '第 12 题', exact: true }).click();
  await choose(phone, 12, 0);
  await context.close();
});
