import type { Page } from '@playwright/test';
import { shanghaiDate } from '../src/domain/base/calendar.ts';
import { accessibilityFaults, expect, expectFitsWindow, signIn, test, url } from './people.ts';
import {
  waitForQuestion,
  choose,
  consent,
  identify,
  waitForDraft,
  openPhone,
  question,
  questionOf,
  waitUntilSaved,
  turn,
} from './phone.ts';
import type { Respondent } from './phone.ts';
import { insertMUserExamPlan } from '../src/features/plan/plan.contract.ts';
import { closeTask } from '../src/features/task/task.contract.ts';
import { as, createScreenedClass, createScreening } from './school.ts';

const entry = '/c/demo-chenguang';

/** The students of one class for these tests; the eighth student is thirteen years old. */
let students: Respondent[] = [];
const birthdayOf = (years: number) => shanghaiDate(new Date(Date.now() - (years * 365.25 + 100) * 86_400_000));
test.beforeAll(async () => {
  const teenagers = Array.from({ length: 7 }, () => birthdayOf(15));
  students = await createScreenedClass([...teenagers, birthdayOf(13), birthdayOf(15), birthdayOf(15), birthdayOf(15)]);
});
const student = (index: number) => students[index] as Respondent;

/** Answers questions `from` to `to` with 完全不会. There are sixteen questions; a higher answer to PHQ-9 adds its tenth item. */
async function answer(phone: Page, from: number, to: number) {
  for (let number = from; number <= to; number++) await choose(phone, number, 0);
}
/** The same without a network: the phone stores each answer before the next one. */
async function answerOffline(phone: Page, from: number, to: number) {
  for (let number = from; number <= to; number++) await waitForDraft(phone, () => choose(phone, number, 0));
}
const submitButton = (phone: Page) => phone.getByRole('button', { name: '交卷' });
const thanks = (phone: Page) => phone.getByRole('heading', { name: '谢谢你，已经交卷' });
const expectMissing = (phone: Page, count: number) =>
  expect(phone.getByRole('heading', { name: `还有 ${count} 题没有回答` })).toBeVisible();

