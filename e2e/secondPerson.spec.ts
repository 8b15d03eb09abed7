import { archivePathOf } from '../src/contract/population.ts';
import { getCUserPageList } from '../src/features/cuser/cuser.contract.ts';
import { acceptWarning, insertWarning, verifyWarning } from '../src/features/warning/handling/handling.contract.ts';
import { accessibilityFaults, expect, expectNotification, signIn, test, url } from './people.ts';
import { as, createScreenedClass } from './school.ts';

/** Opens a case of level 3 of a new student, accepted and talked about by 陈静怡. */
async function openGraveCase() {
  const chen = await as('demo_psych');
  const [student] = await createScreenedClass(['2012-03-04']);
  const { rows } = await chen(getCUserPageList, { keyword: student!.username });
  const { warningcode } = await chen(insertWarning, {
    cuserid: rows[0]!.cuserid,
    level: 3,
    content: '班主任反映近来情绪低落，独自哭泣',
  });
  await chen(acceptWarning, { warningcode });
  await chen(verifyWarning, { warningcode, contactresult: '02', content: '与学生面谈，为同伴玩笑，情绪平稳' });
  return { warningcode, username: student!.username };
}

test('the second person closes a case without a word spoken', async ({ page, browser }) => {
  const { warningcode, username } = await openGraveCase();
  await signIn(page, 'demo_psych');
  await page.goto(url(`/earlyWarning/case/${warningcode}`));
  await page.getByRole('main').getByRole('button', { name: '更多', exact: true }).first().click();
  await page.getByRole('menuitem', { name: '结案' }).click();
  const drawer = page.getByRole('dialog', { name: '结案' });
  await drawer.getByRole('radio', { name: /误报/ }).check();
  await drawer.getByLabel('结案说明').fill('面谈核实为同伴玩笑，本人与家长均确认平安');
  expect(await accessibilityFaults(page)).toEqual([]);
  await drawer.getByRole('button', { name: '提交复核' }).click();
  await expectNotification(page, /已提交复核/);
  await expect(page.getByRole('region', { name: '等待复核' })).toContainText('陆远');

  const second = await (await browser.newContext()).newPage();
  await signIn(second, 'demo_psych2');
  await second.goto(url('/workbench'));
  await second
    .getByRole('link', { name: new RegExp(username) })
    .first()
    .click();
  const question = second.getByRole('region', { name: '请您复核' });
  await expect(question).toContainText('面谈核实为同伴玩笑');
  expect(await accessibilityFaults(second)).toEqual([]);
  await question.getByRole('button', { name: '同意' }).click();
  await second.getByLabel('复核意见').fill('已看过访谈与处置记录，事实清楚，同意结案');
  await second.getByRole('button', { name: '同意并办理' }).click();
  await expect(second.getByRole('heading', { name: '结案', exact: true })).toBeVisible();
  await expect(second.getByText('个案已结案。')).toBeVisible();
  await second.goto(url('/workbench'));
  await expect(second.getByRole('link', { name: new RegExp(username) })).toHaveCount(0);
  await second.context().close();

  await page.reload();
  await expect(page.getByText('个案已结案。')).toBeVisible();
  await expect(page.locator('[aria-label="处置记录"]').first()).toContainText('陆远 复核');
});

test('a returned request tells the asker why on the case', async ({ page, browser }) => {
  const { warningcode } = await openGraveCase();
  await signIn(page, 'demo_psych');
  await page.goto(url(`/earlyWarning/case/${warningcode}`));
  await page.getByRole('main').getByRole('button', { name: '更多', exact: true }).first().click();
  await page.getByRole('menuitem', { name: '排除/误报' }).click();
  const drawer = page.getByRole('dialog', { name: '排除/误报' });
  await drawer.getByLabel('核实情况').fill('面谈核实为同伴玩笑，予以排除');
  await drawer.getByRole('button', { name: '提交复核' }).click();
  await expectNotification(page, /已提交复核/);

  const second = await (await browser.newContext()).newPage();
  await signIn(second, 'demo_psych2');
  await second.goto(url('/earlyWarning/earlyWarningLevel'));
  await second.getByRole('button', { name: /^待我复核/ }).click();
  await second.goto(url(`/earlyWarning/case/${warningcode}`));
  await second.getByRole('region', { name: '请您复核' }).getByRole('button', { name: '退回' }).click();
  await second.getByLabel('退回的原因').fill('请先向家长核实，再写明经过');
  await second.getByRole('dialog').getByRole('button', { name: '退回' }).click();
  await expect(second.locator('[aria-label="处置记录"]').first()).toContainText('退回复核');
  await second.context().close();

  await page.reload();
  const result = page.getByRole('region', { name: '复核结果' });
  await expect(result).toContainText('请先向家长核实，再写明经过');
  await expect(result).toContainText('陆远');
});

test('a second person agrees before a person is erased; until then a note stands on the page of the person', async ({
  page,
  browser,
}) => {
  const [student] = await createScreenedClass(['2012-03-04']);
  const { username } = student!;
  const { rows } = await (await as('demo_psych'))(getCUserPageList, { keyword: username });
  const { cuserid, appid } = rows[0]!;
  const place = url(archivePathOf(appid, cuserid));

  await signIn(page, 'demo_psych');
  await page.goto(url(`/empower/individualAssessment?keyword=${encodeURIComponent(username)}`));
  await page.getByRole('button', { name: new RegExp(`${username}的更多操作`) }).click();
  await page.getByRole('menuitem', { name: '匿名化' }).click();
  const dialog = page.getByRole('dialog', { name: /^匿名化/ });
  await expect(dialog).toContainText('您提出申请，另一位同事复核');
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByRole('button', { name: '下一步' }).click();
  await dialog.getByLabel('匿名化原因').fill('家长书面申请删除全部资料');
  await dialog.getByLabel('确认文字').fill(`匿名化${username}`);
  await dialog.getByRole('button', { name: '提交复核' }).click();
  await expectNotification(page, /已提交，等待另一位同事/);
  await page.goto(place);
  const note = page.getByRole('status').filter({ hasText: '申请匿名化' });
  await expect(note.getByRole('button', { name: '撤回申请' })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);

  const second = await (await browser.newContext()).newPage();
  await signIn(second, 'demo_psych2');
  await second.goto(place);
  await second.getByRole('status').filter({ hasText: '申请匿名化' }).getByRole('button', { name: '复核' }).click();
  const drawer = second.getByRole('dialog', { name: '复核匿名化' });
  await expect(drawer).toContainText('家长书面申请删除全部资料');
  await drawer.getByRole('radio', { name: /^同意/ }).check();
  expect(await accessibilityFaults(second)).toEqual([]);
  await drawer.getByRole('button', { name: '提交复核结论' }).click();
  await expect(second.getByText('已匿名化').first()).toBeVisible();
  await expect(second.getByText(username)).toHaveCount(0);
  await second.context().close();
});
