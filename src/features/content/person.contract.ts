import { z } from 'zod';
import { defineAction, respondent } from '#contract/action.ts';
import { shelf } from '#features/content/shelf.contract.ts';

/** 放松与学习: what persons read, hear and learn on their page. Nobody sees who read what. */

/** Returns a page of the articles that the person may read. */
export const getPersonArticles = defineAction({
  name: 'as.c.content.getArticleList',
  title: '查看文章列表',
  allow: respondent,
  kind: 'read',
  ...shelf.articles,
});

/** Returns an article and counts its opening, without remembering who. 130001 when it is no longer visible. */
export const getPersonArticle = defineAction({
  name: 'as.c.content.getArticle',
  title: '阅读文章',
  allow: respondent,
  kind: 'read',
  ...shelf.article,
});

/** Returns a page of the music on the shelf. */
export const getPersonMusic = defineAction({
  name: 'as.c.content.getMusicList',
  title: '查看音乐列表',
  allow: respondent,
  kind: 'read',
  ...shelf.musics,
});

/** Returns a page of the courses on the shelf, with the own progress. */
export const getPersonCourses = defineAction({
  name: 'as.c.content.getCourseList',
  title: '查看课程列表',
  allow: respondent,
  kind: 'read',
  ...shelf.courses,
});

/** Returns a course with its lessons and the own progress, and counts its opening. */
export const getPersonCourse = defineAction({
  name: 'as.c.content.getCourse',
  title: '查看课程',
  allow: respondent,
  kind: 'read',
  ...shelf.course,
});

/** Returns a link of an audio or video file for four hours. 110004 for a locked lesson. */
export const getPersonMedia = defineAction({
  name: 'as.c.content.getMediaLink',
  title: '播放音视频',
  allow: respondent,
  kind: 'read',
  ...shelf.media,
});

/**
 * Notes the seconds of a lesson that were played. Finished at 90 % of its length; seconds count once. Nobody else reads it, so it is
 * declared as a read: a write would leave an audit row that names the learner. Of persons without a name nothing is noted.
 */
export const savePersonProgress = defineAction({
  name: 'as.c.content.saveLessonProgress',
  title: '记录学习进度',
  allow: respondent,
  kind: 'read',
  ...shelf.progress,
});

/** Returns the hotlines of the person's institution, in the order in which to try them. */
export const getPersonHotline = defineAction({
  name: 'as.c.content.getHotline',
  title: '查看求助热线',
  allow: respondent,
  kind: 'read',
  request: z.strictObject({}),
  response: z.array(z.object({ name: z.string(), phone: z.string(), hours: z.string() })),
});
