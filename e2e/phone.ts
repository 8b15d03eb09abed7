import { devices, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { expect, url } from './people.ts';

/** A phone of its own: nothing is shared with the console's browser. 390 px wide, touch. */
export async function phoneOf(browser: Browser): Promise<{ context: BrowserContext; phone: Page; faults: string[] }> {
  const { defaultBrowserType: _, ...phoneLike } = devices['iPhone 13'];
  const context = await browser.newContext({ ...phoneLike, locale: 'zh-CN', timezoneId: 'Asia/Shanghai' });
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

/** Who answers: the name and the number of the roster. */
export interface Respondent {
  username: string;
  number: string;
}

/** From the entry to 是我，开始: the person is known, nothing is agreed to yet. */
export async function identify(phone: Page, link: string, { username, number }: Respondent): Promise<void> {
  await phone.goto(link.startsWith('http') ? link : url(link));
  await phone.getByLabel('姓名').fill(username);
  await phone.getByLabel(/学号|编号/).fill(number);
  await phone.getByRole('button', { name: '下一步' }).click();
  await expect(phone.getByRole('heading', { name: /^这是(你|您)吗？$/ })).toBeVisible();
  await phone.getByRole('button', { name: '是我，开始' }).click();
}

/** Ticks both agreements and goes on. */
export async function consent(phone: Page): Promise<void> {
  for (const tick of await phone.getByRole('checkbox').all()) await tick.check();
  await phone.getByRole('button', { name: '同意并开始' }).click();
}

/** The question on the screen. */
export const question = (phone: Page) => phone.locator('fieldset.question');

/** Waits until question `number` is shown. */
export const atQuestion = (phone: Page, number: number) => expect(question(phone).locator('.number')).toHaveText(`${number}.`);

/**
 * Taps an answer to question `number` by its place, 0 for the first; the page goes on by itself. Taps in the first moments of a
 * question are meant for the one before and are ignored, so the tap is repeated until the page has gone on.
 */
export async function choose(phone: Page, number: number, place: number): Promise<void> {
  await atQuestion(phone, number);
  await expect(async () => {
    const shown = await question(phone)
      .locator('.number')
      .textContent({ timeout: 200 })
      .catch(() => '');
    if (shown !== `${number}.`) return;
    await question(phone).locator('label.option').nth(place).click({ timeout: 1000 });
    await expect(question(phone).locator('.number', { hasText: `${number}.` })).toBeHidden({ timeout: 400 });
  }).toPass();
}

/** Turns the page of question `number` by the button of this name; as with `choose`, a tap that comes too early is repeated. */
export async function turn(phone: Page, number: number, name: '上一题' | '下一题' | '先跳过'): Promise<void> {
  await atQuestion(phone, number);
  await expect(async () => {
    const shown = await question(phone)
      .locator('.number')
      .textContent({ timeout: 200 })
      .catch(() => '');
    if (shown !== `${number}.`) return;
    await phone.getByRole('button', { name }).click({ timeout: 1000 });
    await expect(question(phone).locator('.number', { hasText: `${number}.` })).toBeHidden({ timeout: 400 });
  }).toPass();
}

/** Everything answered so far is with the server. */
export const saved = (phone: Page) => expect(phone.getByText('已保存', { exact: true })).toBeVisible();
