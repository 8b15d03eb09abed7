import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import { addDays, shanghaiDate, shanghaiTime } from '../src/domain/base/calendar.ts';
import { dayWords } from '../src/domain/consult/slotWords.ts';
import { weekdayOf } from '../src/domain/consult/slots.ts';
import { updateConsultForm } from '../src/features/consult/forms/forms.contract.ts';
import { applyConsult } from '../src/features/consult/person/person.contract.ts';
import { getCounsellorList, getSlotList, insertCounsellorTime } from '../src/features/consult/schedule/schedule.contract.ts';
import { insertUser, selectUserList } from '../src/features/org/user/user.contract.ts';
import { loginRespondent } from '../src/features/respond/respond.contract.ts';
import { accessibilityFaults, expect, test } from './people.ts';
import { identify, openPhone } from './phone.ts';
import { as, createScreenedClass } from './school.ts';
import { withToken } from './session.ts';

/** The entry of 晨光中学, and a poster that leads to 预约咨询 itself. */
const clientcode = 'demo-chenguang';
const poster = `/c/${clientcode}?consult`;

/** The birthday of a pupil of thirteen. */
const birthday = () => shanghaiDate(addDays(new Date(), -13 * 366));

/**
 * 晨光中学 lets persons choose a time, and its psychologist has free times from the day after tomorrow on. A person moves and cancels these
 * at any hour at which the test runs.
 */
async function openHours(): Promise<void> {
  const call = await as('demo_psych');
  await call(updateConsultForm, { selfbook: 1 });
  const now = new Date();
  const free = await call(getSlotList, { begindate: shanghaiDate(addDays(now, 2)), enddate: shanghaiDate(addDays(now, 14)) });
  if (new Set(free.map(({ slotbegin }) => slotbegin.slice(0, 10))).size > 1) return;
  const own = (await call(getCounsellorList, {})).find(({ isown }) => isown === 1);
  await call(insertCounsellorTime, {
    userid: own?.userid ?? '',
    begintime: '06:00',
    endtime: '08:00',
    validfrom: shanghaiDate(now),
    weekdays: [1, 2, 3, 4, 5, 6, 7],
  });
}

/** Chooses the last day that the page offers, and a time of it. */
async function chooseOnLastDay(phone: Page, which: 'first' | 'last'): Promise<void> {
  await phone.getByRole('group', { name: '日期' }).getByRole('button').last().click();
  await phone.getByRole('radio')[which]().check();
}

/** A new counsellor with one free time, which begins in about half an hour. Ten minutes never reach over midnight. */
async function openHoursSoon() {
  const head = await as('demo_school');
  await head(updateConsultForm, { selfbook: 1 });
  const run = String(randomInt(1_000_000)).padStart(6, '0');
  const realname = `临时${run}`;
  const { rows } = await head(selectUserList, { keyword: 'demo_psych' });
  const { userid } = await head(insertUser, {
    sysusername: `soon${run}`,
    realname,
    roleids: rows[0]!.roleids,
    validdays: 7,
  });
  const later = (minutes: number) => shanghaiTime(new Date(Date.now() + minutes * 60_000)).slice(0, 16);
  const isSameDay = (minutes: number) => later(minutes).slice(0, 10) === later(minutes + 10).slice(0, 10);
  const minutes = isSameDay(30) ? 30 : 45;
  const slotbegin = later(minutes);
  const date = slotbegin.slice(0, 10);
  await head(insertCounsellorTime, {
    userid,
    weekdays: [weekdayOf(date)],
    begintime: slotbegin.slice(11),
    endtime: later(minutes + 10).slice(11),
    minutes: 10,
    validfrom: date,
    validto: date,
  });
  return { realname, slotbegin };
}

