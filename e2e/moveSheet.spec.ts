import { archivePathOf } from '../src/contract/population.ts';
import { getCUserPageList } from '../src/features/cuser/cuser.contract.ts';
import { accessibilityFaults, expect, expectNotification, signIn, test, url } from './people.ts';
import { choose, consent, identify, openPhone } from './phone.ts';
import { as, createScreenedClass } from './school.ts';

test('a sheet answered at the wrong place moves to the right pupil after a colleague agrees, with its alarm', async ({
  page,
  browser,
}) => {
  const [wrong, right] = await createScreenedClass(['2008-03-04', '2008-05-06']);
  const { context, phone } = await openPhone(browser);
  await identify(phone, '/c/demo-chenguang', wrong!);
  await consent(phone);
  // A positive ninth answer adds the tenth question of PHQ-9.
  for (let number = 1; number <= 17; number++) await choose(phone, number, number === 9 ? 1 : 0);
  await phone.getByRole('button', { name: '交卷' }).click();
  await expect(phone.getByRole('heading', { name: '谢谢你，已经交卷' })).toBeVisible();
  await context.close();

  const call = await as('demo_psych');
  const pageOf = async (username: string) => {
    const [row] = (await call(getCUserPageList, { keyword: username })).rows;
    return url(archivePathOf(row!.appid, row!.cuserid));
  };
  await signIn(page, 'demo_psych');
  await page.goto(await pageOf(wrong!.username));
  await page.getByRole('button', { name: '更正答卷归属' }).click();
  const drawer = page.getByRole('dialog', { name: /^更正答卷归属/ });
  await drawer.getByRole('combobox', { name: /受测者|实际作答者/ }).fill(right!.username);
  await page.getByRole('option', { name: right!.username }).click();
  await drawer.getByLabel(/依据|原因|理由/).fill('两人坐错位置，班主任与本人均已确认');
  expect(await accessibilityFaults(page)).toEqual([]);
  await drawer.getByRole('button', { name: '更正归属' }).click();
  await expectNotification(page, /等待另一位同事复核/);

  const second = await (await browser.newContext()).newPage();
  await signIn(second, 'demo_psych2');
  await second.goto(await pageOf(wrong!.username));
  await second.getByRole('button', { name: '更正答卷归属' }).click();
  const review = second.getByRole('dialog', { name: '复核答卷更正' });
  await expect(review).toContainText('两人坐错位置');
  await review.getByRole('radio', { name: /同意/ }).check();
  expect(await accessibilityFaults(second)).toEqual([]);
  await review.getByRole('button', { name: '提交复核结论' }).click();
  await expect(review).toBeHidden();
  await second.goto(await pageOf(right!.username));
  await expect(second.getByText(/完成测评/).first()).toBeVisible();
  await expect(second.getByText(/预警/).first()).toBeVisible();
  await second.context().close();
});
