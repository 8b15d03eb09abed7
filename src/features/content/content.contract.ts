import { anyStaff, defineAction, forTypes, NON_AUTHORITY_TYPES } from '#contract/action.ts';
import { shelf } from '#features/content/shelf.contract.ts';

/** 资讯与课程: what staff read, hear and learn, without a permission code. Nobody sees who read what. */

const readers = forTypes(NON_AUTHORITY_TYPES, anyStaff);

/** Returns a page of the articles that staff may read. */
export const getShelfArticles = defineAction({
  name: 'as.m.content.getArticleList',
  title: '查看文章列表',
  allow: readers,
  kind: 'read',
  ...shelf.articles,
});

/** Returns an article and counts its opening, without remembering who. 130001 when it is no longer visible. */
export const getShelfArticle = defineAction({
  name: 'as.m.content.getArticle',
  title: '阅读文章',
  allow: readers,
  kind: 'read',
  ...shelf.article,
});

/** Returns a page of the music on the shelf. */
export const getShelfMusic = defineAction({
  name: 'as.m.content.getMusicList',
  title: '查看音乐列表',
  allow: readers,
  kind: 'read',
  ...shelf.musics,
});

/** Returns a page of the courses on the shelf, with the own progress. */
export const getShelfCourses = defineAction({
  name: 'as.m.content.getCourseList',
  title: '查看课程列表',
  allow: readers,
  kind: 'read',
  ...shelf.courses,
});

/** Returns a course with its lessons and the own progress, and counts its opening. */
export const getShelfCourse = defineAction({
  name: 'as.m.content.getCourse',
  title: '查看课程',
  allow: readers,
  kind: 'read',
  ...shelf.course,
});

/** Returns a link of an audio or video file for four hours. 110004 for a locked lesson. */
export const getShelfMedia = defineAction({
  name: 'as.m.content.getMediaLink',
  title: '播放音视频',
  allow: readers,
  kind: 'read',
  ...shelf.media,
});

/**
 * Notes the seconds of a lesson that were played. Finished at 90 % of its length; seconds count once. Nobody else reads it, so it is
 * declared as a read: a write would leave an audit row that names the learner. While another account acts, nothing is noted.
 */
export const saveShelfProgress = defineAction({
  name: 'as.m.content.saveLessonProgress',
  title: '记录学习进度',
  allow: readers,
  kind: 'read',
  ...shelf.progress,
});
