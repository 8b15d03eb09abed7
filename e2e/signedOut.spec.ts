import type { Page } from '@playwright/test';
import { shanghaiDate } from '../src/domain/base/calendar.ts';
import { archivePathOf } from '../src/contract/population.ts';
import { getCUserPageList } from '../src/features/cuser/cuser.contract.ts';
import { logout } from '../src/features/session/session.contract.ts';
import { expect, signIn, test, url } from './people.ts';
import { choose, consent, identify, openPhone, waitUntilSaved, type Respondent } from './phone.ts';
import { as, createScreenedClass } from './school.ts';

/** After a session has ended, the browser has nothing of a person: no storage, no cache, no page behind the button 后退. */

let students: Respondent[] = [];
const personOf = (index: number) => students[index] as Respondent;
let cuserid = '';
test.beforeAll(async () => {
  const birthday = shanghaiDate(new Date(Date.now() - 15.3 * 365.25 * 86_400_000));
  students = await createScreenedClass([birthday, birthday, birthday]);
  const { rows } = await (await as('demo_psych'))(getCUserPageList, { keyword: personOf(0).username });
  cuserid = rows[0]?.cuserid ?? '';
});

/** Everything that the browser keeps for this site, as text: storages, cookies that scripts read, databases, caches of pages. */
const readStores = (page: Page) =>
  page.evaluate(async () => {
    const texts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }), document.cookie, history.state];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error(name));
      });
      for (const store of database.objectStoreNames)
        texts.push(
          await new Promise<string>((resolve) => {
            const request = database.transaction(store).objectStore(store).getAll();
            request.onsuccess = () => resolve(JSON.stringify(request.result));
          }),
        );
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) texts.push(request.url, (await (await cache.match(request))?.text()) ?? '');
    }
    return texts.map(String).join('\n');
  });

/** Opens the person's page and waits until the name stands there. */
async function openPerson(page: Page) {
  await page.goto(url(archivePathOf('000000002', cuserid)));
  await expect(page.getByText(personOf(0).username).first()).toBeVisible();
}

/** Neither the page nor the stores show the person, also after going back and after a reload. */
async function expectNothing(page: Page, words: readonly string[]) {
  for (const step of ['now', 'back', 'forward', 'reload'] as const) {
    if (step === 'back') await page.goBack();
    if (step === 'forward') await page.goForward();
    if (step === 'reload') await page.reload();
    await expect(page.locator('body')).not.toBeEmpty();
    for (const word of words) await expect(page.locator('body')).not.toContainText(word);
    const stores = await readStores(page);
    for (const word of words) expect([step, stores.includes(word)]).toEqual([step, false]);
  }
}

test('after signing out the console’s storages, caches and the way back show nothing of a person', async ({ page }) => {
  const bodies: [string, string][] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/')) bodies.push([response.url(), response.headers()['cache-control'] ?? '']);
  });
  await signIn(page, 'demo_psych');
  await openPerson(page);
  await page.getByRole('button', { name: /demo_psych/ }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await page.getByRole('button', { name: '确定' }).click();
  await expect(page).toHaveURL(url('/login'));
  await expectNothing(page, [personOf(0).username, personOf(0).number, cuserid]);
  expect(bodies.length).toBeGreaterThan(3);
  expect(bodies.filter(([, control]) => !control.includes('no-store'))).toEqual([]);
});

test('after the session has ended elsewhere the console leads to the sign-in page and shows nothing of a person', async ({
  page,
}) => {
  await signIn(page, 'demo_psych');
  await openPerson(page);
  const token = (await page.context().cookies()).find(({ name }) => name === 'token')?.value ?? '';
  const answer = await page.request.post(url(`/api/${logout.name}/1.0.0/action`), {
    headers: { token: decodeURIComponent(token) },
    data: {},
  });
  expect(await answer.json()).toMatchObject({ errorCode: 0 });
  await page.goto(url('/empower/individualAssessment'));
  await expect(page).toHaveURL(/\/login/);
  await expectNothing(page, [personOf(0).username, personOf(0).number, cuserid]);
});

test('after 保存并退出 the phone keeps nothing readable of the respondent, and going back asks who it is', async ({
  browser,
}) => {
  const { phone, faults } = await openPhone(browser);
  await identify(phone, '/c/demo-chenguang', personOf(1));
  await consent(phone);
  for (const number of [1, 2, 3]) await choose(phone, number, 0);
  await waitUntilSaved(phone);
  await phone.getByRole('button', { name: '菜单' }).click();
  await phone.getByRole('button', { name: '保存并退出' }).click();
  await expect(phone.getByLabel('姓名')).toHaveValue('');
  await expectNothing(phone, [personOf(1).username, personOf(1).number]);
  expect(faults).toEqual([]);
});
