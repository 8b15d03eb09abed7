import { addDays, shanghaiDate, shanghaiTime } from '../src/domain/base/calendar.ts';
import { insertFollowUp } from '../src/features/care/care.contract.ts';
import { appointConsult } from '../src/features/consult/booking/booking.contract.ts';
import { insertConsult } from '../src/features/consult/register/register.contract.ts';
import { getCounsellorList } from '../src/features/consult/schedule/schedule.contract.ts';
import { handOver } from '../src/features/handover/handOver.contract.ts';
import { insertUser, selectUserList } from '../src/features/org/user/user.contract.ts';
import { insertAssessTeam, insertAssessTeamCUser } from '../src/features/team/team.contract.ts';
import { acceptWarning, insertWarning } from '../src/features/warning/handling/handling.contract.ts';
import { accessibilityFaults, expect, expectFitsWindow, expectNotification, signIn, test, url } from './people.ts';
import { as } from './school.ts';

/** The open work of a colleague who leaves 晨光中学 passes in one dialog. */

const run = String(Date.now() % 1_000_000).padStart(6, '0');
const minute = (time: Date) => shanghaiTime(time).slice(0, 16);
const APPID = '000000002';

/** A new colleague with the roles of 陈静怡 and open work of every kind. The second booking clashes with one of 陈静怡. */
async function createLeaver(name: string) {
  const head = await as('demo_school');
  const psych = await as('demo_psych');
  const own = (await psych(getCounsellorList, {})).find(({ isown }) => isown === 1)!;
  const { rows } = await head(selectUserList, { keyword: 'demo_psych' });
  const { userid } = await head(insertUser, {
    sysusername: `leaver${run}`,
    realname: name,
    roleids: rows[0]!.roleids,
    validdays: 7,
  });
  const { teamcode } = await psych(insertAssessTeam, {
    teamname: `移交班${run}`,
    teamtype: '01',
    appid: APPID,
    owneruserid: userid,
  });
  const persons: string[] = [];
  for (const index of [1, 2, 3]) {
    const { cuserid } = await psych(insertAssessTeamCUser, {
      teamcode,
      cuser: {
        appid: APPID,
        username: `移交生${'甲乙丙'[index - 1]}${run}`,
        gender: '02',
        birthday: '2011-05-06',
        archive: { studentno: `H${run}${index}`, gradename: '初二', classname: `移交班${run}` },
        guardian: [],
      },
    });
    persons.push(cuserid!);
  }
  const [first, second, third] = persons as [string, string, string];
  const { warningcode } = await psych(insertWarning, { cuserid: first, level: 2, content: '同学反映近来常常独自哭泣，不愿说话' });
  await psych(acceptWarning, { warningcode, owneruserid: userid });
  // Another run on the same server must not meet the bookings of this one.
  const day = addDays(new Date(), 10 + (Number(run) % 50));
  await psych(insertFollowUp, { cuserid: second, duetime: `${shanghaiDate(day)} 17:00`, owneruserid: userid });
  const book = async (cuserid: string, counsellor: string, clock: string) => {
    const { consultid } = await psych(insertConsult, { cuserid });
    const begin = new Date(`${shanghaiDate(day)}T${clock}:00+08:00`);
    const slotend = minute(new Date(begin.getTime() + 50 * 60_000));
    await psych(appointConsult, { consultid, counsellor, slotbegin: minute(begin), slotend });
  };
  await book(second, userid, '21:00');
  await book(first, userid, '22:00');
  await book(third, own.userid, '22:30');
  return { userid, head, receiver: own };
}

test('a leaving colleague is handed over and disabled in one dialog; a clash is listed and gets another receiver', async ({
  page,
}) => {
  const name = `离职${run}`;
  const { userid, head, receiver } = await createLeaver(name);
  const before = await head(handOver, { fromuserid: userid, preview: 1 });
  expect([before.cases, before.followups, before.bookings, before.teams].map(({ total }) => total)).toEqual([1, 1, 2, 1]);

  await signIn(page, 'demo_school');
  await page.goto(url(`/organization/user?keyword=leaver${run}`));
  const row = page.getByRole('row').filter({ hasText: name });
  await row.getByRole('button', { name: /更多/ }).click();
  await page.getByRole('menuitem', { name: '停用' }).click();
  const dialog = page.getByRole('dialog', { name: `停用“${name}”` });
  await dialog.getByRole('button', { name: '移交并停用' }).click();
  await expect(dialog.getByText('请选择接收人').first()).toBeVisible();
  await dialog.getByRole('combobox', { name: '全部移交给' }).fill(receiver.realname);
  await page.getByRole('option', { name: new RegExp(receiver.realname) }).click();
  await expect(dialog.getByText('1 项不能移交')).toBeVisible();
  await expect(dialog.getByText(/接收人 .* 22:30–23:20 已有预约/)).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: /^移交 \d+ 项并停用$/ }).click();
  await expect(dialog.getByRole('alert')).toContainText('还有 1 项没有可以接收的人');

  await dialog.getByRole('combobox', { name: /移交生甲.* 的接收人/ }).click();
  await page.getByRole('option', { name: '退回待受理，重新预约' }).click();
  await expect(dialog.getByText('1 项不能移交')).toBeHidden();
  await dialog.getByRole('button', { name: /^移交 \d+ 项并停用$/ }).click();
  await expectNotification(page, /已停用/);
  await expect(dialog).toBeHidden();
  const after = await head(handOver, { fromuserid: userid, preview: 1 });
  expect([after.cases, after.followups, after.bookings, after.persons, after.teams].map(({ total }) => total)).toEqual([
    0, 0, 0, 0, 0,
  ]);
});

for (const [device, viewport] of Object.entries({ desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }))
  test(`a counsellor looks by keyboard at what 我的移交 would move, and nothing moves without a reason (${device})`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await signIn(page, 'demo_psych');
    await page.goto(url('/profile'));
    const button = page.getByRole('button', { name: '移交工作' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: '移交我的工作' });
    const receiver = dialog.getByRole('combobox', { name: '全部移交给' });
    await receiver.focus();
    await page.keyboard.press('ArrowDown');
    // The list opens a moment after the key; a key before that marks nothing.
    await expect(page.getByRole('option').first()).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect(page.locator('[role=option][data-combobox-selected]')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await expect(dialog.getByText(/^移交 \d+ 项$/).first()).toBeVisible();
    await dialog.getByRole('button', { name: /^移交 \d+ 项$/ }).click();
    await expect(dialog.getByText('请填写移交原因，至少 2 个字')).toBeVisible();
    await dialog.getByRole('button', { name: /在办预警/ }).click();
    await expect(dialog.getByRole('list', { name: '在办预警' })).toBeVisible();
    await expectFitsWindow(page);
    expect(await accessibilityFaults(page)).toEqual([]);

    await page.keyboard.press('Escape');
  });
