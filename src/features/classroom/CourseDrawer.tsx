import { FormDrawer } from '#ui/form/FormDrawer.tsx';
import { useActionForm } from '#ui/form/useActionForm.ts';
import { useNavigate } from '#ui/router/router.tsx';
import { getCourse, getCoursePageList, insertCourse, updateCourse, type CourseRow } from '#features/classroom/course.contract.ts';
import { coursePath } from '#features/classroom/course.labels.ts';
import { CourseFields } from '#features/classroom/CourseFields.tsx';

/** Edits a new or an existing course. A new one opens on its page, where its lessons are added. */
export const CourseDrawer = ({ row, onClose }: { row: CourseRow | 'new'; onClose: () => void }) =>
  row === 'new' ? <NewCourse onClose={onClose} /> : <OwnCourse row={row} onClose={onClose} />;

function NewCourse({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const form = useActionForm(insertCourse, {
    initial: { audience: '01', appids: [], levels: [], free: 1, price: 0, ordernum: 0 },
    invalidates: [getCoursePageList],
    successMessage: '课程已新增，请添加课时',
    onDone: ({ courseid }) => {
      onClose();
      navigate(coursePath(courseid));
    },
  });
  return (
    <FormDrawer title="新增课程" onClose={onClose} form={form} width={560} save="保存，去添加课时">
      <CourseFields form={form} />
    </FormDrawer>
  );
}

function OwnCourse({ row, onClose }: { row: CourseRow; onClose: () => void }) {
  const { courseid, version, title, lecturer, intro, audience, appids, levels, free, price, ordernum } = row;
  const form = useActionForm(updateCourse, {
    initial: { courseid, version, title, lecturer, intro, audience, appids, levels, free: free as 0 | 1, price, ordernum },
    invalidates: [getCoursePageList, getCourse],
    onDone: onClose,
  });
  return (
    <FormDrawer title="修改课程" onClose={onClose} form={form} width={560}>
      <CourseFields form={form as never} row={row} />
    </FormDrawer>
  );
}
