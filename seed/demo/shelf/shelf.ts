import { readFile } from 'node:fs/promises';
import type { RequestOf } from '#contract/action.ts';
import type { Upload } from '#contract/file.ts';
import * as article from '#features/article/article.contract.ts';
import * as course from '#features/classroom/course.contract.ts';
import * as person from '#features/content/person.contract.ts';
import { updateToOSS } from '#features/file/file.contract.ts';
import * as music from '#features/music/music.contract.ts';
import * as respond from '#features/respond/respond.contract.ts';
import type { Call } from '#seed/demo/calls.ts';
import { minuteOf, minutesLater } from '#seed/demo/content/dates.ts';
import type { DemoRun } from '#seed/demo/run.ts';
import { articles } from '#seed/demo/shelf/articles.ts';
import type { Person } from '#seed/demo/tenants/persons.ts';

/**
 * The shelf of the demonstration. Its sounds and films are our own: ffmpeg made them from noise, tones and lines of text, so nobody
 * else has rights in them.
 */

const pupils = ['000000002'];
const licence = '自制：由安澜心理用合成的声音制作，没有第三方权利，下级机构可以免费播放。';

type Music = Omit<RequestOf<typeof music.insertMusic>, 'fileid'> & { file: string };
const pieces: readonly Music[] = [
  { title: '夜雨', file: 'rain', duration: 24, category: '02', levels: [2], licence },
  { title: '跟着呼吸：吸四拍，呼六拍', file: 'breathing', duration: 30, category: '01', levels: [0, 1, 2], licence },
  { title: '钟声与安静', file: 'bells', duration: 30, category: '03', levels: [], licence },
  { title: '摇篮小调', file: 'lullaby', duration: 27, category: '04', appids: ['000000001'], levels: [0, 1, 2], licence },
];

interface DemoCourse {
  fields: RequestOf<typeof course.insertCourse>;
  lessons: readonly (readonly [file: string, title: string])[];
}
const courses: readonly DemoCourse[] = [
  {
    fields: {
      title: '三分钟，让身体慢下来',
      lecturer: '方敏',
      intro: '三个随时可以做的小练习：腹式呼吸、逐步放松肌肉、五感着陆。每课半分钟，跟着屏幕上的字做就好。\n不舒服就停下来。',
      audience: '03',
      levels: [0, 1, 2],
    },
    lessons: [
      ['belly', '腹式呼吸'],
      ['muscle', '逐步放松肌肉'],
      ['senses', '五感着陆'],
    ],
  },
  {
    fields: {
      title: '陪孩子走过考试季',
      lecturer: '方敏',
      intro: '给家长和老师的两课：怎样听孩子说，考试季家里可以做的事。',
      audience: '03',
      appids: pupils,
    },
    lessons: [
      ['listen', '先听，再说'],
      ['exam', '考试季，家里可以做的事'],
    ],
  },
];
/** The seconds of each film. */
const LESSON_SECONDS = 28;

/** Uploads a sound or a film of this folder. Returns its number. */
export async function uploadMedia(call: Call, biztype: 'music' | 'course', name: string, title: string): Promise<string> {
  const [ext, mime] = biztype === 'music' ? ['mp3', 'audio/mpeg'] : ['mp4', 'video/mp4'];
  const upload: Upload = {
    filename: `${title}.${ext}`,
    mime,
    content: await readFile(new URL(`media/${name}.${ext}`, import.meta.url)),
  };
  return (await call(updateToOSS, { biztype }, upload)).fileid;
}

/** Fills the shelf of the provider and of a school, before the first screening, so that reports recommend from it. */
export async function fillShelf(run: DemoRun): Promise<void> {
  const { calls, dates } = run;
  const call = await calls.as('demo_fws', dates.day(-500, '10:00'));
  for (const [ordernum, { file, ...piece }] of pieces.entries()) {
    const fileid = await uploadMedia(call, 'music', file, piece.title);
    await call(music.insertMusic, { ...piece, fileid, status: 1, ordernum });
  }
  for (const [ordernum, { fields, lessons }] of courses.entries()) {
    const { courseid } = await call(course.insertCourse, { ...fields, ordernum });
    for (const [index, [file, title]] of lessons.entries()) {
      const fileid = await uploadMedia(call, 'course', file, title);
      await call(course.insertLesson, { courseid, title, fileid, duration: LESSON_SECONDS, trial: index === 0 ? 1 : 0 });
    }
    const { version } = await call(course.getCourse, { courseid });
    await call(course.updateCourse, { courseid, version, status: 1 });
  }
  await writeArticles(run);
}

async function writeArticles({ calls, dates, asPlatform }: DemoRun): Promise<void> {
  for (const [by, texts] of articles) {
    const at = async (day: number, clock: string) => {
      const time = dates.day(day, clock);
      return by === 'platform' ? asPlatform(time) : calls.as(by, time);
    };
    for (const { published, offline, ...fields } of texts) {
      // A scheduled article was written yesterday.
      const day = Math.min(published ?? -1, -1);
      const { articleid } = await (await at(day, '09:30'))(article.insertArticle, fields);
      if (published === undefined) continue;
      const scheduled = published > 0 ? { publishtime: minuteOf(dates.day(published)) } : {};
      await (
        await at(day, '10:30')
      )(article.publishArticle, { articleid, step: 'publish', ...scheduled });
      if (offline !== undefined) await (await at(offline, '17:00'))(article.publishArticle, { articleid, step: 'offline' });
    }
  }
}

/** How many persons watch the first course. Totals are shown from five on. */
const LEARNERS = 8;

/** Some persons read, hear and learn on their page. Most finish the first lesson, fewer the next ones. */
export async function useShelf({ calls, dates }: DemoRun, clientcode: string, persons: readonly Person[]): Promise<void> {
  for (const [index, { username, key }] of persons.slice(0, LEARNERS).entries()) {
    const begin = minutesLater(dates.day(-2, '19:00'), index * 7);
    const { token } = await calls.with('', begin)(respond.loginRespondent, { clientcode, username, key });
    const call = calls.with(token, begin);
    const { rows } = await call(person.getPersonCourses, {});
    const first = rows.find(({ lessons }) => lessons === 3);
    if (!first) throw new Error('the shelf has no course');
    const { lessons } = await call(person.getPersonCourse, { courseid: first.courseid });
    for (const { lessonid } of lessons.slice(0, index < 6 ? 2 : 1)) {
      await call(person.getPersonMedia, { kind: 'lesson', id: lessonid });
      const seconds = index === 7 ? 12 : LESSON_SECONDS;
      await calls.with(token, minutesLater(begin, 1))(person.savePersonProgress, {
        lessonid,
        from: 0,
        to: seconds,
        position: seconds,
      });
    }
    const { rows: texts } = await call(person.getPersonArticles, {});
    for (const { articleid } of texts.slice(0, 1 + (index % 4))) await call(person.getPersonArticle, { articleid });
    const { rows: sounds } = await call(person.getPersonMusic, {});
    const sound = sounds[index % sounds.length];
    if (sound) await call(person.getPersonMedia, { kind: 'music', id: sound.musicid });
  }
}
