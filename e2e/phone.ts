import { devices, type Browser, type BrowserContext, type Locator, type Page } from '@playwright/test';
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
  await expect(phone.getByRole('heading', { name: '知情同意书' })).toBeVisible();
  for (const tick of await phone.getByRole('checkbox').all()) await tick.check();
  await phone.getByRole('button', { name: '同意并开始' }).click();
}

/** The question on the screen. */
export const question = (phone: Page) => phone.locator('fieldset.question');

/** The question of this number, as long as it is the one on the screen. */
export const questionOf = (phone: Page, number: number) =>
  question(phone).filter({ has: phone.locator('.number', { hasText: new RegExp(`^${number}\\.$`) }) });

/** Waits until question `number` is shown. */
export const atQuestion = (phone: Page, number: number) => expect(question(phone).locator('.number')).toHaveText(`${number}.`);

/**
 * Taps `what` of question `number` until the page has gone on: taps in the first moments of a question are meant for the one before and
 * are ignored. What is tapped belongs to this question alone, so that a late repetition never answers the next.
 */
async function tap(phone: Page, number: number, what: Locator): Promise<void> {
  await atQuestion(phone, number);
  const shown = questionOf(phone, number);
  await expect(async () => {
    if ((await shown.count()) === 0) return;
    await what.click({ timeout: 5000 });
    await expect(shown).toBeHidden({ timeout: 1000 });
  }).toPass();
}

/** Taps an answer to question `number` by its place, 0 for the first; the page goes on by itself. */
export const choose = (phone: Page, number: number, place: number) =>
  tap(phone, number, questionOf(phone, number).locator('label.option').nth(place));

/** Turns the page of question `number` by the button of this name. */
export const turn = (phone: Page, number: number, name: '上一题' | '下一题' | '先跳过') =>
  tap(
    phone,
    number,
    phone
      .locator('.sheet')
      .filter({ has: questionOf(phone, number) })
      .getByRole('button', { name }),
  );

/** Everything answered so far is with the server. */
export const saved = (phone: Page) => expect(phone.getByText('已保存', { exact: true })).toBeVisible();

/**
 * Does `work`, whose last step answers a question, and waits until that answer is on the device: sealing takes a moment, and the network
 * may be away.
 */
export async function keptOnPhone(phone: Page, work: () => Promise<void>): Promise<void> {
  const before = await phone.evaluate(() => Date.now());
  await work();
  const kept = () =>
    phone.evaluate(() =>
      Object.entries(localStorage)
        .filter(([key]) => key.startsWith('draft.'))
        .map(([, sealed]) => (JSON.parse(String(sealed)) as { at: number }).at),
    );
  // Two of them: what is not sent yet, and the exam as it stands.
  await expect.poll(async () => (await kept()).filter((at) => at >= before).length).toBe(2);
}