test('without a network the phone stores the answers and 交卷, and sends both once when the network is back', async ({
  browser,
}) => {
  const { context, phone, faults } = await openPhone(browser);
  await identify(phone, entry, student(0));
  await consent(phone);
  await answer(phone, 1, 3);
  await waitUntilSaved(phone);
  await context.setOffline(true);
  await answer(phone, 4, 15);
  await expect(phone.getByText('网络不稳定，答案已存在本机，恢复后自动上传')).toBeVisible();
  await choose(phone, 16, 0);
  await submitButton(phone).click();
  await expect(phone.getByText('答案已存在本机，恢复后会自动交卷')).toBeVisible();
  await context.setOffline(false);
  await expect(thanks(phone)).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test('after closing the tab without a network and opening it again, every answer is there', async ({ browser }) => {
  const { context, phone, faults } = await openPhone(browser);
  await identify(phone, entry, student(1));
  await consent(phone);
  await answer(phone, 1, 2);
  await waitUntilSaved(phone);
  await context.setOffline(true);
  await answerOffline(phone, 3, 6);
  await expect(phone.getByText('网络不稳定，答案已存在本机，恢复后自动上传')).toBeVisible();
  const closed = phone.waitForEvent('close');
  await phone.close({ runBeforeUnload: true });
  await closed;
  await context.setOffline(false);
  const newTab = await context.newPage();
  await identify(newTab, entry, student(1));
  await waitForQuestion(newTab, 7);
  await expect(newTab.getByText('已恢复之前的作答，从这里继续。')).toBeVisible();
  for (let number = 7; number > 1; number--) {
    await turn(newTab, number, '上一题');
    await waitForQuestion(newTab, number - 1);
    await expect(question(newTab).locator('label.option').first()).toHaveClass(/chosen/);
  }
  expect(faults).toEqual([]);
  await context.close();
});

test('an unfinished exam goes on at another device without the answers given before, and the first device keeps its own', async ({
  browser,
}) => {
  const own = await openPhone(browser);
  const person = student(10);
  await identify(own.phone, entry, person);
  await consent(own.phone);
  for (let number = 1; number <= 3; number++) await choose(own.phone, number, 1);
  await waitUntilSaved(own.phone);
  const other = await openPhone(browser);
  const started = other.phone.waitForResponse((response) => response.url().includes('as.c.exam.startExam'));
  await identify(other.phone, entry, person);
  const { data } = (await (await started).json()) as { data: { sheets: { answers: object; items: { c: string }[] }[] } };
  expect(data.sheets.map((sheet) => sheet.answers)).toEqual([{}, {}]);
  await waitForQuestion(other.phone, 4);
  await expect(other.phone.getByText('前面 3 题已在另一台设备上答过')).toBeVisible();
  await expect(other.phone.getByRole('button', { name: '上一题' })).toBeDisabled();
  await expect(other.phone.locator('label.option.chosen')).toHaveCount(0);
  await choose(other.phone, 4, 0);
  await waitUntilSaved(other.phone);
  await turn(other.phone, 5, '上一题');
  await waitForQuestion(other.phone, 4);
  await expect(other.phone.getByRole('button', { name: '上一题' })).toBeDisabled();
  const again = await own.context.newPage();
  await identify(again, entry, person);
  await turn(again, 5, '上一题');
  await expect(question(again).locator('label.option').nth(1)).toHaveClass(/chosen/);
  expect([...own.faults, ...other.faults]).toEqual([]);
  await own.context.close();
  await other.context.close();
});

test('after a reload without a network the questions and answers are there, and the exam can be finished and submitted', async ({
  browser,
}) => {
  const { context, phone, faults } = await openPhone(browser);
  await identify(phone, entry, student(6));
  await consent(phone);
  await answer(phone, 1, 3);
  await waitUntilSaved(phone);
  // The browser caches the page, which carries its styles, and its script after the first visit.
  const cachedPaths = () =>
    phone.evaluate(async () => (await (await caches.open('respondent')).keys()).map((key) => new URL(key.url).pathname));
  await expect.poll(async () => (await cachedPaths()).length).toBe(2);
  await context.setOffline(true);
  await answerOffline(phone, 4, 5);
  await phone.reload();
  await waitForQuestion(phone, 6);
  await answerOffline(phone, 6, 9);
  await phone.reload();
  await waitForQuestion(phone, 10);
  await turn(phone, 10, '上一题');
  await waitForQuestion(phone, 9);
  await expect(question(phone).locator('label.option').first()).toHaveClass(/chosen/);
  await turn(phone, 9, '下一题');
  await answer(phone, 10, 15);
  await choose(phone, 16, 0);
  await submitButton(phone).click();
  await expect(phone.getByText('答案已存在本机，恢复后会自动交卷')).toBeVisible();
  await context.setOffline(false);
  await expect(thanks(phone)).toBeVisible();
  // The cache never has a call or an answer, and after the submission the phone has no draft.
  expect((await cachedPaths()).every((path) => path === '/c/' || path.startsWith('/assets/respondent-'))).toBe(true);
  expect(await phone.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft.')))).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

test('a double tap on 交卷 submits once', async ({ browser }) => {
  const { context, phone, faults } = await openPhone(browser);
  const submitkeys: string[] = [];
  phone.on(
    'request',
    (request) => request.url().includes('submitExam') && submitkeys.push(request.postDataJSON().submitkey as string),
  );
  // The answer is delayed, so that the second tap still finds the button.
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await phone.route('**/api/as.c.exam.submitExam/**', async (route) => {
    await released;
    await route.continue();
  });
  await identify(phone, entry, student(2));
  await consent(phone);
  await answer(phone, 1, 16);
  await submitButton(phone).dblclick();
  release();
  await expect(thanks(phone)).toBeVisible();
  expect(submitkeys).toHaveLength(1);
  await phone.reload();
  await expect(phone.getByRole('heading', { name: /测评|都答完了/ }).first()).toBeVisible();
  await expect(question(phone)).toBeHidden();
  expect(faults).toEqual([]);
  await context.close();
});

test('when the session ends during an exam, only the identity is asked again and the answers stay', async ({ browser }) => {
  const { context, phone, faults } = await openPhone(browser);
  await identify(phone, entry, student(3));
  await consent(phone);
  await answer(phone, 1, 4);
  await waitUntilSaved(phone);
  // The first saving call gets an ended session; nothing else of the call changes.
  let hasEnded = false;
  await phone.route('**/api/as.c.exam.saveAnswer/**', async (route) => {
    if (hasEnded) return route.continue();
    hasEnded = true;
    const headers = { ...route.request().headers(), token: 'ended' };
    return route.continue({ headers });
  });
  await choose(phone, 5, 1);
  await expect(phone.getByRole('heading', { name: '请再确认一次你的身份' })).toBeVisible();
  await phone.getByLabel('姓名').fill(student(3).username);
  await phone.getByLabel('学号').fill(student(3).number);
  await phone.getByRole('button', { name: '确认并继续' }).click();
  await waitForQuestion(phone, 6);
  await waitUntilSaved(phone);
  await turn(phone, 6, '上一题');
  await waitForQuestion(phone, 5);
  await expect(question(phone).locator('label.option').nth(1)).toHaveClass(/chosen/);
  await turn(phone, 5, '下一题');
  await answer(phone, 6, 9);
  await turn(phone, 10, '下一题');
  await answer(phone, 11, 17);
  await submitButton(phone).click();
  await expect(thanks(phone)).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test('on a shared phone the second respondent sees nothing of the first', async ({ browser }) => {
  const { context, phone, faults } = await openPhone(browser);
  await identify(phone, entry, student(4));
  await consent(phone);
  await answer(phone, 1, 3);
  await waitUntilSaved(phone);
  await phone.getByRole('button', { name: '菜单' }).click();
  await phone.getByRole('button', { name: '保存并退出' }).click();
  await expect(phone.getByLabel('姓名')).toHaveValue('');
  await identify(phone, entry, student(5));
  await expect(phone.getByRole('heading', { name: '知情同意书' })).toBeVisible();
  await expect(phone.locator('body')).not.toContainText(student(4).username);
  await identify(phone, entry, student(4));
  await waitForQuestion(phone, 4);
  expect(faults).toEqual([]);
  await context.close();
});

test('a respondent can do the whole exam with large letters and the keyboard alone', async ({ page }) => {
  const press = (key: string) => page.keyboard.press(key);
  await page.goto(url(entry));
  // The form takes the focus when it appears, so the test waits for it before the first key.
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
    await waitForQuestion(page, number);
    // A key that comes too early is lost. After an accepted key the option is marked, and the test must not press again.
    const current = questionOf(page, number);
    const isAnswered = async () => (await current.count()) === 0 || (await current.locator('.chosen').count()) > 0;
    await expect(async () => {
      await press('1');
      expect(await isAnswered()).toBe(true);
    }).toPass();
    await expect(current).toBeHidden();
  }
  await submitButton(page).press('Enter');
  await expect(thanks(page)).toBeVisible();
  await expect(page.locator('html')).toHaveClass(/large/);
  await expectFitsWindow(page);
});

test('a child of thirteen may answer before the guardian agrees, and types no telephone', async ({ browser }) => {
  const { context, phone, faults } = await openPhone(browser);
  await identify(phone, entry, student(7));
  const start = phone.getByRole('button', { name: '同意并开始' });
  await phone.getByRole('checkbox').first().check();
  await start.click();
  await expect(phone.getByRole('alert')).toHaveText('敏感信息的处理需要单独勾选同意');
  await phone.getByLabel('我单独同意').check();
  await expect(phone.getByLabel('监护人同意')).toContainText('分数和报告不给任何人看');
  await start.click();
  await expect(phone.getByRole('heading', { name: '请监护人同意' })).toBeVisible();
  await expect(phone.getByRole('textbox')).toHaveCount(0);
  await phone.getByRole('button', { name: '知道了，先作答' }).click();
  await waitForQuestion(phone, 1);
  expect(faults).toEqual([]);
  await context.close();
});

test('a withdrawal shows the records that are deleted and the records that stay', async ({ browser }) => {
  const { context, phone, faults } = await openPhone(browser);
  await identify(phone, entry, student(9));
  await consent(phone);
  await waitForQuestion(phone, 1);
  await phone.getByRole('button', { name: '菜单' }).click();
  await phone.getByRole('button', { name: '撤回同意' }).click();
  await phone.getByRole('button', { name: '确认撤回' }).click();
  await expect(phone.getByRole('heading', { name: '已撤回同意' })).toBeVisible();
  await expect(phone.getByLabel('将会删除')).toContainText('全部回答');
  await expect(phone.getByLabel('继续保留')).toContainText('依法保存的记录');
  await phone.getByRole('button', { name: '完成并退出' }).click();
  await expect(phone.getByLabel('姓名')).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test('staff withdraw the consent for a person who asked them, and the drawer shows the receipt', async ({ page }) => {
  const { students: screened } = await createScreening([birthdayOf(15)]);
  const person = screened[0] as Respondent;
  await signIn(page, 'demo_psych');
  await page.goto(url(`/empower/individualAssessment?keyword=${encodeURIComponent(person.username)}`));
  await page.getByRole('button', { name: `${person.username}的更多操作` }).click();
  await page.getByRole('menuitem', { name: '撤回同意' }).click();
  const drawer = page.getByRole('dialog', { name: `撤回同意：${person.username}` });
  await drawer.getByRole('button', { name: '登记撤回' }).click();
  await expect(drawer.getByText('申请说明不能为空')).toBeVisible();
  await drawer.getByLabel('申请说明').fill('本人今天上午当面提出');
  await drawer.getByRole('button', { name: '登记撤回' }).click();
  await expect(drawer.getByLabel('将会删除')).toContainText('全部回答');
  await expect(drawer.getByLabel('继续保留')).toContainText('依法保存的记录');
  await expect(drawer.getByRole('button', { name: '登记撤回' })).toHaveCount(0);
  expect(await accessibilityFaults(page)).toEqual([]);
  await drawer.getByRole('button', { name: '关闭', exact: true }).last().click();
  await expect(drawer).toBeHidden();
});

test('the list of missing answers leads to the skipped questions', async ({ browser }) => {
  const { context, phone } = await openPhone(browser);
  await identify(phone, entry, student(8));
  await consent(phone);
  for (let number = 1; number <= 16; number++)
    await (number === 4 || number === 12 ? turn(phone, number, '先跳过') : choose(phone, number, 0));
  await expectMissing(phone, 2);
  await phone.getByRole('button', { name: '第 12 题', exact: true }).click();
  await choose(phone, 12, 0);
  await context.close();
});

test('a positive short form goes on to the longer one before the thanks', async ({ browser }) => {
  const call = await as('demo_psych');
  const { plancode } = await call(insertMUserExamPlan, {
    appid: '000000002',
    planname: `两题快筛${Date.now() % 1_000_000}`,
    forms: [{ formcode: 'PHQ2' }],
  });
  const { students: screened } = await createScreening([birthdayOf(15)], plancode);
  const { context, phone, faults } = await openPhone(browser);
  await identify(phone, entry, screened[0] as Respondent);
  await consent(phone);
  await choose(phone, 1, 3);
  await choose(phone, 2, 3);
  await submitButton(phone).click();
  await expect(phone.getByText('还有 9 个问题想请你接着回答')).toBeVisible();
  await answer(phone, 3, 11);
  await submitButton(phone).click();
  await expect(thanks(phone)).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test('answers after the task was closed are kept; the page says that they came late and offers help', async ({ browser }) => {
  const call = await as('demo_psych');
  const { students: screened, taskcode } = await createScreening([birthdayOf(15)]);
  const { context, phone, faults } = await openPhone(browser);
  await identify(phone, entry, screened[0] as Respondent);
  await consent(phone);
  await answer(phone, 1, 8);
  await waitUntilSaved(phone);
  await call(closeTask, { taskcode });
  await choose(phone, 9, 1);
  await expect(phone.getByRole('heading', { name: '谢谢你，作答已经保存' })).toBeVisible();
  await expect(phone.getByText('本次测评已结束。刚才的作答已经保存')).toBeVisible();
  await expect(phone.getByRole('heading', { name: '你不是一个人' })).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});
