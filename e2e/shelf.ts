import type { Upload } from '../src/contract/file.ts';
import { insertArticle, publishArticle } from '../src/features/article/article.contract.ts';
import { insertCourse, insertLesson, updateCourse } from '../src/features/classroom/course.contract.ts';
import { updateToOSSPath } from '../src/features/file/file.contract.ts';
import { insertMusic } from '../src/features/music/music.contract.ts';
import { mp3, mp4 } from '../src/testing/files/media.ts';
import { png } from '../src/testing/files/picture.ts';
import { as } from './school.ts';

/** Contents of 安澜心理 that the persons of its institutions see in 放松与学习: an article with a picture, music, a course. */
export async function fillShelf() {
  const run = `${Date.now() % 1_000_000}`;
  const call = await as('demo_fws');
  const upload = async (path: 'article' | 'music' | 'course', { filename, content }: Upload, ispublic = 0) =>
    (await call(updateToOSSPath, { path, filename, base64: Buffer.from(content).toString('base64'), ispublic })).fileid;
  const picture = await upload('article', { filename: '夜空.png', mime: 'image/png', content: await png(640, 360) }, 1);
  const article = `考前怎样睡得安稳些${run}`;
  const { articleid } = await call(insertArticle, {
    title: article,
    summary: '睡前一小时放下手机，让身体先慢下来。',
    content: `<h2>先慢下来</h2><p>睡前一小时放下手机。</p><p><img data-fileid="${picture}" alt="夜空"></p>`,
    category: '01',
    author: '方敏',
    audience: '03',
    istop: 1,
  });
  await call(publishArticle, { articleid, step: 'publish' });
  const titles = [`溪流${run}`, `雨声${run}`] as const;
  for (const title of titles) {
    const fileid = await upload('music', mp3(`${title}.mp3`));
    await call(insertMusic, { title, fileid, duration: 20, category: '01', licence: '自有版权', status: 1, audience: '03' });
  }
  const course = `睡个好觉${run}`;
  const fileid = await upload('course', mp4('睡个好觉.mp4'));
  const { courseid } = await call(insertCourse, { title: course, lecturer: '方敏', intro: '三分钟学会放松。', audience: '03' });
  const lessons = ['睡眠是怎么来的', '睡前做什么'] as const;
  for (const title of lessons) await call(insertLesson, { courseid, title, fileid, duration: 20 });
  await call(updateCourse, { courseid, status: 1 });
  return { article, music: titles, course, lessons };
}
