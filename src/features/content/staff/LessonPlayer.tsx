import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { clockOf } from '#domain/content/duration.ts';
import { call } from '#ui/api/call.ts';
import { notifyError } from '#ui/feedback/notify.ts';
import { Cover } from '#blocks/content/Cover.tsx';
import { VideoPlayer } from '#blocks/content/MediaPlayer.tsx';
import { getShelfMedia } from '#features/content/content.contract.ts';
import type { ShelfCourse, ShelfLesson } from '#features/content/shelf.contract.ts';
import { startOf } from '#features/content/staff/courseWords.ts';
import { renewLink } from '#features/content/staff/useMusic.ts';
import { useWatchReporter, type SavedProgress } from '#features/content/staff/useWatchReporter.ts';
import classes from './shelf.module.css';

interface LessonProps {
  course: ShelfCourse;
  lesson: ShelfLesson;
  onSaved: (saved: SavedProgress) => void;
  onEnded: () => void;
}

/** The picture of a lesson with the button that begins it. Only then the link is fetched, and the lesson counts as begun. */
export function LessonStage({ autoBegin, ...props }: LessonProps & { autoBegin: boolean }) {
  const { course, lesson } = props;
  const [url, setUrl] = useState<string>();
  const [isLoading, setIsLoading] = useState(false);
  const [isPressed, setIsPressed] = useState(false);
  const begin = async () => {
    setIsLoading(true);
    try {
      setUrl((await call(getShelfMedia, { kind: 'lesson', id: lesson.lessonid, isbegin: 1 })).url);
    } catch (error) {
      notifyError(error);
    }
    setIsLoading(false);
  };
  const onOpen = useEffectEvent(() => {
    if (autoBegin && url === undefined) void begin();
  });
  useEffect(() => onOpen(), []);
  if (url !== undefined) return <LessonPlayer {...props} url={url} takesFocus={isPressed} />;
  const at = startOf(lesson);
  return (
    <div className={classes['stage']}>
      <Cover kind="course" title={course.title} src={course.coverurl} />
      <div className={classes['begin']}>
        <Button
          size="md"
          radius="xl"
          loading={isLoading}
          leftSection={<IconPlayerPlay size={18} aria-hidden />}
          onClick={() => {
            setIsPressed(true);
            void begin();
          }}
        >
          {at > 0 ? `从 ${clockOf(at)} 继续` : lesson.finished === 1 ? '再看一遍' : '开始学习'}
        </Button>
      </div>
    </div>
  );
}

/** The player of a lesson. It begins at the last second and saves what was played. The pressed button passes the focus to it. */
function LessonPlayer({ course, lesson, url, takesFocus, onSaved, onEnded }: LessonProps & { url: string; takesFocus: boolean }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) frame.current?.querySelector('button')?.focus();
  }, [takesFocus]);
  const [startAt] = useState(() => startOf(lesson));
  const reporter = useWatchReporter({ lessonid: lesson.lessonid, position: startAt }, onSaved);
  return (
    <div ref={frame}>
      <VideoPlayer
        title={lesson.title}
        poster={course.coverurl || undefined}
        source={{ id: `lesson ${lesson.lessonid}`, url, length: lesson.duration }}
        renew={() => renewLink('lesson', lesson.lessonid)}
        startAt={startAt}
        autoPlay
        onPlay={reporter.playAt}
        onStop={reporter.stopAt}
        onEnded={onEnded}
      />
    </div>
  );
}
