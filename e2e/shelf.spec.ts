import type { Page } from '@playwright/test';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { insertArticle, publishArticle } from '../src/features/article/article.contract.ts';
import { insertCourse, insertLesson, updateCourse } from '../src/features/classroom/course.contract.ts';
import { updateToOSS } from '../src/features/file/file.contract.ts';
import { insertMusic } from '../src/features/music/music.contract.ts';
import { login } from '../src/features/session/session.contract.ts';
import { mediaPaths } from '../src/testing/files/media.ts';
import { accessibilityFaults, expect, expectFitsWindow, password, signIn, test, url, waitUntilSettled } from './people.ts';
import { as } from './school.ts';

const run = String(Date.now() % 1_000_000).padStart(6, '0');
const titles = { article: `考前一周如何安睡${run}`, music: `溪流${run}`, course: `睡个好觉${run}`, locked: `危机谈话进阶${run}` };

/** Uploads a file of 安澜心理 and returns its number. */
async function upload(token: string, biztype: 'music' | 'course', path: string, mime: string): Promise<string> {
  const body = new FormData();
  body.set('biztype', biztype);
  body.set('file', new File([await readFile(path)], `${biztype}${run}.${mime === 'video/mp4' ? 'mp4' : 'mp3'}`, { type: mime }));
  const response = await fetch(url(`/api/${updateToOSS.name}/1.0.0/action`), { method: 'POST', headers: { token }, body });
  const { errorCode, errorMsg, data } = (await response.json()) as {
    errorCode: number;
    errorMsg: string;
    data: { fileid: string };
  };
  if (errorCode !== 0) throw new Error(`${updateToOSS.name}: ${errorCode} ${errorMsg}`);
  return data.fileid;
}

/** The provider fills the shelf: an article, music, a free course of two lessons and one that has to be bought. */
async function fillShelf() {
  const call = await as('demo_fws');
  const pwd = createHash('md5').update(password).digest('hex').toUpperCase();
  const signedIn = await fetch(url(`/api/${login.name}/1.0.0/action`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'demo_fws', pwd }),
  });
  const { token } = ((await signedIn.json()) as { data: { token: string } }).data;
  const audio = await upload(token, 'music', mediaPaths.mp3, 'audio/mpeg');
  const video = await upload(token, 'course', mediaPaths.mp4, 'video/mp4');
  const { articleid } = await call(insertArticle, {
    title: titles.article,
    summary: '作息、光线与手机：三个容易做到的改变。',
    content: '<h2>早一点放下手机</h2><p>睡前一小时把屏幕调暗。</p><ul><li>固定起床时间</li><li>午睡不超过半小时</li></ul>',
    category: '01',
    audience: '03',
    source: '安澜心理',
    author: '方敏',
  });
  await call(publishArticle, { articleid, step: 'publish' });
  await call(insertMusic, {
    title: titles.music,
    fileid: audio,
    duration: 20,
    category: '01',
    licence: '自有版权',
    audience: '03',
    status: 1,
  });
  const addCourse = async (title: string, free: 0 | 1, price: number) => {
    const { courseid } = await call(insertCourse, {
      title,
      lecturer: '方敏',
      intro: '从今晚开始。',
      audience: '03',
      free,
      price,
    });
    await call(insertLesson, { courseid, title: '睡眠是怎么来的', fileid: video, duration: 20, trial: free === 1 ? 0 : 1 });
    await call(insertLesson, { courseid, title: '把担心写下来', fileid: video, duration: 20 });
    await call(updateCourse, { courseid, status: 1 });
    return courseid;
  };
  await addCourse(titles.course, 1, 0);
  await addCourse(titles.locked, 0, 9900);
  return { articleid };
}

