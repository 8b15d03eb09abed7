import { Button, Modal } from '@mantine/core';
import { IconPlayerPlay, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { clockOf } from '#domain/content/duration.ts';
import { VideoPlayer } from '#blocks/content/MediaPlayer.tsx';
import { sizeLabel } from '#blocks/file/upload/upload.labels.ts';
import { call } from '#ui/api/call.ts';
import { useActionMutation, useActionQuery } from '#ui/api/useAction.ts';
import { Badge } from '#ui/display/badges.tsx';
import { Section } from '#ui/display/Section.tsx';
import { EmptyState, Loaded } from '#ui/feedback/states.tsx';
import { SortableList } from '#ui/form/SortableList.tsx';
import { RowMenu, RowMenuDelete, RowMenuItem } from '#ui/list/RowMenu.tsx';
import { lazyDialog } from '#ui/router/lazyDialog.tsx';
import {
  deleteLesson,
  getCourse,
  getCoursePageList,
  getLessonList,
  type CourseRow,
  type LessonRow,
} from '#features/classroom/course.contract.ts';
import { learnerWords } from '#features/classroom/course.labels.ts';
import { useLessonOrder } from '#features/classroom/useLessonOrder.ts';
import classes from '#features/classroom/course.module.css';

const LessonDrawer = lazyDialog(() => import('#features/classroom/LessonDrawer.tsx').then((file) => file.LessonDrawer));

/** The lessons of a course: their order, their videos, how many learn them. */
export function LessonList({ course }: { course: CourseRow }) {
  const read = useActionQuery(getLessonList, { courseid: course.courseid }, { quiet: true });
  const [editing, setEditing] = useState<LessonRow | 'new'>();
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
      添加课时
    </Button>
  );
  return (
    <Section title="课时" right={read.data && read.data.length > 0 ? add : undefined}>
      <Loaded read={read}>
        {(lessons) =>
          lessons.length === 0 ? (
            <EmptyState title="还没有课时" hint="上传第一节视频，之后就可以上架">
              {add}
            </EmptyState>
          ) : (
            <Lines course={course} lessons={lessons} onEdit={setEditing} />
          )
        }
      </Loaded>
      {editing && <LessonDrawer course={course} row={editing} onClose={() => setEditing(undefined)} />}
    </Section>
  );
}

interface LinesProps {
  course: CourseRow;
  lessons: readonly LessonRow[];
  onEdit: (lesson: LessonRow) => void;
}

function Lines({ course: { courseid }, lessons, onEdit }: LinesProps) {
  const { ordered, sort } = useLessonOrder(courseid, lessons);
  const [shown, setShown] = useState<LessonRow>();
  const remove = useActionMutation(deleteLesson, {
    invalidates: [getLessonList, getCourse, getCoursePageList],
    successMessage: '删除成功',
  });
  return (
    <>
      <SortableList
        lines={ordered}
        onSort={sort}
        unit="节"
        nameOf={({ title }) => title}
        keyOf={({ lessonid }) => lessonid}
        hintOf={(lesson) => (
          <span className={classes['facts']}>
            <span>{clockOf(lesson.duration)}</span>
            <span>{sizeLabel(lesson.size)}</span>
            <span>{learnerWords(lesson)}</span>
            {lesson.trial === 1 && <Badge tone="lime">试看</Badge>}
          </span>
        )}
        before={(lesson) => (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlayerPlay size={14} aria-hidden />}
            aria-label={`预览${lesson.title}`}
            onClick={() => setShown(lesson)}
          >
            预览
          </Button>
        )}
        after={(lesson) => (
          <RowMenu label={`${lesson.title}的更多操作`}>
            <RowMenuItem onClick={() => onEdit(lesson)}>修改</RowMenuItem>
            <RowMenuDelete name={lesson.title} onConfirm={() => remove.mutate({ lessonid: lesson.lessonid })} />
          </RowMenu>
        )}
      />
      {shown && (
        <Modal opened onClose={() => setShown(undefined)} title={shown.title} size="min(860px, 94vw)">
          <VideoPlayer
            source={{ id: `${shown.lessonid} ${shown.fileid}`, url: shown.url, length: shown.duration }}
            title={shown.title}
            autoPlay
            renew={async () => {
              const newest = await call(getLessonList, { courseid });
              return newest.find(({ lessonid }) => lessonid === shown.lessonid)?.url || undefined;
            }}
          />
        </Modal>
      )}
    </>
  );
}
