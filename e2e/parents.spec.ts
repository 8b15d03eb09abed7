import { shanghaiDate } from '../src/domain/base/calendar.ts';
import { getGuardianClassList, getGuardianClassMembers } from '../src/features/consent/guardian/guardian.contract.ts';
import { accessibilityFaults, expect, signIn, test, url } from './people.ts';
import { openPhone, type Respondent } from './phone.ts';
import { as, createScreenedClass } from './school.ts';

const birthday = shanghaiDate(new Date(Date.now() - 12.5 * 365.25 * 86_400_000));

test('a class prints a slip for each child; its code shows the parent nothing of the child, and the birthday decides', async ({
  page,
  browser,
}) => {
  const call = await as('demo_psych');
  const students = await createScreenedClass([birthday, birthday]);
  const [child, sibling] = students as [Respondent, Respondent];
  const { classes, link } = await call(getGuardianClassList, {});
  const teamname = `作答班${child.username.slice(3)}`;
  const teamcode = classes.find((row) => row.teamname === teamname)?.teamcode ?? '';
  const [first] = await call(getGuardianClassMembers, { teamcode });

  await signIn(page, 'demo_psych');
  await page.goto(url('/task/guardianConsent'));
  await page.getByRole('row').filter({ hasText: teamname }).getByRole('button', { name: '家长链接' }).click();
  await page.getByRole('link', { name: '打印每人一张' }).click();
  const slips = page.getByRole('listitem').filter({ hasText: '的家长' });
  await expect(slips).toHaveCount(2);
  await expect(slips.first()).toContainText(child.username);
  await expect(slips.first().getByRole('img')).toHaveJSProperty('complete', true);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.screenshot({ path: '.cache/slips.png' });
  await page.pdf({ path: '.cache/slips.pdf', preferCSSPageSize: true });

  const { context, phone, faults } = await openPhone(browser);
  await phone.goto(url(`${new URL(link).pathname}${teamcode}/${first?.child}`));
  await expect(phone.getByRole('heading', { name: '请监护人阅读并表态' })).toBeVisible();
  for (const { username } of [child, sibling]) await expect(phone.locator('body')).not.toContainText(username);
  await phone.getByLabel('监护人姓名').fill('温建国');
  await phone.getByRole('button', { name: '我同意孩子参加' }).click();
  await expect(phone.getByText('请填写监护人电话，或孩子的出生日期')).toBeVisible();
  expect(await accessibilityFaults(phone)).toEqual([]);
  await phone.screenshot({ path: '.cache/parent.png', fullPage: true });
  await phone.getByLabel('没有登记过电话的，请填孩子的出生日期').fill(birthday);
  await phone.getByRole('button', { name: '我同意孩子参加' }).click();
  await expect(phone.getByRole('heading', { name: '已记录您的同意' })).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();

  await page.reload();
  await expect(slips).toHaveCount(1);
  await expect(slips.first()).toContainText(sibling.username);
});
