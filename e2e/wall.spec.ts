import { createServer, request as forward, type Server } from 'node:http';
import type { BrowserContext, Page } from '@playwright/test';
import { accessibilityFaults, answerTo, expect, signIn, test, url } from './people.ts';

const DATA = '**/as.m.statistic.getBigScreenData/**';
const wall = (page: Page) => page.getByRole('main').filter({ has: page.getByRole('heading', { name: '结果分布' }) });

/** Makes a code in 个人中心, as a member of staff does for a television. */
async function makeCode(page: Page, name: string): Promise<string> {
  await page.goto(url('/profile/screens'));
  await page.getByLabel('大屏名称').fill(name);
  await page.getByRole('button', { name: '生成大屏码' }).click();
  const code = page.getByText(/^\d{5} \d{5}$/);
  await expect(code).toBeVisible();
  return code.innerText();
}

/** Types a code in a browser of its own, as at a television. */
async function openTelevision(context: BrowserContext, code: string, address = url('/screen')): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await page.getByLabel('请输入 10 位大屏码').fill(code);
  await page.getByRole('button', { name: '打开' }).click();
  await expect(wall(page)).toBeVisible();
  return page;
}

/** A network between a television and the server. It can go down and come back. */
async function startNetwork() {
  const target = new URL(url());
  const open = (port: number) =>
    new Promise<Server>((done) => {
      const server = createServer((incoming, outgoing) => {
        const sent = forward(
          { host: target.hostname, port: target.port, path: incoming.url, method: incoming.method, headers: incoming.headers },
          (answer) => answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers)),
        );
        sent.on('error', () => outgoing.destroy());
        incoming.pipe(sent);
      }).listen(port, '127.0.0.1', () => done(server));
    });
  let server = await open(0);
  const { port } = server.address() as { port: number };
  const down = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { address: `http://127.0.0.1:${port}`, down, up: async () => void (server = await open(port)) };
}

test('the button 数据大屏 opens the figures of the bureau in a new tab, without a name and without scrolling', async ({
  page,
}) => {
  await signIn(page, 'demo_jyj');
  const [tab] = await Promise.all([page.waitForEvent('popup'), page.getByRole('link', { name: '数据大屏' }).click()]);
  await expect(wall(tab)).toBeVisible();
  await expect(tab).toHaveURL(url('/screen'));
  await expect(tab.getByRole('heading', { name: '云栖市教育局' })).toBeVisible();
  for (const [width, height] of [
    [1920, 1080],
    [3840, 2160],
    [1366, 768],
  ] as const) {
    await tab.setViewportSize({ width, height });
    const smallest = await tab.evaluate(() => {
      const { scrollHeight, scrollWidth } = document.documentElement;
      if (scrollHeight > innerHeight || scrollWidth > innerWidth) return 0;
      const texts = [...document.querySelectorAll('.wall :is(h1, h2, p, small, span, b, em, th, td, i)')];
      return Math.min(...texts.map((text) => Number.parseFloat(getComputedStyle(text).fontSize) / innerHeight));
    });
    // 1.6 % of the height is read from three metres.
    expect(smallest).toBeGreaterThan(0.016);
  }
  expect(await accessibilityFaults(tab)).toEqual([]);
});

test('a television opens by a code, shows new figures by itself, and can do nothing else', async ({ page, browser }) => {
  await signIn(page, 'demo_fws');
  const television = await browser.newContext();
  const screen = await openTelevision(television, await makeCode(page, '一楼大厅'));
  await expect(screen.getByText(/^数据截至/)).toBeVisible();
  // Another minute brings another number.
  await screen.clock.install();
  await screen.reload();
  await expect(wall(screen)).toBeVisible();
  await screen.route(DATA, async (route) => {
    const answer = (await (await answerTo(route)).json()) as { data: { completion: { total: number } } };
    answer.data.completion.total = 123_456;
    await route.fulfill({ json: answer });
  });
  await screen.clock.runFor(61_000);
  await expect(screen.getByText('123,456')).toBeVisible();
  await screen.unroute(DATA);
  // The console asks this browser to sign in.
  await screen.goto(url('/workbench'));
  await expect(screen).toHaveURL(/\/login/);
  // Its account ends it.
  await page.reload();
  const row = page.getByRole('listitem').filter({ hasText: '一楼大厅' });
  await row.getByRole('button', { name: '结束' }).click();
  await page.getByRole('dialog').getByRole('button', { name: '确定' }).click();
  await expect(row).toHaveCount(0);
  await screen.goto(url('/screen'));
  await expect(screen.getByText('这块大屏已结束')).toBeVisible();
  await television.close();
});

test('a television keeps the last figures while the server is away, and goes on when it is back', async ({ page, browser }) => {
  await signIn(page, 'demo_fws');
  const code = await makeCode(page, '二楼走廊');
  const network = await startNetwork();
  const television = await browser.newContext();
  const screen = await openTelevision(television, code, `${network.address}/screen`);
  await screen.clock.install();
  await screen.reload();
  const total = screen.locator('.tile').filter({ hasText: '应测人数' }).locator('.number');
  await expect(total).toHaveText(/\d/);
  const figure = await total.innerText();
  await network.down();
  await screen.clock.runFor(61_000);
  await expect(screen.getByText('连接中断，正在重连')).toBeVisible();
  await expect(total).toHaveText(figure);
  await network.up();
  await screen.clock.runFor(61_000);
  await expect(screen.getByText('连接中断，正在重连')).toHaveCount(0);
  await expect(total).toHaveText(figure);
  await network.down();
  await television.close();
});

test('a night of updates leaves the page as large as it was', async ({ page, browser }) => {
  await signIn(page, 'demo_fws');
  const television = await browser.newContext();
  const screen = await openTelevision(television, await makeCode(page, '夜间'));
  await screen.clock.install();
  let updates = 0;
  await screen.route(DATA, async (route) => {
    updates += 1;
    await route.continue();
  });
  await screen.reload();
  await expect(wall(screen)).toBeVisible();
  const nodes = async () => {
    const session = await television.newCDPSession(screen);
    await session.send('HeapProfiler.collectGarbage');
    const counters = await session.send('Memory.getDOMCounters');
    await session.detach();
    return counters;
  };
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute += 1) {
      const before = updates;
      await screen.clock.runFor(60_500);
      await expect.poll(() => updates).toBeGreaterThan(before);
    }
  };
  await pass(5);
  const first = await nodes();
  await pass(40);
  const last = await nodes();
  expect(last.nodes).toBeLessThan(first.nodes * 1.2);
  expect(last.jsEventListeners).toBeLessThan(first.jsEventListeners * 1.2 + 10);
  await television.close();
});
