import type { Page } from '@playwright/test';
import { addDays, shanghaiDate } from '../src/domain/base/calendar.ts';
import { accessibilityFaults, expect, test } from './people.ts';
import { choose, consent, identify, openPhone } from './phone.ts';
import { createScreenedClass } from './school.ts';
import { fillShelf } from './shelf.ts';

const chenguang = '/c/demo-chenguang';
const birthday = shanghaiDate(addDays(new Date(), -16 * 366));

/** Everything that this device keeps, in the tab and for good. */
const keptOn = (phone: Page) => phone.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
const heading = (phone: Page, name: string) => phone.getByRole('heading', { name, level: 1 });
const open = (phone: Page, name: string) => phone.getByRole('button', { name }).click();
const player = (phone: Page) => phone.getByRole('region', { name: '正在听的音乐' });
const video = (phone: Page) => phone.locator('video');

/** Expects a page that is accessible, not wider than the phone, and has targets of 44 px. */
async function expectFit(phone: Page): Promise<void> {
  expect(await accessibilityFaults(phone)).toEqual([]);
  const faults = await phone.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const small = [...document.querySelectorAll<HTMLElement>('main :is(button, input, .relax-lines a)')].filter(
      ({ offsetHeight, offsetWidth }) => offsetWidth > 0 && (offsetHeight < 44 || offsetWidth < 44),
    );
    return [
      ...(scrollWidth > clientWidth ? ['too wide'] : []),
      ...small.map(({ innerText, ariaLabel }) => ariaLabel ?? innerText),
    ];
  });
  expect(faults).toEqual([]);
}

test('a pupil reads, listens and learns after a test, and is where she was after a reload; the next pupil finds no trace', async ({
  browser,
}) => {
  const shelf = await fillShelf();
  const [first, second] = await createScreenedClass([birthday, birthday]);
  const { context, phone, faults } = await openPhone(browser);
  await identify(phone, chenguang, first!);
  await consent(phone);
  for (let number = 1; number <= 16; number += 1) await choose(phone, number, 0);
  // During a test the menu does not lead away from it.
  await open(phone, '菜单');
  await expect(phone.getByRole('button', { name: '关闭菜单' })).toBeVisible();
  await expect(phone.getByRole('button', { name: '放松与学习' })).toBeHidden();
  await open(phone, '关闭菜单');
  await open(phone, '交卷');
  await expect(heading(phone, '谢谢你，已经交卷')).toBeVisible();

  await open(phone, '放松与学习');
  await expect(heading(phone, '放松与学习')).toBeVisible();
  await expect(phone.getByRole('region', { name: '想找人聊聊' }).getByRole('link').first()).toHaveAttribute('href', /^tel:/);
  await expectFit(phone);
  await open(phone, shelf.article);
  await expect(heading(phone, shelf.article)).toBeVisible();
  const picture = phone.getByRole('img', { name: '夜空' });
  await picture.scrollIntoViewIfNeeded();
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expectFit(phone);
  await open(phone, '返回');

  // Music goes on while she goes from page to page.
  await open(phone, `播放“${shelf.music[0]}”`);
  await expect.poll(() => phone.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime)).toBeGreaterThan(0.5);
  await expect(player(phone).getByText('授权：自有版权')).toBeVisible();
  await expectFit(phone);
  await open(phone, shelf.article);
  await expect(player(phone).getByRole('button', { name: `暂停“${shelf.music[0]}”` })).toBeVisible();
  await player(phone)
    .getByRole('slider', { name: `“${shelf.music[0]}”的播放位置` })
    .fill('12');
  await expect.poll(() => phone.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime)).toBeGreaterThan(11);
  await player(phone)
    .getByRole('button', { name: `暂停“${shelf.music[0]}”` })
    .click();
  await expect(player(phone).getByRole('button', { name: `播放“${shelf.music[0]}”` })).toBeVisible();
  await open(phone, '返回');

  await open(phone, shelf.course);
  await expect(heading(phone, shelf.course)).toBeVisible();
  await expectFit(phone);
  await open(phone, shelf.lessons[0]);
  await expect(heading(phone, shelf.lessons[0])).toBeVisible();
  await expect(video(phone)).toHaveJSProperty('paused', true);
  await expectFit(phone);
  const noted = () => phone.waitForResponse(/as\.c\.content\.saveLessonProgress/);
  const watchUntil = async (second: number) => {
    await video(phone).evaluate((element: HTMLVideoElement) => {
      element.muted = true;
      element.playbackRate = 2;
      return element.play();
    });
    await phone.waitForFunction((end) => (document.querySelector('video')?.currentTime ?? 0) >= end, second);
    const response = noted();
    await video(phone).evaluate((element: HTMLVideoElement) => element.pause());
    await response;
  };
  await watchUntil(6);
  await expect(phone.getByText(/^已看 \d+%/)).toBeVisible();
  await phone.reload();
  await expect(heading(phone, shelf.lessons[0])).toBeVisible();
  await expect(phone.getByText(/从 0:0\d 接着看/)).toBeVisible();
  await expect.poll(() => video(phone).evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThanOrEqual(5);
  await watchUntil(19);
  await expect(phone.getByText('已学完，可以随时再看。')).toBeVisible();
  await open(phone, `下一课：${shelf.lessons[1]}`);
  await expect(heading(phone, shelf.lessons[1])).toBeVisible();
  await open(phone, '返回');
  await expect(phone.getByText('已学 1 课')).toBeVisible();
  await expect(phone.getByRole('button', { name: shelf.lessons[0] })).toContainText('已学完');

  // The device keeps nothing for good, and the next pupil finds nothing in the tab.
  expect(await phone.evaluate(() => JSON.stringify({ ...localStorage }))).not.toMatch(/relax|lesson|article|course|music/);
  await open(phone, '菜单');
  await open(phone, '保存并退出');
  expect(await keptOn(phone)).not.toMatch(/relax|lesson|article|course|music/);
  await identify(phone, chenguang, second!);
  await expect(heading(phone, '知情同意书')).toBeVisible();
  await open(phone, '菜单');
  await open(phone, '放松与学习');
  await expect(heading(phone, '放松与学习')).toBeVisible();
  await expect(player(phone)).toBeHidden();
  await open(phone, shelf.course);
  await expect(phone.getByRole('button', { name: shelf.lessons[0] })).not.toContainText(/已学完|上次看到/);
  // The way back leads to the page that she came from.
  await open(phone, '返回');
  await open(phone, '返回');
  await expect(heading(phone, '知情同意书')).toBeVisible();
  expect(faults).toEqual([]);
  await context.close();
});