test('a time that begins soon says on a phone that it stays, before and after it is taken', async ({ browser }) => {
  const { realname, slotbegin } = await openHoursSoon();
  const [student] = await createScreenedClass([birthday()]);
  const { username, number } = student!;
  const { token } = await withToken('')(loginRespondent, { clientcode, username, key: number });
  const answers = { consultdate: slotbegin, topics: ['02'], duration: 2, before: '0', detail: '最近晚上睡不好' };
  await withToken(token)(applyConsult, { formcode: 'CONSULTREG', answers });
  const { context, phone, faults } = await openPhone(browser);
  await identify(phone, poster, student!);
  await phone.getByRole('button', { name: '选择时间' }).click();
  await phone.getByRole('button', { name: dayWords(slotbegin) }).click();
  await phone.getByRole('radio', { name: new RegExp(realname) }).check();
  await expect(phone.getByText(/离开始不到 2 小时：约好以后，在这里不能再改时间或取消/)).toBeVisible();
  expect(await accessibilityFaults(phone)).toEqual([]);
  await phone.getByRole('button', { name: /^约 / }).click();
  await expect(phone.getByText('已约好')).toBeVisible();
  await expect(phone.getByText(/需要改动请直接联系/)).toBeVisible();
  await expect(phone.getByRole('button', { name: '改时间' })).toBeHidden();
  await expect(phone.getByRole('button', { name: '取消', exact: true })).toBeHidden();
  expect(faults).toEqual([]);
  await context.close();
});

test('a pupil scans a poster, applies without a consent to a screening, chooses a time, moves it and cancels', async ({
  browser,
}) => {
  await openHours();
  const [student] = await createScreenedClass([birthday()]);
  const { context, phone, faults } = await openPhone(browser);
  await identify(phone, poster, student!);
  await expect(phone.getByRole('heading', { name: '预约咨询' })).toBeVisible();
  expect(await accessibilityFaults(phone)).toEqual([]);
  await phone.getByRole('button', { name: '填写申请' }).click();
  await expect(phone.getByRole('heading', { name: '预约心理咨询' })).toBeVisible();

  await phone.getByRole('button', { name: '提交申请' }).click();
  await expect(phone.getByText('这一题还没有回答').first()).toBeVisible();
  await phone.getByRole('checkbox', { name: '情绪困扰' }).check();
  await phone.getByLabel(/持续时间/).fill('2');
  await phone.getByRole('radio', { name: '否', exact: true }).check();
  await phone.getByLabel(/情况描述/).fill('最近晚上睡不好，想找人聊聊');
  expect(await accessibilityFaults(phone)).toEqual([]);

  // What was typed survives a reload of the page.
  await phone.waitForFunction(() => 'draft.consult' in localStorage);
  await phone.reload();
  await phone.getByRole('button', { name: '填写申请' }).click();
  await expect(phone.getByLabel(/情况描述/)).toHaveValue('最近晚上睡不好，想找人聊聊');
  await phone.getByRole('button', { name: '提交申请' }).click();
  await expect(phone.getByRole('heading', { name: '已收到申请' })).toBeVisible();
  expect(await phone.evaluate(() => localStorage.getItem('draft.consult'))).toBeNull();

  await phone.getByRole('button', { name: '选择时间' }).click();
  await expect(phone.getByText('已收到，等待安排时间')).toBeVisible();
  await phone.getByRole('button', { name: '选择时间' }).click();
  await chooseOnLastDay(phone, 'first');
  expect(await accessibilityFaults(phone)).toEqual([]);
  await phone.getByRole('button', { name: /^约 / }).click();
  await expect(phone.getByText('已约好')).toBeVisible();
  expect(await accessibilityFaults(phone)).toEqual([]);

  await phone.getByRole('button', { name: '改时间' }).click();
  await chooseOnLastDay(phone, 'last');
  await phone.getByRole('button', { name: /^约 / }).click();
  await expect(phone.getByText('已约好')).toBeVisible();
  await phone.getByRole('button', { name: '取消', exact: true }).click();
  await phone.getByRole('button', { name: '确认取消' }).click();
  await expect(phone.getByText('已取消')).toBeVisible();
  await expect(phone.getByRole('button', { name: '再申请一次' })).toBeVisible();

  // Back leads to the consent, which the screening still asks for.
  await phone.getByRole('button', { name: '返回' }).click();
  await expect(phone.getByRole('heading', { name: '知情同意书' })).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});
