import { useEffect, useRef, useState, type Ref } from 'react';
import { clockOf, lengthWords } from '#domain/content/duration.ts';
import { createWatchReporter, type WatchReporter } from '#domain/content/watchReporter.ts';
import type { CallResponse } from '#respondent/api/api.ts';
import type { ShelfProps } from '#respondent/relax/OverviewPage.tsx';
import { Opening, RelaxFrame } from '#respondent/relax/RelaxFrame.tsx';
import { shareWatched, startOf, type Lesson } from '#respondent/relax/relaxWords.ts';
import { useLoaded, type Shelf } from '#respondent/relax/useLoaded.ts';
import { useMedia } from '#respondent/relax/useMedia.ts';
import { positionOf, sendNote } from '#respondent/relax/watchNotes.ts';

type Props = ShelfProps & {
  lessonid: number;
  courseid: number;
  /** nothing is noted of a person without a name */
  isNamed: boolean;
  /** another page stands over this one */
  isCovered: boolean;
  /** the lesson plays, so the music pauses */
  onPlaying: () => void;
};

/** A lesson. It goes on at the second at which the person stopped. */
export function LessonPage({ lessonid, courseid, isNamed, isCovered, onPlaying, session, shelf: _, go, ...frame }: Props) {
  // The shelf of this page alone: the place to go on at comes from the server each time.
  const own = useRef<Shelf>(new Map()).current;
  const { data, fault, load } = useLoaded(own, 'course', () => session.call('getPersonCourse', { courseid }));
  const index = data?.lessons.findIndex((lesson) => lesson.lessonid === lessonid) ?? -1;
  const lesson = data?.lessons[index];
  if (!data || !lesson)
    return (
      <RelaxFrame heading="课时" {...frame}>
        {data ? <p>这一课已经不在课程里了。</p> : <Opening fault={fault} retry={() => void load()} />}
      </RelaxFrame>
    );
  const next = data.lessons[index + 1];
  return (
    <RelaxFrame heading={lesson.title} {...frame}>
      <LessonPlayer
        key={lessonid}
        {...{ session, lesson, isNamed, isCovered, onPlaying }}
        poster={data.course.coverurl || undefined}
      />
      <p className="quiet">
        {data.course.title} · 第 {index + 1} 课，共 {data.lessons.length} 课
      </p>
      {next && next.locked === 0 && (
        <button type="button" onClick={() => go({ page: 'lesson', id: next.lessonid, courseid })}>
          下一课：{next.title}
        </button>
      )}
    </RelaxFrame>
  );
}

type PlayerProps = Pick<Props, 'session' | 'isNamed' | 'isCovered' | 'onPlaying'> & {
  lesson: Lesson;
  poster: string | undefined;
};

/** The video with the browser's own controls, which phones draw best, and the own progress below it. */
function LessonPlayer({ session, lesson, isNamed, isCovered, onPlaying, poster }: PlayerProps) {
  const { lessonid, duration, title } = lesson;
  const [shown, setShown] = useState<CallResponse<'savePersonProgress'>>(lesson);
  const [startAt] = useState(() => startOf({ duration, position: positionOf(session.notes, lessonid) ?? lesson.position }));
  const reporter = useRef<WatchReporter>(undefined);
  if (isNamed)
    reporter.current ??= createWatchReporter({
      position: startAt,
      send: async (note, isLeaving) => {
        const progress = await sendNote(session, { lessonid, ...note }, isLeaving);
        if (progress) setShown(progress);
      },
      now: () => Date.now(),
    });
  const media = useMedia({
    findLink: async (isBegin) =>
      (await session.call('getPersonMedia', { kind: 'lesson', id: lessonid, isbegin: isBegin ? 1 : 0 })).url,
    length: duration,
    startAt,
    onPlaying: (isPlaying) => isPlaying && onPlaying(),
    onPlay: (position) => reporter.current?.playAt(position),
    onStop: (position) => reporter.current?.stopAt(position),
  });
  useEffect(() => {
    const leave = () => reporter.current?.leave();
    const onHide = () => document.visibilityState === 'hidden' && leave();
    // What did not arrive goes again when the network is back.
    window.addEventListener('online', leave);
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', onHide);
    return () => {
      window.removeEventListener('online', leave);
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', onHide);
      leave();
    };
  }, []);
  const { pause } = media;
  useEffect(() => {
    if (isCovered) pause();
  }, [isCovered]);
  const share = shareWatched(shown.watched, duration);
  return (
    <>
      <video
        ref={media.ref as Ref<HTMLVideoElement>}
        className="relax-video"
        controls
        controlsList="nodownload"
        playsInline
        poster={poster}
        aria-label={`视频：${title}`}
        {...media.props}
      />
      {media.fault && (
        <div className="card">
          <p role="alert">{media.fault}</p>
          <button type="button" onClick={media.play}>
            再试一次
          </button>
        </div>
      )}
      <p role={shown.finished ? 'status' : undefined}>
        {shown.finished ? '已学完，可以随时再看。' : isNamed && share > 0 ? `已看 ${share}%` : lengthWords(duration)}
        {!shown.finished && startAt > 0 && media.time <= startAt && ` · 从 ${clockOf(startAt)} 接着看`}
      </p>
    </>
  );
}
