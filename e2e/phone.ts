import { devices, type Browser, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { expect, url } from './people.ts';

/** Opens a phone (390 px wide, touch) in a browser context of its own. */
export async function openPhone(browser: Browser): Promise<{ context: BrowserContext; phone: Page; faults: string[] }> {
  const { defaultBrowserType: _, ...device } = devices['iPhone 13'];
  const context = await browser.newContext({ ...device, serviceWorkers: 'allow', locale: 'zh-CN', timezoneId: 'Asia/Shanghai' });
  const faults: string[] = [];
  const watch = (page: Page) => {
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource|ERR_INTERNET_DISCONNECTED/.test(message.text()))
        faults.push(message.text());
    });
  };
  context.on('page', watch);
  return { context, phone: await context.newPage(), faults };
}

/** A respondent: the name and the number in the roster. */
export interface Respondent {
  username: string;
  number: string;
}

/** Signs a respondent in at the entry up to 是我，开始, before the consent. */
export async function identify(phone: Page, link: string, { username, number }: Respondent): Promise<void> {
  await phone.goto(link.startsWith('http') ? link : url(link));
  await phone.getByLabel('姓名').fill(username);
  await phone.getByLabel(/学号|编号/).fill(number);
  await phone.getByRole('button', { name: '下一步' }).click();
  await expect(phone.getByRole('heading', { name: /^这是(你|您)吗？$/ })).toBeVisible();
  await phone.getByRole('button', { name: '是我，开始' }).click();
}

/** Ticks both consents and continues. */
export async function consent(phone: Page): Promise<void> {
  await expect(phone.getByRole('heading', { name: '知情同意书' })).toBeVisible();
  for (const tick of await phone.getByRole('checkbox').all()) await tick.check();
  await phone.getByRole('button', { name: '同意并开始' }).click();
}

/** Returns the question on the screen. */
export const question = (phone: Page) => phone.locator('fieldset.question');

/** Returns question `number` while it is on the screen. */
export const questionOf = (phone: Page, number: number) =>
  question(phone).filter({ has: phone.locator('.number', { hasText: new RegExp(`^${number}\\.$`) }) });

/** Waits until question `number` is on the screen. */
export const waitForQuestion = (phone: Page, number: number) =>
  expect(question(phone).locator('.number')).toHaveText(`${number}.`);

/**
 * Taps `target` of question `number` until the page shows the next one: the page ignores taps in the first moments of a question.
 * `target` belongs to this question alone, so a late repetition never answers the next one.
 */
async function tap(phone: Page, number: number, target: Locator): Promise<void> {
  await waitForQuestion(phone, number);
  const current = questionOf(phone, number);
  await expect(async () => {
    if ((await current.count()) === 0) return;
    await target.click({ timeout: 5000 });
    await expect(current).toBeHidden({ timeout: 1000 });
  }).toPass();
}

/** Taps an option of question `number` by its index; the page then shows the next question. */
export const choose = (phone: Page, number: number, index: number) =>
  tap(phone, number, questionOf(phone, number).locator('label.option').nth(index));

/** Leaves question `number` by the button of this name. */
export const turn = (phone: Page, number: number, name: '上一题' | '下一题' | '先跳过') =>
  tap(
    phone,
    number,
    phone
      .locator('.sheet')
      .filter({ has: questionOf(phone, number) })
      .getByRole('button', { name }),
  );

/** Waits until the server has all answers so far. */
export const waitUntilSaved = (phone: Page) => expect(phone.getByText('已保存', { exact: true })).toBeVisible();

/**
 * Runs `work`, whose last step answers a question, and waits until the phone has stored that answer. The encryption takes a moment.
 * It needs no network.
 */
export async function waitForDraft(phone: Page, work: () => Promise<void>): Promise<void> {
  const before = await phone.evaluate(() => Date.now());
  await work();
  const draftTimes = () =>
    phone.evaluate(() =>
      Object.entries(localStorage)
        .filter(([key]) => key.startsWith('draft.'))
        .map(([, encrypted]) => (JSON.parse(String(encrypted)) as { at: number }).at),
    );
  // Two drafts: the answers that were not sent yet, and the whole exam.
  await expect.poll(async () => (await draftTimes()).filter((time) => time >= before).length).toBe(2);
}
