import { useActionMutation } from '#ui/api/useAction.ts';
import { confirm } from '#ui/feedback/confirm.tsx';
import { deleteCourse, getCourse, getCoursePageList, updateCourse, type CourseRow } from '#features/classroom/course.contract.ts';

/** Returns what the list and the page of a course have in common: the shelf, and deletion. The server's refusals are shown. */
export function useShelf(onDeleted?: () => void) {
  const change = useActionMutation(updateCourse, { invalidates: [getCoursePageList, getCourse], successMessage: '保存成功' });
  const remove = useActionMutation(deleteCourse, {
    invalidates: [getCoursePageList],
    successMessage: '删除成功',
    ...(onDeleted ? { onDone: onDeleted } : {}),
  });
  return {
    toggleShelf: async ({ courseid, version, title, status }: CourseRow) => {
      const question = `下架后学习者不能再打开“${title}”，报告也不再推荐它；学习进度保留。确定下架吗？`;
      if (status === 1 && !(await confirm({ text: question, yes: '下架' }))) return;
      change.mutate({ courseid, version, status: status === 1 ? 0 : 1 });
    },
    remove: ({ courseid }: CourseRow) => remove.mutate({ courseid }),
    isChanging: change.isPending,
  };
}
