import { Alert, TextInput } from '@mantine/core';
import { useState } from 'react';
import { MediaField } from '#blocks/file/MediaField.tsx';
import { SwitchField } from '#ui/form/fields.tsx';
import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm, type ActionForm } from '#ui/form/useActionForm.ts';
import {
  getCourse,
  getCoursePageList,
  getLessonList,
  insertLesson,
  updateLesson,
  type CourseRow,
  type LessonRow,
} from '#features/classroom/course.contract.ts';

const affected = [getLessonList, getCourse, getCoursePageList];

interface Props {
  course: CourseRow;
  row: LessonRow | 'new';
  onClose: () => void;
}

/** Edits a new or an existing lesson of a course. */
export const LessonDrawer = ({ course, row, onClose }: Props) =>
  row === 'new' ? <NewLesson course={course} onClose={onClose} /> : <OwnLesson course={course} row={row} onClose={onClose} />;

function NewLesson({ course, onClose }: Omit<Props, 'row'>) {
  const form = useActionForm(insertLesson, {
    initial: { courseid: course.courseid, trial: 0 },
    invalidates: affected,
    successMessage: '课时已添加',
    onDone: onClose,
  });
  return (
    <FormDrawer title="添加课时" onClose={onClose} form={form}>
      <LessonFields form={form} isFree={course.free === 1} />
    </FormDrawer>
  );
}

function OwnLesson({ course, row, onClose }: Props & { row: LessonRow }) {
  const { lessonid, version, title, fileid, duration, trial } = row;
  const form = useActionForm(updateLesson, {
    initial: { lessonid, version, title, fileid, duration, trial: trial as 0 | 1 },
    invalidates: affected,
    onDone: onClose,
  });
  return (
    <FormDrawer title="修改课时" onClose={onClose} form={form}>
      <LessonFields form={form as never} row={row} isFree={course.free === 1} />
    </FormDrawer>
  );
}

interface FieldsProps {
  form: ActionForm<typeof insertLesson>;
  row?: LessonRow;
  isFree: boolean;
}

function LessonFields({ form, row, isFree }: FieldsProps) {
  const { fileid, duration } = form.values;
  const [filenames, setFilenames] = useState<Readonly<Record<string, string>>>(row ? { [row.fileid]: row.filename } : {});
  return (
    <>
      <TextInput {...form.field('title')} data-autofocus />
      <MediaField
        {...form.field('fileid')}
        error={form.error('fileid') ?? form.error('duration')}
        use="course"
        value={fileid && duration ? { fileid, duration, filename: filenames[fileid] ?? '视频' } : undefined}
        onChange={(recording) => {
          if (recording) setFilenames((before) => ({ ...before, [recording.fileid]: recording.filename }));
          form.set('fileid', recording?.fileid);
          form.set('duration', recording?.duration);
        }}
      />
      {row && fileid !== row.fileid && <RestartNote />}
      <SwitchField
        {...form.field('trial')}
        words={isFree ? '课程改为收费后，没有选购的机构也可以看这一节' : '没有选购的机构也可以看这一节'}
      />
    </>
  );
}

const RestartNote = () => (
  <Alert color="orange" role="status" styles={{ message: { color: 'var(--ink)' } }}>
    更换视频后，这一节已有的学习进度重新开始。
  </Alert>
);