test('without a network the pages say so calmly, stay where they are and go on afterwards', async ({ browser }) => {
  const shelf = await fillShelf();
  const [pupil] = await createScreenedClass([birthday]);
  const { context, phone, faults } = await openPhone(browser);
  await identify(phone, chenguang, pupil!);
  await expect(heading(phone, '知情同意书')).toBeVisible();

  await context.setOffline(true);
  await open(phone, '菜单');
  await open(phone, '放松与学习');
  await expect(phone.getByText('网络不太稳定，暂时打不开。已经保存的都还在，过一会儿再试试。')).toBeVisible();
  await open(phone, '返回');
  await expect(heading(phone, '知情同意书')).toBeVisible();
  await context.setOffline(false);
  await open(phone, '菜单');
  await open(phone, '放松与学习');
  await expect(phone.getByRole('button', { name: shelf.course })).toBeVisible();

  await context.setOffline(true);
  await open(phone, shelf.course);
  await expect(phone.getByText('网络不稳定，请稍后再试。这里的内容都还在。')).toBeVisible();
  await expect(phone.getByRole('button', { name: '请老师联系我' })).toBeVisible();
  await expectFit(phone);
  await context.setOffline(false);
  await open(phone, '再试一次');
  await open(phone, shelf.lessons[0]);
  await expect(heading(phone, shelf.lessons[0])).toBeVisible();
  await phone.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 4);
  await video(phone).evaluate((element: HTMLVideoElement) => {
    element.muted = true;
    element.playbackRate = 2;
    return element.play();
  });
  await context.setOffline(true);
  await phone.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) >= 4);
  await video(phone).evaluate((element: HTMLVideoElement) => element.pause());
  // What she watched waits in the tab and arrives when the network is back.
  await expect.poll(() => phone.evaluate(() => sessionStorage.getItem('respondent') ?? '')).toContain('"notes":[{');
  const noted = phone.waitForResponse(/as\.c\.content\.saveLessonProgress/);
  await context.setOffline(false);
  await noted;
  await expect(phone.getByText(/^已看 \d+%/)).toBeVisible();
  await expect.poll(() => phone.evaluate(() => sessionStorage.getItem('respondent') ?? '')).toContain('"notes":[]');
  expect(faults).toEqual([]);
  await context.close();
});

test('on a busy phone the music plays after one tap', async ({ browser }) => {
  const shelf = await fillShelf();
  const [pupil] = await createScreenedClass([birthday]);
  const { context, phone, faults } = await openPhone(browser);
  await identify(phone, chenguang, pupil!);
  await open(phone, '菜单');
  await open(phone, '放松与学习');
  await expect(phone.getByRole('button', { name: `播放“${shelf.music[0]}”` })).toBeVisible();
  // A busy phone draws late: the file is there before the page has done what follows its drawing.
  await phone.evaluate(() => {
    const wait = window.setTimeout;
    const late = (act: TimerHandler, delay = 0, ...values: unknown[]) => wait(act, Math.max(delay, 500), ...values);
    Object.assign(window, { setTimeout: late, requestAnimationFrame: (act: FrameRequestCallback) => late(act) });
  });
  await open(phone, `播放“${shelf.music[0]}”`);
  await expect.poll(() => phone.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime)).toBeGreaterThan(0.5);
  expect(faults).toEqual([]);
  await context.close();
});
