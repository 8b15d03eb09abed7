import { defineEnum } from '#domain/base/enum.ts';

/** The shelf: articles, music and courses that institutions offer to persons and staff (design/supplement-scales-operations.md 6). */

/** 推文: the kinds of articles. */
export const ArticleCategory = defineEnum({
  science: ['01', '科普'],
  notice: ['02', '通知'],
  story: ['03', '案例'],
  event: ['04', '活动'],
});

/** The state of an article. `published` with a later time of publication shows 定时. */
export const ArticleStatus = defineEnum({ draft: [0, '草稿'], published: [1, '已发布'], offline: [2, '已下线'] });

/** What a reader of the list sees of an article's state; computed from status, times and now. */
export const ArticlePhase = defineEnum({
  draft: ['draft', '草稿'],
  scheduled: ['scheduled', '定时'],
  visible: ['visible', '已发布'],
  ended: ['ended', '已到期'],
  offline: ['offline', '已下线'],
});
export type ArticlePhaseKey = (typeof ArticlePhase.codes)[number];

/** Returns the phase of an article. Visible: published, `publishtime` ≤ now < `offlinetime`. */
export function phaseOf(
  { status, publishtime, offlinetime }: { status: number; publishtime: Date | null; offlinetime: Date | null },
  now: Date,
): ArticlePhaseKey {
  if (status === ArticleStatus.draft) return 'draft';
  if (status === ArticleStatus.offline) return 'offline';
  if (publishtime === null || publishtime > now) return 'scheduled';
  return offlinetime !== null && offlinetime <= now ? 'ended' : 'visible';
}

/** Who may read a content. */
export const ContentAudience = defineEnum({ persons: ['01', '受测者'], staff: ['02', '工作人员'], both: ['03', '全部'] });

export const MusicCategory = defineEnum({
  relaxation: ['01', '放松'],
  sleep: ['02', '助眠'],
  meditation: ['03', '冥想'],
  prenatal: ['04', '胎教'],
});

/** Whether music or a course is on the shelf. */
export const ShelfStatus = defineEnum({ on: [1, '已上架'], off: [0, '未上架'] });

/** The kinds of contents, as reports, shelves and counters name them. */
export const ContentKind = defineEnum({ article: ['article', '文章'], music: ['music', '音乐'], course: ['course', '课程'] });
export type ContentKindCode = (typeof ContentKind.codes)[number];

/** The greatest levels of a report for which contents may be recommended. From 3 on a person is offered instead. */
export const MAX_RECOMMENDED_LEVEL = 2;
/** The most contents that one report recommends, by kind. */
export const recommendedAtMost: Readonly<Record<ContentKindCode, number>> = { article: 3, music: 1, course: 1 };

/** The limits of an article: the sanitised HTML in bytes, and its pictures. */
export const articleLimits = { bytes: 200 * 1024, pictures: 50 };

/** Numbers of learners below this are not shown: they could tell who watched. */
export const SHOWN_FROM = 5;
/** The share of a lesson that a learner must have watched for it to be finished. */
export const FINISHED_SHARE = 0.9;
/** Seconds between two notes of progress. */
export const PROGRESS_SECONDS = 15;
/** Hours for which a link of a media file is valid; the player asks for a new one. */
export const MEDIA_LINK_HOURS = 4;