/** Expects that the page is accessible and not wider than a phone. */
async function expectSound(page: Page) {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await waitUntilSettled(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    await expectFitsWindow(page);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** The seconds of the slider with this name. */
const positionOf = async (page: Page, title: string) => Number(await page.getByLabel(`“${title}”的播放位置`).inputValue());

test.beforeAll(async () => {
  await fillShelf();
});

test('a class teacher reads an article that stands on the workbench', async ({ page }) => {
  await signIn(page, 'demo_teacher');
  await page.goto(url('/workbench'));
  const card = page.getByRole('region', { name: '资讯与课程' });
  await expect(card.getByRole('listitem')).not.toHaveCount(0);
  await card.getByRole('link', { name: /资讯与课程/ }).click();
  await expect(page).toHaveURL(/\/content$/);
  await page.getByRole('button', { name: '科普' }).click();
  await page.getByLabel('标题').fill(run);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/category=01/);
  const list = page.getByRole('list', { name: '文章' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expectSound(page);
  await list.getByRole('link', { name: titles.article }).click();
  await expect(page.getByRole('heading', { name: titles.article })).toBeVisible();
  await expect(page.getByRole('article')).toContainText('来源：安澜心理');
  await expect(page.getByRole('heading', { name: '早一点放下手机' })).toBeVisible();
  await expectSound(page);
  await page.getByRole('link', { name: '返回文章列表' }).click();
  await expect(list.getByRole('listitem')).not.toHaveCount(0);
});

test('an article that is gone has a friendly page', async ({ page }) => {
  await signIn(page, 'demo_teacher');
  await page.goto(url('/content/article?articleid=999999'));
  await expect(page.getByText('这篇文章已下线')).toBeVisible();
  await page.getByRole('link', { name: '返回文章列表' }).click();
  await expect(page.getByRole('list', { name: '文章' })).toBeVisible();
});

test('music plays on while the teacher looks at the courses', async ({ page }) => {
  await signIn(page, 'demo_teacher');
  await page.getByRole('button', { name: /^账号/ }).click();
  await page.getByRole('menuitem', { name: '资讯与课程' }).click();
  await page.getByRole('tab', { name: '音乐' }).click();
  await page.getByRole('button', { name: `播放《${titles.music}》` }).click();
  await expect(page.getByRole('button', { name: `暂停“${titles.music}”` })).toBeVisible();
  await expect.poll(() => positionOf(page, titles.music)).toBeGreaterThan(0);
  await expectSound(page);
  await page.getByRole('tab', { name: '课程' }).click();
  await expect(page.getByRole('list', { name: '课程' })).toContainText(titles.course);
  await expect(page.getByRole('region', { name: '音乐播放器' })).toBeVisible();
  await page.getByRole('button', { name: '关闭播放器' }).click();
  await expect(page.getByRole('region', { name: '音乐播放器' })).toBeHidden();
});

test('a teacher who watches with the keyboard comes back to the same second after a reload', async ({ page }) => {
  await signIn(page, 'demo_teacher');
  await page.goto(url('/content?tab=course'));
  const card = page.getByRole('listitem').filter({ hasText: titles.course });
  await expect(card).toContainText('免费');
  await expect(card).toContainText('0/2 课时已学');
  await card.getByRole('link', { name: titles.course }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: '开始学习' }).focus();
  await page.keyboard.press('Enter');
  const lesson = '睡眠是怎么来的';
  // The player has the focus: space and the arrows act at once.
  await expect.poll(() => positionOf(page, lesson)).toBeGreaterThanOrEqual(2);
  const saved = page.waitForResponse((response) => response.url().includes('saveLessonProgress'));
  await page.keyboard.press('Enter');
  await saved;
  const stoppedAt = await positionOf(page, lesson);
  await expect(page.getByRole('list', { name: '课时' })).toContainText('学到 0:');
  await page.reload();
  await page.getByRole('button', { name: /^从 0:\d\d 继续$/ }).click();
  await expect.poll(() => positionOf(page, lesson)).toBeGreaterThanOrEqual(stoppedAt);
  await expectSound(page);
  // The lesson ends by itself, and the next one begins with one press.
  await expect(page.getByText('本课时已播放完')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('list', { name: '课时' })).toContainText('已学完');
  await page.getByRole('button', { name: '下一课' }).click();
  await expect(page.getByRole('button', { name: /“把担心写下来”/ })).toBeVisible();
  await page.goto(url('/content?tab=course'));
  await expect(card).toContainText('1/2 课时已学');
});

test('a course that the school has not bought opens its trial lesson only', async ({ page }) => {
  await signIn(page, 'demo_teacher');
  await page.goto(url('/content?tab=course'));
  const card = page.getByRole('listitem').filter({ hasText: titles.locked });
  await expect(card).toContainText('¥99 · 需选购');
  await card.getByRole('link', { name: titles.locked }).click();
  await expect(page.getByText('本机构还没有选购这门课程')).toBeVisible();
  await expect(page.getByRole('button', { name: /睡眠是怎么来的.*试看/ })).toBeEnabled();
  await expect(page.getByRole('button', { name: /把担心写下来/ })).toBeDisabled();
  await expectSound(page);
});

test('an authority has no 资讯与课程', async ({ page }) => {
  await signIn(page, 'demo_jyj');
  await page.goto(url('/content'));
  await expect(page).not.toHaveURL(/\/content$/);
  await page.getByRole('button', { name: /^账号/ }).click();
  await expect(page.getByRole('menuitem', { name: '资讯与课程' })).toBeHidden();
});
