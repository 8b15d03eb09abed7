import type { Page } from '@playwright/test';
import { shanghaiDate, shanghaiTime } from '../src/domain/base/calendar.ts';
import { insertCUser } from '../src/features/cuser/cuser.contract.ts';
import { appointConsult } from '../src/features/consult/booking/booking.contract.ts';
import { getConsultNote } from '../src/features/consult/note/note.contract.ts';
import { insertConsult } from '../src/features/consult/register/register.contract.ts';
import { getCounsellorList, insertCounsellorTime } from '../src/features/consult/schedule/schedule.contract.ts';
import { accessibilityFaults, expect, expectNotification, signIn, test, url } from './people.ts';
import { freeNow } from './freeNow.ts';
import { as } from './school.ts';

/** 登记表管理: a registration from the entry to both notes, with the keyboard where it matters; then one that is missed and cancelled. */

const list = '/registration/registrationForm';
const widths = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const minute = (time: Date) => shanghaiTime(time).slice(0, 16);

/** Creates a student for one test, and free times of the counsellor who signs in. */
async function prepare(username: string) {
  const call = await as('demo_psych');
  const { cuserid } = await call(insertCUser, { appid: '000000002', username, gender: '02', archive: {}, guardian: [] });
  const { userid } = (await call(getCounsellorList, {})).find(({ isown }) => isown === 1)!;
  // Hours that overlap those of another test are refused; then those offer free times.
  await call(insertCounsellorTime, {
    userid,
    weekdays: [1, 2, 3, 4, 5, 6, 7],
    begintime: '20:00',
    endtime: '21:00',
    validfrom: shanghaiDate(new Date()),
  }).catch(() => undefined);
  /** Gives a booking a time that began 20 minutes ago. */
  const beginNow = async (consultid: number) => {
    await freeNow(call);
    return call(appointConsult, {
      consultid,
      counsellor: userid,
      slotbegin: minute(new Date(Date.now() - 20 * 60_000)),
      slotend: minute(new Date(Date.now() + 3 * 60_000)),
    });
  };
  return { call, cuserid, beginNow };
}

const openRegistration = (page: Page) => page.getByRole('dialog', { name: '咨询登记', exact: true });
const openedId = (page: Page) => Number(new URL(page.url()).searchParams.get('open'));

for (const [device, viewport] of Object.entries(widths))
  test(`a registration is entered, booked and finished; a colleague reads the summary only (${device})`, async ({ page }) => {
    const username = `许知${device === 'phone' ? '微' : '远'}${Date.now() % 1_000_000}`;
    const { beginNow } = await prepare(username);
    await page.setViewportSize(viewport);
    await signIn(page, 'demo_psych');
    await page.goto(url(list));
    await page.getByRole('button', { name: '新增登记' }).click();
    const entry = page.getByRole('dialog', { name: '新增登记' });
    await entry.getByRole('combobox', { name: '受测者' }).fill(username);
    await page.getByRole('option', { name: new RegExp(username) }).click();
    await entry.getByLabel('睡眠问题').check();
    expect(await accessibilityFaults(page)).toEqual([]);
    await entry.getByRole('button', { name: '保存' }).click();
    const registration = openRegistration(page);
    await expect(registration.getByRole('heading', { name: username })).toBeVisible();
    await expect(registration.getByText('待受理')).toBeVisible();
    expect(await accessibilityFaults(page)).toEqual([]);
    const consultid = openedId(page);

    // The keyboard books: the button, a free time, the button of the form. The focus returns to where it was.
    const book = registration.getByRole('button', { name: '预约', exact: true });
    await book.focus();
    await page.keyboard.press('Enter');
    const booking = page.getByRole('dialog', { name: /预约咨询/ });
    await expect(booking.getByText(/^\d\d:\d\d–\d\d:\d\d$/).last()).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(booking).toBeHidden();
    await expect(book).toBeFocused();
    await page.keyboard.press('Enter');
    await booking
      .getByRole('radio', { name: /^\d\d:\d\d–\d\d:\d\d$/ })
      .last()
      .focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await expectNotification(page, /已预约/);
    await expect(registration.getByRole('button', { name: '改期' })).toBeVisible();

    await beginNow(consultid);
    await page.reload();
    await registration.getByRole('button', { name: '完成咨询' }).click();
    const finish = page.getByRole('dialog', { name: /完成咨询/ });
    await finish.getByLabel('当前状态').click();
    await page.getByRole('option', { name: '无明显风险' }).click();
    await finish.getByRole('radio', { name: '结束' }).check();
    await finish.getByLabel(/个别咨询记录/).fill('谈到了外婆');
    // The summary is missing: both texts stay.
    await finish.getByRole('button', { name: '完成咨询' }).click();
    await expect(finish.getByLabel(/咨询摘要/)).toBeFocused();
    await expect(finish.getByLabel(/个别咨询记录/)).toHaveValue('谈到了外婆');
    const summary = `睡眠改善，约定作息 ${username}`;
    await finish.getByLabel(/咨询摘要/).fill(summary);
    expect(await accessibilityFaults(page)).toEqual([]);
    await finish.getByRole('button', { name: '完成咨询' }).click();
    await expectNotification(page, /已完成/);
    await expect(registration.getByText(summary)).toBeVisible();
    expect(await accessibilityFaults(page)).toEqual([]);

    const colleague = await as('demo_psych2');
    await expect(colleague(getConsultNote, { consultid })).rejects.toThrow('110004');
    await page.context().clearCookies();
    await signIn(page, 'demo_psych2');
    await page.goto(url(`${list}?view=all&open=${consultid}`));
    await expect(registration.getByText(summary)).toBeVisible();
    await expect(registration.getByText(/仅咨询师本人可见/)).toBeVisible();
    await expect(registration.getByText('谈到了外婆')).toBeHidden();
  });

test('a person does not come; the registration can be booked again or cancelled', async ({ page }) => {
  const username = `沈未至${Date.now() % 1_000_000}`;
  const { call, cuserid, beginNow } = await prepare(username);
  const { consultid } = await call(insertConsult, { cuserid });
  await beginNow(consultid);
  await signIn(page, 'demo_psych');
  await page.goto(url(`${list}?open=${consultid}`));
  const registration = openRegistration(page);
  await registration.getByRole('button', { name: '登记爽约' }).click();
  const missed = page.getByRole('dialog', { name: /登记爽约/ });
  await missed.getByLabel(/./).last().fill('电话无人接听');
  await missed.getByRole('button', { name: '登记爽约' }).click();
  await expectNotification(page, /已登记爽约/);
  await expect(registration.getByRole('button', { name: '预约', exact: true })).toBeVisible();
  await expect(registration.getByText('电话无人接听')).toBeVisible();
  await registration.getByRole('button', { name: '取消', exact: true }).click();
  const cancel = page.getByRole('dialog', { name: /取消咨询/ });
  await cancel.getByRole('textbox').fill('本人改去校外机构');
  await cancel.getByRole('button', { name: '确认取消' }).click();
  await expectNotification(page, /已取消/);
  await expect(registration.getByText(/取消：本人改去校外机构/)).toBeVisible();
  await expect(
    registration.getByRole('group', { name: '下一步' }).getByRole('button', { name: '预约', exact: true }),
  ).toBeHidden();
});
