import { insertArticle } from '#features/article/article.contract.ts';
import { insertCourse, insertLesson } from '#features/classroom/course.contract.ts';
import { updateToOSS } from '#features/file/file.contract.ts';
import { insertMusic } from '#features/music/music.contract.ts';
import { mp3, mp4 } from '#testing/files/media.ts';
import type { Person } from '#testing/people.ts';
import type { TestServer } from '#testing/server.ts';

/** Adds an article, a piece of music and a course with one lesson, none of them on the shelf; by default of the provider. */
export async function addContents({ as }: Pick<TestServer, 'as'>, who: Person = 'fang') {
  const own = as(who);
  const { fileid: audio } = await own(updateToOSS, { biztype: 'music' }, mp3('溪流.mp3'));
  const { fileid: video } = await own(updateToOSS, { biztype: 'course' }, mp4('第一节.mp4'));
  const { musicid } = await own(insertMusic, { title: '溪流', fileid: audio, duration: 20, category: '01', licence: '自有版权' });
  const { courseid } = await own(insertCourse, { title: '睡个好觉', lecturer: '方敏' });
  const { lessonid } = await own(insertLesson, { courseid, title: '睡眠是怎么来的', fileid: video, duration: 20 });
  const { articleid } = await own(insertArticle, { title: '怎样睡好', content: '<p>早点放下手机。</p>', category: '01' });
  return { audio, video, articleid, musicid, courseid, lessonid };
}
