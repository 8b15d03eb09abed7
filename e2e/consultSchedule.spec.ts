import { shanghaiDate, shiftDate } from '../src/domain/base/calendar.ts';
import { weekdayOf } from '../src/domain/consult/slots.ts';
import { insertConsult } from '../src/features/consult/register/register.contract.ts';
import {
  getCounsellorList,
  insertCounsellorOff,
  insertCounsellorTime,
} from '../src/features/consult/schedule/schedule.contract.ts';
import { getCUserPageList } from '../src/features/cuser/cuser.contract.ts';
import { accessibilityFaults, expect, expectNotification, signIn, test, url } from './people.ts';
import { as } from './school.ts';

/** A Sunday some weeks ahead, on which no other test books. */
const today = shanghaiDate(new Date());
const sunday = shiftDate(today, 49 - weekdayOf(today));
const tab = (name: string, more = '') => url(`/registration/registrationForm?tab=${name}${more}`);
const dayWords = `${Number(sunday.slice(5, 7))}月${Number(sunday.slice(8))}日 周日`;

test('hours give free times, and a booking in the calendar takes one', async ({ page }) => {
  await signIn(page, 'demo_psych');
  await page.goto(tab('schedule'));
  await page.getByRole('button', { name: '添加咨询时间' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(drawer.getByText('请选择星期')).toBeVisible();
  await drawer.getByText('周日', { exact: true }).click();
  await drawer.getByLabel('开始时间').fill('06:00');
  await drawer.getByLabel('结束时间').fill('09:00');
  await drawer.getByLabel('咨询室').fill('晨间小屋');
  await drawer.getByLabel('生效日期').fill(sunday);
  await drawer.getByLabel('截止日期').fill(sunday);
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(drawer).toBeHidden();
  const own = page.getByRole('region', { name: '陈静怡的排班' });
  await expect(own.getByText('06:00–09:00')).toBeVisible();
  await expect(own.getByText('晨间小屋')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);

  const call = await as('demo_psych');
  const { rows } = await call(getCUserPageList, { page: 1, pageSize: 1 });
  const { cuserid, username } = rows[0]!;
  await call(insertConsult, { cuserid });

  await page.goto(tab('calendar', `&date=${sunday}`));
  const day = page.getByRole('region', { name: dayWords });
  // Other tests may offer hours on the evening of every day.
  const free = day.getByRole('button', { name: /^预约 0[678]:/ });
  await expect(free).toHaveCount(3);
  await day.getByRole('button', { name: /^预约 07:00–07:50/ }).click();
  await drawer.getByLabel('受测者').click();
  await page
    .getByRole('option', { name: new RegExp(username) })
    .first()
    .click();
  await drawer.getByRole('button', { name: '预约', exact: true }).click();
  await expectNotification(page, /预约成功/);
  await expect(day.getByRole('link', { name: new RegExp(`07:00–07:50，${username}`) })).toBeVisible();
  await expect(free).toHaveCount(2);
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.goto(tab('schedule'));
  await page.getByRole('button', { name: '登记停诊' }).click();
  await drawer.getByLabel('原因').fill('外出培训');
  await drawer.getByRole('button', { name: '保存' }).click();
  await expect(drawer.getByText('开始时间不能为空')).toBeVisible();
  await expect(drawer.getByLabel('原因')).toHaveValue('外出培训');
});

test('a time off is named on its day, and a phone shows one day as a list', async ({ page }) => {
  const call = await as('demo_psych');
  const counsellors = await call(getCounsellorList, {});
  const userid = counsellors.find(({ isown }) => isown === 1)!.userid;
  const saturday = shiftDate(sunday, -1);
  await call(insertCounsellorTime, {
    userid,
    weekdays: [6],
    begintime: '06:00',
    endtime: '08:00',
    validfrom: saturday,
    validto: saturday,
  });
  await call(insertCounsellorOff, { userid, begintime: `${saturday} 07:00`, endtime: `${saturday} 12:00`, reason: '外出培训' });
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, 'demo_psych');
  await page.goto(tab('calendar', `&date=${sunday}&mine=1`));
  await page.getByRole('group', { name: '选择日期' }).getByRole('button', { name: /六/ }).click();
  await expect(page).toHaveURL(new RegExp(`date=${saturday}`));
  const day = page.getByRole('region', { name: /周六/ });
  await expect(day.getByText('停诊：陈静怡 07:00–12:00')).toBeVisible();
  await expect(day.getByRole('button', { name: /^预约 0[67]:/ })).toHaveCount(1);
  await expect(page.getByRole('region', { name: dayWords })).toBeHidden();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto(tab('schedule'));
  await expect(page.getByText('外出培训')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
});
