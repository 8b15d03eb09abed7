import { shanghaiDate, shanghaiTime } from '../src/domain/base/calendar.ts';
import { appointConsult } from '../src/features/consult/booking/booking.contract.ts';
import { getCounsellorList, insertCounsellorTime } from '../src/features/consult/schedule/schedule.contract.ts';
import { accessibilityFaults, expect, expectNotification, signIn, test, url } from './people.ts';
import { freeNow } from './freeNow.ts';
import { as } from './school.ts';

/** A consultation of a case from the booking to the intervention, on a desktop and on a phone. */

const run = String(Date.now() % 1_000_000).padStart(6, '0');
const widths = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const minute = (time: Date) => shanghaiTime(time).slice(0, 16);

for (const [device, viewport] of Object.entries(widths))
  test(`a counsellor books for a case, finishes the talk and is back at the case (${device})`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const call = await as('demo_psych');
    const own = (await call(getCounsellorList, {})).find(({ isown }) => isown === 1);
    // Hours that overlap the ones of the demonstration are refused; then those offer free times.
    await call(insertCounsellorTime, {
      userid: own!.userid,
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      begintime: '20:00',
      endtime: '21:00',
      validfrom: shanghaiDate(new Date()),
    }).catch(() => undefined);

    await signIn(page, 'demo_psych');
    await page.goto(url('/earlyWarning/earlyWarningLevel?states=06'));
    await page.getByRole('button', { name: '处理', exact: true }).first().click();
    // On a phone a case is a page of its own at once.
    if (device === 'desktop') await page.getByRole('link', { name: '整页打开' }).click();
    // Only the page of its own has this button; the case beside the list has the same sections.
    await expect(page.getByRole('button', { name: '打印' })).toBeVisible();
    const casePath = new URL(page.url()).pathname;
    const next = page.getByRole('region', { name: '下一步' });
    await next.getByRole('button', { name: '预约咨询' }).click();
    const drawer = page.getByRole('dialog', { name: /预约咨询/ });
    await drawer
      .getByText(/^\d\d:\d\d–\d\d:\d\d$/)
      .last()
      .click();
    expect(await accessibilityFaults(page)).toEqual([]);
    const booked = page.waitForResponse((response) => response.url().includes('appointConsult'));
    await drawer.getByRole('button', { name: '预约', exact: true }).click();
    const { data } = (await (await booked).json()) as { data: { consultids: number[] } };
    await expectNotification(page, /已预约/);
    const consults = page.getByRole('list', { name: '咨询', exact: true });
    await expect(consults.getByRole('listitem').first()).toContainText('已预约');

    // The talk begins now.
    await freeNow(call);
    const begin = new Date(Date.now() - 60_000);
    await call(appointConsult, {
      consultid: data.consultids[0]!,
      counsellor: own!.userid,
      slotbegin: minute(begin),
      slotend: minute(new Date(begin.getTime() + 3 * 60_000)),
    });
    await page.reload();
    await consults.getByRole('link').first().click();
    await page.getByRole('button', { name: '完成咨询', exact: true }).click();
    const finish = page.getByRole('dialog', { name: /完成咨询/ });
    await finish.getByLabel('当前状态').click();
    await page.getByRole('option', { name: '无明显风险' }).click();
    await finish.getByRole('radio', { name: '结束' }).check();
    const summary = `情绪平稳，睡眠改善 ${device}${run}`;
    await finish.getByLabel(/咨询摘要/).fill(summary);
    await finish.getByRole('button', { name: '完成咨询' }).click();
    await expectNotification(page, /已完成；已写入个案/);
    await page.waitForURL((address) => address.pathname === casePath);
    await expect(page.getByRole('main')).toContainText(summary);
    await expect(consults.getByRole('listitem').filter({ hasText: '已完成' }).first()).toBeVisible();
  });
