import type { Page } from '@playwright/test';
import { menu, pathOf, type Directory, type ScreenKey } from '../src/contract/menu.ts';
import { details, screens } from '../src/console/screens.tsx';
import { getConsultPageList } from '../src/features/consult/register/register.contract.ts';
import { insertCUser } from '../src/features/cuser/cuser.contract.ts';
import { getFormPageList } from '../src/features/form/form.contract.ts';
import { getCUserReportPageList } from '../src/features/report/report.contract.ts';
import { insertTeamReport } from '../src/features/teamreport/teamreport.contract.ts';
import { getAssessTaskProgress } from '../src/features/task/board/board.contract.ts';
import { getAssessTeamPageList } from '../src/features/team/team.contract.ts';
import { acceptWarning, insertWarning } from '../src/features/warning/handling/handling.contract.ts';
import { getWarningPageList } from '../src/features/warning/warning.contract.ts';
import { accessibilityFaults, expect, waitUntilSettled, signIn, test, url } from './people.ts';
import { waitForQuestion, choose, consent, identify, openPhone, turn } from './phone.ts';
import { as, createScreenedClass } from './school.ts';

const desktop = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };

/** Returns the faults of the current page: accessibility, width and broken content. Each fault names the place. */
async function faultsHere(page: Page, where: string): Promise<string[]> {
  await waitUntilSettled(page);
  const faults = await accessibilityFaults(page);
  const { excess, text } = await page.evaluate(() => ({
    excess: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    text: document.body.innerText,
  }));
  if (excess > 0) faults.push(`the page is ${excess} px wider than the window`);
  if (/加载失败|页面出现错误|undefined|NaN|\[object/.test(text))
    faults.push('something is broken: ' + (/.*(加载失败|页面出现错误|undefined|NaN|\[object).*/.exec(text)?.[0] ?? ''));
  return faults.map((fault) => `${where} ${page.viewportSize()?.width ?? ''}: ${fault}`);
}

/** Returns the faults of an address at both widths. */
async function faultsAt(page: Page, path: string): Promise<string[]> {
  const faults: string[] = [];
  for (const size of [desktop, narrow]) {
    await page.setViewportSize(size);
    await page.goto(url(path));
    // The content below the breadcrumbs appears after the page's code has loaded.
    await expect(page.locator('main > :not(h1)').nth(1)).toBeVisible();
    faults.push(...(await faultsHere(page, path)));
  }
  return faults;
}

/** Returns the addresses in the menu of the account. */
async function menuOf(page: Page): Promise<string[]> {
  await page.setViewportSize(desktop);
  const links = page.getByRole('navigation', { name: '主菜单' }).getByRole('link');
  await expect(links.first()).toBeVisible();
  return links.evaluateAll((all) => all.map((item) => item.getAttribute('href') ?? ''));
}

test('every screen of every menu is accessible at both widths', async ({ browser }) => {
  test.setTimeout(3_600_000);
  const faults: string[] = [];
  const visited = new Set<string>();
  for (const account of ['demo_psych', 'demo_school', 'demo_fws', 'admin', 'demo_jyj', 'demo_hospital']) {
    const context = await browser.newContext({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai', viewport: desktop });
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${String(error)}`));
    page.on('console', (message) => message.type() === 'error' && faults.push(`${page.url()}: ${message.text()}`));
    await signIn(page, account);
    for (const path of await menuOf(page)) {
      // The workbench differs by account; every other screen is the same for all accounts.
      if (path !== '/workbench' && visited.has(path)) continue;
      visited.add(path);
      faults.push(...(await faultsAt(page, path)));
    }
    await context.close();
  }
  expect(faults).toEqual([]);
  const listedScreens = Object.values(menu).flatMap((dir: Directory) =>
    dir.hidden ? [] : Object.entries(dir.screens).filter(([, screen]) => !screen.hidden),
  );
  const builtKeys = listedScreens.map(([key]) => key as ScreenKey).filter((key) => key in screens);
  expect(builtKeys.filter((key) => !visited.has(pathOf(key)))).toEqual([]);
});

test('every detail page of the demonstration data is accessible at both widths', async ({ page }) => {
  test.setTimeout(1_800_000);
  const call = await as('demo_psych');
  const firstOf = <T>(rows: readonly T[]): T => {
    expect(rows.length).toBeGreaterThan(0);
    return rows[0] as T;
  };
  const report = firstOf((await call(getCUserReportPageList, { page: 1, pageSize: 10 })).rows);
  const warning = firstOf((await call(getWarningPageList, { page: 1, pageSize: 10 })).rows);
  const { taskcode } = firstOf((await call(getAssessTaskProgress, { page: 1, pageSize: 10, status: 1 })).rows);
  const ids: Readonly<Record<string, string>> = {
    ':taskcode': taskcode,
    ':teamreportcode': (await call(insertTeamReport, { scope: { kind: 'task', taskcode } })).teamreportcode,
    ':teamcode': firstOf((await call(getAssessTeamPageList, { page: 1, pageSize: 10 })).rows).teamcode,
    ':formcode': firstOf((await call(getFormPageList, { page: 1, pageSize: 10 })).rows).formcode,
    ':warningcode': warning.warningcode,
    ':reportcode': report.reportcode,
    ':cuserid': report.cuserid,
  };
  await signIn(page, 'demo_psych');
  const faults: string[] = [];
  for (const { path } of details) {
    const tabs = path.endsWith('/:tab?') ? ['', '/roster', '/chase'] : [''];
    for (const tab of tabs) {
      const address = path.replace('/:tab?', tab).replace(/:\w+/g, (name) => ids[name] ?? name);
      // This account cannot open pages whose identifier is unknown here.
      if (!address.includes(':')) faults.push(...(await faultsAt(page, address)));
    }
  }
  expect(faults).toEqual([]);
});

test('the drawers and dialogs for reporting, importing, adding and the steps of a case are accessible', async ({ page }) => {
  test.setTimeout(1_800_000);
  // On some days the demonstration has no accepted case.
  const psych = await as('demo_psych');
  const username = `许安宁${Date.now() % 1_000_000}`;
  const { cuserid } = await psych(insertCUser, { appid: '000000002', username, gender: '02', archive: {}, guardian: [] });
  const { warningcode } = await psych(insertWarning, { cuserid, level: 2, content: '同学反映近来常常独自哭泣，不愿说话' });
  await psych(acceptWarning, { warningcode });
  await signIn(page, 'demo_psych');
  const faults: string[] = [];
  const checkDialog = async (where: string) => {
    // The dialog is found by its title, because Escape closes only the upper one of two dialogs.
    const dialog = page.getByRole('dialog', { name: where });
    await expect(dialog).toBeVisible();
    faults.push(...(await faultsHere(page, where)));
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  };
  for (const size of [desktop, narrow]) {
    await page.setViewportSize(size);
    await page.goto(url('/task/teamManagement'));
    await page.getByRole('button', { name: '导入名单' }).first().click();
    await checkDialog('导入名单');
    await page.getByRole('button', { name: '新增' }).first().click();
    await checkDialog('新增团体');
    await page.goto(url('/empower/individualAssessment'));
    await page.getByRole('button', { name: '新增' }).first().click();
    await checkDialog('新增受测者');
    await page.goto(url('/earlyWarning/earlyWarningLevel?states=02'));
    await page.getByRole('button', { name: '人工上报' }).click();
    await checkDialog('人工上报');
    await page.getByRole('button', { name: '处理', exact: true }).first().click();
    const steps = page.getByRole('region', { name: '下一步' });
    await expect(steps).toBeVisible();
    faults.push(...(await faultsHere(page, '预警个案 beside the list')));
    for (const name of ['结构化评估', '安全计划', '记录干预', '添加记录', '升级']) {
      await steps.getByRole('button', { name }).click();
      await checkDialog(name);
      await expect(steps).toBeVisible();
    }
  }
  expect(faults).toEqual([]);
});

test('the tabs of the comments and their drawers are accessible', async ({ page }) => {
  test.setTimeout(600_000);
  await signIn(page, 'demo_psych');
  const faults: string[] = [];
  for (const tab of ['texts', 'coverage', 'trial', 'norms'])
    faults.push(...(await faultsAt(page, `/evaluating/scaleComments?tab=${tab}`)));
  for (const [tab, button] of [
    ['texts', '新增段落'],
    ['norms', '新增常模'],
  ] as const) {
    await page.goto(url(`/evaluating/scaleComments?tab=${tab}`));
    await page.getByRole('button', { name: button }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    faults.push(...(await faultsHere(page, button)));
  }
  expect(faults).toEqual([]);
});

test('the tabs of the consultations and their drawers are accessible', async ({ page }) => {
  test.setTimeout(600_000);
  await signIn(page, 'demo_psych');
  const faults: string[] = [];
  const base = '/registration/registrationForm';
  for (const tab of ['records&view=all', 'calendar', 'schedule', 'forms'])
    faults.push(...(await faultsAt(page, `${base}?tab=${tab}`)));
  for (const size of [desktop, narrow]) {
    await page.setViewportSize(size);
    await page.goto(url(`${base}?view=all`));
    await page.getByRole('button', { name: '新增登记' }).click();
    await expect(page.getByRole('dialog', { name: '新增登记' })).toBeVisible();
    faults.push(...(await faultsHere(page, '新增登记')));
    // A waiting, a booked, a finished, a cancelled and a missed registration of the demonstration.
    const call = await as('demo_psych');
    for (const status of ['01', '02', '03', '04', '05'] as const) {
      const { rows } = await call(getConsultPageList, { page: 1, pageSize: 10, view: 'all', status });
      if (!rows[0]) continue;
      await page.goto(url(`${base}?view=all&open=${rows[0].consultid}`));
      await expect(page.getByRole('dialog', { name: '咨询登记' }).getByRole('heading').first()).toBeVisible();
      faults.push(...(await faultsHere(page, `咨询登记 ${status}`)));
    }
  }
  expect(faults).toEqual([]);
});

test('the pages of a respondent are accessible', async ({ browser }) => {
  const [child, teenager] = await createScreenedClass(['2013-10-01', '2011-03-01']);
  if (!child || !teenager) throw new Error('no class');
  const { context, phone, faults: errors } = await openPhone(browser);
  const faults: string[] = [];
  const checkPage = async (where: string) => faults.push(...(await faultsHere(phone, where)));
  await phone.goto(url('/c/demo-chenguang'));
  await expect(phone.getByLabel('姓名')).toBeVisible();
  await checkPage('identify');
  await phone.getByRole('button', { name: '菜单' }).click();
  await checkPage('menu');
  await identify(phone, '/c/demo-chenguang', child);
  await expect(phone.getByRole('heading', { name: '知情同意书' })).toBeVisible();
  await checkPage('consent with a guardian');
  await phone.getByRole('button', { name: '暂不参加' }).click();
  await checkPage('declined');
  await phone.getByRole('button', { name: '以后再说' }).click();
  await identify(phone, '/c/demo-chenguang', teenager);
  await consent(phone);
  await waitForQuestion(phone, 1);
  await checkPage('question');
  await choose(phone, 1, 1);
  await phone.getByRole('button', { name: '菜单' }).click();
  await phone.getByLabel('整份问卷显示在一页').check();
  await phone.getByRole('button', { name: '关闭菜单' }).click();
  await checkPage('whole form');
  await phone.getByRole('button', { name: '大字' }).click();
  await checkPage('whole form, large');
  await phone.getByRole('button', { name: '菜单' }).click();
  await phone.getByLabel('整份问卷显示在一页').uncheck();
  await phone.getByRole('button', { name: '请老师联系我' }).click();
  await checkPage('contact');
  await phone
    .getByRole('button', { name: /返回|关闭/ })
    .first()
    .click();
  for (let number = 2; number <= 17; number++)
    await (number === 3
      ? turn(phone, 3, '先跳过')
      : number === 10
        ? turn(phone, 10, '下一题')
        : choose(phone, number, number === 9 ? 1 : 0));
  await checkPage('missing');
  await phone.getByRole('button', { name: '去回答第 3 题' }).click();
  await choose(phone, 3, 0);
  for (let number = 4; number <= 17; number++) await turn(phone, number, '下一题');
  await checkPage('submission');
  await phone.getByRole('button', { name: '交卷' }).click();
  await expect(phone.getByRole('region', { name: '你不是一个人' })).toBeVisible();
  await checkPage('thanks with support');
  expect(faults).toEqual([]);
  expect(errors).toEqual([]);
  await context.close();
});
