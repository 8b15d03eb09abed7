import type { Page } from '@playwright/test';
import { menu, pathOf, type Directory, type ScreenKey } from '../src/contract/menu.ts';
import { details, screens } from '../src/console/screens.tsx';
import { getFormPageList } from '../src/features/form/form.contract.ts';
import { getCUserReportPageList } from '../src/features/report/report.contract.ts';
import { getAssessTaskProgress } from '../src/features/task/board/board.contract.ts';
import { getAssessTeamPageList } from '../src/features/team/team.contract.ts';
import { getWarningPageList } from '../src/features/warning/warning.contract.ts';
import { accessibilityFaults, expect, settled, signIn, test, url } from './people.ts';
import { atQuestion, choose, consent, identify, phoneOf, turn } from './phone.ts';
import { as, screenedClass } from './school.ts';

const desktop = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };

/** What a designer would send back about the page as it stands, each with where it was seen. */
async function faultsHere(page: Page, where: string): Promise<string[]> {
  await settled(page);
  const faults = await accessibilityFaults(page);
  const { wide, seen } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    seen: document.body.innerText,
  }));
  if (wide > 0) faults.push(`the page is ${wide} px wider than the window`);
  if (/加载失败|页面出现错误|undefined|NaN|\[object/.test(seen))
    faults.push('something is broken: ' + (/.*(加载失败|页面出现错误|undefined|NaN|\[object).*/.exec(seen)?.[0] ?? ''));
  return faults.map((fault) => `${where} ${page.viewportSize()?.width ?? ''}: ${fault}`);
}

/** Both widths of one address. */
async function faultsAt(page: Page, path: string): Promise<string[]> {
  const faults: string[] = [];
  for (const size of [desktop, narrow]) {
    await page.setViewportSize(size);
    await page.goto(url(path));
    // Below the crumbs: before that the page's own code is still on its way.
    await expect(page.locator('main > :not(h1)').nth(1)).toBeVisible();
    faults.push(...(await faultsHere(page, path)));
  }
  return faults;
}

/** The addresses in an account's own menu. */
async function menuOf(page: Page): Promise<string[]> {
  await page.setViewportSize(desktop);
  const links = page.getByRole('navigation', { name: '主菜单' }).getByRole('link');
  await expect(links.first()).toBeVisible();
  return links.evaluateAll((all) => all.map((item) => item.getAttribute('href') ?? ''));
}

test('every screen of every menu can be read, reached and used, wide and narrow', async ({ browser }) => {
  test.setTimeout(3_600_000);
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const account of ['demo_psych', 'demo_school', 'demo_fws', 'admin', 'demo_jyj']) {
    const context = await browser.newContext({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai', viewport: desktop });
    const page = await context.newPage();
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${String(error)}`));
    page.on('console', (message) => message.type() === 'error' && faults.push(`${page.url()}: ${message.text()}`));
    await signIn(page, account);
    for (const path of await menuOf(page)) {
      // The workbench differs by account; a screen is the same for all who have it.
      if (path !== '/workbench' && seen.has(path)) continue;
      seen.add(path);
      faults.push(...(await faultsAt(page, path)));
    }
    await context.close();
  }
  expect(faults).toEqual([]);
  const shown = Object.values(menu).flatMap((dir: Directory) =>
    dir.hidden ? [] : Object.entries(dir.screens).filter(([, screen]) => !screen.hidden),
  );
  const built = shown.map(([key]) => key as ScreenKey).filter((key) => key in screens);
  expect(built.filter((key) => !seen.has(pathOf(key)))).toEqual([]);
});

test('every page of one thing, with what the demonstration has', async ({ page }) => {
  test.setTimeout(1_800_000);
  const call = await as('demo_psych');
  const one = <T>(rows: readonly T[]): T => {
    expect(rows.length).toBeGreaterThan(0);
    return rows[0] as T;
  };
  const report = one((await call(getCUserReportPageList, { page: 1, pageSize: 10 })).rows);
  const warning = one((await call(getWarningPageList, { page: 1, pageSize: 10 })).rows);
  const ids: Readonly<Record<string, string>> = {
    ':taskcode': one((await call(getAssessTaskProgress, { page: 1, pageSize: 10, status: 1 })).rows).taskcode,
    ':teamcode': one((await call(getAssessTeamPageList, { page: 1, pageSize: 10 })).rows).teamcode,
    ':formcode': one((await call(getFormPageList, { page: 1, pageSize: 10 })).rows).formcode,
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
      // Pages of screens this account does not have are read by those who do.
      if (!address.includes(':')) faults.push(...(await faultsAt(page, address)));
    }
  }
  expect(faults).toEqual([]);
});

test('drawers and dialogs: reporting, importing, adding, and the steps of a case', async ({ page }) => {
  test.setTimeout(1_800_000);
  await signIn(page, 'demo_psych');
  const faults: string[] = [];
  const look = async (where: string) => {
    // By its title: where a step stands over its case, Escape closes the step alone.
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
    await look('导入名单');
    await page.getByRole('button', { name: '新增' }).first().click();
    await look('新增团体');
    await page.goto(url('/empower/individualAssessment'));
    await page.getByRole('button', { name: '新增' }).first().click();
    await look('新增受测者');
    await page.goto(url('/earlyWarning/earlyWarningLevel?states=02'));
    await page.getByRole('button', { name: '人工上报' }).click();
    await look('人工上报');
    await page.getByRole('button', { name: '处理', exact: true }).first().click();
    const steps = page.getByRole('region', { name: '下一步' });
    await expect(steps).toBeVisible();
    faults.push(...(await faultsHere(page, '预警个案 beside the list')));
    for (const name of ['结构化评估', '记录干预', '添加记录', '升级']) {
      await steps.getByRole('button', { name }).click();
      await look(name);
      await expect(steps).toBeVisible();
    }
  }
  expect(faults).toEqual([]);
});

test('the pages of a respondent', async ({ browser }) => {
  const [child, grown] = await screenedClass(['2013-10-01', '2011-03-01']);
  if (!child || !grown) throw new Error('no class');
  const { context, phone, faults: errors } = await phoneOf(browser);
  const faults: string[] = [];
  const look = async (where: string) => faults.push(...(await faultsHere(phone, where)));
  await phone.goto(url('/c/demo-chenguang'));
  await expect(phone.getByLabel('姓名')).toBeVisible();
  await look('identify');
  await phone.getByRole('button', { name: '菜单' }).click();
  await look('menu');
  await identify(phone, '/c/demo-chenguang', child);
  await expect(phone.getByRole('heading', { name: '知情同意书' })).toBeVisible();
  await look('consent with a guardian');
  await phone.getByRole('button', { name: '暂不参加' }).click();
  await look('declined');
  await phone.getByRole('button', { name: '退出' }).click();
  await identify(phone, '/c/demo-chenguang', grown);
  await consent(phone);
  await atQuestion(phone, 1);
  await look('question');
  await choose(phone, 1, 1);
  await phone.getByRole('button', { name: '菜单' }).click();
  await phone.getByLabel('整份问卷显示在一页').check();
  await phone.getByRole('button', { name: '关闭菜单' }).click();
  await look('whole form');
  await phone.getByRole('button', { name: '大字' }).click();
  await look('whole form, large');
  await phone.getByRole('button', { name: '菜单' }).click();
  await phone.getByLabel('整份问卷显示在一页').uncheck();
  await phone.getByRole('button', { name: '请老师联系我' }).click();
  await look('contact');
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
  await look('missing');
  await phone.getByRole('button', { name: '去回答第 3 题' }).click();
  await choose(phone, 3, 0);
  for (let number = 4; number <= 17; number++) await turn(phone, number, '下一题');
  await look('hand-in');
  await phone.getByRole('button', { name: '交卷' }).click();
  await expect(phone.getByRole('region', { name: '你不是一个人' })).toBeVisible();
  await look('thanks with support');
  expect(faults).toEqual([]);
  expect(errors).toEqual([]);
  await context.close();
});
